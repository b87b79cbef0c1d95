/// @file
/// When matrices are planned with in blocks: in recorded loops, in native ones after some products, and where
/// options say so.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "kasen/kasen.h"
#include "kasen/session/engine.h"
#include "tests/endtoend/agreement_of_counts.h"
#include "tests/support/graphs.h"
#include "tests/support/pmpi_witness.h"

namespace kasen::tests {
namespace {

constexpr int kScale = 7;

class Blocks : public testing::Test {
 protected:
  Session& start(Storage storage, std::uint32_t block_edge) {
    Options options;
    options.quiet = true;
    options.threshold = 6;
    options.storage = storage;
    options.block_edge = block_edge;
    reset_witness();
    return _session.emplace(options);
  }
  void TearDown() override {
    const std::string wrong = disagreements(*_session);
    EXPECT_TRUE(wrong.empty()) << wrong << _session->plan_text();
  }
  Matrix<Pattern> graph() {
    const Edges edges = rmat(kScale, 5, 1, {_session->rank(), _session->workers()});
    return make_matrix(1u << kScale, 1u << kScale, {edges.source, edges.target, {}, 0});
  }
  bool counted() { return _session->engine().placement().stats().matrices.at(0).blocks(Role::Side::column).counted; }
  bool planned() { return _session->plan_text().find("in blocks") != std::string::npos; }

  std::optional<Session> _session;
};

TEST_F(Blocks, AreCountedForRecordedLoops) {
  start(Storage::automatic, 8);
  const auto G = graph();
  Vector<double> v = constant(G.rows(), 1.0);
  v = mxv(first, plus, G, v);
  v.get();
  EXPECT_FALSE(counted());
  Shared<std::int64_t> k = 0;
  while_(likely([&] { return k < std::int64_t{3}; }), [&] {
    v = mxv(first, plus, G, v);
    k = k + std::int64_t{1};
  });
  v.get();
  EXPECT_TRUE(counted());
}

TEST_F(Blocks, AreCountedOnceANativeLoopHasMadeManyProducts) {
  start(Storage::automatic, 8);
  const auto G = graph();
  Vector<double> v = constant(G.rows(), 1.0);
  for (int product = 0; product < 25; ++product) {
    EXPECT_EQ(counted(), product > 20) << product;
    v = map(times, mxv(first, plus, G, v), 0.25);
    reduce(plus, v).get();
  }
}

TEST_F(Blocks, AreCountedForShortVectorsToo) {
  start(Storage::automatic, 1u << 16);
  const auto G = graph();
  Vector<double> v = constant(G.rows(), 1.0);
  Shared<std::int64_t> k = 0;
  while_(likely([&] { return k < std::int64_t{3}; }), [&] {
    v = mxv(first, plus, G, v);
    k = k + std::int64_t{1};
  });
  v.get();
  EXPECT_TRUE(counted());
}

TEST_F(Blocks, AreAMatterOfTheOption) {
  std::vector<double> results[2];
  for (const Storage storage : {Storage::compressed, Storage::blocked}) {
    start(storage, 8);
    const auto G = graph();
    results[storage == Storage::blocked] =
        mxv(first, plus, G, map([](GlobalIndex i) { return static_cast<double>(i % 9); }, iota(G.rows()))).get();
    EXPECT_EQ(planned(), storage == Storage::blocked);
    if (storage == Storage::compressed) _session.reset();
  }
  EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace kasen::tests
