/// @file
/// Agreement on errors, and the end of a job that failed.
#include "comm/agreement.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <thread>

#include "comm/arrival.h"
#include "kasen/base/error.h"
#include "kasen/base/printable.h"

namespace kasen::comm {
namespace {

/// What the launcher needs to pass a message on: it drops what it has not read when a job aborts.
constexpr auto kForwarding = std::chrono::milliseconds(200);
/// How long another failed worker is given to end the job.
constexpr auto kTurn = std::chrono::seconds(3);

struct Failure {
  bool happened = false;
  int exit_status = 1;
  std::string message;
};

Failure failure_of(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const Error& error) {
    return {true, error.exit_status(), error.what()};
  } catch (const std::bad_alloc&) {
    return {true, 1, "out of memory"};
  } catch (const std::exception& error) {
    return {true, 1, error.what()};
  } catch (...) {
    return {true, 1, "unknown exception"};
  }
}

/// stderr is unbuffered: the C library writes the line in one piece, so that lines of several workers do not mix.
void print_error(const std::string& message) noexcept {
  std::fprintf(stderr, "error: %s\n", printable(message).c_str());
  std::fflush(stderr);
}

[[noreturn]] void exit_now(int exit_status) noexcept {
  std::cout.flush();
  std::fflush(nullptr);
  std::_Exit(exit_status);
}

bool mpi_is_running() noexcept {
  int initialised = 0, finalised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  return initialised && !finalised;
}

[[noreturn]] void fail_on(MPI_Comm communicator, const std::string& message, int exit_status) noexcept {
  static std::atomic_flag failing = ATOMIC_FLAG_INIT;
  if (failing.test_and_set()) {  // the message is out, or about to be
    if (mpi_is_running()) MPI_Abort(MPI_COMM_WORLD, exit_status);
    exit_now(exit_status);
  }
  std::cout.flush();
  std::fflush(stdout);
  if (!mpi_is_running()) {
    print_error(message);
    exit_now(exit_status);
  }
  if (communicator == MPI_COMM_NULL) communicator = MPI_COMM_WORLD;
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  const Arrival arrival = wait_for_others(communicator);
  if (arrival.everybody) {
    if (rank == 0) print_error(message);
    alarm(10);  // should MPI not be able to finalise after what happened, the process still ends
    MPI_Finalize();
    exit_now(exit_status);
  }
  // Some failed, not all: the lowest of them speaks, and ends the others before their turn comes.
  if (arrival.lowest != rank) std::this_thread::sleep_for(kTurn);
  print_error(message);
  std::this_thread::sleep_for(kForwarding);
  MPI_Abort(MPI_COMM_WORLD, exit_status);
  exit_now(exit_status);
}

}  // namespace

void agree(const Communicator& communicator, const std::function<void()>& work) {
  Failure failure = failure_of(work);
  const Rank first = communicator.min(failure.happened ? communicator.rank() : communicator.size());
  if (first == communicator.size()) return;
  communicator.broadcast(std::span(&failure.exit_status, 1), first);
  communicator.broadcast(failure.message, first);
  throw AgreedError(failure.message, failure.exit_status);
}

void fail(const Communicator& communicator, const std::string& message, int exit_status) noexcept {
  fail_on(communicator.native(), message, exit_status);
}

void fail(const std::string& message, int exit_status) noexcept { fail_on(MPI_COMM_NULL, message, exit_status); }

}  // namespace kasen::comm
