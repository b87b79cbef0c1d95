/// @file
/// Predicted times, by hand and against what was measured.
#include "optimizer/cost/time_model.h"

#include <gtest/gtest.h>

#include "optimizer/cost/formulas.h"
#include "optimizer/optimize.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/program_builder.h"
#include "tests/optimizer/world.h"

namespace kasen::optimizer::tests {
namespace {

/// One worker, one square matrix without values.
PlacementStats square(std::uint64_t length, std::uint64_t nonzeros) {
  PlacementStats stats;
  PlacementStats::Space space{"space", length, 0, true, {}};
  for (const RoleSet& roles : {RoleSet{row_role(0)}, RoleSet{column_role(0)}, RoleSet{row_role(0), column_role(0)}}) {
    space.roles.push_back({roles, 0, true, {0}});
  }
  stats.spaces = {space};
  stats.matrices = {{kSpace0, kSpace0, nonzeros, 0, 1}};
  return stats;
}

/// Two products of one matrix; joined or apart.
Plan two_products(const PlacementStats& stats, bool joined) {
  ProgramBuilder b;
  const ValueId x = b.live_in(kSpace0), y = b.live_in(kSpace0);
  b.live_out(x);
  b.live_out(y);
  b.live_out(b.mxv(0, x, kSpace0));
  b.live_out(b.mxv(0, y, kSpace0));
  Options options;
  if (!joined) options.passes_off = {"join-mxv"};
  return optimize(b.program, stats, options);
}

TEST(RandomAccess, CostsWhatTheLevelsItIsSpreadOverCost) {
  const Profile profile;
  EXPECT_EQ(random_access_picoseconds(0, profile), profile.random_access_picoseconds[0]);
  EXPECT_EQ(random_access_picoseconds(16u << 10, profile), profile.random_access_picoseconds[0]);
  EXPECT_EQ(random_access_picoseconds(32u << 10, profile),
            (profile.random_access_picoseconds[0] + profile.random_access_picoseconds[1]) / 2);
  EXPECT_GT(random_access_picoseconds(16u << 20, profile), 3'900u);
  EXPECT_LT(random_access_picoseconds(16u << 20, profile), 4'000u);
  std::uint64_t before = 0;
  for (std::uint64_t bytes = 1; bytes < std::uint64_t{1} << 40; bytes *= 2) {
    EXPECT_GE(random_access_picoseconds(bytes, profile), before);
    before = random_access_picoseconds(bytes, profile);
  }
  EXPECT_LE(before, profile.random_access_picoseconds[3]);
}

// Measured on R-MAT graphs with 16 edges per vertex: joined takes 1.3 of apart at scale 20, 0.64 at scale 14.
TEST(MatrixSweeps, AreFasterApartWhereTheirVectorsDoNotFitTheCacheTogether) {
  const PlacementStats large = square(1u << 20, 16u << 20), small = square(1u << 14, 16u << 14);
  const auto time = [](const PlacementStats& stats, bool joined) { return two_products(stats, joined).time.rest; };
  EXPECT_GT(time(large, true), time(large, false) * 12 / 10);
  EXPECT_LT(time(large, true), time(large, false) * 2);
  EXPECT_LT(time(small, true), time(small, false) * 9 / 10);
}

/// Nothing is reached at random: a dense product takes its bytes, of the matrix and once of its vectors, or its
/// arithmetic.
TEST(MatrixSweeps, OfDenseMatricesTakeTheirTraffic) {
  PlacementStats stats = square(2000, 4'000'000);
  stats.matrices[0].value_bytes = 8;
  stats.matrices[0].dense = true;
  ProgramBuilder b;
  b.live_out(b.mxv(0, b.live_in(kSpace0), kSpace0));
  Profile profile;
  profile.launch_picoseconds = profile.flop_picoseconds = 0;
  const Plan plan = optimize(b.program, stats, Options{}, profile);
  const ByteRates rates = byte_rates(profile);
  EXPECT_EQ(plan.time.rest, rates.read * 8 * (4'000'000 + 2000) + rates.write * 8 * 2000);
}

TEST(ElementSweeps, TakeTheirTrafficOrTheirArithmeticAndTheirLaunches) {
  ProgramBuilder b;
  const ValueId x = b.live_in(kSpace0);
  b.live_out(x);
  b.live_out(b.element(mix(), {b.element(mix(), {x})}));
  const PlacementStats stats = square(1u << 20, 1);
  Profile profile;
  profile.launch_picoseconds = 0;
  const Plan plan = optimize(b.program, stats, {}, profile);
  ASSERT_EQ(plan.steps.size(), 1u);
  // 8 bytes read at 100 picoseconds, 8 written at 200.
  EXPECT_EQ(plan.steps[0].picoseconds, (8u * 100 + 8u * 200) << 20);
  EXPECT_EQ(plan.time.rest, plan.steps[0].picoseconds * kTicksPerPicosecond);
  EXPECT_EQ(plan.time.loops, 0u);
  profile.flop_picoseconds = 5'000;
  EXPECT_EQ(optimize(b.program, stats, {}, profile).steps[0].picoseconds, std::uint64_t{2 * 5'000} << 20);
  profile.launch_picoseconds = 7'000;
  EXPECT_EQ(
      optimize(b.program, stats, {}, profile).steps[0].picoseconds,
      (std::uint64_t{2 * 5'000} << 20) + 2u * 7'000 * ((1u << 20) / std::get<Sweep>(plan.steps[0].what).tile_elements));
}

TEST(Exchanges, TakeLatencyBytesAndOneReduction) {
  const World world = small_world(4);
  ProgramBuilder b;
  const ValueId x = b.live_in(kSpace0);
  b.live_out(x);
  b.live_out(b.reduce(kPlus, x));
  b.live_out(b.reduce(kMax, x));
  b.live_out(b.mxv(0, x, kSpace0), true);
  const PlacementStats stats = world.stats();
  const Profile profile;
  const Plan plan = optimize(b.program, stats, {}, profile);
  std::uint64_t exchanges = 0;
  for_each_step(plan.steps, [&](const Step& step) {
    const auto* exchange = std::get_if<Exchange>(&step.what);
    if (exchange == nullptr) return;
    ++exchanges;
    const bool reduces = !exchange->reductions.empty();
    const std::uint64_t shared = reduces ? 4 * 3 : 0;
    const std::uint64_t vectors = (step.stream.messages - shared) * profile.message_picoseconds +
                                  (step.stream.bytes_sent - shared * 8 * exchange->reductions.size()) * 100;
    EXPECT_EQ(step.picoseconds, vectors / 4 + (reduces ? 2 * profile.reduction_picoseconds : 0));
  });
  EXPECT_EQ(exchanges, 2u);
}

TEST(Sums, StopAtTheLargestNumber) {
  constexpr Ticks kMost = ~Ticks{0};
  EXPECT_EQ(sum_of(kMost, 1), kMost);
  EXPECT_EQ(product_of(kMost / 2, 3), kMost);
  EXPECT_EQ(product_of(0, kMost), 0u);
  EXPECT_EQ(weight_at(0), 1u);
  EXPECT_EQ(weight_at(1), 1u);
  EXPECT_EQ(weight_at(3), 256u);
}

}  // namespace
}  // namespace kasen::optimizer::tests
