/// @file
/// Short files about vertices: a line a vertex, which programs take beside a graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace apps {

/// A line: the vertex as the graph names it, and what is said of it.
struct VertexLine {
  std::string vertex, value;  ///< value: empty if lines have one field
  std::uint64_t number;       ///< from 1
};

/// Collective. The lines of a plain text of `fields` (1 or 2) words a line, separated by blanks; blank lines and those
/// that begin with '#' or '%' do not count. Every worker reads the whole file and has all lines.
/// @throws InputError (agreed) "FILE: reason" or "FILE:LINE:COLUMN: found X, expected Y"
std::vector<VertexLine> read_vertex_lines(const std::string& path, int fields, const std::string& second = "");

}  // namespace apps
