/// @file
/// Reading of /proc into the stack.
#include "comm/memory_left.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "comm/worker.h"

namespace kasen::comm {
namespace {

/// The number behind `label` in a file of lines "Label:  NUMBER kB", in MiB; -1 if there is none.
long long mebibytes(const char* path, const char* label) noexcept {
  char text[4096];
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  const ssize_t length = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (length <= 0) return -1;
  text[length] = '\0';
  const char* const found = std::strstr(text, label);
  return found == nullptr ? -1 : std::strtoll(found + std::strlen(label), nullptr, 10) / 1024;
}

}  // namespace

MemoryLeft::MemoryLeft() noexcept {
  const long long held = mebibytes("/proc/self/status", "VmRSS:");
  const long long left = mebibytes("/proc/meminfo", "MemAvailable:");
  if (held < 0 || left < 0) {
    std::snprintf(_text, sizeof _text, "out of memory on worker %d", worker());
  } else {
    std::snprintf(_text, sizeof _text, "out of memory on worker %d, which holds %lld MiB; its host has %lld MiB left",
                  worker(), held, left);
  }
}

}  // namespace kasen::comm
