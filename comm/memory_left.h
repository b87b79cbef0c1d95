/// @file
/// Class MemoryLeft: the message of a process whose memory has run out.
#pragma once

#include <string_view>

namespace kasen::comm {

/// How much memory this process holds and its host has left, found out without using any. Local.
class MemoryLeft {
 public:
  MemoryLeft() noexcept;
  /// The message "out of memory on worker N: ..."; it lives as long as the object.
  std::string_view message() const noexcept { return _text; }

 private:
  char _text[160];
};

}  // namespace kasen::comm
