/// @file
/// Hand-written loops of an iteration of a mixture of Gaussians, in a translation unit of their own, for comparison.
#pragma once

#include <cstddef>
#include <vector>

namespace bench {

/// For so many points in kGmmColumns dimensions, and at most 16 components, that are rows of a weight, means and
/// variances, one after the other. Returned are, for each component, the sums of what belongs to it: of ones, of
/// coordinates, of their squares. Each point is visited once, all components at once, a vector lane for each; the
/// number of coordinates is known to the compiler.
std::vector<double> gmm_sums(const double* points, std::size_t n, const std::vector<double>& components);
inline constexpr std::size_t kGmmColumns = 16;

/// The two products of matrices alone that an iteration of apps::gmm is made of, by Eigen, some hundred points at a
/// time: powers of the points, which are made as well, times a matrix of a column for each of k components, and the
/// transpose of the result times the powers. Returned is one number, so that nothing is left out.
double gmm_products(const double* points, std::size_t n, std::size_t k);

}  // namespace bench
