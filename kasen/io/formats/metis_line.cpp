#include "kasen/io/formats/metis_line.h"

#include <limits>
#include <string>

namespace kasen::io {

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void fail(std::string_view line, std::string_view rest, const std::string& message) {
  ControlByte control{};
  if (find_control_byte(line, control)) throw LineError{control.position, control.message};
  throw LineError{static_cast<std::size_t>(rest.data() - line.data()), message};
}

std::uint64_t take_number_of(std::string_view line, std::string_view& rest, std::string_view what, std::uint64_t least,
                             std::uint64_t most) {
  std::string_view after = rest;
  std::uint64_t number = 0;
  if (!take_whole(after, number) || number < least || number > most || !(after.empty() || is_blank(after.front()))) {
    fail(line, rest, expected_but_found(what, rest));
  }
  rest = after;
  take_blanks(rest);
  return number;
}

}  // namespace

MetisHeader parse_metis_header(std::string_view line) {
  MetisHeader header;
  std::string_view rest = trimmed(line);
  header.vertices = take_number_of(line, rest, "the number of vertices", 0, kMost);
  header.edges = take_number_of(line, rest, "the number of edges", 0, kMost / 2);
  if (rest.empty()) return header;
  const std::string_view format = next_word(rest);
  const bool digits = format.size() <= 3 && format.find_first_not_of("01") == std::string_view::npos;
  if (!digits) fail(line, rest, expected_but_found("a format of up to three digits 0 or 1", rest));
  const auto digit = [&](std::size_t from_right) {
    return format.size() > from_right && format[format.size() - 1 - from_right] == '1';
  };
  rest.remove_prefix(format.size());
  take_blanks(rest);
  header.edge_weights = digit(0);
  std::uint64_t weights = 1;
  if (!rest.empty()) weights = take_number_of(line, rest, "the number of weights of a vertex", 0, 1000);
  header.vertex_numbers = (digit(1) ? weights : 0) + (digit(2) ? 1 : 0);
  if (!rest.empty()) fail(line, rest, expected_but_found("the end of the line", rest));
  return header;
}

void parse_metis_line(std::string_view line, const MetisHeader& header, const NumberRule& rule,
                      MetisNeighbours& neighbours) {
  neighbours.vertices.clear();
  neighbours.weights.clear();
  std::string_view rest = trimmed(line);
  for (std::uint64_t k = 0; k < header.vertex_numbers; ++k) {
    take_number_of(line, rest, "a weight or size of the vertex, a whole number", 0, kMost);
  }
  while (!rest.empty()) {
    std::string_view after = rest;
    std::uint64_t vertex = 0;
    if (!take_whole(after, vertex) || vertex == 0 || vertex > header.vertices ||
        !(after.empty() || is_blank(after.front()))) {
      fail(line, rest, expected_but_found("a vertex from 1 to " + std::to_string(header.vertices), rest));
    }
    neighbours.vertices.push_back(vertex - 1);
    rest = after;
    take_blanks(rest);
    if (!header.edge_weights) continue;
    after = rest;
    double weight = 0;
    NumberFault fault = take_number(after, weight, rule);
    if (fault == NumberFault::none && !(after.empty() || is_blank(after.front()))) fault = NumberFault::no_number;
    if (fault != NumberFault::none) fail(line, rest, number_fault(fault, "the edge's weight", next_word(rest), rule));
    neighbours.weights.push_back(weight);
    rest = after;
    take_blanks(rest);
  }
}

}  // namespace kasen::io
