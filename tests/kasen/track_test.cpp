/// @file
/// Values that a program tracks: every one is written down, once an iteration, whatever the optimizer does.
#include "kasen/track.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "kasen/kasen.h"
#include "kasen/session/engine.h"

namespace kasen::tests {
namespace {

std::map<std::string, std::vector<double>> series_of(Session& session) {
  std::map<std::string, std::vector<double>> found;
  for (const Progress::Series& series : session.engine().progress().series()) found[series.name] = series.values;
  return found;
}

Options quiet(Fusion fusion, Sync sync) {
  Options options;
  options.quiet = true;
  options.fusion = fusion;
  options.sync = sync;
  return options;
}

/// A sum that only `track` reads, one that the loop carries, and one that no iteration changes.
TEST(Track, WritesEachIterationDownInEveryMode) {
  for (const Fusion fusion : {Fusion::off, Fusion::greedy, Fusion::exact}) {
    for (const Sync sync : {Sync::hybrid, Sync::eager, Sync::lazy}) {
      Session session(quiet(fusion, sync));
      Vector<double> v = constant(Space(11), 1.0), fixed = constant(Space(11), 2.0);
      Shared<double> sum = 11.0;
      Shared<int> k = 0;
      while_(likely([&] { return k < Shared<int>(4); }), [&] {
        track("before", sum);
        v = map(times, v, 2.0);
        sum = reduce(plus, v);
        track("largest", reduce(max, v));
        track("fixed", reduce(plus, fixed));
        k = k + 1;
      });
      EXPECT_EQ(sum.get(), 11.0 * 16);
      const auto series = series_of(session);
      EXPECT_EQ(series.at("before"), (std::vector<double>{11, 22, 44, 88}));
      EXPECT_EQ(series.at("largest"), (std::vector<double>{2, 4, 8, 16}));
      EXPECT_EQ(series.at("fixed"), std::vector<double>(4, 22.0));
      EXPECT_EQ(session.counts().predicted, session.counts().measured);
    }
  }
}

/// What waits for another worker, or stands behind a loop, is not overtaken.
TEST(Track, KeepsTheOrderOfTheProgram) {
  for (const Fusion fusion : {Fusion::off, Fusion::greedy, Fusion::exact}) {
    Session session(quiet(fusion, Sync::hybrid));
    const Space space(11);
    std::vector<Entry<double>> ring;
    for (GlobalIndex i = session.rank(); i < 11; i += session.workers()) ring.push_back({i, (i + 1) % 11, 2.0});
    const auto M = make_matrix<double>(space, space, ring);
    Vector<double> x = constant(space, 1.0);
    Shared<int> k = 0;
    track("r", reduce(plus, map(plus, mxv(times, plus, M, mxv(times, plus, M, x)), 1.0)));
    track("r", reduce(plus, x));
    while_([&] { return k < 2; },
           [&] {
             x = map(times, x, 2.0);
             track("r", reduce(plus, x));
             k = k + 1;
           });
    track("r", reduce(max, constant(space, 7.0)));
    EXPECT_EQ(k.get(), 2);
    EXPECT_EQ(series_of(session).at("r"), (std::vector<double>{55, 11, 22, 44, 7})) << session.plan_text();
  }
}

/// In a branch only when it is taken, in an inner loop every time, in no block once.
TEST(Track, FollowsControlFlow) {
  Session session(quiet(Fusion::greedy, Sync::hybrid));
  Shared<int> k = 0, inner = 0;
  while_([&] { return k < Shared<int>(3); },
         [&] {
           if_(
               k == Shared<int>(1), [&] { track("one", k); }, [&] { track("others", k); });
           inner = 0;
           while_([&] { return inner < k; },
                  [&] {
                    inner = inner + 1;
                    track("inner", inner);
                  });
           k = k + 1;
         });
  track("after", k);
  EXPECT_EQ(k.get(), 3);
  track("at the end", k);
  EXPECT_EQ(k.get(), 3) << "which is known, so that nothing runs";
  auto series = series_of(session);
  EXPECT_EQ(series.at("one"), std::vector<double>{1});
  EXPECT_EQ(series.at("others"), (std::vector<double>{0, 2}));
  EXPECT_EQ(series.at("inner"), (std::vector<double>{1, 1, 2}));
  EXPECT_EQ(series.at("after"), std::vector<double>{3});
  EXPECT_TRUE(series.at("at the end").empty());
  session.finish();
  EXPECT_EQ(series_of(session).at("at the end"), std::vector<double>{3});
}

/// Of a program that asks for no value at all.
TEST(Track, RunsAtTheEndWhatNobodyAskedFor) {
  const auto results = [](const Options& options) {
    Session session(options);
    track("sum", reduce(plus, constant(Space(11), 2.0)));
    session.finish();
    return series_of(session).at("sum");
  };
  Options options = quiet(Fusion::greedy, Sync::hybrid);
  EXPECT_EQ(results(options), std::vector<double>{22});
  options.analyze = true;
  EXPECT_TRUE(results(options).empty());
}

/// A native loop runs one plan again and again; each run writes to the same series.
TEST(Track, NativeLoopsAddToOneSeries) {
  Session session(quiet(Fusion::greedy, Sync::hybrid));
  Vector<double> v = constant(Space(5), 1.0);
  for (int k = 0; k < 4; ++k) {
    v = map(plus, v, 1.0);
    const Shared<double> sum = reduce(plus, v);
    track("sum", sum);
    sum.get();
  }
  EXPECT_EQ(series_of(session).at("sum"), (std::vector<double>{10, 15, 20, 25}));
}

}  // namespace
}  // namespace kasen::tests
