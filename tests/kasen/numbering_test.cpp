/// @file
/// Programs over spaces that are numbered by degree see global indices only.
#include <gtest/gtest.h>

#include <span>
#include <utility>
#include <vector>

#include "kasen/kasen.h"
#include "kasen/make_vector.h"
#include "kasen/output.h"
#include "kasen/partition_by.h"
#include "kasen/session/engine.h"
#include "tests/endtoend/agreement_of_counts.h"
#include "tests/support/graphs.h"
#include "tests/support/pmpi_witness.h"

namespace kasen::tests {
namespace {

constexpr GlobalIndex kLength = 64;

Options by_degree(Partition partition) {
  Options options;
  options.quiet = true;
  options.partition = partition;
  options.numbering = Numbering::degree;
  return options;
}

Matrix<Pattern> graph(Space space, const Session& session) {
  Edges edges = rmat(6, 5, 1, {session.rank(), session.workers()});
  return make_matrix(space, space, {std::move(edges.source), std::move(edges.target), {}, 0});
}

/// square(i) for this worker's block.
Vector<double> squares(Space space) {
  const BlockRange range = block_of(space);
  std::vector<double> mine(range.count);
  for (std::size_t k = 0; k < mine.size(); ++k) {
    const auto i = static_cast<double>(range.first) + static_cast<double>(k);
    mine[k] = i * i;
  }
  return make_vector<double>(space, std::span<const double>(mine));
}

/// The same from the index, the values of a given vector, and the product by hand.
void expect_program(Session& session, const Matrix<Pattern>& G, const Vector<double>& given) {
  std::vector<double> expected(kLength), product(kLength);
  for (GlobalIndex i = 0; i < kLength; ++i) expected[static_cast<std::size_t>(i)] = static_cast<double>(i * i);
  const Edges all = rmat(6, 5, 1);
  for (std::size_t k = 0; k < all.source.size(); ++k)
    product[static_cast<std::size_t>(all.target[k])] += expected[static_cast<std::size_t>(all.source[k])];
  EXPECT_EQ(given.get(), expected);
  const Vector<double> made = map([](GlobalIndex i) { return static_cast<double>(i * i); }, iota(G.rows()));
  EXPECT_EQ(made.get(), expected);
  EXPECT_EQ(mxv(first, plus, G, made).get(), product);
  EXPECT_EQ(mxv(first, plus, G, given).get(), product);
  const auto largest = top(given, 3);
  ASSERT_EQ(largest.size(), 3u);
  for (GlobalIndex k = 0; k < 3; ++k) EXPECT_EQ(largest[static_cast<std::size_t>(k)].index, kLength - 1 - k);
  EXPECT_EQ(disagreements(session), "") << session.plan_text();
}

TEST(Numbering, IsNotSeenByPrograms) {
  for (const Partition partition : {Partition::block, Partition::hybrid_cut, Partition::metis}) {
    reset_witness();
    Session session(by_degree(partition));
    const Space space(kLength);
    const auto G = graph(space, session);
    EXPECT_FALSE(session.engine().placement().space(space.id()).blocks());
    expect_program(session, G, squares(space));
  }
}

TEST(Numbering, LeavesStoredVectorsAlone) {
  reset_witness();
  Session session(by_degree(Partition::hybrid_cut));
  const Space space(kLength);
  const Vector<double> given = squares(space);
  const auto G = graph(space, session);
  EXPECT_TRUE(session.engine().placement().space(space.id()).blocks());
  expect_program(session, G, given);
}

TEST(Numbering, ComesAfterGivenOwners) {
  for (const bool stored : {false, true}) {
    reset_witness();
    Session session(by_degree(Partition::row));
    const Space space(kLength);
    partition_by(space, [](GlobalIndex index, int parts) { return static_cast<int>(index / 3 % parts); });
    Vector<double> ones = constant(space, 1.0);
    if (stored) {
      EXPECT_EQ(reduce(plus, ones).get(), static_cast<double>(kLength));
    }
    const auto G = graph(space, session);
    EXPECT_EQ(session.engine().placement().space(space.id()).ascending_masters().empty(),
              stored || session.engine().placement().space(space.id()).masters() == 0);
    expect_program(session, G, squares(space));
  }
}

}  // namespace
}  // namespace kasen::tests
