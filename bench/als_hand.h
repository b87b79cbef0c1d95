/// @file
/// Hand-written loops of alternating least squares, in a translation unit of their own, for comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

/// The ratings of the factors at one end, compressed: those of factor i are [pointer[i], pointer[i + 1]).
struct RatingsOfEnd {
  std::vector<std::uint64_t> pointer;
  std::vector<std::uint32_t> index;  ///< of the factor at the other end
  std::vector<double> value;
};

/// What the steps of one end keep between passes.
struct EndWork {
  std::vector<double> left, along, product, square;
};

/// Improves factors x at one end, of `rank` numbers each, by conjugate gradients with those at the other end fixed: a
/// pass over the ratings for each step, fused with all that the step does with a factor. It ends after `rank` steps, or
/// where the squared norm of what is left has fallen to `enough` of the first.
void improve(const RatingsOfEnd& ratings, const double* fixed, double* x, std::size_t rank, double penalty,
             double enough, EndWork& work);

/// The same, of a rank of 10 that the compiler knows.
void improve_of_ten(const RatingsOfEnd& ratings, const double* fixed, double* x, double penalty, double enough,
                    EndWork& work);

}  // namespace bench
