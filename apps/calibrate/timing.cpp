#include "apps/calibrate/timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>

namespace kasen::calibrate {
namespace {

constexpr double kLongEnough = 0.01;  // seconds
constexpr int kTimings = 3;

double seconds_of(std::size_t calls, const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t k = 0; k < calls; ++k) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

double seconds_of(const comm::Communicator& communicator, const std::function<void()>& work) {
  work();
  std::size_t calls = 1;
  while (communicator.min(seconds_of(calls, work)) < kLongEnough) calls *= 2;  // the same number on every worker
  double least = std::numeric_limits<double>::infinity();
  for (int timing = 0; timing < kTimings; ++timing) {
    communicator.barrier();
    least = std::min(least, communicator.max(seconds_of(calls, work)));
  }
  return least / static_cast<double>(calls);
}

std::uint64_t picoseconds(double seconds) {
  return static_cast<std::uint64_t>(std::llround(std::max(1.0, 1e12 * seconds)));
}

void keep(double value) { asm volatile("" : : "m"(value)); }

}  // namespace kasen::calibrate
