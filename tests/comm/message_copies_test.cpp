/// @file
/// What UCX is told, by what launchers say.
#include "comm/message_copies.h"

#include <gtest/gtest.h>

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
    for (const char* const name : {"PMI_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_NUM_NODES", "UCX_RNDV_THRESH"}) {
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
  copy_messages_on_one_host();
  const char* const threshold = std::getenv("UCX_RNDV_THRESH");
  return threshold == nullptr ? "none" : threshold;
}

TEST(MessageCopies, OnOneHost) {
  EXPECT_EQ(threshold_with({{"PMI_SIZE", "3"}, {"MPI_LOCALNRANKS", "3"}}), "128k");
  EXPECT_EQ(threshold_with({{"PMI_SIZE", "3"}, {"SLURM_STEP_NUM_NODES", "1"}}), "128k");
}

TEST(MessageCopies, NotBetweenHostsNorOfOneWorkerNorWhereNobodySays) {
  EXPECT_EQ(threshold_with({{"PMI_SIZE", "3"}, {"MPI_LOCALNRANKS", "2"}}), "none");
  EXPECT_EQ(threshold_with({{"PMI_SIZE", "3"}, {"SLURM_STEP_NUM_NODES", "2"}}), "none");
  EXPECT_EQ(threshold_with({{"PMI_SIZE", "3"}, {"MPI_LOCALNRANKS", "2"}, {"SLURM_STEP_NUM_NODES", "1"}}), "none");
  EXPECT_EQ(threshold_with({{"PMI_SIZE", "3"}}), "none");
  EXPECT_EQ(threshold_with({{"PMI_SIZE", "1"}, {"MPI_LOCALNRANKS", "1"}}), "none");
  EXPECT_EQ(threshold_with({}), "none");
}

TEST(MessageCopies, WhatTheUserSaysStays) {
  EXPECT_EQ(threshold_with({{"PMI_SIZE", "3"}, {"MPI_LOCALNRANKS", "3"}, {"UCX_RNDV_THRESH", "64k"}}), "64k");
}

}  // namespace
}  // namespace kasen::comm
