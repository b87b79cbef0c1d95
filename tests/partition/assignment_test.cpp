/// @file
/// Owners as pure functions: against counting, and against published values of splitmix64.

#include "partition/assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kasen/base/error.h"
#include "partition/make_partitioner.h"
#include "partition/partitioner.h"

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

TEST(Assignment, BlocksAndHashesOfSpacesBeyond32Bits) {
  for (const std::uint64_t length :
       {(std::uint64_t{1} << 32) + 1, std::uint64_t{1} << 40, (std::uint64_t{1} << 40) - 7})
    for (const int parts : {2, 3, 64, 1000}) {
      const Assignment blocks = Assignment::block(length, parts);
      EXPECT_EQ(blocks.block_begin(0), 0);
      EXPECT_EQ(blocks.block_begin(parts), static_cast<GlobalIndex>(length));
      for (Rank part = 0; part < parts; ++part) {
        EXPECT_EQ(blocks.owner(blocks.block_begin(part)), part);
        EXPECT_EQ(blocks.owner(blocks.block_begin(part + 1) - 1), part);
        const std::uint64_t size = static_cast<std::uint64_t>(blocks.block_begin(part + 1) - blocks.block_begin(part));
        EXPECT_TRUE(size == length / static_cast<std::uint64_t>(parts) ||
                    size == length / static_cast<std::uint64_t>(parts) + 1);
      }
      // Indices that differ above the 32nd bit only have owners of their own.
      const Assignment hash = Assignment::hash(length, parts);
      int equal = 0;
      for (GlobalIndex i = 0; i < 1000; ++i) {
        const GlobalIndex far = static_cast<GlobalIndex>(length) - 1 - i;
        ASSERT_LT(hash.owner(far), parts);
        equal += hash.owner(far) == hash.owner(far & 0xffffffff);
      }
      if (length > std::uint64_t{1} << 33) {
        EXPECT_NEAR(equal, 1000.0 / parts, 100);
      }
    }
}

TEST(Assignment, TablesGiveBackWhatTheyWereGiven) {
  for (const int parts : {2, 256, 257, 65536, 65537, 1 << 20}) {
    std::vector<Rank> owners;
    for (int k = 0; k < 1000; ++k) owners.push_back(static_cast<Rank>(mix(static_cast<std::uint64_t>(k)) % parts));
    owners.push_back(parts - 1);
    const Assignment table = Assignment::table(owners, parts);
    EXPECT_EQ(table.kind(), Assignment::Kind::table);
    EXPECT_EQ(table.length(), owners.size());
    EXPECT_EQ(table.parts(), parts);
    EXPECT_EQ(table.packed().size(), owners.size() * (parts <= 256 ? 1u : parts <= 65536 ? 2u : 4u));
    for (std::size_t i = 0; i < owners.size(); ++i) EXPECT_EQ(table.owner(static_cast<GlobalIndex>(i)), owners[i]);
    const Assignment copy = Assignment::table(owners.size(), parts, {table.packed().begin(), table.packed().end()});
    EXPECT_EQ(copy, table);
    owners[7] ^= 1;
    EXPECT_FALSE(Assignment::table(owners, parts) == table);
  }
  EXPECT_EQ(Assignment::table(std::vector<Rank>(5, 0), 1).kind(), Assignment::Kind::block);
  EXPECT_THROW(Assignment::table(std::vector<Rank>{0, 1, 3}, 3), InputError);
  EXPECT_THROW(Assignment::table(std::vector<Rank>{0, -1}, 3), InputError);
  EXPECT_THROW(Assignment::table(3, 2, std::vector<std::byte>(4)), InternalError);
}

TEST(Assignment, AGridIsAsSquareAsItCanBe) {
  EXPECT_EQ(grid_columns(1), 1);
  EXPECT_EQ(grid_columns(2), 1);
  EXPECT_EQ(grid_columns(4), 2);
  EXPECT_EQ(grid_columns(8), 2);
  EXPECT_EQ(grid_columns(12), 3);
  EXPECT_EQ(grid_columns(13), 1);
  EXPECT_EQ(grid_columns(1024), 32);
  EXPECT_EQ(grid_columns(46337 * 46337), 46337);
  const Shape shape{std::uint64_t{1} << 40, std::uint64_t{1} << 41, false, 5, nullptr, nullptr};
  Options options;
  options.partition = Partition::grid;
  const Partitioning grid = make_partitioner(options)->partition(shape, 1024, {});
  for (GlobalIndex i = (GlobalIndex{1} << 40) - 100; i < GlobalIndex{1} << 40; ++i)
    for (GlobalIndex j = (GlobalIndex{1} << 41) - 100; j < GlobalIndex{1} << 41; ++j) {
      const Rank part = grid.part(i, j, false);
      ASSERT_EQ(part / 32, grid.rows.owner(i) / 32);
      ASSERT_EQ(part % 32, grid.columns.owner(j) % 32);
    }
}

}  // namespace
}  // namespace kasen::partition
