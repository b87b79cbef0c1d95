/// @file
/// Class RoleSets: numbers for the sets of roles of a program, by which states of thousands of values are compared.
#pragma once

#include <cstdint>
#include <vector>

#include "kasen/base/state.h"

namespace kasen::optimizer {

/// A set of roles, numbered by RoleSets.
enum class RoleSetId : std::uint32_t {};
inline constexpr RoleSetId kNoRoles{0};

/// There are few different sets, so what two of them make together is worked out once.
class RoleSets {
 public:
  RoleSets() : _sets(1), _joined(1) {}

  RoleSetId id_of(const RoleSet& roles);
  const RoleSet& at(RoleSetId id) const { return _sets[index_of(id)]; }
  RoleSetId joined(RoleSetId a, RoleSetId b) {
    if (a == b || b == kNoRoles) return a;
    if (a == kNoRoles) return b;
    const std::vector<RoleSetId>& known = _joined[index_of(a)];
    if (index_of(b) < known.size() && known[index_of(b)] != kNoRoles) return known[index_of(b)];
    return join(a, b);
  }
  bool includes(RoleSetId whole, RoleSetId part) { return joined(whole, part) == whole; }
  RoleSetId common(RoleSetId a, RoleSetId b);

 private:
  RoleSetId join(RoleSetId a, RoleSetId b);

  std::vector<RoleSet> _sets;
  std::vector<std::vector<RoleSetId>> _joined;  ///< by two sets, neither empty; kNoRoles: not known yet
};

}  // namespace kasen::optimizer
