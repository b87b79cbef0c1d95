/// @file
/// Runs plans, serially, for any number of made-up workers: one element after the other, with buffers and tile buffers
/// as the plan assigns them. What a plan has no right to read is filled with garbage, buffers are handed out in the
/// numbers the plan asks for, and everything touched is counted. Shares nothing with the executor or the formulas.
#pragma once

#include <string>
#include <vector>

#include "kasen/base/options.h"
#include "kasen/base/profile.h"
#include "optimizer/plan/plan.h"
#include "tests/optimizer/program_builder.h"
#include "tests/optimizer/world.h"

namespace kasen::optimizer::tests {

struct Simulated {
  std::vector<Numbers> results;        ///< by live_out: masters in global order, or the Shared
  std::vector<std::uint64_t> entered;  ///< by block
  Counts counts;                       ///< elements, bytes and messages; no buffers
  std::vector<std::string> defects;    ///< what the plan did that no plan may do
};

/// @param live_in true values of the program's live-ins; pre-reduced ones are split at random.
Simulated simulate(const Plan& plan, const ProgramBuilder& builder, const World& world,
                   const std::vector<Numbers>& live_in);

/// Plans the program, simulates the plan, and expects: the results of the interpreter, no defects, and counts that
/// equal the plan's own. Returns the plan.
Plan expect_right(const ProgramBuilder& builder, const World& world, const Options& options = {},
                  const Profile& profile = {});

/// The same of a plan that is there already.
void expect_right(const Plan& plan, const ProgramBuilder& builder, const World& world);

}  // namespace kasen::optimizer::tests
