/// @file
/// Owners as pure functions: against counting, and against published values of splitmix64.

#include "partition/assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace kasen::partition {
namespace {

TEST(Assignment, BlocksAreContiguousAndDifferByAtMostOne) {
  for (std::uint64_t length : {0u, 1u, 2u, 5u, 7u, 64u, 1000u})
    for (int parts : {1, 2, 3, 5, 8, 48}) {
      const Assignment blocks = Assignment::block(length, parts);
      std::vector<std::uint64_t> size(static_cast<std::size_t>(parts));
      Rank last = 0;
      for (std::uint64_t i = 0; i < length; ++i) {
        const Rank owner = blocks.owner(static_cast<GlobalIndex>(i));
        ASSERT_GE(owner, last);
        ASSERT_LT(owner, parts);
        ++size[static_cast<std::size_t>(owner)];
        last = owner;
      }
      const auto [smallest, largest] = std::minmax_element(size.begin(), size.end());
      EXPECT_LE(*largest - *smallest, 1u) << length << " in " << parts;
      GlobalIndex begin = 0;
      for (Rank part = 0; part < parts; ++part) {
        EXPECT_EQ(blocks.block_begin(part), begin);
        begin += static_cast<GlobalIndex>(size[static_cast<std::size_t>(part)]);
      }
      EXPECT_EQ(blocks.block_begin(parts), static_cast<GlobalIndex>(length));
    }
}

TEST(Assignment, BlocksOfAVeryLongSpace) {
  const std::uint64_t length = (std::uint64_t{1} << 62) + 5;
  const Assignment blocks = Assignment::block(length, 7);
  for (Rank part = 0; part < 7; ++part) {
    EXPECT_EQ(blocks.owner(blocks.block_begin(part)), part);
    EXPECT_EQ(blocks.owner(blocks.block_begin(part + 1) - 1), part);
  }
}

TEST(Assignment, HashIsTheFinaliserOfSplitmix64) {
  // The first two outputs of the generator started with 0.
  EXPECT_EQ(mix(0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(mix(0x9e3779b97f4a7c15u), 0x6e789e6aa1b965f4u);
  const Assignment hash = Assignment::hash(100, 7);
  for (GlobalIndex i = 0; i < 100; ++i)
    EXPECT_EQ(hash.owner(i), static_cast<Rank>(mix(static_cast<std::uint64_t>(i)) % 7));
}

TEST(Assignment, HashIsBalancedAndSaltsAreIndependent) {
  constexpr std::uint64_t kLength = 80000;
  const Assignment plain = Assignment::hash(kLength, 8), salted = Assignment::hash(kLength, 8, 3);
  std::vector<int> pairs(64);
  for (GlobalIndex i = 0; i < static_cast<GlobalIndex>(kLength); ++i)
    ++pairs[static_cast<std::size_t>(8 * plain.owner(i) + salted.owner(i))];
  for (int count : pairs) EXPECT_NEAR(count, 1250, 150);
}

TEST(Assignment, OnePartIsABlock) {
  EXPECT_EQ(Assignment::hash(10, 1).kind(), Assignment::Kind::block);
  EXPECT_EQ(Assignment::hash(10, 2).kind(), Assignment::Kind::hash);
  for (GlobalIndex i = 0; i < 10; ++i) EXPECT_EQ(Assignment::hash(10, 1).owner(i), 0);
}

}  // namespace
}  // namespace kasen::partition
