/// @file
/// Pass `storage`: assigns buffers and tile buffers to all values (the paper's section 5.4, step 4).
#pragma once

#include "kasen/base/placement_stats.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

struct StorageOptions {
  bool in_place = true;  ///< part `in-place`: outputs may take over the buffers of inputs that die in their sweep
  bool reuse = true;     ///< part `reuse-buffers`: buffers of dead values serve later values
};

/// Groups stored values into classes of equal buffers, counts how many of each the plan needs at its fullest, decides
/// which outputs replace dying inputs, and gives every value of a sweep its place: a buffer, or a tile buffer by
/// register allocation. A pushdown stays in its input's buffer if nothing else can hold that buffer; otherwise its
/// replicas are copied.
/// Before: liveness. After: class_of and Plan::classes; every sweep has its places, slots and tiles (tiles.h).
void assign_storage(Plan& plan, const PlacementStats& stats, const StorageOptions& options);

}  // namespace kasen::optimizer
