/// @file
/// Class PushedOutput: the output of a product that active elements are pushed to.
#pragma once

#include <vector>

#include "kasen/runtime/delta_state.h"
#include "kasen/runtime/fill.h"
#include "kasen/runtime/run_context.h"
#include "optimizer/plan/plan.h"

namespace kasen::runtime {

/// Of one product of one run.
class PushedOutput {
 public:
  /// @param step a sweep of one launch  @param delta null outside of delta loops
  PushedOutput(const optimizer::Step& step, RunContext& context, DeltaState* delta);

  /// Puts it in its place, at the reducer's identity where something may be added to it.
  void begin();

 private:
  const optimizer::Sweep& _sweep;
  const optimizer::Launch& _launch;
  RunContext& _context;
  DeltaState* const _delta;
  const LocalIndex _masters;
  std::vector<ValueId> _replaceable;
  const Fill _fill;
};

}  // namespace kasen::runtime
