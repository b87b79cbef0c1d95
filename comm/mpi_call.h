/// @file
/// Wrappers of MPI calls: error codes become exceptions, and waiting yields the core where workers share one.
#pragma once

#include <mpi.h>

#include <span>

namespace kasen::comm {

/// Throws Error with the call and MPI's text unless `code` is MPI_SUCCESS.
void check(int code, const char* call);

/// Whether all of `requests` are done; lets MPI go on with them.
bool test_all(std::span<MPI_Request> requests, const char* call);

/// Waits for all of `requests`, yielding the core between tests.
void wait_yielding(std::span<MPI_Request> requests, const char* call);

/// Runs a collective in its blocking form, or in its nonblocking one when workers share cores: `blocking()` and
/// `start(MPI_Request*)` return MPI's code. The two forms do not match each other in MPI, so the choice, Communicator's
/// oversubscribed(), is equal on all workers.
template <class Blocking, class Start>
void collective(bool oversubscribed, const char* call, Blocking&& blocking, Start&& start) {
  if (!oversubscribed) {
    check(blocking(), call);
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check(start(&request), call);
  wait_yielding({&request, 1}, call);
}

}  // namespace kasen::comm
