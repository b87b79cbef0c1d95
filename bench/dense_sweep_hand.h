/// @file
/// Eigen's products and hand-written loops over a matrix stored row by row, with which dense_sweep compares.
#pragma once

#include <array>
#include <cstdint>

namespace bench {

struct DenseMatrix {
  const double* x;
  std::uint64_t rows, columns;
};

/// Compute out[j] = sum over i of in[i] x[i][j] (mxv), and out[i] = sum over j of in[j] x[i][j] (mxvt).
void eigen_mxv(const DenseMatrix& m, const double* in, double* out);
void eigen_mxvt(const DenseMatrix& m, const double* in, double* out);
void hand_mxv(const DenseMatrix& m, const double* in, double* out);
void hand_mxvt(const DenseMatrix& m, const double* in, double* out);

/// Computes g = X'f(Xv) in one pass, f(z) = z / (1 + |z|).
void hand_there_and_back(const DenseMatrix& m, const double* v, double* g);

using Eight = std::array<double, 8>;
/// Computes out[i][k] = sum over j of (in[j][k] - x[i][j])^2: the distances of points to eight centres.
void hand_distances(const DenseMatrix& m, const Eight* in, Eight* out);
/// Computes out[j][k] = sum over i of in[i][k] x[i][j].
void hand_sums(const DenseMatrix& m, const Eight* in, Eight* out);

}  // namespace bench
