/// @file
/// Parsing of the fields of a line: blanks, integers, numbers and words, whatever the locale; and their quotation in
/// messages.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "kasen/io/lines/number_rule.h"

namespace kasen::io {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Whether it is a control character other than a blank; no text holds one, save for CR and LF at the end of a line.
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

/// Takes a whole number from 0, of digits only, at the front of `rest`. @return whether there is one
inline bool take_whole(std::string_view& rest, std::uint64_t& number) {
  const char* const end = rest.data() + rest.size();
  const auto [stop, error] = std::from_chars(rest.data(), end, number);
  rest = {stop, static_cast<std::size_t>(end - stop)};
  return error == std::errc();
}

/// The word at the front of `rest`, without taking it.
inline std::string_view next_word(std::string_view rest) { return take_word(rest); }

enum class NumberFault : std::uint8_t { none, no_number, too_large, not_finite, not_integral, out_of_range };

/// Takes a number at the front of `rest`, as C writes it in decimal, with or without sign. A number that is too small
/// for a double is 0. After a fault `rest` is not defined.
NumberFault take_number_slowly(std::string_view& rest, double& number, const NumberRule& rule);
inline NumberFault take_number(std::string_view& rest, double& number, const NumberRule& rule) {
  // Most numbers of data have few digits and no exponent: both digits and power of ten are then doubles, and their
  // quotient is rounded once, as it must be (Clinger 1990).
  constexpr std::ptrdiff_t kExactDigits = 15;
  constexpr double kPowers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char* const end = rest.data() + rest.size();
  const char* p = rest.data();
  const auto is_digit = [&] { return p != end && *p >= '0' && *p <= '9'; };
  const bool negative = p != end && *p == '-';
  if (negative) ++p;
  std::uint64_t digits = 0;
  std::ptrdiff_t count = 0, decimals = 0;
  for (; is_digit() && count <= kExactDigits; ++p, ++count) digits = digits * 10 + static_cast<unsigned>(*p - '0');
  if (p != end && *p == '.') {
    for (++p; is_digit() && count <= kExactDigits; ++p, ++count, ++decimals) {
      digits = digits * 10 + static_cast<unsigned>(*p - '0');
    }
  }
  const bool over = p == end || ((*p | 0x20) != 'e' && *p != '.' && !is_digit());
  if (count > 0 && count <= kExactDigits && over && !rule.integral) {
    const double magnitude = static_cast<double>(digits) / kPowers[decimals];
    number = negative ? -magnitude : magnitude;
    rest = {p, static_cast<std::size_t>(end - p)};
    return rule.in_range(number) ? NumberFault::none : NumberFault::out_of_range;
  }
  return take_number_slowly(rest, number, rule);
}

/// The message for a fault: "expected WHAT, found 'FIELD'", and what to do about it.
std::string number_fault(NumberFault fault, std::string_view what, std::string_view field, const NumberRule& rule);

/// The message "expected WHAT, found 'the next field'" or "... found the end of the line".
std::string expected_but_found(std::string_view what, std::string_view rest);

/// The text in quotes, short, and harmless to a terminal.
std::string quoted(std::string_view text);

/// A byte that no text holds: its position, and the message "not a text file: there is a byte 0x00".
struct ControlByte {
  std::size_t position;
  std::string message;
};
bool find_control_byte(std::string_view line, ControlByte& found);

}  // namespace kasen::io
