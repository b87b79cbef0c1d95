/// @file
/// to_blocks: elements spread over the workers in any order come back in blocks.
#include "kasen/io/lines/blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "kasen/base/error.h"

namespace kasen::io {
namespace {

struct Element {
  double value;
  std::array<char, 5> tag;
};

TEST(BlocksTest, AnyOrderAnyOwner) {
  const comm::Communicator communicator;
  for (const std::uint64_t length : {0, 1, 2, 7, 1000}) {
    std::vector<GlobalIndex> all(length);
    for (std::uint64_t i = 0; i < length; ++i) all[i] = static_cast<GlobalIndex>(i);
    std::mt19937 random(3);  // the same on every worker
    std::shuffle(all.begin(), all.end(), random);
    std::vector<GlobalIndex> mine;
    std::vector<Element> values;
    for (std::uint64_t k = 0; k < length; ++k) {
      if (static_cast<int>(random() % static_cast<unsigned>(communicator.size())) != communicator.rank()) continue;
      mine.push_back(all[k]);
      values.push_back({static_cast<double>(all[k]) / 3, {static_cast<char>(all[k] % 100)}});
    }
    const auto bytes = to_blocks(communicator, length, mine, std::as_bytes(std::span(values)), sizeof(Element));
    std::vector<Element> block(bytes.size() / sizeof(Element));
    if (!bytes.empty()) std::memcpy(block.data(), bytes.data(), bytes.size());
    const auto workers = static_cast<std::uint64_t>(communicator.size());
    const auto rank = static_cast<std::uint64_t>(communicator.rank());
    ASSERT_EQ(block.size(), length / workers + (rank < length % workers ? 1 : 0));
    const std::uint64_t first = communicator.exclusive_sum(block.size());
    for (std::uint64_t k = 0; k < block.size(); ++k) {
      EXPECT_EQ(block[k].value, static_cast<double>(first + k) / 3);
      EXPECT_EQ(block[k].tag[0], static_cast<char>((first + k) % 100));
    }
  }
}

TEST(BlocksTest, DefectsAreFound) {
  const comm::Communicator communicator;
  const bool first = communicator.rank() == 0;
  const auto move = [&](std::vector<GlobalIndex> index) {
    if (!first) index.clear();
    std::vector<std::byte> values(index.size());
    to_blocks(communicator, 3, index, values, 1);
  };
  EXPECT_NO_THROW(move({2, 0, 1}));
  EXPECT_THROW(move({2, 0}), Error);
  EXPECT_THROW(move({2, 0, 2}), Error);
  EXPECT_THROW(move({2, 0, 3}), Error);
  EXPECT_THROW(move({2, 0, -1}), Error);
}

}  // namespace
}  // namespace kasen::io
