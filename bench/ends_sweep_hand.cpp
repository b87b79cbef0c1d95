#include "bench/ends_sweep_hand.h"

#include <algorithm>

namespace bench {

namespace {

constexpr std::uint32_t kAhead = 32;

template <bool ahead>
double misses(const std::uint32_t* pointer, const std::uint32_t* index, const double* value, const Factor* u,
              const Factor* v, std::size_t rows) {
  const std::uint32_t last = pointer[rows] == 0 ? 0 : pointer[rows] - 1;
  double sum = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const Factor& of_row = u[i];
    for (std::uint32_t e = pointer[i]; e < pointer[i + 1]; ++e) {
      if constexpr (ahead) {
        const auto* next = reinterpret_cast<const char*>(v + index[std::min(e + kAhead, last)]);
        __builtin_prefetch(next);
        __builtin_prefetch(next + 64);
      }
      const Factor& of_column = v[index[e]];
      double product = 0;
      for (std::size_t k = 0; k < of_row.size(); ++k) product += of_row[k] * of_column[k];
      sum += (value[e] - product) * (value[e] - product);
    }
  }
  return sum;
}

template <bool ahead>
inline void gram(const std::uint32_t* pointer, const std::uint32_t* index, const double* p, const double* v,
                 double* __restrict out, std::size_t rows, std::size_t rank) {
  const std::uint32_t last = pointer[rows] == 0 ? 0 : pointer[rows] - 1;
  for (std::size_t i = 0; i < rows; ++i) {
    const double* const of_row = p + i * rank;
    double* __restrict const sum = out + i * rank;
    for (std::size_t k = 0; k < rank; ++k) sum[k] = 0;
    for (std::uint32_t e = pointer[i]; e < pointer[i + 1]; ++e) {
      if constexpr (ahead) {
        const double* const next = v + index[std::min(e + kAhead, last)] * rank;
        __builtin_prefetch(next);
        __builtin_prefetch(next + 8);
      }
      const double* const of_column = v + index[e] * rank;
      double product = 0;
      for (std::size_t k = 0; k < rank; ++k) product += of_row[k] * of_column[k];
      for (std::size_t k = 0; k < rank; ++k) sum[k] += product * of_column[k];
    }
  }
}

}  // namespace

double squared_misses(const std::uint32_t* pointer, const std::uint32_t* index, const double* value, const Factor* u,
                      const Factor* v, std::size_t rows) {
  return misses<false>(pointer, index, value, u, v, rows);
}

double squared_misses_ahead(const std::uint32_t* pointer, const std::uint32_t* index, const double* value,
                            const Factor* u, const Factor* v, std::size_t rows) {
  return misses<true>(pointer, index, value, u, v, rows);
}

void gram_products(const std::uint32_t* pointer, const std::uint32_t* index, const double* p, const double* v,
                   double* out, std::size_t rows, std::size_t rank, bool ahead) {
  ahead ? gram<true>(pointer, index, p, v, out, rows, rank) : gram<false>(pointer, index, p, v, out, rows, rank);
}

void gram_products_of_ten(const std::uint32_t* pointer, const std::uint32_t* index, const double* p, const double* v,
                          double* out, std::size_t rows, bool ahead) {
  ahead ? gram<true>(pointer, index, p, v, out, rows, 10) : gram<false>(pointer, index, p, v, out, rows, 10);
}

void sums_of_rows(const std::uint32_t* pointer, const std::uint32_t* index, const double* value, const double* v,
                  double* __restrict out, std::size_t rows, std::size_t rank) {
  for (std::size_t i = 0; i < rows; ++i) {
    double* __restrict const sum = out + i * rank;
    for (std::size_t k = 0; k < rank; ++k) sum[k] = 0;
    for (std::uint32_t e = pointer[i]; e < pointer[i + 1]; ++e) {
      const double* const of_column = v + index[e] * rank;
      for (std::size_t k = 0; k < rank; ++k) sum[k] += value[e] * of_column[k];
    }
  }
}

}  // namespace bench
