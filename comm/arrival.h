/// @file
/// A barrier with a time limit, by which a failing worker finds out which others failed too.
#pragma once

#include <mpi.h>

#include <chrono>

#include "kasen/base/ids.h"

namespace kasen::comm {

struct Arrival {
  bool everybody = true;  ///< all workers arrived in time
  Rank lowest = 0;        ///< of those that arrived, this worker included
};

/// Waits for every other worker of `communicator` to call this as well, but no longer than `patience`. Made of
/// point-to-point messages without payload, which MPI keeps apart from collectives that others may be waiting in.
/// After a call that gave up, the communicator must not be waited on like this again.
/// Cost: a message to each other worker.
Arrival wait_for_others(MPI_Comm communicator, std::chrono::milliseconds patience = std::chrono::seconds(1));

}  // namespace kasen::comm
