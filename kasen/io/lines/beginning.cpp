#include "kasen/io/lines/beginning.h"

#include <filesystem>
#include <utility>

#include "kasen/io/lines/fields.h"
#include "kasen/io/lines/text_lines.h"

namespace kasen::io {

namespace {

std::string ending_of(const std::string& path) {
  std::filesystem::path file(lower(path));
  const std::string last = file.extension().string();
  if (last == ".gz" || last == ".bz2" || last == ".zst" || last == ".zstd") file = file.stem();
  return file.extension().string();
}

/// The first bytes of a long line, without a word that would be cut.
std::string_view beginning_of(std::string_view line) {
  constexpr std::size_t kKept = 4096;
  if (line.size() <= kKept) return line;
  const std::size_t blank = line.find_last_of(" \t", kKept);
  const bool within = blank != std::string_view::npos && line.find_first_not_of(" \t") < blank;
  return line.substr(0, within ? blank : kKept);
}

}  // namespace

Beginning::Beginning(const Text& text) : _text(&text), _ending(ending_of(text.parts()[0].path)) {
  char bytes[kBytes];
  _bytes = {bytes, text.open(0)->read(0, bytes, kBytes)};
}

std::string_view Beginning::first_content() const {
  return content().empty() ? std::string_view() : std::string_view(content().front());
}

const Beginning::Lines& Beginning::lines() const {
  constexpr std::size_t kLines = 100;
  if (_lines) return *_lines;
  Lines lines;
  bool first = true;
  read_head(
      *_text,
      [&](const TextLine& line) {
        if (std::exchange(first, false)) lines.first = beginning_of(line.text);
        const std::string_view content = trimmed(line.text);
        if (!content.empty() && content.front() != '#' && content.front() != '%') {
          lines.content.emplace_back(beginning_of(content));
        }
        return lines.content.size() < kLines;
      },
      LineReader::kBufferBytes);
  return _lines.emplace(std::move(lines));
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  line = trimmed(line);
  for (take_blanks(line); !line.empty(); take_blanks(line)) words.push_back(take_word(line));
  return words;
}

std::size_t index_value_pairs(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line.substr(0, line.find('#')));
  for (std::size_t k = 1; k < words.size(); ++k) {
    const std::size_t colon = words[k].find_first_not_of("0123456789");
    if (colon == 0 || colon == std::string_view::npos || words[k][colon] != ':') return 0;
  }
  return words.empty() ? 0 : words.size() - 1;
}

}  // namespace kasen::io
