/// @file
/// Calls by which vectors travel: messages to neighbours where many pairs of workers have nothing for each other.
#include <gtest/gtest.h>

#include "optimizer/cost/time_model.h"
#include "optimizer/optimize.h"
#include "optimizer/text/print.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/program_builder.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

/// A product and a sum: a scatter, a gather, and an exchange of a Shared alone.
ProgramBuilder product_and_sum() {
  ProgramBuilder b;
  const ValueId y = b.element(mix(), {b.mxv(0, b.live_in(kSpace0), kSpace0)});
  b.live_out(y);
  b.live_out(b.reduce(kPlus, y));
  return b;
}

/// Statistics of as many workers, each of which replicates `each` elements of each of the next `neighbours` workers.
PlacementStats stats_of(std::uint32_t workers, std::uint32_t neighbours, std::uint64_t each) {
  PlacementStats stats = small_world(2).stats();
  stats.workers = workers;
  for (PlacementStats::Space& space : stats.spaces) {
    space.masters = 1000ull * workers;
    space.replicas = each * neighbours * workers;
    for (PlacementStats::Roles& roles : space.roles) {
      roles.replicas = space.replicas;
      roles.pairs = WorkerPairs::nearest(workers, std::uint64_t{workers} * neighbours);
    }
  }
  return stats;
}

Plan planned(const PlacementStats& stats, Routes routes) {
  Options options;
  options.routes = routes;
  options.overlap = Overlap::off;
  return optimize(product_and_sum().program, stats, options, Profile());
}

/// How many exchanges that move vectors send them to neighbours alone, and how many do not.
std::pair<int, int> routes_of(const Plan& plan) {
  std::pair<int, int> found;
  for (const Exchange* exchange : all<Exchange>(plan)) {
    if (exchange->gathers.empty() && exchange->scatters.empty()) {
      EXPECT_FALSE(exchange->to_neighbours) << "there are no vectors";
      EXPECT_EQ(exchange->idle_pairs, 0u);
    } else {
      ++(exchange->to_neighbours ? found.first : found.second);
    }
  }
  return found;
}

TEST(Routes, GoToNeighboursWhereMostWorkersHaveNothingForEachOther) {
  EXPECT_EQ(routes_of(planned(stats_of(64, 2, 10), Routes::automatic)), std::pair(2, 0));
  EXPECT_EQ(routes_of(planned(stats_of(64, 63, 10), Routes::automatic)), std::pair(0, 2)) << "all are neighbours";
  EXPECT_EQ(routes_of(planned(stats_of(64, 2, 10'000'000), Routes::automatic)), std::pair(0, 2)) << "bytes take longer";
  EXPECT_EQ(routes_of(planned(stats_of(2, 1, 10), Routes::automatic)), std::pair(0, 2));
}

TEST(Routes, AreAsTheOptionSays) {
  EXPECT_EQ(routes_of(planned(stats_of(64, 63, 10), Routes::neighbours)), std::pair(2, 0));
  EXPECT_EQ(routes_of(planned(stats_of(64, 2, 10), Routes::all_to_all)), std::pair(0, 2));
}

/// 61 pairs for each of 64 workers, a tenth of a microsecond each; or two messages, a fifth.
TEST(Routes, IdlePairsTakeTime) {
  const Plan all_to_all = planned(stats_of(64, 2, 10), Routes::all_to_all);
  const Plan neighbours = planned(stats_of(64, 2, 10), Routes::neighbours);
  for (const Exchange* exchange : all<Exchange>(all_to_all)) {
    const bool moves = !exchange->gathers.empty() || !exchange->scatters.empty();
    EXPECT_EQ(exchange->idle_pairs, moves ? 64u * 61u : 0u);
  }
  const auto microseconds = [](const Plan& plan) {
    return static_cast<double>(picoseconds_per_worker(plan.time.rest, 64)) / 1e6;
  };
  EXPECT_NEAR(microseconds(all_to_all) - microseconds(neighbours), 2 * (61 * 0.1 - 2 * 0.2), 0.01);
  EXPECT_NE(all_to_all.fingerprint, neighbours.fingerprint);
}

/// What a plan costs for other workers does not depend on which it was made for.
TEST(Routes, OfOtherWorkersAreTheirOwn) {
  Options options;
  options.routes = Routes::all_to_all;
  options.overlap = Overlap::off;
  const Program program = product_and_sum().program;
  const Plan plan = planned(stats_of(64, 2, 10), Routes::all_to_all);
  for (const PlacementStats& stats : {stats_of(1, 0, 10), stats_of(16, 2, 10), stats_of(16, 15, 10)}) {
    const Plan made = planned(stats, Routes::all_to_all), costed = costed_for(plan, program, stats, options, Profile());
    EXPECT_EQ(costed.time.rest, made.time.rest) << stats.workers;
    for (const Exchange* exchange : all<Exchange>(costed))
      EXPECT_LT(exchange->idle_pairs, stats.workers * stats.workers);
  }
  const Plan neighbours = planned(stats_of(64, 2, 10), Routes::neighbours);
  options.routes = Routes::automatic;
  const Plan costed = costed_for(neighbours, program, stats_of(2, 1, 10), options, Profile());
  EXPECT_EQ(routes_of(costed), std::pair(0, 2));
  EXPECT_EQ(costed.time.rest, planned(stats_of(2, 1, 10), Routes::automatic).time.rest);
}

TEST(Routes, ArePrinted) {
  const std::string text = print_steps(planned(stats_of(64, 2, 10), Routes::automatic));
  EXPECT_NE(text.find("  to neighbours alone\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace kasen::optimizer::tests
