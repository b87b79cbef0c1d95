/// @file
/// Sets of pairs of workers beside std::set: all that they can be told, of every density, and what they take.

#include "kasen/base/worker_pairs.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>
#include <vector>

#include "kasen/base/error.h"

namespace kasen {
namespace {

using Known = std::set<std::pair<std::uint32_t, std::uint32_t>>;  ///< holder and owner

/// Each pair with this chance.
Known drawn(std::uint32_t workers, double chance, std::mt19937_64& random) {
  Known known;
  std::bernoulli_distribution is_there(chance);
  for (std::uint32_t holder = 0; holder < workers; ++holder) {
    for (std::uint32_t owner = 0; owner < workers; ++owner) {
      if (holder != owner && is_there(random)) known.emplace(holder, owner);
    }
  }
  return known;
}

WorkerPairs pairs_of(std::uint32_t workers, const Known& known) {
  std::vector<WorkerPairs::Pair> pairs;
  for (const auto& [holder, owner] : known) pairs.push_back({holder, owner});
  return {workers, pairs};
}

/// The pairs in runs of positions, by what the header says of these.
Known known_of(std::uint32_t workers, const WorkerPairs& pairs) {
  Known known;
  for (const WorkerPairs::Run& run : pairs.runs()) {
    for (std::uint64_t position = run.first; position < run.end(); ++position) {
      const auto holder = static_cast<std::uint32_t>(position % workers);
      known.emplace(holder, static_cast<std::uint32_t>((holder + position / workers) % workers));
    }
  }
  return known;
}

/// For each holder, its distances as runs.
std::vector<std::vector<WorkerPairs::Run>> distances_of(std::uint32_t workers, const Known& known) {
  std::vector<std::vector<WorkerPairs::Run>> runs(workers);
  for (std::uint32_t holder = 0; holder < workers; ++holder) {
    for (std::uint32_t distance = 1; distance < workers; ++distance) {
      if (!known.contains({holder, (holder + distance) % workers})) continue;
      auto& mine = runs[holder];
      if (!mine.empty() && mine.back().end() == distance) {
        ++mine.back().count;
      } else {
        mine.push_back({distance, 1});
      }
    }
  }
  return runs;
}

TEST(WorkerPairs, AreThoseOfASet) {
  std::mt19937_64 random(1);
  for (const std::uint32_t workers : {1u, 2u, 3u, 5u, 8u, 17u, 64u}) {
    for (const double chance : {0.0, 0.02, 0.3, 0.7, 0.98, 1.0}) {
      for (int trial = 0; trial < 3; ++trial) {
        const Known known = drawn(workers, chance, random), others = drawn(workers, chance / 2, random);
        const WorkerPairs pairs = pairs_of(workers, known);
        EXPECT_EQ(known_of(workers, pairs), known) << workers << " " << chance;
        EXPECT_EQ(pairs.count(), known.size());
        EXPECT_EQ(WorkerPairs::of_distances(distances_of(workers, known)), pairs) << workers << " " << chance;
        EXPECT_EQ(WorkerPairs(workers, std::vector(pairs.runs().begin(), pairs.runs().end())), pairs);

        Known turned, all = known;
        for (const auto& [holder, owner] : known) turned.emplace(owner, holder);
        EXPECT_EQ(pairs.turned(), pairs_of(workers, turned)) << workers << " " << chance;
        all.insert(others.begin(), others.end());
        WorkerPairs together = pairs;
        together.insert(pairs_of(workers, others));
        EXPECT_EQ(together, pairs_of(workers, all)) << workers << " " << chance;
      }
    }
  }
}

TEST(WorkerPairs, AreFewRunsIfTheyFollowAPattern) {
  constexpr std::uint32_t kMany = 1'000'000;
  for (const std::uint64_t neighbours : {1u, 7u, kMany - 1}) {
    const WorkerPairs pairs = WorkerPairs::nearest(kMany, neighbours * kMany);
    EXPECT_EQ(pairs.count(), neighbours * kMany);
    EXPECT_EQ(pairs.runs().size(), 1u);
    EXPECT_EQ(pairs.turned().count(), neighbours * kMany);
    EXPECT_EQ(pairs.turned().runs().size(), 1u);
    EXPECT_EQ(pairs.turned().turned(), pairs);
  }
  std::vector<std::vector<WorkerPairs::Run>> each(1000, {{1, 999}});
  EXPECT_EQ(WorkerPairs::of_distances(each).runs().size(), 1u);
}

TEST(WorkerPairs, RunsMustBeApartAndOfOthers) {
  using Runs = std::vector<WorkerPairs::Run>;
  EXPECT_EQ(WorkerPairs(3, Runs{{3, 2}, {6, 3}}).count(), 5u);
  for (const Runs& wrong : {Runs{{2, 2}}, Runs{{3, 0}}, Runs{{3, 2}, {5, 1}}, Runs{{6, 1}, {3, 1}}, Runs{{8, 2}},
                            Runs{{9, 1}}, Runs{{4, ~std::uint64_t{0}}}})
    EXPECT_THROW(WorkerPairs(3, wrong), InputError);
}

}  // namespace
}  // namespace kasen
