/// @file
/// An iteration of K-means as loops one writes by hand, in a translation unit of their own.
#pragma once

#include <cstddef>

namespace bench {

/// Points that are numbers. What each of k clusters adds up to: the sum of its points, and their number.
/// @pre k is 10 or 20
void kmeans_numbers(const double* points, std::size_t n, const double* centres, std::size_t k, double* sum,
                    double* count);

/// Points in 16 dimensions, one after the other, as the centres and sums. @pre k <= 16
void kmeans_rows(const double* points, std::size_t n, const double* centres, std::size_t k, double* sum, double* count);
inline constexpr std::size_t kHandColumns = 16;

}  // namespace bench
