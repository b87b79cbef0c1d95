/// @file
/// The buffer pool: alignment, reuse, books, and what happens when there is not enough memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <vector>

#include "comm/memory_limit.h"
#include "kasen/base/error.h"
#include "kasen/runtime/buffer_pool.h"

namespace kasen::runtime {
namespace {

constexpr std::uint64_t kLarge = 5'000'000;

TEST(BufferPool, BuffersAreUsableAlignedAndStaggered) {
  BufferPool pool;
  for (std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1000}, kLarge}) {
    std::set<std::uintptr_t> offsets;
    std::vector<BufferRef> held;
    for (int k = 0; k < 4; ++k) {
      held.push_back(pool.obtain(bytes));
      EXPECT_EQ(held.back()->bytes(), bytes);
      std::memset(held.back()->data(), k, bytes);
      const auto address = reinterpret_cast<std::uintptr_t>(held.back()->data());
      EXPECT_EQ(address % 64, 0u);
      offsets.insert(address % 4096);
    }
    if (bytes == kLarge) {
      EXPECT_EQ(offsets.size(), held.size()) << "bases collide";
    }
    for (std::size_t k = 0; k < held.size() && bytes > 0; ++k) {
      EXPECT_EQ(static_cast<std::size_t>(held[k]->data()[bytes - 1]), k);
    }
  }
}

TEST(BufferPool, ReusesBySizeLastInFirstOut) {
  BufferPool pool;
  BufferRef a = pool.obtain(kLarge), b = pool.obtain(kLarge), c = pool.obtain(1000);
  const auto* at_a = a->data();
  const auto* at_b = b->data();
  const auto* at_c = c->data();
  b.reset();
  a.reset();
  c.reset();
  EXPECT_EQ(pool.obtain(1000)->data(), at_c);
  a = pool.obtain(kLarge);
  EXPECT_EQ(a->data(), at_a);
  EXPECT_EQ(pool.obtain(kLarge)->data(), at_b);
}

TEST(BufferPool, BoundsWhatIsKept) {
  BufferPool pool;
  for (std::uint64_t k = 1; k <= 20; ++k) pool.obtain(k * 100'000);  // all of different sizes
  EXPECT_EQ(pool.bytes_in_use(), 0u);
  EXPECT_LE(pool.bytes_kept(), 2'000'000u + 64);
}

TEST(BufferPool, KeepsNothingBesideWhatIsNewUnderALimit) {
  for (const bool limited : {true, false}) {
    comm::limit_memory(limited ? std::uint64_t{1} << 40 : 0);
    BufferPool pool;
    std::vector<BufferRef> held;
    for (int k = 0; k < 4; ++k) held.push_back(pool.obtain(kLarge));
    held.clear();
    const std::uint64_t most = pool.bytes_kept();
    for (int k = 0; k < 4; ++k) {
      held.push_back(pool.obtain(kLarge - 640));
      const std::uint64_t all = pool.bytes_in_use() + pool.bytes_kept();
      EXPECT_EQ(all <= most, limited);
    }
  }
  comm::limit_memory(0);
}

TEST(BufferPool, BuffersOutliveIt) {
  BufferRef buffer;
  {
    BufferPool pool;
    buffer = pool.obtain(kLarge);
    std::memset(buffer->data(), 1, kLarge);
    pool.obtain(kLarge);  // is kept, and ends with the pool
  }
  const auto holds = [&](std::byte value) {
    return std::all_of(buffer->data(), buffer->data() + kLarge, [&](std::byte byte) { return byte == value; });
  };
  EXPECT_TRUE(holds(std::byte{1}));
  std::memset(buffer->data(), 2, kLarge);
  EXPECT_TRUE(holds(std::byte{2}));
}

TEST(BufferPool, TooMuchIsAnError) {
  BufferPool pool;
  EXPECT_THROW(pool.obtain(std::numeric_limits<std::uint64_t>::max()), Error);
  EXPECT_THROW(pool.obtain(std::uint64_t{1} << 60), Error);
  EXPECT_THROW(pool.obtain(std::uint64_t{1} << 40, std::uint64_t{1} << 40), Error);
  EXPECT_EQ(pool.bytes_in_use(), 0u);
}

}  // namespace
}  // namespace kasen::runtime
