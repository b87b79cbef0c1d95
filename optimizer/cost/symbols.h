/// @file
/// The symbols in which costs are written (N, S, M, ...): their names, and their values for a placement.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kasen/base/placement_stats.h"

namespace kasen::optimizer {

/// N: masters of a space. S: replicas of a space for some roles (model: all). M: non-zeros of a matrix.
/// R, L: runs and long runs of a matrix in blocks, by the side of its outputs. T, K: runs of a matrix stored as
/// stencils, and the entries of the stencils of all runs, by that side. P(P-1): directed pairs of workers. A, E: active
/// elements that a sweep pushes, and their non-zeros, which are known only when it has run: no value here. What depends
/// on no symbol is counted in ones.
struct Symbol {
  enum class Kind : std::uint8_t {
    masters,
    replicas,
    nonzeros,
    runs,
    long_runs,
    stencil_runs,
    stencil_entries,
    active,
    active_entries,
    worker_pairs,
    one
  };
  Kind kind{};
  SpaceId space = kNone<SpaceId>;
  MatrixId matrix = kNone<MatrixId>;
  RoleSet roles;                                    ///< of replicas; of runs the one side
  auto operator<=>(const Symbol&) const = default;  ///< the order in which terms are printed
};

/// "N", "S" (of all roles), "S_row", "M", "R_col", "P(P-1)"; with several spaces or matrices "N1", "S1_col0", "M0".
std::string name_of(const Symbol& symbol, const PlacementStats& stats);
std::uint64_t value_of(const Symbol& symbol, const PlacementStats& stats);

/// Every symbol with a value of its own, in the order of printing: all but P(P-1) and 1.
std::vector<Symbol> symbols_of(const PlacementStats& stats);

/// Gives the symbol of this name another value; all others keep theirs.
/// @throws UsageError "--set: ..." if there is none.
void set_symbol(PlacementStats& stats, const std::string& name, std::uint64_t value);

}  // namespace kasen::optimizer
