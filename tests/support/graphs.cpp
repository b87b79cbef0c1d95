/// @file
/// Counter-based random numbers: the finaliser of splitmix64 over seed and counter.

#include "tests/support/graphs.h"

#include <algorithm>

namespace kasen::tests {
namespace {

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t counter) {
  std::uint64_t x = seed * 0xd1342543de82ef95u + counter * 0x9e3779b97f4a7c15u + 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// A bijection of [0, 2^bits).
std::uint64_t renumber(std::uint64_t vertex, int bits) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  const int half = std::max(1, bits / 2);
  for (std::uint64_t factor : {0x9e3779b97f4a7c15u, 0xd1342543de82ef95u, 0xaf251af3b0f025b5u}) {
    vertex = (vertex * factor) & mask;
    vertex ^= vertex >> half;
  }
  return vertex;
}

/// First edge of a part.
std::uint64_t begin_of(std::uint64_t edges, int part, int parts) {
  const auto p = static_cast<std::uint64_t>(part), n = static_cast<std::uint64_t>(parts);
  return edges / n * p + std::min(p, edges % n);
}

}  // namespace

Edges rmat(int scale, std::uint64_t edges_per_vertex, std::uint64_t seed, Share share, bool shuffled) {
  // Quadrants by cumulated probability in 1/65536: 0.57, 0.19, 0.19, 0.05.
  constexpr std::uint64_t kFirst = 37355, kSecond = kFirst + 12452, kThird = kSecond + 12452;
  constexpr int kLevelsPerDraw = 4;
  const std::uint64_t edges = edges_per_vertex << scale;
  const std::uint64_t begin = begin_of(edges, share.part, share.parts);
  const std::uint64_t end = begin_of(edges, share.part + 1, share.parts);
  const auto draws = static_cast<std::uint64_t>((scale + kLevelsPerDraw - 1) / kLevelsPerDraw);
  Edges result;
  result.source.reserve(end - begin);
  result.target.reserve(end - begin);
  for (std::uint64_t edge = begin; edge < end; ++edge) {
    std::uint64_t source = 0, target = 0, bits = 0;
    for (int level = 0; level < scale; ++level) {
      if (level % kLevelsPerDraw == 0)
        bits = random_bits(seed, edge * draws + static_cast<std::uint64_t>(level / kLevelsPerDraw));
      const std::uint64_t quadrant_bits = bits & 0xffff;
      bits >>= 16;
      source = 2 * source + (quadrant_bits >= kSecond);
      target = 2 * target + (quadrant_bits >= kThird || (quadrant_bits >= kFirst && quadrant_bits < kSecond));
    }
    result.source.push_back(static_cast<GlobalIndex>(shuffled ? renumber(source, scale) : source));
    result.target.push_back(static_cast<GlobalIndex>(shuffled ? renumber(target, scale) : target));
  }
  return result;
}

Edges uniform_edges(std::uint64_t sources, std::uint64_t targets, std::uint64_t edges, std::uint64_t seed,
                    Share share) {
  const std::uint64_t begin = begin_of(edges, share.part, share.parts);
  const std::uint64_t end = begin_of(edges, share.part + 1, share.parts);
  Edges result;
  result.source.reserve(end - begin);
  result.target.reserve(end - begin);
  for (std::uint64_t edge = begin; edge < end; ++edge) {
    result.source.push_back(static_cast<GlobalIndex>(random_bits(seed, 2 * edge) % sources));
    result.target.push_back(static_cast<GlobalIndex>(random_bits(seed, 2 * edge + 1) % targets));
  }
  return result;
}

}  // namespace kasen::tests
