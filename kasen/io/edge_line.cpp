/// @file
/// The slow path of reading an edge list: finding words for what is wrong with a line.
#include "kasen/io/edge_line.h"

#include <algorithm>
#include <array>
#include <vector>

namespace kasen::io {

namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' && !is_blank(c); }

std::string hexadecimal(char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {kDigits[byte >> 4], kDigits[byte & 15]};
}

/// Bytes of the UTF-8 character at the front of `text`; 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  std::size_t length = 0;
  if (lead < 0x80) {
    length = 1;
  } else if (lead >= 0xc2 && lead < 0xf5) {
    length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  }
  if (length == 0 || length > text.size()) return 0;
  const bool whole = std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length),
                                 [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; });
  return whole ? length : 0;
}

/// In quotes, short, and harmless to a terminal.
std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown = "'";
  while (!text.empty() && shown.size() < kShown) {
    const std::size_t length = utf8_length(text);
    if (length == 0 || is_control(text.front()) || text.front() == 0x7f) {
      shown += "\\x" + hexadecimal(text.front());
      text.remove_prefix(1);
    } else {
      shown += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return shown + (text.empty() ? "'" : "...'");
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  line = trimmed(line);
  while (!line.empty()) {
    const auto end = static_cast<std::size_t>(std::find_if(line.begin(), line.end(), is_blank) - line.begin());
    fields.push_back(line.substr(0, end));
    line = trimmed(line.substr(end));
  }
  return fields;
}

bool looks_like_integer(std::string_view field) {
  if (!field.empty() && field.front() == '-') field.remove_prefix(1);
  return !field.empty() && std::all_of(field.begin(), field.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool looks_like_integers(std::string_view line) {
  const std::vector<std::string_view> fields = fields_of(line);
  return fields.size() >= 2 && looks_like_integer(fields[0]) && looks_like_integer(fields[1]);
}

std::string explain(std::string_view line, const LineFormat& format, bool first_data_line, bool cut_off) {
  line = trimmed(line);
  const auto control = std::find_if(line.begin(), line.end(), is_control);
  if (control != line.end()) return "not a text file: there is a byte 0x" + hexadecimal(*control);
  if (cut_off) return "the line is too long to be an edge";

  const std::vector<std::string_view> fields = fields_of(line);
  const std::string expected = "expected two fields, source and target vertex, ";
  const std::string hint = first_data_line ? "; lines before the edges can be skipped with --skip-lines" : "";
  if (fields.size() < 2) return expected + "found only " + quoted(line) + hint;
  if (fields.size() > 2) {
    return expected + "found " + std::to_string(fields.size()) + ", the third is " + quoted(fields[2]) +
           "; weights and other columns are not supported" + hint;
  }
  for (const std::string_view field : fields) {
    if (format.words && field.size() > kLongestWord) {
      return "the word " + quoted(field) + " has " + std::to_string(field.size()) + " bytes, at most " +
             std::to_string(kLongestWord) + " are supported";
    }
    std::int64_t value = 0;
    std::string_view rest = field;
    if (format.words || take_field(rest, value)) continue;
    return quoted(field) + (looks_like_integer(field) ? " does not fit a 64-bit integer" : " is not a 64-bit integer") +
           (format.by_first_line ? "; the first data line has integers, use --ids word if vertices are named by words"
                                 : ", which --ids integer asks for");
  }
  return "cannot be read as an edge: " + quoted(line);
}

std::string_view compression(std::string_view first_bytes) {
  struct Magic {
    std::string_view bytes, name;
  };
  static constexpr std::array<Magic, 4> kMagic{{{"\x1f\x8b", "gzip"},
                                                {"BZh", "bzip2"},
                                                {"\x28\xb5\x2f\xfd", "zstd"},
                                                {"\xfd"
                                                 "7zXZ",
                                                 "xz"}}};
  for (const Magic& magic : kMagic) {
    if (!first_bytes.starts_with(magic.bytes)) continue;
    // Three letters could begin a text; a bzip2 file goes on with its block size and the digits of pi.
    if (magic.name == "bzip2" && first_bytes.substr(std::min<std::size_t>(4, first_bytes.size()), 2) != "1A") continue;
    return magic.name;
  }
  return {};
}

}  // namespace kasen::io
