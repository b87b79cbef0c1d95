/// @file
/// Predicted times, by hand and against what was measured.
#include "optimizer/cost/time_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "optimizer/cost/footprint.h"
#include "optimizer/cost/formulas.h"
#include "optimizer/optimize.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/sweeps/choose_walks.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/program_builder.h"
#include "tests/optimizer/world.h"

namespace kasen::optimizer::tests {
namespace {

/// One worker, one square matrix without values.
PlacementStats square(std::uint64_t length, std::uint64_t nonzeros) {
  PlacementStats stats;
  PlacementStats::Space space{"space", length, 0, 1, true, {}};
  for (const RoleSet& roles : {RoleSet{row_role(0)}, RoleSet{column_role(0)}, RoleSet{row_role(0), column_role(0)}}) {
    space.roles.push_back({roles, 0, true, {}});
  }
  stats.spaces = {space};
  stats.matrices = {{kSpace0, kSpace0, nonzeros, 0, 1}};
  return stats;
}

/// Rates of 10 and 5 GB/s, wherever the data are, what is smaller hidden, and steps for nothing.
Profile one_level() {
  Profile profile;
  std::fill(std::begin(profile.read_bytes_per_second), std::end(profile.read_bytes_per_second), 10'000'000'000);
  std::fill(std::begin(profile.unhidden_per_mille), std::end(profile.unhidden_per_mille), 0);
  profile.write_bytes_per_second = 5'000'000'000;
  profile.step_picoseconds = 0;
  return profile;
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

TEST(RandomAccess, CostsWhatItWasMeasuredToOrBetween) {
  const Profile profile;
  const auto& measured = profile.random_access_picoseconds;
  EXPECT_EQ(random_access_picoseconds(0, profile), measured[0]);
  for (std::size_t k = 0; k < Profile::kSizes; ++k) {
    EXPECT_EQ(random_access_picoseconds(Profile::kWorkingSets[k], profile), measured[k]);
  }
  EXPECT_EQ(random_access_picoseconds(40u << 20, profile), (measured[5] + measured[6]) / 2);
  EXPECT_EQ(random_access_picoseconds(std::uint64_t{1} << 50, profile), measured[Profile::kSizes - 1]);
  std::uint64_t before = 0;
  for (std::uint64_t bytes = 1; bytes < std::uint64_t{1} << 40; bytes += bytes / 3 + 1) {
    EXPECT_GE(random_access_picoseconds(bytes, profile), before);
    before = random_access_picoseconds(bytes, profile);
  }
}

// Measured on R-MAT graphs with 16 edges per vertex: joined takes 1.2 of apart at scales 14 and 20, 0.84 at scale 8.
TEST(MatrixSweeps, AreFasterApartWhereTheirVectorsDoNotFitTheCacheTogether) {
  const PlacementStats large = square(1u << 20, 16u << 20), small = square(1u << 8, 16u << 8);
  const auto time = [](const PlacementStats& stats, bool joined) { return two_products(stats, joined).time.rest; };
  EXPECT_GT(time(large, true), time(large, false) * 12 / 10);
  EXPECT_LT(time(large, true), time(large, false) * 2);
  EXPECT_LT(time(small, true), time(small, false));
}

/// Nothing is reached at random: a dense product takes its bytes, of the matrix and once of its vectors, or its
/// arithmetic.
TEST(MatrixSweeps, OfDenseMatricesTakeTheirTraffic) {
  PlacementStats stats = square(2000, 4'000'000);
  stats.matrices[0].value_bytes = 8;
  stats.matrices[0].dense = true;
  ProgramBuilder b;
  b.live_out(b.mxv(0, b.live_in(kSpace0), kSpace0));
  Profile profile = one_level();
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
  Profile profile = one_level();
  profile.launch_picoseconds = profile.move_picoseconds = 0;
  const Plan plan = optimize(b.program, stats, {}, profile);
  ASSERT_EQ(plan.steps.size(), 1u);
  // 8 bytes read at 100 picoseconds, 8 written at 200.
  EXPECT_EQ(plan.steps[0].picoseconds, (8u * 100 + 8u * 200) << 20);
  EXPECT_EQ(plan.time.rest, plan.steps[0].picoseconds * kTicksPerPicosecond);
  EXPECT_EQ(plan.time.loops, 0u);
  profile.flop_picoseconds = 5'000;
  EXPECT_EQ(optimize(b.program, stats, {}, profile).steps[0].picoseconds, std::uint64_t{2 * 4 * 5'000} << 20);
  profile.launch_picoseconds = 7'000;
  EXPECT_EQ(optimize(b.program, stats, {}, profile).steps[0].picoseconds,
            (std::uint64_t{2 * 4 * 5'000} << 20) +
                2u * 7'000 * ((1u << 20) / std::get<Sweep>(plan.steps[0].what).tile_elements));
}

TEST(ElementSweeps, HideAPartOfWhatIsSmaller) {
  ProgramBuilder b;
  const ValueId x = b.live_in(kSpace0);
  b.live_out(x);
  b.live_out(b.element(mix(), {x}));
  Profile profile = one_level();
  const auto time = [&] {
    const Plan plan = optimize(b.program, square(1u << 20, 1), {}, profile);
    return time_of_sweep(plan, plan.steps.at(0), square(1u << 20, 1), at_footprint(profile, 1));
  };
  const SweepTime hidden = time();
  EXPECT_EQ(hidden.unhidden, 0u);
  EXPECT_GT(hidden.stream, hidden.compute);
  profile.unhidden_per_mille[0] = 250;
  EXPECT_EQ(time().unhidden, hidden.compute / 4);
  EXPECT_EQ(time().all(), hidden.all() + hidden.compute / 4);
  profile.flop_picoseconds = 5'000;
  EXPECT_EQ(time().unhidden, hidden.stream / 4);
}

/// A vector that is made anew while its old elements are still read in its tile is copied at the tile's end.
TEST(ElementSweeps, CopyWhatTakesThePlaceOfAnInputTooEarly) {
  ProgramBuilder b;
  const ValueId x = b.live_in(kSpace0, State::partitioned(), true);
  const ValueId y = b.element(mix(), {x});
  b.live_out(y);
  b.live_out(b.reduce(kPlus, b.element(minus(), {x, y})));
  const PlacementStats stats = square(1u << 20, 1);
  Plan plan = optimize(b.program, stats, {}, one_level());
  const auto compute = [&] { return time_of_sweep(plan, plan.steps.at(0), stats, one_level()).compute; };
  std::vector<Place>& places = std::get<Sweep>(plan.steps.at(0).what).places;
  const auto copied = std::find_if(places.begin(), places.end(), [](const Place& place) { return place.late_copy; });
  ASSERT_NE(copied, places.end());
  const Ticks with = compute();
  copied->late_copy = false;
  EXPECT_EQ(with, compute() + (Ticks{2 * kTicksPerPicosecond} << 20) * one_level().move_picoseconds);
}

/// A step changes some of an accumulator, whatever its size.
TEST(ElementSweeps, TakeUpElementsInLargeAccumulatorsAsInSmallOnes) {
  const PlacementStats stats = square(1u << 20, 1);
  const auto compute = [&](std::uint32_t bytes) {
    ProgramBuilder b;
    b.live_out(b.fold(kPlus, mix(), {b.live_in(kSpace0), b.live_in(kSpace0)}, {}, bytes));
    const Plan plan = optimize(b.program, stats, {}, one_level());
    return time_of_sweep(plan, plan.steps.at(0), stats, one_level()).compute;
  };
  EXPECT_GT(compute(8), 0u);
  EXPECT_EQ(compute(4096), compute(8));
}

/// One application of `work` to a million numbers of 8 bytes, in picoseconds each.
std::uint64_t picoseconds_of(Work work, const Profile& profile, std::uint32_t bytes = 8, bool row = false,
                             Op op = Op::element) {
  Operation operation;
  operation.op = op;
  operation.in = {ValueId{0}};
  operation.out = {ValueId{1}};
  operation.work = work;
  std::vector<Value> values(2);
  for (Value& value : values) value.type = {bytes, 0, 1, row};
  constexpr std::uint64_t kMillion = 1'000'000;
  return ticks_of_compute(operation, values, kMillion, profile) / kTicksPerPicosecond / kMillion;
}

TEST(ElementSweeps, TakeWhatTheirFunctionsCompute) {
  Profile profile;
  profile.move_picoseconds = 10;
  profile.flop_picoseconds = 100;
  profile.division_picoseconds = 1'000;
  profile.transcendental_picoseconds = 10'000;
  EXPECT_EQ(picoseconds_of({}, profile), 2 * 10 + 4 * 100u) << "a black box";
  EXPECT_EQ(picoseconds_of({true}, profile), 2 * 10u);
  EXPECT_EQ(picoseconds_of({true, 3, 2, 4}, profile), 2 * 10 + 3 * 100 + 2 * 1'000 + 10'000u);
  EXPECT_EQ(picoseconds_of({true, 3, 2, 4}, profile, 4), (2 * 10 + 3 * 100 + 2 * 1'000 + 10'000) / 2u);
  profile.integer_picoseconds = 100'000;
  EXPECT_EQ(picoseconds_of({true, 3, 0, 0, 2}, profile), 2 * 10 + 3 * 100 + 2 * 100'000u);
  EXPECT_EQ(picoseconds_of({}, profile, 64), 8 * (2 * 10 + 16 * 100u)) << "members of a struct";
  profile.row_picoseconds = 7;
  EXPECT_EQ(picoseconds_of({}, profile, 64, true), 7 + 8 * (2 * 10 + 4 * 100u)) << "numbers of a row";
  EXPECT_EQ(picoseconds_of({}, profile, 48, true), 7 + 6 * 2 * 10 + (4 + 2 * 6) * 4 * 100u) << "two of them alone";
  const Work declared{true, 3, 2, 4, 0, false, {5, 1, 8}};
  const std::uint64_t each = 3 * 100 + 2 * 1'000 + 10'000, once = 6 * (5 * 100 + 1'000 + 2 * 10'000);
  EXPECT_EQ(picoseconds_of(declared, profile), 2 * 10 + each + once);
  EXPECT_EQ(picoseconds_of(declared, profile, 64), 8 * (2 * 10 + each) + once) << "members of a struct";
  EXPECT_EQ(picoseconds_of(declared, profile, 64, true), 7 + 8 * (2 * 10 + each) + once);
  EXPECT_EQ(picoseconds_of({true, 1}, profile, 48, true, Op::mxv), (4 + 2 * 6) * 2 * 100u) << "multiplied and added up";
}

/// The first of two steps gets its buffer, which is the result's, and the second one writes over it.
TEST(Steps, TakeLongerWhereTheirMemoryIsNew) {
  ProgramBuilder b;
  b.live_out(b.element(mix(), {b.element(mix(), {b.live_in(kSpace0)})}));
  Options options;
  options.fusion = Fusion::off;
  Profile profile = one_level();
  profile.fresh_bytes_per_second = 4'000'000'000;
  const PlacementStats stats = square(1u << 20, 1);
  const Plan plan = optimize(b.program, stats, options, profile);
  ASSERT_EQ(plan.steps.size(), 2u);
  constexpr std::uint64_t kOfAByte = 250;
  std::uint64_t bytes = 0;
  for (const Step& step : plan.steps) {
    EXPECT_EQ(step.fresh_picoseconds, step.fresh_bytes * kOfAByte);
    bytes += step.fresh_bytes;
  }
  EXPECT_EQ(bytes, plan.buffer_bytes);
  EXPECT_GT(plan.steps[0].fresh_bytes, 0u);
  options.threads = 4;
  EXPECT_EQ(optimize(b.program, stats, options, profile).steps[0].fresh_picoseconds,
            plan.steps[0].fresh_picoseconds / 4);
}

TEST(MatrixSweeps, TakeLongerForRowsOfUnequalLengths) {
  PlacementStats stats = square(1u << 10, 1u << 14);
  const std::uint64_t even = two_products(stats, false).time.rest;
  stats.matrices[0].by_column.turns = 900;
  EXPECT_EQ(two_products(stats, false).time.rest, even + 2 * 900 * Profile().turn_picoseconds * kTicksPerPicosecond);
  EXPECT_EQ(two_products(stats, true).time.rest - 900 * Profile().turn_picoseconds * kTicksPerPicosecond,
            two_products(square(1u << 10, 1u << 14), true).time.rest);
}

TEST(MatrixSweeps, TakeLongerForManyOutputs) {
  const Profile profile;
  const auto launches = [&](std::uint64_t length, const Profile& by) {
    const PlacementStats stats = square(length, 1u << 14);
    const Plan plan = two_products(stats, false);
    return time_of_sweep(plan, plan.steps.back(), stats, by).launches;
  };
  Profile without = profile;
  without.row_picoseconds = 0;
  for (const std::uint64_t length : {std::uint64_t{1} << 10, std::uint64_t{1} << 12}) {
    EXPECT_EQ(launches(length, profile) - launches(length, without),
              length * profile.row_picoseconds * kTicksPerPicosecond);
  }
}

/// Whole cache lines of elements are reached, and words beside the first are near.
TEST(MatrixSweeps, ReachElementsByTheirCacheLines) {
  const Profile profile;
  const PlacementStats stats = square(1u << 10, 1u << 14);
  const auto picoseconds = [&](std::uint32_t bytes) {
    Plan plan = two_products(stats, false);
    for (Value& value : plan.values) value.type.bytes = bytes;
    return time_of_sweep(plan, plan.steps.back(), stats, profile).random / (kTicksPerPicosecond << 14);
  };
  EXPECT_EQ(picoseconds(8), random_access_picoseconds(8u << 10, profile));
  EXPECT_EQ(picoseconds(64), random_access_picoseconds(64u << 10, profile) + 7 * profile.move_picoseconds);
  EXPECT_EQ(picoseconds(80), 2 * random_access_picoseconds(80u << 10, profile) + 8 * profile.move_picoseconds);
}

/// Blocks bring in their parts of vectors: all lines once, and for each further run a line, up to all of them again.
TEST(MatrixSweeps, InBlocksBringInTheirPartsOfVectors) {
  const std::uint64_t length = 1u << 20, edge = 16;  // blocks by blocks
  PlacementStats stats = square(length, 16 * length);
  stats.matrices[0].by_column.counted = true;
  const Profile profile = one_level();
  const auto random = [&](std::uint64_t runs) {
    stats.matrices[0].by_column.runs = runs;
    Plan plan = two_products(stats, false);
    set_walk(std::get<Sweep>(plan.steps.back().what), Walk::blocked);
    Step& step = plan.steps.back();
    step.stream = evaluate(formulas_of(plan, step, stats, Column::stream), stats);
    const std::uint64_t access = random_access_picoseconds(1u << 20, profile);
    return time_of_sweep(plan, step, stats, profile).random - (16 * length + 2 * runs) * access * kTicksPerPicosecond;
  };
  const Ticks read = byte_rates(profile).read;
  EXPECT_EQ(random(length), 2 * 8 * length * read);
  EXPECT_EQ(random(length + 1000), 2 * (8 * length + 1000 * 64) * read);
  EXPECT_EQ(random(8 * length), 2 * edge * 8 * length * read);
}

/// The vector comes from memory once, beside runs, their stencils and the result; entries move it in the first cache.
TEST(MatrixSweeps, ByStencilsReadTheVectorInOrder) {
  const std::uint64_t length = 1u << 20, runs = 300, entries = 1500;
  PlacementStats stats = square(length, 5 * length);
  const Profile profile = one_level();
  Plan plan = two_products(stats, false);
  Step& step = plan.steps.back();
  const SweepTime compressed = time_of_sweep(plan, step, stats, profile);
  stats.matrices[0].stencils_by_column = {true, runs, entries};
  set_walk(std::get<Sweep>(step.what), Walk::stencils);
  step.stream = evaluate(formulas_of(plan, step, stats, Column::stream), stats);
  const SweepTime time = time_of_sweep(plan, step, stats, profile);
  const ByteRates rates = byte_rates(profile);
  EXPECT_EQ(time.stream, (8 * length + 8 * runs + 8 * entries) * rates.read + 8 * length * rates.write);
  EXPECT_EQ(time.random, 5 * length * profile.move_picoseconds * kTicksPerPicosecond);
  EXPECT_EQ(time.compute, compressed.compute);
  const Ticks row = profile.row_picoseconds * kTicksPerPicosecond,
              turn = profile.turn_picoseconds * kTicksPerPicosecond;
  EXPECT_EQ(compressed.launches - time.launches, length * row - runs * turn);
}

TEST(MatrixSweeps, ReachWhatIsCachedInTheFirstCache) {
  PlacementStats stats = square(1u << 20, 16u << 20);
  const auto random = [&] {
    const Plan plan = two_products(stats, false);
    return time_of_sweep(plan, plan.steps.back(), stats, Profile()).random / (kTicksPerPicosecond * (16u << 20));
  };
  const std::uint64_t near = Profile().random_access_picoseconds[0];
  const std::uint64_t far = random_access_picoseconds(8u << 20, Profile());
  EXPECT_EQ(random(), far);
  stats.matrices[0].by_column.cached = 256;
  EXPECT_EQ(random(), (near + 3 * far) / 4);
  stats.matrices[0].by_column.cached = PlacementStats::Matrix::Blocks::kCachedOf;
  EXPECT_EQ(random(), near);
}

TEST(MatrixSweeps, WaitForTheWorkerWithTheMostNonzeros) {
  PlacementStats stats = square(1u << 20, 16u << 20);
  const auto time = [&] {
    const Plan plan = two_products(stats, false);
    return time_of_sweep(plan, plan.steps.back(), stats, Profile());
  };
  const SweepTime even = time();
  stats.matrices[0].imbalance = 1.5;
  const SweepTime uneven = time();
  EXPECT_EQ(uneven.random, even.random / 2 * 3);
  EXPECT_EQ(uneven.stream, even.stream / 2 * 3);
  EXPECT_EQ(uneven.launches, even.launches);
}

TEST(ElementSweeps, WaitForTheWorkerWithTheMostElements) {
  ProgramBuilder b;
  const ValueId x = b.live_in(kSpace0);
  b.live_out(x);
  b.live_out(b.element(mix(), {x}));
  PlacementStats stats = square(1u << 20, 1);
  const Plan plan = optimize(b.program, stats, {});
  const auto time = [&] { return time_of_sweep(plan, plan.steps.at(0), stats, Profile()); };
  const SweepTime even = time();
  stats.spaces[0].imbalance = 1.5;
  EXPECT_EQ(time().stream, even.stream / 2 * 3);
  EXPECT_EQ(time().compute, even.compute / 2 * 3);
  EXPECT_EQ(time().launches, even.launches);
}

/// Integers and truth values are reduced by other instructions than doubles are added by.
TEST(MatrixSweeps, KnowWhatIsReduced) {
  const Profile profile;
  const PlacementStats stats = square(1u << 10, 1u << 14);
  const auto random = [&](bool whole, std::uint32_t bytes) {
    Plan plan = two_products(stats, false);
    for (Value& value : plan.values) value.type.bytes = bytes;
    for (Launch& launch : std::get<Sweep>(plan.steps.back().what).launches) launch.work = {true, 0, 0, 0, 0, whole};
    return time_of_sweep(plan, plan.steps.back(), stats, profile).random / (kTicksPerPicosecond << 14);
  };
  EXPECT_EQ(random(true, 8) - random(false, 8), profile.integer_entry_picoseconds);
  EXPECT_EQ(random(true, 1) - random(false, 1), profile.byte_entry_picoseconds);
}

TEST(Footprint, IsWhatAnyPlanStores) {
  ProgramBuilder b;
  const ValueId x = b.live_in(kSpace0);
  b.live_out(b.element(mix(), {b.mxv(0, b.element(mix(), {x}), kSpace0)}));
  const PlacementStats stats = square(1'000, 5'000);
  // The matrix with its pointers; x, the product and what it reads.
  const std::uint64_t bytes = 4 * 5'000 + 8 * 1'000 + 3 * 8 * 1'000;
  EXPECT_EQ(footprint(b.program, stats), bytes);
  b.live_out(b.mxv(0, x, kSpace0));
  EXPECT_EQ(footprint(b.program, stats), bytes + 8 * 1'000) << "the same storage";
  b.live_out(b.mxvt(0, x, kSpace0));
  EXPECT_EQ(footprint(b.program, stats), bytes + 2 * 8 * 1'000 + 4 * 5'000 + 8 * 1'000) << "the other one";
}

TEST(Footprint, DecidesHowFastMemoryIs) {
  const Profile profile;
  const auto& measured = profile.read_bytes_per_second;
  const auto read = [&](std::uint64_t bytes) {
    return static_cast<double>(at_footprint(profile, bytes).read_bytes_per_second[0]);
  };
  EXPECT_NEAR(read(100), static_cast<double>(measured[0]), 1e9);
  EXPECT_NEAR(read(4u << 20), static_cast<double>(measured[4]), 1e9);
  const double both = 2 / (1 / static_cast<double>(measured[5]) + 1 / static_cast<double>(measured[6]));
  EXPECT_NEAR(read(40u << 20), both, 1e9) << "half way between two sizes, by time";
  EXPECT_NEAR(read(std::uint64_t{1} << 40), static_cast<double>(measured[7]), 1e9);
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
    const std::uint64_t sent = step.stream.bytes_sent - shared * 8 * exchange->reductions.size();
    const std::uint64_t vectors = (step.stream.messages - shared) * profile.message_picoseconds + sent * 100 +
                                  sent / 8 * profile.packing_picoseconds;
    EXPECT_EQ(step.picoseconds,
              profile.step_picoseconds + vectors / 4 + (reduces ? 2 * profile.reduction_picoseconds : 0));
  });
  EXPECT_EQ(exchanges, 2u);
}

/// The steps of x = max(x, products of x) along both directions of a square matrix, of which `update` visits elements
/// and the products find what is connected.
struct Spreading {
  Step update, connected;
};
Spreading spreading(const PlacementStats& stats, const Profile& profile) {
  ProgramBuilder b;
  b.know_extrema();
  b.program.reducers[index_of(kMax)].exact = true;
  const auto result = b.repeat(4, {b.live_in(kSpace0)}, [&](const ProgramBuilder::Values& in) {
    const ValueId along = b.mxv(0, in[0], kSpace0, kMax), back = b.mxvt(0, in[0], kSpace0, kMax);
    return ProgramBuilder::Values{b.element(larger(), {in[0], b.element(larger(), {along, back})})};
  });
  b.live_out(result[0]);
  for (Statement& loop : b.program.top.statements) {
    for (Block& body : loop.regions) {
      for (Statement& statement : body.statements)
        statement.settles = statement.connects = statement.op == Op::mxv || statement.op == Op::mxvt;
    }
  }
  Spreading found;
  const Plan plan = optimize(b.program, stats, {}, profile);
  for_each_step(plan.steps, [&](const Step& step) {
    const auto* sweep = std::get_if<Sweep>(&step.what);
    if (sweep == nullptr) return;
    if (sweep->delta) found.update = step;
    if (finds_connected(*sweep)) found.connected = step;
  });
  return found;
}

/// Here and there each vector is a random access; in order it is its bytes.
TEST(DeltaIterations, TakeTheTrafficOfTilesInOrder) {
  Profile profile = one_level();
  profile.integer_picoseconds = profile.flop_picoseconds = profile.move_picoseconds = 0;
  const Step update = spreading(square(1u << 22, 16u << 22), profile).update;
  // 8 bytes of x and two products are read, of the products put back, of the next x read and written, at 100 and 200
  // picoseconds a byte; and a byte that says whether it has changed.
  EXPECT_EQ(update.in_order_picoseconds, 8u * (3 * 100 + 2 * 200 + 300) + 300);
  EXPECT_GT(update.delta.element_picoseconds, 2 * update.in_order_picoseconds);
}

TEST(ConnectedElements, TakeTheirNonzerosOnceIfTheyMirrorEachOther) {
  const Profile profile;
  const auto time = [&](std::uint64_t length, std::uint64_t nonzeros, bool symmetric) {
    PlacementStats stats = square(length, nonzeros);
    stats.matrices[0].symmetric = symmetric;
    return spreading(stats, profile).connected.settled.run_picoseconds;
  };
  const std::uint64_t few = time(1u << 16, 1u << 20, false), many = time(1u << 16, 1u << 21, false);
  const std::uint64_t mirrored = time(1u << 16, 1u << 21, true);
  EXPECT_GT(few, 0u);
  EXPECT_GT(many, few);
  EXPECT_LT(mirrored, many);
  // What lies further than the second cache is fetched ahead: an entry takes no longer there.
  const std::uint64_t far = time(1u << 22, 1u << 26, false), near = time(1u << 20, 1u << 24, false);
  EXPECT_LT(far, near * 5);
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
