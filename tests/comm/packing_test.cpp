/// @file
/// Packing loops for every element size that has a case of its own, and some that have none.
#include "comm/packing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

namespace kasen::comm::tests {
namespace {

std::vector<std::byte> numbered(std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  for (std::size_t k = 0; k < bytes; ++k) data[k] = static_cast<std::byte>(k * 7 + k / 256);
  return data;
}

TEST(Packing, pack_and_unpack_are_inverse) {
  const std::vector<std::uint32_t> scattered{4, 0, 9, 3, 7}, run{3, 4, 5, 6, 7};
  for (const std::uint32_t bytes : {1u, 2u, 3u, 4u, 8u, 12u, 16u, 24u, 32u, 100u}) {
    const std::vector<std::byte> data = numbered(10 * bytes);
    for (const auto& index : {scattered, run}) {
      for (const bool is_run : {false, true}) {
        if (is_run && index != run) continue;
        std::vector<std::byte> packed(5 * bytes), back(10 * bytes);
        EXPECT_EQ(pack(packed.data(), data.data(), index, bytes, is_run), packed.data() + packed.size());
        for (std::size_t k = 0; k < 5; ++k) {
          EXPECT_EQ(std::memcmp(&packed[k * bytes], &data[index[k] * bytes], bytes), 0) << bytes << " bytes";
        }
        EXPECT_EQ(unpack(packed.data(), back.data(), index, bytes, is_run), packed.data() + packed.size());
        for (std::uint32_t k = 0; k < 10; ++k) {
          const bool chosen = std::find(index.begin(), index.end(), k) != index.end();
          const std::vector<std::byte> nothing(bytes);
          EXPECT_EQ(std::memcmp(&back[k * bytes], chosen ? &data[k * bytes] : nothing.data(), bytes), 0);
        }
      }
    }
  }
}

TEST(Packing, alignment_for_a_size) {
  EXPECT_EQ(alignment_for(1), 1u);
  EXPECT_EQ(alignment_for(6), 2u);
  EXPECT_EQ(alignment_for(24), 8u);
  EXPECT_EQ(alignment_for(64), 64u);
  EXPECT_EQ(alignment_for(4096), 64u);
}

template <std::size_t N>
struct Big {
  double values[N];
};

template <std::size_t N>
void add(const void*, void* into, const std::uint32_t* index, const void* from, std::size_t n) {
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(from) % alignof(Big<N>), 0u);
  auto* const elements = static_cast<Big<N>*>(into);
  const auto* const partials = static_cast<const Big<N>*>(from);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < N; ++i) elements[index[k]].values[i] += partials[k].values[i];
  }
}

/// Partials that start at any byte, more of them than the staging buffer holds, or larger than it.
template <std::size_t N>
void check_unaligned(std::size_t num) {
  std::vector<Big<N>> data(num), partials(num);
  std::vector<std::uint32_t> index(num);
  std::iota(index.rbegin(), index.rend(), 0u);
  for (std::size_t k = 0; k < num; ++k) {
    for (std::size_t i = 0; i < N; ++i) {
      data[k].values[i] = static_cast<double>(k);
      partials[k].values[i] = static_cast<double>(1000 * k + i);
    }
  }
  std::vector<std::byte> packed(num * sizeof(Big<N>) + 3);
  std::memcpy(packed.data() + 3, partials.data(), num * sizeof(Big<N>));
  const Combine combine{&add<N>, nullptr};
  const std::byte* const end =
      fold(packed.data() + 3, reinterpret_cast<std::byte*>(data.data()), index, sizeof(Big<N>), combine);
  EXPECT_EQ(end, packed.data() + packed.size());
  for (std::size_t k = 0; k < num; ++k) {
    for (std::size_t i = 0; i < N; ++i) {
      ASSERT_EQ(data[k].values[i], static_cast<double>(k + 1000 * (num - 1 - k) + i));
    }
  }
}

TEST(Packing, fold_of_unaligned_partials) {
  check_unaligned<1>(1);
  check_unaligned<1>(2000);
  check_unaligned<3>(500);
  check_unaligned<700>(3);
}

}  // namespace
}  // namespace kasen::comm::tests
