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

/// Four rows at a time.
void add_rows(const DenseMatrix& m, std::uint64_t first, std::uint64_t end, const double* in, double* out) {
  std::uint64_t i = first;
  for (; i + 4 <= end; i += 4) {
    const double *a = m.x + i * m.columns, *b = a + m.columns, *c = b + m.columns, *d = c + m.columns;
    const double w[4] = {in[i], in[i + 1], in[i + 2], in[i + 3]};
#pragma omp simd
    for (std::uint64_t j = 0; j < m.columns; ++j) out[j] += (w[0] * a[j] + w[1] * b[j]) + (w[2] * c[j] + w[3] * d[j]);
  }
  for (; i < end; ++i) {
#pragma omp simd
    for (std::uint64_t j = 0; j < m.columns; ++j) out[j] += in[i] * m.x[i * m.columns + j];
  }
}

double row_product(const DenseMatrix& m, std::uint64_t i, const double* in) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::uint64_t j = 0; j < m.columns; ++j) sum += in[j] * m.x[i * m.columns + j];
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
  std::fill_n(out, m.columns, 0.0);
  add_rows(m, 0, m.rows, in, out);
}

void hand_mxvt(const DenseMatrix& m, const double* in, double* out) {
  for (std::uint64_t i = 0; i < m.rows; ++i) out[i] = row_product(m, i, in);
}

void hand_there_and_back(const DenseMatrix& m, const double* v, double* g) {
  constexpr std::uint64_t kRows = 16;
  double z[kRows];
  std::fill_n(g, m.columns, 0.0);
  for (std::uint64_t first = 0; first < m.rows; first += kRows) {
    const std::uint64_t end = std::min(first + kRows, m.rows);
    for (std::uint64_t i = first; i < end; ++i) {
      const double sum = row_product(m, i, v);
      z[i - first] = sum / (1 + std::abs(sum));
    }
    add_rows({m.x + first * m.columns, end - first, m.columns}, 0, end - first, z, g);
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
