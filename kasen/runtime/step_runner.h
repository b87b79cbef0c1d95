/// @file
/// Runners of a plan's steps, one for each step, in the plan's tree.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "kasen/runtime/run_context.h"
#include "optimizer/plan/plan.h"

namespace kasen::runtime {

/// Runs one step. Constructing it obtains what it needs; running it allocates nothing.
class StepRunner {
 public:
  virtual ~StepRunner() = default;
  virtual void run() = 0;
};

/// Runs steps one after the other, each followed by the end of the values that die with it.
class Sequence {
 public:
  /// @param depth number of loops around the steps.
  Sequence(const std::vector<optimizer::Step>& steps, RunContext& context, std::size_t depth);
  /// @param before is called before each step, with its position.
  void run(const std::function<void(std::size_t step)>& before = {});

 private:
  struct Entry {
    const optimizer::Step* step;
    std::unique_ptr<StepRunner> runner;
    std::size_t position;  ///< in pre-order of the step tree
  };
  RunContext& _context;
  std::vector<Entry> _entries;
};

}  // namespace kasen::runtime
