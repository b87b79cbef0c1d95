/// @file
/// Interface ByteSource: bytes that are read forward, of a file as it is or of what a compressed file holds.
#pragma once

#include <cstdint>

namespace kasen::io {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads up to `bytes` bytes from `offset`, fewer only at the end. Local. Offsets that ascend are read fast.
  /// @throws InputError "FILE: reason"
  virtual std::uint64_t read(std::uint64_t offset, char* into, std::uint64_t bytes) = 0;
};

}  // namespace kasen::io
