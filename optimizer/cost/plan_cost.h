/// @file
/// The cost of a whole plan in bytes, messages and exchanges, by which plans are compared, if not by predicted time.
#pragma once

#include <compare>
#include <cstdint>

#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// What makes one plan cheaper than another, compared in this order: first what an iteration of the
/// outermost loops costs, in which an inner loop counts 16 times and each side of a branch once; then the same of what
/// runs outside of loops. So a scatter goes to the end of the loop's body, where it joins the reductions of Shareds,
/// although the last one is then wasted.
struct PlanCost {
  struct Part {
    std::uint64_t bytes_sent = 0;  ///< of vectors and Shareds
    std::uint64_t messages = 0;
    std::uint64_t stream_bytes = 0;  ///< read and written
    std::uint64_t exchanges = 0;     ///< empty ones included
    std::uint64_t buffer_bytes = 0;  ///< of the whole plan
    std::uint64_t transitions = 0;   ///< of vectors
    auto operator<=>(const Part&) const = default;
    Part& operator+=(const Part& other);
  };
  PlanTime time;  ///< before all else, where plans are compared by time
  Part loops, rest;
  std::uint64_t consistent = 0;  ///< values kept consistent: partitioned comes first
  auto operator<=>(const PlanCost&) const = default;
  PlanCost& operator+=(const PlanCost& other);
};
/// @param loops that the plan stands in, if it is a part of another one.
PlanCost cost_of(const Plan& plan, int loops = 0);

}  // namespace kasen::optimizer
