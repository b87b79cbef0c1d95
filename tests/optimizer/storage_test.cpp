/// @file
/// Liveness, buffers and tile buffers. That nothing is overwritten while it is needed, the simulator sees: it hands out
/// as many buffers as the plan asks for, element by element; here is how few they are.
#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <vector>

#include "optimizer/optimize.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/sweeps/tiles.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

using Values = ProgramBuilder::Values;

Plan planned(const ProgramBuilder& b, Options options = {}, std::uint32_t workers = 3) {
  return expect_right(b, small_world(workers), options);
}
Options with(Fusion fusion, std::vector<std::string> passes_off = {}) {
  Options options;
  options.fusion = fusion;
  options.passes_off = std::move(passes_off);
  return options;
}

/// mix(mix(... v)), `length` times.
ValueId chain(ProgramBuilder& b, ValueId v, int length) {
  for (int k = 0; k < length; ++k) v = b.element(mix(), {v});
  return v;
}

TEST(Buffers, OfDeadValuesServeAgain) {
  ProgramBuilder b;
  b.live_out(chain(b, b.live_in(kSpace0), 6));
  // Two take turns; the result's has room for replicas, as whatever may be read by a later plan.
  EXPECT_EQ(buffers(planned(b, with(Fusion::off))), 3u);
  EXPECT_EQ(buffers(planned(b, with(Fusion::off, {"reuse-buffers"}))), 6u);
}

/// What a step holds for the first time is what the plan needs in all, wherever that is, and nothing of live-ins.
TEST(Buffers, AreFreshOnce) {
  ProgramBuilder b;
  b.live_out(chain(b, b.live_in(kSpace0), 6));
  const Plan plan = planned(b, with(Fusion::off));
  std::vector<std::uint64_t> fresh;
  for (const Step& step : plan.steps) fresh.push_back(step.fresh_bytes);
  const PlacementStats stats = small_world(3).stats();
  const PlacementStats::Space& space = stats.spaces[0];
  const std::uint64_t masters = 8 * space.masters, all = 8 * (space.masters + space.replicas);
  EXPECT_EQ(fresh, (std::vector<std::uint64_t>{masters, masters, 0, 0, 0, all}));
  EXPECT_EQ(std::accumulate(fresh.begin(), fresh.end(), std::uint64_t{0}), plan.buffer_bytes);
}

TEST(Buffers, OfLoopsAreFreshInTheFirstIterationAlone) {
  ProgramBuilder b;
  b.live_out(b.repeat(5, {b.element(mix(), {b.live_in(kSpace0)})},
                      [&](const Values& v) { return Values{b.element(mix(), {v[0]})}; })[0]);
  std::uint64_t fresh = 0;
  Plan plan = planned(b);
  for_each_step(plan.steps, [&](const Step& step) { fresh += step.fresh_bytes; });
  EXPECT_EQ(fresh, plan.buffer_bytes);
}

TEST(Buffers, OfDyingLiveInsJoin) {
  ProgramBuilder b;
  b.live_out(chain(b, b.live_in(kSpace0, State::partitioned(), true), 6));
  EXPECT_EQ(buffers(planned(b, with(Fusion::off))), 2u) << "the result takes the live-in's";
}

TEST(Buffers, WhatASweepMakesAndReadsNeedsNone) {
  ProgramBuilder b;
  b.live_out(chain(b, b.live_in(kSpace0), 6));
  const Plan plan = planned(b);
  EXPECT_EQ(buffers(plan), 1u);
  EXPECT_EQ(std::count_if(plan.class_of.begin(), plan.class_of.end(), [](auto c) { return c != kNotStored; }), 2);
}

TEST(Buffers, OfUnusedLiveInsAreFreeAtOnce) {
  ProgramBuilder b;
  const ValueId unused = b.live_in(kSpace0, State::partitioned(), true);
  b.live_out(b.element(mix(), {b.live_in(kSpace0)}));
  const Plan plan = planned(b);
  EXPECT_EQ(plan.unused, Values{unused});
  EXPECT_EQ(buffers(plan), 0u);
}

TEST(Buffers, AreApartBySpaceSizeAndReplicas) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  b.live_out(b.element(mix(), {v}, {}, 4));
  b.live_out(b.element(mix(), {v}));
  b.live_out(b.element(mix(), {b.live_in(kSpace1)}));
  const ValueId masters = b.element(mix(), {v});
  b.live_out(b.reduce(kPlus, b.mxv(0, masters, kSpace0)));
  b.live_out(b.reduce(kMax, b.mxvt(0, b.element(mix(), {masters}), kSpace0)));
  const Plan plan = planned(b);
  for (std::size_t k = 0; k < plan.classes.size(); ++k) {
    for (std::size_t l = 0; l < k; ++l) {
      const BufferClass &x = plan.classes[k], &y = plan.classes[l];
      EXPECT_FALSE(x.space == y.space && x.replicas == y.replicas && x.element_bytes == y.element_bytes);
    }
  }
}

TEST(Buffers, MastersOnlyWhereNoReplicaIsEverHeld) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  const ValueId kept = b.element(mix(), {v});
  const ValueId sum = b.reduce(kPlus, kept);
  b.live_out(b.reduce(kMax, b.element(scale_by_shared(), {kept}, {sum})));
  const Plan plan = planned(b);
  ASSERT_NE(plan.class_of[index_of(kept)], kNotStored);
  EXPECT_FALSE(plan.classes[plan.class_of[index_of(kept)]].replicas);
  EXPECT_TRUE(plan.classes[plan.class_of[index_of(v)]].replicas) << "live-ins come with room for all";
}

// ---- in place ----

TEST(InPlace, AnOutputTakesTheBufferOfAnInputThatDies) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::partitioned(), true);
  const ValueId out = b.element(mix(), {v});
  b.live_out(out);
  const Plan plan = planned(b);
  EXPECT_EQ(place_of(*all<Sweep>(plan)[0], out).replaces, v);
  EXPECT_FALSE(place_of(*all<Sweep>(plan)[0], out).late_copy);
  EXPECT_EQ(buffers(plan), 0u);
  const Plan apart = planned(b, with(Fusion::greedy, {"in-place"}));
  EXPECT_EQ(place_of(*all<Sweep>(apart)[0], out).replaces, kNone<ValueId>);
  EXPECT_EQ(buffers(apart), 1u);
}

TEST(InPlace, LaterReadersOfTheInputAskForALateCopy) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::partitioned(), true);
  const ValueId out = b.element(mix(), {v});
  b.live_out(out);
  b.live_out(b.reduce(kPlus, b.element(minus(), {v, out})));
  const Plan plan = planned(b);
  EXPECT_EQ(place_of(*all<Sweep>(plan)[0], out).replaces, v);
  EXPECT_TRUE(place_of(*all<Sweep>(plan)[0], out).late_copy);
}

TEST(InPlace, OutputsTakeTheBuffersThatNeedNoCopy) {
  ProgramBuilder b;
  const ValueId rank = b.live_in(kSpace0, State::partitioned(), true);
  const ValueId sum = b.live_in(kSpace0, State::partitioned(), true);
  const ValueId next = b.element(mix(), {sum});
  const ValueId change = b.reduce(kPlus, b.element(minus(), {rank, next}));
  const ValueId share = b.element(mix(), {next});
  b.live_out(next);
  b.live_out(change);
  b.live_out(share);
  const Plan plan = planned(b);
  const Sweep& sweep = *all<Sweep>(plan)[0];
  EXPECT_EQ(place_of(sweep, next).replaces, sum) << "and not the first input, which is read later";
  EXPECT_EQ(place_of(sweep, share).replaces, rank);
  EXPECT_FALSE(place_of(sweep, next).late_copy);
  EXPECT_FALSE(place_of(sweep, share).late_copy);
  EXPECT_EQ(buffers(plan), 0u);
}

TEST(InPlace, NotOverAnInputThatLives) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  b.live_out(b.element(mix(), {v}));
  EXPECT_EQ(buffers(planned(b)), 1u);
}

TEST(InPlace, NotOverAnotherElementSize) {
  ProgramBuilder b;
  const ValueId out = b.element(mix(), {b.live_in(kSpace0, State::partitioned(), true)}, {}, 4);
  b.live_out(out);
  const Plan plan = planned(b);
  EXPECT_EQ(place_of(*all<Sweep>(plan)[0], out).replaces, kNone<ValueId>);
}

TEST(InPlace, NotWhileTheScatteredFormIsRead) {
  // `v` and its scattered form are one buffer.
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::partitioned(), true);
  const ValueId x = b.mxv(0, v, kSpace0);
  const ValueId out = b.element(mix(), {v});
  b.live_out(out);
  b.live_out(b.mxv(0, b.element(mix(), {x}), kSpace0));
  planned(b);
}

/// Only so many inputs are replaced as are different buffers, whatever the back edge does.
TEST(InPlace, ArgumentsThatShareAYield) {
  for (const bool likely : {true, false}) {
    ProgramBuilder b;
    const ValueId v = b.live_in(kSpace0);
    const Values out = b.repeat(
        3, {v, v, v, v},
        [&](const Values& a) {
          const ValueId p = b.element(mix(), {a[0]}), q = b.element(scale(3), {a[1]});
          const ValueId s = b.element(minus(), {a[2], a[3]});
          return Values{s, s, p, q};
        },
        likely);
    for (ValueId value : out) b.live_out(value);
    planned(b);
  }
}

TEST(InPlace, ResultsOfALoopThatMayNotRun) {
  for (const Number iterations : {0, 1, 2}) {
    ProgramBuilder b;
    const ValueId v = b.element(mix(), {b.live_in(kSpace0)});
    const Values out = b.repeat(iterations, {v, v}, [&](const Values& a) {
      return Values{b.element(mix(), {a[1]}), a[0]};
    });
    b.live_out(b.element(scale(3), {v}));
    b.live_out(b.element(scale(5), {out[0]}));
    b.live_out(b.element(scale(7), {out[1]}));
    planned(b);
  }
}

TEST(InPlace, ResultsOfABranchThatAreOneValue) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), s = b.live_shared();
  const Values out = b.branch(
      s,
      [&] {
        const ValueId x = b.element(mix(), {v});
        return Values{x, x};
      },
      [&] {
        return Values{v, b.element(mix(), {v})};
      });
  b.live_out(b.element(scale(3), {out[0]}));
  b.live_out(b.element(scale(5), {out[1]}));
  planned(b);
}

// ---- loops ----

TEST(LoopStorage, CarriedBuffersRotate) {
  // A vector that is made from its predecessor needs one buffer, or two if not in place.
  for (const bool in_place : {true, false}) {
    ProgramBuilder b;
    const Values out = b.repeat(4, {b.live_in(kSpace0, State::partitioned(), true)},
                                [&](const Values& a) { return Values{b.element(mix(), {a[0]})}; });
    b.live_out(out[0]);
    const Plan plan = planned(b, in_place ? Options{} : with(Fusion::greedy, {"in-place"}));
    EXPECT_EQ(buffers(plan), in_place ? 0u : 1u);
  }
}

/// In the first iteration all of them are one buffer, and each output gets another one.
TEST(LoopStorage, WhatBeginsAsOneIsUpdatedInPlaceOfItself) {
  ProgramBuilder b;
  const ValueId zero = b.element(mix(), {b.live_in(kSpace0)});
  const Values out = b.repeat(3, {zero, zero, zero}, [&](const Values& a) {
    return Values{b.element(scale(3), {a[0]}), b.element(scale(5), {a[1]}), b.element(scale(7), {a[2]})};
  });
  for (const ValueId value : out) b.live_out(value);
  const Plan plan = planned(b);
  const auto loops = all<Loop>(plan);
  ASSERT_EQ(loops.size(), 1u);
  std::set<ValueId> replaced;
  for (const Sweep* sweep : all<Sweep>(loops[0]->body)) {
    for (const Place& place : sweep->places)
      if (place.kind == Place::Kind::output) replaced.insert(place.replaces);
  }
  EXPECT_EQ(replaced, std::set<ValueId>(loops[0]->arguments.begin(), loops[0]->arguments.begin() + 3));
  EXPECT_EQ(buffers(plan), 5u) << "three arguments; one output in place, two with a buffer each";
}

TEST(LoopStorage, SwapsNeedNoThirdBuffer) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::partitioned(), true), w = b.live_in(kSpace0, State::partitioned(), true);
  const Values out = b.repeat(5, {v, w}, [&](const Values& a) { return Values{a[1], a[0]}; });
  b.live_out(out[0]);
  b.live_out(out[1]);
  const Plan plan = planned(b);
  EXPECT_EQ(buffers(plan), 0u);
  EXPECT_TRUE(all<Sweep>(plan).empty());
}

TEST(LoopStorage, AYieldFromOutside) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), w = b.element(mix(), {v});
  const Values out = b.repeat(3, {v, v}, [&](const Values& a) { return Values{w, b.element(add(), {a[0], a[1]})}; });
  b.live_out(out[0]);
  b.live_out(out[1]);
  b.live_out(w);
  planned(b);
}

TEST(LoopStorage, WhatTheLoopAloneReadsLivesThroughIt) {
  ProgramBuilder b;
  const ValueId w = b.element(mix(), {b.live_in(kSpace0, State::partitioned(), true)});
  const Values out = b.repeat(3, {b.live_in(kSpace0)}, [&](const Values& a) {
    return Values{b.element(add(), {a[0], w})};
  });
  b.live_out(out[0]);
  const Plan plan = planned(b);
  for (const Step& step : plan.steps) {
    if (!std::holds_alternative<Loop>(step.what)) continue;
    EXPECT_EQ(step.dies, Values{w});
  }
}

// ---- pushdown ----

const RoleSet kColumn{column_role(0)};
Options lazy() {
  Options options;
  options.sync = Sync::lazy;
  return options;
}

TEST(Pushdown, StaysInTheBufferOfAnInputThatDies) {
  ProgramBuilder b;
  const ValueId sum = b.mxv(0, b.live_in(kSpace0, State::consistent({row_role(0)})), kSpace0);
  const ValueId out = b.element(shift(3), {sum});
  b.live_out(b.reduce(kPlus, out));
  b.live_out(out);
  const Plan plan = planned(b, lazy());
  const Launch* launch = launch_by(plan, 11);
  ASSERT_NE(launch, nullptr);
  EXPECT_TRUE(launch->copied_roles.empty());
  EXPECT_TRUE(place_of(*all<Sweep>(plan)[1], out).exclusive);
}

TEST(Pushdown, CopiesReplicasIfTheInputIsStillRead) {
  ProgramBuilder b;
  const ValueId sum = b.mxv(0, b.live_in(kSpace0, State::consistent({row_role(0)})), kSpace0);
  const ValueId out = b.element(shift(3), {sum});
  b.live_out(b.reduce(kPlus, out));
  b.live_out(out);
  b.live_out(sum);
  const Launch* launch = nullptr;
  const Plan plan = planned(b, lazy());
  ASSERT_NE(launch = launch_by(plan, 11), nullptr);
  EXPECT_EQ(launch->copied_roles, kColumn);
}

TEST(Pushdown, CopiesReplicasOfWhatOthersMayHold) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::pre_reduced(kPlus, kColumn));
  b.live_out(b.reduce(kPlus, b.element(shift(3), {v})));
  b.live_out(v);
  const Plan plan = planned(b, lazy());
  ASSERT_NE(launch_by(plan, 11), nullptr);
  EXPECT_EQ(launch_by(plan, 11)->copied_roles, kColumn);
}

// ---- tiles ----

TEST(Tiles, SlotsServeAgain) {
  ProgramBuilder b;
  b.live_out(chain(b, b.live_in(kSpace0), 20));
  const Plan plan = planned(b);
  EXPECT_EQ(all<Sweep>(plan)[0]->slots, 1u) << "each is made in place";
}

TEST(Tiles, AreMadeInPlaceOfTheirOwnTypeOnly) {
  ProgramBuilder b;
  ValueId value = b.live_in(kSpace0);
  for (const std::uint32_t bytes : {4u, 8u, 4u, 8u}) value = b.element(mix(), {value}, {}, bytes);
  b.live_out(value);
  const Plan plan = planned(b);
  const Sweep& sweep = *all<Sweep>(plan)[0];
  EXPECT_EQ(sweep.slots, 2u);
  EXPECT_EQ(sweep.slots_element_bytes, 12u);
}

TEST(Tiles, AreLargeWhereVectorsAreFew) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  const ValueId nearest = chain(b, v, 10);
  for (Number k = 0; k < 10; ++k) b.live_out(b.reduce(kPlus, b.element(scale(k), {nearest})));
  const Plan plan = planned(b);
  EXPECT_EQ(all<Sweep>(plan)[0]->tile_elements, 1024u) << "one vector, two tile buffers";
}

/// A product of rows by a table prepares the table for each tile, a cross product its sums, along the narrower side.
TEST(Tiles, OfRowsAreLargerWhereAKernelGoesThroughATable) {
  const auto tile = [](auto use) {
    ProgramBuilder b;
    const ValueId rows = b.live_in(kSpace0, State::partitioned(), false, 4000);
    b.live_out(use(b, rows));
    for (Value& value : b.program.values) value.type.row = value.type.bytes > 8;
    const Plan plan = optimize(b.program, world_of_keys(3).stats(), {});
    return all<Sweep>(plan).at(0)->tile_elements;
  };
  EXPECT_EQ(tile([](ProgramBuilder& b, ValueId rows) { return b.element(mix(), {rows}, {}, 4000); }), 16u);
  EXPECT_EQ(
      tile([](ProgramBuilder& b, ValueId rows) { return b.reduce_by_key(kPlus, b.live_in(kSpace0), rows, kSpace1); }),
      16u);
  EXPECT_EQ(tile([](ProgramBuilder& b, ValueId rows) { return b.reduce_by_key(kPlus, rows, rows, kSpace1); }), 128u);
  const auto by_whole = [&](std::uint32_t bytes) {
    return tile([&](ProgramBuilder& b, ValueId rows) {
      return b.element(mix(), {b.with_wholes(mix(), {b.live_in(kSpace1, State::partitioned(), false, bytes)}, {rows})});
    });
  };
  const auto by_cross = [&](std::uint32_t bytes) {
    return tile([&](ProgramBuilder& b, ValueId rows) {
      const ValueId changed = b.element(mix(), {rows}, {}, 4000);
      return b.reduce_by_key(kPlus, b.live_in(kSpace0, State::partitioned(), false, bytes), changed, kSpace1);
    });
  };
  EXPECT_EQ(by_whole(128), 32u) << "what is narrow is prepared in a moment";
  EXPECT_EQ(by_whole(136), 128u);
  EXPECT_EQ(by_cross(128), 32u);
  EXPECT_EQ(by_cross(136), 128u);
  EXPECT_EQ(tile([](ProgramBuilder& b, ValueId rows) { return b.with_wholes(mix(), {b.live_in(kSpace1)}, {rows}); }),
            128u)
      << "a kernel that is alone";
}

TEST(Tiles, FetchNoMoreAtOnceThanIsUnderWay) {
  ProgramBuilder b;
  const ValueId share = b.element(mix(), {b.element(mix(), {b.live_in(kSpace0), b.live_in(kSpace0)})});
  b.live_out(b.element(mix(), {share, b.live_in(kSpace0)}));  // three kernels, three vectors in
  const auto tile = [&](std::uint64_t masters, std::uint32_t workers) {
    PlacementStats stats = small_world(workers).stats();
    stats.spaces[0].masters = masters;
    return std::get<Sweep>(optimize(b.program, stats, {}).steps.at(0).what).tile_elements;
  };
  EXPECT_EQ(tile(20'000, 1), 512u) << "four vectors and a tile buffer, in the second-level cache";
  EXPECT_EQ(tile(20'000'000, 1), 128u) << "8 bytes an element before each kernel: 16 lines";
  EXPECT_EQ(tile(40'000, 1), 128u);
  EXPECT_EQ(tile(40'000, 2), 512u) << "of each worker";
}

TEST(Tiles, AsManySlotsAsAreLive) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  std::vector<ValueId> made;
  for (Number k = 0; k < 9; ++k) made.push_back(b.element(scale(k), {v}));
  ValueId sum = made.back();
  for (ValueId value : made) sum = b.element(mix(), {value, sum});
  b.live_out(sum);
  const Plan plan = planned(b);
  EXPECT_GE(all<Sweep>(plan)[0]->slots, 2u);
  EXPECT_LE(all<Sweep>(plan)[0]->slots, 11u);
}

TEST(Tiles, ArePowersOfTwoThatFitTheCache) {
  std::uint32_t last = 0xffffffffu;
  for (int vectors = 1; vectors <= 40; ++vectors) {
    ProgramBuilder b;
    std::vector<ValueId> in;
    for (int k = 0; k < vectors; ++k) in.push_back(b.live_in(kSpace0));
    ValueId sum = in[0];
    for (ValueId v : in) sum = b.element(mix(), {v, sum});
    b.live_out(sum);
    const Plan plan = optimize(b.program, small_world(1).stats(), {});
    const std::uint32_t tile = all<Sweep>(plan)[0]->tile_elements;
    EXPECT_EQ(tile & (tile - 1), 0u);
    EXPECT_GE(tile, 128u);
    EXPECT_LE(tile, 1024u);
    EXPECT_LE(tile, last) << "more live operands, smaller tiles";
    // Inputs, the output and two tile buffers, of 8 bytes.
    const std::uint32_t live = 8 * static_cast<std::uint32_t>(vectors + 1 + 2);
    EXPECT_TRUE(tile == 128 || tile * live <= 32u * 1024u);
    last = tile;
  }
  EXPECT_LT(last, 1024u);
}

}  // namespace
}  // namespace kasen::optimizer::tests
