/// @file
/// Running the kernels of a sweep on one tile.
#include <algorithm>
#include <cstring>

#include "kasen/runtime/access.h"
#include "kasen/runtime/cache.h"
#include "kasen/runtime/running.h"
#include "kasen/runtime/sweep_step.h"

namespace kasen::runtime {

namespace {

/// The shortest piece of a row of a dense matrix that is worth going to.
constexpr std::uint64_t kPieceBytes = 512;

}  // namespace

std::uint32_t SweepStep::tile_size(const TileWork& work, LocalIndex first, LocalIndex left) const {
  const std::uint32_t n = std::min<std::uint32_t>(_sweep.tile_elements, left);
  if (_dense != nullptr && work.matrix_actions > 0) {
    const std::uint64_t across = std::max<std::uint64_t>(_by_row ? _dense->columns : _dense->rows, 1);
    const std::uint64_t least = _by_row ? 1 : std::max<std::uint64_t>(kPieceBytes / _entry_bytes, 1);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(n, std::max(_entries_at_once / across, least)));
  }
  if (work.matrix_actions < 2 || _stencils != nullptr) return n;
  // What one kernel has walked the next should find in the cache, however long the rows are.
  const std::uint64_t* begin = _matrix.pointer + first;
  const auto fitting = std::upper_bound(begin + 1, begin + n + 1, *begin + _entries_at_once) - (begin + 1);
  return std::max<std::uint32_t>(static_cast<std::uint32_t>(fitting), 1);
}

std::uint64_t SweepStep::entries_of(LocalIndex first, LocalIndex end) const {
  if (_stencils != nullptr) return _stencils->entries_before(end) - _stencils->entries_before(first);
  if (_dense == nullptr) return _matrix.pointer[end] - _matrix.pointer[first];
  const std::uint64_t across = _by_row ? _dense->columns : _dense->rows;
  const LocalIndex with_entries = _by_row ? _dense->rows : _dense->columns;
  return across * (std::min(end, with_entries) - std::min(first, with_entries));
}

void SweepStep::count_stencils(Hand& hand, const Part& part) const {
  const partition::StencilMatrix::Size begun = _stencils->begun(part.first, part.end);
  const std::uint64_t entry_bytes = MatrixFormat::kOffsetBytes + _context.placement.matrix(_sweep.matrix).value_bytes();
  hand.measured.elements_read += begun.runs + begun.entries;
  hand.measured.bytes_read += begun.runs * MatrixFormat::kStencilRunBytes + begun.entries * entry_bytes;
}

void SweepStep::run_stencils(Action& action, LocalIndex first, std::uint32_t n) const {
  StencilTile& tile = action.stencils;
  tile.matrix.runs = _stencils->run_of(first);
  tile.first = first;
  tile.n = n;
  action.run_stencils(action.context, tile);
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
void SweepStep::see_product(const Hand& hand, const TileWork& work, const Action& action, std::uint32_t n) {
  if (hand.is_first && !action.push) _law_check.see_reduced(action.launch, work.target[action.first_out], n);
}

void SweepStep::see_fold(const Action& action) {
  if (_sweep.launches[action.launch].op == Op::fold) {
    _law_check.see_folded(action.launch, action.tile);
  } else {
    _law_check.see_reduced(action.launch, action.tile.in[0], action.tile.n);
  }
}

void SweepStep::run_tile(Hand& hand, TileWork& work, const Part& part, LocalIndex first, std::uint32_t n,
                         std::uint32_t ahead) {
  [[maybe_unused]] const bool tries_laws = kCheckLaws && hand.is_first;
  for (const std::size_t k : work.moving_in) work.source[k] = work.in[k].at(first);
  for (const std::size_t k : work.moving_out) work.target[k] = work.out[k].at(first);

  // Kernels take turns, and a hardware prefetcher that follows one stops while the others run. Each is preceded by its
  // part of the next tile: a core that has asked for many lines at once waits.
  std::uint64_t turn = 0;
  for (Action& action : work.actions) {
    for (const Prefetch& vector : work.prefetched) {
      const Operand& in = work.in[vector.in];
      const std::uint64_t lines = lines_of(std::uint64_t{ahead} * in.element_bytes);
      prefetch(in.at(first + n), turn * vector.lines, std::min((turn + 1) * vector.lines, lines));
    }
    ++turn;
    if (action.push && in_rounds()) {
      keep(hand, work, action, part, first, n);
      continue;
    }
    running = {&_sweep.launches[action.launch].label, _sweep.launches[action.launch].where};
    if (action.kind == Action::Kind::matrix && _dense != nullptr) {
      run_dense(work, action, first, n);
      if constexpr (kCheckLaws) see_product(hand, work, action, n);
      continue;
    }
    if (action.kind == Action::Kind::matrix) {
      if (_stencils != nullptr) {
        run_stencils(action, first, n);
      } else {
        action.matrix.first = first;
        action.matrix.n = n;
        action.run_matrix(action.context, action.matrix);
      }
      if constexpr (kCheckLaws) see_product(hand, work, action, n);
      continue;
    }
    if (action.kind == Action::Kind::keys) {
      run_keys(hand, work, action, first, n);
      continue;
    }
    Tile& tile = action.tile;
    tile.n = n;
    if (action.kind == Action::Kind::fold) {
      if (tries_laws) see_fold(action);
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
      const bool numbered = part.stretch == 0 && _space.blocks();
      tile.global = numbered ? nullptr : _global.data() + first;
      tile.first_global = numbered ? _space.first_master() + static_cast<GlobalIndex>(first) : 0;
    }
    if (tries_laws) _law_check.see(action.launch, tile);
    action.run_element(action.context, tile);
  }
  for (const LateCopy& copy : work.late_copies) {
    std::memcpy(copy.to + std::uint64_t{copy.element_bytes} * first, copy.from, std::uint64_t{n} * copy.element_bytes);
  }
}

}  // namespace kasen::runtime
