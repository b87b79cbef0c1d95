/// @file
/// Placement where there is little or nothing, very much, or something wrong.

#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <vector>

#include "kasen/base/error.h"
#include "partition/distribute.h"
#include "tests/partition/placement_model.h"

namespace kasen::partition {
namespace {

TEST(PlacementEdge, TinySpacesAndEmptyMatrices) {
  const comm::Communicator communicator;
  const int workers = communicator.size();
  for (const Cut& cut : all_cuts())
    for (std::uint64_t length : {0u, 1u, 3u, 7u})
      for (std::uint64_t number : {0u, 9u}) {
        if (length == 0 && number != 0) continue;
        SCOPED_TRACE(cut.name + ", " + std::to_string(number) + " entries over " + std::to_string(length));
        const tests::Edges edges = number == 0 ? tests::Edges{} : tests::uniform_edges(length, length, number, length);
        Placement placement(communicator, options_of(cut));
        const SpaceId id = placement.space(length);
        const MatrixId m = placement.add_matrix(id, id, entries_read(edges, communicator, true));
        SpaceModel model(cut.partition == Partition::block ? Assignment::block(length, workers)
                                                           : Assignment::hash(length, workers));
        const std::vector<Rank> parts = parts_of(edges, cut, model.assignment, model.assignment);
        add_matrix(model, model, m, edges, parts);
        expect_space(model, placement, id, communicator);
        expect_matrix(edges, parts, placement, m, communicator.rank());
      }
}

TEST(PlacementEdge, AnEmptyMatrixBeforeOneWithEntries) {
  const comm::Communicator communicator;
  const Cut cut = all_cuts().front();
  Placement placement(communicator, options_of(cut));
  const SpaceId id = placement.space(50);
  const tests::Edges none, edges = tests::uniform_edges(50, 50, 200, 1);
  SpaceModel model(Assignment::hash(50, communicator.size()));
  const MatrixId a = placement.add_matrix(id, id, entries_read(none, communicator, false));
  add_matrix(model, model, a, none, {});
  const MatrixId b = placement.add_matrix(id, id, entries_read(edges, communicator, false));
  const std::vector<Rank> parts = parts_of(edges, cut, model.assignment, model.assignment);
  add_matrix(model, model, b, edges, parts);
  expect_space(model, placement, id, communicator);
  expect_matrix(none, {}, placement, a, communicator.rank());
  expect_matrix(edges, parts, placement, b, communicator.rank());
}

/// Below and above the indices that travel in 32 bits, and with one of one worker above.
TEST(PlacementEdge, EntriesArriveInTheirOrderWhateverTheirIndices) {
  const comm::Communicator communicator;
  constexpr GlobalIndex kWide = GlobalIndex{1} << 32, kEntries = 50;
  const auto row = [&](GlobalIndex first, Rank from, GlobalIndex k) { return first + k * communicator.size() + from; };
  for (const GlobalIndex first : {GlobalIndex{0}, kWide - kEntries * communicator.size(),
                                  kWide + 1 - kEntries * communicator.size(), kWide << 8}) {
    Entries mine;
    std::vector<Rank> destination;
    for (GlobalIndex k = 0; k < kEntries; ++k) {
      mine.row.push_back(row(first, communicator.rank(), k));
      mine.column.push_back(k);
      destination.push_back(static_cast<Rank>(k % 7) % communicator.size());
    }
    const std::vector<Rank> to = destination;
    const Entries arrived = distribute(communicator, std::move(mine), destination);
    std::vector<GlobalIndex> rows, columns;
    for (Rank from = 0; from < communicator.size(); ++from) {
      for (GlobalIndex k = 0; k < kEntries; ++k) {
        if (to[static_cast<std::size_t>(k)] != communicator.rank()) continue;
        rows.push_back(row(first, from, k));
        columns.push_back(k);
      }
    }
    EXPECT_EQ(arrived.row, rows);
    EXPECT_EQ(arrived.column, columns);
  }
}

/// One worker has entries for several rounds, the others for a part of one.
TEST(PlacementEdge, EntriesArriveInTheirOrderInSeveralRounds) {
  const comm::Communicator communicator;
  const auto entries_of = [](Rank worker) { return worker == 0 ? (std::uint64_t{1} << 19) + 3 : 7u; };
  const auto destination_of = [&](Rank worker, std::uint64_t k) {
    return static_cast<Rank>(mix(k + static_cast<std::uint64_t>(worker)) %
                             static_cast<std::uint64_t>(communicator.size()));
  };
  Entries mine;
  mine.value_bytes = sizeof(std::uint32_t);
  mine.value.resize(entries_of(communicator.rank()) * mine.value_bytes);
  for (std::uint64_t k = 0; k < entries_of(communicator.rank()); ++k) {
    mine.row.push_back(communicator.rank());
    mine.column.push_back(static_cast<GlobalIndex>(k));
    const auto value = static_cast<std::uint32_t>(3 * k);
    std::memcpy(&mine.value[k * sizeof value], &value, sizeof value);
  }
  const Entries arrived =
      distribute(communicator, std::move(mine), [&](const Entries& entries, std::size_t begin, std::span<Rank> to) {
        for (std::size_t k = 0; k < to.size(); ++k) {
          EXPECT_EQ(entries.column[begin + k], static_cast<GlobalIndex>(begin + k));
          to[k] = destination_of(communicator.rank(), begin + k);
        }
      });
  std::size_t at = 0;
  for (Rank worker = 0; worker < communicator.size(); ++worker) {
    for (std::uint64_t k = 0; k < entries_of(worker); ++k) {
      if (destination_of(worker, k) != communicator.rank()) continue;
      ASSERT_LT(at, arrived.row.size());
      std::uint32_t value = 0;
      std::memcpy(&value, &arrived.value[at * sizeof value], sizeof value);
      ASSERT_EQ(arrived.row[at], worker);
      ASSERT_EQ(arrived.column[at], static_cast<GlobalIndex>(k));
      ASSERT_EQ(value, static_cast<std::uint32_t>(3 * k));
      ++at;
    }
  }
  EXPECT_EQ(arrived.row.size(), at);
}

TEST(PlacementEdge, VectorsOnly) {
  const comm::Communicator communicator;
  const auto workers = static_cast<std::uint64_t>(communicator.size());
  Placement placement(communicator, Options{});
  const SpaceId id = placement.space(100);
  placement.assign(id);
  const IndexSpace& space = placement.space(id);
  EXPECT_TRUE(space.blocks());
  EXPECT_EQ(space.local_size(), space.masters());
  EXPECT_LE(space.masters(), 100 / workers + 1);
  EXPECT_EQ(communicator.sum(std::uint64_t{space.masters()}), 100u);
  for (LocalIndex k = 0; k < space.masters(); ++k)
    EXPECT_EQ(space.global()[k], space.first_master() + static_cast<GlobalIndex>(k));
  EXPECT_EQ(placement.stats().workers, workers);
  EXPECT_EQ(placement.stats().spaces.at(0).masters, 100u);
  EXPECT_TRUE(placement.stats().spaces.at(0).roles.empty());
}

/// Beyond six roles only single ones and all are listed: exchanges of other sets there are none.
TEST(PlacementEdge, ManyRoles) {
  const comm::Communicator communicator;
  const Cut cut{"no threshold", Partition::hybrid_cut, 4};
  Placement placement(communicator, options_of(cut));
  const SpaceId id = placement.space(64);
  SpaceModel model(Assignment::hash(64, communicator.size()));
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const tests::Edges edges = tests::uniform_edges(64, 64, 60, seed);
    const MatrixId m = placement.add_matrix(id, id, entries_read(edges, communicator, false));
    add_matrix(model, model, m, edges, parts_of(edges, cut, model.assignment, model.assignment));
  }
  const RoleSet all = model.roles();
  ASSERT_EQ(all.size(), 8u);
  const IndexSpace& space = placement.space(id);
  EXPECT_EQ(placement.stats().spaces.at(0).roles.size(), 9u);
  const auto replicas_here = [&](const RoleSet& roles) { return model.replicas_of(roles, communicator.rank()).size(); };
  for (const Role& role : all) EXPECT_EQ(space.halo({role}).replica_index.size(), replicas_here({role}));
  EXPECT_EQ(space.halo(all).replica_index.size(), replicas_here(all));
  const RoleSet two{all[0], all[3]};
  EXPECT_THROW(space.halo(two), InternalError);
  EXPECT_THROW(placement.stats().of(id, two), InternalError);
  LocalIndex in_two = 0;
  for (const Interval& run : space.replicas(two)) in_two += run.count;
  EXPECT_EQ(in_two, replicas_here(two));
  EXPECT_EQ(placement.stats().of(id, all).replicas, communicator.sum(std::uint64_t{replicas_here(all)}));
}

TEST(PlacementEdge, RolesOfOtherSpacesAreRefused) {
  const comm::Communicator communicator;
  Placement placement(communicator, Options{});
  const SpaceId id = placement.space(10);
  placement.assign(id);
  EXPECT_THROW(placement.space(id).halo({{MatrixId{3}, Role::Side::row}}), InternalError);
  EXPECT_THROW((void)placement.space(SpaceId{7}), std::out_of_range);
}

/// What every worker must throw: the message of one.
std::string message_of(const comm::Communicator& communicator, Entries entries, std::uint64_t rows,
                       std::uint64_t columns, std::uint64_t limit = kMaxLocalElements,
                       Partition partition = Partition::hybrid_cut) {
  Options options;
  options.partition = partition;
  options.threshold = 2;
  Placement placement(communicator, options, limit);
  const SpaceId row_space = placement.space(rows), column_space = placement.separate_space(columns, "columns");
  try {
    placement.add_matrix(row_space, column_space, std::move(entries));
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_status(), 1);
    return error.what();
  }
  return "";
}

TEST(PlacementEdge, IndicesOutOfRange) {
  const comm::Communicator communicator;
  const Rank last = communicator.size() - 1;
  struct Wrong {
    GlobalIndex row, column;
  };
  for (const Wrong& wrong : {Wrong{10, 0}, Wrong{-1, 0}, Wrong{0, 20}, Wrong{0, -5}}) {
    Entries entries;
    entries.row = {1, 2};
    entries.column = {3, 19};
    if (communicator.rank() == last) {  // only one worker meets it
      entries.row.push_back(wrong.row);
      entries.column.push_back(wrong.column);
    }
    const std::string message = message_of(communicator, entries, 10, 20);
    EXPECT_NE(message.find("(" + std::to_string(wrong.row) + ", " + std::to_string(wrong.column) + ")"),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("10 rows and 20 columns"), std::string::npos) << message;
  }
}

TEST(PlacementEdge, EntriesThatDoNotFitTogether) {
  const comm::Communicator communicator;
  Entries entries;
  entries.row = {1, 2};
  entries.column = {3};
  EXPECT_NE(message_of(communicator, entries, 10, 20), "");
  entries.column = {3, 4};
  EXPECT_EQ(message_of(communicator, entries, 10, 20), "");
  entries.value_bytes = 8;
  EXPECT_NE(message_of(communicator, entries, 10, 20), "");
  if (communicator.size() > 1) {
    entries.value_bytes = communicator.rank() == 0 ? 8 : 4;
    entries.value.resize(2 * entries.value_bytes);
    EXPECT_NE(message_of(communicator, entries, 10, 20), "");
  }
}

TEST(PlacementEdge, SomeWorkerHoldsTheShareThatIsRoundedUp) {
  const IndexSpace space("eleven", 11, 5, 0);
  EXPECT_THROW(space.check_length(5, 2), InputError);
  EXPECT_NO_THROW(space.check_length(5, 3));
}

TEST(PlacementEdge, MoreElementsThanCanBeNumbered) {
  const comm::Communicator communicator;
  // Masters: a worker has at least its share of 80.
  const auto too_few = static_cast<std::uint64_t>(80 / communicator.size() - 1);
  for (Partition partition : {Partition::block, Partition::hybrid_cut}) {
    const std::string message = message_of(communicator, Entries{}, 80, 4, too_few, partition);
    EXPECT_NE(message.find("index space 'length 80'"), std::string::npos) << message;
  }
  // Nothing is done for each element of a space that no worker could hold its share of.
  for (const Partition partition : {Partition::automatic, Partition::block, Partition::range, Partition::hybrid_cut,
                                    Partition::grid, Partition::metis, Partition::label_propagation}) {
    const std::string message =
        message_of(communicator, Entries{}, std::uint64_t{1} << 40, 4, kMaxLocalElements, partition);
    EXPECT_NE(message.find("index space 'length 1099511627776'"), std::string::npos) << message;
  }
  if (communicator.size() == 1) return;
  // Replicas: row 0 touches every column of a space in blocks, the others own theirs.
  Entries entries;
  if (communicator.rank() == 0)
    for (GlobalIndex column = 0; column < 80; ++column) {
      entries.row.push_back(0);
      entries.column.push_back(column);
    }
  EXPECT_EQ(message_of(communicator, entries, 4, 80, 80, Partition::block), "");
  const std::string message = message_of(communicator, entries, 4, 80, 79, Partition::block);
  EXPECT_NE(message.find("80 elements of the index space 'columns'"), std::string::npos) << message;
}

}  // namespace
}  // namespace kasen::partition
