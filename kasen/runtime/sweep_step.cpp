/// @file
/// Running a sweep: its parts, on threads, and their tiles in turn.
#include "kasen/runtime/sweep_step.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "kasen/base/cached_bytes.h"
#include "kasen/base/error.h"
#include "kasen/base/source_line.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/batch_kernel.h"
#include "kasen/runtime/cache.h"
#include "kasen/runtime/exchange_step.h"
#include "kasen/runtime/running.h"
#include "kasen/runtime/tile_buffers.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::runtime {

using optimizer::Launch;
using optimizer::Place;

namespace {

/// Parts of a walk over a matrix begin at multiples of so many elements: at cache lines of vectors.
constexpr LocalIndex kPartUnit = 64;

}  // namespace

void SweepStep::Touched::add_to(Counts& counts, std::uint64_t times) const {
  counts.elements_read += elements_read * times;
  counts.bytes_read += bytes_read * times;
  counts.elements_written += elements_written * times;
  counts.bytes_written += bytes_written * times;
}

SweepStep::SweepStep(const optimizer::Sweep& sweep, std::span<const ValueId> dies, RunContext& context,
                     std::size_t position)
    : _sweep(sweep),
      _context(context),
      _position(position),
      _space(context.placement.space(sweep.space)),
      _tile_bytes(std::uint64_t{sweep.tile_elements} * sweep.slot_element_bytes),
      _wholes(context),
      _shared(sweep.launches.size()),
      _law_check(sweep, context) {
  if (sweep.tile_elements == 0) throw InternalError("a sweep without tile size");
  for (TileBuffers& tiles : context.tiles) tiles.reserve(sweep.slots, _tile_bytes);
  for (std::size_t l = 0; l < sweep.launches.size(); ++l) {
    const Launch& launch = sweep.launches[l];
    for (const ValueId shared : launch.shared) _shared[l].push_back(context.storage.shared(shared));
    if (launch.op == Op::with_wholes)
      std::for_each(launch.in.begin(), launch.in.begin() + launch.wholes, [&](ValueId v) { _wholes.add(v); });
  }
  _replaceable = optimizer::replaceable(sweep, dies);
  if (sweep.walk != optimizer::Walk::elements) open_matrix();
  _fills = fills_of(sweep, context);
  const std::vector<Segment> all = segments(sweep.launches, _space);
  std::vector<const Segment*> kinds;  // with different launches
  std::vector<partition::Interval> stretches;
  for (const Segment& segment : all) {
    auto found = std::find_if(kinds.begin(), kinds.end(), [&](const Segment* kind) {
      return kind->launches == segment.launches && kind->copies == segment.copies;
    });
    if (found == kinds.end()) found = kinds.insert(found, &segment);
    _stretches.push_back({segment.first + segment.count, static_cast<std::size_t>(found - kinds.begin())});
    stretches.push_back({segment.first, segment.count});
  }
  share_parts(stretches);
  for (Hand& hand : _hands) {
    hand.lanes.resize(sweep.launches.size());
    for (const Reduction& reduction : _reductions)
      hand.lanes[reduction.launch].resize(lines_of(reduction.folding->lanes_bytes));
    for (const Segment* kind : kinds) hand.work.push_back(make_work(*kind, hand));
  }
  for (Reduction& reduction : _reductions) {
    reduction.count = place_parts(reduction.launch, reduction.position);
    reduction.partials.resize(lines_of(std::uint64_t{reduction.count} * reduction.bytes));
    if (reduction.kernel != nullptr) reduction.lanes.resize(lines_of(reduction.kernel->lanes_bytes));
  }
  for (KeyedReduction& reduction : _keyed) make_tables(reduction);
  for (Push& push : _pushes) make_results(push);
  if (in_rounds()) make_kept();
}

bool SweepStep::runs(std::uint32_t launch, const Part& part) const {
  const std::vector<std::uint32_t>& run = _hands[0].work[_stretches[part.stretch].work].launches;
  return std::find(run.begin(), run.end(), launch) != run.end();
}

std::uint32_t SweepStep::place_parts(std::uint32_t launch, std::vector<std::uint32_t>& position) const {
  std::uint32_t count = 0;
  for (const Part& part : _parts) position.push_back(runs(launch, part) ? count++ : kNoPlace);
  return count;
}

/// Cuts the sweep and gives every thread consecutive parts. Pushes of several threads could meet at one output, unless
/// parts have results of their own, as those of a dense matrix, which has many non-zeros for each; of others threads
/// share the outputs, in rounds. A part has no fewer elements than results by key either, so that filling and folding
/// of tables is never most of the work; each element of a product of rows by rows adds to all results, so that fewer
/// do. Of rows and structs fewer are worth a part.
void SweepStep::share_parts(std::span<const partition::Interval> stretches) {
  const bool walks_matrix = _sweep.walk != optimizer::Walk::elements;
  const LocalIndex unit = walks_matrix ? std::min(kPartUnit, _sweep.tile_elements) : _sweep.tile_elements;
  std::function<std::uint64_t(LocalIndex, LocalIndex)> entries;
  if (_batch != nullptr) {  // whichever it will be
    entries = [&](LocalIndex first, LocalIndex end) { return (end - first) * mean_entries(); };
  } else if (walks_matrix) {
    entries = [&](LocalIndex first, LocalIndex end) { return entries_of(first, end); };
  }
  const std::vector<Value>& values = _context.plan.values;
  std::uint64_t least = _context.limits.part_elements / optimizer::numbers_of_element(_sweep, values);
  for (std::uint32_t l = 0; l < _sweep.launches.size(); ++l) {
    if (_sweep.launches[l].push && _dense != nullptr) {
      _pushes.push_back({l});
      const auto [walked, outputs] =
          _by_row ? std::pair{_dense->rows, _dense->columns} : std::pair{_dense->columns, _dense->rows};
      least = std::max(least, optimizer::least_pushed(walked) * outputs);
    }
    if (_sweep.launches[l].op != Op::reduce_by_key) continue;
    _keyed.push_back({l});
    const bool crosses = optimizer::is_cross(_sweep.launches[l], values);
    const std::uint64_t of_cross = std::min(optimizer::kLeastOfCross, _context.limits.part_elements);
    least = std::max(least, crosses ? of_cross : key_space(_sweep.launches[l]).length());
  }
  _parts = cut(stretches, entries, unit, least);
  _rounds.push_back({share_out(_parts, _context.team.size())});
  _hands = std::vector<Hand>(_rounds.front().shares.size() - 1);
  _hands.front().is_first = true;
  if (optimizer::pushes(_sweep) && _dense == nullptr) make_rounds();
  for (std::uint32_t l = 0; l < _sweep.launches.size(); ++l) {
    if (is_reduction(_sweep.launches[l].op)) _reductions.push_back(reduction_of(l));
  }
}

SweepStep::Reduction SweepStep::reduction_of(std::uint32_t l) const {
  const Launch& launch = _sweep.launches[l];
  Reduction reduction;
  reduction.launch = l;
  reduction.bytes = _context.element_bytes(launch.out.at(0));
  if (launch.op == Op::fold) {
    const auto& kernel = _context.kernel<FoldKernel>(launch.kernel);
    reduction.context = kernel.context.get();
    reduction.folding = &kernel;
    return reduction;
  }
  reduction.makes = maker_of_sum(launch);
  reduction.kernel = &_context.kernel<ReduceKernel>(launch.kernel);
  if (reduction.makes == kNoLaunch) {
    reduction.context = reduction.kernel->context.get();
    reduction.folding = reduction.kernel;
  } else {
    const auto& made = _context.kernel<ElementKernel>(_sweep.launches[reduction.makes].kernel);
    reduction.context = made.context.get();
    reduction.folding = &made.sum;
  }
  return reduction;
}

std::uint32_t SweepStep::maker_of_sum(const Launch& launch) const {
  if (kCheckLaws || !_context.kernel<ReduceKernel>(launch.kernel).adds) return kNoLaunch;
  const ValueId value = launch.in.at(0);
  if (_sweep.places[place_of(value)].kind != Place::Kind::temporary) return kNoLaunch;
  std::ptrdiff_t readers = 0;
  std::uint32_t maker = kNoLaunch;
  for (std::uint32_t l = 0; l < _sweep.launches.size(); ++l) {
    const Launch& other = _sweep.launches[l];
    readers += std::count(other.in.begin(), other.in.end(), value);
    if (std::find(other.out.begin(), other.out.end(), value) != other.out.end()) maker = l;
  }
  if (readers != 1 || maker == kNoLaunch) return kNoLaunch;
  const Launch& made = _sweep.launches[maker];
  if (is_matrix_op(made.op) || made.reads_global || made.roles != launch.roles) return kNoLaunch;
  if (!made.copied_roles.empty() || !launch.copied_roles.empty()) return kNoLaunch;
  const auto* kernel = std::get_if<ElementKernel>(&_context.kernels[index_of(made.kernel)]);  // none of a take
  return kernel == nullptr || kernel->sum.fold == nullptr ? kNoLaunch : maker;
}

void SweepStep::open_matrix() {
  partition::LocalMatrix& matrix = _context.placement.matrix(_sweep.matrix);
  std::set<Role::Side> sides;
  std::set<ValueId> reached = optimizer::read_through_matrix(_sweep);
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
  if (_sweep.walk == optimizer::Walk::stencils) {
    _stencils = &matrix.stencils(*sides.begin());
    return;
  }
  const ValueId batch = optimizer::batch_of(_sweep);
  if (batch != kNone<ValueId>) _batch = reinterpret_cast<const std::int64_t*>(_context.storage.shared(batch));
  const partition::CompressedView view = _by_row ? matrix.by_row() : matrix.by_column();
  _matrix = {view.pointer.data(), view.index.data(), view.value};  // in batches: the first
  const std::uint64_t entries = view.index.size();
  _entry_bytes = sizeof(LocalIndex) + matrix.value_bytes();
  _entries_at_once = _sweep.tile_matrix_bytes / _entry_bytes;
  std::uint64_t reached_bytes = 0;
  bool wide = false;  // so that an access brings several lines
  for (const ValueId value : reached) {
    const partition::IndexSpace& space = _context.placement.space(_context.plan.values[index_of(value)].space);
    reached_bytes += std::uint64_t{space.local_size()} * _context.element_bytes(value);
    wide = wide || _context.element_bytes(value) > sizeof(CacheLine) / 2;
  }
  const bool prefetch = reached_bytes > (wide ? kCachedBytes : kSharedCachedBytes) && entries > kPrefetchDistance;
  _far = entries * _entry_bytes > kCachedBytes;
  _prefetch_end = prefetch ? entries - kPrefetchDistance : 0;
}

/// Of a row of a matrix in batches.
std::uint64_t SweepStep::mean_entries() const {
  const partition::LocalMatrix& matrix = _context.placement.matrix(_sweep.matrix);
  return matrix.nonzeros() / std::max<std::uint64_t>(std::uint64_t{_space.local_size()} * matrix.batches(), 1);
}

/// Of a matrix in batches, opens the one that is walked now. As Shareds are equal on all workers, all of them throw.
void SweepStep::open_batch() {
  partition::LocalMatrix& matrix = _context.placement.matrix(_sweep.matrix);
  const std::int64_t number = *_batch;
  if (number < 0 || number >= std::int64_t{matrix.batches()}) {
    const auto product = std::find_if(_sweep.launches.begin(), _sweep.launches.end(),
                                      [](const Launch& launch) { return launch.of_batch; });
    throw AgreedError(prefix_of(product->where) + "[batch] " +
                      refusal_of_batch(std::to_string(number) + " for this product", matrix.batches()));
  }
  _matrix.pointer = matrix.batch(static_cast<std::uint32_t>(number)).pointer.data();
  const LocalIndex rows = _space.local_size();
  _context.activity[_position].pushed += {1, 0, _matrix.pointer[rows] - _matrix.pointer[0]};
}

std::uint32_t SweepStep::place_of(ValueId value) const {
  const auto found = std::lower_bound(_sweep.places.begin(), _sweep.places.end(), value,
                                      [](const Place& place, ValueId v) { return place.value < v; });
  if (found == _sweep.places.end() || found->value != value) throw InternalError("a sweep's value has no place");
  return static_cast<std::uint32_t>(found - _sweep.places.begin());
}

void SweepStep::bind(TileWork& work, TileBuffers& tiles) {
  const auto slot = [&](std::uint32_t place) { return tiles.at(_sweep.places[place].slot, _tile_bytes); };
  const auto resolve = [&](Operand& operand) {
    if (operand.place == kNoPlace) return;
    const ValueId value = _sweep.places[operand.place].value;
    operand.base = operand.where == Operand::Where::tile             ? slot(operand.place)
                   : operand.where == Operand::Where::whole_in_order ? _wholes.at(value)
                                                                     : _context.storage.vector(value);
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
  if (_batch != nullptr) {
    for (Action& action : work.actions) action.matrix.matrix.pointer = _matrix.pointer;
  }
  for (LateCopy& copy : work.late_copies) {
    copy.from = slot(copy.place);
    copy.to = _context.storage.vector(_sweep.places[copy.place].value);
  }
}

void SweepStep::run() {
  for (std::size_t l = 0; l < _sweep.launches.size(); ++l)
    require_shareds(_context, _sweep.launches[l], _shared[l].data());
  if (_batch != nullptr) open_batch();
  _context.storage.place_outputs(_sweep, _replaceable);
  for (const Fill& each : _fills) {
    if (!in_rounds()) fill(each, _context);
  }
  read_wholes();
  if (in_rounds()) {
    run_rounds();
  } else {
    on_threads(_context.team, static_cast<std::uint32_t>(_hands.size()),
               [&](std::uint32_t thread) { run_share(thread); });
  }
  for (Hand& hand : _hands) {
    _context.measured += std::exchange(hand.measured, {});
    _context.witnessed += std::exchange(hand.witnessed, {});
  }
  if constexpr (kCheckLaws) _law_check.agree();
  for (Reduction& reduction : _reductions) finish(reduction);
  for (KeyedReduction& reduction : _keyed) finish(reduction);
  for (Push& push : _pushes) finish(push);
}

void SweepStep::run_share(std::uint32_t thread) {
  Hand& hand = _hands[thread];
  for (TileWork& work : hand.work) bind(work, _context.tiles[thread]);
  const std::vector<std::size_t>& shares = _rounds.front().shares;
  for (std::size_t part = shares[thread]; part < shares[thread + 1]; ++part) {
    run_part(hand, part);
    if (hand.is_first && _context.under_way != nullptr) _context.under_way->poll();
  }
  running = {};
}

void SweepStep::run_part(Hand& hand, std::size_t p) {
  const Part& part = _parts[p];
  const Stretch& stretch = _stretches[part.stretch];
  TileWork& work = hand.work[stretch.work];
  for (const Reduction& reduction : _reductions)
    reduction.folding->begin(reduction.context, hand.lanes[reduction.launch].data());
  for (KeyedReduction& reduction : _keyed) begin(reduction, work, p);
  for (Push& push : _pushes) begin(push, work, p);
  for (LocalIndex first = part.first; first < part.end;) {
    const std::uint32_t n = tile_size(work, first, part.end - first);
    first += n;
    // The next tile of a dense matrix is as large as this one.
    const std::uint32_t next = _dense != nullptr ? n : _sweep.tile_elements;
    const std::uint32_t ahead = std::min<std::uint32_t>(next, stretch.end - first);
    run_tile(hand, work, part, first - n, n, ahead);
  }
  work.per_element.add_to(hand.measured, part.end - part.first);
  if (work.matrix_actions > 0) work.per_entry.add_to(hand.measured, entries_of(part.first, part.end));
  if (_stencils != nullptr && work.matrix_actions > 0) count_stencils(hand, part);
  for (Reduction& reduction : _reductions) {
    if (reduction.position[p] == kNoPlace) continue;
    running = {&_sweep.launches[reduction.launch].label, _sweep.launches[reduction.launch].where};
    std::byte* const partial =
        reduction.partials.data()->bytes + std::uint64_t{reduction.position[p]} * reduction.bytes;
    reduction.folding->finish(reduction.context, hand.lanes[reduction.launch].data(), partial);
  }
}

/// Reduces the partial results of parts, in their order. Those of a reduction as if they were a vector.
void SweepStep::finish(Reduction& reduction) {
  const Launch& launch = _sweep.launches[reduction.launch];
  std::byte* const out = _context.storage.shared(launch.out.at(0));
  bool has = true;
  if (reduction.count == 1) {
    std::memcpy(out, reduction.partials.data(), reduction.bytes);
  } else if (launch.op == Op::fold) {
    merge(reduction, out);
  } else {
    running = {&launch.label, launch.where};
    const ReduceKernel& kernel = *reduction.kernel;
    const void* const partials = reduction.partials.data();
    Tile tile;
    tile.in = &partials;
    tile.n = reduction.count;
    kernel.begin(kernel.context.get(), reduction.lanes.data());
    kernel.fold(kernel.context.get(), reduction.lanes.data(), tile);
    has = kernel.finish(kernel.context.get(), reduction.lanes.data(), out);
    running = {};
  }
  _context.storage.set_has(launch.out.at(0), has);
}

/// Accumulators may be large: one after the other, in place.
void SweepStep::merge(const Reduction& reduction, std::byte* out) {
  const Launch& launch = _sweep.launches[reduction.launch];
  const Reducer& reducer = _context.reducers[index_of(launch.reducer)];
  running = {&launch.label, launch.where};
  const auto* const partials = reinterpret_cast<const std::byte*>(reduction.partials.data());  // none: null
  std::memcpy(out, reduction.count == 0 ? reducer.identity.data() : partials, reduction.bytes);
  for (std::uint32_t k = 1; k < reduction.count; ++k) {
    const std::byte* const next = partials + std::uint64_t{k} * reduction.bytes;
    reducer.combine.fold(reducer.combine.context.get(), out, nullptr, next, 1);
  }
  running = {};
}

}  // namespace kasen::runtime
