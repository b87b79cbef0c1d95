/// @file
/// Stochastic gradient descent of a logistic regression, written by hand, beside which bench/descent.cpp measures.
#pragma once

#include <cstdint>
#include <vector>

namespace bench {

/// Samples by their rows, compressed.
struct SparseSamples {
  std::vector<std::uint64_t> pointer{0};
  std::vector<std::uint32_t> index;
  std::vector<double> value, label;
};

/// Adds to g the gradient of samples [first, end) at w: of ln(1 + exp(-label * z)), where z is a sample times w.
void add_gradient(const SparseSamples& samples, std::size_t first, std::size_t end, const double* w, double* g);

/// w -= rate * g.
void descend(double rate, const double* g, double* w, std::size_t n);

}  // namespace bench
