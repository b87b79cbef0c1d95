/// @file
/// The optimizer as a whole: passes by name, fingerprints, and plans for many workers.
#include "optimizer/optimize.h"

#include <gtest/gtest.h>

#include <chrono>

#include "kasen/base/error.h"
#include "optimizer/text/print.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

using Values = ProgramBuilder::Values;

/// PageRank's shape: ranks over degrees, a product, an update and how much it changed.
ProgramBuilder page_rank(const char* update = "mix", std::uint32_t bytes = 8) {
  ProgramBuilder b;
  const ValueId ones = b.source(kSpace0), damping = b.live_shared(), other = b.live_shared();
  const ValueId degree = b.mxvt(0, ones, kSpace0);
  const Values out = b.repeat(3, {ones, other}, [&](const Values& a) {
    const ValueId sum = b.mxv(0, b.element(mix(), {a[0], degree}), kSpace0);
    Function f = mix();
    f.name = update;
    const ValueId ranks = b.element(f, {sum}, {damping}, bytes);
    return Values{ranks, b.reduce(kPlus, b.element(minus(), {a[0], ranks}, {}, bytes))};
  });
  b.live_out(out[0]);
  b.live_out(out[1]);
  return b;
}

TEST(Passes, AreListedInOrder) {
  const auto names = pass_names();
  EXPECT_EQ(names, (std::vector<std::string_view>{"dead-values",
                                                  "renames",
                                                  "hoist",
                                                  "common-subexpressions",
                                                  "normalise-loops",
                                                  "semi-naive",
                                                  "fixpoints",
                                                  "rotate",
                                                  "merge-branches",
                                                  "derive-laws",
                                                  "place-transitions",
                                                  "drop-empty",
                                                  "sweeps",
                                                  "liveness",
                                                  "delta-loops",
                                                  "storage",
                                                  "walks",
                                                  "routes",
                                                  "sparse-exchanges",
                                                  "overlap"}));
  EXPECT_EQ(optional_passes(), (std::vector<std::string_view>{
                                   "dead-values", "renames", "hoist", "common-subexpressions", "semi-naive",
                                   "fixpoints", "rotate", "merge-branches", "derive-laws", "drop-empty", "delta-loops",
                                   "sparse-exchanges", "fuse", "join-mxv", "one-pass", "in-place", "reuse-buffers"}));
}

TEST(Passes, WithAnUnknownNameAreAUsageError) {
  Options options;
  options.passes_off = {"fuze"};
  try {
    optimize(page_rank().program, small_world(2).stats(), options);
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("fuze"), std::string::npos);
    EXPECT_EQ(error.exit_status(), 2);
  }
}

TEST(Passes, WithoutFusionAreNothingToSearchIn) {
  Options options;
  options.passes_off = {"fuse"};
  options.fusion = Fusion::exact;
  EXPECT_THROW(optimize(page_rank().program, small_world(2).stats(), options), UsageError);
}

TEST(Passes, SwitchedOffSinglyStillGiveAPlan) {
  for (const std::string_view name :
       {"normalise-loops", "place-transitions", "sweeps", "liveness", "storage", "walks", "routes", "overlap"}) {
    Options options;
    options.passes_off = {std::string(name)};
    EXPECT_THROW(optimize(page_rank().program, small_world(2).stats(), options), UsageError) << name;
  }
  for (const std::string_view name : optional_passes()) {
    SCOPED_TRACE(name);
    Options options;
    options.passes_off = {std::string(name)};
    for (const Sync sync : {Sync::hybrid, Sync::eager, Sync::lazy}) {
      options.sync = sync;
      expect_right(page_rank(), small_world(3), options);
    }
  }
}

TEST(Passes, SwitchedOffAllTogetherStillGiveAPlan) {
  Options options;
  options.passes_off = {"dead-values", "renames",  "hoist",          "common-subexpressions", "semi-naive",
                        "fixpoints",   "rotate",   "merge-branches", "derive-laws",           "fuse",
                        "join-mxv",    "one-pass", "in-place",       "reuse-buffers"};
  const Plan plan = expect_right(page_rank(), small_world(3), options);
  for (const Sweep* sweep : all<Sweep>(plan)) EXPECT_EQ(sweep->launches.size(), 1u);
}

TEST(Passes, AreObserved) {
  std::vector<std::string> seen, skipped;
  Options options;
  options.passes_off = {"rotate"};
  double seconds = 0;
  const auto start = std::chrono::steady_clock::now();
  optimize(page_rank().program, small_world(2).stats(), options, {}, [&](const PassReport& report) {
    seen.emplace_back(report.name);
    if (report.skipped) skipped.emplace_back(report.name);
    seconds += report.seconds;
    EXPECT_FALSE(report.text().empty());
  });
  const std::chrono::duration<double> in_all = std::chrono::steady_clock::now() - start;
  EXPECT_GT(seconds, 0);
  EXPECT_LE(seconds, in_all.count()) << "one pass after the other";
  // Rotation clones statements and leaves some that only it read, and joined branches may compute one thing twice:
  // equal statements and dead values are removed once more.
  EXPECT_EQ(seen, (std::vector<std::string>{"dead-values",
                                            "renames",
                                            "hoist",
                                            "common-subexpressions",
                                            "normalise-loops",
                                            "semi-naive",
                                            "fixpoints",
                                            "rotate",
                                            "merge-branches",
                                            "common-subexpressions",
                                            "dead-values",
                                            "derive-laws",
                                            "place-transitions",
                                            "drop-empty",
                                            "sweeps",
                                            "liveness",
                                            "delta-loops",
                                            "storage",
                                            "walks",
                                            "routes",
                                            "sparse-exchanges",
                                            "overlap"}));
  EXPECT_EQ(skipped, (std::vector<std::string>{"rotate", "drop-empty"}));
}

TEST(PageRank, HasTwoSweepsInItsLoopAtAnyNumberOfWorkers) {
  for (const std::uint32_t workers : {1, 2, 3, 5}) {
    const Plan plan = expect_right(page_rank(), small_world(workers));
    const std::vector<Step>& body = all<Loop>(plan).at(0)->body;
    EXPECT_EQ(all<Sweep>(body).size(), 2u);
    EXPECT_EQ(all<Exchange>(body).size(), 2u);
  }
}

// ---- fingerprints ----

std::uint64_t fingerprint_of(const ProgramBuilder& b, std::uint32_t workers = 2, Options options = {}) {
  return optimize(b.program, small_world(workers).stats(), options).fingerprint;
}

TEST(Fingerprint, OfEqualProgramsIsEqual) { EXPECT_EQ(fingerprint_of(page_rank()), fingerprint_of(page_rank())); }

TEST(Fingerprint, OfDifferentProgramsDiffers) {
  const std::uint64_t one = fingerprint_of(page_rank());
  EXPECT_NE(one, fingerprint_of(page_rank("blend"))) << "another function";
  EXPECT_NE(one, fingerprint_of(page_rank("mix", 4))) << "another type";
  EXPECT_NE(one, fingerprint_of(page_rank(), 3)) << "another placement";
  Options off;
  off.fusion = Fusion::off;
  EXPECT_NE(one, fingerprint_of(page_rank(), 2, off)) << "other options";
  ProgramBuilder more = page_rank();
  more.live_out(more.reduce(kMax, more.program.live_out[0].value));
  EXPECT_NE(one, fingerprint_of(more)) << "a statement more";
}

TEST(Fingerprint, SeesWhichSharedAFunctionReads) {
  const auto program = [](std::size_t which) {
    ProgramBuilder b;
    const ValueId shareds[] = {b.live_shared(), b.live_shared()};
    b.live_out(b.element(scale_by_shared(), {b.live_in(kSpace0)}, {shareds[which]}));
    return b;
  };
  EXPECT_NE(fingerprint_of(program(0)), fingerprint_of(program(1)));
}

TEST(Fingerprint, SeesWhatIsAskedFor) {
  const auto program = [](bool first) {
    ProgramBuilder b;
    const ValueId v = b.live_in(kSpace0);
    const ValueId x = b.element(mix(), {v}), y = b.element(mix(), {v});
    b.live_out(first ? x : y);
    b.live_out(first ? y : x);
    return b;
  };
  EXPECT_NE(fingerprint_of(program(true)), fingerprint_of(program(false)));
}

// ---- size ----

/// A placement by formula: everybody shares replicas with everybody.
PlacementStats many_workers(std::uint32_t workers) {
  PlacementStats stats;
  stats.workers = workers;
  const RoleSet row{row_role(0)}, column{column_role(0)}, both{row_role(0), column_role(0)};
  const WorkerPairs pairs = WorkerPairs::nearest(workers, std::uint64_t{workers} * (workers - 1));
  PlacementStats::Space space;
  space.name = "vertices";
  space.masters = 1'000'000'000;
  space.replicas = 9'000'000'000;
  space.blocks = false;
  space.roles = {
      {row, 8'000'000'000, true, pairs}, {column, 2'000'000'000, true, pairs}, {both, 9'000'000'000, true, pairs}};
  stats.spaces = {space};
  stats.matrices = {{kSpace0, kSpace0, 30'000'000'000, 0, 1}};
  return stats;
}

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Size, AThousandWorkersArePlannedForWithoutData) {
  const PlacementStats stats = many_workers(1024);
  for (const Sync sync : {Sync::hybrid, Sync::eager, Sync::lazy}) {
    Options options;
    options.sync = sync;
    Plan plan;
    EXPECT_LT(seconds([&] { plan = optimize(page_rank().program, stats, options); }), 20.0);
    std::uint64_t sent = 0;
    for (const Step& step : all<Loop>(plan).at(0)->body) sent += step.stream.bytes_sent;
    // The gather, the scatter, and one Shared of everybody to everybody.
    EXPECT_EQ(sent, 8 * (2'000'000'000ull + 8'000'000'000ull + 1024 * 1023));
  }
}

TEST(Size, LongProgramsArePlanned) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  const Values out = b.repeat(3, {v, v}, [&](const Values& a) {
    ValueId x = a[0], y = a[1];
    for (int k = 0; k < 12; ++k) {
      x = b.element(k % 3 == 0 ? scale(3) : mix(), {b.mxv(0, x, kSpace0)});
      y = b.element(add(), {x, y});
    }
    return Values{x, y};
  });
  b.live_out(out[0]);
  b.live_out(out[1]);
  EXPECT_LT(seconds([&] { expect_right(b, small_world(3)); }), 60.0);
}

TEST(Size, SweepsOfManyOperationsAreCut) {
  ProgramBuilder b;
  ValueId v = b.live_in(kSpace0);
  for (int k = 0; k < 300; ++k) v = b.element(mix(), {v});
  b.live_out(v);
  const Plan plan = expect_right(b, small_world(2));
  EXPECT_EQ(all<Sweep>(plan).size(), 3u);
}

TEST(Size, EmptyProgramsGiveEmptyPlans) {
  ProgramBuilder b;
  EXPECT_TRUE(optimize(b.program, small_world(2).stats(), {}).steps.empty());
}

}  // namespace
}  // namespace kasen::optimizer::tests
