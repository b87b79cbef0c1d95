/// @file
/// Exchanges that are under way while other steps run: which ones, up to where, and for what time. The simulator lets
/// vectors arrive when an exchange ends, and has garbage in their places until then.
#include <gtest/gtest.h>

#include "optimizer/cost/time_model.h"
#include "optimizer/optimize.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/text/print.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

using Values = ProgramBuilder::Values;
using Kind = UnderWay::Kind;

/// x = mix(M x) again and again, with a sum beside, as in PageRank.
ProgramBuilder iterated_product() {
  ProgramBuilder b;
  const ValueId x = b.live_in(kSpace0), total = b.live_shared();
  const Values result = b.repeat(3, {x, total}, [&](const Values& in) {
    const ValueId next = b.element(mix(), {b.mxv(0, in[0], kSpace0)});
    return Values{next, b.reduce(kPlus, next)};
  });
  b.live_out(result[0]);
  b.live_out(result[1]);
  return b;
}

World blocked_world(std::uint32_t workers) {
  World world = small_world(workers);
  world.block_edge = 7;
  return world;
}

Options in_blocks(Overlap overlap) {
  Options options;
  options.overlap = overlap;
  options.storage = Storage::blocked;
  return options;
}

/// The kinds of steps that name an overlapped exchange of gathers, or of scatters, in the order of the plan.
std::vector<Kind> kinds(const Plan& plan, bool gather) {
  std::vector<Kind> found;
  for (const Exchange* exchange : all<Exchange>(plan)) {
    if (exchange->overlapped == kNotOverlapped || exchange->gathers.empty() == gather) continue;
    for_each_step(plan.steps, [&](const Step& step) {
      for (const UnderWay& one : step.under_way) {
        if (one.exchange == exchange->overlapped) found.push_back(one.kind);
      }
    });
  }
  return found;
}

std::size_t overlapped(const Plan& plan) {
  std::size_t count = 0;
  for (const Exchange* exchange : all<Exchange>(plan)) count += exchange->overlapped != kNotOverlapped ? 1 : 0;
  return count;
}

TEST(Overlap, EndsAScatterInTheProductThatReadsItRoundTheBackEdge) {
  for (const std::uint32_t workers : {2u, 3u, 5u}) {
    const Plan plan = expect_right(iterated_product(), blocked_world(workers), in_blocks(Overlap::on));
    const std::vector<Kind> scatter = kinds(plan, false);
    EXPECT_EQ(std::count(scatter.begin(), scatter.end(), Kind::ends), 2)
        << "that before the loop and that of the iteration before\n"
        << print_steps(plan);
  }
}

TEST(Overlap, BeginsAGatherInTheProductThatMakesIt) {
  for (const std::uint32_t workers : {2u, 3u, 5u}) {
    const Plan plan = expect_right(iterated_product(), blocked_world(workers), in_blocks(Overlap::on));
    const std::vector<Kind> gather = kinds(plan, true);
    EXPECT_EQ(std::count(gather.begin(), gather.end(), Kind::begins), 1) << print_steps(plan);
  }
}

TEST(Overlap, IsPrinted) {
  const Plan plan = expect_right(iterated_product(), blocked_world(3), in_blocks(Overlap::on));
  EXPECT_EQ(print_steps(plan), R"(scalar: zero  -> v1
scalar: below v1 -> v2
exchange: 0 gathered, 1 scattered, 0 reduced
  scatter v4:P -> v3:C{row 0}
  overlapped, as exchange 0
while v9, carrying v6 v7 v8 v9 from v3 v5 v1 v2
  next v10 v11 v12 v13
  then v14 v15 v16 v17
  sweep over matrix 0 in blocks: 1 operation, 1 in, 1 out
    mxv v6:C{row 0} -> v18:PR(plus){col 0}, rule 6
    exchange 0 ends after the blocks of masters
    exchange 1 begins after the blocks of replicas
    exchange 2 ends after the blocks of masters
  scalar: next v8 -> v12
  scalar: below v12 -> v13
  exchange: 1 gathered, 0 scattered, 0 reduced
    gather v18:PR(plus){col 0} -> v19:P
    overlapped, as exchange 1
  sweep over elements of space 0: 2 operations, 1 in, 1 out
    mix v19:P -> v20:P, over v19, rule 8
    reduce v20:P -> v21:PR(plus), rule 4
  exchange: 0 gathered, 1 scattered, 1 reduced
    scatter v20:P -> v10:C{row 0}
    reduce v21:PR(plus) -> v11:C
    overlapped, as exchange 2
)");
}

TEST(Overlap, LetsElementWorkOnMastersPass) {
  ProgramBuilder b;
  const ValueId x = b.live_in(kSpace0), y = b.live_in(kSpace1);
  const ValueId seen = b.element(mix(), {x});
  b.live_out(b.element(scale_by_shared(), {y}, {b.reduce(kPlus, seen)}));  // waits for the Shared, not for the vector
  b.live_out(b.mxv(0, seen, kSpace0));
  const Plan plan = expect_right(b, blocked_world(3), in_blocks(Overlap::on));
  EXPECT_EQ(kinds(plan, false), (std::vector<Kind>{Kind::stays, Kind::ends})) << print_steps(plan);
}

TEST(Overlap, IsNothingOnOneWorkerNorWhereItIsOff) {
  EXPECT_EQ(overlapped(expect_right(iterated_product(), blocked_world(1), in_blocks(Overlap::on))), 0u);
  EXPECT_EQ(overlapped(expect_right(iterated_product(), blocked_world(3), in_blocks(Overlap::off))), 0u);
}

TEST(Overlap, LeavesCompressedMatricesAlone) {
  Options options = in_blocks(Overlap::on);
  options.storage = Storage::compressed;
  EXPECT_EQ(overlapped(expect_right(iterated_product(), blocked_world(3), options)), 0u);
}

TEST(Overlap, IsTheSameForAnyNumberOfThreads) {
  Options options = in_blocks(Overlap::on);
  const std::string one = print_steps(expect_right(iterated_product(), blocked_world(3), options));
  options.threads = 2;
  EXPECT_EQ(print_steps(expect_right(iterated_product(), blocked_world(3), options)), one);
}

/// What is predicted to be saved is what is hidden, and times have it subtracted.
TEST(Overlap, IsChosenByPredictedTime) {
  const World world = blocked_world(3);
  const auto plan_with = [&](std::uint64_t network_bytes_per_second, Overlap overlap) {
    Profile profile;
    profile.network_bytes_per_second = network_bytes_per_second;
    profile.message_picoseconds = 0;
    profile.row_picoseconds = 0;
    profile.step_picoseconds = 0;
    for (std::uint64_t& access : profile.random_access_picoseconds) access = 1'000'000;  // so that products take time
    return expect_right(iterated_product(), world, in_blocks(overlap), profile);
  };
  constexpr std::uint64_t kSlow = 10'000'000, kFast = 100'000'000'000;
  EXPECT_EQ(overlapped(plan_with(kFast, Overlap::automatic)), 0u) << "it would save nothing";
  const Plan slow = plan_with(kSlow, Overlap::automatic), apart = plan_with(kSlow, Overlap::off);
  EXPECT_GT(overlapped(slow), 0u);
  EXPECT_LT(slow.time.loops, apart.time.loops);
  EXPECT_NE(slow.fingerprint, apart.fingerprint);

  std::vector<std::uint64_t> with, without;
  std::uint64_t hidden = 0;
  for_each_step(slow.steps, [&](const Step& step) {
    with.push_back(step.picoseconds);
    const auto* exchange = std::get_if<Exchange>(&step.what);
    if (exchange != nullptr) hidden += exchange->hidden_picoseconds;
  });
  for_each_step(apart.steps, [&](const Step& step) { without.push_back(step.picoseconds); });
  ASSERT_EQ(with.size(), without.size());
  std::uint64_t saved = 0;
  for (std::size_t k = 0; k < with.size(); ++k) saved += without[k] - with[k];
  EXPECT_EQ(saved, hidden);
  EXPECT_GT(hidden, 0u);
}

/// A plan that lets a step run for which vectors have to be there is found out.
TEST(Overlap, IsRefusedBySimulationWhereItEndsTooLate) {
  const ProgramBuilder b = iterated_product();
  const World world = blocked_world(3);
  Plan plan = optimize(b.program, world.stats(), in_blocks(Overlap::on), {});
  std::size_t changed = 0;
  for_each_step(plan.steps, [&](Step& step) {
    for (UnderWay& one : step.under_way) {
      if (one.kind != Kind::ends) continue;
      one.kind = Kind::stays;
      ++changed;
    }
  });
  ASSERT_GT(changed, 0u);
  const std::vector<Numbers> live_in{Numbers(40, 3), {5}};
  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> matrices;
  for (const World::Matrix& matrix : world.matrices) matrices.push_back(matrix.entries);
  EXPECT_NE(simulate(plan, b, world, live_in).results, interpret(b, live_in, world.lengths, matrices));
}

}  // namespace
}  // namespace kasen::optimizer::tests
