/// @file
/// The arguments of MPI_Alltoallv, small and large, and one message after the other between neighbours.
#include "comm/messages.h"

#include <algorithm>
#include <utility>

#include "comm/large_counts.h"
#include "comm/mpi_call.h"
#include "kasen/base/error.h"

namespace kasen::comm {
namespace {

/// Messages of one sender arrive in the order in which they were sent, those of one boundary before those of the next.
constexpr int kTag = 0;

std::vector<int> small(const auto& wide) { return {wide.begin(), wide.end()}; }

std::vector<Rank> neighbours_of(const Messages::Direction& direction) {
  std::vector<Rank> neighbours;
  for (std::size_t w = 0; w < direction.counts.size(); ++w) {
    if (direction.counts[w] != 0) neighbours.push_back(static_cast<Rank>(w));
  }
  return neighbours;
}

}  // namespace

Messages::Messages(const Communicator& communicator, Direction to, Direction from, Route route, bool large)
    : _communicator(&communicator), _to(std::move(to)), _from(std::move(from)), _route(route), _large(large) {
  if (route == Route::neighbours) {
    _call = "MPI_Isend_c";
    _receivers = neighbours_of(_to);
    _senders = neighbours_of(_from);
    _requests.reserve(_receivers.size() + _senders.size());
    return;
  }
  _requests.reserve(1);
  if (large) {
    _call = "MPI_Alltoallv_c";
    return;
  }
  _to_counts = small(_to.counts), _to_displacements = small(_to.displacements);
  _from_counts = small(_from.counts), _from_displacements = small(_from.displacements);
}

void Messages::send_only(std::span<const MPI_Count> counts) {
  if (_route != Route::neighbours) throw InternalError("only messages to neighbours can be shorter than expected");
  std::copy(counts.begin(), counts.end(), _to.counts.begin());
}

template <class Small, class Large>
int Messages::call(const Small& small, const Large& large, const std::byte* send, std::byte* receive,
                   auto... request) const {
  const MPI_Comm native = _communicator->native();
  if (_large) {
    return large(send, _to.counts.data(), _to.displacements.data(), MPI_BYTE, receive, _from.counts.data(),
                 _from.displacements.data(), MPI_BYTE, native, request...);
  }
  return small(send, _to_counts.data(), _to_displacements.data(), MPI_BYTE, receive, _from_counts.data(),
               _from_displacements.data(), MPI_BYTE, native, request...);
}

int Messages::start_all_to_all(const std::byte* send, std::byte* receive, MPI_Request* request) const {
  return call(MPI_Ialltoallv, MPI_Ialltoallv_c, send, receive, request);
}

/// Receives first: what arrives then need not be kept elsewhere.
void Messages::start_neighbours(const std::byte* send, std::byte* receive) {
  const MPI_Comm native = _communicator->native();
  for (const Rank rank : _senders) {
    const auto w = static_cast<std::size_t>(rank);
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Irecv_c(receive + _from.displacements[w], _from.counts[w], MPI_BYTE, rank, kTag, native, &request),
          "MPI_Irecv_c");
    _requests.push_back(request);
  }
  for (const Rank rank : _receivers) {
    const auto w = static_cast<std::size_t>(rank);
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Isend_c(send + _to.displacements[w], _to.counts[w], MPI_BYTE, rank, kTag, native, &request), _call);
    _requests.push_back(request);
  }
}

void Messages::begin(const std::byte* send, std::byte* receive) {
  if (!_requests.empty()) throw InternalError("an exchange begins before it has ended");
  if (_route == Route::neighbours) return start_neighbours(send, receive);
  MPI_Request request = MPI_REQUEST_NULL;
  check(start_all_to_all(send, receive, &request), _call);
  _requests.push_back(request);
}

void Messages::poll() {
  if (!_requests.empty()) test_all(_requests, _call);
}

void Messages::end() {
  if (!_requests.empty()) wait_yielding(_requests, _call);
  _requests.clear();
}

void Messages::run(const std::byte* send, std::byte* receive) {
  if (_route == Route::neighbours || _communicator->oversubscribed()) {
    begin(send, receive);
    end();
  } else {
    check(call(MPI_Alltoallv, MPI_Alltoallv_c, send, receive), _call);
  }
}

}  // namespace kasen::comm
