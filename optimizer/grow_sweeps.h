/// @file
/// Pass `fuse`: statements become steps (the paper's section 5.4, steps 1, 2 and 5).
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "kasen/base/options.h"
#include "optimizer/plan.h"
#include "optimizer/states.h"

namespace kasen::optimizer {

struct FusionOptions {
  bool fuse = true;                       ///< off: every primitive alone
  bool join_mxv = true;                   ///< several MxVs of one matrix and direction in one sweep
  Storage storage = Storage::compressed;  ///< what MxVs may be costed with, automatic: either
};

/// Which statements share a sweep, decided beforehand.
struct Grouping {
  static constexpr std::uint32_t kNoSweep = 0xffffffffu;
  std::vector<std::uint32_t> sweeps;  ///< by ValueId of what a statement makes: the number of its sweep
  std::set<ValueId> recomputed;       ///< element statements' results made again in every sweep that reads them
  std::uint32_t sweep_of(ValueId value) const {
    return index_of(value) < sweeps.size() ? sweeps[index_of(value)] : kNoSweep;
  }
};

/// Grows one fusible sub-DDAG at a time: starts with the first ready statement and adds every further one that is
/// ready and fits, until none does. When no computation is ready, all transitions that are travel in one exchange;
/// loops and branches come when nothing else can. Sources that need not be stored are made again in every sweep that
/// reads them. Launches have their ranges; places, storage and costs are not assigned yet.
/// @param grouping decides what shares a sweep instead; a sweep runs when all it waits for is there. Of statements of
/// one sweep that do not fit each other, the later ones come in a sweep of their own.
/// @return false if transitions, sweeps and readers wait for each other: the states or the grouping are not executable.
bool grow_sweeps(const StatedProgram& stated, const FusionOptions& options, Plan& plan,
                 const Grouping* grouping = nullptr);

}  // namespace kasen::optimizer
