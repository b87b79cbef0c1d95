/// @file
/// Parser of one line of an edge list: two ids and perhaps a weight, or a comment.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

#include "kasen/io/lines/fields.h"
#include "kasen/io/lines/line_error.h"

namespace kasen::io {

/// The form that lines must have.
struct EdgeLineFormat {
  /// What the third column is: there is none; it must be a number; it may be anything.
  enum class Weight : std::uint8_t { none, number, ignored };
  Weight weight = Weight::none;
  NumberRule weight_rule = {};
  bool words = false;          ///< ids are words, not integers
  bool by_first_line = false;  ///< `words` was decided by the first data line, not by the user
};

inline constexpr std::uint64_t kLongestWord = 65535;  ///< bytes

enum class LineKind : std::uint8_t { empty, edge, wrong };

/// Whether a trimmed line holds no edge: it is empty or a comment.
inline bool is_empty_or_comment(std::string_view line) {
  return line.empty() || line.front() == '#' || line.front() == '%';
}

/// Takes the id at the front of `rest`, and the blanks before it. @return whether there is one
inline bool take_id(std::string_view& rest, std::int64_t& id) {
  take_blanks(rest);
  const char* const end = rest.data() + rest.size();
  const auto [stop, error] = std::from_chars(rest.data(), end, id);
  rest = {stop, static_cast<std::size_t>(end - stop)};
  return error == std::errc() && (stop == end || is_blank(*stop));
}
inline bool take_id(std::string_view& rest, std::string_view& id) {
  take_blanks(rest);
  std::size_t length = 0;
  while (length < rest.size() && static_cast<unsigned char>(rest[length]) > ' ') ++length;
  id = rest.substr(0, length);
  rest.remove_prefix(length);
  return !id.empty() && id.size() <= kLongestWord && (rest.empty() || is_blank(rest.front()));
}

/// Reads one line; Id is std::int64_t or std::string_view (into the line). This is the fast path; explain_edge_line
/// says what is wrong with a wrong line.
template <class Id>
LineKind read_edge_line(std::string_view line, const EdgeLineFormat& format, Id& source, Id& target, double& weight) {
  line = trimmed(line);
  if (is_empty_or_comment(line)) {
    return line.find('\0') == std::string_view::npos ? LineKind::empty : LineKind::wrong;
  }
  if (!take_id(line, source) || !take_id(line, target)) return LineKind::wrong;
  if (format.weight == EdgeLineFormat::Weight::none) return line.empty() ? LineKind::edge : LineKind::wrong;
  take_blanks(line);
  if (format.weight == EdgeLineFormat::Weight::ignored) {
    const std::string_view third = take_word(line);
    return line.empty() && third.find('\0') == std::string_view::npos ? LineKind::edge : LineKind::wrong;
  }
  const bool good = take_number(line, weight, format.weight_rule) == NumberFault::none && line.empty();
  return good ? LineKind::edge : LineKind::wrong;
}

/// Whether both ids are written as integers, of any size; the first data line decides for IdKind::automatic.
bool looks_like_integers(std::string_view line);

/// The error of a line that read_edge_line found wrong, with what was expected.
/// @param first_data_line whether no edge stands before it
LineError explain_edge_line(std::string_view line, const EdgeLineFormat& format, bool first_data_line, bool cut_off);

}  // namespace kasen::io
