/// @file
/// Filling of outputs with their reducer's identity, where kernels add to them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kasen/runtime/run_context.h"
#include "optimizer/plan/plan.h"
#include "partition/replicas.h"

namespace kasen::runtime {

/// An output, its reducer's identity, and the elements that are set to it.
struct Fill {
  ValueId value;
  std::span<const std::byte> identity;
  std::vector<partition::Interval> intervals;
};

/// The fills of all outputs that the sweep's launches add to.
std::vector<Fill> fills_of(const optimizer::Sweep& sweep, const RunContext& context);

/// Writes `identity` to every element of the interval.
void fill(std::byte* elements, std::span<const std::byte> identity, const partition::Interval& interval);
/// Writes what the fill has of the elements [first, end), and counts elements_initialised.
void fill(const Fill& fill, LocalIndex first, LocalIndex end, const RunContext& context, Counts& counts);
/// Writes all of it.
void fill(const Fill& fill, RunContext& context);

}  // namespace kasen::runtime
