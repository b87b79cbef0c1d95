#include "optimizer/sweeps/routes.h"

#include "optimizer/cost/time_model.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {

void choose_routes(Plan& plan, const PlacementStats& stats, const Profile& profile, Routes routes) {
  const std::uint64_t workers = stats.workers;
  for_each_step(plan.steps, [&](Step& step) {
    auto* const exchange = std::get_if<Exchange>(&step.what);
    if (exchange == nullptr || exchange->sparse) return;
    exchange->to_neighbours = false;
    exchange->idle_pairs = 0;
    const std::uint64_t messages = messages_of_vectors(*exchange, step.stream, workers);
    if (messages == 0) return;
    const std::uint64_t idle = workers * (workers - 1) - messages;
    const Ticks all_to_all = ticks_of_route(idle, 0), to_neighbours = ticks_of_route(0, messages);
    const Ticks least = sum_of(ticks_of(plan, step, stats, profile), all_to_all) / kWorthwhile;
    exchange->to_neighbours =
        routes == Routes::neighbours || (routes == Routes::automatic && all_to_all >= sum_of(to_neighbours, least));
    if (!exchange->to_neighbours) exchange->idle_pairs = idle;
  });
}

}  // namespace kasen::optimizer
