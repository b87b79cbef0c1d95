/// @file
/// Hand-written loops of PageRank's element work, in a translation unit of their own, for comparison:
///   next = (1 - r) + r * sum; diff = sum over |rank - next|; rank = next; share = rank / degree.
/// All return diff.
#pragma once

#include <cstddef>

namespace bench {

/// One fused loop; outputs apart from inputs.
double fused_double_buffered(const double* sum, const double* rank, const double* degree, double r, double* next,
                             double* share, std::size_t n);
/// One fused loop; `rank` becomes next, `sum` becomes share.
double fused_in_place(double* sum, double* rank, const double* degree, double r, std::size_t n);
/// As fused_double_buffered, with stores that go past the caches. @pre next and share are aligned to 32 bytes.
double fused_streaming(const double* sum, const double* rank, const double* degree, double r, double* next,
                       double* share, std::size_t n);
/// The paper's figure 2 (a): five loops, each from memory to memory; next and difference are temporaries.
double five_loops(const double* sum, double* rank, const double* degree, double r, double* next, double* difference,
                  double* share, std::size_t n);

}  // namespace bench
