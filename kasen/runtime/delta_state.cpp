#include "kasen/runtime/delta_state.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "kasen/base/error.h"
#include "kasen/runtime/kernel.h"

namespace kasen::runtime {
namespace {

constexpr std::uint64_t kLongestPause = 1023;

}  // namespace

DeltaState::DeltaState(const optimizer::Sweep& update, bool settles, bool connects, RunContext& context)
    : _delta(update.delta.value()),
      _context(context),
      _reached(context.placement.space(update.space).masters()),
      _kept(context.placement.space(update.space).masters()),
      _settles(settles),
      _settled(_settles ? context.placement.space(update.space).masters() : 0),
      _put_off(_settles && !connects ? context.placement.space(update.space).masters() : 0),
      _pending(_settles && !connects ? context.placement.space(update.space).masters() : 0),
      _masters(context.placement.space(update.space).masters()),
      _set_of_output(_delta.carried.size(), optimizer::kNoDelta),
      _buffers(_delta.products.size()) {
  const partition::IndexSpace& space = context.placement.space(update.space);
  if (connects) {
    const ReducerId reducer = _delta.products.front().reducer;
    _connected.emplace(space.local_size(), context.reducers[index_of(reducer)].identity);
  }
  for (const optimizer::DeltaUpdate::Product& product : _delta.products) {
    const auto carried = std::find_if(_delta.carried.begin(), _delta.carried.end(),
                                      [&](const auto& each) { return each.out == product.active; });
    std::uint32_t& set = _set_of_output.at(static_cast<std::size_t>(carried - _delta.carried.begin()));
    if (set == optimizer::kNoDelta) {
      set = static_cast<std::uint32_t>(_active.size());
      _active.emplace_back(space.masters());
    }
    _active_of.push_back(set);
  }
}

DeltaState& DeltaState::of(const RunContext& context) {
  if (context.delta == nullptr) throw InternalError("a step of a delta loop stands outside of one");
  return *context.delta;
}

void* DeltaState::order(const MatrixKernel& product) {
  if (_order == nullptr) _order = product.make_order(_masters);
  return _order.get();
}

void DeltaState::enter() {
  if (_connected) _connected->forget();
  _follows = false;
  _pause = _wait = _walks = 0;
  _first_attempt = false;
  end(false, 0);
}

void DeltaState::leave() {
  for (std::size_t k = 0; k < _buffers.size(); ++k)
    _context.storage.free_buffer(_delta.products[k].read, std::move(_buffers[k]));
}

/// Loops that are over soon walk their matrix less often, be there ever so many active elements on the way. Others
/// might walk it as often as the longest way has edges.
bool DeltaState::settles_anyway() const {
  return _settles && _walks >= _context.limits.settled_walks * _delta.products.size();
}

bool DeltaState::pushes(bool settles, std::uint64_t entries, std::uint64_t whole_from) const {
  const bool is_next = _pushed > 0 || !_all_pushed;
  if (settles && puts_off() && is_next) return _all_pushed;
  return entries < whole_from || (settles && settles_anyway());
}

bool DeltaState::few_entries() const {
  if (puts_off() || settles_anyway()) return true;
  return _entries <= (_follows ? _delta.most : _delta.start);
}

bool DeltaState::marks() const { return _all_pushed && few_entries() && (_follows || _wait == 0); }

bool DeltaState::place(std::uint32_t product, ValueId out) {
  if (_buffers[product] == nullptr) return false;
  _context.storage.give_buffer(out, std::move(_buffers[product]));
  return true;
}

void DeltaState::walk(std::uint32_t product) {
  _all_pushed = false;
  ++_walks;
  _context.storage.free_buffer(_delta.products[product].read, std::move(_buffers[product]));
}

void DeltaState::push(std::uint64_t entries, std::uint64_t kept) {
  ++_pushed;
  _entries += entries;
  _kept_everywhere = kept;
}

DeltaState::Visits DeltaState::next(bool in_place) {
  const bool all_pushed = _all_pushed && _pushed == _delta.products.size();
  if (all_pushed && puts_off() && !in_place)
    throw InternalError("elements were put off in an iteration that is no delta iteration");
  if (!all_pushed || !in_place || !few_entries()) return Visits::all_untracked;
  if (_follows) {
    // What settles has reached much at once, which will not happen again.
    const bool few = _settles || _kept_everywhere + _entries <= _delta.most;
    if (std::exchange(_first_attempt, false)) _pause = few ? 0 : std::min(2 * _pause + 1, kLongestPause);
    _wait = _pause;
    return few ? Visits::changed : Visits::all_untracked;
  }
  if (_wait > 0) {
    --_wait;
    return Visits::all_untracked;
  }
  _first_attempt = true;
  return Visits::all;
}

void DeltaState::end(bool tracked, std::uint64_t kept) {
  if (!tracked) {
    _reached.clear();
    _kept.clear();
    for (ListedSet& active : _active) active.clear();
  } else {
    for (std::size_t k = 0; k < _buffers.size(); ++k)
      _buffers[k] = _context.storage.take_buffer(_delta.products[k].read);
  }
  if (_settles) _settled.clear();
  if (!tracked) {
    _put_off.clear();
    _pending.clear();
  }
  _pushed_before = nullptr;
  _follows = tracked;
  _kept_elements = kept;
  _pushed = 0;
  _all_pushed = true;
  _entries = _kept_everywhere = 0;
}

void DeltaState::save_with_put_off(const std::function<void()>& save) {
  if (!puts_off()) return save();
  std::vector<std::byte*> marked;
  for (const optimizer::DeltaUpdate::Product& product : _delta.products) {
    std::byte* const active = _context.storage.vector(product.argument);
    _put_off.for_each_stretch([&](LocalIndex first, LocalIndex count) {
      for (LocalIndex i = first; i < first + count; ++i) {
        if (std::exchange(active[i], std::byte{1}) == std::byte{0}) marked.push_back(active + i);
      }
    });
  }
  save();
  for (std::byte* const each : marked) *each = std::byte{0};
}

}  // namespace kasen::runtime
