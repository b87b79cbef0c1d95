/// @file
/// Runners of a plan's steps, one for each step, in the plan's tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "kasen/runtime/run_context.h"
#include "optimizer/plan/plan.h"

namespace kasen::runtime {

/// Runs one step. Constructing it obtains what it needs; running it allocates nothing, but for the storage of a matrix
/// that is walked for the first time (ActiveSweep).
class StepRunner {
 public:
  virtual ~StepRunner() = default;
  virtual void run() = 0;
  /// Of a loop or a branch: goes on at a boundary within it.
  virtual void resume(std::span<const std::uint32_t> position);
};

/// Runs steps one after the other, each followed by the end of the values that die with it.
class Sequence {
 public:
  /// @param depth number of loops around the steps.
  Sequence(const std::vector<optimizer::Step>& steps, RunContext& context, std::size_t depth);
  /// @param before is called before each step, with its position.
  void run(const std::function<void(std::size_t step)>& before = {});
  /// Goes on at a boundary in one of the steps, and then with those after it.
  void resume(std::span<const std::uint32_t> position, const std::function<void(std::size_t step)>& before = {});

 private:
  template <class Work>
  void run_entry(std::size_t k, const std::function<void(std::size_t step)>& before, const Work& work);

  struct Entry {
    const optimizer::Step* step;
    std::unique_ptr<StepRunner> runner;
    std::size_t position;  ///< in pre-order of the step tree
  };
  const std::vector<optimizer::Step>& _steps;
  RunContext& _context;
  std::vector<Entry> _entries;
};

}  // namespace kasen::runtime
