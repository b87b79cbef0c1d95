/// @file
/// Counter-based random numbers: pure functions of a seed and a counter, so that all workers would make the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace kasen {

/// 64 random bits by splitmix64, whose state is seed plus counter. Takes std::uint64_t, or symbols of it.
template <class Seed, class Counter>
constexpr auto random_bits(const Seed& seed, const Counter& counter) {
  auto x = seed * std::uint64_t{0x9e3779b97f4a7c15u} + counter + std::uint64_t{0x9e3779b97f4a7c15u};
  x = (x ^ (x >> 30)) * std::uint64_t{0xbf58476d1ce4e5b9u};
  x = (x ^ (x >> 27)) * std::uint64_t{0x94d049bb133111ebu};
  return x ^ (x >> 31);
}

/// 64 random bits that follow from the bytes and the seed; of no bytes, the seed. Cost: one or two ns for 8 bytes.
std::uint64_t random_bits_of(std::span<const std::byte> bytes, std::uint64_t seed);

/// A random number, uniform in [0, 1), that is a multiple of 2^-53.
constexpr double random_unit(std::uint64_t seed, std::uint64_t counter) {
  return static_cast<double>(random_bits(seed, counter) >> 11) * 0x1.0p-53;
}

/// Of the normal distribution of mean 0 and variance 1, by Box and Muller's transform. The same bits everywhere that
/// std::log and std::cos have the same.
double random_unit_normal(std::uint64_t seed, std::uint64_t counter);

/// Of the exponential distribution of mean 1, from 0 to 36.8.
double random_unit_exponential(std::uint64_t seed, std::uint64_t counter);

/// From 0 to `bound` less one, each as often but for `bound` parts in 2^64; 0 for a bound of 0.
std::uint64_t random_below(std::uint64_t bound, std::uint64_t seed, std::uint64_t counter);

}  // namespace kasen
