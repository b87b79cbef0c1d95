/// @file
/// Class ActiveSweep: runs a sweep of one product of which only some elements may be active.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>

#include "kasen/runtime/active_elements.h"
#include "kasen/runtime/blocked_sweep.h"
#include "kasen/runtime/delta_state.h"
#include "kasen/runtime/pushed_output.h"
#include "kasen/runtime/run_context.h"
#include "kasen/runtime/sweep_step.h"
#include "optimizer/plan/plan.h"
#include "partition/replicas.h"

namespace kasen::runtime {

/// One sweep of one run. Each time it adds up over all workers how many entries the active elements have. Where these
/// are few it pushes them to outputs that start at the reducer's identity; else it walks the whole matrix.
class ActiveSweep {
 public:
  /// Builds the matrix compressed by its inputs, which it is pushed along. The storage that it is walked in comes with
  /// the first walk: most searches never see one.
  /// @param step a sweep; its `active` says which are few
  ActiveSweep(const optimizer::Step& step, RunContext& context, std::size_t position);
  void run();

 private:
  struct Found {
    std::uint64_t elements = 0, entries = 0;
  };
  /// Counts the active elements here, and calls `visit(stretch)` for each stretch of them.
  template <class Visit>
  Found find(const Visit& visit);
  /// Collective. Walks the whole matrix.
  void walk();
  /// Collective, in checked builds: tries functions that are said to keep the identity.
  void check_identity();
  void push();
  /// As push(), and then, if no other product of the loop follows, from masters that are improved, until none is or too
  /// many are.
  void push_and_settle();
  /// @param other the product before, which has been pushed; null: there is none
  void settle(ActiveSweep* other);
  void count_settled();
  void count_active(const Found& pushed);
  void count_pushed(const Found& pushed);
  void approach(const partition::Interval& stretch, const std::byte* out, std::uint64_t out_bytes, bool marks) const;

  const optimizer::Sweep& _sweep;
  const optimizer::Launch& _launch;
  RunContext& _context;
  const std::size_t _position;
  std::span<const ValueId> _dies;
  std::unique_ptr<std::variant<SweepStep, BlockedSweep>> _whole;  ///< null before the first walk
  const MatrixKernel& _kernel;
  Compressed _matrix;  ///< by its inputs
  std::uint64_t _entry_bytes = 0, _entries = 0;
  const std::uint64_t _whole_from;
  DeltaState* const _delta;  ///< null outside of delta loops
  const ActiveElements _active;
  PushedOutput _output;
  LocalIndex _outputs;        ///< of them, masters
  bool _far_outputs = false;  ///< whether they stay in no cache
  bool _identity_is_checked = false;
  bool _settles = false;
  void* _order = nullptr;  ///< of a product that settles: that of the loop
  Settling _settling;
};

}  // namespace kasen::runtime
