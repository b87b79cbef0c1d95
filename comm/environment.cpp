#include "comm/environment.h"

#include <mpi.h>

#include <exception>

#include "comm/arrival.h"
#include "comm/connections.h"
#include "comm/failure.h"
#include "comm/job.h"
#include "comm/message_copies.h"
#include "comm/mpi_call.h"

namespace kasen::comm {

Environment::Environment() : _exceptions(std::uncaught_exceptions()) {
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (initialised) return;
  std::set_terminate(fail_with_current_exception);
  end_cleanly_on_requests();
  prefer_copies_on_one_host();
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
  drop_connections_at_the_end();
  MPI_Finalize();
}

}  // namespace kasen::comm
