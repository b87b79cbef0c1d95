/// @file
/// Facts about the values of a program that hold whatever is decided about their states.
#pragma once

#include <vector>

#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "kasen/base/program.h"

namespace kasen::optimizer {

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

}  // namespace kasen::optimizer
