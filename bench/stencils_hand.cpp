#include "bench/stencils_hand.h"

namespace bench {

void sweep_line(const double* from, double* to, std::int64_t cells) {
  to[0] = 0.6 * from[0] + 0.2 * from[1];
  for (std::int64_t i = 1; i + 1 < cells; ++i) to[i] = 0.6 * from[i] + 0.2 * (from[i - 1] + from[i + 1]);
  to[cells - 1] = 0.6 * from[cells - 1] + 0.2 * from[cells - 2];
}

void sweep_plane(const double* from, double* to, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t r = 0; r < rows; ++r) {
    const double* const x = from + r * columns;
    double* const y = to + r * columns;
    const auto edge = [&](std::int64_t c) {
      double sum = 0;
      if (r > 0) sum += x[c - columns];
      if (c > 0) sum += x[c - 1];
      if (c + 1 < columns) sum += x[c + 1];
      if (r + 1 < rows) sum += x[c + columns];
      y[c] = 0.6 * x[c] + 0.1 * sum;
    };
    if (r == 0 || r + 1 == rows) {
      for (std::int64_t c = 0; c < columns; ++c) edge(c);
      continue;
    }
    edge(0);
    for (std::int64_t c = 1; c + 1 < columns; ++c)
      y[c] = 0.6 * x[c] + 0.1 * (x[c - columns] + x[c - 1] + x[c + 1] + x[c + columns]);
    edge(columns - 1);
  }
}

void sweep_cube(const double* from, double* to, std::int64_t edge) {
  const std::int64_t plane = edge * edge;
  for (std::int64_t p = 0; p < edge; ++p) {
    for (std::int64_t r = 0; r < edge; ++r) {
      const double* const x = from + p * plane + r * edge;
      double* const y = to + p * plane + r * edge;
      const auto at_edge = [&](std::int64_t c) {
        double sum = 0;
        if (p > 0) sum += x[c - plane];
        if (r > 0) sum += x[c - edge];
        if (c > 0) sum += x[c - 1];
        if (c + 1 < edge) sum += x[c + 1];
        if (r + 1 < edge) sum += x[c + edge];
        if (p + 1 < edge) sum += x[c + plane];
        y[c] = 0.6 * x[c] + 0.4 / 6 * sum;
      };
      const bool inner = p > 0 && r > 0 && p + 1 < edge && r + 1 < edge;
      for (std::int64_t c = 0; c < edge && !inner; ++c) at_edge(c);
      if (!inner) continue;
      at_edge(0);
      for (std::int64_t c = 1; c + 1 < edge; ++c) {
        y[c] = 0.6 * x[c] + 0.4 / 6 * (x[c - plane] + x[c - edge] + x[c - 1] + x[c + 1] + x[c + edge] + x[c + plane]);
      }
      at_edge(edge - 1);
    }
  }
}

}  // namespace bench
