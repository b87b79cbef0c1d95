/// @file
/// How sweeps grow: what runs together, what does not, and with fusion off nothing.
#include <gtest/gtest.h>

#include "optimizer/optimize.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

using Values = ProgramBuilder::Values;

Plan planned(const ProgramBuilder& b, Options options = {}) { return expect_right(b, small_world(3), options); }
Options off() {
  Options options;
  options.fusion = Fusion::off;
  return options;
}
Options without(const std::string& pass) {
  Options options;
  options.passes_off = {pass};
  return options;
}

std::vector<std::string> labels(const Sweep& sweep) {
  std::vector<std::string> found;
  for (const Launch& launch : sweep.launches) found.push_back(launch.label);
  return found;
}

TEST(Fusion, GrowsOverAllElementWorkOfASpace) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), w = b.live_in(kSpace0);
  const ValueId a = b.element(scale(3), {v}), c = b.element(mix(), {a, w});
  b.live_out(b.reduce(kPlus, c));
  b.live_out(b.reduce(kMax, b.element(shift(1), {w})));
  b.live_out(c);
  const Plan plan = planned(b);
  ASSERT_EQ(all<Sweep>(plan).size(), 1u);
  EXPECT_EQ(all<Sweep>(plan)[0]->launches.size(), 5u);
}

TEST(Fusion, FoldsJoinTheWorkThatMakesTheirVectorsAndOtherReductions) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), c = b.element(mix(), {v});
  const ValueId folded = b.fold(kPlus, mix(), {c, v}, {}, 800);
  b.live_out(b.reduce(kMax, c));
  b.live_out(b.element(scale_by_shared(), {v}, {b.apply(mix(), {folded})}));
  const Plan plan = planned(b);
  ASSERT_EQ(all<Sweep>(plan).size(), 2u) << "what needs its result comes after it";
  EXPECT_EQ(labels(*all<Sweep>(plan)[0]), (std::vector<std::string>{"mix", "fold", "reduce"}));
  EXPECT_EQ(all<Sweep>(plan)[0]->slots, 1u);
  ASSERT_EQ(all<Exchange>(plan).size(), 1u);
  EXPECT_EQ(all<Exchange>(plan)[0]->reductions.size(), 2u);
}

TEST(Fusion, KeepsSpacesApart) {
  ProgramBuilder b;
  b.live_out(b.element(mix(), {b.live_in(kSpace0)}));
  b.live_out(b.element(mix(), {b.live_in(kSpace1)}));
  EXPECT_EQ(all<Sweep>(planned(b)).size(), 2u);
}

TEST(Fusion, ProgramOrderDoesNotMatter) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), w = b.live_in(kSpace1);
  ValueId x = v, y = w;
  for (int k = 0; k < 3; ++k) {
    x = b.element(mix(), {x});
    y = b.element(mix(), {y});
  }
  b.live_out(x);
  b.live_out(y);
  EXPECT_EQ(all<Sweep>(planned(b)).size(), 2u);
}

TEST(Fusion, WhatNeedsAReductionComesAfterIt) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  const ValueId mean = b.apply(mix(), {b.reduce(kPlus, v)});
  b.live_out(b.element(scale_by_shared(), {v}, {mean}));
  b.live_out(b.element(mix(), {v}));
  const Plan plan = planned(b);
  ASSERT_EQ(all<Sweep>(plan).size(), 2u);
  EXPECT_EQ(labels(*all<Sweep>(plan)[0]), (std::vector<std::string>{"reduce", "mix"}));
}

TEST(Fusion, WorkWaitsForReadersThatWait) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), w = b.live_in(kSpace0);
  const ValueId a = b.element(shift(1), {v});
  const ValueId sum = b.apply(mix(), {b.reduce(kPlus, w)});
  b.live_out(b.element(scale_by_shared(), {b.element(mix(), {a, w})}, {sum}));
  const Plan plan = planned(b);
  ASSERT_EQ(all<Sweep>(plan).size(), 2u);
  EXPECT_EQ(labels(*all<Sweep>(plan)[0]), (std::vector<std::string>{"reduce"}));
  EXPECT_EQ(labels(*all<Sweep>(plan)[1]), (std::vector<std::string>{"shift", "mix", "scale"}));
}

TEST(Fusion, WorkDoesNotWaitIfThatReadsMore) {
  for (const bool narrow : {false, true}) {
    ProgramBuilder b;
    const ValueId v = b.live_in(kSpace0), w = b.live_in(kSpace0);
    const ValueId a = b.element(mix(), {v, w}, {}, narrow ? 4 : 8);
    const ValueId sum = b.apply(mix(), {b.reduce(kPlus, v), b.reduce(kPlus, w)});
    b.live_out(b.element(scale_by_shared(), {a}, {sum}));
    const Plan plan = planned(b);
    ASSERT_EQ(all<Sweep>(plan).size(), 2u);
    EXPECT_EQ(all<Sweep>(plan)[0]->launches.size(), narrow ? 3u : 2u) << "v and w are read there anyway";
  }
}

/// Two batches of a vector that is in eight: each reads an eighth of it.
TEST(Fusion, WorkThatReadsPartsWaits) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, {}, false, 64), w = b.live_in(kSpace0);
  b.program.values[index_of(v)].type.parts = 8;
  const ValueId some = b.element(shift(1), {v}), others = b.element(shift(2), {v});
  const ValueId sum = b.apply(mix(), {b.reduce(kPlus, w)});
  b.live_out(b.element(scale_by_shared(), {b.element(mix(), {some, others, w})}, {sum}));
  const Plan plan = optimize(b.program, small_world(3).stats(), {});
  ASSERT_EQ(all<Sweep>(plan).size(), 2u);
  EXPECT_EQ(labels(*all<Sweep>(plan)[0]), (std::vector<std::string>{"reduce"}));
}

TEST(Fusion, WorkOfWhichAnythingIsReadAtOnceDoesNotWait) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), w = b.live_in(kSpace0);
  const ValueId a = b.element(mix(), {v});
  const ValueId sum = b.apply(mix(), {b.reduce(kPlus, a), b.reduce(kPlus, w)});
  b.live_out(b.element(scale_by_shared(), {a}, {sum}));
  const Plan plan = planned(b);
  ASSERT_EQ(all<Sweep>(plan).size(), 2u);
  EXPECT_EQ(labels(*all<Sweep>(plan)[0]), (std::vector<std::string>{"mix", "reduce", "reduce"}));
}

TEST(Fusion, AConsumerRunsStraightAfterItsProducer) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  const ValueId a = b.element(scale(3), {v}), c = b.element(shift(3), {v});
  b.live_out(b.element(mix(), {a}));
  b.live_out(b.element(minus(), {c, c}));
  const Plan plan = planned(b);
  EXPECT_EQ(labels(*all<Sweep>(plan).at(0)), (std::vector<std::string>{"scale", "mix", "shift", "minus"}));
}

TEST(Fusion, ElementAndMatrixWorkStayApart) {
  ProgramBuilder b;
  const ValueId v = b.element(mix(), {b.live_in(kSpace0)});
  b.live_out(b.element(mix(), {b.mxv(0, v, kSpace0)}));
  const Plan plan = planned(b);
  ASSERT_EQ(all<Sweep>(plan).size(), 3u);
  EXPECT_EQ(all<Sweep>(plan)[1]->matrix, MatrixId{0});
}

TEST(Fusion, OffRunsEveryPrimitiveAlone) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::consistent({row_role(0)}));
  const ValueId x = b.mxv(0, v, kSpace0), y = b.mxv(0, v, kSpace0);
  const ValueId z = b.element(mix(), {x, y, b.source(kSpace0)});
  b.live_out(b.reduce(kPlus, z));
  b.live_out(b.element(scale(3), {z}));
  b.element(mix(), {z});  // dead, also with fusion off
  const Plan plan = planned(b, off());
  EXPECT_EQ(all<Sweep>(plan).size(), 6u);
  for (const Sweep* sweep : all<Sweep>(plan)) {
    EXPECT_EQ(sweep->launches.size(), 1u);
    for (const Place& place : sweep->places) EXPECT_EQ(place.replaces, kNone<ValueId>);
  }
}

TEST(Fusion, OffDoesNotRotate) {
  ProgramBuilder b;
  const Values out = b.repeat(3, {b.live_in(kSpace0)},
                              [&](const Values& a) { return Values{b.mxv(0, b.element(mix(), {a[0]}), kSpace0)}; });
  b.live_out(out[0]);
  const Plan plan = planned(b, off());
  EXPECT_EQ(all<Sweep>(plan).size(), all<Sweep>(all<Loop>(plan).at(0)->body).size()) << "nothing runs before the loop";
}

// ---- several products over one matrix ----

std::vector<std::size_t> groups(const Sweep& sweep) {
  std::vector<std::size_t> sizes;
  for (const Launch& launch : sweep.launches) sizes.push_back(launch.out.size());
  return sizes;
}

TEST(JoinedProducts, OfAFamilyRunFourTwoOrOneAtATime) {
  const std::vector<std::vector<std::size_t>> expected{{1}, {2}, {2, 1}, {4}, {4, 1}, {4, 2}, {4, 2, 1}};
  for (std::size_t n = 1; n <= expected.size(); ++n) {
    ProgramBuilder b;
    for (std::size_t k = 0; k < n; ++k) {
      b.live_out(b.mxv(0, b.live_in(kSpace0, State::consistent({row_role(0)})), kSpace0));
    }
    const Plan plan = planned(b);
    ASSERT_EQ(all<Sweep>(plan).size(), 1u);
    EXPECT_EQ(groups(*all<Sweep>(plan)[0]), expected[n - 1]);
  }
}

TEST(JoinedProducts, OfDifferentFamiliesShareTheSweepOnly) {
  ProgramBuilder b;
  for (std::uint64_t family : {1, 2, 1, 0, 0}) {
    const ValueId v = b.live_in(kSpace0, State::consistent({row_role(0)}));
    b.live_out(b.mxv(0, v, kSpace0, kPlus, family));
  }
  const Plan plan = planned(b);
  ASSERT_EQ(all<Sweep>(plan).size(), 1u);
  EXPECT_EQ(groups(*all<Sweep>(plan)[0]), (std::vector<std::size_t>{2, 1, 1, 1}));
}

TEST(JoinedProducts, OneDirectionOneMatrixNoDependence) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::consistent({row_role(0), column_role(0), row_role(1)}));
  const ValueId x = b.mxv(0, v, kSpace0);
  b.live_out(b.mxvt(0, v, kSpace0));
  b.live_out(b.mxv(1, v, kSpace1));
  b.live_out(b.mxv(0, x, kSpace0));
  EXPECT_EQ(all<Sweep>(planned(b)).size(), 4u);
}

TEST(JoinedProducts, CanBeSwitchedOff) {
  ProgramBuilder b;
  for (int k = 0; k < 3; ++k) b.live_out(b.mxv(0, b.live_in(kSpace0, State::consistent({row_role(0)})), kSpace0));
  EXPECT_EQ(all<Sweep>(planned(b, without("join-mxv"))).size(), 3u);
}

TEST(JoinedProducts, OfOneMatrixInALoopShareOneSweepAndOneGather) {
  constexpr std::size_t kProducts = 9;
  ProgramBuilder b;
  const Values out = b.repeat(3, Values(kProducts, b.live_in(kSpace0)), [&](const Values& a) {
    Values yields;
    for (std::size_t k = 0; k < kProducts; ++k)
      yields.push_back(b.element(scale(k + 1), {b.mxv(0, a[k], kSpace0, kMax)}));
    return yields;
  });
  for (ValueId value : out) b.live_out(value);
  const Plan plan = planned(b);
  const std::vector<Step>& body = all<Loop>(plan).at(0)->body;
  ASSERT_EQ(all<Sweep>(body).size(), 2u) << "over the matrix, and the element work";
  EXPECT_EQ(groups(*all<Sweep>(body)[0]), (std::vector<std::size_t>{4, 4, 1}));
  std::size_t exchanges_of_all = 0;
  for (const Exchange* exchange : all<Exchange>(body)) {
    exchanges_of_all += exchange->gathers.size() == kProducts || exchange->scatters.size() == kProducts ? 1 : 0;
  }
  EXPECT_EQ(exchanges_of_all, 2u);
  EXPECT_EQ(all<Exchange>(body).size(), 2u);
}

// ---- several reductions ----

/// As in K-means: for each of k centres the members' coordinates and their number.
TEST(IndependentReductions, ShareOneSweepAndOneMessage) {
  constexpr std::size_t kCentres = 5;
  ProgramBuilder b;
  const ValueId points = b.live_in(kSpace0);
  const Values out = b.repeat(3, Values(kCentres, b.live_shared()), [&](const Values& centres) {
    const ValueId nearest = b.element(mix(), {points}, centres);
    Values moved;
    for (std::size_t k = 0; k < kCentres; ++k) {
      const ValueId mine = b.element(scale(k + 1), {nearest});
      const ValueId sum = b.reduce(kPlus, b.element(product(), {points, mine})), number = b.reduce(kPlus, mine);
      moved.push_back(b.apply(mix(), {sum, number}));
    }
    return moved;
  });
  for (ValueId value : out) b.live_out(value);
  for (const Sync sync : {Sync::hybrid, Sync::eager, Sync::lazy}) {
    Options options;
    options.sync = sync;
    const Plan plan = planned(b, options);
    const std::vector<Step>& body = all<Loop>(plan).at(0)->body;
    ASSERT_EQ(all<Sweep>(body).size(), 1u);
    ASSERT_EQ(all<Exchange>(body).size(), 1u);
    EXPECT_EQ(all<Exchange>(body)[0]->reductions.size(), 2 * kCentres);
    std::uint64_t read = 0, written = 0;
    for (const Step& step : body) read += step.stream.elements_read, written += step.stream.elements_written;
    EXPECT_EQ(read, 40u) << "the points, once";
    EXPECT_EQ(written, 0u);
  }
}

// ---- sources ----

TEST(Sources, AreMadeAgainInEverySweepThatReadsThem) {
  ProgramBuilder b;
  const ValueId ones = b.source(kSpace0), v = b.live_in(kSpace0);
  const ValueId x = b.element(mix(), {v, ones});
  b.live_out(b.element(mix(), {b.mxv(0, x, kSpace0), ones}));
  const Plan plan = planned(b);
  std::size_t made = 0;
  for (const Sweep* sweep : all<Sweep>(plan)) {
    for (const Launch& launch : sweep->launches) {
      if (launch.op != Op::source) continue;
      ++made;
      EXPECT_EQ(place_of(*sweep, launch.out[0]).kind, Place::Kind::temporary);
    }
  }
  EXPECT_EQ(made, 2u);
}

TEST(Sources, AreMadeWhereTheirReadersRun) {
  // The reader computes on replicas, so the source does, too.
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::consistent({row_role(0)}));
  b.live_out(b.mxv(0, b.element(mix(), {v, b.source(kSpace0, true)}), kSpace0));
  const Plan plan = planned(b);
  EXPECT_EQ(launch_by(plan, 13)->roles, (RoleSet{row_role(0)}));
  EXPECT_EQ(launch_by(plan, 0)->roles, (RoleSet{row_role(0)}));
}

TEST(Sources, AreStoredWhereTheyMustBe) {
  const std::vector<std::function<void(ProgramBuilder&, ValueId)>> readers{
      [](ProgramBuilder& b, ValueId source) { b.live_out(source); },
      [](ProgramBuilder& b, ValueId source) { b.live_out(b.mxv(0, source, kSpace0)); },
      [](ProgramBuilder& b, ValueId source) {
        b.live_out(b.repeat(2, {source}, [&](const Values& a) { return Values{b.element(mix(), {a[0]})}; })[0]);
      },
      [](ProgramBuilder& b, ValueId source) {
        const auto side = [&] { return Values{source}; };
        b.live_out(b.branch(b.live_shared(), side, side)[0]);
      }};
  for (const auto& read : readers) {
    ProgramBuilder b;
    const ValueId source = b.source(kSpace0);
    read(b, source);
    b.live_out(b.element(mix(), {source}));
    const Plan plan = planned(b);
    EXPECT_NE(plan.class_of[index_of(source)], kNotStored);
    std::size_t made = 0;
    for (const Launch* launch : launches(plan)) made += launch->op == Op::source ? 1 : 0;
    EXPECT_EQ(made, 1u);
  }
}

}  // namespace
}  // namespace kasen::optimizer::tests
