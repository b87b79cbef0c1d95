/// @file
/// Spaces, replicas, roles and local matrices on every worker against the model that knows all edges.

#include "partition/placement.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "tests/partition/placement_model.h"

namespace kasen::partition {
namespace {

/// One square matrix over one space.
void expect_square(const comm::Communicator& communicator, const Cut& cut, std::uint64_t length,
                   const tests::Edges& edges) {
  SCOPED_TRACE(cut.name + ", length " + std::to_string(length));
  const int workers = communicator.size();
  Placement placement(communicator, options_of(cut));
  const SpaceId vertices = placement.space(length);
  EXPECT_EQ(placement.space(length), vertices);
  EXPECT_FALSE(placement.space(vertices).assigned());
  const MatrixId id = placement.add_matrix(vertices, vertices, entries_read(edges, communicator, true));

  SpaceModel model(cut.partition == Partition::block ? Assignment::block(length, workers)
                                                     : Assignment::hash(length, workers));
  const std::vector<Rank> parts = parts_of(edges, cut, model.assignment, model.assignment);
  add_matrix(model, model, id, edges, parts);
  expect_space(model, placement, vertices, communicator);
  expect_matrix(edges, parts, placement, id, communicator.rank());
}

TEST(Placement, SquareMatrices) {
  const comm::Communicator communicator;
  for (const Cut& cut : all_cuts()) {
    expect_square(communicator, cut, 256, tests::rmat(8, 6, 4));
    expect_square(communicator, cut, 1000, tests::uniform_edges(1000, 1000, 700, 5));  // most vertices without edges
  }
}

TEST(Placement, TheFirstMatrixOfASpaceNeedsNoPacking) {
  const comm::Communicator communicator;
  for (const Cut& cut : all_cuts()) {
    Placement placement(communicator, options_of(cut));
    const SpaceId vertices = placement.space(256);
    const Entries entries = entries_read(tests::rmat(8, 6, 4), communicator, false);
    const MatrixId id = placement.add_matrix(vertices, vertices, entries);
    for (const RoleSet& roles : {RoleSet{{id, Role::Side::row}}, RoleSet{{id, Role::Side::column}},
                                 RoleSet{{id, Role::Side::row}, {id, Role::Side::column}}})
      EXPECT_TRUE(placement.stats().of(vertices, roles).contiguous) << cut.name;
  }
}

TEST(Placement, RectangularMatrices) {
  const comm::Communicator communicator;
  const int workers = communicator.size();
  for (const Cut& cut : all_cuts()) {
    SCOPED_TRACE(cut.name);
    const tests::Edges edges = tests::uniform_edges(300, 40, 900, 6);
    Placement placement(communicator, options_of(cut));
    const SpaceId samples = placement.space(300), features = placement.space(40);
    const MatrixId id = placement.add_matrix(samples, features, entries_read(edges, communicator, false));
    const bool block = cut.partition == Partition::block;
    SpaceModel rows(block ? Assignment::block(300, workers) : Assignment::hash(300, workers));
    SpaceModel columns(block ? Assignment::block(40, workers) : Assignment::hash(40, workers, index_of(features) + 1));
    const std::vector<Rank> parts = parts_of(edges, cut, rows.assignment, columns.assignment);
    add_matrix(rows, columns, id, edges, parts);
    expect_space(rows, placement, samples, communicator);
    expect_space(columns, placement, features, communicator);
    expect_matrix(edges, parts, placement, id, communicator.rank());
  }
}

TEST(Placement, FurtherMatricesKeepTheNumbersOfTheFirst) {
  const comm::Communicator communicator;
  const int workers = communicator.size();
  for (const Cut& cut : all_cuts()) {
    SCOPED_TRACE(cut.name);
    Placement placement(communicator, options_of(cut));
    const SpaceId vertices = placement.space(128), features = placement.space(30);
    const tests::Edges first = tests::rmat(7, 3, 1), second = tests::rmat(7, 4, 2),
                       third = tests::uniform_edges(128, 30, 200, 3);
    const bool block = cut.partition == Partition::block;
    SpaceModel model(block ? Assignment::block(128, workers) : Assignment::hash(128, workers));
    SpaceModel features_model(block ? Assignment::block(30, workers)
                                    : Assignment::hash(30, workers, index_of(features) + 1));

    const MatrixId a = placement.add_matrix(vertices, vertices, entries_read(first, communicator, true));
    const std::vector<Rank> a_parts = parts_of(first, cut, model.assignment, model.assignment);
    add_matrix(model, model, a, first, a_parts);
    expect_space(model, placement, vertices, communicator);
    const std::vector<GlobalIndex> before(placement.space(vertices).global().begin(),
                                          placement.space(vertices).global().end());
    const RoleSet row_of_a{{a, Role::Side::row}};
    const comm::Halo& kept = placement.space(vertices).halo(row_of_a);
    const comm::Halo copied = kept;
    (void)placement.matrix(a).by_column();  // built before the space grows, by_row after

    const MatrixId b = placement.add_matrix(vertices, vertices, entries_read(second, communicator, false));
    const std::vector<Rank> b_parts = parts_of(second, cut, model.assignment, model.assignment);
    add_matrix(model, model, b, second, b_parts);
    const MatrixId c = placement.add_matrix(vertices, features, entries_read(third, communicator, true));
    const std::vector<Rank> c_parts = parts_of(third, cut, model.assignment, features_model.assignment);
    add_matrix(model, features_model, c, third, c_parts);

    const std::span<const GlobalIndex> after = placement.space(vertices).global();
    EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin()));
    EXPECT_EQ(kept.replica_index, copied.replica_index);
    EXPECT_EQ(kept.master_index, copied.master_index);
    EXPECT_EQ(&placement.space(vertices).halo(row_of_a), &kept);
    expect_space(model, placement, vertices, communicator);  // five roles: all 31 sets
    expect_space(features_model, placement, features, communicator);
    expect_matrix(first, a_parts, placement, a, communicator.rank());
    expect_matrix(second, b_parts, placement, b, communicator.rank());
    expect_matrix(third, c_parts, placement, c, communicator.rank());
  }
}

TEST(Placement, AssignedSpacesAreFollowed) {
  const comm::Communicator communicator;
  const int workers = communicator.size();
  const Cut cut{"threshold 3", Partition::hybrid_cut, 3};
  const tests::Edges edges = tests::uniform_edges(100, 100, 400, 8);
  Placement placement(communicator, options_of(cut));
  const SpaceId blocks = placement.space(100);
  placement.assign(blocks);
  placement.assign(blocks);
  EXPECT_TRUE(placement.space(blocks).blocks());
  const SpaceId apart = placement.separate_space(100, "apart");
  EXPECT_NE(apart, blocks);
  EXPECT_EQ(placement.space(100), blocks);
  EXPECT_EQ(placement.space(apart).name(), "apart");
  EXPECT_EQ(placement.stats().spaces.at(index_of(apart)).name, "apart");
  EXPECT_EQ(placement.stats().spaces.size(), 2u);
  const MatrixId id = placement.add_matrix(blocks, apart, entries_read(edges, communicator, false));
  SpaceModel rows(Assignment::block(100, workers)), columns(Assignment::hash(100, workers, index_of(apart) + 1));
  const std::vector<Rank> parts = parts_of(edges, cut, rows.assignment, columns.assignment);
  add_matrix(rows, columns, id, edges, parts);
  expect_space(rows, placement, blocks, communicator);
  expect_space(columns, placement, apart, communicator);
  expect_matrix(edges, parts, placement, id, communicator.rank());
}

/// out[j] = sum of v[i] * m over the non-zeros, in two steps as a plan does: locally, then replicas to masters.
TEST(Placement, ProductsEqualThoseOfOneMachine) {
  const comm::Communicator communicator;
  for (const Cut& cut : all_cuts()) {
    SCOPED_TRACE(cut.name);
    const tests::Edges edges = tests::rmat(8, 8, 9);
    Placement placement(communicator, options_of(cut));
    const SpaceId id = placement.space(256);
    const MatrixId m = placement.add_matrix(id, id, entries_read(edges, communicator, true));
    const IndexSpace& space = placement.space(id);
    for (const bool by_column : {true, false}) {
      std::vector<std::uint64_t> expected(256), found(256);
      for (std::size_t k = 0; k < edges.source.size(); ++k) {
        const GlobalIndex in = by_column ? edges.source[k] : edges.target[k];
        const GlobalIndex out = by_column ? edges.target[k] : edges.source[k];
        expected[static_cast<std::size_t>(out)] += static_cast<std::uint64_t>(in) * k;
      }
      const CompressedView view = by_column ? placement.matrix(m).by_column() : placement.matrix(m).by_row();
      for (LocalIndex j = 0; j < space.local_size(); ++j)
        for (std::uint64_t k = view.pointer[j]; k < view.pointer[j + 1]; ++k)
          found[static_cast<std::size_t>(space.global()[j])] +=
              static_cast<std::uint64_t>(space.global()[view.index[k]]) *
              reinterpret_cast<const std::uint32_t*>(view.value)[k];
      communicator.sum(std::span<std::uint64_t>(found));
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(Placement, TheSameTwiceGivesTheSame) {
  const comm::Communicator communicator;
  const tests::Edges edges = tests::rmat(8, 6, 4);
  const auto numbers = [&] {
    Placement placement(communicator, Options{});
    const SpaceId id = placement.space(256);
    const MatrixId m = placement.add_matrix(id, id, entries_read(edges, communicator, false));
    const CompressedView view = placement.matrix(m).by_column();
    std::vector<LocalIndex> all(view.index.begin(), view.index.end());
    all.insert(all.end(), view.pointer.begin(), view.pointer.end());
    return all;
  };
  EXPECT_EQ(numbers(), numbers());
}

struct Triple {
  GlobalIndex row, column;
  double value;
};

/// Whether a matrix of these, which workers have read in turn, is found to be symmetric.
bool found_symmetric(const std::vector<Triple>& triples, bool values, std::uint64_t columns = 50) {
  const comm::Communicator communicator;
  Entries entries;
  entries.value_bytes = values ? sizeof(double) : 0;
  for (std::size_t k = static_cast<std::size_t>(communicator.rank()); k < triples.size();
       k += static_cast<std::size_t>(communicator.size())) {
    entries.row.push_back(triples[k].row);
    entries.column.push_back(triples[k].column);
    const auto* bytes = reinterpret_cast<const std::byte*>(&triples[k].value);
    if (values) entries.value.insert(entries.value.end(), bytes, bytes + sizeof(double));
  }
  Placement placement(communicator, Options{});
  const MatrixId id = placement.add_matrix(placement.space(50), placement.space(columns), std::move(entries));
  return placement.stats().matrices[index_of(id)].symmetric;
}

TEST(Placement, SymmetricMatricesAreKnown) {
  std::vector<Triple> triples;
  for (GlobalIndex k = 0; k < 200; ++k) {
    const GlobalIndex i = k * 7 % 50, j = k * k % 50;
    triples.push_back({i, j, 0.5 * static_cast<double>(k)});
    if (i != j) triples.push_back({j, i, 0.5 * static_cast<double>(k)});
  }
  for (const bool values : {false, true}) {
    EXPECT_TRUE(found_symmetric(triples, values));
    EXPECT_TRUE(found_symmetric({}, values));
    EXPECT_TRUE(found_symmetric({{3, 3, 1}}, values));
    EXPECT_FALSE(found_symmetric(triples, values, 51));  // not of one space
    EXPECT_FALSE(found_symmetric({{3, 4, 1}}, values));
    EXPECT_FALSE(found_symmetric({{3, 4, 1}, {3, 4, 1}, {4, 3, 1}}, values));  // not as often
    EXPECT_EQ(found_symmetric({{3, 4, 1}, {4, 3, 2}}, values), !values);
    EXPECT_EQ(found_symmetric({{3, 4, 1}, {3, 4, 2}, {4, 3, 2}, {4, 3, 2}}, values), !values);
    EXPECT_TRUE(found_symmetric({{3, 4, 1}, {3, 4, 2}, {4, 3, 2}, {4, 3, 1}}, values));
    EXPECT_FALSE(found_symmetric({{1, 2, 1}, {2, 3, 1}, {3, 1, 1}}, values));  // a circle
    for (std::size_t k = 0; k < triples.size(); k += 37) {
      if (triples[k].row == triples[k].column) continue;
      std::vector<Triple> less = triples;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(k));
      EXPECT_FALSE(found_symmetric(less, values)) << k;
    }
  }
  std::vector<Triple> all;
  for (GlobalIndex i = 0; i < 50; ++i) {
    for (GlobalIndex j = 0; j < 50; ++j) all.push_back({i, j, 1});
  }
  EXPECT_TRUE(found_symmetric(all, false));
  EXPECT_FALSE(found_symmetric(all, true));  // it is dense
}

}  // namespace
}  // namespace kasen::partition
