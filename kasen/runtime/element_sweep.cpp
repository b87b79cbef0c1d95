/// @file
/// Binding and running the kernels of an element sweep.
#include "kasen/runtime/element_sweep.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kasen/base/error.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/cache.h"
#include "kasen/runtime/tile_buffers.h"

namespace kasen::runtime {

using optimizer::Launch;
using optimizer::Place;

ElementSweep::ElementSweep(const optimizer::Sweep& sweep, std::span<const ValueId> dies, RunContext& context)
    : _sweep(sweep),
      _dies(dies),
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
    if (launch.op == Op::reduce) _lanes[l].resize(lines_of(context.kernel(launch.kernel).lanes_bytes));
  }
  for (Segment& segment : segments(sweep.launches, _space)) {
    auto found = std::find_if(_programs.begin(), _programs.end(), [&](const Program& p) {
      return p.launches == segment.launches && p.copies == segment.copies;
    });
    if (found == _programs.end()) found = _programs.insert(_programs.end(), make_program(segment));
    _stretches.push_back({segment.first, segment.count, static_cast<std::size_t>(found - _programs.begin())});
  }
}

std::uint32_t ElementSweep::place_of(ValueId value) const {
  const auto found = std::lower_bound(_sweep.places.begin(), _sweep.places.end(), value,
                                      [](const Place& place, ValueId v) { return place.value < v; });
  if (found == _sweep.places.end() || found->value != value) throw InternalError("a sweep's value has no place");
  return static_cast<std::uint32_t>(found - _sweep.places.begin());
}

ElementSweep::Program ElementSweep::make_program(const Segment& segment) {
  Program program;
  program.launches = segment.launches;
  program.copies = segment.copies;
  // Copies and launches in the order of the sweep.
  std::vector<std::pair<std::uint32_t, bool>> order;
  for (const std::uint32_t l : segment.launches) order.emplace_back(l, false);
  for (const std::uint32_t l : segment.copies) order.emplace_back(l, true);
  std::sort(order.begin(), order.end());

  std::vector<char> made(_sweep.places.size(), 0), seen(_sweep.places.size(), 0);
  const auto read = [&](ValueId value) {
    const std::uint32_t p = place_of(value);
    const Place& place = _sweep.places[p];
    // What is not made on this segment stays where it was: a pushdown in place leaves replicas alone.
    const bool in_tile = place.kind == Place::Kind::temporary || (place.late_copy && made[p] != 0);
    const std::uint32_t bytes = _context.element_bytes(value);
    const bool first_touch = place.kind == Place::Kind::input && std::exchange(seen[p], char{1}) == 0;
    program.in.push_back({p, in_tile, first_touch, bytes});
    program.read.push_back(kCountAccesses && first_touch ? &_context.witnessed.elements_read : nullptr);
    if (first_touch) {
      program.elements_read += 1;
      program.bytes_read += bytes;
    }
  };
  const auto write = [&](ValueId value) {
    const std::uint32_t p = place_of(value);
    const Place& place = _sweep.places[p];
    const std::uint32_t bytes = _context.element_bytes(value);
    made[p] = 1;
    program.out.push_back({p, place.kind == Place::Kind::temporary || place.late_copy, false, bytes});
    if (place.kind != Place::Kind::output) return;
    program.elements_written += 1;
    program.bytes_written += bytes;
    if (place.late_copy) program.late_copies.push_back({p, bytes});
  };

  for (const auto& [l, copies] : order) {
    const Launch& launch = _sweep.launches[l];
    Action action;
    action.kind = copies ? Action::Kind::copy : launch.op == Op::reduce ? Action::Kind::fold : Action::Kind::element;
    action.kernel = &_context.kernel(launch.kernel);
    action.launch = l;
    action.first_in = static_cast<std::uint32_t>(program.in.size());
    action.out = static_cast<std::uint32_t>(program.out.size());
    if (copies) {
      read(launch.in.at(launch.copied_input));
    } else {
      for (const ValueId value : launch.in) read(value);
      action.tile.shared = _shared[l].data();
    }
    if (action.kind == Action::Kind::fold) {
      action.lanes = _lanes[l].data();
    } else {
      write(launch.out.at(0));
      const bool stored = _sweep.places[program.out.back().place].kind == Place::Kind::output;
      action.tile.written = kCountAccesses && stored ? &_context.witnessed.elements_written : nullptr;
    }
    if (!copies && launch.reads_global) {
      action.reads_global = true;
      if (_global.empty()) _global = _space.global();
      // The table takes the place of a further operand, read once however many sources need it.
      const bool first_touch = !_space.blocks() && !std::exchange(program.reads_table, true);
      program.in.push_back({kNoPlace, true, false, 0});
      program.read.push_back(kCountAccesses && first_touch ? &_context.witnessed.elements_read : nullptr);
      if (first_touch) {
        program.elements_read += 1;
        program.bytes_read += sizeof(GlobalIndex);
      }
    }
    action.end_in = static_cast<std::uint32_t>(program.in.size());
    program.actions.push_back(action);
  }

  program.prefetches = _space.local_size() * program.bytes_read > kCachedBytes;
  program.pointer.resize(program.in.size());
  for (Action& action : program.actions) {
    action.tile.in = program.pointer.data() + action.first_in;
    action.tile.read = kCountAccesses ? program.read.data() + action.first_in : nullptr;
  }
  return program;
}

void ElementSweep::bind(Program& program) {
  const auto slot = [&](std::uint32_t place) { return _context.tiles.at(_sweep.places[place].slot, _tile_bytes); };
  const auto resolve = [&](Operand& operand) {
    if (operand.place == kNoPlace) return;
    operand.base = operand.in_tile ? slot(operand.place) : _context.storage.vector(_sweep.places[operand.place].value);
    operand.stride = operand.in_tile ? 0 : operand.element_bytes;
  };
  for (Operand& operand : program.in) resolve(operand);
  for (Operand& operand : program.out) resolve(operand);
  for (LateCopy& copy : program.late_copies) {
    copy.from = slot(copy.place);
    copy.to = _context.storage.vector(_sweep.places[copy.place].value);
  }
}

void ElementSweep::run() {
  for (std::size_t l = 0; l < _sweep.launches.size(); ++l) {
    const Launch& launch = _sweep.launches[l];
    for (const ValueId shared : launch.shared) require_value(_context, shared, launch.label, launch.where);
    const Kernel& kernel = _context.kernel(launch.kernel);
    if (launch.op == Op::reduce) kernel.begin(kernel.context.get(), _lanes[l].data());
  }
  for (const Place& place : _sweep.places) {
    if (place.kind == Place::Kind::output) _context.storage.place_output(place, _dies);
  }
  for (Program& program : _programs) bind(program);

  for (const Stretch& stretch : _stretches) {
    Program& program = _programs[stretch.program];
    const bool masters = &stretch == &_stretches.front();
    const LocalIndex end = stretch.first + stretch.count;
    for (LocalIndex first = stretch.first; first < end;) {
      const std::uint32_t n = std::min<std::uint32_t>(_sweep.tile_elements, end - first);
      first += n;
      const std::uint32_t ahead = std::min<std::uint32_t>(_sweep.tile_elements, end - first);
      run_tile(program, masters, first - n, n, ahead);
    }
    Counts& counts = _context.measured;
    counts.elements_read += stretch.count * program.elements_read;
    counts.bytes_read += stretch.count * program.bytes_read;
    counts.elements_written += stretch.count * program.elements_written;
    counts.bytes_written += stretch.count * program.bytes_written;
  }

  if constexpr (kCheckLaws) _law_check.agree();
  for (std::size_t l = 0; l < _sweep.launches.size(); ++l) {
    const Launch& launch = _sweep.launches[l];
    if (launch.op != Op::reduce) continue;
    const Kernel& kernel = _context.kernel(launch.kernel);
    const ValueId out = launch.out.at(0);
    _context.storage.set_has(out, kernel.finish(kernel.context.get(), _lanes[l].data(), _context.storage.shared(out)));
  }
}

void ElementSweep::run_tile(Program& program, bool masters, LocalIndex first, std::uint32_t n, std::uint32_t ahead) {
  for (std::size_t k = 0; k < program.in.size(); ++k) program.pointer[k] = program.in[k].at(first);

  for (Action& action : program.actions) {
    // Kernels take turns, and a hardware prefetcher that follows one stops while the others run.
    if (program.prefetches) {
      for (std::uint32_t k = action.first_in; k < action.end_in; ++k) {
        const Operand& in = program.in[k];
        if (in.streams) prefetch(in.at(first + n), std::uint64_t{ahead} * in.element_bytes);
      }
    }
    Tile& tile = action.tile;
    tile.n = n;
    if (action.kind == Action::Kind::fold) {
      action.kernel->fold(action.kernel->context.get(), action.lanes, tile);
      continue;
    }
    const Operand& out = program.out[action.out];
    tile.out = out.at(first);
    if (action.kind == Action::Kind::copy) {
      std::memmove(tile.out, tile.in[0], std::uint64_t{n} * out.element_bytes);
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
    action.kernel->element(action.kernel->context.get(), tile);
  }
  for (const LateCopy& copy : program.late_copies) {
    std::memcpy(copy.to + std::uint64_t{copy.element_bytes} * first, copy.from, std::uint64_t{n} * copy.element_bytes);
  }
}

}  // namespace kasen::runtime
