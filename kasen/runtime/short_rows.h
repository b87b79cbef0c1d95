/// @file
/// Products of short rows of doubles with a vector: the sums of several rows are brought together by the same
/// instructions, where one row after the other would take longer than memory brings them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace kasen::runtime {

#ifdef __AVX__  // by vectors of two doubles, one row after the other is as fast

/// out[i] = the product of row i of X with v, added to what is there if it `adds`. X has `columns` columns, and a row
/// each `stride` doubles. The bits of a row do not depend on other rows.
class ShortRows {
  static constexpr std::size_t kLanes = 4, kRows = 4;
  typedef double Vector __attribute__((vector_size(kLanes * sizeof(double))));
  typedef std::int64_t Indices __attribute__((vector_size(kLanes * sizeof(double))));

 public:
  static void product(const double* X, std::uint64_t stride, std::uint64_t rows, std::uint64_t columns, const double* v,
                      double* out, bool adds) {
    const double* x[kRows];
    double sum[kRows];
    std::uint64_t i = 0;
    for (; i + kRows <= rows; i += kRows) {
      for (std::size_t r = 0; r < kRows; ++r) x[r] = X + (i + r) * stride;
      sums(x, columns, v, sum);
      for (std::size_t r = 0; r < kRows; ++r) out[i + r] = adds ? out[i + r] + sum[r] : sum[r];
    }
    if (i == rows) return;
    for (std::size_t r = 0; r < kRows; ++r) x[r] = X + std::min<std::uint64_t>(i + r, rows - 1) * stride;
    sums(x, columns, v, sum);
    for (std::size_t r = 0; i + r < rows; ++r) out[i + r] = adds ? out[i + r] + sum[r] : sum[r];
  }

 private:
  static Vector load(const double* from) {
    Vector vector;
    std::memcpy(&vector, from, sizeof vector);
    return vector;
  }

  [[gnu::always_inline]] static void sums(const double* const (&x)[kRows], std::uint64_t columns, const double* v,
                                          double (&sum)[kRows]) {
    Vector s[kRows] = {};
    std::uint64_t j = 0;
    for (; j + kLanes <= columns; j += kLanes) {
      const Vector by = load(v + j);
#pragma GCC unroll 4
      for (std::size_t r = 0; r < kRows; ++r) s[r] += load(x[r] + j) * by;
    }
    if (j < columns && columns >= kLanes) {
      // The last vector of the row, without what has been added: the bits of a product are cleared, whatever it is.
      const std::uint64_t first = columns - kLanes;
      const Vector by = load(v + first);
      const auto added = static_cast<std::int64_t>(j - first);
      const Indices lanes = {0, 1, 2, 3}, kept = lanes >= added;
#pragma GCC unroll 4
      for (std::size_t r = 0; r < kRows; ++r) s[r] += (Vector)((Indices)(load(x[r] + first) * by) & kept);
      j = columns;
    }
    const Vector ac = Vector{s[0][0], s[0][1], s[2][0], s[2][1]} + Vector{s[0][2], s[0][3], s[2][2], s[2][3]};
    const Vector bd = Vector{s[1][0], s[1][1], s[3][0], s[3][1]} + Vector{s[1][2], s[1][3], s[3][2], s[3][3]};
    const Vector all = Vector{ac[0], bd[0], ac[2], bd[2]} + Vector{ac[1], bd[1], ac[3], bd[3]};
    std::memcpy(sum, &all, sizeof all);
    for (; j < columns; ++j) {
#pragma GCC unroll 4
      for (std::size_t r = 0; r < kRows; ++r) sum[r] += v[j] * x[r][j];
    }
  }
};

#endif

}  // namespace kasen::runtime
