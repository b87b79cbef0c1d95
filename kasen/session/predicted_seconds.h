/// @file
/// Struct PredictedSeconds: what the runs of plans should have taken by the profile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "optimizer/plan/plan.h"

namespace kasen {

/// Predicted seconds of runs, by how often each step was entered: in all, and in the outermost loops.
struct PredictedSeconds {
  double all = 0, loops = 0;
  /// @param entered of the steps of a plan, nested ones in their places
  void add(const std::vector<optimizer::Step>& steps, const std::vector<std::uint64_t>& entered);

 private:
  void add(const std::vector<optimizer::Step>& steps, const std::vector<std::uint64_t>& entered, std::size_t& index,
           bool in_loop);
};

}  // namespace kasen
