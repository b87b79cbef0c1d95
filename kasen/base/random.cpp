#include "kasen/base/random.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace kasen {

namespace {

/// Uniform in (0, 1], of which there is a logarithm.
double positive_unit(std::uint64_t bits) { return static_cast<double>((bits >> 11) + 1) * 0x1.0p-53; }

}  // namespace

std::uint64_t random_bits_of(std::span<const std::byte> bytes, std::uint64_t seed) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, &bytes[at], std::min(sizeof word, bytes.size() - at));
    seed = random_bits(seed, word);
  }
  return seed;
}

double random_unit_normal(std::uint64_t seed, std::uint64_t counter) {
  const double radius = std::sqrt(-2 * std::log(positive_unit(random_bits(seed, 2 * counter))));
  return radius * std::cos(2 * std::numbers::pi * random_unit(seed, 2 * counter + 1));
}

double random_unit_exponential(std::uint64_t seed, std::uint64_t counter) {
  return -std::log(positive_unit(random_bits(seed, counter)));
}

std::uint64_t random_below(std::uint64_t bound, std::uint64_t seed, std::uint64_t counter) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{random_bits(seed, counter)} * bound) >> 64);
}

}  // namespace kasen
