/// @file
/// Error texts of MPI, and the yielding wait.
#include "comm/mpi_call.h"

#include <sched.h>

#include <string>

#include "kasen/base/error.h"

namespace kasen::comm {

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
  throw Error(std::string(call) + " failed: " + (length > 0 ? std::string(text, text + length) : "unknown error"));
}

void wait_yielding(MPI_Request& request, const char* call) {
  for (;;) {
    int done = 0;
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), call);
    if (done) return;
    sched_yield();
  }
}

}  // namespace kasen::comm
