/// @file
/// MPI, from its start to its end.
#pragma once

namespace kasen::comm {

/// MPI_Init at construction (if nobody did), MPI_Finalize at destruction (if the object did the init). Destroyed by an
/// exception, it finalises only if every worker gets there within a second, so that no worker waits for a failed one.
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
