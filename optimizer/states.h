/// @file
/// In which storage state every value is made and read: what the placement of transitions decides, and what follows
/// from a decision.
#pragma once

#include <optional>
#include <vector>

#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "kasen/base/program.h"
#include "optimizer/plan.h"
#include "optimizer/rules.h"

namespace kasen::optimizer {

/// The free decisions, by ValueId: the rule each element and reduce statement runs by (at its result), and the state
/// of sources, loop arguments and results of branches.
struct Decisions {
  std::vector<Choice> choice;
  std::vector<State::Kind> kind;
};

/// A program with its transitions as statements, and the state of every value.
struct StatedProgram {
  Program program;
  std::vector<State> states;
  std::vector<Choice> choice;  ///< by ValueId of the statement's result
  std::vector<Result> results;
};

/// Facts about a program's values that do not depend on decisions.
struct ValueFacts {
  /// Roles a value's replicas could be read for: those of the MxVs it reaches through element work, branches and
  /// back edges.
  std::vector<RoleSet> demand;
  /// Roles a value could be asked for besides, to stand beside a pre-reduced vector (rule 14).
  std::vector<RoleSet> beside;
  /// As a partial result it could spare a gather: work on it can lead to a reduction by rule 5 or out of the program.
  std::vector<char> worth_partial;
  /// Of an mxv's or mxvt's result: the roles whose replicas hold partial results.
  std::vector<RoleSet> partials;
  /// Number of blocks around the definition: 0 for the top.
  std::vector<int> depth;
};
ValueFacts find_facts(const Program& program, const PlacementStats& stats, const Options& options);

/// All roles of a space if transitions move all replicas (`--roles off`) or its roles are not told apart; else `roles`.
RoleSet widened(const RoleSet& roles, SpaceId space, const PlacementStats& stats, const Options& options);

/// The decisions of `--sync eager` (pre-reduced vectors are made consistent right after their producer) or `lazy`
/// (where no rule of Table 1 fits any more), both keeping C as C, given the states of loop arguments and branch
/// results.
Decisions follow_policy(const Program& program, const ValueFacts& facts, Decisions decisions, bool lazy);

/// Inserts the transitions that the decisions imply, each in the block that defines its operand.
/// @param keep_consistent C,C -> C for all roles both have (eager, lazy), rather than for those that are read (hybrid).
/// @return nothing if the decisions contradict each other or Table 1.
std::optional<StatedProgram> insert_transitions(const Program& program, const ValueFacts& facts,
                                                const Decisions& decisions, bool keep_consistent,
                                                const PlacementStats& stats, const Options& options);

}  // namespace kasen::optimizer
