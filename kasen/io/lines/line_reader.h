/// @file
/// Class LineReader: reads the lines that begin in a range of a text's bytes. Ranges that cover a text give every line
/// exactly once, wherever they are cut.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "kasen/io/bytes/byte_source.h"

namespace kasen::io {

/// Reads the lines that begin in [begin, end) of a text, one after the other; the last may reach beyond `end`. Local.
/// Memory: one buffer, which is also the longest line that is seen whole. Lines end with LF or at the text's end.
class LineReader {
 public:
  static constexpr std::uint64_t kBufferBytes = std::uint64_t{1} << 20;
  /// The longest line of formats whose lines grow with the data, such as one line a sample or a vertex.
  static constexpr std::uint64_t kLongestLine = std::uint64_t{1} << 28;

  /// @param longest_line number of bytes up to which the buffer grows where lines need it.
  /// @param origin where the first line of the text begins; lines are counted from there. A line begins at `begin` if
  ///        that is the origin, or if the byte before it is LF.
  LineReader(ByteSource& text, std::uint64_t origin, std::uint64_t begin, std::uint64_t end,
             std::uint64_t buffer_bytes = kBufferBytes, std::uint64_t longest_line = 0);

  /// The next line without its LF; valid until the next call. False if no further line begins in the range.
  bool next(std::string_view& line);

  std::uint64_t line_offset() const { return _line_offset; }  ///< in the text, of the line that `next` gave
  /// The number of lines that end in [begin, end) before the one that `next` gave.
  std::uint64_t line_number() const { return _line_number; }
  bool cut_off() const { return _cut_off; }  ///< the line is longer than the buffer; `next` gave its beginning
  /// The number of lines that end in [begin, end); valid once `next` returned false.
  std::uint64_t line_ends() const { return _line_ends; }

 private:
  bool refill();
  void skip_to_line_end();

  ByteSource* _text;
  std::uint64_t _begin, _end, _longest_line;
  std::vector<char> _buffer;
  std::uint64_t _position = 0, _filled = 0;  ///< in the buffer: where the next line begins; bytes that are there
  std::uint64_t _buffer_offset;              ///< in the text
  std::uint64_t _line_offset = 0, _line_number = 0, _line_ends = 0;
  bool _cut_off = false;
};

}  // namespace kasen::io
