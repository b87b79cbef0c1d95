/// @file
/// The storage states that follow from decisions: how every value is made, and where it is gathered or scattered.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "optimizer/states/stated_program.h"
#include "optimizer/states/value_facts.h"

namespace kasen::optimizer {

struct FoundStates {               // what follows from decisions
  std::vector<State> states;       ///< by ValueId: in which the value is made
  std::vector<RuleChoice> choice;  ///< by ValueId of the statement's result
  std::set<ValueId> gathered;      ///< pre-reduced vectors that are read partitioned or consistent
  std::map<ValueId, RoleSet>
      scattered;  ///< vectors that are read consistent for these roles (one or more), not made so
};

/// @param keep_consistent C,C -> C holds for all roles both have (eager, lazy), not just for those read (hybrid).
/// @return nothing if the decisions contradict each other or Table 1.
std::optional<FoundStates> find_states(const Program& program, const ValueFacts& facts, const Decisions& decisions,
                                       bool keep_consistent, const PlacementStats& stats, const Options& options);

}  // namespace kasen::optimizer
