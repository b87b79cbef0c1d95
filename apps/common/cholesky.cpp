#include "apps/common/cholesky.h"

namespace apps {

std::vector<double> solve_positive(std::vector<double> bordered, std::span<const double> least) {
  const std::size_t n = least.size();
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return bordered[packed_place(i, j, n + 1)]; };
  for (std::size_t k = 0; k < n; ++k) {
    if (!(at(k, k) > least[k])) {
      at(k, k) = 0;
      continue;
    }
    for (std::size_t i = k + 1; i < n; ++i) {
      const double by = at(k, i) / at(k, k);
      const double* const from = &at(k, i);
      double* const to = &at(i, i);
      for (std::size_t j = 0; j <= n - i; ++j) to[j] -= by * from[j];
    }
  }
  std::vector<double> w(n);
  for (std::size_t k = n; k-- > 0;) {
    if (at(k, k) == 0) continue;
    double left = at(k, n);
    for (std::size_t j = k + 1; j < n; ++j) left -= at(k, j) * w[j];
    w[k] = left / at(k, k);
  }
  return w;
}

}  // namespace apps
