/// @file
/// The slow path of reading an edge list: messages about wrong lines.
#include "kasen/io/formats/edge_line.h"

#include <algorithm>
#include <vector>

#include "kasen/io/lines/beginning.h"

namespace kasen::io {

namespace {

bool looks_like_integer(std::string_view field) {
  if (!field.empty() && field.front() == '-') field.remove_prefix(1);
  return !field.empty() && std::all_of(field.begin(), field.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string wrong_id(std::string_view id, const EdgeLineFormat& format) {
  if (format.words) {
    if (id.size() <= kLongestWord) return {};
    return "expected a word of at most " + std::to_string(kLongestWord) + " bytes, found " + quoted(id) + " of " +
           std::to_string(id.size()) + " bytes";
  }
  std::int64_t value = 0;
  std::string_view rest = id;
  if (take_id(rest, value)) return {};
  return "expected a 64-bit integer, found " + quoted(id) + (looks_like_integer(id) ? ", which does not fit" : "") +
         (format.by_first_line ? "; the first data line has integers, use --ids word if vertices are named by words"
                               : "; --ids integer asks for it");
}

}  // namespace

bool looks_like_integers(std::string_view line) {
  const std::vector<std::string_view> fields = words_of(line);
  return fields.size() >= 2 && looks_like_integer(fields[0]) && looks_like_integer(fields[1]);
}

LineError explain_edge_line(std::string_view line, const EdgeLineFormat& format, bool first_data_line, bool cut_off) {
  using Weight = EdgeLineFormat::Weight;
  ControlByte control{};
  if (find_control_byte(line, control)) return {control.position, control.message};
  const std::vector<std::string_view> fields = words_of(line);
  const auto column = [&](std::string_view field) { return static_cast<std::size_t>(field.data() - line.data()); };
  const std::size_t first = fields.empty() ? 0 : column(fields[0]);
  const std::string hint = first_data_line ? "; lines before the edges can be skipped with --skip-lines" : "";
  const std::string edge =
      format.weight == Weight::number ? "source and target vertex and a weight" : "source and target vertex";
  if (cut_off) return {first, "expected " + edge + ", found a line of more than 1 MiB"};
  const std::size_t wanted = format.weight == Weight::number ? 3 : 2;
  const std::size_t most = format.weight == Weight::none ? 2 : 3;
  if (fields.size() < wanted) return {first, "expected " + edge + ", found only " + quoted(trimmed(line)) + hint};
  if (fields.size() > most) {
    const bool third = most == 2;
    return {column(fields[most]), "expected " + edge + ", found " + std::to_string(fields.size()) + " fields, the " +
                                      (third ? "third" : "fourth") + " is " + quoted(fields[most]) +
                                      (third && fields.size() == 3 ? "; --ignore-weights leaves out a third" : "") +
                                      hint};
  }
  for (std::size_t k = 0; k < 2; ++k) {
    if (const std::string wrong = wrong_id(fields[k], format); !wrong.empty()) return {column(fields[k]), wrong};
  }
  if (format.weight == Weight::number) {
    double weight = 0;
    std::string_view rest = fields[2];
    NumberFault fault = take_number(rest, weight, format.weight_rule);
    if (!rest.empty() && fault == NumberFault::none) fault = NumberFault::no_number;
    return {column(fields[2]), number_fault(fault, "a weight", fields[2], format.weight_rule) + hint};
  }
  return {first, "expected " + edge + ", found " + quoted(trimmed(line))};
}

}  // namespace kasen::io
