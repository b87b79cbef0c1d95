/// @file
/// The analysis of a program for kasen-analyze and --analyze: costs of every step and of every block of statements,
/// before and after optimization, in symbols and numbers, and the placements of transitions that were rejected.
#pragma once

#include <string>
#include <vector>

#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "kasen/base/profile.h"
#include "kasen/base/program.h"
#include "optimizer/analysis/alternatives.h"
#include "optimizer/cost/formulas.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// Both columns of costs, of one entry into a step or block.
struct Cost {
  StepFormulas model, stream;
  Cost& operator+=(const Cost& other);
};

struct StepReport {
  std::string kind;  ///< sweep, exchange, scalar, loop, branch
  std::string headline;
  std::vector<std::string> details;
  Cost cost;                      ///< zero of a loop or branch, whose blocks are reported by themselves
  StepFormulas active;            ///< of a run that pushes active elements instead, in A and E; zero if it never does
  StepFormulas delta;             ///< of a run in a delta iteration, in A and E; zero outside of delta loops
  StepFormulas settled;           ///< beside these, of A elements that the product goes on from; zero if it does not
  StepFormulas batch;             ///< of a run over a batch, in its E non-zeros; zero if it is over none
  std::uint64_t whole_from = 0;   ///< from so many non-zeros of active elements on it does not push them
  std::uint64_t picoseconds = 0;  ///< predicted, of one entry on one worker
  std::uint64_t fresh_picoseconds = 0;  ///< what the first one takes more, as the system has to clear memory for it
  bool connects = false;                ///< of a product that goes on by what its matrix connects, and never walks it
};

/// The top of a program, the body of a loop, or a side of a branch.
struct BlockReport {
  std::string name;   ///< "top", "loop 1", "loop 1, branch 1, then"
  bool loop = false;  ///< one entry is one iteration
  std::vector<StepReport> steps;
  Cost sum;  ///< of its own steps, each entered once
  std::uint64_t picoseconds = 0;
};

struct PlanReport {
  Options options;
  Plan plan;
  std::vector<BlockReport> blocks;  ///< enclosing ones first
  std::vector<std::string> buffers;
  Formula model_buffers, stream_buffers;  ///< bytes
};

/// A free decision in words.
struct DecisionReport {
  struct Option {
    std::string text;
    bool chosen = false;
    std::optional<PlanCost> cost;
    std::vector<std::string> transitions;
  };
  std::string about;
  std::vector<Option> options;
};

struct Analysis {
  PlacementStats stats;
  std::string profile;  ///< where the profile comes from
  PlanReport before;    ///< planned with --fusion off --sync lazy, other options alike
  PlanReport after;
  std::vector<std::string> transitions;   ///< those of the plan `after`
  std::vector<DecisionReport> decisions;  ///< those behind the plan `after`
  std::size_t plans = 0;                  ///< how many were costed to find the plan `after`
};

/// Plans the program twice and reports both plans. Local. @throws UsageError, InternalError as optimize()
Analysis analyze(const Program& program, const PlacementStats& stats, const Options& options,
                 const Profile& profile = {});

/// The analysis as text for people.
std::string analysis_text(const Analysis& analysis);

}  // namespace kasen::optimizer
