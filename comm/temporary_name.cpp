/// @file
/// A table of fixed size, so that a signal handler can walk it at any moment.
#include "comm/temporary_name.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>

namespace kasen::comm {
namespace {

struct Slot {
  std::atomic<bool> taken;
  std::atomic<bool> named;
  char path[PATH_MAX];
};
static_assert(std::atomic<bool>::is_always_lock_free);

constexpr int kSlots = 16;
Slot slots[kSlots];

}  // namespace

TemporaryName::TemporaryName(const std::string& path) noexcept {
  if (path.size() >= PATH_MAX) return;
  for (int k = 0; k < kSlots; ++k) {
    if (slots[k].taken.exchange(true)) continue;
    std::memcpy(slots[k].path, path.c_str(), path.size() + 1);
    slots[k].named = true;
    _slot = k;
    return;
  }
}

TemporaryName::TemporaryName(TemporaryName&& other) noexcept : _slot(std::exchange(other._slot, -1)) {}

TemporaryName& TemporaryName::operator=(TemporaryName&& other) noexcept {
  std::swap(_slot, other._slot);
  return *this;
}

void TemporaryName::forget() noexcept {
  if (_slot < 0) return;
  slots[_slot].named = false;
  slots[_slot].taken = false;
  _slot = -1;
}

bool has_temporary_files() noexcept {
  return std::any_of(slots, slots + kSlots, [](const Slot& slot) { return slot.named.load(); });
}

void remove_temporary_files() noexcept {
  const int error = errno;
  for (Slot& slot : slots) {
    if (slot.named) ::unlink(slot.path);
  }
  errno = error;
}

}  // namespace kasen::comm
