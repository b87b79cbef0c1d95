/// @file
/// Class Beginning: the first bytes and lines of a file, by which its format is recognised.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kasen/io/lines/text.h"

namespace kasen::io {

/// The kinds of data that readers make of files.
enum class Kind : std::uint8_t {
  graph,
  samples,  ///< with few non-zeros
  dense     ///< a table of numbers
};
inline constexpr std::array kAllKinds{Kind::graph, Kind::samples, Kind::dense};

/// How much a file looks like one of a format.
enum class Likeness : std::uint8_t {
  none,      ///< It is something else.
  possible,  ///< Its lines may mean anything.
  likely,    ///< Most of its lines look so.
  named,     ///< Its name says so, and its lines may mean it.
  certain    ///< It says so itself.
};

/// The kind of data that a file of a known format holds.
struct Content {
  Kind kind = Kind::graph;
  bool values = false;  ///< beside the places of its entries
};

/// The beginning of a text. Local, on one worker. Lines are read when they are asked for.
class Beginning {
 public:
  /// `text` must outlive the object. @throws InputError
  explicit Beginning(const Text& text);

  const Text& text() const { return *_text; }
  /// The first bytes of the first part, at most kBytes.
  std::string_view bytes() const { return _bytes; }
  static constexpr std::size_t kBytes = 32;
  /// How the name ends, in small letters, without the suffix of a compression: ".graph".
  const std::string& ending() const { return _ending; }

  /// The first line that is not skipped. @throws InputError
  const std::string& line() const { return lines().first; }
  /// The first hundred lines that hold anything: neither blank nor a comment. @throws InputError
  const std::vector<std::string>& content() const { return lines().content; }
  /// The first of them; empty if there is none. @throws InputError
  std::string_view first_content() const;

 private:
  struct Lines {
    std::string first;
    std::vector<std::string> content;
  };
  const Lines& lines() const;

  const Text* _text;
  std::string _bytes, _ending;
  mutable std::optional<Lines> _lines;
};

/// The text with A to Z in small letters.
std::string lower(std::string_view text);

/// The words of a line, which blanks separate.
std::vector<std::string_view> words_of(std::string_view line);

/// The number of "index:value" fields behind the first field, if there is nothing else on a line; else 0.
std::size_t index_value_pairs(std::string_view line);

}  // namespace kasen::io
