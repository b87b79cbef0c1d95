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

bool test_all(std::span<MPI_Request> requests, const char* call) {
  int done = 0;
  check(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE), call);
  return done != 0;
}

void wait_yielding(std::span<MPI_Request> requests, const char* call) {
  while (!test_all(requests, call)) sched_yield();
}

}  // namespace kasen::comm
