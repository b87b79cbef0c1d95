/// @file
/// Class Environment: starts MPI and ends it.
#pragma once

namespace kasen::comm {

/// Calls MPI_Init when made (if nobody did), and MPI_Finalize when destroyed (if it called MPI_Init). Destroyed by an
/// exception, it finalises only if every worker gets there within a second, so that no worker waits for a failed one.
/// On several hosts the end takes a twentieth of a second, for connections that are being made.
class Environment {
 public:
  Environment();
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  bool _initialised_here = false;
  int _exceptions = 0;  ///< in flight at construction
};

}  // namespace kasen::comm
