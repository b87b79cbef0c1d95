#include "optimizer/states/role_sets.h"

#include <algorithm>
#include <iterator>

namespace kasen::optimizer {

RoleSetId RoleSets::id_of(const RoleSet& roles) {
  const auto known = std::find(_sets.begin(), _sets.end(), roles);
  const auto id = static_cast<RoleSetId>(known - _sets.begin());
  if (known == _sets.end()) {
    _sets.push_back(roles);
    _joined.emplace_back();
  }
  return id;
}

RoleSetId RoleSets::join(RoleSetId a, RoleSetId b) {
  RoleSet both = at(a);
  insert_roles(both, at(b));
  const RoleSetId result = id_of(both);
  std::vector<RoleSetId>& known = _joined[index_of(a)];
  if (known.size() <= index_of(b)) known.resize(index_of(b) + 1, kNoRoles);
  return known[index_of(b)] = result;
}

RoleSetId RoleSets::common(RoleSetId a, RoleSetId b) {
  if (a == b) return a;
  RoleSet both;
  std::set_intersection(at(a).begin(), at(a).end(), at(b).begin(), at(b).end(), std::back_inserter(both));
  return id_of(both);
}

}  // namespace kasen::optimizer
