/// @file
/// Runs the exchanges of a plan: gathers, scatters and the reduction of Shareds that share a boundary.
#pragma once

#include <cstdint>
#include <vector>

#include "kasen/runtime/run_context.h"
#include "optimizer/plan/plan.h"

namespace kasen::runtime {

/// One boundary of one run. It obtains its packing buffer when the run starts.
class ExchangeStep {
 public:
  ExchangeStep(const optimizer::Exchange& exchange, RunContext& context);
  /// Collective.
  void run();

 private:
  void add(const optimizer::Move& move, comm::Transfer::Kind kind);

  const optimizer::Exchange& _exchange;
  RunContext& _context;
  std::vector<comm::Transfer> _transfers;
  std::vector<ValueId> _moved;  ///< parallel to _transfers: whose buffer moves
  std::vector<comm::SharedReduction> _reductions;
  BufferRef _packing;
  bool _silent = true;
};

}  // namespace kasen::runtime
