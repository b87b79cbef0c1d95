/// @file
/// Files with a partition: as many workers as they are prepared for load without sending an entry and place the matrix
/// as they would have placed it themselves; any other number loads the same matrix.
#include "kasen/io/hdf5/prepared.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <tuple>

#include "kasen/base/error.h"
#include "kasen/io/hdf5/hdf5_input.h"
#include "partition/placement.h"
#include "tests/io/hdf5_writer.h"
#include "tests/io/temporary_directory.h"
#include "tests/support/graphs.h"
#include "tests/support/pmpi_witness.h"

namespace kasen::io {
namespace {

using partition::Assignment;
using partition::EntryRule;
using partition::Partitioning;
using Triplet = std::tuple<GlobalIndex, GlobalIndex, double>;

class PreparedTest : public testing::Test {
 protected:
  int workers() const { return _communicator.size(); }

  /// Random edges with values that tell them apart, dealt out to the workers.
  SparseData edges(std::uint64_t rows, std::uint64_t columns, std::uint64_t count, bool graph) const {
    const tests::Edges made = tests::uniform_edges(rows, columns, count, 7, {_communicator.rank(), workers()});
    SparseData data;
    data.rows = rows;
    data.columns = columns;
    data.graph = graph;
    data.entries.row = made.source;
    data.entries.column = made.target;
    data.entries.value_bytes = sizeof(double);
    for (std::size_t k = 0; k < made.source.size(); ++k) {
      if (k % 3 == 0) data.entries.column.set(k, 1);  // a long column
      add_value(data, static_cast<double>(made.source[k]) + static_cast<double>(data.entries.column[k]) / 1024);
    }
    return data;
  }
  static void add_value(SparseData& data, double value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    data.entries.value.insert(data.entries.value.end(), bytes, bytes + sizeof value);
  }
  static std::vector<Triplet> triplets(const Entries& entries) {
    std::vector<Triplet> list;
    for (std::size_t k = 0; k < entries.row.size(); ++k) {
      double value = 0;
      std::memcpy(&value, &entries.value[k * sizeof value], sizeof value);
      list.emplace_back(entries.row[k], entries.column[k], value);
    }
    std::sort(list.begin(), list.end());
    return list;
  }
  std::vector<Triplet> all_triplets(const Entries& mine) const {
    Entries all;
    all.row = _communicator.all_gather(std::span<const GlobalIndex>(mine.row.copy())).values;
    all.column = _communicator.all_gather(std::span<const GlobalIndex>(mine.column.copy())).values;
    const std::vector<std::byte> value = _communicator.all_gather(std::span<const std::byte>(mine.value)).values;
    all.value.assign(value.begin(), value.end());
    return triplets(all);
  }
  std::vector<Partitioning> partitionings(const SparseData& data, int parts) const {
    const auto owners = [&](std::uint64_t length, std::uint64_t salt) { return Assignment::hash(length, parts, salt); };
    const auto table = [&](std::uint64_t length) {
      std::vector<Rank> ranks;
      for (std::uint64_t i = 0; i < length; ++i) ranks.push_back(static_cast<Rank>(i * i % 7) % parts);
      return Assignment::table(ranks, parts);
    };
    const auto ranges = [&](std::uint64_t length) {
      std::vector<std::uint64_t> begins;
      for (int part = 0; part < parts; ++part) {
        begins.push_back(length * static_cast<std::uint64_t>(part * part) / static_cast<std::uint64_t>(parts * parts));
      }
      begins.push_back(length);
      return Assignment::block(begins);
    };
    const std::uint64_t salt = data.graph ? 0 : 2;
    return {{Assignment::block(data.rows, parts), Assignment::block(data.columns, parts), {EntryRule::Kind::row, 0}},
            {owners(data.rows, 0), owners(data.columns, salt), EntryRule::hybrid(20)},
            {owners(data.rows, 0), owners(data.columns, salt), {EntryRule::Kind::grid, 0}},
            {table(data.rows), table(data.columns), {EntryRule::Kind::column, 0}},
            {ranges(data.rows), ranges(data.columns), {EntryRule::Kind::row, 0}}};
  }
  /// By their owners: over one part a hash is a block, whatever its salt.
  static bool equal(const Assignment& a, const Assignment& b) {
    bool same = a.length() == b.length() && a.parts() == b.parts();
    for (GlobalIndex i = 0; same && i < static_cast<GlobalIndex>(a.length()); ++i) same = a.owner(i) == b.owner(i);
    return same;
  }
  std::string contents(const std::string& path) const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  comm::Communicator _communicator;
  TemporaryDirectory _directory{_communicator};
};

TEST_F(PreparedTest, TheSameNumberOfWorkersPlacesAsPrepared) {
  for (const bool graph : {true, false}) {
    const SparseData data = edges(200, graph ? 200 : 90, 1500, graph);
    const auto expected = all_triplets(data.entries);
    for (const Partitioning& partitioning : partitionings(data, workers())) {
      const std::string path = _directory.path("prepared.h5");
      write_prepared(_communicator, path, data, partitioning);
      SparseData back = read_hdf5_sparse(_communicator, path, "", graph);
      EXPECT_EQ(all_triplets(back.entries), expected);
      ASSERT_NE(back.entries.prepared, nullptr);
      EXPECT_TRUE(equal(back.entries.prepared->rows, partitioning.rows));
      EXPECT_TRUE(equal(back.entries.prepared->columns, partitioning.columns));
      EXPECT_TRUE(back.entries.prepared->rule == partitioning.rule);

      // The parts are what the partitioning says, each worker's by rows.
      auto every_column = _communicator.all_gather(std::span<const GlobalIndex>(back.entries.column.copy())).values;
      for (std::size_t k = 0; k < back.entries.row.size(); ++k) {
        const GlobalIndex row = back.entries.row[k], column = back.entries.column[k];
        const bool high = std::count(every_column.begin(), every_column.end(), column) >
                          static_cast<std::ptrdiff_t>(partitioning.rule.threshold);
        ASSERT_EQ(partitioning.part(row, column, high), _communicator.rank());
      }

      Options options;
      options.partition = Partition::automatic;
      partition::Placement placement(_communicator, options);
      const SpaceId rows = placement.separate_space(data.rows, "rows");
      const SpaceId columns = graph ? rows : placement.separate_space(data.columns, "columns");
      const std::size_t mine = back.entries.row.size();
      const MatrixId id = placement.add_matrix(rows, columns, std::move(back.entries));
      EXPECT_EQ(placement.matrix(id).nonzeros(), mine);
      EXPECT_TRUE(equal(placement.space(rows).assignment(), partitioning.rows));
      EXPECT_TRUE(equal(placement.space(columns).assignment(), partitioning.columns));
    }
  }
}

/// Blocks on the diagonal have no replicas, so that whatever is sent would be entries. The first block has most of
/// them: in the order of the file they do not divide evenly.
TEST_F(PreparedTest, NoEntryIsSent) {
  const std::uint64_t length = 30 * static_cast<std::uint64_t>(workers());
  const auto blocks = Assignment::block(length, workers());
  SparseData data;
  data.rows = data.columns = length;
  data.graph = true;
  data.entries.value_bytes = sizeof(double);
  for (std::uint64_t k = 0; _communicator.rank() == 0 && k < 2000; ++k) {
    const Rank block = static_cast<Rank>(k % 5 == 0 ? k / 5 % static_cast<std::uint64_t>(workers()) : 0);
    const GlobalIndex begin = blocks.block_begin(block);
    data.entries.row.push_back(begin + static_cast<GlobalIndex>(k * 7 % 30));
    data.entries.column.push_back(begin + static_cast<GlobalIndex>(k * 11 % 30));
    add_value(data, 1);
  }
  const std::string path = _directory.path("diagonal.h5");
  write_prepared(_communicator, path, std::move(data), {blocks, blocks, {EntryRule::Kind::row, 0}});
  const auto bytes_sent = [&](Partition partition) {
    Options options;
    options.partition = partition;
    partition::Placement placement(_communicator, options);
    const SpaceId vertices = placement.space(length);
    tests::reset_witness();
    SparseData read = read_hdf5_sparse(_communicator, path, "", true);
    if (partition != Partition::automatic) read.entries.prepared = nullptr;
    placement.add_matrix(vertices, vertices, std::move(read.entries));
    return _communicator.sum(tests::witness("kasen").vector_bytes);
  };
  EXPECT_EQ(bytes_sent(Partition::automatic), 0u);
  if (workers() > 1) {
    EXPECT_GT(bytes_sent(Partition::row), 0u);
  }
}

TEST_F(PreparedTest, AnyOtherNumberOfWorkersReadsTheMatrix) {
  SparseData data = edges(100, 60, 700, false);
  data.labelled = true;
  const auto blocks = Assignment::block(100, workers());
  for (GlobalIndex i = blocks.block_begin(_communicator.rank()); i < blocks.block_begin(_communicator.rank() + 1);
       ++i) {
    data.labels.push_back(static_cast<double>(i));
  }
  const auto expected = all_triplets(data.entries);
  for (const int parts : {1, workers() + 1, 7}) {
    if (parts == workers()) continue;
    const std::string path = _directory.path("other.h5");
    const Partitioning partitioning = partitionings(data, parts)[1];
    write_prepared(_communicator, path, data, partitioning);
    const SparseData back = read_hdf5_sparse(_communicator, path, "", false);
    EXPECT_EQ(back.entries.prepared, nullptr);
    EXPECT_EQ(all_triplets(back.entries), expected);
    EXPECT_EQ(back.labels, data.labels);
  }
}

TEST_F(PreparedTest, TheSameBytesForAnyNumberOfWriters) {
  SparseData data = edges(100, 100, 700, true);
  SparseData all = data;
  all.entries.row = _communicator.all_gather(std::span<const GlobalIndex>(data.entries.row.copy())).values;
  all.entries.column = _communicator.all_gather(std::span<const GlobalIndex>(data.entries.column.copy())).values;
  const std::vector<std::byte> value = _communicator.all_gather(std::span<const std::byte>(data.entries.value)).values;
  all.entries.value.assign(value.begin(), value.end());
  const std::string together = _directory.path("together.h5"), alone = _directory.path("alone.h5");
  for (const Partitioning& partitioning : partitionings(data, 4)) {
    write_prepared(_communicator, together, data, partitioning);
    if (_communicator.rank() == 0) {
      const comm::Communicator self(MPI_COMM_SELF);
      write_prepared(self, alone, all, partitioning);
      EXPECT_TRUE(contents(together) == contents(alone));
    }
  }
}

TEST_F(PreparedTest, ADifferentWishOrSpaceIsPlacedAfresh) {
  const SparseData data = edges(100, 100, 700, true);
  const std::string path = _directory.path("prepared.h5");
  write_prepared(_communicator, path, data, partitionings(data, workers())[3]);
  for (const bool assigned : {false, true}) {
    Options options;
    options.partition = assigned ? Partition::automatic : Partition::block;
    partition::Placement placement(_communicator, options);
    const SpaceId vertices = placement.space(100);
    if (assigned) placement.assign(vertices);
    SparseData back = read_hdf5_sparse(_communicator, path, "", true);
    placement.add_matrix(vertices, vertices, std::move(back.entries));
    EXPECT_EQ(placement.space(vertices).assignment().kind(), Assignment::Kind::block);
  }
}

/// A threshold of the user's own asks for a comparison.
TEST_F(PreparedTest, AThresholdIsComparedInstead) {
  const SparseData data = edges(100, 100, 700, true);
  const std::string path = _directory.path("prepared.h5");
  write_prepared(_communicator, path, data, partitionings(data, workers())[3]);
  for (const std::uint64_t threshold : {Options().threshold, std::uint64_t{30}}) {
    Options options;
    options.threshold = threshold;
    partition::Placement placement(_communicator, options);
    const SpaceId vertices = placement.space(100);
    SparseData back = read_hdf5_sparse(_communicator, path, "", true);
    placement.add_matrix(vertices, vertices, std::move(back.entries));
    EXPECT_EQ(placement.candidates().empty(), threshold == Options().threshold || workers() == 1);
  }
}

TEST_F(PreparedTest, WhatDoesNotFitIsRefused) {
  const auto error_of = [&](const std::vector<long>& offsets, const std::string& rule, long owner,
                            const std::vector<long>& begins = {}) -> std::string {
    const std::string path = _directory.path("wrong.h5");
    _communicator.barrier();
    if (_communicator.rank() == 0) {
      Hdf5Writer file(path);
      file.group("matrix");
      file.integers("matrix/row", {0, 1});
      file.integers("matrix/col", {1, 0});
      file.doubles("matrix/data", {1, 2});
      file.attribute("matrix", "shape", {2, 2});
      file.group("partition");
      file.integers("partition/offsets", offsets);
      file.integers("partition/row_owner", {owner, 0});
      file.attribute("partition", "workers", {workers()});
      file.attribute("partition", "rule", rule, true);
      file.attribute("partition", "threshold", {0});
      file.attribute("partition", "row_owners", begins.empty() ? "table" : "range", true);
      if (!begins.empty()) file.integers("partition/row_begin", begins);
    }
    _communicator.barrier();
    try {
      read_hdf5_sparse(_communicator, path, "", true);
    } catch (const Error& error) {
      const std::string message = error.what(), begin = path + ":/partition: found ";
      return message.starts_with(begin) ? message.substr(begin.size()) : message;
    }
    return "";
  };
  std::vector<long> right(static_cast<std::size_t>(workers()) + 1, 2);
  right[0] = 0;
  EXPECT_EQ(error_of(right, "row", 0), "");
  EXPECT_EQ(error_of({0, 1, 2, 2, 2, 2, 2, 2}, "row", 0),
            "8 64-bit integers as offsets, expected what kasen-convert writes");
  auto wrong = right;
  wrong[0] = 1;
  EXPECT_EQ(error_of(wrong, "row", 0),
            "offsets that do not ascend from 0 to the number of entries, expected what kasen-convert writes");
  EXPECT_EQ(error_of(right, "diagonal", 0), "no valid attribute rule, expected what kasen-convert writes");
  EXPECT_EQ(error_of(right, "row", workers()),
            "owner " + std::to_string(workers()) + ", expected what kasen-convert writes");
  EXPECT_EQ(error_of(right, "row", 0, right), "");
  EXPECT_EQ(error_of(right, "row", 0, {0, 2, 2, 2, 2, 2, 2, 2}),
            "8 64-bit integers as row_begin, expected what kasen-convert writes");
  EXPECT_EQ(error_of(right, "row", 0, wrong),
            "row_begin that does not ascend from 0 to 2, expected what kasen-convert writes");
}

}  // namespace
}  // namespace kasen::io
