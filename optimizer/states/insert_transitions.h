/// @file
/// Insertion of gathers and scatters into a program, as statements, where decisions about storage states need them.
#pragma once

#include <optional>

#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "optimizer/states/stated_program.h"
#include "optimizer/states/value_facts.h"

namespace kasen::optimizer {

/// Inserts the transitions that the decisions imply, each in the block that defines its operand.
/// @param keep_consistent C,C -> C holds for all roles both have (eager, lazy), not just for those read (hybrid).
/// @return nothing if the decisions contradict each other or Table 1.
std::optional<StatedProgram> insert_transitions(const Program& program, const ValueFacts& facts,
                                                const Decisions& decisions, bool keep_consistent,
                                                const PlacementStats& stats, const Options& options);

}  // namespace kasen::optimizer
