/// @file
/// Running the kernels of a sweep.
#include "kasen/runtime/sweep_step.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "kasen/base/error.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/cache.h"
#include "kasen/runtime/running.h"
#include "kasen/runtime/tile_buffers.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::runtime {

using optimizer::Launch;
using optimizer::Place;

namespace {

/// The shortest piece of a row of a dense matrix that is worth going to.
constexpr std::uint64_t kPieceBytes = 512;

}  // namespace

void SweepStep::Touched::add_to(Counts& counts, std::uint64_t times) const {
  counts.elements_read += elements_read * times;
  counts.bytes_read += bytes_read * times;
  counts.elements_written += elements_written * times;
  counts.bytes_written += bytes_written * times;
}

SweepStep::SweepStep(const optimizer::Sweep& sweep, std::span<const ValueId> dies, RunContext& context)
    : _sweep(sweep),
      _context(context),
      _space(context.placement.space(sweep.space)),
      _tile_bytes(std::uint64_t{sweep.tile_elements} * sweep.slot_element_bytes),
      _shared(sweep.launches.size()),
      _lanes(sweep.launches.size()),
      _law_check(sweep, context) {
  if (sweep.tile_elements == 0) throw InternalError("a sweep without tile size");
  context.tiles.reserve(sweep.slots, _tile_bytes);
  for (std::size_t l = 0; l < sweep.launches.size(); ++l) {
    const Launch& launch = sweep.launches[l];
    for (const ValueId shared : launch.shared) _shared[l].push_back(context.storage.shared(shared));
    if (launch.op != Op::reduce) continue;
    _lanes[l].resize(lines_of(context.kernel<ReduceKernel>(launch.kernel).lanes_bytes));
  }
  const std::set<ValueId> at_random = optimizer::read_at_random(sweep);
  std::copy_if(dies.begin(), dies.end(), std::back_inserter(_replaceable),
               [&](ValueId value) { return !at_random.contains(value); });
  if (sweep.walk != optimizer::Walk::elements) open_matrix();
  _fills = fills_of(sweep, context);
  for (Segment& segment : segments(sweep.launches, _space)) {
    auto found = std::find_if(_work.begin(), _work.end(), [&](const TileWork& p) {
      return p.launches == segment.launches && p.copies == segment.copies;
    });
    if (found == _work.end()) found = _work.insert(_work.end(), make_work(segment));
    _stretches.push_back({segment.first, segment.count, static_cast<std::size_t>(found - _work.begin())});
  }
}

void SweepStep::open_matrix() {
  partition::LocalMatrix& matrix = _context.placement.matrix(_sweep.matrix);
  std::set<Role::Side> sides;
  std::set<ValueId> reached = optimizer::read_at_random(_sweep);
  for (const Launch& launch : _sweep.launches) {
    if (!is_matrix_op(launch.op)) continue;
    sides.insert(optimizer::walked_side(launch));
    if (launch.push) reached.insert(launch.out.at(0));
  }
  if (sides.size() != 1) throw InternalError("a sweep has to walk one side of its matrix");
  _by_row = *sides.begin() == Role::Side::row;
  if (_sweep.walk == optimizer::Walk::dense) {
    _dense = matrix.dense();
    if (_dense == nullptr) throw InternalError("a matrix is not dense");
    _entry_bytes = matrix.value_bytes();
    _entries_at_once = _sweep.tile_matrix_bytes / _entry_bytes;
    return;
  }
  const partition::CompressedView view = _by_row ? matrix.by_row() : matrix.by_column();
  _matrix = {view.pointer.data(), view.index.data(), view.value};
  const std::uint64_t entries = view.index.size();
  _entry_bytes = sizeof(LocalIndex) + matrix.value_bytes();
  _entries_at_once = _sweep.tile_matrix_bytes / _entry_bytes;
  std::uint64_t reached_bytes = 0;
  for (const ValueId value : reached) {
    const partition::IndexSpace& space = _context.placement.space(_context.plan.values[index_of(value)].space);
    reached_bytes += std::uint64_t{space.local_size()} * _context.element_bytes(value);
  }
  const bool prefetch = reached_bytes > kCachedBytes && entries > kPrefetchDistance;
  _prefetch_end = prefetch ? entries - kPrefetchDistance : 0;
}

std::uint32_t SweepStep::place_of(ValueId value) const {
  const auto found = std::lower_bound(_sweep.places.begin(), _sweep.places.end(), value,
                                      [](const Place& place, ValueId v) { return place.value < v; });
  if (found == _sweep.places.end() || found->value != value) throw InternalError("a sweep's value has no place");
  return static_cast<std::uint32_t>(found - _sweep.places.begin());
}

void SweepStep::bind(TileWork& work) {
  const auto slot = [&](std::uint32_t place) { return _context.tiles.at(_sweep.places[place].slot, _tile_bytes); };
  const auto resolve = [&](Operand& operand) {
    if (operand.place == kNoPlace) return;
    const bool in_tile = operand.where == Operand::Where::tile;
    operand.base = in_tile ? slot(operand.place) : _context.storage.vector(_sweep.places[operand.place].value);
    operand.stride = operand.where == Operand::Where::buffer ? operand.element_bytes : 0;
  };
  work.moving_in.clear();
  work.moving_out.clear();
  work.prefetched.clear();
  for (std::size_t k = 0; k < work.in.size(); ++k) {
    resolve(work.in[k]);
    work.source[k] = work.in[k].base;
    if (work.in[k].stride > 0) work.moving_in.push_back(k);
    if (work.in[k].from_memory && work.prefetches) {
      const std::uint64_t lines = lines_of(std::uint64_t{_sweep.tile_elements} * work.in[k].element_bytes);
      work.prefetched.push_back({k, (lines + work.actions.size() - 1) / work.actions.size()});
    }
  }
  for (std::size_t k = 0; k < work.out.size(); ++k) {
    resolve(work.out[k]);
    work.target[k] = work.out[k].base;
    if (work.out[k].stride > 0) work.moving_out.push_back(k);
  }
  for (LateCopy& copy : work.late_copies) {
    copy.from = slot(copy.place);
    copy.to = _context.storage.vector(_sweep.places[copy.place].value);
  }
}

void SweepStep::run() {
  for (std::size_t l = 0; l < _sweep.launches.size(); ++l) {
    const Launch& launch = _sweep.launches[l];
    for (const ValueId shared : launch.shared) require_value(_context, shared, launch.label, launch.where);
    if (launch.op != Op::reduce) continue;
    const auto& kernel = _context.kernel<ReduceKernel>(launch.kernel);
    kernel.begin(kernel.context.get(), _lanes[l].data());
  }
  for (const Place& place : _sweep.places) {
    if (place.kind == Place::Kind::output) _context.storage.place_output(place, _replaceable);
  }
  for (TileWork& work : _work) bind(work);
  for (const Fill& each : _fills) fill(each, _context);

  for (const Stretch& stretch : _stretches) {
    TileWork& work = _work[stretch.work];
    const bool masters = &stretch == &_stretches.front();
    const LocalIndex end = stretch.first + stretch.count;
    for (LocalIndex first = stretch.first; first < end;) {
      const std::uint32_t n = tile_size(work, first, end - first);
      first += n;
      const std::uint32_t ahead = std::min<std::uint32_t>(_sweep.tile_elements, end - first);
      run_tile(work, masters, first - n, n, ahead);
    }
    work.per_element.add_to(_context.measured, stretch.count);
    if (work.matrix_actions > 0) {
      work.per_entry.add_to(_context.measured, entries_of(stretch.first, end));
    }
  }

  running = {};
  if constexpr (kCheckLaws) _law_check.agree();
  for (std::size_t l = 0; l < _sweep.launches.size(); ++l) {
    const Launch& launch = _sweep.launches[l];
    if (launch.op != Op::reduce) continue;
    const auto& kernel = _context.kernel<ReduceKernel>(launch.kernel);
    const ValueId out = launch.out.at(0);
    running = {&launch.label, launch.where};
    _context.storage.set_has(out, kernel.finish(kernel.context.get(), _lanes[l].data(), _context.storage.shared(out)));
  }
  running = {};
}

std::uint32_t SweepStep::tile_size(const TileWork& work, LocalIndex first, LocalIndex left) const {
  const std::uint32_t n = std::min<std::uint32_t>(_sweep.tile_elements, left);
  if (_dense != nullptr && work.matrix_actions > 0) {
    const std::uint64_t across = std::max<std::uint64_t>(_by_row ? _dense->columns : _dense->rows, 1);
    const std::uint64_t least = _by_row ? 1 : std::max<std::uint64_t>(kPieceBytes / _entry_bytes, 1);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(n, std::max(_entries_at_once / across, least)));
  }
  if (work.matrix_actions < 2) return n;
  // What one kernel has walked the next should find in the cache, however long the rows are.
  const std::uint64_t* begin = _matrix.pointer + first;
  const auto fitting = std::upper_bound(begin + 1, begin + n + 1, *begin + _entries_at_once) - (begin + 1);
  return std::max<std::uint32_t>(static_cast<std::uint32_t>(fitting), 1);
}

std::uint64_t SweepStep::entries_of(LocalIndex first, LocalIndex end) const {
  if (_dense == nullptr) return _matrix.pointer[end] - _matrix.pointer[first];
  const std::uint64_t across = _by_row ? _dense->columns : _dense->rows;
  const LocalIndex with_entries = _by_row ? _dense->rows : _dense->columns;
  return across * (std::min(end, with_entries) - std::min(first, with_entries));
}

/// Elements of the walked side that have no entries give pulls the identity, and pushes nothing.
void SweepStep::run_dense(const TileWork& work, Action& action, LocalIndex first, std::uint32_t n) const {
  const std::uint64_t across = _by_row ? _dense->columns : _dense->rows;
  const LocalIndex with_entries = across == 0 ? 0 : _by_row ? _dense->rows : _dense->columns;
  const std::uint32_t here = std::min(first + n, with_entries) - std::min(first, with_entries);
  DenseTile& tile = action.dense;
  const auto run = [&](std::uint64_t walked, std::uint64_t other) {
    tile.rows = _by_row ? walked : other;
    tile.columns = _by_row ? other : walked;
    action.run_dense(action.context, tile);
  };
  if (here > 0) {
    tile.value = _dense->value.data() + (_by_row ? std::uint64_t{first} * _dense->columns : first) * _entry_bytes;
    tile.stride = _dense->columns;
    tile.out = work.target.data() + action.first_out;
    run(here, across);
  }
  if (here == n || action.push) return;
  void* rest[4];
  for (std::uint32_t k = 0; k < tile.vectors; ++k) {
    const Operand& out = work.out[action.first_out + k];
    rest[k] = static_cast<std::byte*>(work.target[action.first_out + k]) + std::uint64_t{here} * out.element_bytes;
  }
  tile.value = nullptr;
  tile.stride = 0;
  tile.out = rest;
  run(n - here, 0);
}

/// What is pushed to is not complete before the end.
void SweepStep::see_product(const TileWork& work, const Action& action, std::uint32_t n) {
  if (!action.push) _law_check.see_reduced(action.launch, work.target[action.first_out], n);
}

void SweepStep::run_tile(TileWork& work, bool masters, LocalIndex first, std::uint32_t n, std::uint32_t ahead) {
  for (const std::size_t k : work.moving_in) work.source[k] = work.in[k].at(first);
  for (const std::size_t k : work.moving_out) work.target[k] = work.out[k].at(first);

  // Kernels take turns, and a hardware prefetcher that follows one stops while the others run. Each is preceded by its
  // part of the next tile: a core that has asked for many lines at once waits.
  std::uint64_t part = 0;
  for (Action& action : work.actions) {
    for (const Prefetch& vector : work.prefetched) {
      const Operand& in = work.in[vector.in];
      const std::uint64_t lines = lines_of(std::uint64_t{ahead} * in.element_bytes);
      prefetch(in.at(first + n), part * vector.lines, std::min((part + 1) * vector.lines, lines));
    }
    ++part;
    running = {&_sweep.launches[action.launch].label, _sweep.launches[action.launch].where};
    if (action.kind == Action::Kind::matrix && _dense != nullptr) {
      run_dense(work, action, first, n);
      if constexpr (kCheckLaws) see_product(work, action, n);
      continue;
    }
    if (action.kind == Action::Kind::matrix) {
      action.matrix.first = first;
      action.matrix.n = n;
      action.run_matrix(action.context, action.matrix);
      if constexpr (kCheckLaws) see_product(work, action, n);
      continue;
    }
    Tile& tile = action.tile;
    tile.n = n;
    if (action.kind == Action::Kind::fold) {
      if constexpr (kCheckLaws) _law_check.see_reduced(action.launch, tile.in[0], n);
      action.run_fold(action.context, action.lanes, tile);
      continue;
    }
    tile.out = work.target[action.first_out];
    if (action.kind == Action::Kind::copy) {
      std::memmove(tile.out, tile.in[0], std::uint64_t{n} * work.out[action.first_out].element_bytes);
      if (kCountAccesses && tile.read[0] != nullptr) *tile.read[0] += n;
      if (kCountAccesses && tile.written != nullptr) *tile.written += n;
      continue;
    }
    if (action.reads_global) {
      // Masters of a space in blocks are numbered through; all else goes by the table.
      const bool numbered = masters && _space.blocks();
      tile.global = numbered ? nullptr : _global.data() + first;
      tile.first_global = numbered ? _space.first_master() + static_cast<GlobalIndex>(first) : 0;
    }
    if constexpr (kCheckLaws) _law_check.see(action.launch, tile);
    action.run_element(action.context, tile);
  }
  for (const LateCopy& copy : work.late_copies) {
    std::memcpy(copy.to + std::uint64_t{copy.element_bytes} * first, copy.from, std::uint64_t{n} * copy.element_bytes);
  }
}

}  // namespace kasen::runtime
