/// @file
/// Class ActiveSweep: runs a sweep of one product of which only some elements may be active.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "kasen/runtime/blocked_sweep.h"
#include "kasen/runtime/delta_state.h"
#include "kasen/runtime/fill.h"
#include "kasen/runtime/parts.h"
#include "kasen/runtime/run_context.h"
#include "kasen/runtime/sweep_step.h"
#include "optimizer/plan/plan.h"
#include "partition/replicas.h"

namespace kasen::runtime {

/// One sweep of one run. Each time it adds up over all workers how many entries the active elements have. Where these
/// are few it pushes them to outputs that start at the reducer's identity; else it walks the whole matrix. A product
/// that connects elements (Operation::connects) passes all of them on to all that is connected with them, and adds up
/// how many they are.
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
  /// Collective: the entries of all workers, so that all go the same way, and what they do is known from how often they
  /// went it.
  std::uint64_t agree(const Found& here);
  /// Collective. Walks the whole matrix.
  void walk();
  /// Collective, in checked builds: tries functions that are said to keep the identity.
  void check_identity();
  void push();
  /// Puts the output in its place, at the identity where something may be added to it.
  void begin_push();
  /// As push(), and then, if no other product of the loop follows, from masters that are improved, until none is or too
  /// many are.
  void push_and_settle();
  /// @param other the product before, which has been pushed; null: there is none
  void settle(ActiveSweep* other);
  void count_settled();
  /// Passes active elements on to all that is connected with them, if no other product of the loop follows.
  void connect();
  void find_connected();
  /// Tells outputs what has been collected of all that is connected with them.
  void spread();
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
  DeltaState* const _delta;       ///< null outside of delta loops
  LocalIndex _masters, _outputs;  ///< of the space of its input, and of its output
  bool _far_outputs = false;      ///< whether they stay in no cache
  std::uint64_t _kept_everywhere = 0;
  bool _identity_is_checked = false;
  std::vector<partition::Interval> _inputs;
  std::vector<ValueId> _replaceable;
  bool _settles = false;
  const bool _connects;
  std::vector<Part> _told;  ///< by a product that connects: masters, if it is the last one, and replicas
  std::vector<std::size_t> _shares;
  void* _order = nullptr;  ///< of a product that settles: that of the loop
  Settling _settling;
  Fill _fill;
};

}  // namespace kasen::runtime
