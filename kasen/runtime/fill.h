/// @file
/// Vectors that kernels add to start at their reducer's identity.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kasen/runtime/run_context.h"
#include "optimizer/plan/plan.h"
#include "partition/replicas.h"

namespace kasen::runtime {

/// Where an output's identity goes.
struct Fill {
  ValueId value;
  std::span<const std::byte> identity;
  std::vector<partition::Interval> intervals;
};

/// Of all outputs that the sweep's launches add to.
std::vector<Fill> fills_of(const optimizer::Sweep& sweep, const RunContext& context);

/// Writes `identity` to every element of the interval.
void fill(std::byte* elements, std::span<const std::byte> identity, const partition::Interval& interval);
/// Counts elements_initialised.
void fill(const Fill& fill, RunContext& context);

}  // namespace kasen::runtime
