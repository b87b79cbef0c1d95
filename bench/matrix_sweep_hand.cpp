/// @file
/// The hand-written loops that matrix sweeps are measured against.
#include "bench/matrix_sweep_hand.h"

namespace bench {

void pull(const std::uint32_t* __restrict pointer, const std::uint32_t* __restrict index, const double* __restrict in,
          double* __restrict out, std::size_t outputs) {
  for (std::size_t j = 0; j < outputs; ++j) {
    double sum = 0;
    for (std::uint32_t e = pointer[j]; e < pointer[j + 1]; ++e) sum += in[index[e]];
    out[j] = sum;
  }
}

void add_entries(const std::uint32_t* __restrict source, const std::uint32_t* __restrict target,
                 const double* __restrict in, double* __restrict out, std::size_t entries, std::size_t outputs) {
  for (std::size_t j = 0; j < outputs; ++j) out[j] = 0;
  for (std::size_t e = 0; e < entries; ++e) out[target[e]] += in[source[e]];
}

}  // namespace bench
