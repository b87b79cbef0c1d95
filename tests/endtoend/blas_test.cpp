/// @file
/// The operations of BLAS, levels 1 and 2, whose result is no matrix (paper, section 3.4), in Kasen's primitives,
/// against Eigen's. Not among them: trsv, where every element waits for the one before.
#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Column = Eigen::VectorXd;

constexpr double kAlpha = 0.75, kBeta = -1.5;

double number(std::uint64_t k, std::uint64_t seed) { return random_unit(seed, k) - 0.5; }

Vector<double> vector(Space space, std::uint64_t seed) {
  return map([](double u) { return u - 0.5; }, random(space, seed));
}
Column column(std::uint64_t n, std::uint64_t seed) {
  Column result(static_cast<Eigen::Index>(n));
  for (std::uint64_t k = 0; k < n; ++k) result[static_cast<Eigen::Index>(k)] = number(k, seed);
  return result;
}

Dense matrix(std::uint64_t rows, std::uint64_t columns) {
  Dense result(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  for (Eigen::Index k = 0; k < result.size(); ++k) result.data()[k] = number(static_cast<std::uint64_t>(k), 9);
  return result;
}

/// Elements for which `where(i, j)` holds.
template <class Where>
Matrix<double> distribute(const Dense& m, Space rows, Space columns, Where where) {
  Sparse<double> sparse{rows.length(), columns.length(), {}};
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    for (Eigen::Index j = 0; j < m.cols(); ++j) {
      if (where(i, j)) sparse.entries.push_back({i, j, m(i, j)});
    }
  }
  return sparse.distribute(rows, columns);
}
constexpr auto kEverywhere = [](Eigen::Index, Eigen::Index) { return true; };

testing::AssertionResult close(const Vector<double>& got, const Column& want) {
  return near(got.get(), std::vector<double>(want.begin(), want.end()), 1e-12, 1);
}

/// a*x + b*y
auto axpby(double a, const Vector<double>& x, double b, const Vector<double>& y) {
  return zip_with(KASEN_FN((auto s, auto t, auto by, auto more), by * s + more * t), x, y, a, b);
}

TEST_P(EndToEnd, BlasLevelOneVectors) {
  constexpr std::uint64_t kN = 53;
  const Space space(kN);
  const auto x = vector(space, 1), y = vector(space, 2);
  const Column u = column(kN, 1), v = column(kN, 2);
  EXPECT_TRUE(close(map(times, x, kAlpha), kAlpha * u));         // scal
  EXPECT_TRUE(close(axpby(kAlpha, x, 1.0, y), kAlpha * u + v));  // axpy
  auto copied = constant(space, 0.0);
  copied = x;
  EXPECT_TRUE(close(copied, u));  // copy
  auto a = x, b = y;
  std::swap(a, b);
  EXPECT_TRUE(close(a, v));  // swap
  EXPECT_TRUE(close(b, u));
  const double c = 0.6, s = 0.8;
  const auto rotated_x = axpby(c, x, s, y), rotated_y = axpby(c, y, -s, x);  // rot
  EXPECT_TRUE(close(rotated_x, c * u + s * v));
  EXPECT_TRUE(close(rotated_y, c * v - s * u));
}

/// The first of the largest magnitudes, as iamax gives.
struct Largest {
  double magnitude;
  std::int64_t index;
};
struct LargerOrFirst {
  Largest operator()(const Largest& a, const Largest& b) const {
    return b.magnitude > a.magnitude || (b.magnitude == a.magnitude && b.index < a.index) ? b : a;
  }
};

TEST_P(EndToEnd, BlasLevelOneNumbers) {
  constexpr std::uint64_t kN = 53;
  const Space space(kN);
  const auto x = vector(space, 1), y = vector(space, 2);
  const Column u = column(kN, 1), v = column(kN, 2);
  const Shared<double> dot = reduce(plus, zip_with(times, x, y));
  const Shared<double> nrm2 =
      apply([](double squares) { return std::sqrt(squares); }, reduce(plus, zip_with(times, x, x)));
  const Shared<double> asum = reduce(plus, map(KASEN_FN((auto a), abs(a)), x));
  const auto largest = reduce(LargerOrFirst{}, zip_with(
                                                   [](double a, GlobalIndex i) {
                                                     return Largest{std::abs(a), i};
                                                   },
                                                   x, iota(space)));
  EXPECT_NEAR(dot.get(), u.dot(v), 1e-12);
  EXPECT_NEAR(nrm2.get(), u.norm(), 1e-12);
  EXPECT_NEAR(asum.get(), u.lpNorm<1>(), 1e-12);
  Eigen::Index want = 0;
  u.cwiseAbs().maxCoeff(&want);
  EXPECT_EQ(largest.get().index, want);
}

/// gemv, of the matrix and of its transpose.
TEST_P(EndToEnd, BlasGeneralMatrix) {
  constexpr std::uint64_t kHeight = 31, kWidth = 12;
  const Dense m = matrix(kHeight, kWidth);
  const Space rows(kHeight), columns(kWidth);
  const auto A = distribute(m, rows, columns, kEverywhere);
  const auto x = vector(columns, 1), y = vector(rows, 2);
  const Column u = column(kWidth, 1), v = column(kHeight, 2);
  EXPECT_TRUE(close(axpby(kAlpha, mxvt(times, plus, A, x), kBeta, y), kAlpha * (m * u) + kBeta * v));
  EXPECT_TRUE(close(axpby(kAlpha, mxv(times, plus, A, y), kBeta, x), kAlpha * (m.transpose() * v) + kBeta * u));
}

/// symv and trmv, from the elements on and below the diagonal.
TEST_P(EndToEnd, BlasSymmetricAndTriangularMatrix) {
  constexpr std::uint64_t kN = 19;
  const Dense m = matrix(kN, kN);
  const Space space(kN);
  const auto L = distribute(m, space, space, [](Eigen::Index i, Eigen::Index j) { return j <= i; });
  const auto strict = distribute(m, space, space, [](Eigen::Index i, Eigen::Index j) { return j < i; });
  const auto x = vector(space, 1), y = vector(space, 2);
  const Column u = column(kN, 1), v = column(kN, 2);
  const Column product = m.selfadjointView<Eigen::Lower>() * u;
  const auto whole = zip_with(plus, mxvt(times, plus, L, x), mxv(times, plus, strict, x));
  EXPECT_TRUE(close(axpby(kAlpha, whole, kBeta, y), kAlpha * product + kBeta * v));
  EXPECT_TRUE(close(mxvt(times, plus, L, x), Column(m.triangularView<Eigen::Lower>() * u)));
  EXPECT_TRUE(close(mxv(times, plus, L, x), Column(m.transpose().triangularView<Eigen::Upper>() * u)));
}

}  // namespace
}  // namespace kasen::tests
