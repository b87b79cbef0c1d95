/// @file
/// Dealing out: blocks come out of the file, and the first line that ends in a block that begins behind a share ends
/// it.
#include "kasen/io/lines/dealt_lines.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

namespace kasen::io {

DealtLines::DealtLines(const comm::Communicator& communicator,
                       const std::function<std::unique_ptr<Decompressor>()>& open, std::uint64_t offset,
                       std::span<const Receiver> receivers)
    : _begin(offset) {
  std::size_t done = 0;
  try {
    _file = open();
    while (done < receivers.size()) deal(communicator, receivers[done++]);
  } catch (...) {
    for (; done < receivers.size(); ++done) comm::PieceSender(communicator, receivers[done].rank).end();
    throw;
  }
}

void DealtLines::deal(const comm::Communicator& communicator, const Receiver& to) {
  comm::PieceSender pieces(communicator, to.rank);
  std::exception_ptr error;
  try {
    char begin[sizeof _begin];
    std::memcpy(begin, &_begin, sizeof begin);
    pieces.send(begin);
    std::vector<char> block(comm::kPieceBytes);
    for (bool over = false; !over;) {
      const bool behind = _file->stored_position() >= to.end;
      std::uint64_t n = _left.size();
      if (n > 0) {
        std::copy(_left.begin(), _left.end(), block.begin());
        _left.clear();
      } else {
        n = _file->read(_begin, block.data(), block.size());
      }
      if (n == 0) break;
      std::uint64_t sent = n;
      if (behind) {
        const void* const found = std::memchr(block.data(), '\n', n);
        if (found != nullptr) {
          over = true;
          sent = static_cast<std::uint64_t>(static_cast<const char*>(found) - block.data()) + 1;
          _left.assign(block.data() + sent, block.data() + n);
        }
      }
      pieces.send({block.data(), sent});
      _begin += sent;
    }
  } catch (...) {
    error = std::current_exception();
  }
  pieces.end();
  if (error) std::rethrow_exception(error);
}

std::uint64_t DealtLines::read(std::uint64_t offset, char* into, std::uint64_t bytes) {
  if (offset >= _begin + _left.size()) return _file->read(offset, into, bytes);
  const std::uint64_t first = offset - _begin, n = std::min<std::uint64_t>(bytes, _left.size() - first);
  std::memcpy(into, _left.data() + first, n);
  return n;
}

ReceivedLines::ReceivedLines(const comm::Communicator& communicator, Rank from) : _pieces(communicator, from) {
  const std::span<const char> begin = _pieces.next();
  if (!begin.empty()) std::memcpy(&_begin, begin.data(), sizeof _begin);
}

ReceivedLines::~ReceivedLines() {
  try {
    _pieces.drain();
  } catch (...) {  // of MPI, which others have met too
  }
}

std::uint64_t ReceivedLines::read(std::uint64_t, char* into, std::uint64_t bytes) {
  if (_piece.empty()) _piece = _pieces.next();
  const std::uint64_t n = std::min<std::uint64_t>(bytes, _piece.size());
  std::memcpy(into, _piece.data(), n);
  _piece = _piece.subspan(n);
  return n;
}

}  // namespace kasen::io
