#include "kasen/base/printable.h"

#include <algorithm>
#include <cstdint>

namespace kasen {

namespace {

/// The UTF-8 character at the front of a text: its number and its bytes; 0 bytes if there is none.
struct Character {
  std::uint32_t number = 0;
  std::size_t bytes = 0;
};

Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xc2 || lead >= 0xf5) return {};
  const std::size_t bytes = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (bytes > text.size()) return {};
  std::uint32_t number = lead & (0x7fu >> bytes);
  for (const char c : text.substr(1, bytes - 1)) {
    const auto next = static_cast<unsigned char>(c);
    if ((next & 0xc0) != 0x80) return {};
    number = number << 6 | (next & 0x3fu);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = number >= 0xd800 && number < 0xe000;
  if (number < kLeast[bytes] || number > 0x10ffff || surrogate) return {};
  return {number, bytes};
}

bool is_harmless(std::uint32_t number) {
  const auto within = [&](std::uint32_t first, std::uint32_t last) { return number >= first && number <= last; };
  const bool control = number < 0x20 || within(0x7f, 0x9f);
  const bool line_end = within(0x2028, 0x2029);
  const bool direction = within(0x200e, 0x200f) || within(0x202a, 0x202e) || within(0x2066, 0x2069);
  return !control && !line_end && !direction;
}

std::string shown_with(std::string_view text, std::string_view kept) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    if (kept.find(text.front()) != std::string_view::npos) {
      shown += text.front();
      text.remove_prefix(1);
    } else {
      text.remove_prefix(append_printable(text, shown));
    }
  }
  return shown;
}

}  // namespace

std::size_t append_printable(std::string_view text, std::string& shown) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const Character first = first_character(text);
  const std::size_t bytes = std::max<std::size_t>(first.bytes, 1);
  const std::string_view character = text.substr(0, bytes);
  if (first.bytes > 0 && is_harmless(first.number)) {
    shown += character;
    return bytes;
  }
  for (const char c : character) {
    const auto byte = static_cast<unsigned char>(c);
    shown += "\\x";
    shown += kDigits[byte >> 4];
    shown += kDigits[byte & 15];
  }
  return bytes;
}

std::string printable(std::string_view text) { return shown_with(text, {}); }

std::string printable_lines(std::string_view text) { return shown_with(text, "\n\t"); }

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_control_character);
}

}  // namespace kasen
