/// @file
/// The steps of a plan, ready to run: one runner per step, in the plan's tree.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "kasen/runtime/run_context.h"
#include "optimizer/plan/plan.h"

namespace kasen::runtime {

/// One step. Constructing it obtains what it needs; running it allocates nothing.
class StepRunner {
 public:
  virtual ~StepRunner() = default;
  virtual void run() = 0;
};

/// Steps one after the other, each followed by the end of the values that die with it.
class Sequence {
 public:
  /// @param depth number of loops around.
  Sequence(const std::vector<optimizer::Step>& steps, RunContext& context, std::size_t depth);
  void run();

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
