/// @file
/// The exact search (`--fusion exact`) for the sweeps of a program in states with the least predicted time.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "kasen/base/placement_stats.h"
#include "kasen/base/profile.h"
#include "optimizer/plan/plan.h"
#include "optimizer/search/component_search.h"
#include "optimizer/states/stated_program.h"
#include "optimizer/sweeps/grow_sweeps.h"

namespace kasen::optimizer {

class FusionSearch {
 public:
  /// Makes a whole plan, with its time; nothing if the grouping cannot be executed.
  using Lower = std::function<std::optional<Plan>(const StatedProgram&, const Grouping&)>;

  /// @param best the time of a plan that is known; only faster ones are looked for.
  /// All arguments by reference have to outlive the search.
  FusionSearch(const PlacementStats& stats, const FusionOptions& options, const Profile& profile, Lower lower,
               PlanTime best, std::uint64_t budget);

  /// The fastest plan of the program in these states, if it is faster than all plans found before: among those without
  /// mixed sweeps first, then, where there could be such sweeps, among all.
  /// @param limit how much of the budget this program may use. What it cuts off makes complete() false.
  std::optional<Plan> improve(const StatedProgram& stated, std::uint64_t limit);

  /// What the best plan found was made of; null if none was.
  struct Winner {
    StatedProgram stated;
    Grouping grouping;
  };
  const Winner* winner() const { return _winner ? &*_winner : nullptr; }

  bool complete() const { return _complete; }  ///< whether nothing was cut off
  void start_over() {
    _complete = true;
    _most_plans = plans();
    _plans = 0;
  }
  bool exhausted() const { return _budget.costed + _budget.skipped >= _whole_budget; }
  const SearchBudget& budget() const { return _budget; }
  /// How many there are in the spaces searched since start_over(), or before it if these were more.
  double plans() const { return std::max(_plans, _most_plans); }

 private:
  struct Problem;
  void search_points(const StatedProgram& stated, const std::vector<ValueId>& points, bool mixed);
  void search(const StatedProgram& stated, const std::set<ValueId>& recomputed, bool mixed);
  PlanTime bound_of(const Problem& problem, std::size_t components_fixed, const PlanTime& fixed) const;
  void choose(Problem& problem, std::size_t component, const PlanTime& fixed);
  void consider(const Problem& problem);

  const PlacementStats& _stats;
  const FusionOptions& _options;
  const Profile& _profile;
  const Lower _lower;
  PlanTime _best;
  std::optional<Plan> _found;
  std::optional<Winner> _winner;
  SearchBudget _budget;
  const std::uint64_t _whole_budget;
  bool _complete = true;
  double _plans = 0, _most_plans = 0;
};

}  // namespace kasen::optimizer
