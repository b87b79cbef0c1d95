/// @file
/// Parsing of numbers that are written unusually, and messages about wrong fields.
#include "kasen/io/lines/fields.h"

#include <algorithm>
#include <cmath>

#include "kasen/base/printable.h"

namespace kasen::io {

namespace {

/// Of a number that from_chars found out of range: its magnitude is at least 1.
bool is_large(std::string_view number) {
  const std::size_t e = number.find_first_of("eE");
  const std::string_view digits = number.substr(0, e);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  double exponent = first < point ? static_cast<double>(point - first) : -static_cast<double>(first - point);
  if (e != std::string_view::npos) {
    std::string_view power = number.substr(e + 1);
    const bool negative = power.starts_with('-');
    if (negative || power.starts_with('+')) power.remove_prefix(1);
    std::int64_t value = 0;
    const bool fits = std::from_chars(power.data(), power.data() + power.size(), value).ec == std::errc();
    const double size = fits ? static_cast<double>(value) : HUGE_VAL;
    exponent += negative ? -size : size;
  }
  return exponent > 0;
}

}  // namespace

NumberFault take_number_slowly(std::string_view& rest, double& number, const NumberRule& rule) {
  const char* begin = rest.data();
  const char* const end = begin + rest.size();
  if (begin != end && *begin == '+') {
    ++begin;
    if (begin != end && *begin == '-') return NumberFault::no_number;
  }
  auto [stop, error] = std::from_chars(begin, end, number);
  if (error == std::errc::invalid_argument) return NumberFault::no_number;
  if (error == std::errc::result_out_of_range) {
    if (is_large({begin, static_cast<std::size_t>(stop - begin)})) return NumberFault::too_large;
    number = *begin == '-' ? -0.0 : 0.0;
  }
  rest = {stop, static_cast<std::size_t>(end - stop)};
  if (rule.finite && !std::isfinite(number)) return NumberFault::not_finite;
  if (rule.integral && !(std::floor(number) == number)) return NumberFault::not_integral;
  return rule.in_range(number) ? NumberFault::none : NumberFault::out_of_range;
}

std::string number_fault(NumberFault fault, std::string_view what, std::string_view field, const NumberRule& rule) {
  const std::string found = field.empty() ? "found nothing" : "found " + quoted(field);
  const std::string expected = "expected " + std::string(what);
  switch (fault) {
    case NumberFault::too_large:
      return expected + ", " + found + ", which is too large for a double";
    case NumberFault::not_finite:
      return expected + " that is finite, " + found + "; --allow-non-finite takes infinite numbers and nan";
    case NumberFault::not_integral:
      return expected + " that is whole, " + found;
    case NumberFault::out_of_range: {
      constexpr double kShown = 1e18;  // no integer type that is read has longer bounds
      if (!rule.integral || rule.most > kShown) return expected + " that fits the type of the elements, " + found;
      char least[32], most[32];
      const auto text = [](char(&into)[32], double value) {
        return std::string(into, std::to_chars(into, into + sizeof into, value, std::chars_format::fixed, 0).ptr);
      };
      return expected + " from " + text(least, rule.least) + " to " + text(most, rule.most) + ", " + found;
    }
    default:
      return expected + ", " + found;
  }
}

std::string expected_but_found(std::string_view what, std::string_view rest) {
  const std::string_view word = next_word(rest);
  return "expected " + std::string(what) + ", found " + (word.empty() ? "the end of the line" : quoted(word));
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown = "'";
  while (!text.empty() && shown.size() < kShown) text.remove_prefix(append_printable(text, shown));
  return shown + (text.empty() ? "'" : "...'");
}

bool find_control_byte(std::string_view line, ControlByte& found) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const auto control = std::find_if(line.begin(), line.end(), is_control);
  if (control == line.end()) return false;
  found = {static_cast<std::size_t>(control - line.begin()),
           "not a text file: there is a byte 0x" + printable({&*control, 1}).substr(2)};
  return true;
}

}  // namespace kasen::io
