#include "kasen/io/formats/gr_header.h"

#include <string>

namespace kasen::io {

GrHeader parse_gr_header(std::string_view bytes, std::uint64_t file_bytes) {
  if (bytes.size() < GrHeader::kBytes) {
    throw LineError{0, "expected a Galois graph, whose header has " + std::to_string(GrHeader::kBytes) +
                           " bytes, found a file of " + std::to_string(bytes.size())};
  }
  const auto field = [&](std::size_t k) { return from_little_endian<std::uint64_t>(bytes.data() + 8 * k); };
  GrHeader header;
  header.version = field(0);
  header.edge_bytes = field(1);
  header.vertices = field(2);
  header.edges = field(3);
  if (header.version != 1 && header.version != 2) {
    throw LineError{0, "expected version 1 or 2 of Galois graphs, found " + std::to_string(header.version)};
  }
  const std::string sizes = std::to_string(header.vertices) + " vertices and " + std::to_string(header.edges) +
                            " edges with " + std::to_string(header.edge_bytes) + " bytes of data each";
  const auto too_short = [&](std::size_t column) {
    return LineError{column,
                     "expected room for " + sizes + ", found a file of " + std::to_string(file_bytes) + " bytes"};
  };
  // By divisions: products may be too large for 64 bits.
  std::uint64_t left = file_bytes - GrHeader::kBytes;
  if (header.vertices > left / GrHeader::kEndBytes) throw too_short(16);
  left -= header.vertices * GrHeader::kEndBytes;
  if (header.edges > left / header.target_bytes()) throw too_short(24);
  left -= header.edges * header.target_bytes();
  if (header.edges > 0 && header.edge_bytes > left / header.edges) throw too_short(8);
  left -= header.edges * header.edge_bytes;
  // Version 1 has its data at a multiple of 8 bytes; what has no data may end before. Of version 2, Galois writes one
  // more target behind an odd number of them at some places, and none at others.
  const std::uint64_t padding = header.edges % 2 * header.target_bytes();
  const bool optional = header.version == 2 || header.edge_bytes == 0;
  if (left < padding && !(left == 0 && optional)) throw too_short(24);
  if (left > padding) {
    throw LineError{24, "expected the end of the file behind " + sizes + ", found " + std::to_string(left - padding) +
                            " more bytes"};
  }
  header.padding = left;
  return header;
}

}  // namespace kasen::io
