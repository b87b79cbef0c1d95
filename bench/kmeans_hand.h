/// @file
/// Hand-written loops of an iteration of K-means, in a translation unit of their own, for comparison.
#pragma once

#include <cstddef>

namespace bench {

/// For points that are numbers. Computes for each of k clusters the sum of its points, and their number.
/// @pre k is 10 or 20
void kmeans_numbers(const double* points, std::size_t n, const double* centres, std::size_t k, double* sum,
                    double* count);

/// The same for points in 16 dimensions, one after the other, as are centres and sums. @pre k <= 16
void kmeans_rows(const double* points, std::size_t n, const double* centres, std::size_t k, double* sum, double* count);
inline constexpr std::size_t kHandColumns = 16;

}  // namespace bench
