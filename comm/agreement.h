/// @file
/// How one worker's failure becomes everybody's: between two collectives a worker must not throw on its own, or the
/// others wait for ever.
#pragma once

#include <exception>
#include <functional>
#include <string>

#include "comm/communicator.h"

namespace kasen::comm {

/// Collective. Runs `work`, which may throw but must not communicate with workers that could have failed; if it threw
/// on any worker, every worker throws AgreedError with the message and exit status of the lowest failing rank.
/// Cost: one small all-reduce, and a broadcast of the message on failure.
void agree(const Communicator& communicator, const std::function<void()>& work);

/// Ends the process from wherever an error was not caught, a terminate handler included. If every worker arrives here
/// within a second (an error that all of them met), the lowest rank prints "error: " and its `message`, and all exit
/// with `exit_status`; otherwise this worker prints its message and aborts the job with `exit_status`, so that no other
/// worker hangs. A worker that fails while failing ends at once. Does not return.
[[noreturn]] void fail(const Communicator& communicator, const std::string& message, int exit_status) noexcept;

/// The same with what was thrown.
[[noreturn]] void fail(const Communicator& communicator, const std::exception_ptr& error) noexcept;

/// What a person is told of an exception.
std::string message_of(const std::exception_ptr& error);

/// The same as `fail` for failures outside the life of a communicator: among all workers while MPI runs, else of this
/// process.
[[noreturn]] void fail(const std::string& message, int exit_status) noexcept;

}  // namespace kasen::comm
