/// @file
/// Reading lines through a buffer that is refilled in place.
#include "kasen/io/lines/line_reader.h"

#include <algorithm>
#include <cstring>

namespace kasen::io {

LineReader::LineReader(ByteSource& text, std::uint64_t origin, std::uint64_t begin, std::uint64_t end,
                       std::uint64_t buffer_bytes, std::uint64_t longest_line)
    : _text(&text),
      _begin(begin),
      _end(end),
      _longest_line(longest_line),
      _buffer(begin < end ? buffer_bytes : 0),
      _buffer_offset(begin) {
  if (begin == origin || begin >= end) return;
  // The byte before decides whether a line begins at `begin`; if none does, the rest of the line is another worker's.
  _buffer_offset = begin - 1;
  if (refill()) skip_to_line_end();
}

bool LineReader::refill() {
  if (_position > 0) {
    std::memmove(_buffer.data(), _buffer.data() + _position, _filled - _position);
    _buffer_offset += _position;
    _filled -= _position;
    _position = 0;
  }
  const std::uint64_t n = _text->read(_buffer_offset + _filled, _buffer.data() + _filled, _buffer.size() - _filled);
  _filled += n;
  return n > 0;
}

void LineReader::skip_to_line_end() {
  while (_buffer_offset + _position < _end) {
    const void* const found = std::memchr(_buffer.data() + _position, '\n', _filled - _position);
    if (found != nullptr) {
      _position = static_cast<std::uint64_t>(static_cast<const char*>(found) - _buffer.data()) + 1;
      const std::uint64_t at = _buffer_offset + _position - 1;
      if (at >= _begin && at < _end) ++_line_ends;
      return;
    }
    _position = _filled;
    if (!refill()) return;
  }
}

bool LineReader::next(std::string_view& line) {
  if (_cut_off) {
    _cut_off = false;
    skip_to_line_end();
  }
  if (_buffer_offset + _position >= _end) return false;
  std::uint64_t searched = _position;
  while (true) {
    const char* const start = _buffer.data() + _position;
    const void* const found = std::memchr(_buffer.data() + searched, '\n', _filled - searched);
    if (found != nullptr) {
      const auto length = static_cast<std::uint64_t>(static_cast<const char*>(found) - start);
      line = {start, length};
      _line_offset = _buffer_offset + _position;
      _line_number = _line_ends;
      _position += length + 1;
      _line_ends += _line_offset + length < _end ? 1 : 0;
      return true;
    }
    searched = _filled - _position;  // where the search goes on once the line is moved to the buffer's beginning
    if (_position == 0 && _filled == _buffer.size() && _buffer.size() < _longest_line) {
      _buffer.resize(std::min<std::uint64_t>(2 * _buffer.size(), _longest_line));
      if (refill()) continue;
    } else if (_position == 0 && _filled == _buffer.size()) {
      _cut_off = true;
    } else if (refill()) {
      continue;
    } else if (_filled == 0) {
      return false;
    }
    line = {_buffer.data(), _filled};
    _line_offset = _buffer_offset;
    _line_number = _line_ends;
    _position = _filled;
    return true;
  }
}

}  // namespace kasen::io
