/// @file
/// Escaping of text from files, options and names, so that a terminal or a line of text can show it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kasen {

/// The text as a terminal may show it, in one line: control characters, bytes that are no UTF-8, and characters that
/// turn the direction of the rest of the line become \xNN, byte by byte. Everything else stays.
std::string printable(std::string_view text);

/// The same for several lines: line ends and tabs stay.
std::string printable_lines(std::string_view text);

/// Appends the first character of `text`, made printable, to `shown`. @return the bytes it has in `text`
std::size_t append_printable(std::string_view text, std::string& shown);

/// Whether it is a control character of ASCII (also a line end, tab or DEL), which no field of a line of text may hold.
inline bool is_control_character(char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }

/// Whether any character of the text is a control character.
bool has_control_character(std::string_view text);

}  // namespace kasen
