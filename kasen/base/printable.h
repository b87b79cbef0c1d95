/// @file
/// Text from files, options and names on its way to a terminal or into a line of text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kasen {

/// The text as a terminal may show it, in one line: control characters, what is no UTF-8, and characters that would
/// turn the direction of the rest of the line become \xNN, byte by byte. Everything else stays.
std::string printable(std::string_view text);

/// The same for several lines: line ends and tabs stay.
std::string printable_lines(std::string_view text);

/// The one character at the front of `text`, printable, is appended to `shown`. @return the bytes it has in `text`
std::size_t append_printable(std::string_view text, std::string& shown);

/// A control character of ASCII, line ends, tabs and DEL included: what no field of a line of text may hold.
inline bool is_control_character(char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }

/// Whether any character is one.
bool has_control_character(std::string_view text);

}  // namespace kasen
