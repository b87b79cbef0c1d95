/// @file
/// Boundaries between iterations, at which a run can be left and gone on with.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "kasen/runtime/value_store.h"
#include "optimizer/plan/live_at.h"
#include "optimizer/plan/plan.h"

namespace kasen::runtime {

/// What is told of each boundary: the end of an iteration of any loop, when what it carries is in its arguments.
class Boundaries {
 public:
  virtual ~Boundaries() = default;
  /// Collective. Whether reached() is to be called now; the same on all workers.
  virtual bool wanted() = 0;
  /// Collective. Nothing is under way; what optimizer::live_at says of `position` is in `values`. @throws EndRequested
  virtual void reached(const optimizer::Plan& plan, ValueStore& values, std::span<const std::uint32_t> position) = 0;
};

/// A run that goes on at a boundary instead of beginning.
struct Resumption {
  optimizer::LoopPosition position;
  /// Local. Puts all that is live there into the store, by ValueStore::restore. May throw.
  std::function<void(ValueStore& values)> restore;
};

}  // namespace kasen::runtime
