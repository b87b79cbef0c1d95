/// @file
/// Class Stream: independent streams of random numbers from one seed, each number a function of its counter alone.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "kasen/base/random.h"

namespace apps::generate {

/// The random numbers for one purpose, which tells streams of one seed apart.
class Stream {
 public:
  Stream(std::uint64_t seed, std::uint64_t purpose)
      : _key(kasen::random_bits(kasen::random_bits(seed, 0x6b6173656eu), purpose)) {}

  std::uint64_t bits(std::uint64_t counter) const { return kasen::random_bits(_key, counter); }
  /// Uniform in [0, 1).
  double unit(std::uint64_t counter) const { return kasen::random_unit(_key, counter); }
  /// Uniform in [0, limit), for limits far below 2^64. @pre limit > 0
  std::uint64_t below(std::uint64_t limit, std::uint64_t counter) const { return bits(counter) % limit; }
  /// Uniform between two numbers.
  double between(double least, double most, std::uint64_t counter) const {
    return least + (most - least) * unit(counter);
  }
  /// Standard normal, by Box and Muller. Takes the counters 2 * counter and 2 * counter + 1.
  double normal(std::uint64_t counter) const {
    const double radius = std::sqrt(-2 * std::log1p(-unit(2 * counter)));
    return radius * std::cos(2 * std::numbers::pi * unit(2 * counter + 1));
  }
  /// Logistic, with mean 0 and scale 1.
  double logistic(std::uint64_t counter) const {
    const double u = unit(counter) + 0x1.0p-54;  // not 0
    return std::log(u) - std::log1p(-u);
  }

 private:
  std::uint64_t _key;
};

}  // namespace apps::generate
