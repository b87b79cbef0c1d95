/// @file
/// Shares of outputs beside all entries: each entry is in the share that has its output, and in no other one.
#include "kasen/runtime/output_share.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "kasen/runtime/element_set.h"

namespace kasen::runtime {
namespace {

/// Inputs of no entries, few and many, some of which lead to one output again and again.
struct Matrix {
  std::vector<std::uint64_t> pointer{0};
  std::vector<std::uint32_t> index;

  Matrix(std::uint32_t inputs, std::uint32_t outputs, bool skewed) {
    std::mt19937 random(inputs + outputs);
    for (std::uint32_t i = 0; i < inputs; ++i) {
      const std::uint32_t count = i % 5 == 0 ? 0 : i % 7 == 0 ? 300 : random() % 40;
      for (std::uint32_t k = 0; k < count; ++k) index.push_back(skewed && k % 4 != 0 ? 0 : random() % outputs);
      std::sort(index.begin() + static_cast<std::ptrdiff_t>(pointer.back()), index.end());
      pointer.push_back(index.size());
    }
  }
  Compressed compressed() const { return {pointer.data(), index.data(), nullptr}; }
};

TEST(OutputShare, HaveEachEntryOnce) {
  for (const bool skewed : {false, true}) {
    for (const std::uint32_t outputs : {1u, 63u, 65u, 5'000u}) {
      constexpr std::uint32_t kInputs = 600;
      const Matrix matrix(kInputs, outputs, skewed);
      for (const std::uint32_t threads : {2u, 3u, 8u}) {
        std::vector<OutputShare> shares = share_outputs(matrix.compressed(), matrix.index.size(), threads);
        ASSERT_EQ(shares.size(), threads);
        std::vector<int> found(matrix.index.size());
        std::vector<std::size_t> share_of_word(outputs / ElementSet::kBits + 1, threads);
        for (std::size_t t = 0; t < threads; ++t) {
          MatrixTile tile;
          for (std::uint32_t first = 0; first < kInputs; first += tile.n) {
            shares[t].bind(tile, matrix.compressed(), first, std::min(OutputShare::kMostInputs, kInputs - first));
            EXPECT_EQ(tile.matrix.pointer[tile.n], matrix.pointer[first + tile.n]);
            for (std::uint32_t k = 0; k < tile.n; ++k) {
              EXPECT_GE(tile.matrix.pointer[k], matrix.pointer[first + k]);
              EXPECT_LE(tile.ends()[k], matrix.pointer[first + k + 1]);
              for (std::uint64_t e = tile.matrix.pointer[k]; e < tile.ends()[k]; ++e) {
                ++found[e];
                std::size_t& owner = share_of_word[matrix.index[e] / ElementSet::kBits];
                EXPECT_TRUE(owner == threads || owner == t) << "two shares have outputs of one word";
                owner = t;
              }
            }
          }
        }
        EXPECT_EQ(found, std::vector<int>(found.size(), 1)) << outputs << " outputs, " << threads << " threads";
      }
    }
  }
}

TEST(OutputShare, AreAboutEqual) {
  const Matrix matrix(600, 5'000, false);
  std::vector<OutputShare> shares = share_outputs(matrix.compressed(), matrix.index.size(), 4);
  for (OutputShare& share : shares) {
    std::uint64_t entries = 0;
    MatrixTile tile;
    for (std::uint32_t first = 0; first < 600; first += tile.n) {
      share.bind(tile, matrix.compressed(), first, std::min(OutputShare::kMostInputs, 600 - first));
      for (std::uint32_t k = 0; k < tile.n; ++k) entries += tile.ends()[k] - tile.matrix.pointer[k];
    }
    EXPECT_NEAR(static_cast<double>(entries), static_cast<double>(matrix.index.size()) / 4,
                static_cast<double>(matrix.index.size()) / 12);
  }
  EXPECT_TRUE(share_outputs(matrix.compressed(), matrix.index.size(), 1).empty());
}

}  // namespace
}  // namespace kasen::runtime
