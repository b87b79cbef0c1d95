/// @file
/// Cores of threads: one for each of a host's, where there are enough, and none where there are not.
#include "comm/cores.h"

#include <gtest/gtest.h>
#include <mpi.h>
#include <sched.h>

#include <set>
#include <vector>

#include "tests/comm/communicators.h"

namespace kasen::comm::tests {
namespace {

cpu_set_t allowed() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  EXPECT_EQ(sched_getaffinity(0, sizeof cores, &cores), 0);
  return cores;
}

class CoresTest : public testing::Test {
 protected:
  const Communicator& communicator = communicator_for(false);
  const std::uint32_t workers = static_cast<std::uint32_t>(communicator.size());
  const cpu_set_t before = allowed();
  const std::uint32_t available = static_cast<std::uint32_t>(CPU_COUNT(&before));
};

TEST_F(CoresTest, workers_of_one_thread_are_left_to_the_system) {
  EXPECT_TRUE(cores_for(communicator, 1).of_threads.empty());
}

TEST_F(CoresTest, too_many_threads_are_left_to_the_system) {
  const Cores cores = cores_for(communicator, available + 1);
  EXPECT_FALSE(cores.enough);
  EXPECT_TRUE(cores.of_threads.empty());
}

TEST_F(CoresTest, threads_have_a_core_each) {
  const std::uint32_t threads = available / workers;
  if (threads < 2) GTEST_SKIP() << available << " cores are too few for two threads of " << workers << " workers";
  const Cores cores = cores_for(communicator, threads);
  EXPECT_TRUE(cores.enough);
  ASSERT_EQ(cores.of_threads.size(), threads);
  std::vector<int> all(std::size_t{threads} * workers);
  MPI_Allgather(cores.of_threads.data(), static_cast<int>(threads), MPI_INT, all.data(), static_cast<int>(threads),
                MPI_INT, communicator.native());
  EXPECT_EQ(std::set<int>(all.begin(), all.end()).size(), all.size());
  for (const int core : all) EXPECT_TRUE(CPU_ISSET(core, &before)) << core;
}

TEST_F(CoresTest, a_binding_ends) {
  const Cores cores = cores_for(communicator, 2);
  {
    const CoreBinding binding(cores);
    const cpu_set_t bound = allowed();
    if (cores.of_threads.empty()) {
      EXPECT_TRUE(CPU_EQUAL(&bound, &before));
    } else {
      EXPECT_EQ(CPU_COUNT(&bound), 1);
      EXPECT_TRUE(CPU_ISSET(cores.of_threads[0], &bound));
    }
  }
  const cpu_set_t after = allowed();
  EXPECT_TRUE(CPU_EQUAL(&after, &before));
}

}  // namespace
}  // namespace kasen::comm::tests
