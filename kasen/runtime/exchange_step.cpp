/// @file
/// Binding of an exchange's transfers to the buffers of values.
#include "kasen/runtime/exchange_step.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "kasen/base/error.h"

namespace kasen::runtime {

using comm::Transfer;

ExchangeStep::ExchangeStep(const optimizer::Exchange& exchange, RunContext& context)
    : _plan(exchange), _context(context), _exchange(prepare()) {
  for (const auto* moves : {&exchange.gathers, &exchange.scatters}) {
    for (const auto& move : *moves) _moved.push_back(move.to);
  }
  _packing = context.pool.obtain(_exchange.packing_bytes());
  context.measured.buffer_bytes += _packing->bytes();
}

comm::Exchange ExchangeStep::prepare() const {
  std::vector<Transfer> transfers;
  bool silent = true;
  const auto add = [&](const optimizer::Move& move, Transfer::Kind kind, const Combine& combine) {
    const SpaceId space = _context.plan.values[index_of(move.to)].space;
    transfers.push_back(
        {kind, &_context.placement.space(space).halo(move.roles), nullptr, _context.element_bytes(move.to), combine});
    // From numbers that are equal on all workers: no worker may skip a call that another one makes.
    if (_context.placement.stats().of(space, move.roles).replicas != 0) silent = false;
  };
  const auto combine_of = [&](const optimizer::Move& move) {
    return _context.reducers[index_of(move.reducer)].combine;
  };
  for (const auto& move : _plan.gathers) add(move, Transfer::Kind::reduce_to_masters, combine_of(move));
  for (const auto& move : _plan.scatters) add(move, Transfer::Kind::broadcast_to_replicas, {});
  std::vector<comm::SharedReduction> reductions;
  for (const auto& move : _plan.reductions) {
    reductions.push_back({nullptr, _context.element_bytes(move.to), combine_of(move), false});
  }
  return {_context.steps, std::move(transfers), std::move(reductions), silent, _context.exchange_limit};
}

void ExchangeStep::run() {
  ValueStore& storage = _context.storage;
  for (const auto* moves : {&_plan.gathers, &_plan.scatters, &_plan.reductions}) {
    for (const auto& move : *moves) storage.alias(move.from, move.to);
  }
  const std::span<Transfer> transfers = _exchange.transfers();
  const std::span<comm::SharedReduction> reductions = _exchange.shareds();
  for (std::size_t k = 0; k < transfers.size(); ++k) transfers[k].data = storage.vector(_moved[k]);
  for (std::size_t k = 0; k < reductions.size(); ++k) {
    const ValueId to = _plan.reductions[k].to;
    reductions[k].value = storage.shared(to);
    reductions[k].has = storage.has(to);
  }
  _context.measured += _exchange.run({_packing->data(), static_cast<std::size_t>(_packing->bytes())}, &_context.team);
  for (const auto& move : _plan.gathers) storage.note_gathered(move.to);
  for (std::size_t k = 0; k < reductions.size(); ++k) storage.set_has(_plan.reductions[k].to, reductions[k].has);
}

}  // namespace kasen::runtime
