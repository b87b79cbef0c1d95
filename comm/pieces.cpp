/// @file
/// Pieces as messages: an empty one is the end.
#include "comm/pieces.h"

#include <sched.h>

#include <utility>

#include "comm/mpi_call.h"
#include "kasen/base/error.h"

namespace kasen::comm {
namespace {

constexpr int kTag = 1;           ///< no other messages have it while pieces are on their way
constexpr std::size_t kSent = 8;  ///< pieces that a sender keeps
constexpr std::size_t kExpected =
    128;  ///< pieces that a receiver has room for; memory that is not used until they come

/// Whether the request is done, and how many bytes were received.
bool done(MPI_Request& request, int& bytes, const char* call) {
  int is_done = 0;
  MPI_Status status;
  check(MPI_Test(&request, &is_done, &status), call);
  if (is_done != 0) check(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
  return is_done != 0;
}

}  // namespace

void PieceSender::start(std::span<const char> piece) {
  Sent& sent = _under_way.emplace_back();
  sent.bytes.assign(piece.begin(), piece.end());
  check(MPI_Isend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_BYTE, _to, kTag, _communicator->native(),
                  &sent.request),
        "MPI_Isend");
}

void PieceSender::send(std::span<const char> piece) {
  if (piece.empty() || piece.size() > kPieceBytes) throw InternalError("a piece of no bytes, or of too many");
  if (_under_way.size() == kSent) {
    wait_yielding({&_under_way.front().request, 1}, "MPI_Isend");
    _under_way.pop_front();
  }
  start(piece);
}

void PieceSender::end() {
  start({});
  for (Sent& sent : _under_way) wait_yielding({&sent.request, 1}, "MPI_Isend");
  _under_way.clear();
}

PieceReceiver::PieceReceiver(const Communicator& communicator, Rank from) : _communicator(&communicator), _from(from) {
  for (std::size_t k = 0; k < kExpected; ++k) make_room({});
}

void PieceReceiver::make_room(Room room) {
  if (!room.bytes) room.bytes = std::make_unique_for_overwrite<char[]>(kPieceBytes);
  _expected.push_back(std::move(room));
  Room& last = _expected.back();
  check(MPI_Irecv(last.bytes.get(), static_cast<int>(kPieceBytes), MPI_BYTE, _from, kTag, _communicator->native(),
                  &last.request),
        "MPI_Irecv");
}

void PieceReceiver::give_up_room() {
  for (Room& room : _expected) {
    check(MPI_Cancel(&room.request), "MPI_Cancel");
    check(MPI_Wait(&room.request, MPI_STATUS_IGNORE), "MPI_Wait");
  }
  _expected.clear();
}

std::span<const char> PieceReceiver::next() {
  if (_over) return {};
  if (_given.bytes) make_room(std::exchange(_given, {}));
  int bytes = 0;
  while (!done(_expected.front().request, bytes, "MPI_Irecv")) sched_yield();
  _given = std::move(_expected.front());
  _expected.pop_front();
  if (bytes == 0) {
    _over = true;
    give_up_room();
  }
  return {_given.bytes.get(), static_cast<std::size_t>(bytes)};
}

void PieceReceiver::drain() {
  while (!next().empty()) {
  }
}

}  // namespace kasen::comm
