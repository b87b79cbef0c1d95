/// @file
/// Binding the launches of a sweep to what they touch on one kind of segment.
#include <algorithm>
#include <set>
#include <utility>

#include "kasen/base/cached_bytes.h"
#include "kasen/base/error.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/sweep_step.h"

namespace kasen::runtime {

using optimizer::Launch;
using optimizer::Place;

class SweepStep::TileWorkMaker {
 public:
  TileWorkMaker(SweepStep& step, Hand& hand, TileWork& work)
      : _step(step),
        _hand(hand),
        _work(work),
        _made(step._sweep.places.size(), 0),
        _seen(step._sweep.places.size(), 0),
        _elements_read(kCountAccesses ? &hand.witnessed.elements_read : nullptr),
        _elements_written(kCountAccesses ? &hand.witnessed.elements_written : nullptr) {}

  void copy(std::uint32_t l) {
    const Launch& launch = _step._sweep.launches[l];
    Action action = begin(Action::Kind::copy, l);
    read(launch.in.at(launch.copied_input));
    write(launch.out.at(0));
    end(action);
  }

  void run(std::uint32_t l) {
    const Launch& launch = _step._sweep.launches[l];
    if (follows_keys(launch.op)) return follow_keys(launch, l);
    const bool matrix = is_matrix_op(launch.op);
    const Reduction* const reduction = reduction_with(l);
    if (reduction != nullptr && reduction->launch == l && reduction->makes != kNoLaunch) return;  // done as it is made
    Action action = begin(matrix ? Action::Kind::matrix : reduction ? Action::Kind::fold : Action::Kind::element, l);
    if (matrix) {
      bind_matrix(launch, action);
    } else {
      for (std::size_t k = 0; k < launch.in.size(); ++k)
        reads_whole(launch, k) ? read_whole(launch.in[k]) : read(launch.in[k]);
      action.tile.shared = _step._shared[l].data();
      if (reduction != nullptr) {
        action.context = reduction->context;
        action.run_fold = reduction->folding->fold;
        action.lanes = _hand.lanes[reduction->launch].data();
      } else {
        const auto& kernel = _step._context.kernel<ElementKernel>(launch.kernel);
        action.context = kernel.context.get();
        action.run_element = kernel.run;
        write(launch.out.at(0));
      }
      if (launch.reads_global) read_global(action);
    }
    end(action);
  }

  /// Pointers between the parts of the work, which is complete now.
  void finish() {
    const bool in_turns = _work.actions.size() > 1;
    _work.prefetches = in_turns && _step._space.local_size() * _work.per_element.bytes_read > kCachedBytes;
    _work.source.resize(_work.in.size());
    _work.target.resize(_work.out.size());
    _work.moving_in.reserve(_work.in.size());
    _work.moving_out.reserve(_work.out.size());
    _work.prefetched.reserve(_work.in.size());
    for (Action& action : _work.actions) {
      action.tile.in = action.matrix.in = action.stencils.in = action.dense.in = _work.source.data() + action.first_in;
      action.matrix.out = action.stencils.out = _work.target.data() + action.first_out;
      if (!kCountAccesses) continue;
      action.tile.read = action.matrix.read = action.stencils.read = action.dense.read =
          _work.read.data() + action.first_in;
      action.matrix.written = action.stencils.written = action.dense.written = _work.written.data() + action.first_out;
      if (action.first_out < _work.out.size()) action.tile.written = _work.written[action.first_out];
    }
  }

 private:
  Action begin(Action::Kind kind, std::uint32_t l) const {
    Action action;
    action.kind = kind;
    action.launch = l;
    action.first_in = static_cast<std::uint32_t>(_work.in.size());
    action.first_out = static_cast<std::uint32_t>(_work.out.size());
    return action;
  }
  void end(Action& action) { _work.actions.push_back(action); }

  /// The reduction that is the launch, or adds up what it makes; null if there is none.
  const Reduction* reduction_with(std::uint32_t l) const {
    const auto found = std::find_if(_step._reductions.begin(), _step._reductions.end(),
                                    [&](const Reduction& r) { return r.launch == l || r.makes == l; });
    return found == _step._reductions.end() ? nullptr : &*found;
  }

  void add_in(std::uint32_t place, Operand::Where where, bool from_memory, std::uint32_t bytes, bool counts) {
    _work.in.push_back({place, where, from_memory, bytes});
    _work.read.push_back(counts ? _elements_read : nullptr);
  }
  void add_out(std::uint32_t place, Operand::Where where, std::uint32_t bytes, bool counts) {
    _work.out.push_back({place, where, false, bytes});
    _work.written.push_back(counts ? _elements_written : nullptr);
  }

  /// An operand of the tile. What is not made on this segment stays where it was: a pushdown in place leaves replicas
  /// alone.
  void read(ValueId value) {
    const std::uint32_t p = _step.place_of(value);
    const Place& place = _step._sweep.places[p];
    const bool in_tile = place.kind == Place::Kind::temporary || (place.late_copy && _made[p] != 0);
    const std::uint32_t bytes = _step._context.element_bytes(value);
    const bool first_touch = place.kind == Place::Kind::input && std::exchange(_seen[p], char{1}) == 0;
    const std::uint32_t touched = _step._context.read_bytes(value);
    const bool streams = first_touch && touched == bytes;  // no prefetcher knows which parts are read
    add_in(p, in_tile ? Operand::Where::tile : Operand::Where::buffer, streams, bytes, first_touch);
    if (first_touch) _work.per_element.read(touched);
  }

  void read_whole(ValueId value) {
    add_in(_step.place_of(value), Operand::Where::whole_in_order, false, _step._context.element_bytes(value), false);
  }

  void write(ValueId value) {
    const std::uint32_t p = _step.place_of(value);
    const Place& place = _step._sweep.places[p];
    const std::uint32_t bytes = _step._context.element_bytes(value);
    const bool in_tile = place.kind == Place::Kind::temporary || place.late_copy;
    const bool stored = place.kind == Place::Kind::output;
    _made[p] = 1;
    add_out(p, in_tile ? Operand::Where::tile : Operand::Where::buffer, bytes, stored);
    if (!stored) return;
    _work.per_element.write(bytes);
    if (place.late_copy) _work.late_copies.push_back({p, bytes});
  }

  /// The table takes the place of a further operand, read once however many sources need it.
  void read_global(Action& action) {
    action.reads_global = true;
    if (_step._global.empty()) _step._global = _step._space.global();
    const bool first_touch = !_step._space.blocks() && !std::exchange(_work.reads_table, true);
    add_in(kNoPlace, Operand::Where::tile, false, 0, first_touch);
    if (first_touch) _work.per_element.read(sizeof(GlobalIndex));
  }

  /// The first MxV counts what is read once for all of them; a vector is counted where it is met first.
  void bind_matrix(const Launch& launch, Action& action) {
    const bool first = _work.matrix_actions++ == 0;
    const auto& kernel = _step._context.kernel<MatrixKernel>(launch.kernel);
    action.context = kernel.context.get();
    action.run_matrix = launch.push ? kernel.push : kernel.pull[group_variant(launch.out.size())];
    action.run_stencils = kernel.stencils;
    action.run_dense = kernel.dense;
    action.matrix.matrix = _step._matrix;
    action.matrix.prefetch_end = _step._prefetch_end;
    action.matrix.far = _step._far;
    action.push = action.dense.adds = launch.push;
    action.stencils.vectors = action.dense.vectors = static_cast<std::uint32_t>(launch.out.size());
    const partition::StencilMatrix* const stencils = _step._stencils;
    if (stencils != nullptr)
      action.stencils.matrix = {nullptr, stencils->pointer(), stencils->offset(), stencils->value()};
    // In rounds each thread pushes all elements: the first one counts them.
    const bool counts = !launch.push || !_step.in_rounds() || _hand.is_first;
    if (first) {
      action.matrix.entries = action.stencils.entries = action.dense.entries = _elements_read;
      action.matrix.pointers = counts ? _elements_read : nullptr;
      if (stencils == nullptr) _work.per_entry.read(_step._entry_bytes);
      if (stencils == nullptr && _step._dense == nullptr) _work.per_element.read(sizeof(std::uint64_t));
    }
    for (std::size_t k = 0; k < launch.in.size(); ++k) {
      const ValueId value = launch.in[k];
      if (!optimizer::reads_through_matrix(launch, k)) {
        read(value);
        if (!counts) _work.read.back() = nullptr;
        continue;
      }
      const std::uint32_t bytes = _step._context.element_bytes(value);
      const bool first_touch = _reached.insert(value).second;
      add_in(_step.place_of(value), Operand::Where::whole, false, bytes, first_touch);
      if (first_touch) _work.per_entry.read(bytes);
    }
    if (launch.push) {
      const ValueId out = launch.out.at(0);
      const std::uint32_t bytes = _step._context.element_bytes(out);
      add_out(_step.place_of(out), Operand::Where::whole, bytes, true);
      action.matrix.accumulated = action.dense.accumulated = _elements_read;
      _work.per_entry.read(bytes);
      _work.per_entry.write(bytes);
      return;
    }
    for (const ValueId value : launch.out) write(value);
  }

  /// Keys come first among what is read.
  void follow_keys(const Launch& launch, std::uint32_t l) {
    Action action = begin(Action::Kind::keys, l);
    action.keyed = &_step._context.kernel<KeyKernel>(launch.kernel);
    action.context = action.keyed->context.get();
    const partition::IndexSpace& space = _step.key_space(launch);
    action.by_key.keys = space.length();
    if (launch.op == Op::take) {
      const ValueId taken = launch.in.at(0);
      const std::uint32_t bytes = _step._context.element_bytes(taken);
      read(launch.in.at(1));
      add_in(_step.place_of(taken), Operand::Where::whole, false, bytes, true);
      _work.per_element.read(bytes);
      action.by_key.number = space.numbers().empty() ? nullptr : space.numbers().data();
      write(launch.out.at(0));
      action.by_key.written = _work.written.back();
    } else {
      read(launch.in.at(0));
      read(launch.in.at(1));
    }
    action.by_key.keys_read = _work.read[action.first_in];
    action.by_key.elements_read = _work.read[action.first_in + 1];
    end(action);
  }

  SweepStep& _step;
  Hand& _hand;
  TileWork& _work;
  std::vector<char> _made, _seen;  ///< by place
  std::set<ValueId> _reached;      ///< through the matrix
  AccessCount *_elements_read, *_elements_written;
};

SweepStep::TileWork SweepStep::make_work(const Segment& segment, Hand& hand) {
  TileWork work;
  work.launches = segment.launches;
  work.copies = segment.copies;
  // Copies and launches in the order of the sweep.
  std::vector<std::pair<std::uint32_t, bool>> order;
  for (const std::uint32_t l : segment.launches) order.emplace_back(l, false);
  for (const std::uint32_t l : segment.copies) order.emplace_back(l, true);
  std::sort(order.begin(), order.end());
  TileWorkMaker maker(*this, hand, work);
  for (const auto& [l, copies] : order) copies ? maker.copy(l) : maker.run(l);
  maker.finish();
  return work;
}

}  // namespace kasen::runtime
