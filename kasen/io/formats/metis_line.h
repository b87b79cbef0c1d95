/// @file
/// Parsers of the lines of a METIS (or Chaco) graph: sizes, then the neighbours of one vertex a line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "kasen/io/lines/fields.h"
#include "kasen/io/lines/line_error.h"

namespace kasen::io {

struct MetisHeader {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;           ///< each counted once, listed twice
  std::uint64_t vertex_numbers = 0;  ///< how many stand before the neighbours: a size, weights; not kept
  bool edge_weights = false;
};

inline bool is_metis_comment(std::string_view line) {
  line = trimmed(line);
  return !line.empty() && line.front() == '%';
}

/// Reads "VERTICES EDGES [FORMAT [WEIGHTS]]". @throws LineError
MetisHeader parse_metis_header(std::string_view line);

struct MetisNeighbours {
  std::vector<std::uint64_t> vertices;  ///< from 0
  std::vector<double> weights;          ///< of the edges, if there are any
};
/// Reads a line that is no comment; it may be blank. @throws LineError
void parse_metis_line(std::string_view line, const MetisHeader& header, const NumberRule& rule,
                      MetisNeighbours& neighbours);

}  // namespace kasen::io
