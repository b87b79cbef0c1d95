/// @file
/// Disjoint sets beside labels that are replaced one by one, united in any order and on several threads.
#include "kasen/runtime/disjoint_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "kasen/base/thread_team.h"

namespace kasen::runtime {
namespace {

using Pairs = std::vector<std::pair<LocalIndex, LocalIndex>>;

Pairs some_pairs(LocalIndex elements, std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  Pairs pairs;
  for (std::size_t k = 0; k < count; ++k) {
    const LocalIndex a = random() % elements;
    const bool near = random() % 2 == 0;
    pairs.emplace_back(a, near ? std::min<LocalIndex>(a + random() % 3, elements - 1) : random() % elements);
  }
  return pairs;
}

/// By element, the number of its set, which are numbered by their least elements.
std::vector<LocalIndex> numbers_of(LocalIndex elements, const Pairs& pairs) {
  std::vector<LocalIndex> label(elements);
  for (LocalIndex i = 0; i < elements; ++i) label[i] = i;
  for (const auto& [a, b] : pairs) {
    const LocalIndex from = std::max(label[a], label[b]), to = std::min(label[a], label[b]);
    if (from != to) std::replace(label.begin(), label.end(), from, to);
  }
  std::map<LocalIndex, LocalIndex> number;
  for (LocalIndex& each : label) each = number.emplace(each, static_cast<LocalIndex>(number.size())).first->second;
  return label;
}

std::vector<LocalIndex> united(DisjointSets& sets, const Pairs& pairs) {
  sets.separate();
  const auto uniting = sets.uniting<false>();
  for (const auto& [a, b] : pairs) {
    const LocalIndex root = uniting.unite(uniting.root(a), b);
    EXPECT_EQ(root, uniting.root(a));
    EXPECT_EQ(root, uniting.root(b));
  }
  const LocalIndex count = sets.number();
  const std::vector<LocalIndex> numbers(sets.numbers().begin(), sets.numbers().end());
  EXPECT_EQ(count, numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end()) + 1);
  return numbers;
}

TEST(DisjointSets, AreThoseOfLabels) {
  for (const LocalIndex elements : {1u, 2u, 9u, 700u}) {
    DisjointSets sets(elements);
    for (const std::size_t count : {0u, 1u, 5u, 300u, 2'000u}) {
      Pairs pairs = some_pairs(elements, count, elements);
      const std::vector<LocalIndex> wanted = numbers_of(elements, pairs);
      EXPECT_EQ(united(sets, pairs), wanted);
      std::reverse(pairs.begin(), pairs.end());
      for (auto& [a, b] : pairs) std::swap(a, b);
      EXPECT_EQ(united(sets, pairs), wanted) << "in another order";
    }
  }
  DisjointSets none(0);
  EXPECT_TRUE(united(none, {}).empty());
}

TEST(DisjointSets, AreTheSameOnThreads) {
  constexpr LocalIndex kElements = 50'000;
  ThreadTeam team(4, false);
  DisjointSets one(kElements), four(kElements);
  for (const std::size_t count : {30'000u, 60'000u}) {
    const Pairs pairs = some_pairs(kElements, count, 1);
    const std::vector<LocalIndex> wanted = united(one, pairs);
    for (int turn = 0; turn < 5; ++turn) {
      four.separate();
      team.run(4, [&](std::uint32_t thread) {
        const auto uniting = four.uniting<true>();
        for (std::size_t k = thread; k < pairs.size(); k += 4) {
          LocalIndex root = uniting.root(pairs[k].first);
          root = uniting.unite(root, pairs[k].second);
          uniting.unite(root, pairs[k].first);
          uniting.unite(root, pairs[k].second);
        }
      });
      four.number();
      EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), four.numbers().begin(), four.numbers().end()));
    }
  }
}

TEST(DisjointSets, UniteWithWhatIsNoRootAnyMore) {
  DisjointSets sets(6);
  sets.separate();
  const auto uniting = sets.uniting<true>();
  const LocalIndex was_root = uniting.unite(5, 4);
  EXPECT_EQ(was_root, 4u);
  EXPECT_EQ(uniting.unite(2, 5), 2u);
  EXPECT_EQ(uniting.unite(was_root, 5), 4u) << "they are in one set, as the parent shows";
  EXPECT_EQ(uniting.unite(was_root, 1), 1u);
  EXPECT_EQ(uniting.unite(was_root, 3), 1u);
  EXPECT_EQ(sets.number(), 2u);
  const std::vector<LocalIndex> numbers(sets.numbers().begin(), sets.numbers().end());
  EXPECT_EQ(numbers, (std::vector<LocalIndex>{0, 1, 1, 1, 1, 1}));
}

}  // namespace
}  // namespace kasen::runtime
