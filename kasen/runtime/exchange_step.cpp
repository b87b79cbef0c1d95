/// @file
/// Transfers bound to the buffers of values.
#include "kasen/runtime/exchange_step.h"

#include <cstddef>
#include <span>

#include "kasen/base/error.h"

namespace kasen::runtime {

using comm::Transfer;

ExchangeStep::ExchangeStep(const optimizer::Exchange& exchange, RunContext& context)
    : _exchange(exchange), _context(context) {
  for (const auto& move : exchange.gathers) add(move, Transfer::Kind::reduce_to_masters);
  for (const auto& move : exchange.scatters) add(move, Transfer::Kind::broadcast_to_replicas);
  for (const auto& move : exchange.reductions) {
    _reductions.push_back(
        {nullptr, context.element_bytes(move.to), context.reducers[index_of(move.reducer)].combine, false});
  }
  _packing = context.pool.obtain(comm::Exchange::packing_bytes(_transfers));
  context.measured.buffer_bytes += _packing->bytes();
}

void ExchangeStep::add(const optimizer::Move& move, Transfer::Kind kind) {
  const SpaceId space = _context.plan.values[index_of(move.to)].space;
  Transfer transfer{
      kind, &_context.placement.space(space).halo(move.roles), nullptr, _context.element_bytes(move.to), {}};
  if (kind == Transfer::Kind::reduce_to_masters) {
    transfer.combine = _context.reducers[index_of(move.reducer)].combine;
  }
  _transfers.push_back(std::move(transfer));
  _moved.push_back(move.to);
  // From numbers that are equal on all workers: no worker may skip a call that another one makes.
  if (_context.placement.stats().of(space, move.roles).replicas != 0) _silent = false;
}

void ExchangeStep::run() {
  ValueStore& storage = _context.storage;
  for (const auto* moves : {&_exchange.gathers, &_exchange.scatters, &_exchange.reductions}) {
    for (const auto& move : *moves) storage.alias(move.from, move.to);
  }
  for (std::size_t k = 0; k < _transfers.size(); ++k) _transfers[k].data = storage.vector(_moved[k]);
  for (std::size_t k = 0; k < _reductions.size(); ++k) {
    const ValueId to = _exchange.reductions[k].to;
    _reductions[k].value = storage.shared(to);
    _reductions[k].has = storage.has(to);
  }
  const std::span<std::byte> packing(_packing->data(), static_cast<std::size_t>(_packing->bytes()));
  _context.measured += _context.exchange.run(_transfers, _reductions, packing, _silent);
  for (const auto& move : _exchange.gathers) storage.note_gathered(move.to);
  for (std::size_t k = 0; k < _reductions.size(); ++k) storage.set_has(_exchange.reductions[k].to, _reductions[k].has);
}

}  // namespace kasen::runtime
