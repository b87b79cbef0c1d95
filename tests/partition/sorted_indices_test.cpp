/// @file
/// Dense and sparse ways of the same look-ups, against std::set and std::map.

#include "partition/sorted_indices.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/support/graphs.h"

namespace kasen::partition {
namespace {

struct Input {
  std::uint64_t length;
  std::uint64_t number;
};

/// Lengths around the limits between bitmaps or counters and sorting, none, few, and very sparse.
const Input kInputs[] = {{1, 0},
                         {1, 1},
                         {1, 9},
                         {64, 200},
                         {1000, 300},
                         {1000, 5},
                         {64 * 300 + 63, 300},
                         {64 * 301, 300},
                         {std::uint64_t{1} << 45, 1000}};

std::vector<GlobalIndex> random_indices(const Input& input) {
  return tests::uniform_edges(input.length, 1, input.number, 7).source;
}

TEST(SortedIndices, DistinctAndCounts) {
  for (const Input& input : kInputs) {
    const std::vector<GlobalIndex> indices = random_indices(input);
    std::map<GlobalIndex, std::uint64_t> expected;
    for (GlobalIndex index : indices) ++expected[index];
    std::vector<GlobalIndex> keys;
    for (const auto& [index, count] : expected) keys.push_back(index);
    EXPECT_EQ(distinct(indices, input.length), keys);
    std::map<GlobalIndex, std::uint64_t> counted;
    GlobalIndex last = -1;
    for (const IndexCount& entry : count_distinct(indices, input.length)) {
      EXPECT_GT(entry.index, last);
      last = entry.index;
      counted[entry.index] = entry.count;
    }
    EXPECT_EQ(counted, expected);
  }
}

TEST(SortedIndices, CountsOfSeveralListsAreReadInOrder) {
  for (const Input& input : kInputs) {
    const std::vector<GlobalIndex> one = random_indices(input), other{0, static_cast<GlobalIndex>(input.length) - 1};
    std::map<GlobalIndex, std::uint64_t> expected;
    for (const auto& list : {one, other})
      for (const GlobalIndex index : list) ++expected[index];
    const std::vector<GlobalIndexView> lists{one, other};
    const IndexCounts counts(lists, input.length);
    EXPECT_FALSE(counts.empty());
    IndexCounts::Reader read(counts);
    auto each = expected.begin();
    const auto middle = input.length / 2;
    for (const auto& [begin, end] : {std::pair(std::uint64_t{0}, middle), std::pair(middle, input.length)}) {
      counts.for_each(begin, end, [&](GlobalIndex index, std::uint64_t count) {
        ASSERT_NE(each, expected.end());
        EXPECT_EQ(std::pair(index, count), std::pair(each->first, each->second));
        EXPECT_EQ(read(index), count);
        ++each;
      });
    }
    EXPECT_EQ(each, expected.end());
  }
  EXPECT_TRUE(IndexCounts().empty());
}

TEST(SortedIndices, SetContainsItsElementsOnly) {
  for (const Input& input : kInputs)
    for (std::uint64_t budget : {std::uint64_t{0}, std::uint64_t{1} << 16}) {
      const std::vector<GlobalIndex> indices = random_indices(input);
      const std::set<GlobalIndex> expected(indices.begin(), indices.end());
      const IndexSet set(distinct(indices, input.length), input.length, budget);
      EXPECT_EQ(set.empty(), expected.empty());
      for (GlobalIndex index : indices) {
        EXPECT_TRUE(set.contains(index));
        if (index > 0) {
          EXPECT_EQ(set.contains(index - 1), expected.count(index - 1) == 1);
        }
      }
    }
}

TEST(SortedIndices, LocalNumbersFindEveryKey) {
  for (const Input& input : kInputs) {
    const std::vector<GlobalIndex> keys = distinct(random_indices(input), input.length);
    std::vector<LocalIndex> values;
    for (std::size_t k = 0; k < keys.size(); ++k) values.push_back(static_cast<LocalIndex>(3 * k + 1));
    const LocalNumbers numbers(keys, values);
    for (std::size_t k = 0; k < keys.size(); ++k) EXPECT_EQ(numbers[keys[k]], values[k]);
  }
}

TEST(SortedIndices, LocalNumbersOfClusters) {
  // One bucket holds many keys.
  std::vector<GlobalIndex> keys{0};
  for (GlobalIndex k = 0; k < 500; ++k) keys.push_back((GlobalIndex{1} << 40) + k);
  keys.push_back(GlobalIndex{1} << 41);
  std::vector<LocalIndex> values(keys.size());
  for (std::size_t k = 0; k < keys.size(); ++k) values[k] = static_cast<LocalIndex>(k);
  const LocalNumbers numbers(keys, values);
  for (std::size_t k = 0; k < keys.size(); ++k) EXPECT_EQ(numbers[keys[k]], values[k]);
}

}  // namespace
}  // namespace kasen::partition
