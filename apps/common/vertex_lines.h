/// @file
/// Reading of short files about vertices, with a line for each, which programs take beside a graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace apps {

/// A line: the vertex as the graph names it, and a value for it.
struct VertexLine {
  std::string vertex, value;  ///< `value` is empty if lines have one field
  std::uint64_t number;       ///< of the line, from 1
};

/// Collective. The lines of a plain text of `fields` (1 or 2) words a line, separated by blanks; blank lines and those
/// that begin with '#' or '%' do not count. Every worker reads the whole file and has all lines.
/// @throws AgreedError "FILE: reason" or "FILE:LINE:COLUMN: found X, expected Y"
std::vector<VertexLine> read_vertex_lines(const std::string& path, int fields, const std::string& second = "");

}  // namespace apps
