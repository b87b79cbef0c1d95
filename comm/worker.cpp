#include "comm/worker.h"

#include <atomic>

namespace kasen::comm {
namespace {

std::atomic<int> this_worker{0};
static_assert(std::atomic<int>::is_always_lock_free);

}  // namespace

int worker() noexcept { return this_worker; }
void remember_worker(int rank) noexcept { this_worker = rank; }

}  // namespace kasen::comm
