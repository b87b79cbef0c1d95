/// @file
/// Both directions of a dense matrix in one sweep of a greedy plan, and where there is none.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "optimizer/optimize.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/text/print.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

/// As small_world, but matrix 1 (40 x 25) is dense.
World dense_world(std::uint32_t workers = 3) {
  World world = small_world(workers);
  world.make_dense(1);
  return world;
}

/// X'f(Xv), with a reduction of what lies between.
ProgramBuilder there_and_back() {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace1, State::consistent({column_role(1)})), weight = b.live_in(kSpace0);
  const ValueId y = b.element(mix(), {b.mxvt(1, v, kSpace0), weight});
  b.live_out(b.reduce(kPlus, y));
  b.live_out(b.mxv(1, y, kSpace1), true);
  return b;
}

std::size_t walks_of(const Plan& plan, std::uint32_t matrix) {
  const std::vector<const Sweep*> sweeps = all<Sweep>(plan);
  return static_cast<std::size_t>(std::count_if(sweeps.begin(), sweeps.end(),
                                                [&](const Sweep* sweep) { return sweep->matrix == MatrixId{matrix}; }));
}

TEST(OnePass, HoldsBothDirectionsAndWhatLiesBetween) {
  for (const std::uint32_t workers : {1u, 2u, 3u, 5u}) {
    for (const Sync sync : {Sync::hybrid, Sync::eager, Sync::lazy}) {
      Options options;
      options.sync = sync;
      const Plan plan = expect_right(there_and_back(), dense_world(workers), options);
      ASSERT_EQ(all<Sweep>(plan).size(), 1u) << print_steps(plan);
      const Sweep& sweep = *all<Sweep>(plan)[0];
      EXPECT_EQ(sweep.walk, Walk::dense);
      EXPECT_EQ(sweep.launches.size(), 4u);
      EXPECT_TRUE(sweep.launches.back().push);
      EXPECT_FALSE(sweep.launches.front().push);
    }
  }
}

/// Every worker plans alike, and for another number of workers the plan has the same steps: rows of a dense matrix have
/// replicas on none.
TEST(OnePass, IsTheSameForAnyNumberOfWorkers) {
  const std::string of_one = print_steps(expect_right(there_and_back(), dense_world(1), {}));
  for (const std::uint32_t workers : {2u, 5u})
    EXPECT_EQ(of_one, print_steps(expect_right(there_and_back(), dense_world(workers), {})));
}

TEST(OnePass, CanBeSwitchedOff) {
  for (const char* part : {"one-pass", "fuse"}) {
    Options options;
    options.passes_off = {part};
    const Plan plan = expect_right(there_and_back(), dense_world(), options);
    EXPECT_EQ(walks_of(plan, 1), 2u);
    for (const Sweep* sweep : all<Sweep>(plan)) EXPECT_FALSE(pushes(*sweep));
  }
}

TEST(OnePass, IsForDenseMatricesAlone) {
  World world = small_world(3);
  world.keep_whole(1, Role::Side::row);
  EXPECT_EQ(walks_of(expect_right(there_and_back(), world, {}), 1), 2u);
}

/// Of columns no element is complete before all rows have been walked.
TEST(OnePass, BeginsWithRows) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::consistent({row_role(1)}));
  b.live_out(b.mxvt(1, b.element(mix(), {b.mxv(1, v, kSpace1)}), kSpace0));
  for (const std::uint32_t workers : {1u, 3u}) {
    const Plan plan = expect_right(b, dense_world(workers), {});
    EXPECT_EQ(walks_of(plan, 1), 2u);
    for (const Sweep* sweep : all<Sweep>(plan)) EXPECT_FALSE(pushes(*sweep));
  }
}

/// What is read beside the product may have to be made first, and be a result too.
TEST(OnePass, HoldsWhatIsReadBesideTheProduct) {
  for (const bool result : {false, true}) {
    ProgramBuilder b;
    const ValueId v = b.live_in(kSpace1, State::consistent({column_role(1)}));
    const ValueId beside = b.element(mix(), {b.live_in(kSpace0)});
    b.live_out(b.mxv(1, b.element(mix(), {b.mxvt(1, v, kSpace0), beside}), kSpace1));
    if (result) b.live_out(beside);
    const Plan plan = expect_right(b, dense_world(), {});
    EXPECT_EQ(walks_of(plan, 1), 1u) << print_steps(plan);
  }
}

/// Products in both directions that need not wait for each other are one pass, whichever is first in the program.
TEST(OnePass, HoldsProductsThatAreReadyInAnyOrder) {
  for (const bool back_first : {false, true}) {
    ProgramBuilder b;
    const ValueId v = b.live_in(kSpace1, State::consistent({column_role(1)}));
    const ValueId u = b.live_in(kSpace0, State::consistent({row_role(1)}));
    if (back_first) b.live_out(b.mxv(1, u, kSpace1));
    b.live_out(b.mxvt(1, v, kSpace0));
    if (!back_first) b.live_out(b.mxv(1, u, kSpace1));
    EXPECT_EQ(walks_of(expect_right(b, dense_world(), {}), 1), 1u) << back_first;
  }
}

/// On one worker nothing has replicas, however the matrix would be cut.
TEST(OnePass, IsNotPlannedForOneWorkerWhereRowsMayBeCut) {
  for (const Partition partition :
       {Partition::automatic, Partition::row, Partition::file, Partition::column, Partition::grid}) {
    Options options;
    options.partition = partition;
    const bool whole = partition != Partition::column && partition != Partition::grid;
    EXPECT_EQ(walks_of(expect_right(there_and_back(), dense_world(1), options), 1), whole ? 1u : 2u);
  }
}

TEST(OnePass, OfEachMatrixThatIsDense) {
  World world = dense_world();
  world.make_dense(0);
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace1, State::consistent({column_role(1)}));
  const ValueId u = b.live_in(kSpace0, State::consistent({column_role(0)}));
  const ValueId z = b.element(mix(), {b.mxvt(1, v, kSpace0)});
  b.live_out(b.mxv(1, z, kSpace1));
  b.live_out(b.mxv(0, b.element(mix(), {b.mxvt(0, u, kSpace0), z}), kSpace0));
  const Plan plan = expect_right(b, world, {});
  EXPECT_EQ(walks_of(plan, 1), 1u) << print_steps(plan);
  EXPECT_EQ(walks_of(plan, 0), 1u);
}

TEST(OnePass, WaitsForReductions) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace1, State::consistent({column_role(1)}));
  const ValueId z = b.mxvt(1, v, kSpace0);
  b.live_out(b.mxv(1, b.element(mix(), {z}, {b.reduce(kPlus, z)}), kSpace1));
  EXPECT_EQ(walks_of(expect_right(b, dense_world(), {}), 1), 2u);
}

/// Where a row does not fit the second-level cache, it would be read again.
TEST(OnePass, IsForRowsThatStayInACache) {
  PlacementStats stats = dense_world(1).stats();
  EXPECT_EQ(walks_of(optimize(there_and_back().program, stats, {}), 1), 1u);
  stats.spaces[1].masters = 10'000'000;
  EXPECT_EQ(walks_of(optimize(there_and_back().program, stats, {}), 1), 2u);
}

/// Where a dense matrix comes from memory and its rows are short, what hardware has fetched beyond a tile is there for
/// the next one if that follows soon; else a tile is what fits a cache.
TEST(OnePass, GoesThroughShortRowsFromMemoryInSmallTiles) {
  const auto tile_bytes = [](std::uint64_t rows, std::uint64_t columns, bool computes_more = false) {
    PlacementStats stats = dense_world(2).stats();
    stats.spaces[0].masters = rows;
    stats.spaces[1].masters = columns;
    stats.matrices[1].nonzeros = rows * columns;
    ProgramBuilder b = there_and_back();
    if (computes_more) b.live_out(b.element(mix(), {b.program.top.statements.at(0).out.at(0)}));
    const Plan plan = optimize(b.program, stats, {});
    return all<Sweep>(plan).at(0)->tile_matrix_bytes;
  };
  constexpr std::uint64_t kLarge = std::uint64_t{256} << 10, kSmall = std::uint64_t{4} * 2048;  // of four kernels
  EXPECT_EQ(tile_bytes(1'000'000, 10), kSmall);
  EXPECT_EQ(tile_bytes(1'000'000, 128), kSmall);
  EXPECT_EQ(tile_bytes(1'000'000, 129), kLarge) << "rows are long";
  EXPECT_EQ(tile_bytes(10'000, 10), kLarge) << "it stays in a cache";
  EXPECT_EQ(tile_bytes(1'000'000, 10, true), kLarge) << "five kernels";
}

/// A step of conjugate gradients on the normal equations: nothing lies between the products, and p is carried.
TEST(OnePass, InLoops) {
  ProgramBuilder b;
  const ValueId p = b.live_in(kSpace1, State::consistent({column_role(1)}), true);
  using Values = ProgramBuilder::Values;
  b.live_out(b.repeat(3, {p}, [&](const Values& in) {
    return Values{b.element(mix(), {b.mxv(1, b.mxvt(1, in[0], kSpace0), kSpace1), in[0]})};
  })[0]);
  for (const std::uint32_t workers : {1u, 2u, 5u}) {
    const Plan plan = expect_right(b, dense_world(workers), {});
    EXPECT_EQ(walks_of(plan, 1), 1u) << print_steps(plan);
  }
}

}  // namespace
}  // namespace kasen::optimizer::tests
