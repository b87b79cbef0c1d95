/// @file
/// The barrier with a time limit: each worker sends every other a message that it has arrived.
#include "comm/arrival.h"

#include <thread>
#include <vector>

namespace kasen::comm {
namespace {

/// Other messages have small tags. MPI promises tags up to 32767.
constexpr int kTag = 32700;

bool is_done(MPI_Request& request) {
  int done = 0;
  return MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done != 0;
}

}  // namespace

Arrival wait_for_others(MPI_Comm communicator, std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  Arrival arrival;
  int rank = 0, size = 1;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  const auto workers = static_cast<std::size_t>(size);
  std::vector<MPI_Request> notes(workers, MPI_REQUEST_NULL), news(workers, MPI_REQUEST_NULL);
  for (Rank other = 0; other < size; ++other) {
    if (other == rank) continue;
    const auto w = static_cast<std::size_t>(other);
    MPI_Irecv(nullptr, 0, MPI_BYTE, other, kTag, communicator, &news[w]);
    MPI_Isend(nullptr, 0, MPI_BYTE, other, kTag, communicator, &notes[w]);
  }
  for (;;) {
    arrival = {true, rank};
    for (std::size_t w = workers; w-- > 0;) {  // a request that is done becomes null, and null is done
      if (!is_done(news[w])) {
        arrival.everybody = false;
      } else if (static_cast<Rank>(w) < rank) {
        arrival.lowest = static_cast<Rank>(w);
      }
      arrival.everybody = is_done(notes[w]) && arrival.everybody;
    }
    if (arrival.everybody || std::chrono::steady_clock::now() > deadline) return arrival;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace kasen::comm
