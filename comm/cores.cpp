#include "comm/cores.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "comm/mpi_call.h"

namespace kasen::comm {
namespace {

struct Claim {
  cpu_set_t cores;
  int here;  ///< where the worker runs at this moment
  std::uint64_t threads;
};

/// The lowest of the hardware threads that share a core with this one.
int first_of_core(int thread) {
  std::ifstream siblings("/sys/devices/system/cpu/cpu" + std::to_string(thread) + "/topology/thread_siblings_list");
  int first = thread;
  siblings >> first;
  return first;
}

/// The hardware threads of a set, those first that are the first of their core there.
std::vector<int> in_order_of_use(const cpu_set_t& cores) {
  std::vector<int> firsts, others, seen;
  for (int thread = 0; thread < CPU_SETSIZE; ++thread) {
    if (!CPU_ISSET(thread, &cores)) continue;
    const int core = first_of_core(thread);
    const bool known = std::find(seen.begin(), seen.end(), core) != seen.end();
    (known ? others : firsts).push_back(thread);
    seen.push_back(core);
  }
  firsts.insert(firsts.end(), others.begin(), others.end());
  return firsts;
}

/// Collective. What each worker of this host claims; the own one is at `mine`.
std::vector<Claim> claims_of_host(const Communicator& communicator, std::uint32_t threads, int& mine) {
  Claim claim{};
  claim.threads = threads;
  claim.here = sched_getcpu();
  if (sched_getaffinity(0, sizeof claim.cores, &claim.cores) != 0) CPU_ZERO(&claim.cores);
  MPI_Comm host = MPI_COMM_NULL;
  check(MPI_Comm_split_type(communicator.native(), MPI_COMM_TYPE_SHARED, communicator.rank(), MPI_INFO_NULL, &host),
        "MPI_Comm_split_type");
  int workers = 1;
  check(MPI_Comm_size(host, &workers), "MPI_Comm_size");
  check(MPI_Comm_rank(host, &mine), "MPI_Comm_rank");
  std::vector<Claim> claims(static_cast<std::size_t>(workers));
  const int code = MPI_Allgather(&claim, sizeof claim, MPI_BYTE, claims.data(), sizeof claim, MPI_BYTE, host);
  MPI_Comm_free(&host);
  check(code, "MPI_Allgather");
  return claims;
}

/// Where all workers may use the same cores: consecutive ones for each of them, from where the first of them runs, so
/// that programs that are started one after the other do not meet.
std::vector<int> own_share(const std::vector<Claim>& claims, int mine) {
  std::vector<int> cores = in_order_of_use(claims[0].cores);
  const auto here = std::find(cores.begin(), cores.end(), claims[0].here);
  if (here != cores.end()) std::rotate(cores.begin(), here, cores.end());
  std::ptrdiff_t first = 0;
  for (int k = 0; k < mine; ++k) first += static_cast<std::ptrdiff_t>(claims[static_cast<std::size_t>(k)].threads);
  const auto threads = static_cast<std::ptrdiff_t>(claims[static_cast<std::size_t>(mine)].threads);
  return {cores.begin() + first, cores.begin() + first + threads};
}

}  // namespace

Cores cores_for(const Communicator& communicator, std::uint32_t threads) {
  int mine = 0;
  const std::vector<Claim> claims = claims_of_host(communicator, threads, mine);
  cpu_set_t all;
  CPU_ZERO(&all);
  std::uint64_t all_threads = 0, num_cores = 0;
  for (const Claim& claim : claims) {
    CPU_OR(&all, &all, &claim.cores);
    all_threads += claim.threads;
    num_cores += static_cast<std::uint64_t>(CPU_COUNT(&claim.cores));
  }
  const auto different = static_cast<std::uint64_t>(CPU_COUNT(&all));
  const cpu_set_t& own = claims[static_cast<std::size_t>(mine)].cores;
  Cores cores;
  cores.enough = all_threads <= different;
  const bool apart = num_cores == different;
  const bool bound = CPU_COUNT(&own) < sysconf(_SC_NPROCESSORS_ONLN);
  if (apart && bound && static_cast<std::uint32_t>(CPU_COUNT(&own)) >= threads) {
    cores.of_threads = in_order_of_use(own);
    cores.of_threads.resize(threads);
  } else if (cores.enough && all_threads > claims.size() && num_cores == different * claims.size()) {
    cores.of_threads = own_share(claims, mine);
  }
  return cores;
}

void bind_this_thread(int core) noexcept {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(core, &only);
  pthread_setaffinity_np(pthread_self(), sizeof only, &only);
}

CoreBinding::CoreBinding(const Cores& cores) noexcept
    : _bound(!cores.of_threads.empty() && pthread_getaffinity_np(pthread_self(), sizeof _before, &_before) == 0) {
  if (_bound) bind_this_thread(cores.of_threads[0]);
}

CoreBinding::~CoreBinding() {
  if (_bound) pthread_setaffinity_np(pthread_self(), sizeof _before, &_before);
}

}  // namespace kasen::comm
