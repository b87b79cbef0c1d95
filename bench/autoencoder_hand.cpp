#include "bench/autoencoder_hand.h"

#include <Eigen/Core>
#include <utility>

#include "kasen/math.h"

namespace bench {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Read = Eigen::Map<const Matrix>;
using Written = Eigen::Map<Matrix>;

Eigen::Index index(std::size_t n) { return static_cast<Eigen::Index>(n); }

}  // namespace

HandAutoencoder::HandAutoencoder(std::vector<std::vector<double>> weights, std::size_t columns, std::size_t h1,
                                 std::size_t h2)
    : _widths{columns, h1, h2, h1, columns}, _weights(std::move(weights)) {
  for (const std::vector<double>& layer : _weights) _change.emplace_back(layer.size());
}

void HandAutoencoder::step(const double* samples, std::size_t size, double by, double momentum) {
  const Read x(samples, index(size), index(_widths[0] + 1));
  std::vector<Matrix> made;
  for (std::size_t l = 0; l < 4; ++l) {
    const Read W(_weights[l].data(), index(_widths[l] + 1), index(_widths[l + 1]));
    Matrix sums(index(size), index(_widths[l + 1]));
    if (l == 0) {
      sums.noalias() = x * W;
    } else {
      sums.noalias() = made[l - 1] * W;
    }
    if (l == 3) {
      made.push_back(sums - x.leftCols(index(_widths[0])));
      break;
    }
    Matrix bent(index(size), index(_widths[l + 1] + 1));
    for (std::size_t i = 0; i < size; ++i) {
      const double* const from = sums.data() + i * _widths[l + 1];
      double* const to = bent.data() + i * (_widths[l + 1] + 1);
#pragma omp simd
      for (std::size_t k = 0; k < _widths[l + 1]; ++k) to[k] = kasen::tanh(from[k]);
      to[_widths[l + 1]] = 1;
    }
    made.push_back(std::move(bent));
  }
  Matrix by_sums = std::move(made[3]);
  for (std::size_t l = 4; l-- > 0;) {
    Written W(_weights[l].data(), index(_widths[l] + 1), index(_widths[l + 1]));
    Written change(_change[l].data(), W.rows(), W.cols());
    Matrix gradient(W.rows(), W.cols()), before;
    if (l == 0) {
      gradient.noalias() = x.transpose() * by_sums;
    } else {
      const auto layer = made[l - 1].leftCols(index(_widths[l])).array();
      gradient.noalias() = made[l - 1].transpose() * by_sums;
      before.noalias() = by_sums * W.topRows(index(_widths[l])).transpose();
      before.array() *= 1 - layer * layer;
    }
    change = momentum * change - by * gradient;
    W += change;
    by_sums = std::move(before);
  }
}

double autoencoder_products(const double* samples, std::size_t size, std::size_t columns, std::size_t h1,
                            std::size_t h2) {
  const std::size_t widths[] = {columns, h1, h2, h1, columns};
  const Read x(samples, index(size), index(columns + 1));
  double sum = 0;
  Matrix in = x;
  for (std::size_t l = 0; l < 4; ++l) {
    const Matrix W = Matrix::Constant(index(widths[l] + 1), index(widths[l + 1]), 1e-3);
    Matrix out(index(size), index(widths[l + 1])), gradient(W.rows(), W.cols());
    out.noalias() = in * W;
    gradient.noalias() = in.transpose() * out;
    sum += gradient(0, 0);
    if (l > 0) {
      Matrix before(index(size), index(widths[l]));
      before.noalias() = out * W.topRows(index(widths[l])).transpose();
      sum += before(0, 0);
    }
    in = Matrix::Ones(index(size), index(widths[l + 1] + 1));
    in.leftCols(index(widths[l + 1])) = out;
  }
  return sum;
}

}  // namespace bench
