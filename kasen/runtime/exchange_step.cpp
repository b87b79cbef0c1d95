/// @file
/// Binding of an exchange's transfers to the buffers of values.
#include "kasen/runtime/exchange_step.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "kasen/base/error.h"

namespace kasen::runtime {

using comm::Transfer;

ExchangeStep::ExchangeStep(const optimizer::Exchange& exchange, RunContext& context, std::size_t position)
    : _plan(exchange), _context(context), _position(position), _exchange(prepare()) {
  for (const auto* moves : {&exchange.gathers, &exchange.scatters}) {
    for (const auto& move : *moves) {
      if (travels(move)) _moved.push_back({move.from, mask_of(move)});
    }
  }
  if (const std::uint32_t number = exchange.overlapped; number != optimizer::kNotOverlapped) {
    if (context.overlapped.size() <= number) context.overlapped.resize(number + 1);
    context.overlapped[number] = this;
  }
  _packing = context.pool.obtain(_exchange.packing_bytes());
  context.measured.buffer_bytes += _packing->bytes();
}

/// The active elements of what is scattered sparsely are made where it arrives.
bool ExchangeStep::travels(const optimizer::Move& move) const {
  return !_plan.sparse || move.reducer != kNone<ReducerId>;
}

/// As it is before it is scattered, in the same buffer.
ValueId ExchangeStep::mask_of(const optimizer::Move& move) const {
  if (!_plan.sparse || move.active == kNone<ValueId>) return kNone<ValueId>;
  const auto mask = std::find_if(_plan.scatters.begin(), _plan.scatters.end(),
                                 [&](const optimizer::Move& other) { return other.to == move.active; });
  return mask->from;
}

comm::Exchange ExchangeStep::prepare() const {
  std::vector<Transfer> transfers;
  bool silent = true;
  const auto add = [&](const optimizer::Move& move, Transfer::Kind kind, const Combine& combine) {
    const SpaceId space = _context.plan.values[index_of(move.to)].space;
    transfers.push_back(
        {kind, &_context.placement.space(space).halo(move.roles), nullptr, _context.element_bytes(move.to), combine});
    if (_plan.sparse) transfers.back().rest = _context.reducers[index_of(move.reducer)].identity;
    // From numbers that are equal on all workers: no worker may skip a call that another one makes.
    if (_context.placement.stats().of(space, move.roles).replicas != 0) silent = false;
  };
  const auto combine_of = [&](const optimizer::Move& move) {
    return _context.reducers[index_of(move.reducer)].combine;
  };
  for (const auto& move : _plan.gathers) add(move, Transfer::Kind::reduce_to_masters, combine_of(move));
  for (const auto& move : _plan.scatters) {
    if (travels(move)) add(move, Transfer::Kind::broadcast_to_replicas, {});
  }
  std::vector<comm::SharedReduction> reductions;
  for (const auto& move : _plan.reductions) {
    reductions.push_back({nullptr, _context.element_bytes(move.to), combine_of(move), false});
  }
  const auto route = _plan.to_neighbours ? comm::Route::neighbours : comm::Route::all_to_all;
  return {_context.steps, std::move(transfers), std::move(reductions), silent, route, _context.limits.exchange};
}

std::span<std::byte> ExchangeStep::packing() const {
  return {_packing->data(), static_cast<std::size_t>(_packing->bytes())};
}

void ExchangeStep::bind() {
  const std::span<Transfer> transfers = _exchange.transfers();
  for (std::size_t k = 0; k < transfers.size(); ++k) {
    const auto& [vector, mask] = _moved[k];
    transfers[k].data = _context.storage.vector(vector);
    if (mask != kNone<ValueId>) transfers[k].active = reinterpret_cast<std::uint8_t*>(_context.storage.vector(mask));
  }
}

void ExchangeStep::run() {
  if (_plan.overlapped == optimizer::kNotOverlapped) {
    bind();
    rename();
    note_sent(_exchange.move(packing(), &_context.team));
    finish();
    return reduce();
  }
  if (_plan.gathers.empty()) {  // Shareds first: behind vectors they would wait for these
    rename();
    reduce();
    return begin();
  }
  if (_context.under_way != this) begin();
  rename();
  end();
  reduce();
}

void ExchangeStep::begin() {
  if (_context.under_way != nullptr) throw InternalError("an exchange begins while another is under way");
  bind();
  note_sent(_exchange.begin(packing(), &_context.team));
  _context.under_way = this;
}

void ExchangeStep::note_sent(const Counts& counts) {
  _context.measured += counts;
  if (_plan.sparse)
    _context.activity[_position].pushed += {1, _exchange.sparse().elements, _exchange.sparse().list_bytes};
}

void ExchangeStep::end() {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  _context.under_way = nullptr;
  _exchange.end(&_context.team);
  finish();
  const auto stop = Clock::now();
  const double seconds = std::chrono::duration<double>(stop - start).count();
  if (Timeline* const timeline = _context.timeline; timeline != nullptr && timeline->keeps())
    timeline->add_wait(static_cast<std::uint32_t>(_position), Timeline::time_of(start), Timeline::time_of(stop));
  _context.seconds[_position] += seconds;
  _context.waited += seconds;
}

void ExchangeStep::finish() {
  for (const auto& move : _plan.gathers) _context.storage.note_gathered(move.from);
}

/// A vector stays in its buffer.
void ExchangeStep::rename() {
  for (const auto* moves : {&_plan.gathers, &_plan.scatters, &_plan.reductions}) {
    for (const auto& move : *moves) _context.storage.alias(move.from, move.to);
  }
}

void ExchangeStep::reduce() {
  ValueStore& storage = _context.storage;
  const std::span<comm::SharedReduction> reductions = _exchange.shareds();
  for (std::size_t k = 0; k < reductions.size(); ++k) {
    const ValueId to = _plan.reductions[k].to;
    reductions[k].value = storage.shared(to);
    reductions[k].has = storage.has(to);
  }
  _context.measured += _exchange.reduce();
  for (std::size_t k = 0; k < reductions.size(); ++k) storage.set_has(_plan.reductions[k].to, reductions[k].has);
}

void end_under_way(RunContext& context) {
  if (context.under_way != nullptr) context.under_way->end();
}

}  // namespace kasen::runtime
