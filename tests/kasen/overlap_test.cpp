/// @file
/// Vectors that travel while other work is done: the same bits and the same counts as without, on numbers whose sums
/// are rounded, and whichever way a program takes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/kasen.h"
#include "kasen/session/engine.h"
#include "tests/endtoend/agreement_of_counts.h"
#include "tests/support/graphs.h"
#include "tests/support/pmpi_witness.h"

namespace kasen::tests {
namespace {

using Numbers = std::vector<double>;

struct Outcome {
  Numbers numbers;
  Counts measured;
  std::string plan;
};

/// @param counts whether all runs come to their end: others are not counted.
Outcome run(Options options, const std::function<Numbers()>& compute, bool counts = true) {
  options.quiet = true;
  options.storage = Storage::blocked;
  options.partition = Partition::hybrid_cut;
  options.threshold = 6;
  options.block_edge = 16;
  options.part_elements = 4;
  reset_witness();
  Session session(options);
  Outcome result;
  result.numbers = compute();
  const std::string wrong = counts ? disagreements(session) : "";
  EXPECT_TRUE(wrong.empty()) << wrong << session.plan_text();
  result.measured = session.engine().counts().measured;
  result.plan = session.plan_text();
  return result;
}

std::size_t times_in(const std::string& text, const std::string& word) {
  std::size_t times = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++times;
  return times;
}

/// With overlap, on 1 and 3 threads, and without. @return with it, on one thread
Outcome expect_same(const std::function<Numbers()>& compute, Options options = {}) {
  options.overlap = Overlap::off;
  const Outcome apart = run(options, compute);
  EXPECT_EQ(times_in(apart.plan, "overlapped"), 0u);
  options.overlap = Overlap::on;
  const Outcome one = run(options, compute);
  options.threads = 3;
  const Outcome several = run(options, compute);
  for (const Outcome* other : {&one, &several}) {
    EXPECT_EQ(other->numbers, apart.numbers) << other->plan;
    EXPECT_EQ(other->measured, apart.measured);
  }
  return one;
}

int workers() { return Session::current().workers(); }

Matrix<Pattern> graph() {
  const auto& session = Session::current();
  const Edges edges = rmat(7, 5, 1, {session.rank(), session.workers()});
  return make_matrix(128, 128, {edges.source, edges.target, {}, 0});
}

Vector<double> thirds(Space space) {
  return map([](GlobalIndex i) { return static_cast<double>((i * 7919) % 1009) / 3; }, iota(space));
}

constexpr auto kDamped = [](double x) { return 0.15 + x / 7; };

/// As PageRank: a scatter round the back edge, with a sum beside it, and a gather.
TEST(Overlap, OfAnIteratedProduct) {
  for (const Fusion fusion : {Fusion::greedy, Fusion::exact}) {
    Options options;
    options.fusion = fusion;
    int of = 1;
    const Outcome one = expect_same(
        [&] {
          of = workers();
          const auto G = graph();
          auto x = thirds(G.rows());
          Shared<double> change = infinity;
          Shared<int> iteration = 0;
          while_(likely([&] { return change > 1e-12 && iteration < 9; }), [&] {
            const auto next = map(kDamped, mxv(first, plus, G, map(times, x, 0.3)));
            change = reduce(plus, zip_with([](double a, double b) { return std::abs(a - b); }, x, next));
            x = next;
            iteration = iteration + 1;
          });
          Numbers all = x.get();
          all.push_back(change.get());
          return all;
        },
        options);
    if (of == 1) {
      EXPECT_EQ(times_in(one.plan, "overlapped"), 0u);
    } else {
      EXPECT_GE(times_in(one.plan, "ends after the blocks of masters"), 1u) << one.plan;
      EXPECT_GE(times_in(one.plan, "begins after the blocks of replicas"), 1u) << one.plan;
    }
  }
}

/// Two vectors at a time, both directions, and values of entries.
TEST(Overlap, OfSeveralProducts) {
  expect_same([] {
    const auto& session = Session::current();
    const Edges edges = uniform_edges(90, 130, 900, 3, {session.rank(), session.workers()});
    std::vector<Entry<double>> mine;
    for (std::size_t k = 0; k < edges.source.size(); ++k)
      mine.push_back({edges.source[k], edges.target[k], static_cast<double>((edges.source[k] * 31 + 7) % 97) / 7});
    const auto M = make_matrix<double>(Space(90), Space(130), std::span<const Entry<double>>(mine));
    auto a = thirds(M.rows()), b = map(kDamped, thirds(M.rows()));
    Shared<int> iteration = 0;
    while_(likely([&] { return iteration < 5; }), [&] {
      const auto there_a = map(kDamped, mxv(times, plus, M, a)), there_b = map(kDamped, mxv(times, plus, M, b));
      a = map([](double x) { return std::fmod(x, 3.0); }, mxvt(times, plus, M, there_a));
      b = map([](double x) { return std::fmod(x, 5.0); }, mxvt(times, plus, M, zip_with(minus, there_b, there_a)));
      iteration = iteration + 1;
    });
    Numbers all = a.get();
    const Numbers more = b.get();
    all.insert(all.end(), more.begin(), more.end());
    return all;
  });
}

/// Loops that are left with a scatter under way, entered with one, and not entered at all.
TEST(Overlap, OfLoopsInLoops) {
  expect_same([] {
    const auto G = graph();
    auto x = thirds(G.rows());
    Shared<int> outer = 0;
    while_(likely([&] { return outer < 4; }), [&] {
      Shared<int> inner = 0;
      auto y = map(kDamped, x);
      while_(likely([&] { return inner < outer; }), [&] {
        y = map(kDamped, mxv(first, plus, G, y));
        inner = inner + 1;
      });
      x = zip_with([](double a, double b) { return std::fmod(a + b, 7.0); }, y, mxvt(first, plus, G, x));
      outer = outer + 1;
    });
    return x.get();
  });
}

/// An error that all workers meet between the beginning and the end of an exchange leaves the session as it was.
TEST(Overlap, EndsAfterAnErrorOfAllWorkers) {
  const auto attempts = [] {
    const auto G = graph();
    const auto nothing = thirds(Space(0));
    const auto either = [](double a, double) { return a; };
    Numbers all;
    for (int attempt = 0; attempt < 3; ++attempt) {
      auto x = map(kDamped, thirds(G.rows()));
      Shared<double> s = 1.0;
      bool caught = false;
      try {
        while_(likely([&] { return s > 0.5; }), [&] {
          x = mxv(first, plus, G, map(kDamped, x));  // the map and a scatter end the iteration before
          s = reduce(either, nothing);               // of no elements, without identity
        });
        x.get();
      } catch (const Error&) {
        caught = true;
      }
      EXPECT_TRUE(caught);
      const Numbers after = mxv(first, plus, G, thirds(G.rows())).get();
      all.insert(all.end(), after.begin(), after.end());
    }
    return all;
  };
  Options options;
  options.overlap = Overlap::off;
  const Outcome apart = run(options, attempts, false);
  options.overlap = Overlap::on;
  EXPECT_EQ(run(options, attempts, false).numbers, apart.numbers);
}

}  // namespace
}  // namespace kasen::tests
