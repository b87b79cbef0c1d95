#include "comm/connections.h"

#include <dlfcn.h>
#include <mpi.h>

#ifdef OPEN_MPI

/// What Debian's takes over TCP and shared memory is its own, and not UCX.
void kasen::comm::drop_connections_at_the_end() {}

#else

namespace {

bool drop = false;

}  // namespace

extern "C" {
void* ucp_disconnect_nb(void* connection);

/// What MPICH calls for each connection within MPI_Finalize: found here before it is found in UCX. No request is given
/// back where nothing is to be waited for; UCX frees what is left of connections when its worker is destroyed, which
/// MPICH does after a barrier that needs none of them.
__attribute__((visibility("default"))) void* ucp_disconnect_nb(void* connection) {
  if (drop) return nullptr;
  void* const close = dlsym(RTLD_NEXT, "ucp_disconnect_nb");
  return reinterpret_cast<void* (*)(void*)>(close)(connection);
}
}

namespace kasen::comm {

namespace {

constexpr double kSecondsToSend = 0.05;

bool on_one_host() {
  MPI_Comm host = MPI_COMM_NULL;
  int workers = 0, here = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &workers);
  if (workers == 1) return true;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  MPI_Comm_size(host, &here);
  MPI_Comm_free(&host);
  return here == workers;  // that is the same on all workers
}

}  // namespace

void drop_connections_at_the_end() {
  if (on_one_host()) return;
  // Whoever is through the second barrier knows that all messages of the first have arrived: what the second one sends
  // finds its connections made. They carry it while this worker still looks after them.
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  for (const double end = MPI_Wtime() + kSecondsToSend; MPI_Wtime() < end;) {
    int arrived = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &arrived, MPI_STATUS_IGNORE);
  }
  drop = true;
}

}  // namespace kasen::comm

#endif
