/// @file
/// Exchanges that send only what is not at an identity: which they are, and what they cost at most.
#include <gtest/gtest.h>

#include "kasen/base/program_tools.h"
#include "optimizer/cost/formulas.h"
#include "optimizer/optimize.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/text/explain.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

using Values = ProgramBuilder::Values;

/// A search: what is new goes on. Its vector is a frontier if the product's function keeps the identity.
ProgramBuilder search(bool keeps_identity) {
  ProgramBuilder b;
  b.know_extrema();
  const Function news{"news", [](const Numbers& in, const Numbers&) { return in[0] > in[1] ? in[0] : 0; }, {}};
  const Values result = b.repeat(4, {b.live_in(kSpace0), b.live_in(kSpace0)}, [&](const Values& in) {
    const ValueId product = b.mxv(0, in[1], kSpace0, kMax);
    return Values{b.element(larger(), {in[0], product}), b.element(news, {product, in[0]})};
  });
  b.live_out(result[0]);
  for_each_block(b.program.top, [&](Block& block) {
    for (Statement& statement : block.statements) statement.keeps_identity = keeps_identity && statement.op == Op::mxv;
  });
  return b;
}

/// Labels of which the largest spreads.
ProgramBuilder spreading() {
  ProgramBuilder b;
  b.know_extrema();
  const Values result = b.repeat(4, {b.live_in(kSpace0)}, [&](const Values& in) {
    return Values{b.element(larger(), {in[0], b.mxv(0, in[0], kSpace0, kMax)})};
  });
  b.live_out(result[0]);
  return b;
}

Plan planned(const ProgramBuilder& b, std::uint32_t workers, const Options& options = {}) {
  return optimize(b.program, small_world(workers).stats(), options, Profile());
}

/// Of sparse exchanges: how many gathers and scatters.
std::pair<std::size_t, std::size_t> sparse_moves(const Plan& plan) {
  std::pair<std::size_t, std::size_t> found;
  for (const Exchange* exchange : all<Exchange>(plan)) {
    if (!exchange->sparse) continue;
    EXPECT_TRUE(exchange->to_neighbours);
    EXPECT_EQ(exchange->idle_pairs, 0u);
    found.first += exchange->gathers.size();
    found.second += exchange->scatters.size();
  }
  return found;
}

TEST(SparseExchanges, AreThoseOfSearches) {
  const auto [gathers, scatters] = sparse_moves(planned(search(true), 3));
  EXPECT_GT(gathers, 0u);
  EXPECT_EQ(scatters, 2u) << "a frontier, and which of its elements are active";
  EXPECT_EQ(sparse_moves(planned(search(false), 3)), std::pair(std::size_t{0}, std::size_t{0}));
  EXPECT_EQ(sparse_moves(planned(search(true), 1)), std::pair(std::size_t{0}, std::size_t{0}));
}

TEST(SparseExchanges, SendWhatGrowsAsAWhole) {
  const auto [gathers, scatters] = sparse_moves(planned(spreading(), 3));
  EXPECT_GT(gathers, 0u);
  EXPECT_EQ(scatters, 0u);
}

TEST(SparseExchanges, NeedMessagesOfTheirOwn) {
  Options options;
  options.routes = Routes::all_to_all;
  EXPECT_EQ(sparse_moves(planned(search(true), 3, options)), std::pair(std::size_t{0}, std::size_t{0}));
  options.routes = Routes::automatic;
  options.passes_off = {"sparse-exchanges"};
  EXPECT_EQ(sparse_moves(planned(search(true), 3, options)), std::pair(std::size_t{0}, std::size_t{0}));
}

TEST(SparseExchanges, CostWhatTheySendAndWhatSaysWhich) {
  const PlacementStats stats = small_world(3).stats();
  const Plan plan = planned(search(true), 3);
  for_each_step(plan.steps, [&](const Step& step) {
    const auto* exchange = std::get_if<Exchange>(&step.what);
    if (exchange == nullptr || !exchange->sparse) return;
    const StepFormulas formulas = active_formulas_of(plan, step, stats);
    EXPECT_EQ(formulas.bytes_sent.text(stats).substr(0, 6), "8A + E");
    EXPECT_EQ(step.active.run.messages, step.stream.messages);
    EXPECT_EQ(step.active.element.bytes_sent, 8u);
    EXPECT_EQ(step.active.entry.bytes_sent, 1u);
    EXPECT_LT(step.active.run.bytes_sent, step.stream.bytes_sent);
  });
  EXPECT_NE(explain(plan, stats).find("only what is not at the identity"), std::string::npos);
}

}  // namespace
}  // namespace kasen::optimizer::tests
