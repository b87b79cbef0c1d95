/// @file
/// Struct LiveValue: a value that is alive between plans, a vector in its buffer or a Shared.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace kasen::runtime {

class Buffer;
/// A counted reference to a buffer, which each value that lives in it holds.
using BufferRef = std::shared_ptr<Buffer>;

/// A vector in its buffer, or the bytes of a Shared.
struct LiveValue {
  BufferRef buffer;
  std::vector<std::byte> shared;
  bool has = true;  ///< false for a Shared that is the reduction of nothing without identity
};

}  // namespace kasen::runtime
