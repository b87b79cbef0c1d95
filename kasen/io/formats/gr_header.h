/// @file
/// Parser of the header of a Galois graph (.gr), which compares it with the file's size.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "kasen/io/lines/line_error.h"

namespace kasen::io {

/// The header. A file is its header, the ends of the vertices' edges, the edges' targets, padding, the edges' data.
struct GrHeader {
  std::uint64_t version = 1;     ///< 1: targets of 4 bytes; 2: of 8
  std::uint64_t edge_bytes = 0;  ///< of an edge's data
  std::uint64_t vertices = 0, edges = 0;
  std::uint64_t padding = 0;  ///< bytes before the data

  static constexpr std::uint64_t kBytes = 32, kEndBytes = 8;
  std::uint64_t target_bytes() const { return version == 1 ? 4 : 8; }
  std::uint64_t targets_begin() const { return kBytes + kEndBytes * vertices; }
  std::uint64_t data_begin() const { return targets_begin() + target_bytes() * edges + padding; }
  std::uint64_t file_bytes() const { return data_begin() + edge_bytes * edges; }
};

/// A little-endian number of the file. @param bytes sizeof(T) bytes
template <class T>
T from_little_endian(const char* bytes) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  Bits bits = 0;
  for (std::size_t k = 0; k < sizeof(T); ++k) bits |= Bits{static_cast<unsigned char>(bytes[k])} << (8 * k);
  return std::bit_cast<T>(bits);
}

/// @param bytes the first bytes of the file, kBytes or all that it has; @param file_bytes the size of the file.
/// @throws LineError, whose column is the byte where the field begins, if the file is none of version 1 or 2, or is not
///         as long as it must be
GrHeader parse_gr_header(std::string_view bytes, std::uint64_t file_bytes);

}  // namespace kasen::io
