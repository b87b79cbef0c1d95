/// @file
/// The fields of a line: blanks, integers, numbers and words, by std::from_chars, whatever the locale; and how they are
/// quoted in messages.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace kasen::io {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// A byte that no text holds; blanks, CR and LF aside.
inline bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' && !is_blank(c); }

/// The line without blanks at both ends and without the CR of a CRLF.
inline std::string_view trimmed(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  return line;
}

/// Takes the blanks at the front of `rest`.
inline void take_blanks(std::string_view& rest) {
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
}

/// Takes what stands before the next blank.
inline std::string_view take_word(std::string_view& rest) {
  std::size_t length = 0;
  while (length < rest.size() && !is_blank(rest[length])) ++length;
  const std::string_view word = rest.substr(0, length);
  rest.remove_prefix(length);
  return word;
}

/// Takes a whole number from 0 at the front of `rest`, of digits only.
inline bool take_whole(std::string_view& rest, std::uint64_t& number) {
  const char* const end = rest.data() + rest.size();
  const auto [stop, error] = std::from_chars(rest.data(), end, number);
  rest = {stop, static_cast<std::size_t>(end - stop)};
  return error == std::errc();
}

/// The word at the front of `rest`, without taking it.
inline std::string_view next_word(std::string_view rest) { return take_word(rest); }

/// What may stand where a number is read.
struct NumberRule {
  bool finite = true;     ///< neither infinite nor nan
  bool integral = false;  ///< a whole number of [least, most]
  double least = 0, most = 0;
};

enum class NumberFault : std::uint8_t { none, no_number, too_large, not_finite, not_integral, out_of_range };

/// Takes a number at the front of `rest`, as C writes it in decimal, with or without sign. What is too small for a
/// double is 0. After a fault `rest` is not defined.
NumberFault take_number_slowly(std::string_view& rest, double& number, const NumberRule& rule);
inline NumberFault take_number(std::string_view& rest, double& number, const NumberRule& rule) {
  const char* const end = rest.data() + rest.size();
  // Most numbers of data are short whole ones; a digit at a time they are read several times faster.
  const char* p = rest.data();
  std::uint32_t digits = 0;
  while (p != end && p - rest.data() < 9 && *p >= '0' && *p <= '9')
    digits = digits * 10 + static_cast<unsigned>(*p++ - '0');
  const bool whole = p != rest.data() && (p == end || (*p != '.' && (*p | 0x20) != 'e' && (*p < '0' || *p > '9')));
  if (whole && !rule.integral) {
    number = digits;
    rest = {p, static_cast<std::size_t>(end - p)};
    return NumberFault::none;
  }
  return take_number_slowly(rest, number, rule);
}

/// Why `field` is not what was expected: "expected WHAT, found 'FIELD'", and what to do about it.
std::string number_fault(NumberFault fault, std::string_view what, std::string_view field, const NumberRule& rule);

/// "expected WHAT, found 'the next field'" or "found the end of the line".
std::string expected_but_found(std::string_view what, std::string_view rest);

/// In quotes, short, and harmless to a terminal.
std::string quoted(std::string_view text);

/// "not a text file: there is a byte 0x00", and its position, if there is one that no text holds; else nothing.
struct ControlByte {
  std::size_t position;
  std::string message;
};
bool find_control_byte(std::string_view line, ControlByte& found);

}  // namespace kasen::io
