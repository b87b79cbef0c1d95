/// @file
/// Group-by and K-means by keys: one pass over the elements, one exchange of results by key, and what these read, write
/// and send, derived here from the sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kasen/kasen.h"
#include "kasen/session/engine.h"
#include "optimizer/plan/plan.h"

namespace kasen::tests {
namespace {

using Int = std::int64_t;
constexpr std::uint64_t kElements = 500, kKeys = 9;

struct Found {
  std::vector<const optimizer::Sweep*> sweeps;
  std::vector<const optimizer::Exchange*> exchanges;
  std::vector<Counts> of_sweeps, of_exchanges;
};

void add(const std::vector<optimizer::Step>& steps, Found& found) {
  for (const optimizer::Step& step : steps) {
    if (const auto* sweep = std::get_if<optimizer::Sweep>(&step.what)) {
      found.sweeps.push_back(sweep);
      found.of_sweeps.push_back(step.stream);
    } else if (const auto* exchange = std::get_if<optimizer::Exchange>(&step.what)) {
      found.exchanges.push_back(exchange);
      found.of_exchanges.push_back(step.stream);
    } else if (const auto* loop = std::get_if<optimizer::Loop>(&step.what)) {
      add(loop->body, found);
    }
  }
}

Options hybrid(Fusion fusion) {
  Options options;
  options.quiet = true;
  options.fusion = fusion;
  return options;
}

/// Whether transitions that move nothing are no exchanges.
bool drops_empty(Fusion fusion, std::uint64_t workers) { return fusion == Fusion::exact && workers == 1; }

void expect_counts_as_predicted(const Session& session) {
  const RunCounts counts = session.counts();
  for (const auto& field : Counts::fields())
    EXPECT_EQ(counts.predicted.*field.member, counts.measured.*field.member) << field.name;
}

/// A filter, a key that is computed, and three aggregates; the keys are stored, as they are read again later.
TEST(GroupBy, IsOnePassAndOneExchange) {
  for (const Fusion fusion : {Fusion::greedy, Fusion::exact}) {
    Session session(hybrid(fusion));
    const auto workers = static_cast<std::uint64_t>(session.workers());
    const auto amount = map([](GlobalIndex i) { return static_cast<double>(i % 31); }, iota(kElements));
    ASSERT_EQ(amount.get().size(), kElements);
    const auto group = map([](double a) { return a < 3 ? -1 : static_cast<std::int32_t>(a) % 9; }, amount);
    const auto sums = reduce_by_key(plus, group, amount, kKeys);
    const auto counts = reduce_by_key(plus, group, constant(kElements, Int{1}), kKeys);
    const auto most = reduce_by_key(max, group, amount, kKeys);
    const auto spread =
        zip_with([](double most_of, double sum, Int n) { return n == 0 ? 0 : most_of - sum / static_cast<double>(n); },
                 most, sums, counts);
    const auto got = spread.get();
    std::vector<double> sum(kKeys), largest(kKeys);
    std::vector<Int> number(kKeys);
    for (std::uint64_t i = 0; i < kElements; ++i) {
      if (i % 31 < 3) continue;
      sum[i % 31 % 9] += static_cast<double>(i % 31);
      largest[i % 31 % 9] = std::max(largest[i % 31 % 9], static_cast<double>(i % 31));
      ++number[i % 31 % 9];
    }
    for (std::size_t k = 0; k < kKeys; ++k) EXPECT_EQ(got[k], largest[k] - sum[k] / static_cast<double>(number[k]));

    Found found;
    add(session.engine().plans().back()->plan.steps, found);
    ASSERT_EQ(found.sweeps.size(), 2u);  // over the elements, and over the groups
    if (drops_empty(fusion, workers)) continue;
    ASSERT_EQ(found.exchanges.size(), 1u);
    EXPECT_EQ(found.exchanges[0]->gathers.size(), 3u);
    EXPECT_EQ(found.exchanges[0]->scatters.size(), 0u);
    EXPECT_EQ(found.of_sweeps[0].bytes_read, 8 * kElements);
    EXPECT_EQ(found.of_sweeps[0].bytes_written, 4 * kElements + 3 * 8 * kKeys * workers);
    EXPECT_EQ(found.of_exchanges[0].bytes_sent, 3 * 8 * kKeys * (workers - 1));
    expect_counts_as_predicted(session);
  }
}

using Point = Row<double, 2>;
using Centres = std::array<Point, kKeys>;

std::int32_t nearest(const Point& p, const Centres& centres) {
  std::int32_t best = 0;
  double least = infinity;
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(kKeys); ++k) {
    const Point& c = centres[static_cast<std::size_t>(k)];
    const double far = (p[0] - c[0]) * (p[0] - c[0]) + (p[1] - c[1]) * (p[1] - c[1]);
    if (far < least) least = far, best = k;
  }
  return best;
}

Point point(Int i) { return {std::floor(static_cast<double>(i * i % 97)), static_cast<double>(i * 7 % 89)}; }

TEST(KMeans, IsOnePassOverThePoints) {
  constexpr int kRounds = 5;
  for (const Fusion fusion : {Fusion::greedy, Fusion::exact}) {
    Session session(hybrid(fusion));
    const auto workers = static_cast<std::uint64_t>(session.workers());
    const Vector<Point> points = map([](GlobalIndex i) { return point(i); }, iota(kElements));
    ASSERT_EQ(points.get().size(), kElements);
    Centres start;
    for (std::size_t k = 0; k < kKeys; ++k) start[k] = point(static_cast<Int>(k) * 50);
    Shared<Centres> centres = start;
    Shared<Int> round = 0;
    const auto one = with_identity(
        [](const Centres& a, const Centres& b) {
          Centres both = a;
          for (std::size_t k = 0; k < kKeys; ++k) both[k] = both[k] + b[k];
          return both;
        },
        Centres{});
    while_(likely([&] { return round < Int{kRounds}; }), [&] {
      const auto cluster = map([](const Point& p, const Centres& c) { return nearest(p, c); }, points, centres);
      const auto sums = reduce_by_key(plus, cluster, points, kKeys);
      const auto counts = reduce_by_key(plus, cluster, constant(kElements, Int{1}), kKeys);
      const auto means = zip_with(
          [](GlobalIndex k, const Point& s, Int n) {
            Centres mean{};
            mean[static_cast<std::size_t>(k)] = {s[0] / static_cast<double>(n), s[1] / static_cast<double>(n)};
            return mean;
          },
          iota(kKeys), sums, counts);
      centres = reduce(one, means);
      round = round + Int{1};
    });
    Centres want = start;
    for (int r = 0; r < kRounds; ++r) {
      std::array<Point, kKeys> sum{};
      std::array<Int, kKeys> count{};
      for (Int i = 0; i < Int{kElements}; ++i) {
        const auto k = static_cast<std::size_t>(nearest(point(i), want));
        sum[k] = sum[k] + point(i);
        ++count[k];
      }
      for (std::size_t k = 0; k < kKeys; ++k)
        want[k] = {sum[k][0] / static_cast<double>(count[k]), sum[k][1] / static_cast<double>(count[k])};
    }
    const Centres got = centres.get();
    for (std::size_t k = 0; k < kKeys; ++k) {
      EXPECT_DOUBLE_EQ(got[k][0], want[k][0]);
      EXPECT_DOUBLE_EQ(got[k][1], want[k][1]);
    }

    Found found;
    add(session.engine().plans().back()->plan.steps, found);
    // Over the points, and over the centres; of sums and counts, and of the new centres.
    ASSERT_EQ(found.sweeps.size(), 2u);
    if (drops_empty(fusion, workers)) continue;
    ASSERT_EQ(found.exchanges.size(), 2u);
    EXPECT_EQ(found.exchanges[0]->gathers.size(), 2u);
    EXPECT_EQ(found.exchanges[0]->scatters.size(), 0u);
    EXPECT_EQ(found.exchanges[1]->reductions.size(), 1u);
    EXPECT_EQ(found.of_sweeps[0].bytes_read, sizeof(Point) * kElements);
    EXPECT_EQ(found.of_sweeps[0].bytes_written, (sizeof(Point) + 8) * kKeys * workers);
    EXPECT_EQ(found.of_exchanges[0].bytes_sent, (sizeof(Point) + 8) * kKeys * (workers - 1));
    EXPECT_EQ(found.of_exchanges[0].messages, workers * (workers - 1));
    expect_counts_as_predicted(session);
  }
}

}  // namespace
}  // namespace kasen::tests
