/// @file
/// Storage states of vectors and Shareds (the paper, section 4.1), and the roles for which they hold.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

#include "kasen/base/ids.h"

namespace kasen {

/// One side of one matrix: a row replica is read by mxv and written by mxvt, a column replica the other way round. Or
/// everywhere, which is of no matrix: every worker holds all elements, as keys may lead to any.
struct Role {
  enum class Side : std::uint8_t { row, column, everywhere };
  MatrixId matrix;
  Side side;
  auto operator<=>(const Role&) const = default;
};
inline constexpr Role kEverywhere{kNone<MatrixId>, Role::Side::everywhere};

/// A set of roles of one index space, sorted and without repetition.
using RoleSet = std::vector<Role>;

inline void insert_roles(RoleSet& into, const RoleSet& roles) {
  RoleSet merged;
  std::set_union(into.begin(), into.end(), roles.begin(), roles.end(), std::back_inserter(merged));
  into = std::move(merged);
}

inline bool includes_roles(const RoleSet& whole, const RoleSet& part) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

/// A storage state. partitioned: masters are valid.
/// consistent: masters and the replicas of `roles` are valid and equal.
/// pre_reduced: the true value is `reducer` over the master and the replicas of `roles`.
struct State {
  enum class Kind : std::uint8_t { partitioned, consistent, pre_reduced };
  Kind kind = Kind::partitioned;
  ReducerId reducer = kNone<ReducerId>;
  RoleSet roles;

  static State partitioned() { return {}; }
  static State consistent(RoleSet roles) { return {Kind::consistent, kNone<ReducerId>, std::move(roles)}; }
  static State pre_reduced(ReducerId reducer, RoleSet roles) { return {Kind::pre_reduced, reducer, std::move(roles)}; }
  bool operator==(const State&) const = default;
};

}  // namespace kasen
