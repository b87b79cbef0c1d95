/// @file
/// Dealing out: blocks come out of the file, and the first line that ends in a block that begins behind a share ends
/// it.
#include "kasen/io/lines/dealt_lines.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <string_view>
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
    const auto send = [&](std::span<const char> bytes) {
      _begin += bytes.size();
      for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), comm::kPieceBytes)))
        pieces.send(bytes.first(std::min(bytes.size(), comm::kPieceBytes)));
    };
    // A line waits for its end: where the file is cut off before that, it is none.
    std::vector<char> block(comm::kPieceBytes), waiting;
    for (bool over = false; !over;) {
      const bool behind = _file->stored_position() >= to.end;
      std::uint64_t n = _left.size();
      if (n > 0) {
        std::copy(_left.begin(), _left.end(), block.begin());
        _left.clear();
      } else {
        n = _file->read(_begin + waiting.size(), block.data(), block.size());
      }
      const std::string_view bytes(block.data(), n);
      const std::size_t first = behind ? bytes.find('\n') : std::string_view::npos;
      over = first != std::string_view::npos;
      const std::size_t sent = over ? first + 1 : bytes.rfind('\n') + 1;  // none: 0
      if (n == 0 || sent > 0) send(std::exchange(waiting, {}));
      if (n == 0) break;
      send({block.data(), sent});
      std::vector<char>& rest = over ? _left : waiting;
      rest.insert(rest.end(), block.data() + sent, block.data() + n);
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
