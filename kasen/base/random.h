/// @file
/// Counter-based random numbers: pure functions of a seed and a counter, so that all workers would make the same.
#pragma once

#include <cstdint>

namespace kasen {

/// 64 random bits by splitmix64, whose state is seed plus counter. Takes std::uint64_t, or symbols of it.
template <class Seed, class Counter>
constexpr auto random_bits(const Seed& seed, const Counter& counter) {
  auto x = seed * std::uint64_t{0x9e3779b97f4a7c15u} + counter + std::uint64_t{0x9e3779b97f4a7c15u};
  x = (x ^ (x >> 30)) * std::uint64_t{0xbf58476d1ce4e5b9u};
  x = (x ^ (x >> 27)) * std::uint64_t{0x94d049bb133111ebu};
  return x ^ (x >> 31);
}

/// A random number, uniform in [0, 1), that is a multiple of 2^-53.
constexpr double random_unit(std::uint64_t seed, std::uint64_t counter) {
  return static_cast<double>(random_bits(seed, counter) >> 11) * 0x1.0p-53;
}

}  // namespace kasen
