#include "optimizer/cost/time_model.h"

#include <algorithm>

#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

constexpr std::uint64_t kIterations = 16;              // what an inner loop counts
constexpr std::uint64_t kTeamPicoseconds = 1'000'000;  // waking threads, and waiting for the last one

/// What is at rest is looked at, not sent.
void time_sparse(Step& step, const PlacementStats& stats, const Profile& profile) {
  const Ticks sent = product_of(step.stream.bytes_sent - step.active.run.bytes_sent, byte_rates(profile).send);
  const Ticks byte = byte_rates(profile).send;
  step.active.run_picoseconds =
      step.picoseconds - std::min(step.picoseconds, picoseconds_per_worker(sent, stats.workers));
  step.active.element_picoseconds = step.active.element.bytes_sent * byte / kTicksPerPicosecond;
  step.active.entry_picoseconds = step.active.entry.bytes_sent * byte / kTicksPerPicosecond;
}

Ticks ticks_of(const Plan& plan, const Exchange& exchange, const Counts& counts, const PlacementStats& stats,
               const Profile& profile) {
  const std::uint64_t workers = stats.workers;
  // The counts of Shareds are by definition; what they cost is a reduction.
  const Ticks reduction = exchange.reductions.empty() ? 0 : ticks_of_reduction(workers, profile);
  const std::uint64_t bytes = bytes_of_vectors(exchange, counts, plan.values, workers);
  const std::uint64_t messages = messages_of_vectors(exchange, counts, workers);
  Ticks vectors = sum_of(ticks_of_messages(messages, profile), product_of(bytes, byte_rates(profile).send));
  vectors = sum_of(vectors, ticks_of_route(exchange.idle_pairs, exchange.to_neighbours ? messages : 0));
  for (const std::vector<Move>* moves : {&exchange.gathers, &exchange.scatters}) {
    for (const Move& move : *moves) {
      const Value& value = plan.values[index_of(move.from)];
      vectors = sum_of(vectors, ticks_of_packing(value, stats.of(value.space, move.roles).replicas, stats, profile));
    }
  }
  return sum_of(vectors, reduction);
}

void assign(Plan& plan, std::vector<Step>& steps, int depth, const PlacementStats& stats, const Profile& profile,
            std::uint32_t threads) {
  for (Step& step : steps) {
    const Ticks ticks = ticks_of(plan, step, stats, profile, threads);
    step.picoseconds = picoseconds_per_worker(ticks, stats.workers);
    const Ticks fresh = product_of(step.fresh_bytes, ticks_per_byte(profile.fresh_bytes_per_second));
    const bool sweeps = std::holds_alternative<Sweep>(step.what);
    const std::uint64_t shares = sweeps ? threads_of_sweep(plan, step, stats, profile, threads) : 1;
    step.fresh_picoseconds = picoseconds_per_worker(fresh / shares, stats.workers);
    if (const auto* sweep = std::get_if<Sweep>(&step.what); sweep && active_of(*sweep) != kNone<ValueId>) {
      // On one thread: how many there are changes nothing that is computed.
      const Ticks alone = ticks_of(plan, step, stats, profile);
      time_active(plan, step, picoseconds_per_worker(alone, stats.workers), stats, profile);
      if (finds_connected(*sweep)) step.settled.run_picoseconds /= shares;
    } else if (const auto* exchange = std::get_if<Exchange>(&step.what); exchange && exchange->sparse) {
      time_sparse(step, stats, profile);
    } else if (is_of_batch(step)) {  // of whatever batch
      step.active.run_picoseconds = step.picoseconds;
    } else if (sweep != nullptr && sweep->delta) {
      time_delta_update(plan, step, stats, profile);
    }
    Ticks& sum = depth > 0 ? plan.time.loops : plan.time.rest;
    sum = sum_of(sum, product_of(ticks, weight_at(depth)));
    if (auto* loop = std::get_if<Loop>(&step.what)) {
      assign(plan, loop->body, depth + 1, stats, profile, threads);
    } else if (auto* branch = std::get_if<Branch>(&step.what)) {
      assign(plan, branch->then, depth, stats, profile, threads);
      assign(plan, branch->otherwise, depth, stats, profile, threads);
    }
  }
}

}  // namespace

Ticks ticks_of(const Plan& plan, const Step& step, const PlacementStats& stats, const Profile& profile,
               std::uint32_t threads) {
  const Ticks entering = ticks_of_entering(stats.workers, profile);
  if (std::holds_alternative<Sweep>(step.what)) {
    const Ticks alone = time_of_sweep(plan, step, stats, profile).all();
    const std::uint64_t shares = threads_of_sweep(plan, step, stats, profile, threads);
    if (shares == 1) return alone;
    const Ticks waking = product_of(stats.workers, kTeamPicoseconds * kTicksPerPicosecond);
    return sum_of(entering, sum_of(waking, (alone - entering) / shares));
  }
  if (const auto* exchange = std::get_if<Exchange>(&step.what)) {
    return sum_of(entering, ticks_of(plan, *exchange, step.stream, stats, profile));
  }
  return std::holds_alternative<ScalarWork>(step.what) ? entering : 0;
}

std::uint64_t weight_at(int depth) {
  std::uint64_t weight = 1;
  for (int k = 1; k < depth; ++k) weight = product_of(weight, kIterations);
  return weight;
}

void assign_times(Plan& plan, const PlacementStats& stats, const Profile& profile, std::uint32_t threads) {
  plan.time = {};
  assign(plan, plan.steps, 0, stats, profile, threads);
}

}  // namespace kasen::optimizer
