/// @file
/// Class ExchangeStep: runs an exchange of a plan: gathers, scatters and the reduction of Shareds at one boundary.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/exchange.h"
#include "kasen/runtime/run_context.h"
#include "optimizer/plan/plan.h"

namespace kasen::runtime {

/// One exchange of one run. It obtains its packing buffer when the run starts.
class ExchangeStep {
 public:
  ExchangeStep(const optimizer::Exchange& exchange, RunContext& context);
  /// Collective.
  void run();

 private:
  comm::Exchange prepare() const;

  const optimizer::Exchange& _plan;
  RunContext& _context;
  comm::Exchange _exchange;
  std::vector<ValueId> _moved;  ///< parallel to the transfers: the value whose buffer moves
  BufferRef _packing;
};

}  // namespace kasen::runtime
