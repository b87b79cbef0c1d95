/// @file
/// Reading lines through a buffer that is refilled in place; pread, because it reports errors where a memory map
/// would end the process.
#include "kasen/io/byte_range.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "kasen/base/error.h"

namespace kasen::io {

InputFile::InputFile(std::string path) : _path(std::move(path)) {
  // Without O_NONBLOCK, opening a pipe that nobody writes would wait for ever.
  _descriptor = ::open(_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (_descriptor < 0) throw InputError(_path + ": cannot be opened: " + std::strerror(errno));
  struct stat status {};
  std::string reason;
  if (::fstat(_descriptor, &status) != 0) {
    reason = std::strerror(errno);
  } else if (S_ISDIR(status.st_mode)) {
    reason = "is a directory, a file was expected";
  } else if (!S_ISREG(status.st_mode)) {
    reason = "is not a regular file, which is needed to read it in parallel";
  }
  if (!reason.empty()) {
    ::close(_descriptor);
    throw InputError(_path + ": " + reason);
  }
  _size = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() { ::close(_descriptor); }

std::uint64_t InputFile::read(std::uint64_t offset, char* into, std::uint64_t bytes) const {
  std::uint64_t done = 0;
  while (done < bytes) {
    const ssize_t n = ::pread(_descriptor, into + done, bytes - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw InputError(_path + ": cannot be read: " + std::strerror(errno));
    if (n == 0) break;
    done += static_cast<std::uint64_t>(n);
  }
  return done;
}

LineReader::LineReader(const InputFile& file, std::uint64_t origin, std::uint64_t begin, std::uint64_t end,
                       std::uint64_t buffer_bytes)
    : _file(&file), _begin(begin), _end(end), _buffer(begin < end ? buffer_bytes : 0), _buffer_offset(begin) {
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
  const std::uint64_t n = _file->read(_buffer_offset + _filled, _buffer.data() + _filled, _buffer.size() - _filled);
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
    if (_position == 0 && _filled == _buffer.size()) {
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
