/// @file
/// Agreement on errors: if work fails on one worker, all throw. Between two collectives a worker must not throw on its
/// own, or the others wait for ever.
#pragma once

#include <functional>

#include "comm/communicator.h"

namespace kasen::comm {

/// Collective. Runs `work`, which may throw but must not communicate with workers that could have failed; if it threw
/// on any worker, every worker throws AgreedError with the message and exit status of the lowest failing rank.
/// Cost: one small all-reduce, and a broadcast of the message on failure.
void agree(const Communicator& communicator, const std::function<void()>& work);

/// Whether this worker is within the `work` of agree(), while the others may be waiting for it. Local.
bool is_agreeing() noexcept;

}  // namespace kasen::comm
