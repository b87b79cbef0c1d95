/// @file
/// Bytes that are read forward: a file as it is, or what a compressed file holds.
#pragma once

#include <cstdint>

namespace kasen::io {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Up to `bytes` bytes from `offset`; fewer only at the end. Offsets that ascend are read fast.
  /// @throws InputError "FILE: reason"
  virtual std::uint64_t read(std::uint64_t offset, char* into, std::uint64_t bytes) = 0;
};

}  // namespace kasen::io
