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

/// out[i] = the sum over the non-zeros (i, j) of (p[i] . v[j]) v[j]: p, v and out are rows of `rank` numbers. `ahead`:
/// with the rows of columns fetched 32 entries ahead.
void gram_products(const std::uint32_t* pointer, const std::uint32_t* index, const double* p, const double* v,
                   double* out, std::size_t rows, std::size_t rank, bool ahead);
/// The same, of a rank of 10 that the compiler knows.
void gram_products_of_ten(const std::uint32_t* pointer, const std::uint32_t* index, const double* p, const double* v,
                          double* out, std::size_t rows, bool ahead);
/// out[i] = the sum over the non-zeros (i, j) of x v[j].
void sums_of_rows(const std::uint32_t* pointer, const std::uint32_t* index, const double* value, const double* v,
                  double* out, std::size_t rows, std::size_t rank);

}  // namespace bench
