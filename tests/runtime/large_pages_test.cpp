/// @file
/// Memory in large pages: what the system is asked for, and that it gets back what is no longer needed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "comm/free_memory.h"
#include "kasen/base/large_pages.h"
#include "kasen/base/raw_vector.h"
#include "kasen/runtime/buffer_pool.h"
#include "kasen/runtime/chunk_memory.h"

namespace kasen {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

/// Whether large pages were asked for where `at` is, by the flags of its mapping.
bool asked_for_large_pages(const void* at) {
  std::ifstream maps("/proc/self/smaps");
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream range(line);
    if (range >> std::hex >> begin >> dash >> end && dash == '-') here = begin <= address && address < end;
    if (here && line.starts_with("VmFlags:")) return line.find(" hg") != std::string::npos;
  }
  return false;
}

bool system_has_large_pages() {
  std::ifstream setting("/sys/kernel/mm/transparent_hugepage/enabled");
  return setting.good() && asked_for_large_pages(LargeVector<char>(8 * kMiB).data());
}

/// Bytes in RAM of this process.
std::uint64_t resident() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST(LargePages, VectorsBeginAtOneAndAsZero) {
  for (const std::uint64_t bytes : {kLargePage, kLargePage + 1, 3 * kMiB, 7 * kMiB + 900'000, 64 * kMiB}) {
    LargeVector<char> vector(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(vector.data()) % kLargePage, 0u);
    EXPECT_TRUE(std::all_of(vector.begin(), vector.end(), [](char c) { return c == 0; }));
    vector.back() = 1;
    vector.resize(2 * bytes);  // moves
    EXPECT_EQ(vector[bytes - 1], 1);
    EXPECT_EQ(vector.back(), 0);
  }
  RawVector<double> few(3, 1.5);
  few.push_back(2);
  EXPECT_EQ(few, (RawVector<double>{1.5, 1.5, 1.5, 2}));
}

TEST(LargePages, MoreThanThereIsIsRefused) {
  EXPECT_THROW(LargePageAllocator<double>().allocate(std::size_t{1} << 61), std::bad_alloc);
  EXPECT_THROW(LargePageAllocator<double>().allocate(std::size_t{1} << 50), std::bad_alloc);
  EXPECT_EQ(map_pages(std::uint64_t{1} << 60), nullptr);
}

TEST(LargePages, AreAskedForAsFarAsTheyAreFull) {
  if (!system_has_large_pages()) GTEST_SKIP() << "the system has no large pages, or does not tell";
  const LargeVector<char> three(3 * kMiB);
  EXPECT_TRUE(asked_for_large_pages(three.data()));
  EXPECT_FALSE(asked_for_large_pages(three.data() + three.size() - 1));
}

TEST(LargePages, AreForLaterWhereMemoryIsFilledHereAndThere) {
  if (!system_has_large_pages()) GTEST_SKIP() << "the system has no large pages, or does not tell";
  RawVector<std::byte> memory(16 * kMiB);
  comm::keep_in_small_pages(memory);
  EXPECT_FALSE(asked_for_large_pages(memory.data()));
  const std::uint64_t before = resident();
  for (std::size_t k = 0; k < memory.size(); k += 2 * kMiB) memory[k] = std::byte{1};
  EXPECT_LT(resident() - before, 4 * kMiB);
  for (std::size_t k = 0; k < memory.size(); ++k) memory[k] = std::byte(k % 251);
  comm::move_to_large_pages(memory);
  EXPECT_TRUE(asked_for_large_pages(memory.data()));
  std::size_t same = 0;
  for (std::size_t k = 0; k < memory.size(); ++k) same += memory[k] == std::byte(k % 251) ? 1 : 0;
  EXPECT_EQ(same, memory.size());
}

TEST(LargePages, SmallBuffersShareThem) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "each is on the heap, where the sanitizer sees what is out of bounds";
#endif
  if (!system_has_large_pages()) GTEST_SKIP() << "the system has no large pages, or does not tell";
  runtime::BufferPool pool;
  std::vector<runtime::BufferRef> held;
  for (int k = 0; k < 8; ++k) held.push_back(pool.obtain(kMiB * 3 / 4));
  EXPECT_FALSE(asked_for_large_pages(held.front()->data())) << "of a pool that is small one would be mostly empty";
  for (std::size_t k = 2; k < held.size(); ++k) EXPECT_TRUE(asked_for_large_pages(held[k]->data())) << k;
}

/// A little more than nine large pages, written to the end, does not take a tenth one.
TEST(BufferPool, TakesNoMoreThanWasAskedFor) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer keeps notes of all memory";
#endif
  if (resident() == 0) GTEST_SKIP() << "the system does not tell what is in RAM";
  constexpr std::uint64_t kBytes = std::uint64_t{18} << 20, kBuffers = 4;
  runtime::BufferPool pool;
  std::vector<runtime::BufferRef> held;
  const std::uint64_t before = resident();
  for (std::uint64_t k = 0; k < kBuffers; ++k) {
    held.push_back(pool.obtain(kBytes));
    std::memset(held.back()->data(), 1, kBytes);
  }
  const std::uint64_t taken = resident() - before;
  EXPECT_GT(taken, kBuffers * kBytes * 9 / 10);
  EXPECT_LT(taken, kBuffers * kBytes * 21 / 20);
}

TEST(ChunkMemory, GivesBackWhatIsGivenBack) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer keeps notes of all memory";
#endif
  if (resident() == 0) GTEST_SKIP() << "the system does not tell what is in RAM";
  constexpr std::uint64_t kBlock = 3 * kMiB + 5000, kBlocks = 25;  // of three chunks
  runtime::ChunkMemory memory;
  const std::uint64_t before = resident();
  std::vector<std::byte*> blocks;
  for (std::uint64_t k = 0; k < kBlocks; ++k) {
    blocks.push_back(memory.take(kBlock));
    std::memset(blocks.back(), static_cast<int>(k), kBlock);
  }
  for (std::uint64_t k = 0; k < kBlocks; ++k) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks[k]) % 4096, 0u);
    EXPECT_TRUE(std::all_of(blocks[k], blocks[k] + kBlock, [&](std::byte b) { return b == std::byte(k); })) << k;
  }
  EXPECT_GE(resident() - before, kBlocks * kBlock - 2 * kMiB);
  EXPECT_LE(resident() - before, kBlocks * kBlock + 8 * kMiB);
  for (std::uint64_t k = 0; k + 1 < kBlocks; k += 2) memory.give_back(blocks[k], kBlock);
  EXPECT_LE(resident() - before, (kBlocks / 2 + 1) * kBlock + 8 * kMiB);
  for (std::uint64_t k = 1; k + 1 < kBlocks; k += 2) {
    EXPECT_EQ(blocks[k][kBlock - 1], std::byte(k)) << "a neighbour was given back";
    memory.give_back(blocks[k], kBlock);
  }
  EXPECT_LE(resident() - before, kBlock + 8 * kMiB);
}

TEST(ChunkMemory, TakesTheLargestBlock) {
  runtime::ChunkMemory memory;
  for (int k = 0; k < 3; ++k) {
    std::byte* const block = memory.take(runtime::ChunkMemory::kLargestBlock);
    ASSERT_NE(block, nullptr);
    block[runtime::ChunkMemory::kLargestBlock - 1] = std::byte{1};
  }
}

}  // namespace
}  // namespace kasen
