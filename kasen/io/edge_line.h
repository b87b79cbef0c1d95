/// @file
/// One line of an edge list: two fields, or a comment, or an error that says what is wrong with it.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace kasen::io {

/// What a line must look like.
struct LineFormat {
  bool words = false;            ///< fields are words, not integers
  bool by_first_line = false;    ///< that was decided by the first data line, not by the user
  std::uint64_t origin = 0;      ///< byte where the first line that is not skipped begins
  std::uint64_t first_data = 0;  ///< byte where the first data line begins
};

inline constexpr std::uint64_t kLongestWord = 65535;  ///< bytes

enum class LineKind : std::uint8_t { empty, edge, wrong };

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// The line without blanks at both ends and without the CR of a CRLF.
inline std::string_view trimmed(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  return line;
}

/// A trimmed line that holds no edge: nothing, or a comment.
inline bool is_empty_or_comment(std::string_view line) {
  return line.empty() || line.front() == '#' || line.front() == '%';
}

/// Takes the field at the front of `rest`, and the blanks before it.
inline bool take_field(std::string_view& rest, std::int64_t& field) {
  const char* p = rest.data();
  const char* const end = p + rest.size();
  while (p != end && is_blank(*p)) ++p;
  const auto [stop, error] = std::from_chars(p, end, field);
  rest = {stop, static_cast<std::size_t>(end - stop)};
  return error == std::errc() && (stop == end || is_blank(*stop));
}
inline bool take_field(std::string_view& rest, std::string_view& field) {
  const char* p = rest.data();
  const char* const end = p + rest.size();
  while (p != end && is_blank(*p)) ++p;
  const char* const begin = p;
  while (p != end && static_cast<unsigned char>(*p) > ' ') ++p;
  field = {begin, static_cast<std::size_t>(p - begin)};
  rest = {p, static_cast<std::size_t>(end - p)};
  return !field.empty() && field.size() <= kLongestWord && (p == end || is_blank(*p));
}

/// Reads one line into two fields; Field is std::int64_t or std::string_view (into the line). This is the fast path:
/// what is wrong with a wrong line is for `explain`.
template <class Field>
LineKind read_line(std::string_view line, Field& source, Field& target) {
  line = trimmed(line);
  if (is_empty_or_comment(line)) {
    return line.find('\0') == std::string_view::npos ? LineKind::empty : LineKind::wrong;
  }
  return take_field(line, source) && take_field(line, target) && line.empty() ? LineKind::edge : LineKind::wrong;
}

/// Both fields are written as integers, whether they fit or not; decides `automatic` by the first data line.
bool looks_like_integers(std::string_view line);

/// What is wrong with a line for which read_line said so, and what was expected.
/// @param cut_off only the beginning of the line is given.
std::string explain(std::string_view line, const LineFormat& format, bool first_data_line, bool cut_off);

/// The name of the compression that a file's first bytes tell of; empty if none.
std::string_view compression(std::string_view first_bytes);

}  // namespace kasen::io
