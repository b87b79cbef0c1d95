/// @file
/// How one worker's failure becomes everybody's: between two collectives a worker must not throw on its own, or the
/// others wait for ever.
#pragma once

#include <functional>

#include "comm/communicator.h"

namespace kasen::comm {

/// Collective. Runs `work`, which may throw but must not communicate with workers that could have failed; if it threw
/// on any worker, every worker throws AgreedError with the message and exit status of the lowest failing rank.
/// Cost: one small all-reduce, and a broadcast of the message on failure.
void agree(const Communicator& communicator, const std::function<void()>& work);

/// Whether this worker is in the `work` of agree(), while the others may be waiting for it. Local.
bool is_agreeing() noexcept;

}  // namespace kasen::comm
