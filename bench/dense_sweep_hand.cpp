#include "bench/dense_sweep_hand.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace bench {
namespace {

using Matrix = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
using In = Eigen::Map<const Eigen::VectorXd>;
using Out = Eigen::Map<Eigen::VectorXd>;

Matrix eigen(const DenseMatrix& m) {
  return {m.x, static_cast<Eigen::Index>(m.rows), static_cast<Eigen::Index>(m.columns)};
}
Eigen::Index index(std::uint64_t n) { return static_cast<Eigen::Index>(n); }

/// A row of each quarter at a time: hardware fetches ahead of each, where it would not of four rows of one page.
void add_rows(const double* x, std::uint64_t rows, std::uint64_t columns, const double* in, double* out) {
  const std::uint64_t quarter = rows / 4, apart = quarter * columns;
  for (std::uint64_t i = 0; i < quarter; ++i) {
    const double *a = x + i * columns, *b = a + apart, *c = b + apart, *d = c + apart;
    const double w[4] = {in[i], in[quarter + i], in[2 * quarter + i], in[3 * quarter + i]};
#pragma omp simd
    for (std::uint64_t j = 0; j < columns; ++j) out[j] += (w[0] * a[j] + w[1] * b[j]) + (w[2] * c[j] + w[3] * d[j]);
  }
  for (std::uint64_t i = 4 * quarter; i < rows; ++i) {
    const double* const a = x + i * columns;
    const double w = in[i];
#pragma omp simd
    for (std::uint64_t j = 0; j < columns; ++j) out[j] += w * a[j];
  }
}

double row_product(const double* row, std::uint64_t columns, const double* in) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::uint64_t j = 0; j < columns; ++j) sum += in[j] * row[j];
  return sum;
}

}  // namespace

void eigen_mxv(const DenseMatrix& m, const double* in, double* out) {
  Out(out, index(m.columns)).noalias() = eigen(m).transpose() * In(in, index(m.rows));
}

void eigen_mxvt(const DenseMatrix& m, const double* in, double* out) {
  Out(out, index(m.rows)).noalias() = eigen(m) * In(in, index(m.columns));
}

void hand_mxv(const DenseMatrix& m, const double* in, double* out) {
  constexpr std::uint64_t kNumbers = 32768;  // of a block, so that quarters are in pages of their own
  const std::uint64_t most = std::max<std::uint64_t>(kNumbers / m.columns, 4);
  std::fill_n(out, m.columns, 0.0);
  for (std::uint64_t first = 0; first < m.rows; first += most)
    add_rows(m.x + first * m.columns, std::min(most, m.rows - first), m.columns, in + first, out);
}

void hand_mxvt(const DenseMatrix& m, const double* in, double* out) {
  for (std::uint64_t i = 0; i < m.rows; ++i) out[i] = row_product(m.x + i * m.columns, m.columns, in);
}

void hand_there_and_back(const DenseMatrix& m, const double* v, double* g) {
  constexpr std::uint64_t kRows = 16;
  double z[kRows];
  std::fill_n(g, m.columns, 0.0);
  for (std::uint64_t first = 0; first < m.rows; first += kRows) {
    const std::uint64_t end = std::min(first + kRows, m.rows);
    for (std::uint64_t i = first; i < end; ++i) {
      const double sum = row_product(m.x + i * m.columns, m.columns, v);
      z[i - first] = sum / (1 + std::abs(sum));
    }
    add_rows(m.x + first * m.columns, end - first, m.columns, z, g);
  }
}

void hand_distances(const DenseMatrix& m, const Eight* in, Eight* out) {
  for (std::uint64_t i = 0; i < m.rows; ++i) {
    double sum[8] = {};
    for (std::uint64_t j = 0; j < m.columns; ++j) {
      const double x = m.x[i * m.columns + j];
#pragma omp simd
      for (int k = 0; k < 8; ++k)
        sum[k] += (in[j][static_cast<std::size_t>(k)] - x) * (in[j][static_cast<std::size_t>(k)] - x);
    }
    std::copy_n(sum, 8, out[i].begin());
  }
}

void hand_sums(const DenseMatrix& m, const Eight* in, Eight* out) {
  std::fill_n(out, m.columns, Eight{});
  for (std::uint64_t i = 0; i < m.rows; ++i) {
    for (std::uint64_t j = 0; j < m.columns; ++j) {
      const double x = m.x[i * m.columns + j];
      double* const to = out[j].data();
      const double* const from = in[i].data();
#pragma omp simd
      for (int k = 0; k < 8; ++k) to[k] += from[k] * x;
    }
  }
}

}  // namespace bench
