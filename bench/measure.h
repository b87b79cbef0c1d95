/// @file
/// Repeated timing of alternatives that take turns, so that a disturbed machine disturbs all of them.
#pragma once

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace bench {

inline double median(std::vector<double> of) {
  std::nth_element(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2), of.end());
  return of[of.size() / 2];
}

struct Variant {
  std::string name;
  std::function<void()> run;
  std::vector<double> seconds = {};

  double median() const { return bench::median(seconds); }
  double minimum() const { return *std::min_element(seconds.begin(), seconds.end()); }
};

/// Seconds that this thread has computed, without those that other programs take of the core.
inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Runs every variant once to warm up, then all of them in turns, `repetitions` times, forwards and backwards.
inline void measure(std::vector<Variant>& variants, int repetitions) {
  for (Variant& variant : variants) variant.run();
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (std::size_t k = 0; k < variants.size(); ++k) {
      Variant& variant = variants[repetition % 2 == 0 ? k : variants.size() - 1 - k];
      const double begin = thread_seconds();
      variant.run();
      variant.seconds.push_back(thread_seconds() - begin);
    }
  }
}

/// Ends the program unless two variants have computed the same, up to rounding.
inline void check(double got, double expected) {
  if (std::abs(got - expected) <= 1e-9 * std::abs(expected)) return;
  std::fprintf(stderr, "error: variants disagree: %.17g and %.17g\n", got, expected);
  std::exit(1);
}

/// The ratio of two variants as the median of the ratios of turns that followed each other: a machine that slows down
/// for a while slows both.
inline double ratio(const Variant& of, const Variant& to) {
  std::vector<double> ratios;
  for (std::size_t k = 0; k < of.seconds.size(); ++k) ratios.push_back(of.seconds[k] / to.seconds[k]);
  return median(ratios);
}

/// Prints a CSV row per variant: benchmark, size, variant, repetitions, median and smallest seconds.
inline void print_rows(const std::string& benchmark, const std::string& size, const std::vector<Variant>& variants) {
  for (const Variant& variant : variants) {
    std::printf("%s,%s,%s,%zu,%.9f,%.9f\n", benchmark.c_str(), size.c_str(), variant.name.c_str(),
                variant.seconds.size(), variant.median(), variant.minimum());
  }
}
inline void print_header() { std::printf("benchmark,size,variant,repetitions,median_seconds,min_seconds\n"); }

/// Prints a row of ratios: the median of the ratios, and the ratio of the smallest times. `target` 0: none.
inline void print_ratio(const std::string& benchmark, const std::string& size, const Variant& of, const Variant& to,
                        double target = 0) {
  std::printf("# %s %s: %s / %s = %.3f (of minima %.3f)", benchmark.c_str(), size.c_str(), of.name.c_str(),
              to.name.c_str(), ratio(of, to), of.minimum() / to.minimum());
  if (target > 0) std::printf(", target %.2f: %s", target, ratio(of, to) <= target ? "met" : "missed");
  std::printf("\n");
}

}  // namespace bench
