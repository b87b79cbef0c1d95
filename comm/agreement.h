/// @file
/// Agreement on errors: if work fails on one worker, all throw. Between two collectives a worker must not throw on its
/// own, or the others wait for ever.
#pragma once

#include <functional>

#include "comm/communicator.h"
#include "kasen/base/error.h"

namespace kasen::comm {

/// Collective. Runs `work`, which may throw but must not communicate with workers that could have failed; if it threw
/// on any worker, every worker throws AgreedError with the message and exit status of the lowest failing rank.
/// Cost: one small all-reduce, and a broadcast of the message on failure.
void agree(const Communicator& communicator, const std::function<void()>& work);

/// Local. Runs `work`, in which all workers throw an Error alike or none does, and throws it as an AgreedError.
template <class Work>
decltype(auto) alike(Work&& work) {
  try {
    return work();
  } catch (const AgreedError&) {
    throw;
  } catch (const Error& error) {
    throw AgreedError(error.what(), error.exit_status());
  }
}

/// Whether this worker is within the `work` of agree(), while the others may be waiting for it. Local.
bool is_agreeing() noexcept;

}  // namespace kasen::comm
