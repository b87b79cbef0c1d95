#include "optimizer/sweeps/choose_blocked.h"

#include <algorithm>

#include "optimizer/cost/formulas.h"
#include "optimizer/cost/time_model.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {

bool may_be_blocked(const Sweep& sweep, const PlacementStats& stats) {
  if (sweep.matrix == kNone<MatrixId>) return false;
  const bool only_pulls = std::all_of(sweep.launches.begin(), sweep.launches.end(),
                                      [](const Launch& launch) { return is_matrix_op(launch.op) && !launch.push; });
  return only_pulls && stats.matrices.at(index_of(sweep.matrix)).blocks(walked_side(sweep.launches.front())).counted;
}

void walk_in_blocks(Sweep& sweep) {
  sweep.blocked = true;
  for (Launch& launch : sweep.launches) launch.filled_roles = launch.roles;
}

void choose_blocked(Plan& plan, const PlacementStats& stats, Storage storage, const Profile& profile) {
  if (storage == Storage::compressed) return;
  for_each_step(plan.steps, [&](Step& step) {
    auto* sweep = std::get_if<Sweep>(&step.what);
    if (sweep == nullptr || !may_be_blocked(*sweep, stats)) return;
    const auto time = [&](const Step& of) {
      Step counted = of;
      counted.stream = evaluate(formulas_of(plan, counted, stats, Column::stream), stats);
      return time_of_sweep(plan, counted, stats, profile).all();
    };
    Step blocked = step;
    walk_in_blocks(std::get<Sweep>(blocked.what));
    if (storage == Storage::blocked || time(blocked) < time(step)) *sweep = std::get<Sweep>(std::move(blocked.what));
  });
}

}  // namespace kasen::optimizer
