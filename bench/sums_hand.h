/// @file
/// Sums as loops written by hand.
#pragma once

#include <cstdint>

namespace bench {

/// Of x[i] * y[i].
double dot(const double* x, const double* y, std::uint64_t n);
/// Of |x[i] / 2 - y[i]|.
double distance(const double* x, const double* y, std::uint64_t n);
/// Of the x[i] for which `holds`.
double sum_of_chosen(const bool* holds, const double* x, std::uint64_t n);
/// Of x[i]^2.
double sum_of_squares(const double* x, std::uint64_t n);
/// No sum: where the largest x[i] is, the first one of equal ones. Of numbers alone.
std::uint64_t largest(const double* x, std::uint64_t n);
/// Of x[i], x[i]^2, ..., x[i]^most, each added up apart, and then together. @param most 3, 5 or 8
double sum_of_powers(const double* x, std::uint64_t n, int most);

}  // namespace bench
