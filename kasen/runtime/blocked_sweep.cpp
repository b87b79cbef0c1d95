#include "kasen/runtime/blocked_sweep.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "kasen/base/error.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/running.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::runtime {

using optimizer::Launch;
using optimizer::Place;

namespace {

const partition::BlockedMatrix& matrix_of(const optimizer::Sweep& sweep, const RunContext& context) {
  return context.placement.blocked(sweep.matrix, optimizer::walked_side(sweep.launches.at(0)));
}

}  // namespace

BlockedSweep::BlockedSweep(const optimizer::Sweep& sweep, std::span<const ValueId> dies, RunContext& context)
    : _sweep(sweep),
      _context(context),
      _law_check(sweep, context),
      _matrix(matrix_of(sweep, context)),
      _value_bytes(context.placement.matrix(sweep.matrix).value_bytes()),
      _hands(_matrix.parts().size()),
      _fills(fills_of(sweep, context)) {
  const std::set<ValueId> at_random = optimizer::read_at_random(sweep);
  std::copy_if(dies.begin(), dies.end(), std::back_inserter(_replaceable),
               [&](ValueId value) { return !at_random.contains(value); });
  for (Hand& hand : _hands) hand.products = products(hand);
}

std::vector<BlockedSweep::Product> BlockedSweep::products(Hand& hand) const {
  AccessCount* const reads = kCountAccesses ? &hand.witnessed.elements_read : nullptr;
  AccessCount* const writes = kCountAccesses ? &hand.witnessed.elements_written : nullptr;
  std::vector<Product> products;
  std::set<ValueId> seen;
  for (const Launch& launch : _sweep.launches) {
    Product& product = products.emplace_back();
    product.launch = &launch;
    product.kernel = &_context.kernel<MatrixKernel>(launch.kernel);
    product.run = product.kernel->blocked[batch_variant(launch.out.size())];
    for (const ValueId value : launch.in) {
      product.in.push_back({value, _context.element_bytes(value), seen.insert(value).second});
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
    product.block.read = product.read.data();
    product.block.accumulated = product.accumulated.data();
    product.block.written = product.written.data();
  }
  return products;
}

void BlockedSweep::run() {
  for (const Place& place : _sweep.places) {
    if (place.kind == Place::Kind::output) _context.storage.place_output(place, _replaceable);
  }
  on_threads(_context.team, static_cast<std::uint32_t>(_hands.size()), [&](std::uint32_t part) { run_part(part); });
  for (Hand& hand : _hands) {
    _context.measured += std::exchange(hand.measured, {});
    _context.witnessed += std::exchange(hand.witnessed, {});
  }
  if constexpr (kCheckLaws) {
    _law_check.see_products();
    _law_check.agree();
  }
}

void BlockedSweep::run_part(std::size_t p) {
  Hand& hand = _hands[p];
  const partition::BlockedMatrix::Part& part = _matrix.parts()[p];
  const bool last = p + 1 == _hands.size();  // which has the outputs too that the matrix has got since
  const LocalIndex end = last ? std::numeric_limits<LocalIndex>::max() : part.end_output;
  for (const Fill& each : _fills) fill(each, part.first_output, end, _context, hand.measured);
  for (Product& product : hand.products) {
    for (Vector& vector : product.in) vector.base = _context.storage.vector(vector.value);
    for (Vector& vector : product.out) vector.base = _context.storage.vector(vector.value);
  }
  for (std::size_t block = part.first_block; block < part.end_block; ++block) run_block(hand, _matrix.blocks()[block]);
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
      product.source[k] = vector.base + vector.bytes * block.first_input;
      if (!vector.counted) continue;
      counts.elements_read += entries;
      counts.bytes_read += entries * vector.bytes;
    }
    for (std::size_t k = 0; k < product.out.size(); ++k) {
      const Vector& vector = product.out[k];
      product.target[k] = vector.base + vector.bytes * block.first_output;
      counts.elements_read += runs;
      counts.bytes_read += runs * vector.bytes;
      counts.elements_written += runs;
      counts.bytes_written += runs * vector.bytes;
    }
    product.block.runs = block.runs.data();
    product.block.output = _matrix.output() + block.first_run;
    product.block.length = _matrix.length() + block.first_long_run;
    product.block.input = _matrix.input() + block.first_entry;
    if (_matrix.value() != nullptr) product.block.value = _matrix.value() + block.first_entry * _value_bytes;
    running = {&product.launch->label, product.launch->where};
    product.run(product.kernel->context.get(), product.block);
    running = {};
  }
}

}  // namespace kasen::runtime
