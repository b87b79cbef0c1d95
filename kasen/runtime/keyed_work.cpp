/// @file
/// The part of a sweep that reaches other spaces: wholes; tables by key, their tiles, and keys that lead nowhere.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kasen/base/error.h"
#include "kasen/base/source_line.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/running.h"
#include "kasen/runtime/sweep_step.h"

namespace kasen::runtime {

using optimizer::Launch;

const partition::IndexSpace& SweepStep::key_space(const Launch& launch) const {
  const ValueId reached = launch.op == Op::take ? launch.in.at(0) : launch.out.at(0);
  return _context.placement.space(_context.plan.values[index_of(reached)].space);
}

/// Every function that gets a whole is taken to read it once, however often it does.
void SweepStep::read_wholes() {
  _wholes.refresh();
  for (const Launch& launch : _sweep.launches) {
    for (std::size_t k = 0; launch.op == Op::with_wholes && k < launch.wholes; ++k) {
      const std::uint64_t length =
          _context.placement.space(_context.plan.values[index_of(launch.in[k])].space).length();
      _context.measured.elements_read += length;
      _context.measured.bytes_read += length * _context.element_bytes(launch.in[k]);
      if (kCountAccesses) _context.witnessed.elements_read += length;
    }
  }
}

void SweepStep::make_tables(KeyedReduction& reduction) {
  const std::uint32_t count = place_parts(reduction.launch, reduction.position);
  const Launch& launch = _sweep.launches[reduction.launch];
  reduction.tables.emplace(_context.reducers[index_of(launch.reducer)], key_space(launch).length(), count);
}

/// Binds the part's work to the table that it fills.
void SweepStep::begin(KeyedReduction& reduction, TileWork& work, std::size_t part) {
  const std::uint32_t position = reduction.position[part];
  if (position == kNoPlace) return;
  reduction.tables->begin(position);
  for (Action& action : work.actions) {
    if (action.launch == reduction.launch) action.by_key.table = reduction.tables->table(position);
  }
}

void SweepStep::run_keys(const Hand& hand, const TileWork& work, Action& action, LocalIndex first, std::uint32_t n) {
  KeyTile& tile = action.by_key;
  const auto in = [&](std::size_t k) { return work.source[action.first_in + k]; };
  tile.n = n;
  tile.key = in(0);
  if (_sweep.launches[action.launch].op == Op::take) {
    tile.taken = in(1);
    tile.out = work.target[action.first_out];
  } else {
    tile.in = in(1);
    if (kCheckLaws && hand.is_first) _law_check.see_reduced(action.launch, tile.in, n);
  }
  const std::uint32_t wrong = action.keyed->run(action.context, tile);
  if (wrong < n) refuse_key(action, first + wrong, action.keyed->key_at(tile, wrong));
}

void SweepStep::refuse_key(const Action& action, LocalIndex element, std::uint64_t key) const {
  const Launch& launch = _sweep.launches[action.launch];
  const GlobalIndex index = _space.global_of(element);
  const std::uint64_t keys = action.by_key.keys;
  const std::string all = keys == 0 ? "there are no elements for keys"
                                    : fmt::format("keys are 0 to {}, or negative where there is none", keys - 1);
  throw ProgramError(
      fmt::format("{}[{}] element {} has the key {}, and {}", prefix_of(launch.where), launch.label, index, key, all));
}

void SweepStep::finish(KeyedReduction& reduction) {
  const Launch& launch = _sweep.launches[reduction.launch];
  const ValueId out = launch.out.at(0);
  const partition::IndexSpace& space = key_space(launch);
  running = {&launch.label, launch.where};
  reduction.tables->finish(space.numbers(), _context.storage.vector(out), _context.team);
  running = {};
  Counts written;
  written.elements_written = space.length();
  written.bytes_written = space.length() * _context.element_bytes(out);
  _context.measured += written;
  if (kCountAccesses) _context.witnessed.elements_written += written.elements_written;
}

}  // namespace kasen::runtime
