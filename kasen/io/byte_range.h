/// @file
/// One worker's share of a text file: the lines that begin in a range of bytes. Ranges that cover a file give every
/// line to exactly one worker, wherever they are cut.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kasen::io {

/// A regular file open for reading. Errors are InputErrors "FILE: reason".
class InputFile {
 public:
  /// @throws InputError if there is no such file, it may not be read, or it is not a regular file.
  explicit InputFile(std::string path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return _path; }
  std::uint64_t size() const { return _size; }  ///< when it was opened
  /// Up to `bytes` bytes from `offset`; fewer only at the end of the file. @throws InputError
  std::uint64_t read(std::uint64_t offset, char* into, std::uint64_t bytes) const;

 private:
  std::string _path;
  int _descriptor = -1;
  std::uint64_t _size = 0;
};

/// The lines that begin in [begin, end) of a file, one after the other; the last may reach beyond `end`. Memory: one
/// buffer, which is also the longest line that is seen whole. Lines end with LF or at the end of the file.
class LineReader {
 public:
  static constexpr std::uint64_t kBufferBytes = std::uint64_t{1} << 20;

  /// @param origin where the first line of the text begins; lines are counted from there. A line begins at `begin` if
  ///        that is the origin, or if the byte before it is LF.
  LineReader(const InputFile& file, std::uint64_t origin, std::uint64_t begin, std::uint64_t end,
             std::uint64_t buffer_bytes = kBufferBytes);

  /// The next line without its LF; valid until the next call. False if no further line begins in the range.
  bool next(std::string_view& line);

  std::uint64_t line_offset() const { return _line_offset; }  ///< in the file, of the line that `next` gave
  /// Of the line that `next` gave: lines that end in [begin, end) before it.
  std::uint64_t line_number() const { return _line_number; }
  bool cut_off() const { return _cut_off; }  ///< the line is longer than the buffer; `next` gave its beginning
  /// Lines that end in [begin, end); valid once `next` returned false.
  std::uint64_t line_ends() const { return _line_ends; }

 private:
  bool refill();
  void skip_to_line_end();

  const InputFile* _file;
  std::uint64_t _begin, _end;
  std::vector<char> _buffer;
  std::uint64_t _position = 0, _filled = 0;  ///< in the buffer: where the next line begins; bytes that are there
  std::uint64_t _buffer_offset;              ///< in the file
  std::uint64_t _line_offset = 0, _line_number = 0, _line_ends = 0;
  bool _cut_off = false;
};

}  // namespace kasen::io
