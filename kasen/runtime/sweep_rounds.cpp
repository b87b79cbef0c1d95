/// @file
/// Sweeps on several threads in which products push through a matrix that is not dense: threads first run parts of the
/// elements, and keep what is to be pushed; then each pushes all of it, but only to its outputs.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>

#include "kasen/runtime/exchange_step.h"
#include "kasen/runtime/running.h"
#include "kasen/runtime/sweep_step.h"
#include "kasen/runtime/tile_buffers.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::runtime {

using optimizer::Launch;

namespace {

/// Elements and non-zeros of a round for each thread: so many that what it takes to wake threads does not show, and few
/// enough that what has been walked is still in a cache when it is pushed.
constexpr std::uint64_t kRoundWeight = 32'768;

}  // namespace

/// Of a multiple of as many parts as there are threads, so that none of them has one more to run.
void SweepStep::make_rounds() {
  const auto threads = static_cast<std::uint32_t>(_hands.size());
  const std::uint64_t entries = _context.placement.matrix(_sweep.matrix).nonzeros();  // in batches, of all
  _output_shares = share_outputs(_matrix, entries, threads);
  if (!in_rounds()) return;
  std::vector<std::uint64_t> weights;
  for (const Part& part : _parts) weights.push_back(part.weight);
  const std::uint64_t all = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  const std::uint64_t parts_each = kRoundWeight * weights.size() / std::max<std::uint64_t>(all, 1);
  const std::uint64_t parts = std::max<std::uint64_t>(parts_each, 1) * threads;
  _rounds.clear();
  for (std::size_t first = 0; first < weights.size(); first += parts) {
    const std::span these = std::span(weights).subspan(first, std::min<std::size_t>(parts, weights.size() - first));
    Round round{share_out(these, threads)};
    for (std::size_t& begin : round.shares) begin += first;
    _rounds.push_back(std::move(round));
  }
}

void SweepStep::make_kept() {
  std::size_t operands = 0;
  for (std::uint32_t l = 0; l < _sweep.launches.size(); ++l) {
    const Launch& launch = _sweep.launches[l];
    operands = std::max(operands, launch.in.size());
    for (std::uint32_t k = 0; launch.push && k < launch.in.size(); ++k) {
      if (!optimizer::reads_through_matrix(launch, k)) _kept.push_back({l, k, _context.element_bytes(launch.in[k])});
    }
  }
  for (std::size_t t = 0; t < _hands.size(); ++t) {
    std::uint64_t most = 0;
    for (const Round& round : _rounds) {
      std::uint64_t elements = 0;
      for (std::size_t p = round.shares[t]; p < round.shares[t + 1]; ++p) elements += _parts[p].end - _parts[p].first;
      most = std::max(most, elements);
    }
    for (const Kept& kept : _kept) _hands[t].kept.emplace_back(lines_of(most * kept.bytes));
    _hands[t].pushed.resize(operands);
  }
}

/// What pushing throws is thrown again by one thread that pushes all of the round, of whose exceptions it then is the
/// first.
void SweepStep::run_rounds() {
  const auto threads = static_cast<std::uint32_t>(_hands.size());
  on_threads(_context.team, threads, [&](std::uint32_t thread) {
    Hand& hand = _hands[thread];
    for (TileWork& work : hand.work) bind(work, _context.tiles[thread]);
    const OutputShare& share = _output_shares[thread];
    for (const Fill& each : _fills) fill(each, share.first(), share.end(), _context, hand.measured);
  });
  for (const Round& round : _rounds) {
    on_threads(_context.team, threads, [&](std::uint32_t thread) {
      Hand& hand = _hands[thread];
      hand.kept_first = 0;
      for (std::size_t part = round.shares[thread]; part < round.shares[thread + 1]; ++part) {
        run_part(hand, part);
        hand.kept_first += _parts[part].end - _parts[part].first;
      }
      running = {};
    });
    try {
      on_threads(_context.team, threads,
                 [&](std::uint32_t thread) { push(_hands[thread], &_output_shares[thread], round); });
    } catch (...) {
      const Running thrower = running;
      push(_hands[0], nullptr, round);
      running = thrower;
      throw;
    }
    if (_context.under_way != nullptr) _context.under_way->poll();
  }
}

void SweepStep::keep(Hand& hand, const TileWork& work, const Action& action, const Part& part, LocalIndex first,
                     std::uint32_t n) {
  for (std::size_t k = 0; k < _kept.size(); ++k) {
    const Kept& kept = _kept[k];
    if (kept.launch != action.launch) continue;
    const std::uint64_t at = hand.kept_first + (first - part.first);
    std::memcpy(hand.kept[k].data()->bytes + at * kept.bytes, work.source[action.first_in + kept.operand],
                std::uint64_t{n} * kept.bytes);
  }
}

/// In the order of one thread: part by part.
void SweepStep::push(Hand& hand, OutputShare* share, const Round& round) {
  for (std::size_t maker = 0; maker < _hands.size(); ++maker) {
    LocalIndex kept_first = 0;
    for (std::size_t p = round.shares[maker]; p < round.shares[maker + 1]; ++p) {
      const Part& part = _parts[p];
      for (const Action& action : hand.work[_stretches[part.stretch].work].actions) {
        if (action.push) push_part(hand, share, action, _hands[maker], part, kept_first);
      }
      kept_first += part.end - part.first;
    }
  }
  running = {};
}

void SweepStep::push_part(Hand& hand, OutputShare* share, const Action& action, const Hand& maker, const Part& part,
                          LocalIndex kept_first) {
  const Launch& launch = _sweep.launches[action.launch];
  running = {&launch.label, launch.where};
  std::copy_n(action.matrix.in, launch.in.size(), hand.pushed.begin());
  MatrixTile tile = action.matrix;
  tile.in = hand.pushed.data();
  if (share != nullptr) tile.prefetch_end = 0;  // most that lies ahead is for other threads
  for (LocalIndex first = part.first; first < part.end; first += tile.n) {
    for (std::size_t k = 0; k < _kept.size(); ++k) {
      const Kept& kept = _kept[k];
      if (kept.launch != action.launch) continue;
      const std::uint64_t at = kept_first + (first - part.first);
      hand.pushed[kept.operand] = maker.kept[k].data()->bytes + at * kept.bytes;
    }
    tile.first = first;
    tile.n = std::min(part.end - first, OutputShare::kMostInputs);
    if (share != nullptr) share->bind(tile, _matrix, first, tile.n);
    action.run_matrix(action.context, tile);
  }
}

}  // namespace kasen::runtime
