/// @file
/// A factorisation by steps along its gradient: one pass over the non-zeros an iteration, for the gradient and the
/// squared errors, and nothing sent but factors and one sum; what it reads, derived here from the sizes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "kasen/kasen.h"
#include "optimizer/plan/plan.h"
#include "tests/golden/planned.h"

namespace kasen::tests {
namespace {

using Int = std::int64_t;
using Factor = Row<double, 4>;
constexpr std::uint64_t kRows = 60, kColumns = 40, kEntries = 300;
constexpr Int kIterations = 3;

Entry<double> entry(std::uint64_t k) {
  return {static_cast<GlobalIndex>(k * 37 % kRows), static_cast<GlobalIndex>(k * 23 % kColumns),
          1 + static_cast<double>(k % 7)};
}
constexpr auto kStart = [](GlobalIndex i) {
  Factor f{};
  for (std::size_t k = 0; k < 4; ++k) f[k] = 0.125 * static_cast<double>((i * 5 + static_cast<GlobalIndex>(k)) % 11);
  return f;
};
constexpr auto kMiss = [](const Factor& u, double x, const Factor& v) { return (x - dot(u, v)) * (x - dot(u, v)); };
constexpr auto kPull = [](const Factor& v, double x, const Factor& u) { return (x - dot(u, v)) * v; };
constexpr auto kStep = [](const Factor& u, const Factor& by) { return u + by * 0.01; };

TEST(Factorisation, IsOnePassOverTheNonZeros) {
  Session session(compressed_rows());
  const auto workers = static_cast<std::uint64_t>(session.workers());
  const auto X = matrix_of(kRows, kColumns, kEntries, entry);
  Vector<Factor> u = map(kStart, iota(X.rows()));
  const Vector<Factor> v = map(kStart, iota(X.columns()));
  Shared<double> error = 0.0;
  Shared<Int> k = 0;
  while_(likely([&] { return k < kIterations; }), [&] {
    error = reduce_entries(kMiss, plus, X, u, v);
    u = zip_with(kStep, u, mxvt(kPull, plus, X, v, u));
    ++k;
  });
  const double got = error.get();

  std::vector<Factor> p(kRows);
  for (std::size_t i = 0; i < kRows; ++i) p[i] = kStart(static_cast<GlobalIndex>(i));
  double want = 0;
  for (Int round = 0; round < kIterations; ++round) {
    std::vector<Factor> by(kRows);
    want = 0;
    for (std::uint64_t e = 0; e < kEntries; ++e) {
      const auto at = entry(e);
      const auto i = static_cast<std::size_t>(at.row);
      want += kMiss(p[i], at.value, kStart(at.column));
      by[i] = by[i] + kPull(kStart(at.column), at.value, p[i]);
    }
    for (std::size_t i = 0; i < kRows; ++i) p[i] = kStep(p[i], by[i]);
  }
  EXPECT_NEAR(got, want, 1e-9 * want);

  std::size_t walks = 0;
  const auto loops = outer_loops(session);
  ASSERT_EQ(loops.size(), 1u);
  for (const optimizer::Step& step : loops[0]->body) {
    const auto* sweep = std::get_if<optimizer::Sweep>(&step.what);
    if (sweep == nullptr || sweep->matrix == kNone<MatrixId>) continue;
    ++walks;
    EXPECT_EQ(sweep->launches.size(), 2u) << "the gradient and the errors";
    // Per non-zero index, value and the column's factor; per row its pointer and its own factor.
    EXPECT_EQ(step.stream.bytes_read, kEntries * (4 + 8 + sizeof(Factor)) + kRows * (8 + sizeof(Factor)));
    EXPECT_EQ(step.stream.bytes_written, kRows * (8 + sizeof(Factor)));
  }
  EXPECT_EQ(walks, 1u);
  // Rows are whole on a worker: in the loop no factor travels, and of the errors one number.
  expect_counts_as_predicted(session);
  std::uint64_t sent = 0;
  for (const optimizer::Step& step : loops[0]->body) sent += step.stream.bytes_sent;
  EXPECT_EQ(sent, sizeof(double) * workers * (workers - 1));
}

}  // namespace
}  // namespace kasen::tests
