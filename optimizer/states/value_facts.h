/// @file
/// Facts about the values of a program that hold whatever is decided about their storage states.
#pragma once

#include <vector>

#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "kasen/base/program.h"

namespace kasen::optimizer {

struct ValueFacts {
  /// Roles for which a value's replicas could be read: those of the MxVs that it reaches through element work, branches
  /// and back edges.
  std::vector<RoleSet> demand;
  /// Further roles for which a value could be needed, to be combined with a pre-reduced vector (rule 14).
  std::vector<RoleSet> beside;
  /// Whether it could spare a gather as a partial result: work on it can lead to a reduction or out of the program.
  std::vector<char> worth_partial;
  /// For the result of an mxv or mxvt, the roles whose replicas hold partial results.
  std::vector<RoleSet> partials;
  /// Number of blocks of statements around the definition: 0 for the top.
  std::vector<int> depth;
  /// Number of loops around it.
  std::vector<int> loops;
};
ValueFacts find_facts(const Program& program, const PlacementStats& stats, const Options& options);

/// All roles of a space if transitions move all replicas (`--roles off`) or its roles are not told apart; else `roles`.
RoleSet widened(const RoleSet& roles, SpaceId space, const PlacementStats& stats, const Options& options);

}  // namespace kasen::optimizer
