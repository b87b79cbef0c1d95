/// @file
/// Classes PieceSender and PieceReceiver: bytes on their way from one worker to another while they become known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "comm/communicator.h"

namespace kasen::comm {

/// The most bytes of one message.
inline constexpr std::size_t kPieceBytes = std::size_t{1} << 18;

/// Sends pieces to one worker, which receives them by a PieceReceiver. Memory: a few pieces; a receiver that does not
/// take what was sent is waited for once its own room is full.
class PieceSender {
 public:
  PieceSender(const Communicator& communicator, Rank to) : _communicator(&communicator), _to(to) {}
  PieceSender(const PieceSender&) = delete;
  PieceSender& operator=(const PieceSender&) = delete;

  /// Local, but may wait for the receiver. @pre no more than kPieceBytes, and some
  void send(std::span<const char> piece);
  /// Says that nothing follows, and waits until all has arrived or is kept by MPI. To be called once.
  void end();

 private:
  struct Sent {
    std::vector<char> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void start(std::span<const char> piece);

  const Communicator* _communicator;
  Rank _to;
  std::deque<Sent> _under_way;
};

/// Receives what a PieceSender sends. Between the same two workers one stream follows the other.
class PieceReceiver {
 public:
  PieceReceiver(const Communicator& communicator, Rank from);
  PieceReceiver(const PieceReceiver&) = delete;
  PieceReceiver& operator=(const PieceReceiver&) = delete;

  /// Waits for the next piece, which is valid until the next call; empty at the end.
  std::span<const char> next();
  /// Receives and drops all that is left, so that the sender need not wait.
  void drain();

 private:
  struct Room {
    std::unique_ptr<char[]> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void make_room(Room room);
  void give_up_room();

  const Communicator* _communicator;
  Rank _from;
  std::deque<Room> _expected;  ///< in the order in which pieces arrive
  Room _given;
  bool _over = false;
};

}  // namespace kasen::comm
