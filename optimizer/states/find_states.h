/// @file
/// What a set of decisions means: the state every value is made in, and where it has to be gathered or scattered.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "optimizer/states/stated_program.h"
#include "optimizer/states/value_facts.h"

namespace kasen::optimizer {

struct FoundStates {
  std::vector<State> states;             ///< by ValueId, as made
  std::vector<Choice> choice;            ///< by ValueId of the statement's result
  std::set<ValueId> gathered;            ///< pre-reduced vectors that are read partitioned or consistent
  std::map<ValueId, RoleSet> scattered;  ///< vectors that are read consistent for these roles, and not made so
};

/// @param keep_consistent C,C -> C for all roles both have (eager, lazy), rather than for those that are read (hybrid).
/// @return nothing if the decisions contradict each other or Table 1.
std::optional<FoundStates> find_states(const Program& program, const ValueFacts& facts, const Decisions& decisions,
                                       bool keep_consistent, const PlacementStats& stats, const Options& options);

}  // namespace kasen::optimizer
