/// @file
/// The counts of what a plan does to memory and network; predicted by formula, and measured, in the same struct.
#pragma once

#include <cstdint>

namespace kasen {

/// Summed over workers. "Elements" are array elements and matrix index, value and pointer entries.
struct Counts {
  std::uint64_t elements_read = 0;
  std::uint64_t elements_written = 0;
  std::uint64_t elements_initialised = 0;  ///< identity fills of push outputs
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t bytes_sent = 0;    ///< payload to other workers
  std::uint64_t messages = 0;      ///< directed pairs of workers with payload, per exchange
  std::uint64_t buffer_bytes = 0;  ///< obtained for vectors and for packing

  Counts& operator+=(const Counts& other) {
    elements_read += other.elements_read;
    elements_written += other.elements_written;
    elements_initialised += other.elements_initialised;
    bytes_read += other.bytes_read;
    bytes_written += other.bytes_written;
    bytes_sent += other.bytes_sent;
    messages += other.messages;
    buffer_bytes += other.buffer_bytes;
    return *this;
  }
  Counts times(std::uint64_t n) const {
    return {elements_read * n, elements_written * n, elements_initialised * n, bytes_read * n, bytes_written * n,
            bytes_sent * n,    messages * n,         buffer_bytes * n};
  }
  bool operator==(const Counts&) const = default;
};

}  // namespace kasen
