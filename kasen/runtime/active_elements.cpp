#include "kasen/runtime/active_elements.h"

#include "kasen/base/state.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::runtime {

ActiveElements::ActiveElements(const optimizer::Sweep& sweep, const optimizer::Launch& launch, RunContext& context,
                               DeltaState* delta)
    : _flags(launch.active), _product(launch.delta_product), _context(context), _delta(delta) {
  const partition::IndexSpace& space = context.placement.space(context.plan.values[index_of(_flags)].space);
  _masters = space.masters();
  const auto replicas = space.replicas({Role{sweep.matrix, optimizer::read_side(launch)}});
  _inputs = {{0, _masters}};
  _inputs.insert(_inputs.end(), replicas.begin(), replicas.end());
}

ActiveElements::Everywhere ActiveElements::add_up(std::uint64_t active_here) const {
  std::uint64_t sums[2] = {active_here, _delta == nullptr ? 0 : _delta->kept()};
  const std::size_t sent = _delta == nullptr ? 1 : 2;
  const std::uint64_t workers = _context.workers();
  if (workers > 1) {
    _context.steps.sum(std::span(sums, sent));
    _context.measured.bytes_sent += (workers - 1) * sent * sizeof(std::uint64_t);
    _context.measured.messages += workers - 1;
  }
  return {sums[0], sums[1]};
}

}  // namespace kasen::runtime
