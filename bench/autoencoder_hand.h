/// @file
/// Hand-written steps of an autoencoder, in a translation unit of their own, for comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

/// A step of an autoencoder of two hidden layers of tanh and their mirror, written with Eigen as a textbook has it:
/// each matrix of the whole batch is made, one after the other.
class HandAutoencoder {
 public:
  /// @param weights as apps::Weights, of `columns`, h1, h2, h1, `columns`
  HandAutoencoder(std::vector<std::vector<double>> weights, std::size_t columns, std::size_t h1, std::size_t h2);

  /// Makes a step by `size` samples, of `columns` numbers each and a last one that is 1, that lie one behind the other.
  void step(const double* samples, std::size_t size, double by, double momentum);
  const std::vector<std::vector<double>>& weights() const { return _weights; }

 private:
  std::vector<std::size_t> _widths;
  std::vector<std::vector<double>> _weights, _change;
};

/// The products of matrices alone that such a step is made of, by Eigen, of all samples at once. Returned is one
/// number, so that nothing is left out.
double autoencoder_products(const double* samples, std::size_t size, std::size_t columns, std::size_t h1,
                            std::size_t h2);

}  // namespace bench
