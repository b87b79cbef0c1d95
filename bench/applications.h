/// @file
/// Tools that measurements of applications share, which run with Kasen's optimizer and without.
#pragma once

#include <string>
#include <vector>

#include "bench/application_row.h"
#include "bench/computed.h"
#include "bench/measure.h"
#include "kasen/output.h"
#include "kasen/session.h"

namespace bench {

/// Options of the paper's unoptimized baseline.
inline kasen::Options unoptimized() {
  kasen::Options options;
  options.fusion = kasen::Fusion::off;
  options.sync = kasen::Sync::lazy;
  return options;
}

/// Collective. The seconds of the worker that took longest.
inline double slowest(double seconds) { return kasen::workers::max(seconds); }

/// Collective. Seconds that `run` computes on this worker, or on the slowest.
template <class Run>
double seconds_of(const Run& run) {
  const double begin = thread_seconds();
  run();
  return slowest(thread_seconds() - begin);
}

/// Collective. Seconds that each of `iterations` takes: run(1 + iterations) less run(1), which has all that comes
/// before and after them too.
template <class Run>
double seconds_per_iteration(const Run& run, std::uint64_t iterations) {
  const double once = seconds_of([&] { run(std::uint64_t{1}); });
  const double all = seconds_of([&] { run(1 + iterations); });
  return (all - once) / static_cast<double>(iterations);
}

/// Prints times and ratios of {hand-written, optimized, unoptimized}; for the first worker. The targets are the largest
/// ratio of optimized to hand-written, and how much faster than unoptimized it has to be; 0: none.
inline void print_comparison(const std::string& application, const std::string& size,
                             const std::vector<Variant>& variants, double of_hand, double times_faster) {
  print_rows(application, size, variants);
  print_ratio(application, size, variants[1], variants[0], of_hand);
  const double faster = ratio(variants[2], variants[1]);
  std::printf("# %s %s: unoptimized / optimized = %.2f", application.c_str(), size.c_str(), faster);
  if (times_faster > 0) std::printf(", target %.1f: %s", times_faster, faster >= times_faster ? "met" : "missed");
  std::printf("\n");
}

}  // namespace bench
