/// @file
/// Ranges: their loads against a count of each element, and lengths that workers count together.
#include "partition/range_cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/partition/placement_model.h"

namespace kasen::partition {
namespace {

/// The lengths of rows and of columns, element by element.
struct Counted {
  std::vector<std::uint64_t> rows, columns;
  Counted(const tests::Edges& edges, std::uint64_t height, std::uint64_t width) : rows(height), columns(width) {
    for (const GlobalIndex i : edges.source) ++rows[static_cast<std::size_t>(i)];
    for (const GlobalIndex j : edges.target) ++columns[static_cast<std::size_t>(j)];
  }
};

/// No part has more than its share and the load of one run, which cannot be cut.
void expect_even(const Assignment& owners, const std::vector<std::uint64_t>& load, std::uint64_t run) {
  std::vector<std::uint64_t> of_part(static_cast<std::size_t>(owners.parts()));
  std::uint64_t sum = 0, of_run = 0, largest_run = 0;
  Rank before = 0;
  for (std::size_t i = 0; i < load.size(); ++i) {
    const Rank part = owners.owner(static_cast<GlobalIndex>(i));
    EXPECT_GE(part, before);
    before = part;
    of_part[static_cast<std::size_t>(part)] += load[i];
    sum += load[i];
    of_run = i % run == 0 ? load[i] : of_run + load[i];
    largest_run = std::max(largest_run, of_run);
  }
  for (const std::uint64_t mine : of_part) EXPECT_LE(mine, sum / of_part.size() + largest_run);
}

std::vector<std::uint64_t> load_of(const std::vector<std::uint64_t>& lengths) {
  std::vector<std::uint64_t> load = lengths;
  for (std::uint64_t& each : load) each += kElementLoad;
  return load;
}

TEST(Ranges, HaveEqualLoads) {
  const comm::Communicator communicator;
  for (const std::uint64_t length : {std::uint64_t{512}, std::uint64_t{1} << 17}) {
    const tests::Edges edges = length == 512 ? tests::rmat(9, 8, 4) : tests::rmat(17, 2, 4);
    const Entries entries = entries_read(edges, communicator, false);
    const Lengths rows = lengths_of(&communicator, entries.row, length);
    const Lengths columns = lengths_of(&communicator, entries.column, length);
    const Counted counted(edges, length, length);
    for (const int parts : {1, 2, 7, 64}) {
      Shape shape{length, length, true, 1};
      shape.row_lengths = &rows;
      shape.column_lengths = &columns;
      using Kind = EntryRule::Kind;
      const auto owners = [&](Kind kind) {
        return range_partitioner("range", {kind, 0})->partition(shape, parts, {}).rows;
      };
      expect_even(owners(Kind::row), load_of(counted.rows), rows.width);
      expect_even(owners(Kind::column), load_of(counted.columns), rows.width);
      std::vector<std::uint64_t> both = load_of(counted.rows);
      for (std::size_t i = 0; i < both.size(); ++i) both[i] += counted.columns[i] + kElementLoad;
      expect_even(owners(Kind::grid), both, rows.width);

      shape.one_space = false;
      const Partitioning apart = range_partitioner("range", {Kind::row, 0})->partition(shape, parts, {});
      expect_even(apart.rows, load_of(counted.rows), rows.width);
      expect_even(apart.columns, load_of(counted.columns), rows.width);
      const Assignment fixed = Assignment::hash(length, parts);
      shape.column_owners = &fixed;
      EXPECT_EQ(range_partitioner("range", {Kind::row, 0})->partition(shape, parts, {}).columns, fixed);
    }
  }
}

TEST(Ranges, OfNothingAndOfOneElementThatHasAll) {
  for (const std::uint64_t length : {0u, 1u, 5u}) {
    Lengths lengths = lengths_of(nullptr, {}, length);
    if (length == 5) lengths.nonzeros[2] = 1000;
    Shape shape{length, length, true, 1};
    shape.row_lengths = shape.column_lengths = &lengths;
    const Assignment owners = range_partitioner("range", {})->partition(shape, 4, {}).rows;
    EXPECT_EQ(owners.length(), length);
    std::uint64_t sum = 0;
    for (Rank part = 0; part < 4; ++part) {
      const GlobalIndex begin = owners.block_begin(part), end = owners.block_begin(part + 1);
      ASSERT_LE(begin, end);
      for (GlobalIndex i = begin; i < end; ++i) EXPECT_EQ(owners.owner(i), part);
      sum += static_cast<std::uint64_t>(end - begin);
    }
    EXPECT_EQ(sum, length);
  }
}

}  // namespace
}  // namespace kasen::partition
