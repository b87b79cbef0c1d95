/// @file
/// Counter-based random numbers: a function of seed and counter, so that the same numbers come whoever makes them.
#pragma once

#include <cstdint>

namespace kasen {

/// 64 random bits: splitmix64, its state reached by the counter.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t counter) {
  std::uint64_t x = seed * 0x9e3779b97f4a7c15u + counter + 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Uniform in [0, 1), a multiple of 2^-53.
constexpr double random_unit(std::uint64_t seed, std::uint64_t counter) {
  return static_cast<double>(random_bits(seed, counter) >> 11) * 0x1.0p-53;
}

}  // namespace kasen
