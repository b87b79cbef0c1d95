#include "comm/environment.h"

#include <mpi.h>

#include <exception>

#include "comm/arrival.h"
#include "comm/failure.h"
#include "comm/job.h"
#include "comm/mpi_call.h"

namespace kasen::comm {

namespace {

constexpr double kSecondsToSettle = 0.05;

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

/// UCX closes its connections within MPI_Finalize, each of them when the other side has answered what has begun on it:
/// which a worker that is through does no more. On three hosts, over TCP, two of three runs never ended (MPICH 4.0, UCX
/// 1.13). So all workers first open what connections a barrier needs, and go on answering: twenty of twenty end, but on
/// hosts that do other things one of ten still does not.
void settle_connections() {
  if (on_one_host()) return;
  for (int round = 0; round < 2; ++round) {  // in the second one nothing begins
    MPI_Barrier(MPI_COMM_WORLD);
    for (const double end = MPI_Wtime() + kSecondsToSettle; MPI_Wtime() < end;) {
      int arrived = 0;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &arrived, MPI_STATUS_IGNORE);
    }
  }
}

}  // namespace

Environment::Environment() : _exceptions(std::uncaught_exceptions()) {
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (initialised) return;
  std::set_terminate(fail_with_current_exception);
  end_cleanly_on_requests();
  int provided = MPI_THREAD_SINGLE;
  check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  _initialised_here = true;
  end_cleanly_on_crashes();
  // Where the handlers of a call without a communicator are looked for; by default they end the job with MPI's words.
  for (const MPI_Comm predefined : {MPI_COMM_WORLD, MPI_COMM_SELF})
    check(MPI_Comm_set_errhandler(predefined, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  enter_job();
}

Environment::~Environment() {
  if (!_initialised_here || !mpi_is_running()) return;
  if (std::uncaught_exceptions() > _exceptions && !wait_for_others(MPI_COMM_WORLD).everybody) return;
  settle_connections();
  MPI_Finalize();
}

}  // namespace kasen::comm
