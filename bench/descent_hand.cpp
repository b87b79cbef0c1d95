#include "bench/descent_hand.h"

#include <cmath>

namespace bench {

void add_gradient(const SparseSamples& samples, std::size_t first, std::size_t end, const double* w, double* g) {
  for (std::size_t i = first; i < end; ++i) {
    double z = 0;
    for (std::uint64_t k = samples.pointer[i]; k < samples.pointer[i + 1]; ++k)
      z += samples.value[k] * w[samples.index[k]];
    const double label = samples.label[i], slope = -label / (1 + std::exp(label * z));
    for (std::uint64_t k = samples.pointer[i]; k < samples.pointer[i + 1]; ++k)
      g[samples.index[k]] += samples.value[k] * slope;
  }
}

void descend(double rate, const double* g, double* w, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) w[j] -= rate * g[j];
}

}  // namespace bench
