/// @file
/// Algorithm 1 of the paper, against the same in plain loops.
#include <cstring>

#include "tests/endtoend/end_to_end.h"
#include "tests/endtoend/serial_pagerank.h"

namespace kasen::tests {
namespace {

constexpr double kDamping = 0.85;
constexpr double kRankAgreement = 1e-12;  // relative

struct Ranks {
  std::vector<double> pr;
  std::uint64_t iterations;
};

Ranks pagerank(const Matrix<Pattern>& G, double tolerance, std::uint64_t most) {
  Shared<double> r = kDamping, diff = infinity;
  Shared<std::uint64_t> iteration = 0;
  Vector<double> pr = constant(G.rows(), 1.0);
  auto degree = mxvt(first, plus, G, pr);
  while_(likely([&] { return diff > tolerance && iteration < most; }), [&] {
    auto share = zip_with(divides, pr, degree);
    auto sum = mxv(first, plus, G, share);
    auto new_pr = map(KASEN_FN((auto x, auto q), (1 - q) + q * x), sum, r);
    diff = reduce(plus, zip_with(KASEN_FN((auto a, auto b), kasen::abs(a - b)), pr, new_pr));
    pr = new_pr;
    iteration = iteration + 1;
  });
  return {pr.get(), iteration.get()};
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST_P(EndToEnd, PageRankFixedIterations) {
  for (const auto& graph : {small_graph(7, 6), small_graph(5, 1, 3)}) {
    const auto G = graph.distribute();
    const Ranks ranks = pagerank(G, -1.0, 20);
    EXPECT_TRUE(near(ranks.pr, serial_pagerank(graph, kDamping, -1.0, 20).pr, kRankAgreement));
    EXPECT_EQ(ranks.iterations, 20u);
    EXPECT_TRUE(same_bits(pagerank(G, -1.0, 20).pr, ranks.pr));
  }
  EXPECT_EQ(session().counts().iterations, 80u);
}

TEST_P(EndToEnd, PageRankToTolerance) {
  const auto graph = small_graph(6, 8, 2);
  const Ranks ranks = pagerank(graph.distribute(), 1e-6, 1000);
  const SerialRanks serial = serial_pagerank(graph, kDamping, 1e-6, 1000);
  EXPECT_EQ(ranks.iterations, serial.iterations);
  EXPECT_TRUE(near(ranks.pr, serial.pr, kRankAgreement));
}

TEST_P(EndToEnd, PageRankOfNoIterations) {
  const auto graph = small_graph(4, 2);
  const Ranks ranks = pagerank(graph.distribute(), 1e-6, 0);
  EXPECT_EQ(ranks.pr, std::vector<double>(graph.height, 1.0));
}

TEST_P(EndToEnd, PageRankOfGraphWithoutEdges) {
  const Sparse<Pattern> graph{9, 9, {}};
  const Ranks ranks = pagerank(graph.distribute(), -1.0, 3);
  EXPECT_TRUE(near(ranks.pr, std::vector<double>(9, 1 - kDamping), kRankAgreement));
}

/// The loop as in figure 4, with the test in C++: what lies between two reads is planned once, and
/// once more when there have been so many products that blocks are counted.
TEST_P(EndToEnd, PageRankInNativeLoop) {
  const auto graph = small_graph(6, 6, 4);
  const auto G = graph.distribute();
  Vector<double> pr = constant(G.rows(), 1.0);
  auto degree = mxvt(first, plus, G, pr);
  double diff = infinity;
  std::uint64_t iterations = 0, plans_after_three = 0;
  while (diff > 1e-6) {
    auto sum = mxv(first, plus, G, zip_with(divides, pr, degree));
    auto new_pr = map([](double x) { return (1 - kDamping) + kDamping * x; }, sum);
    diff = reduce(plus, zip_with([](double a, double b) { return std::abs(a - b); }, pr, new_pr)).get();
    pr = new_pr;
    if (++iterations == 3) plans_after_three = session().counts().plans;
  }
  const SerialRanks serial = serial_pagerank(graph, kDamping, 1e-6, 1000);
  EXPECT_EQ(iterations, serial.iterations);
  const bool blocks_counted_since = iterations > 20;
  EXPECT_LE(session().counts().plans, plans_after_three + (blocks_counted_since ? 1 : 0));
  EXPECT_TRUE(near(pr.get(), serial.pr, kRankAgreement));
}

}  // namespace
}  // namespace kasen::tests
