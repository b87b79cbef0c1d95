/// @file
/// Class ConnectingSweep: runs a sweep of one product that connects elements (Operation::connects).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kasen/runtime/active_elements.h"
#include "kasen/runtime/connected_elements.h"
#include "kasen/runtime/delta_state.h"
#include "kasen/runtime/parts.h"
#include "kasen/runtime/pushed_output.h"
#include "kasen/runtime/run_context.h"
#include "optimizer/plan/plan.h"

namespace kasen::runtime {

/// One sweep of one run, in a delta loop. Each time it adds up over all workers how many elements are active, and
/// passes all of them on to all that is connected with them here: the first sweep of the loop finds once what that is,
/// and the last one spreads what all of them have collected.
class ConnectingSweep {
 public:
  /// Builds the matrix compressed by its inputs if this is the sweep that finds what it connects.
  /// @param step a sweep, of whose loop RunContext::delta is the state
  ConnectingSweep(const optimizer::Step& step, RunContext& context, std::size_t position);
  ConnectingSweep(const ConnectingSweep&) = delete;
  ConnectingSweep& operator=(const ConnectingSweep&) = delete;
  void run();

 private:
  void find_connected();
  std::vector<Part> parts_to_tell() const;
  /// Tells outputs what has been collected of all that is connected with them.
  void spread();

  const optimizer::Sweep& _sweep;
  const optimizer::Launch& _launch;
  RunContext& _context;
  const std::size_t _position;
  DeltaState& _delta;
  ConnectedElements& _connected;
  const MatrixKernel& _kernel;
  const ActiveElements _active;
  PushedOutput _output;
  std::uint64_t _entries = 0;  ///< of the matrix, if this sweep finds what it connects
  std::vector<Part> _parts;    ///< of the outputs that it tells: masters, if it is the last one, and replicas
  std::vector<std::size_t> _shares;
};

}  // namespace kasen::runtime
