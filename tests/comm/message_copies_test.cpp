/// @file
/// What UCX is told, by what launchers say.
#include "comm/message_copies.h"

#include <gtest/gtest.h>
#include <mpi.h>
#include <sched.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

namespace kasen::comm {
namespace {

using Variables = std::map<std::string, std::string>;

/// Sets these variables, and none of the others that count, until it ends.
class ScopedVariables {
 public:
  explicit ScopedVariables(const Variables& variables) {
    for (const char* const name :
         {"PMI_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_NUM_NODES", "SLURM_STEP_NUM_TASKS", "UCX_RNDV_THRESH"}) {
      const char* const value = std::getenv(name);
      _before[name] = value == nullptr ? std::nullopt : std::optional<std::string>(value);
      ::unsetenv(name);
    }
    for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  }
  ~ScopedVariables() {
    for (const auto& [name, value] : _before) {
      if (value) {
        ::setenv(name.c_str(), value->c_str(), 1);
      } else {
        ::unsetenv(name.c_str());
      }
    }
  }
  ScopedVariables(const ScopedVariables&) = delete;
  ScopedVariables& operator=(const ScopedVariables&) = delete;

 private:
  std::map<std::string, std::optional<std::string>> _before;
};

std::string threshold_with(const Variables& variables) {
  const ScopedVariables scope(variables);
  prefer_copies_on_one_host();
  const char* const threshold = std::getenv("UCX_RNDV_THRESH");
  return threshold == nullptr ? "none" : threshold;
}

std::uint64_t cores() {
  cpu_set_t set;
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<std::uint64_t>(CPU_COUNT(&set)) : 0;
}

/// What two workers on this host are told.
std::string told_to_two() {
  const std::uint64_t size = copied_below(2, cores());
  return size == 0 ? "none" : std::to_string(size);
}

TEST(MessageCopies, FitIntoWhatAReceiverHasRoomFor) {
  EXPECT_EQ(copied_below(1, 8), 0u);
  EXPECT_EQ(copied_below(2, 2), 128u << 10);
  EXPECT_EQ(copied_below(5, 8), 128u << 10);
  EXPECT_EQ(copied_below(9, 16), 64u << 10);
  EXPECT_EQ(copied_below(64, 64), 8322u);  // 512 KiB of 63 others
  EXPECT_EQ(copied_below(65, 128), 0u);    // as UCX has it
}

TEST(MessageCopies, NotWhereWorkersShareCores) { EXPECT_EQ(copied_below(3, 2), 0u); }

#ifndef OPEN_MPI
TEST(MessageCopies, OnOneHost) {
  EXPECT_EQ(threshold_with({{"PMI_SIZE", "2"}, {"MPI_LOCALNRANKS", "2"}}), told_to_two());
  EXPECT_EQ(threshold_with({{"PMI_SIZE", "2"}, {"MPI_LOCALNRANKS", "2"}, {"SLURM_STEP_NUM_NODES", "2"}}),
            told_to_two());
  EXPECT_EQ(threshold_with({{"PMI_SIZE", "2"}, {"SLURM_STEP_NUM_NODES", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}}),
            told_to_two());
}

/// MPI, which has started, has read it.
TEST(MessageCopies, AreAskedForBeforeMpiStarts) {
  const char* const local = std::getenv("MPI_LOCALNRANKS");
  const char* const threshold = std::getenv("UCX_RNDV_THRESH");
  if (local == nullptr || std::getenv("PMI_SIZE") == nullptr) GTEST_SKIP() << "nobody says where the workers are";
  const std::uint64_t size = copied_below(std::strtoull(local, nullptr, 10), cores());
  EXPECT_EQ(threshold == nullptr ? "none" : threshold, size == 0 ? "none" : std::to_string(size));
}
#endif

TEST(MessageCopies, NotBetweenHostsNorOfOneWorkerNorWhereNobodySays) {
  EXPECT_EQ(threshold_with({{"PMI_SIZE", "2"}, {"MPI_LOCALNRANKS", "1"}}), "none");
  EXPECT_EQ(threshold_with({{"PMI_SIZE", "2"}, {"SLURM_STEP_NUM_NODES", "2"}, {"SLURM_STEP_NUM_TASKS", "2"}}), "none");
  EXPECT_EQ(threshold_with({{"PMI_SIZE", "2"}, {"SLURM_STEP_NUM_NODES", "1"}, {"SLURM_STEP_NUM_TASKS", "1"}}), "none");
  EXPECT_EQ(threshold_with({{"PMI_SIZE", "2"}}), "none");
  EXPECT_EQ(threshold_with({{"MPI_LOCALNRANKS", "2"}}), "none");
  EXPECT_EQ(threshold_with({{"PMI_SIZE", "1"}, {"MPI_LOCALNRANKS", "1"}}), "none");
  EXPECT_EQ(threshold_with({}), "none");
}

TEST(MessageCopies, WhatTheUserSaysStays) {
  EXPECT_EQ(threshold_with({{"PMI_SIZE", "2"}, {"MPI_LOCALNRANKS", "2"}, {"UCX_RNDV_THRESH", "auto"}}), "auto");
}

}  // namespace
}  // namespace kasen::comm
