/// @file
/// Hand-written loop of a function of both ends of non-zeros, in a translation unit of its own, for comparison.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace bench {

using Factor = std::array<double, 10>;

/// The sum over the non-zeros (i, j) of a matrix compressed by row of (x - u[i] . v[j])^2, of `rows` rows.
double squared_misses(const std::uint32_t* pointer, const std::uint32_t* index, const double* value, const Factor* u,
                      const Factor* v, std::size_t rows);
/// The same, with the factors of columns fetched 32 entries ahead.
double squared_misses_ahead(const std::uint32_t* pointer, const std::uint32_t* index, const double* value,
                            const Factor* u, const Factor* v, std::size_t rows);

}  // namespace bench
