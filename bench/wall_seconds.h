/// @file
/// Timing of what all workers do together.
#pragma once

#include <chrono>

#include "kasen/workers.h"

namespace bench {

/// Collective. Seconds of the slowest worker, from when all begin.
template <class Run>
double wall_seconds(const Run& run) {
  kasen::workers::sum(0);
  const auto begin = std::chrono::steady_clock::now();
  run();
  return kasen::workers::max(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

}  // namespace bench
