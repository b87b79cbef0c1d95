/// @file
/// A value that is alive between plans.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace kasen::runtime {

class Buffer;
/// A value that lives in a buffer holds a reference; references are counted.
using BufferRef = std::shared_ptr<Buffer>;

/// A vector in its buffer, or the bytes of a Shared.
struct LiveValue {
  BufferRef buffer;
  std::vector<std::byte> shared;
  bool has = true;  ///< of a Shared: false after the reduction of nothing without identity
};

}  // namespace kasen::runtime
