/// @file
/// The limit of --memory: what is refused, by which message, and the number of workers that it names.

#include "comm/memory_limit.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "comm/available_memory.h"
#include "kasen/base/error.h"

namespace kasen::comm {
namespace {

constexpr std::uint64_t kMebibyte = 1 << 20;

class MemoryLimitTest : public testing::Test {
 protected:
  ~MemoryLimitTest() override { limit_memory(0); }
  /// Collective. So much more than any worker has now.
  void leave(std::uint64_t bytes) { limit_memory(_communicator.max(memory_in_use()) + bytes); }
  /// The message; empty if it fits.
  static std::string refusal(const MemoryNeeds& needs) {
    try {
      needs.require("a test");
      return {};
    } catch (const AgreedError& error) {
      return error.what();
    }
  }

  Communicator _communicator;
  std::uint64_t _workers = static_cast<std::uint64_t>(_communicator.size());
};

TEST_F(MemoryLimitTest, ThereIsNoneUnlessItIsSet) {
  MemoryNeeds needs(_communicator);
  needs.add("everything", [](std::uint64_t) { return ~std::uint64_t{0}; });
  EXPECT_EQ(memory_limit(), 0u);
  EXPECT_EQ(refusal(needs), "");
}

TEST_F(MemoryLimitTest, WhatFitsIsNotRefused) {
  leave(40 * kMebibyte);
  MemoryNeeds needs(_communicator);
  needs.add("data", [](std::uint64_t) { return 20 * kMebibyte; });
  EXPECT_EQ(refusal(needs), "");
  needs.add("more data", [](std::uint64_t) { return 25 * kMebibyte; });
  EXPECT_NE(refusal(needs), "");
}

TEST_F(MemoryLimitTest, NamesTheLargestPartFirstAndWorkersThatDo) {
  leave(64 * kMebibyte);
  const std::uint64_t all = 1000 * kMebibyte * _workers;
  MemoryNeeds needs(_communicator);
  needs.add("the small", [](std::uint64_t) { return kMebibyte; });
  needs.add("the large", [all](std::uint64_t workers) { return share_of(all, workers); });
  const std::string message = refusal(needs);
  const std::regex form(
      R"(a test: a worker needs ([\d.]+) MiB, more than the ([\d.]+) MiB of --memory: 1000\.0 MiB for the large, )"
      R"([\d.]+ MiB for the program and MPI, .*1\.0 MiB for the small.*; (\d+) workers would do)");
  std::smatch found;
  ASSERT_TRUE(std::regex_match(message, found, form)) << message;
  const std::uint64_t enough = std::stoull(found[3]);
  EXPECT_GT(enough, 15 * _workers);
  EXPECT_LE(needs.with(enough), memory_limit());
  EXPECT_GT(needs.with(enough - 1), memory_limit() - memory_limit() / 16);
}

TEST_F(MemoryLimitTest, SaysWhereNoNumberOfWorkersWouldDo) {
  leave(kMebibyte);
  MemoryNeeds needs(_communicator);
  needs.add("what everybody has", [](std::uint64_t) { return 100 * kMebibyte; });
  EXPECT_NE(refusal(needs).find("; no number of workers would do"), std::string::npos);
}

}  // namespace
}  // namespace kasen::comm
