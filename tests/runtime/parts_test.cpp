/// @file
/// Cutting of sweeps into parts, and sharing them out.
#include "kasen/runtime/parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace kasen::runtime {
namespace {

using Stretches = std::vector<partition::Interval>;

/// Parts follow each other, begin at multiples of the unit, and have all elements.
void expect_cut(const Stretches& stretches, const std::vector<std::uint64_t>& entries, LocalIndex unit,
                std::uint64_t least) {
  const auto sum = [&](LocalIndex first, LocalIndex end) {
    return std::accumulate(entries.begin() + first, entries.begin() + end, std::uint64_t{0});
  };
  const std::vector<Part> parts = cut(stretches, sum, unit, least);
  std::size_t next = 0;
  std::uint64_t all = 0, heaviest = 0;
  for (std::uint64_t one : entries) heaviest = std::max(heaviest, one);
  for (std::size_t s = 0; s < stretches.size(); ++s) {
    LocalIndex at = stretches[s].first;
    const LocalIndex end = at + stretches[s].count;
    for (; next < parts.size() && parts[next].stretch == s; ++next) {
      const Part& part = parts[next];
      EXPECT_EQ(part.first, at);
      EXPECT_LT(part.first, part.end);
      EXPECT_EQ((part.first - stretches[s].first) % unit, 0u);
      EXPECT_EQ(part.weight, part.end - part.first + sum(part.first, part.end));
      at = part.end;
      all += part.weight;
    }
    EXPECT_EQ(at, end);
  }
  EXPECT_EQ(next, parts.size());
  EXPECT_LE(parts.size(), kMostParts + stretches.size());
  for (const Part& part : parts)
    EXPECT_LE(part.weight, 2 * std::max(least, all / kMostParts + 1) + unit * (heaviest + 1));
}

TEST(Parts, CoverEveryStretch) {
  std::mt19937 random(1);
  for (const std::uint64_t most : {0u, 3u, 500u}) {
    std::vector<std::uint64_t> entries(5000);
    for (auto& count : entries) count = most == 0 ? 0 : random() % most;
    for (const std::uint64_t least : {1u, 40u, 100'000u}) {
      for (const LocalIndex unit : {1u, 64u}) {
        expect_cut({{0, 5000}}, entries, unit, least);
        expect_cut({{0, 0}}, entries, unit, least);
        expect_cut({{0, 1}, {7, 0}, {9, 2}, {100, 4000}}, entries, unit, least);
      }
    }
  }
}

TEST(Parts, OfEqualElementsAreEqual) {
  const auto parts = cut(Stretches{{0, 1 << 20}}, {}, 64, 100);
  for (const Part& part : parts) EXPECT_NEAR(static_cast<double>(part.weight), (1 << 20) / 120.0, 128);
}

TEST(Parts, AreSharedOutInOrder) {
  std::mt19937 random(2);
  for (const std::uint32_t threads : {1u, 2u, 3u, 7u, 16u}) {
    for (const std::size_t count : {0u, 1u, 2u, 5u, 120u}) {
      std::vector<std::uint64_t> weights(count);
      for (auto& weight : weights) weight = 1 + random() % 9;
      const auto shares = share_out(weights, threads);
      ASSERT_EQ(shares.size(), threads + 1);
      EXPECT_EQ(shares.front(), 0u);
      EXPECT_EQ(shares.back(), count);
      const auto all = static_cast<double>(std::accumulate(weights.begin(), weights.end(), std::uint64_t{0}));
      for (std::uint32_t t = 0; t < threads; ++t) {
        ASSERT_LE(shares[t], shares[t + 1]);
        double share = 0;
        for (std::size_t k = shares[t]; k < shares[t + 1]; ++k) share += static_cast<double>(weights[k]);
        EXPECT_LE(share, all / threads + 9);
      }
    }
  }
}

}  // namespace
}  // namespace kasen::runtime
