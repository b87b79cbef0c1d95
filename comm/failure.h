/// @file
/// Ending of a job that failed, with one message and a status, and without a worker that waits for another.
#pragma once

#include <functional>
#include <string_view>

namespace kasen::comm {

/// Ends the process from wherever an error was not caught, a terminate handler included. If every worker arrives here
/// within a second (an error that all of them met), the lowest rank prints "error: " and its `message`, and all exit
/// with `exit_status`; otherwise this worker prints its message and aborts the job with `exit_status`, so that no other
/// worker hangs. Without MPI running it ends this process alone. Removes temporary files first
/// (comm/temporary_name.h). Needs no memory. A worker that fails while failing ends at once. Does not return.
[[noreturn]] void fail(std::string_view message, int exit_status) noexcept;
/// Whether this worker is in fail(). Local.
bool is_failing() noexcept;
/// Whether MPI has been started and has not ended. Local.
bool mpi_is_running() noexcept;

/// For a worker that is about to end although workers have not agreed on that. Returns when all of them are here too;
/// if they are not within five seconds, ends the job as fail() does. Returns at once without MPI running.
void leave_together(std::string_view message) noexcept;

/// Calls fail() for the exception that is being handled: an Error with its own exit status, any other with 1.
[[noreturn]] void fail_with_current_exception() noexcept;

/// Calls `take` with the message and the exit status of the exception that is being handled.
void with_current_exception(const std::function<void(std::string_view message, int exit_status)>& take);

}  // namespace kasen::comm
