/// @file
/// Class Messages: the bytes that one worker sends to and gets from each other worker at one boundary, and the MPI
/// calls that move them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.h"

namespace kasen::comm {

/// By which calls messages travel. They bring the same bytes; every worker must take the same.
enum class Route : std::uint8_t {
  all_to_all,  ///< One MPI_Alltoallv, whose cost grows with the number of workers.
  neighbours,  ///< An MPI_Isend and an MPI_Irecv for each worker that there is something for, or from.
};

/// Worked out once and sent any number of times, which allocates nothing here. Messages travel as a whole, by run(), or
/// while other work is done, between begin() and end().
class Messages {
 public:
  /// One direction: for each worker a number of bytes, and where in a buffer they are.
  struct Direction {
    std::vector<MPI_Count> counts;
    std::vector<MPI_Aint> displacements;
  };

  Messages() = default;
  /// Local. @param large whether an MPI_Alltoallv needs MPI-4 large counts on any worker; the same on all of them. If
  /// not, all numbers fit an int. Messages to neighbours always have large counts.
  Messages(const Communicator& communicator, Direction to, Direction from, Route route, bool large);

  /// Local. Of messages to neighbours: from now on so many bytes, at most those of before, are sent to each worker. The
  /// others find that out from what arrives.
  void send_only(std::span<const MPI_Count> counts);
  /// Collective. @throws Error with the call and MPI's text.
  void run(const std::byte* send, std::byte* receive);
  /// Collective. Both buffers are in use until end(). @throws InternalError if messages are under way already
  void begin(const std::byte* send, std::byte* receive);
  /// Local. Lets MPI go on with what has begun, which it does within its calls alone. Cost: about a microsecond.
  void poll();
  /// Local. Waits for what has begun, if anything has.
  void end();

 private:
  template <class Small, class Large>
  int call(const Small& small, const Large& large, const std::byte* send, std::byte* receive, auto... request) const;
  int start_all_to_all(const std::byte* send, std::byte* receive, MPI_Request* request) const;
  void start_neighbours(const std::byte* send, std::byte* receive);

  const Communicator* _communicator = nullptr;
  Direction _to, _from;
  std::vector<int> _to_counts, _to_displacements, _from_counts, _from_displacements;  ///< as int, unless large
  std::vector<Rank> _receivers, _senders;                                             ///< the neighbours
  Route _route = Route::all_to_all;
  bool _large = false;
  const char* _call = "MPI_Alltoallv";  ///< for messages of errors
  std::vector<MPI_Request> _requests;   ///< of what is under way; empty: nothing
};

}  // namespace kasen::comm
