/// @file
/// Class PredictedSeconds: what the runs of plans should have taken by the profile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "optimizer/plan/plan.h"

namespace kasen {

/// Predicted seconds of runs, by how often each step was entered: in all, and in the outermost loops.
class PredictedSeconds {
 public:
  explicit PredictedSeconds(std::uint64_t workers) : _workers(static_cast<double>(workers)) {}
  double all = 0, loops = 0;
  /// Goes on to a plan, in the order in which plans were made: it has to take as much more memory as its buffers exceed
  /// those of any plan that ran before.
  /// @param runs how often it ran
  void begin(const optimizer::Plan& plan, std::uint64_t runs);
  /// @param entered, activity of the steps of the plan, nested ones in their places; activity of all workers
  void add(const std::vector<std::uint64_t>& entered, const std::vector<Activity>& activity);
  /// The seconds of one step that is neither a loop nor a branch, once its memory is there.
  double of(const optimizer::Step& step, std::uint64_t entered, const Activity& activity) const;
  /// What a step of the plan takes beside that the first time, to get its memory.
  double fresh(const optimizer::Step& step, std::uint64_t entered) const;

 private:
  struct Ran {
    const std::vector<std::uint64_t>& entered;
    const std::vector<Activity>& activity;
    std::size_t next = 0;
  };
  void add(const std::vector<optimizer::Step>& steps, Ran& ran, bool in_loop);

  double _workers;
  const optimizer::Plan* _plan = nullptr;
  std::uint64_t _kept_bytes = 0;  // of the buffers of plans that have run
  double _fresh = 0;              // the share of the plan's buffers that no earlier plan has left
};

}  // namespace kasen
