/// @file
/// Class ActiveElements: which inputs of a product are active, as far as this worker has them.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "kasen/runtime/access.h"
#include "kasen/runtime/delta_state.h"
#include "kasen/runtime/run_context.h"
#include "optimizer/plan/plan.h"
#include "partition/replicas.h"

namespace kasen::runtime {

/// Of one product of one run. A vector says it, a byte for each; of masters, after a delta iteration, a set.
class ActiveElements {
 public:
  /// @param launch the sweep's only one  @param delta null outside of delta loops
  ActiveElements(const optimizer::Sweep& sweep, const optimizer::Launch& launch, RunContext& context,
                 DeltaState* delta);

  LocalIndex masters() const { return _masters; }
  /// All inputs that the product has here: masters, and replicas in intervals.
  std::span<const partition::Interval> inputs() const { return _inputs; }

  /// Calls `visit(stretch)` for each stretch of active elements, and counts what is read to find them.
  template <class Visit>
  void for_each_stretch(const Visit& visit) const;

  struct Everywhere {
    std::uint64_t active;  ///< the sum of what workers give
    std::uint64_t kept;    ///< that of DeltaState::kept()
  };
  /// Collective: adds up what all workers have, so that all go the same way. Counts what is sent.
  Everywhere add_up(std::uint64_t active_here) const;

 private:
  const ValueId _flags;
  const std::uint32_t _product;  ///< Launch::delta_product
  RunContext& _context;
  const DeltaState* const _delta;
  LocalIndex _masters;
  std::vector<partition::Interval> _inputs;
};

/// Most bytes are 0, or most are 1: eight at once.
template <class Visit>
void ActiveElements::for_each_stretch(const Visit& visit) const {
  const auto* const active = reinterpret_cast<const std::uint8_t*>(_context.storage.vector(_flags));
  const bool follows = _delta != nullptr && _delta->follows();
  if (follows) {
    _delta->active(_product).for_each_stretch([&](LocalIndex first, LocalIndex count) {
      visit(partition::Interval{first, count});
    });
  }
  for (const partition::Interval& inputs : _inputs) {
    if (follows && inputs.first < _masters) continue;
    const LocalIndex end = inputs.first + inputs.count;
    for (LocalIndex i = inputs.first; i < end;) {
      std::uint64_t eight = 1;
      if (end - i >= 8) std::memcpy(&eight, active + i, sizeof eight);
      if (eight == 0) {
        i += 8;
        continue;
      }
      if (active[i] == 0) {
        ++i;
        continue;
      }
      const LocalIndex first = i;
      for (; end - i >= 8; i += 8) {
        std::memcpy(&eight, active + i, sizeof eight);
        if (eight != 0x0101010101010101) break;
      }
      while (i < end && active[i] != 0) ++i;
      visit(partition::Interval{first, i - first});
    }
    _context.measured.elements_read += inputs.count;
    _context.measured.bytes_read += inputs.count;
    if (kCountAccesses) _context.witnessed.elements_read += inputs.count;
  }
}

}  // namespace kasen::runtime
