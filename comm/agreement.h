/// @file
/// How one worker's failure becomes everybody's: between two collectives a worker must not throw on its own, or the
/// others wait for ever.
#pragma once

#include <functional>
#include <string_view>

#include "comm/communicator.h"

namespace kasen::comm {

/// Collective. Runs `work`, which may throw but must not communicate with workers that could have failed; if it threw
/// on any worker, every worker throws AgreedError with the message and exit status of the lowest failing rank.
/// Cost: one small all-reduce, and a broadcast of the message on failure.
void agree(const Communicator& communicator, const std::function<void()>& work);

/// Ends the process from wherever an error was not caught, a terminate handler included. If every worker arrives here
/// within a second (an error that all of them met), the lowest rank prints "error: " and its `message`, and all exit
/// with `exit_status`; otherwise this worker prints its message and aborts the job with `exit_status`, so that no other
/// worker hangs. Without MPI running it ends this process alone. Removes temporary files first
/// (comm/temporary_name.h). Needs no memory. A worker that fails while failing ends at once. Does not return.
[[noreturn]] void fail(std::string_view message, int exit_status) noexcept;
/// Whether this worker is at that. Local.
bool is_failing() noexcept;
/// Whether this worker is in the `work` of agree(), while the others may be waiting for it. Local.
bool is_agreeing() noexcept;
/// Whether MPI has been started and has not ended. Local.
bool mpi_is_running() noexcept;

/// For a worker that is about to end although nobody has compared that with the others. Returns when all of them are
/// here too; if they are not within five seconds, ends the job as fail() does. Returns at once without MPI running.
void leave_together(std::string_view message) noexcept;

/// The same for the exception that is being handled: an Error with its own exit status, any other with 1.
[[noreturn]] void fail_with_current_exception() noexcept;

}  // namespace kasen::comm
