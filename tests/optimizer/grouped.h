/// @file
/// Plans whose sweeps are given by a grouping, as a search would propose them.
#pragma once

#include <optional>

#include "kasen/base/profile.h"
#include "optimizer/states/stated_program.h"
#include "optimizer/sweeps/grow_sweeps.h"
#include "tests/optimizer/program_builder.h"
#include "tests/optimizer/world.h"

namespace kasen::optimizer::tests {

/// From states to a plan with costs and seconds, as the optimizer does it. Nothing if the grouping's sweeps wait for
/// each other. @param grouping null: sweeps grow greedily.
std::optional<Plan> lowered(const StatedProgram& stated, const PlacementStats& stats, const FusionOptions& fusion,
                            const Grouping* grouping, const Profile& profile = {});

/// The program after all rewrites, in states, and plans of it.
class GroupedPlans {
 public:
  /// @param drop_empty transitions for roles without replicas are left out: their readers read what they would move.
  GroupedPlans(const ProgramBuilder& builder, const World& world, bool drop_empty, const Options& options = {});

  const StatedProgram& stated() const { return _stated; }
  /// Nothing if sweeps of the grouping wait for each other.
  std::optional<Plan> plan(const Grouping& grouping, const FusionOptions& fusion = {}) const;
  /// Every statement in a sweep of its own.
  Grouping apart() const;
  /// All that computes in one sweep, block by block.
  Grouping together() const;

 private:
  void drop_empty_transitions();

  PlacementStats _stats;
  StatedProgram _stated;
};

}  // namespace kasen::optimizer::tests
