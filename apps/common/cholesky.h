/// @file
/// Solution of small systems of equations that are symmetric and positive, on one worker.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace apps {

/// Where the entry (i, j), i <= j, of a symmetric matrix of `size` rows lies, whose upper triangle is packed row by
/// row.
constexpr std::size_t packed_place(std::size_t i, std::size_t j, std::size_t size) {
  return i * size - i * (i + 1) / 2 + j;
}

/// The numbers of a packed upper triangle.
constexpr std::size_t packed_numbers(std::size_t size) { return size * (size + 1) / 2; }

/// Local. The solution of A w = b, for a symmetric A of which no eigenvalue is negative, by Cholesky's factorisation in
/// the form LDL'. A row that a combination of those before it makes has a pivot of no more than `least`, one for each
/// row: its unknown is 0, and the others solve what is left.
/// @param bordered the packed upper triangle of A with b as one more column, and any last number
/// @pre least has as many numbers as there are unknowns, from 0. Cost: the cube of that, a sixth
std::vector<double> solve_positive(std::vector<double> bordered, std::span<const double> least);

}  // namespace apps
