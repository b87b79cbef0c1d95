/// @file
/// Kernels that go on from what they improve, in a loop as workers run it: wherever they stop, and in whatever order
/// they push, shortest ways are those of Dijkstra's algorithm.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <queue>
#include <random>
#include <utility>
#include <vector>

#include "kasen/functors.h"
#include "kasen/runtime/element_set.h"
#include "kasen/runtime/kernels.h"
#include "kasen/runtime/pending_set.h"
#include "kasen/runtime/settling_kernel.h"

namespace kasen::runtime {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

/// Edges from each vertex, with lengths.
struct Roads {
  explicit Roads(LocalIndex n) : vertices(n) {}

  LocalIndex vertices;
  std::vector<std::uint64_t> pointer{0};
  std::vector<std::uint32_t> index;
  std::vector<double> value;

  void add(std::uint64_t to, double length) {
    index.push_back(static_cast<std::uint32_t>(to));
    value.push_back(length);
  }
  void end_vertex() { pointer.push_back(index.size()); }
};

/// A square in which neighbours are joined both ways.
Roads grid(LocalIndex edge, const std::function<double(std::uint64_t, std::uint64_t)>& length) {
  Roads roads(edge * edge);
  for (LocalIndex u = 0; u < roads.vertices; ++u) {
    const auto join = [&](bool there_is, LocalIndex v) {
      if (there_is) roads.add(v, length(u, v));
    };
    join(u % edge + 1 < edge, u + 1);
    join(u % edge > 0, u - 1);
    join(u / edge + 1 < edge, u + edge);
    join(u / edge > 0, u - edge);
    roads.end_vertex();
  }
  return roads;
}

Roads random_roads(std::mt19937& random) {
  Roads roads(1 + static_cast<LocalIndex>(random() % 300));
  for (LocalIndex u = 0; u < roads.vertices; ++u) {
    for (std::uint64_t k = random() % 5; k > 0; --k)
      roads.add(random() % 3 == 0 ? random() % roads.vertices : std::min(u + 1, roads.vertices - 1),
                static_cast<double>(1 + random() % 1000));
    roads.end_vertex();
  }
  return roads;
}

/// That another worker tells of a distance before an iteration.
struct Told {
  std::uint64_t iteration;
  LocalIndex vertex;
  double distance;
};

std::vector<double> dijkstra(const Roads& roads, const std::vector<Told>& told) {
  std::vector<double> distance(roads.vertices, kFar);
  std::priority_queue<std::pair<double, LocalIndex>, std::vector<std::pair<double, LocalIndex>>, std::greater<>> next;
  for (const Told& each : told) {
    if (each.distance >= distance[each.vertex]) continue;
    distance[each.vertex] = each.distance;
    next.emplace(each.distance, each.vertex);
  }
  while (!next.empty()) {
    const auto [far, u] = next.top();
    next.pop();
    if (far > distance[u]) continue;
    for (std::uint64_t e = roads.pointer[u]; e < roads.pointer[u + 1]; ++e) {
      const double there = far + roads.value[e];
      if (there >= distance[roads.index[e]]) continue;
      distance[roads.index[e]] = there;
      next.emplace(there, roads.index[e]);
    }
  }
  return distance;
}

struct Limits {
  std::uint64_t most_pending = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most_entries = most_pending, most_in_order = most_pending;
  bool in_order = false;  ///< from the beginning
};

struct Outcome {
  std::vector<double> distance;
  std::uint64_t iterations = 0, elements = 0, entries = 0, put_off = 0;
};

/// x = min(x, y), y made by the kernels of what has changed, until nothing changes.
Outcome shortest_ways(const Roads& roads, const Limits& limits, const std::vector<Told>& told = {{0, 0, 0.0}}) {
  const auto along = [](double x, double length) { return x + length; };
  using Along = decltype(along);
  using Min = std::remove_cvref_t<decltype(min)>;
  auto kernel = matrix_kernel<double, double, double>(along, min, kFar);
  add_settling<double, double, std::remove_cv_t<Along>, Min>(kernel);
  const LocalIndex n = roads.vertices;
  const std::shared_ptr<void> order = kernel.make_order(n);
  PendingSet pending(n);
  ElementSet reached(n), settled(n), put_off(n);
  std::vector<bool> active(n, false);
  Outcome outcome;
  outcome.distance.assign(n, kFar);
  std::vector<double>& x = outcome.distance;
  std::uint64_t last_told = 0;
  for (const Told& each : told) last_told = std::max(last_told, each.iteration);
  kernel.forget(order.get(), limits.in_order);
  for (bool changes = true; changes || outcome.iterations <= last_told; ++outcome.iterations) {
    const bool first = outcome.iterations == 0;
    for (const Told& each : told) {
      if (each.iteration != outcome.iterations || each.distance >= x[each.vertex]) continue;
      x[each.vertex] = each.distance;
      active[each.vertex] = true;
    }
    std::vector<double> y = first ? std::vector<double>(n, kFar) : x;
    AccessCount read = 0, written = 0;
    Settling settling;
    settling.matrix = {roads.pointer.data(), roads.index.data(), roads.value.data()};
    settling.in = x.data();
    settling.out = y.data();
    settling.masters = n;
    settling.pending = &pending;
    settling.reached = &reached;
    settling.settled = &settled;
    settling.put_off = &put_off;
    settling.puts_off = !first;
    settling.most_pending = limits.most_pending;
    settling.most_entries = limits.most_entries;
    settling.most_in_order = limits.most_in_order;
    settling.read = &read;
    settling.written = &written;
    std::uint64_t elements = 0, entries = 0;
    for (LocalIndex i = 0; i < n; ++i) {
      if (!active[i]) continue;
      kernel.reach(kernel.context.get(), settling, order.get(), i, 1);
      elements += 1;
      entries += roads.pointer[i + 1] - roads.pointer[i];
    }
    entries -= settling.entries_put_off;
    kernel.settle(kernel.context.get(), settling, order.get(), nullptr);
    if (kCountAccesses) {
      EXPECT_EQ(read, 2 * elements + 2 * entries + 3 * settling.elements + 2 * settling.entries);
      EXPECT_EQ(written, entries + settling.entries);
    }
    changes = false;
    std::uint64_t kept = 0;
    for (LocalIndex i = 0; i < n; ++i) {
      const bool differs = y[i] < x[i];
      EXPECT_TRUE(!differs || reached.contains(i));
      x[i] = std::min(x[i], y[i]);
      active[i] = differs && !settled.contains(i);
      changes = changes || differs;
      kept += put_off.contains(i) ? 1 : 0;
    }
    EXPECT_TRUE(changes || kept == 0) << "the loop would end before they are pushed";
    outcome.elements += settling.elements;
    outcome.entries += entries + settling.entries;
    outcome.put_off += kept;
    reached.clear();
    settled.clear();
  }
  return outcome;
}

TEST(SettlingKernel, FindsShortestWaysWhereverItStops) {
  std::mt19937 random(3);
  std::uint64_t put_off = 0;
  for (int k = 0; k < 600; ++k) {
    const auto edge = [&](LocalIndex least, LocalIndex most) {
      return least + static_cast<LocalIndex>(random() % (most - least));
    };
    const auto even = [&](std::uint64_t, std::uint64_t) { return static_cast<double>(1 + random() % 200); };
    const auto uneven = [&](std::uint64_t, std::uint64_t) { return static_cast<double>(1u << (random() % 12)); };
    const Roads roads = k % 3 == 0   ? grid(edge(2, 22), even)
                        : k % 3 == 1 ? grid(edge(10, 60), uneven)
                                     : random_roads(random);
    Limits limits;
    if (random() % 2 == 0) limits.most_pending = 1 + random() % 200;
    if (random() % 2 == 0) limits.most_entries = random() % (roads.index.size() + 1);
    if (random() % 4 != 0) limits.most_in_order = random() % (k % 2 == 0 ? 50 : 2000);
    limits.in_order = random() % 2 == 0;
    std::vector<Told> told{{0, 0, 0.0}};
    for (std::uint64_t n = random() % 3 == 0 ? random() % 40 : 0; n > 0; --n)
      told.push_back(
          {random() % 10, static_cast<LocalIndex>(random() % roads.vertices), static_cast<double>(random() % 5000)});
    const Outcome outcome = shortest_ways(roads, limits, told);
    EXPECT_EQ(outcome.distance, dijkstra(roads, told)) << k;
    put_off += outcome.put_off;
  }
  EXPECT_GT(put_off, 0u);
}

/// Ways spread far at first, and nearly all of them are improved later: then fewer have their turn at once.
TEST(SettlingKernel, LooksAtElementsFewTimesWhereLengthsAreRegular) {
  const auto length = [](std::uint64_t u, std::uint64_t v) { return static_cast<double>(1 + u * v % 97); };
  const Roads roads = grid(150, length);
  const Outcome outcome = shortest_ways(roads, {});
  EXPECT_EQ(outcome.distance, dijkstra(roads, {{0, 0, 0.0}}));
  EXPECT_LE(outcome.elements, 3u * roads.vertices);
}

/// Where ways become better with each edge, the best are those that others will improve: if they went first, each would
/// be pushed again for each way that leads to it.
TEST(SettlingKernel, FindsLongestWays) {
  std::mt19937 random(7);
  constexpr LocalIndex kVertices = 2000;
  std::vector<LocalIndex> name(kVertices);
  std::iota(name.begin(), name.end(), 0u);
  std::shuffle(name.begin() + 1, name.end(), random);
  std::vector<std::vector<std::pair<LocalIndex, double>>> edges(kVertices);
  std::vector<double> distance(kVertices, kFar);
  distance[0] = 0;
  for (LocalIndex u = 0; u + 1 < kVertices; ++u) {
    for (int k = 0; k < 4; ++k) {
      const LocalIndex v = std::min<LocalIndex>(u + 1 + random() % 50, kVertices - 1);
      const double length = -1.0 - static_cast<double>(random() % 100);
      edges[name[u]].emplace_back(name[v], length);
      distance[name[v]] = std::min(distance[name[v]], distance[name[u]] + length);
    }
  }
  Roads roads(kVertices);
  for (const auto& from : edges) {
    for (const auto& [v, length] : from) roads.add(v, length);
    roads.end_vertex();
  }
  for (const std::uint64_t most : {Limits().most_in_order, std::uint64_t{100}, std::uint64_t{3000}}) {
    for (const bool in_order : {false, true}) {
      const Outcome outcome = shortest_ways(roads, {.most_in_order = most, .in_order = in_order});
      EXPECT_EQ(outcome.distance, distance);
      EXPECT_LE(outcome.entries, 80 * roads.index.size());  // 60 times; 316 if the best go first
    }
  }
}

/// Ways that become better by few of their edges: the order stays that of the best. Lengths of a grid are shifted by
/// potentials, so that there is no way round that is less than nothing.
TEST(SettlingKernel, GoesOnInOrderWhereFewEdgesGain) {
  std::mt19937 random(8);
  constexpr LocalIndex kEdge = 100;
  std::vector<double> potential(kEdge * kEdge, 0.0);
  for (int k = 0; k < 40; ++k) potential[1 + random() % (potential.size() - 1)] = 150;
  std::uint64_t negative = 0;
  const Roads roads = grid(kEdge, [&](std::uint64_t u, std::uint64_t v) {
    const double length = static_cast<double>(1 + random() % 255) + potential[v] - potential[u];
    negative += length < 0 ? 1 : 0;
    return length;
  });
  EXPECT_GT(negative, 50u);
  const Outcome outcome = shortest_ways(roads, {});
  Roads unshifted = roads;
  for (LocalIndex u = 0; u < roads.vertices; ++u) {
    for (std::uint64_t e = roads.pointer[u]; e < roads.pointer[u + 1]; ++e)
      unshifted.value[e] += potential[u] - potential[roads.index[e]];
  }
  std::vector<double> distance = dijkstra(unshifted, {{0, 0, 0.0}});
  for (LocalIndex v = 0; v < roads.vertices; ++v) distance[v] += potential[v];
  EXPECT_EQ(outcome.distance, distance);
  EXPECT_LE(outcome.entries, 2 * roads.index.size());
}

/// What waits when it stops is not pushed at once when it goes on.
TEST(SettlingKernel, GoesOnInOrder) {
  std::mt19937 random(4);
  const Roads roads = grid(100, [&](std::uint64_t, std::uint64_t) { return static_cast<double>(1 + random() % 255); });
  const Outcome at_once = shortest_ways(roads, {});
  Limits limits;
  limits.most_in_order = 500;
  const Outcome in_parts = shortest_ways(roads, limits);
  EXPECT_EQ(in_parts.distance, at_once.distance);
  EXPECT_GT(in_parts.iterations, 20u);
  EXPECT_LE(2 * in_parts.entries, 3 * at_once.entries);  // 1.3 times; 2.7 to 3.4 if too many had their turn at once
  EXPECT_LE(in_parts.elements, 4 * at_once.elements);
}

/// Where all vertices have distances at first, the best have to go first at once.
TEST(SettlingKernel, GoesOnInOrderFromMany) {
  std::mt19937 random(5);
  const Roads roads = grid(100, [&](std::uint64_t, std::uint64_t) { return static_cast<double>(1 + random() % 255); });
  std::vector<Told> told{{0, 0, 0.0}};
  for (LocalIndex i = 1; i < roads.vertices; ++i)
    told.push_back({0, i, 100 * static_cast<double>(1 + random() % 1000)});
  Limits limits;
  limits.most_pending = 100;
  const Outcome by_and_by = shortest_ways(roads, limits, told);
  EXPECT_GT(by_and_by.iterations, 2u);
  limits.in_order = true;
  const Outcome at_once = shortest_ways(roads, limits, told);
  EXPECT_EQ(by_and_by.distance, at_once.distance);
  EXPECT_EQ(at_once.iterations, 2u);
}

/// Many edges a vertex, and some that lead far away: buckets have to be narrow for each to be pushed about once.
TEST(SettlingKernel, FindsTheWidthOfBuckets) {
  std::mt19937 random(6);
  constexpr LocalIndex kEdge = 60;
  Roads roads(kEdge * kEdge);
  for (LocalIndex u = 0; u < roads.vertices; ++u) {
    for (LocalIndex v = 0; v < 24; ++v) {
      const LocalIndex near = (u + roads.vertices + v % 5 - 2 + kEdge * (v / 5) - 2 * kEdge) % roads.vertices;
      roads.add(random() % 300 == 0 ? random() % roads.vertices : near, static_cast<double>(1 + random() % 1000));
    }
    roads.end_vertex();
  }
  const Outcome outcome = shortest_ways(roads, {});
  EXPECT_EQ(outcome.distance, dijkstra(roads, {{0, 0, 0.0}}));
  EXPECT_LE(outcome.entries, 3 * roads.index.size());  // 2.7 times; 3.9 if buckets after narrow ones were wide again
  Limits limits;
  limits.most_in_order = 1000;
  const Outcome parts = shortest_ways(roads, limits);
  EXPECT_EQ(parts.distance, outcome.distance);
  EXPECT_LE(parts.entries, 2 * roads.index.size());  // 1.4 times; 5.9 if too many had their turn at once
}

}  // namespace
}  // namespace kasen::runtime
