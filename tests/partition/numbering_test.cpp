/// @file
/// Spaces numbered by degree against the model that knows all edges, and when automatic numbering does so.

#include "partition/numbering.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "partition/placement.h"
#include "tests/partition/placement_model.h"

namespace kasen::partition {
namespace {

Options by_degree(const Cut& cut) {
  Options options = options_of(cut);
  options.numbering = Numbering::degree;
  return options;
}

SpaceModel model_of(const Cut& cut, std::uint64_t length, int workers, std::uint64_t salt = 0) {
  SpaceModel model(cut.partition == Partition::block ? Assignment::block(length, workers)
                                                     : Assignment::hash(length, workers, salt));
  model.by_degree = true;
  return model;
}

void expect_square(const comm::Communicator& communicator, const Cut& cut, std::uint64_t length,
                   const tests::Edges& edges) {
  SCOPED_TRACE(cut.name + ", length " + std::to_string(length));
  Placement placement(communicator, by_degree(cut));
  const SpaceId vertices = placement.space(length);
  const MatrixId id = placement.add_matrix(vertices, vertices, entries_read(edges, communicator, true));
  SpaceModel model = model_of(cut, length, communicator.size());
  const std::vector<Rank> parts = parts_of(edges, cut, model.assignment, model.assignment);
  add_matrix(model, model, id, edges, parts);
  expect_space(model, placement, vertices, communicator);
  expect_matrix(edges, parts, placement, id, communicator.rank());
  for (const RoleSet& roles : {RoleSet{{id, Role::Side::row}}, RoleSet{{id, Role::Side::column}},
                               RoleSet{{id, Role::Side::row}, {id, Role::Side::column}}})
    EXPECT_TRUE(placement.stats().of(vertices, roles).contiguous);
  EXPECT_FALSE(placement.stats().spaces[0].blocks);
  ASSERT_EQ(placement.numberings().size(), 1u);
  EXPECT_EQ(placement.numberings()[0].space, vertices);
  EXPECT_TRUE(placement.numberings()[0].by_degree);
}

TEST(Numbering, SquareMatrices) {
  const comm::Communicator communicator;
  for (const Cut& cut : all_cuts()) {
    expect_square(communicator, cut, 256, tests::rmat(8, 6, 4));
    expect_square(communicator, cut, 1000, tests::uniform_edges(1000, 1000, 700, 5));  // most vertices without edges
    for (const std::uint64_t length : {1u, 3u, 7u})
      expect_square(communicator, cut, length, tests::uniform_edges(length, length, 9, length));
    expect_square(communicator, cut, 9, {});
    expect_square(communicator, cut, 0, {});
  }
}

TEST(Numbering, RectangularMatricesAndFurtherOnes) {
  const comm::Communicator communicator;
  const int workers = communicator.size();
  for (const Cut& cut : all_cuts()) {
    SCOPED_TRACE(cut.name);
    const tests::Edges first = tests::uniform_edges(300, 40, 900, 6), second = tests::rmat(5, 20, 2),
                       third = tests::uniform_edges(300, 32, 400, 7);
    Placement placement(communicator, by_degree(cut));
    const SpaceId samples = placement.space(300), features = placement.space(40), others = placement.space(32);
    SpaceModel rows = model_of(cut, 300, workers), columns = model_of(cut, 40, workers, index_of(features) + 1),
               more = model_of(cut, 32, workers);

    const MatrixId a = placement.add_matrix(samples, features, entries_read(first, communicator, false));
    EXPECT_EQ(placement.numberings().size(), 2u);
    const std::vector<Rank> a_parts = parts_of(first, cut, rows.assignment, columns.assignment);
    add_matrix(rows, columns, a, first, a_parts);
    expect_space(rows, placement, samples, communicator);
    const std::span<const GlobalIndex> global = placement.space(samples).global();
    const std::vector<GlobalIndex> before(global.begin(), global.end());

    const MatrixId b = placement.add_matrix(others, others, entries_read(second, communicator, false));
    const std::vector<Rank> b_parts = parts_of(second, cut, more.assignment, more.assignment);
    add_matrix(more, more, b, second, b_parts);
    // Both spaces have numbers: what this brings follows behind, by index.
    const MatrixId c = placement.add_matrix(samples, others, entries_read(third, communicator, true));
    EXPECT_TRUE(placement.numberings().empty());
    const std::vector<Rank> c_parts = parts_of(third, cut, rows.assignment, more.assignment);
    add_matrix(rows, more, c, third, c_parts);

    EXPECT_TRUE(std::equal(before.begin(), before.end(), placement.space(samples).global().begin()));
    expect_space(rows, placement, samples, communicator);
    expect_space(columns, placement, features, communicator);
    expect_space(more, placement, others, communicator);
    expect_matrix(first, a_parts, placement, a, communicator.rank());
    expect_matrix(second, b_parts, placement, b, communicator.rank());
    expect_matrix(third, c_parts, placement, c, communicator.rank());
  }
}

TEST(Numbering, VectorsKeepTheirOrder) {
  const comm::Communicator communicator;
  const int workers = communicator.size();
  const Cut cut = all_cuts().front();
  const tests::Edges edges = tests::uniform_edges(100, 60, 400, 8);
  Placement placement(communicator, by_degree(cut));
  const SpaceId stored = placement.space(100), given = placement.space(60);
  placement.assign(stored);
  std::vector<Rank> owners(60);
  for (std::size_t i = 0; i < owners.size(); ++i) owners[i] = static_cast<Rank>(i * i % 7) % workers;
  const Assignment table = Assignment::table(owners, workers);
  placement.assign(given, table);  // owners, but no vector yet

  const MatrixId id = placement.add_matrix(stored, given, entries_read(edges, communicator, false));
  SpaceModel rows(Assignment::block(100, workers)), columns(table);
  columns.by_degree = true;
  const std::vector<Rank> parts = parts_of(edges, cut, rows.assignment, columns.assignment);
  add_matrix(rows, columns, id, edges, parts);
  expect_space(rows, placement, stored, communicator);
  expect_space(columns, placement, given, communicator);
  expect_matrix(edges, parts, placement, id, communicator.rank());
}

/// Whether a graph's vertices are numbered by degree, which all workers must answer alike.
NumberingChoice automatic(const comm::Communicator& communicator, const tests::Edges& edges, std::uint64_t length,
                          std::uint64_t cache_bytes, Partition partition = Partition::automatic) {
  Options options;
  options.partition = partition;
  Placement placement(communicator, options, kMaxLocalElements, cache_bytes);
  const SpaceId id = placement.space(length);
  placement.add_matrix(id, id, entries_read(edges, communicator, false));
  const NumberingChoice choice = placement.numberings().at(0);
  const std::uint64_t workers = static_cast<std::uint64_t>(communicator.size());
  EXPECT_EQ(communicator.sum(std::uint64_t{choice.by_degree}), choice.by_degree ? workers : 0) << choice.reason;
  EXPECT_EQ(placement.space(id).blocks(), placement.stats().spaces[0].blocks);
  if (choice.by_degree) {
    EXPECT_FALSE(placement.space(id).blocks());
  }
  return choice;
}

TEST(Numbering, AutomaticIsByDegreeWhereTheCacheIsTooSmall) {
  const comm::Communicator communicator;
  const tests::Edges edges = tests::rmat(14, 4, 3);
  for (const Partition partition : {Partition::block, Partition::hybrid_cut, Partition::grid}) {
    const NumberingChoice small = automatic(communicator, edges, 1u << 14, 6000, partition);
    EXPECT_TRUE(small.by_degree) << small.reason;
    const NumberingChoice large = automatic(communicator, edges, 1u << 14, 1u << 20, partition);
    EXPECT_FALSE(large.by_degree) << large.reason;
  }
}

TEST(Numbering, AutomaticLeavesOrdersWithLocalityAlone) {
  const comm::Communicator communicator;
  tests::Edges band;
  for (GlobalIndex i = 0; i < 4096; ++i) {
    for (GlobalIndex j = std::max<GlobalIndex>(i - 3, 0); j < std::min<GlobalIndex>(i + 4, 4096); ++j) {
      band.source.push_back(i);
      band.target.push_back(j);
    }
  }
  const NumberingChoice choice = automatic(communicator, band, 4096, 1024, Partition::block);
  EXPECT_FALSE(choice.by_degree) << choice.reason;
  EXPECT_NE(choice.reason.find(" near "), std::string::npos) << choice.reason;

  tests::Edges diagonal;
  diagonal.source.resize(4096);
  std::iota(diagonal.source.begin(), diagonal.source.end(), 0);
  diagonal.target = diagonal.source;
  EXPECT_FALSE(automatic(communicator, diagonal, 4096, 1024).by_degree);
}

TEST(Numbering, AutomaticLeavesEvenDegreesAlone) {
  const comm::Communicator communicator;
  tests::Edges even;
  for (GlobalIndex i = 0; i < 4096; ++i) {
    for (GlobalIndex k = 0; k < 5; ++k) {
      even.source.push_back(i);
      even.target.push_back((i * 1237 + k * 1511) % 4096);
    }
  }
  const NumberingChoice choice = automatic(communicator, even, 4096, 1024, Partition::block);
  EXPECT_FALSE(choice.by_degree) << choice.reason;
  EXPECT_NE(choice.reason.find(" highest degree"), std::string::npos) << choice.reason;
}

TEST(Numbering, IndexLeavesEverythingAlone) {
  const comm::Communicator communicator;
  Options options;
  options.numbering = Numbering::index;
  Placement placement(communicator, options, kMaxLocalElements, 64);
  const SpaceId id = placement.space(1024);
  placement.add_matrix(id, id, entries_read(tests::rmat(10, 16, 3), communicator, false));
  const std::span<const GlobalIndex> masters = placement.space(id).global().first(placement.space(id).masters());
  EXPECT_TRUE(std::is_sorted(masters.begin(), masters.end()));
}

}  // namespace
}  // namespace kasen::partition
