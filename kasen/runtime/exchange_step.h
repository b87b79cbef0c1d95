/// @file
/// Class ExchangeStep: runs an exchange of a plan: gathers, scatters and the reduction of Shareds at one boundary.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "comm/exchange.h"
#include "kasen/runtime/run_context.h"
#include "optimizer/plan/plan.h"

namespace kasen::runtime {

/// One exchange of one run. It obtains its packing buffer when the run starts.
class ExchangeStep {
 public:
  /// @param position among the run's steps: whose seconds it takes, and whose activity it is
  ExchangeStep(const optimizer::Exchange& exchange, RunContext& context, std::size_t position);
  /// Collective. An overlapped exchange of scatters remains under way; one of gathers has begun before.
  void run();

  /// Collective. Sends the vectors off, and notes in the context that this is under way. Nothing else may be.
  void begin();
  /// Local. Lets MPI go on; to be called by the thread that has made the run, now and then.
  void poll() { _exchange.poll(); }
  /// Local. Waits for the vectors. Nothing is under way then.
  void end();
  std::uint32_t number() const { return _plan.overlapped; }

 private:
  /// A value whose buffer moves, and of a sparse scatter the one that says where it is not at rest.
  struct Moved {
    ValueId vector, mask;
  };
  bool travels(const optimizer::Move& move) const;
  ValueId mask_of(const optimizer::Move& move) const;
  void note_sent(const Counts& counts);
  comm::Exchange prepare() const;
  std::span<std::byte> packing() const;
  void bind();
  void rename();
  void finish();
  void reduce();

  const optimizer::Exchange& _plan;
  RunContext& _context;
  const std::size_t _position;
  comm::Exchange _exchange;
  std::vector<Moved> _moved;  ///< parallel to the transfers
  BufferRef _packing;
};

/// Local. Ends what is under way, if anything is.
void end_under_way(RunContext& context);

}  // namespace kasen::runtime
