#include "comm/clocks.h"

#include <mpi.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "comm/mpi_call.h"

namespace kasen::comm {
namespace {

constexpr int kRounds = 16;
constexpr int kTag = 1;

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void send(const Communicator& communicator, const ClockReading& reading, Rank to) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Isend(&reading, sizeof reading, MPI_BYTE, to, kTag, communicator.native(), &request), "MPI_Isend");
  wait_yielding({&request, 1}, "MPI_Testall");
}

ClockReading receive(const Communicator& communicator, Rank from) {
  ClockReading reading;
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Irecv(&reading, sizeof reading, MPI_BYTE, from, kTag, communicator.native(), &request), "MPI_Irecv");
  wait_yielding({&request, 1}, "MPI_Testall");
  return reading;
}

/// On the first worker. The other one's clock was read somewhere between a message's way there and back.
ClockReading ask(const Communicator& communicator, Rank worker) {
  ClockReading best;
  best.error = std::numeric_limits<std::int64_t>::max();
  for (int round = 0; round < kRounds; ++round) {
    const std::int64_t sent = now();
    send(communicator, {}, worker);
    const std::int64_t at = receive(communicator, worker).at;
    const std::int64_t way = now() - sent;
    const std::int64_t error = (way + 1) / 2;
    if (error < best.error) best = {at, sent + way / 2 - at, error};
  }
  if (std::abs(best.offset) <= best.error) best.offset = 0;
  return best;
}

}  // namespace

ClockReading compare_clocks(const Communicator& communicator) {
  if (communicator.rank() != 0) {
    for (int round = 0; round < kRounds; ++round) {
      receive(communicator, 0);
      send(communicator, {now(), 0, 0}, 0);
    }
    return receive(communicator, 0);
  }
  for (Rank worker = 1; worker < communicator.size(); ++worker) send(communicator, ask(communicator, worker), worker);
  return {now(), 0, 0};
}

std::int64_t CommonClock::operator()(std::int64_t time) const {
  const std::int64_t between = _last.at - _first.at, drift = _last.offset - _first.offset;
  if (between <= 0 || drift == 0) return time + _first.offset;
  const double share = static_cast<double>(time - _first.at) / static_cast<double>(between);
  return time + _first.offset + static_cast<std::int64_t>(std::llround(share * static_cast<double>(drift)));
}

}  // namespace kasen::comm
