/// @file
/// Sums over symbols that are formulas, or their values right away: planning needs only these, again and again.
#pragma once

#include <cstdint>
#include <utility>

#include "kasen/base/ids.h"
#include "kasen/base/placement_stats.h"
#include "kasen/base/state.h"
#include "optimizer/cost/formula.h"

namespace kasen::optimizer {

inline Symbol masters(SpaceId space) { return {Symbol::Kind::masters, space, kNone<MatrixId>, {}}; }
inline Symbol replicas(SpaceId space, RoleSet roles) {
  return {Symbol::Kind::replicas, space, kNone<MatrixId>, std::move(roles)};
}
inline Symbol nonzeros(MatrixId matrix) { return {Symbol::Kind::nonzeros, kNone<SpaceId>, matrix, {}}; }

inline void add(Formula& sum, std::uint64_t coefficient, Symbol symbol, const PlacementStats& /*stats*/) {
  sum.add(coefficient, std::move(symbol));
}
inline void add(std::uint64_t& sum, std::uint64_t coefficient, const Symbol& symbol, const PlacementStats& stats) {
  sum += coefficient * value_of(symbol, stats);
}

/// Adds `coefficient` per master, and per replica of the roles.
inline void add_range(Formula& sum, std::uint64_t coefficient, SpaceId space, const RoleSet& roles,
                      const PlacementStats& /*stats*/) {
  sum.add(coefficient, masters(space));
  if (!roles.empty()) sum.add(coefficient, replicas(space, roles));
}
inline void add_range(std::uint64_t& sum, std::uint64_t coefficient, SpaceId space, const RoleSet& roles,
                      const PlacementStats& stats) {
  sum += coefficient * stats.range(space, roles);
}

}  // namespace kasen::optimizer
