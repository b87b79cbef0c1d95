/// @file
/// Options and decisions about which statements share a sweep.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "kasen/base/ids.h"
#include "kasen/base/options.h"

namespace kasen::optimizer {

struct FusionOptions {
  bool fuse = true;                       ///< part `fuse`; off: every primitive alone
  bool join_mxv = true;                   ///< part `join-mxv`: several MxVs of one matrix and direction in one sweep
  Storage storage = Storage::compressed;  ///< of matrices, for the costs of MxVs; automatic: whichever is cheaper
  /// Part `one-pass`, by matrix: whether sweeps that pull its rows also push by them what they make. If a grouping
  /// decides, that says so.
  std::vector<bool> one_pass = {};
  bool in_one_pass(MatrixId matrix) const { return index_of(matrix) < one_pass.size() && one_pass[index_of(matrix)]; }
};

/// A decision, taken beforehand, about which statements share a sweep.
struct Grouping {
  static constexpr std::uint32_t kNoSweep = 0xffffffffu;
  std::vector<std::uint32_t> sweeps;  ///< by ValueId of what a statement makes: the number of its sweep
  std::set<ValueId> recomputed;       ///< results of element work that every sweep which reads them makes again
  std::uint32_t sweep_of(ValueId value) const {
    return index_of(value) < sweeps.size() ? sweeps[index_of(value)] : kNoSweep;
  }
};

}  // namespace kasen::optimizer
