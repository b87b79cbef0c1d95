/// @file
/// Comparison of all workers' failures.
#include "comm/agreement.h"

#include <atomic>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "comm/failure.h"
#include "kasen/base/error.h"

namespace kasen::comm {
namespace {

std::atomic<int> agreeing{0};

struct Failure {
  bool happened = false;
  int exit_status = 1;
  std::string message;
};

Failure failure_of(const std::function<void()>& work) {
  Failure failure;
  try {
    work();
  } catch (...) {
    failure.happened = true;
    with_current_exception([&](std::string_view message, int exit_status) {
      failure.exit_status = exit_status;
      try {
        failure.message = message;
      } catch (const std::bad_alloc&) {
        failure.message = "out of memory";  // which a string holds without memory of its own
      }
    });
  }
  return failure;
}

}  // namespace

void agree(const Communicator& communicator, const std::function<void()>& work) {
  ++agreeing;
  Failure failure = failure_of(work);
  --agreeing;
  const Rank first = communicator.min(failure.happened ? communicator.rank() : communicator.size());
  if (first == communicator.size()) return;
  communicator.broadcast(std::span(&failure.exit_status, 1), first);
  communicator.broadcast(failure.message, first);
  throw AgreedError(failure.message, failure.exit_status);
}

bool is_agreeing() noexcept { return agreeing > 0; }

}  // namespace kasen::comm
