/// @file
/// Setting-up collectives with more bytes than 31 bits count, for real: 2 GiB a message. Exchanges of plans have a
/// limit that tests lower instead (exchange_test.cpp).
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.h"

namespace kasen::comm::tests {
namespace {

constexpr std::uint64_t kMany = (std::uint64_t{1} << 28) + 3;  // of 8 bytes

std::vector<std::uint64_t> numbers(std::uint64_t count) {
  std::vector<std::uint64_t> values(count);
  for (std::uint64_t k = 0; k < count; ++k) values[k] = k * 3;
  return values;
}

/// Not one assertion for each.
bool are_numbers(std::span<const std::uint64_t> values) {
  for (std::uint64_t k = 0; k < values.size(); ++k)
    if (values[k] != k * 3) return false;
  return true;
}

TEST(LargeCounts, Broadcast) {
  const Communicator communicator;
  std::vector<std::uint64_t> values = communicator.rank() == 0 ? numbers(kMany) : std::vector<std::uint64_t>(kMany);
  communicator.broadcast(std::span(values), 0);
  EXPECT_TRUE(are_numbers(values));
}

TEST(LargeCounts, AllToAll) {
  const Communicator communicator;
  const bool sends = communicator.rank() == 0;
  const std::vector<std::uint64_t> values = sends ? numbers(kMany) : std::vector<std::uint64_t>{};
  std::vector<std::uint64_t> offsets(static_cast<std::size_t>(communicator.size()) + 1, 0);
  offsets.back() = values.size();  // all to the last worker
  const auto received = communicator.all_to_all(std::span<const std::uint64_t>(values), offsets);
  EXPECT_EQ(received.values.size(), communicator.rank() + 1 == communicator.size() ? kMany : 0);
  EXPECT_TRUE(are_numbers(received.values));
}

TEST(LargeCounts, AllGather) {
  const Communicator communicator;
  const std::vector<std::uint64_t> values = communicator.rank() == 0 ? numbers(kMany) : std::vector<std::uint64_t>{};
  const auto all = communicator.all_gather(std::span<const std::uint64_t>(values));
  EXPECT_EQ(all.values.size(), kMany);
  EXPECT_TRUE(are_numbers(all.values));
}

TEST(LargeCounts, Sum) {
  const Communicator communicator;
  std::vector<std::uint64_t> values = numbers(kMany);
  communicator.sum(std::span(values));
  for (std::uint64_t& value : values) value /= static_cast<std::uint64_t>(communicator.size());
  EXPECT_TRUE(are_numbers(values));
}

}  // namespace
}  // namespace kasen::comm::tests
