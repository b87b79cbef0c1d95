#include "kasen/runtime/blocked_sweep.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

#include "kasen/base/cached_bytes.h"
#include "kasen/base/error.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/exchange_step.h"
#include "kasen/runtime/running.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::runtime {

using optimizer::Launch;

namespace {

/// So many of the least parts of a sweep are walked before MPI goes on with an exchange that is under way: 65,536
/// entries, a tenth of a millisecond, in which a network of 1 Gbit/s fills 12 KB of a socket's buffer.
constexpr std::uint64_t kPartsOfPiece = 16;

const partition::BlockedMatrix& matrix_of(const optimizer::Sweep& sweep, const RunContext& context) {
  return context.placement.blocked(sweep.matrix, optimizer::walked_side(sweep.launches.at(0)));
}

}  // namespace

struct BlockedSweep::Piece {
  std::array<std::uint32_t, partition::BlockedMatrix::kLongestGroup + 1> runs{};
  std::uint64_t first_run, first_long_run, first_entry;
  std::uint64_t entries = 0;
};

BlockedSweep::BlockedSweep(const optimizer::Sweep& sweep, std::span<const ValueId> dies, RunContext& context,
                           std::span<const optimizer::UnderWay> under_way)
    : _sweep(sweep),
      _context(context),
      _law_check(sweep, context),
      _matrix(matrix_of(sweep, context)),
      _value_bytes(context.placement.matrix(sweep.matrix).value_bytes()),
      _hands(_matrix.parts().size()),
      _fills(fills_of(sweep, context)) {
  _replaceable = optimizer::replaceable(sweep, dies);
  for (const optimizer::UnderWay& one : under_way) {
    if (one.kind == optimizer::UnderWay::Kind::ends) _ends = one.exchange;
    // Of several threads one or two would make all that other workers wait for: then it begins after the sweep.
    if (one.kind == optimizer::UnderWay::Kind::begins && _hands.size() == 1) _begins = one.exchange;
  }
  for (Hand& hand : _hands) hand.products = products(hand);
  _hands.at(0).polls = true;
  order_blocks();
}

void BlockedSweep::order_blocks() {
  const Launch& launch = _sweep.launches.at(0);
  const auto masters_of = [&](ValueId value) {
    return std::uint64_t{_context.placement.space(_context.plan.values[index_of(value)].space).masters()};
  };
  const std::uint64_t inputs = masters_of(launch.in[0]), outputs = masters_of(launch.out[0]);
  const bool ends = std::any_of(_sweep.launches.begin(), _sweep.launches.end(),
                                [](const Launch& product) { return is_of_ends(product); });
  for (std::size_t p = 0; p < _hands.size(); ++p) {
    const partition::BlockedMatrix::Part& part = _matrix.parts()[p];
    for (std::size_t b = part.first_block; b < part.end_block; ++b) {
      const partition::BlockedMatrix::Block& block = _matrix.blocks()[b];
      const std::uint64_t end_input = std::uint64_t{block.first_input} + _matrix.edge();
      const std::uint64_t end_output =
          std::min(std::uint64_t{block.first_output} + _matrix.edge(), std::uint64_t{part.end_output});
      const bool of_masters = end_input <= inputs && (!ends || end_output <= outputs);
      const bool ahead = _ends != optimizer::kNotOverlapped && of_masters;
      const bool waited_for = _begins != optimizer::kNotOverlapped && end_output > outputs;
      _hands[p].stage[ahead ? 0 : waited_for ? 1 : 2].push_back(b);
    }
  }
}

std::vector<BlockedSweep::Product> BlockedSweep::products(Hand& hand) const {
  AccessCount* const reads = kCountAccesses ? &hand.witnessed.elements_read : nullptr;
  AccessCount* const writes = kCountAccesses ? &hand.witnessed.elements_written : nullptr;
  std::vector<Product> products;
  std::set<ValueId> seen, seen_at_outputs;
  for (const Launch& launch : _sweep.launches) {
    Product& product = products.emplace_back();
    product.launch = &launch;
    product.kernel = &_context.kernel<MatrixKernel>(launch.kernel);
    product.run = product.kernel->blocked[group_variant(launch.out.size())];
    for (std::size_t k = 0; k < launch.in.size(); ++k) {
      const ValueId value = launch.in[k];
      const bool at_outputs = is_at_outputs(launch, k);
      const bool first = (at_outputs ? seen_at_outputs : seen).insert(value).second;
      product.in.push_back({value, _context.element_bytes(value), first, at_outputs});
      product.read.push_back(product.in.back().counted ? reads : nullptr);
    }
    for (const ValueId value : launch.out) product.out.push_back({value, _context.element_bytes(value)});
    product.source.resize(product.in.size());
    product.target.resize(product.out.size());
    product.accumulated.assign(product.out.size(), reads);
    product.written.assign(product.out.size(), writes);
    if (products.size() == 1) product.block.entries = product.block.lists = reads;
  }
  for (Product& product : products) {
    product.block.in = product.source.data();
    product.block.out = product.target.data();
    product.block.far = _matrix.entries() * (sizeof(std::uint16_t) + _value_bytes) > kCachedBytes;
    product.block.read = product.read.data();
    product.block.accumulated = product.accumulated.data();
    product.block.written = product.written.data();
  }
  return products;
}

void BlockedSweep::run() {
  _context.storage.place_outputs(_sweep, _replaceable);
  std::size_t done = 0;
  const auto run_until = [&](std::size_t stage) { run_stages(std::exchange(done, stage), stage); };
  if (_ends != optimizer::kNotOverlapped && _context.under_way != nullptr) {
    run_until(1);
    _context.under_way->end();
  }
  if (_begins != optimizer::kNotOverlapped) {
    run_until(2);
    _context.overlapped.at(_begins)->begin();
  }
  run_until(kStages);
  for (Hand& hand : _hands) {
    _context.measured += std::exchange(hand.measured, {});
    _context.witnessed += std::exchange(hand.witnessed, {});
  }
  if constexpr (kCheckLaws) {
    _law_check.see_products();
    _law_check.agree();
  }
}

void BlockedSweep::run_stages(std::size_t first, std::size_t end) {
  on_threads(_context.team, static_cast<std::uint32_t>(_hands.size()),
             [&](std::uint32_t part) { run_part(part, first, end); });
}

void BlockedSweep::run_part(std::size_t p, std::size_t first_stage, std::size_t end_stage) {
  Hand& hand = _hands[p];
  const partition::BlockedMatrix::Part& part = _matrix.parts()[p];
  if (first_stage == 0) {
    const bool last = p + 1 == _hands.size();  // which has the outputs too that the matrix has got since
    const LocalIndex end = last ? std::numeric_limits<LocalIndex>::max() : part.end_output;
    for (const Fill& each : _fills) fill(each, part.first_output, end, _context, hand.measured);
    for (Product& product : hand.products) {
      for (Vector& vector : product.in) vector.base = _context.storage.vector(vector.value);
      for (Vector& vector : product.out) vector.base = _context.storage.vector(vector.value);
    }
  }
  for (std::size_t stage = first_stage; stage < end_stage; ++stage) {
    for (const std::size_t block : hand.stage[stage]) run_block(hand, _matrix.blocks()[block]);
  }
}

/// Counts are of what the block's groups really hold.
void BlockedSweep::run_block(Hand& hand, const partition::BlockedMatrix::Block& block) const {
  std::uint64_t runs = block.runs[0], entries = 0;
  for (std::uint32_t length = 1; length < block.runs.size(); ++length) {
    runs += block.runs[length];
    entries += std::uint64_t{length} * block.runs[length];
  }
  for (std::uint32_t k = 0; k < block.runs[0]; ++k) entries += _matrix.length()[block.first_long_run + k];

  Counts& counts = hand.measured;
  counts.elements_read += entries + runs + block.runs[0];
  counts.bytes_read += entries * (sizeof(std::uint16_t) + _value_bytes) + runs * sizeof(std::uint16_t) +
                       block.runs[0] * sizeof(std::uint32_t);
  for (Product& product : hand.products) {
    for (std::size_t k = 0; k < product.in.size(); ++k) {
      const Vector& vector = product.in[k];
      product.source[k] = vector.base + vector.bytes * (vector.at_outputs ? block.first_output : block.first_input);
      if (!vector.counted) continue;
      const std::uint64_t times = vector.at_outputs ? runs : entries;
      counts.elements_read += times;
      counts.bytes_read += times * vector.bytes;
    }
    for (std::size_t k = 0; k < product.out.size(); ++k) {
      const Vector& vector = product.out[k];
      product.target[k] = vector.base + vector.bytes * block.first_output;
      counts.elements_read += runs;
      counts.bytes_read += runs * vector.bytes;
      counts.elements_written += runs;
      counts.bytes_written += runs * vector.bytes;
    }
  }
  if (hand.polls && _context.under_way != nullptr) return run_in_pieces(hand, block);
  run_piece(hand, {block.runs, block.first_run, block.first_long_run, block.first_entry});
}

/// Between pieces MPI goes on with what is under way.
void BlockedSweep::run_in_pieces(Hand& hand, const partition::BlockedMatrix::Block& block) const {
  constexpr std::uint32_t kLot = partition::BlockedMatrix::kRunsAtOnce;
  const std::uint64_t most = _context.limits.part_elements * kPartsOfPiece;
  Piece piece{{}, block.first_run, block.first_long_run, block.first_entry};
  const auto finish = [&] {
    run_piece(hand, piece);
    _context.under_way->poll();
    for (std::size_t length = 0; length < piece.runs.size(); ++length) piece.first_run += piece.runs[length];
    piece.first_long_run += piece.runs[0];
    piece.first_entry += std::exchange(piece.entries, 0);
    piece.runs = {};
  };
  for (std::uint32_t length = 1; length < block.runs.size(); ++length) {
    for (std::uint32_t left = block.runs[length]; left > 0;) {
      const auto fit = static_cast<std::uint32_t>((most - piece.entries) / (length * kLot) + 1) * kLot;
      const std::uint32_t taken = std::min(left, fit);
      piece.runs[length] += taken;
      piece.entries += std::uint64_t{taken} * length;
      left -= taken;
      if (piece.entries >= most) finish();
    }
  }
  for (std::uint32_t k = 0; k < block.runs[0]; ++k) {
    piece.runs[0] += 1;
    piece.entries += _matrix.length()[block.first_long_run + k];
    if (piece.entries >= most) finish();
  }
  if (piece.entries > 0) finish();
}

void BlockedSweep::run_piece(Hand& hand, const Piece& piece) const {
  for (Product& product : hand.products) {
    product.block.runs = piece.runs.data();
    product.block.output = _matrix.output() + piece.first_run;
    product.block.length = _matrix.length() + piece.first_long_run;
    product.block.input = _matrix.input() + piece.first_entry;
    if (_matrix.value() != nullptr) product.block.value = _matrix.value() + piece.first_entry * _value_bytes;
    running = {&product.launch->label, product.launch->where};
    product.run(product.kernel->context.get(), product.block);
    running = {};
  }
}

}  // namespace kasen::runtime
