/// @file
/// The communicators that tests of comm run on: as the workers are, and with all of them on one core, so that the
/// yielding wait is taken however many cores there are.
#pragma once

#include <gtest/gtest.h>
#include <sched.h>

#include <string>

#include "comm/communicator.h"

namespace kasen::comm::tests {

/// Collective. Named as the one that the witness looks at.
inline Communicator make_on_one_core() {
  cpu_set_t before, one;
  CPU_ZERO(&one);
  const bool known = sched_getaffinity(0, sizeof before, &before) == 0;
  for (int core = 0; known && core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core) {
    if (CPU_ISSET(core, &before)) CPU_SET(core, &one);
  }
  if (known) sched_setaffinity(0, sizeof one, &one);
  Communicator communicator(MPI_COMM_WORLD, "kasen.steps");
  if (known) sched_setaffinity(0, sizeof before, &before);
  return communicator;
}

/// Collective at the first call with each argument: all tests share the two.
inline const Communicator& communicator_for(bool one_core) {
  if (one_core) {
    static const Communicator communicator = make_on_one_core();
    return communicator;
  }
  static const Communicator communicator(MPI_COMM_WORLD, "kasen.steps");
  return communicator;
}

/// Names the two for GoogleTest.
inline std::string name_of_waiting(const testing::TestParamInfo<bool>& test) {
  return test.param ? "one_core" : "as_is";
}

}  // namespace kasen::comm::tests
