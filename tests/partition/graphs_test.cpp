/// @file
/// The generators of tests and measurements: the same graph in any number of shares.

#include "tests/support/graphs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace kasen::tests {
namespace {

template <class Make>
void expect_same_in_shares(Make make) {
  const Edges whole = make(Share{});
  for (int parts : {2, 3, 7}) {
    Edges united;
    for (int part = 0; part < parts; ++part) {
      const Edges share = make(Share{part, parts});
      EXPECT_LE(share.source.size(), whole.source.size() / static_cast<std::size_t>(parts) + 1);
      united.source.insert(united.source.end(), share.source.begin(), share.source.end());
      united.target.insert(united.target.end(), share.target.begin(), share.target.end());
    }
    EXPECT_EQ(united.source, whole.source);
    EXPECT_EQ(united.target, whole.target);
  }
}

TEST(Graphs, SharesMakeUpTheWhole) {
  expect_same_in_shares([](Share share) { return rmat(8, 5, 3, share); });
  expect_same_in_shares([](Share share) { return uniform_edges(100, 7, 1001, 3, share); });
}

TEST(Graphs, RmatIsSkewedAndUsesTheWholeRange) {
  const Edges edges = rmat(12, 16, 1);
  ASSERT_EQ(edges.source.size(), 16u << 12);
  std::vector<int> in(1 << 12), out(1 << 12);
  for (std::size_t k = 0; k < edges.source.size(); ++k) {
    ++out.at(static_cast<std::size_t>(edges.source[k]));
    ++in.at(static_cast<std::size_t>(edges.target[k]));
  }
  EXPECT_GT(*std::max_element(in.begin(), in.end()), 500);
  EXPECT_GT(*std::max_element(out.begin(), out.end()), 500);
  EXPECT_GT(std::count(in.begin(), in.end(), 0), 400);
  // Renumbering is a bijection: degrees are those of the graph as R-MAT draws it, elsewhere.
  const Edges plain = rmat(12, 16, 1, {}, false);
  std::vector<int> plain_in(1 << 12);
  for (GlobalIndex target : plain.target) ++plain_in.at(static_cast<std::size_t>(target));
  EXPECT_NE(plain_in, in);
  std::sort(in.begin(), in.end());
  std::sort(plain_in.begin(), plain_in.end());
  EXPECT_EQ(plain_in, in);
}

TEST(Graphs, SeedsDiffer) {
  EXPECT_NE(rmat(6, 4, 1).source, rmat(6, 4, 2).source);
  EXPECT_NE(uniform_edges(50, 50, 100, 1).source, uniform_edges(50, 50, 100, 2).source);
}

TEST(Graphs, SmallestScales) {
  for (int scale : {0, 1, 2, 3}) {
    const Edges edges = rmat(scale, 40, 5);
    const std::set<GlobalIndex> seen(edges.source.begin(), edges.source.end());
    EXPECT_EQ(seen.size(), std::size_t{1} << scale);
    EXPECT_EQ(*seen.rbegin(), (GlobalIndex{1} << scale) - 1);
  }
}

}  // namespace
}  // namespace kasen::tests
