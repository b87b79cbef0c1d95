#include "kasen/runtime/pushed_output.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "kasen/base/error.h"

namespace kasen::runtime {

namespace {

/// The outputs start at the identity when they are pushed to, also in a sweep that pulls.
Fill fill_of(const optimizer::Sweep& sweep, const RunContext& context) {
  optimizer::Sweep pushed = sweep;
  pushed.walk = optimizer::Walk::blocked;
  pushed.launches[0].filled_roles = sweep.launches[0].roles;
  return fills_of(pushed, context).at(0);
}

}  // namespace

PushedOutput::PushedOutput(const optimizer::Step& step, RunContext& context, DeltaState* delta)
    : _sweep(std::get<optimizer::Sweep>(step.what)),
      _launch(_sweep.launches.at(0)),
      _context(context),
      _delta(delta),
      _masters(context.placement.space(_sweep.space).masters()),
      _fill(fill_of(_sweep, context)) {
  if (_sweep.launches.size() != 1) throw InternalError("a product of active elements is alone in its sweep");
  std::copy_if(step.dies.begin(), step.dies.end(), std::back_inserter(_replaceable),
               [&](ValueId value) { return value != _launch.in[0] && value != _launch.active; });
}

void PushedOutput::begin() {
  const bool placed = _delta != nullptr && _delta->place(_launch.delta_product, _launch.out[0]);
  if (!placed) _context.storage.place_outputs(_sweep, _replaceable);
  // In a delta iteration masters are where they start already.
  const LocalIndex from_first = _delta != nullptr && _delta->follows() ? _masters : 0;
  fill(_fill, from_first, std::numeric_limits<LocalIndex>::max(), _context, _context.measured);
}

}  // namespace kasen::runtime
