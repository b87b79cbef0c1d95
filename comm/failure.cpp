/// @file
/// Failing workers wait for others, print and end in turns, all without allocating memory.
#include "comm/failure.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "comm/arrival.h"
#include "comm/memory_left.h"
#include "comm/temporary_name.h"
#include "kasen/base/error.h"
#include "kasen/base/printable.h"
#include "kasen/base/thread_team.h"

namespace kasen::comm {
namespace {

/// The time a launcher needs to pass a message on: it drops what it has not read when a job aborts.
constexpr auto kForwarding = std::chrono::milliseconds(200);
/// The time that another failed worker is given to end the job.
constexpr auto kTurn = std::chrono::seconds(3);
/// The time that a worker which ends waits for the others to do so.
constexpr auto kPatience = std::chrono::seconds(5);
/// The time after which the process ends even if MPI does not return. Longer than what fail() and end_the_others()
/// wait.
constexpr unsigned kGraceSeconds = 8;

/// Prints in one piece, so that lines of several workers do not mix.
void print_error(std::string_view message) noexcept {
  std::string shown;
  try {
    shown = printable(message);
    message = shown;
  } catch (const std::bad_alloc&) {  // as it is, then
  }
  const auto part = [](std::string_view text) { return iovec{const_cast<char*>(text.data()), text.size()}; };
  const iovec line[] = {part("error: "), part(message), part("\n")};
  [[maybe_unused]] const ssize_t written = ::writev(STDERR_FILENO, line, 3);
}

[[noreturn]] void exit_now(int exit_status) noexcept {
  std::cout.flush();
  std::fflush(nullptr);
  std::_Exit(exit_status);
}

/// Silences MPI, whose text about a job that has failed would be a second message.
void say_no_more() noexcept {
  if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
}

[[noreturn]] void abort_job(int exit_status) noexcept {
  say_no_more();
  MPI_Abort(MPI_COMM_WORLD, exit_status);
  exit_now(exit_status);
}

std::atomic_flag failing = ATOMIC_FLAG_INIT;
std::atomic<int> status_if_stuck{1};

void end_when_stuck(int exit_status) noexcept {
  status_if_stuck = exit_status;
  std::signal(SIGALRM, [](int) { ::_exit(status_if_stuck); });
  ::alarm(kGraceSeconds);
}

/// Of workers that failed, and are not all: the lowest of them speaks, and ends the others before their turn comes.
[[noreturn]] void end_the_others(const Arrival& arrival, int rank, std::string_view message, int exit_status) noexcept {
  end_when_stuck(exit_status);
  if (arrival.lowest != rank) std::this_thread::sleep_for(kTurn);
  print_error(message);
  std::this_thread::sleep_for(kForwarding);
  remove_temporary_files();  // the first worker may have been about to create one
  abort_job(exit_status);
}

/// Without memory to find out, others may or may not be here.
Arrival wait_for_others_if_possible(int rank, std::chrono::milliseconds patience = std::chrono::seconds(1)) noexcept {
  try {
    return wait_for_others(MPI_COMM_WORLD, patience);
  } catch (...) {
    return {false, rank};
  }
}

}  // namespace

void fail(std::string_view message, int exit_status) noexcept {
  ThreadTeam::leave_ending([&] { fail(message, exit_status); });
  if (failing.test_and_set()) {  // the message is out, or about to be
    if (mpi_is_running()) abort_job(exit_status);
    exit_now(exit_status);
  }
  end_when_stuck(exit_status);
  remove_temporary_files();
  std::cout.flush();
  std::fflush(stdout);
  if (!mpi_is_running()) {
    print_error(message);
    exit_now(exit_status);
  }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Arrival arrival = wait_for_others_if_possible(rank);
  if (arrival.everybody) {
    if (rank == 0) print_error(message);
    say_no_more();
    MPI_Finalize();
    exit_now(exit_status);
  }
  end_the_others(arrival, rank, message, exit_status);
}

bool is_failing() noexcept { return failing.test(); }

void with_current_exception(const std::function<void(std::string_view message, int exit_status)>& take) {
  try {
    throw;
  } catch (const Error& error) {
    take(error.what(), error.exit_status());
  } catch (const std::bad_alloc&) {
    take(MemoryLeft().message(), 1);
  } catch (const std::length_error& error) {  // a container longer than addresses go
    take(error.what(), 1);
  } catch (const std::exception& error) {
    take(error.what(), 1);
  } catch (...) {
    take("unknown exception", 1);
  }
}

bool mpi_is_running() noexcept {
  int initialised = 0, finalised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  return initialised && !finalised;
}

void leave_together(std::string_view message) noexcept {
  if (!mpi_is_running()) return;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Arrival arrival = wait_for_others_if_possible(rank, kPatience);
  if (!arrival.everybody) end_the_others(arrival, rank, message, 1);
}

void fail_with_current_exception() noexcept {
  if (!std::current_exception()) fail("terminated", 1);
  with_current_exception([](std::string_view message, int exit_status) { fail(message, exit_status); });
  std::_Exit(1);
}

}  // namespace kasen::comm
