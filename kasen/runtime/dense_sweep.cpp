#include "kasen/runtime/dense_sweep.h"

#include <algorithm>
#include <set>
#include <utility>

#include "kasen/base/error.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/parts.h"
#include "kasen/runtime/running.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::runtime {

using optimizer::Launch;

namespace {

/// The fewest rows of a rectangle, so that vectors are read and written little beside it.
constexpr std::uint64_t kFewestRows = 16;
/// Where outputs make fewer rectangles than this, inputs are cut into parts...
constexpr std::uint64_t kFewBlocks = 32;
/// ... of no fewer inputs than this, so that results of their own cost little.
constexpr std::uint64_t kFewestInputs = 256;

const partition::DenseBlock& matrix_of(const optimizer::Sweep& sweep, const RunContext& context) {
  const partition::DenseBlock* block = context.placement.matrix(sweep.matrix).dense();
  if (block == nullptr) throw InternalError("a matrix is not dense");
  return *block;
}

/// The outputs of a launch, in as few runs of local indices as possible: masters and replicas often are one.
std::vector<partition::Interval> outputs_of(const Launch& launch, const partition::IndexSpace& space) {
  std::vector<partition::Interval> outputs{{0, space.masters()}};
  if (launch.roles.empty()) return outputs;
  for (const partition::Interval& more : space.replicas(launch.roles)) {
    partition::Interval& last = outputs.back();
    if (last.first + last.count == more.first) {
      last.count += more.count;
    } else {
      outputs.push_back(more);
    }
  }
  return outputs;
}

}  // namespace

DenseSweep::DenseSweep(const optimizer::Sweep& sweep, std::span<const ValueId> dies, RunContext& context)
    : _sweep(sweep),
      _context(context),
      _law_check(sweep, context),
      _matrix(matrix_of(sweep, context)),
      _value_bytes(context.placement.matrix(sweep.matrix).value_bytes()),
      _by_columns(optimizer::walked_side(sweep.launches.at(0)) == Role::Side::column) {
  _replaceable = optimizer::replaceable(sweep, dies);
  cut();
  for (Hand& hand : _hands) hand.products = products(hand);
}

/// Sizes of rectangles, parts of inputs, and the number of threads that share them.
void DenseSweep::cut() {
  const std::uint64_t bytes = _sweep.tile_matrix_bytes, all_columns = _matrix.columns;
  const std::uint64_t columns =
      std::clamp<std::uint64_t>(bytes / kFewestRows / _value_bytes, 1, std::max<std::uint64_t>(all_columns, 1));
  const std::uint64_t rows = std::max<std::uint64_t>(bytes / (columns * _value_bytes) / kFewestRows, 1) * kFewestRows;
  _inputs = _by_columns ? _matrix.rows : _matrix.columns;
  _outputs = _by_columns ? _matrix.columns : _matrix.rows;
  _inputs_once = _by_columns ? rows : columns;
  _outputs_once = _by_columns ? columns : rows;
  const std::uint64_t blocks = (_outputs + _outputs_once - 1) / _outputs_once;
  const std::uint64_t most = _inputs * _outputs / _context.limits.part_elements;  // parts of any kind
  _inputs_of_part = std::max<std::uint64_t>(_inputs, 1);
  if (blocks < kFewBlocks && most > 1) {
    const std::uint64_t parts = std::min({kMostParts, most, std::max<std::uint64_t>(_inputs / kFewestInputs, 1)});
    _inputs_of_part = ((_inputs + parts - 1) / parts + kFewestRows - 1) / kFewestRows * kFewestRows;
    _parts = (_inputs + _inputs_of_part - 1) / _inputs_of_part;
  }
  if constexpr (kCountAccesses) {  // which count what is added to each time, and it is added to here only in a cache
    _inputs_once = _inputs_of_part;
    _outputs_once = std::max<std::uint64_t>(_outputs, 1);
  }
  const std::uint64_t shared = _parts > 1 ? _parts : (_outputs + _outputs_once - 1) / _outputs_once;
  _hands = std::vector<Hand>(std::clamp<std::uint64_t>(std::min(shared, most), 1, _context.team.size()));
}

std::vector<DenseSweep::Product> DenseSweep::products(Hand& hand) {
  AccessCount* const reads = kCountAccesses ? &hand.witnessed.elements_read : nullptr;
  AccessCount* const writes = kCountAccesses ? &hand.witnessed.elements_written : nullptr;
  std::vector<Product> products;
  std::set<ValueId> seen, seen_at_outputs;
  std::uint64_t lines = 0;
  for (const Launch& launch : _sweep.launches) {
    Product& product = products.emplace_back();
    product.launch = &launch;
    product.kernel = &_context.kernel<MatrixKernel>(launch.kernel);
    product.outputs = outputs_of(launch, _context.placement.space(_sweep.space));
    for (std::size_t k = 0; k < launch.in.size(); ++k) {
      const ValueId value = launch.in[k];
      const bool at_outputs = is_at_outputs(launch, k);
      const bool first = (at_outputs ? seen_at_outputs : seen).insert(value).second;
      product.in.push_back({value, _context.element_bytes(value), first, at_outputs});
      product.read.push_back(first ? reads : nullptr);
      product.read_again.push_back(first && !at_outputs ? reads : nullptr);
    }
    for (const ValueId value : launch.out) {
      product.out.push_back({value, _context.element_bytes(value)});
      product.out.back().partials = lines;
      lines += (_parts - 1) * lines_of(_outputs * product.out.back().bytes);
    }
    product.written.assign(product.out.size(), writes);
    product.source.resize(product.in.size());
    product.target.resize(product.out.size());
    product.tile.vectors = static_cast<std::uint32_t>(product.out.size());
    product.tile.entries = products.size() == 1 ? reads : nullptr;
  }
  for (Product& product : products) {
    product.tile.in = product.source.data();
    product.tile.out = product.target.data();
  }
  _partials.resize(lines);
  return products;
}

void DenseSweep::run() {
  _context.storage.place_outputs(_sweep, _replaceable);
  for (Hand& hand : _hands) {
    for (Product& product : hand.products) {
      for (Vector& vector : product.in) vector.base = _context.storage.vector(vector.value);
      for (Vector& vector : product.out) vector.base = _context.storage.vector(vector.value);
    }
  }
  for (Product& product : _hands[0].products) finish_outputs(product);
  if (_inputs > 0 && _outputs > 0) multiply();
  for (Hand& hand : _hands) {
    _context.measured += std::exchange(hand.measured, {});
    _context.witnessed += std::exchange(hand.witnessed, {});
  }
  if constexpr (kCheckLaws) {
    _law_check.see_products();
    _law_check.agree();
  }
}

DenseSweep::Range DenseSweep::share_of(std::uint32_t thread, std::uint64_t all, std::uint64_t unit) const {
  const std::uint64_t units = (all + unit - 1) / unit;
  const auto end_of = [&](std::uint64_t threads) { return std::min(units * threads / _hands.size() * unit, all); };
  return {end_of(thread), end_of(thread + 1)};
}

void DenseSweep::multiply() {
  const auto threads = static_cast<std::uint32_t>(_hands.size());
  on_threads(_context.team, threads, [&](std::uint32_t thread) {
    Hand& hand = _hands[thread];
    if (_parts == 1) return walk(hand, 0, {0, _inputs}, share_of(thread, _outputs, _outputs_once));
    const Range parts = share_of(thread, _parts, 1);
    for (std::uint64_t part = parts.first; part < parts.end; ++part) {
      const std::uint64_t first = part * _inputs_of_part;
      walk(hand, part, {first, std::min(first + _inputs_of_part, _inputs)}, {0, _outputs});
    }
  });
  if (_parts == 1) return;
  on_threads(_context.team, threads, [&](std::uint32_t thread) {
    reduce_parts(_hands[thread], share_of(thread, _outputs, sizeof(CacheLine)));
  });
}

/// Rows before columns.
void DenseSweep::walk(Hand& hand, std::uint64_t part, Range inputs, Range outputs) {
  const auto rectangle = [&](std::uint64_t input, std::uint64_t output) {
    const Range in{input, std::min(input + _inputs_once, inputs.end)};
    const Range out{output, std::min(output + _outputs_once, outputs.end)};
    for (Product& product : hand.products) run_rectangle(hand, product, part, in, out, input > inputs.first);
  };
  if (_by_columns) {
    for (std::uint64_t input = inputs.first; input < inputs.end; input += _inputs_once) {
      for (std::uint64_t output = outputs.first; output < outputs.end; output += _outputs_once)
        rectangle(input, output);
    }
  } else {
    for (std::uint64_t output = outputs.first; output < outputs.end; output += _outputs_once) {
      for (std::uint64_t input = inputs.first; input < inputs.end; input += _inputs_once) rectangle(input, output);
    }
  }
}

std::byte* DenseSweep::results(const Vector& vector, std::uint64_t part) {
  if (part == 0) return vector.base;
  return _partials[vector.partials + (part - 1) * lines_of(_outputs * vector.bytes)].bytes;
}

void DenseSweep::reduce_parts(Hand& hand, Range outputs) {
  for (const Product& product : hand.products) {
    const Combine& combine = _context.reducers[index_of(product.launch->reducer)].combine;
    running = {&product.launch->label, product.launch->where};
    for (const partition::Interval& interval : product.outputs) {
      const std::uint64_t first = std::max<std::uint64_t>(outputs.first, interval.first);
      const std::uint64_t end = std::min(outputs.end, std::uint64_t{interval.first} + interval.count);
      if (first >= end) continue;
      for (const Vector& vector : product.out) {
        const std::uint64_t at = first * vector.bytes;
        for (std::uint64_t part = 1; part < _parts; ++part)
          combine.fold(combine.context.get(), vector.base + at, nullptr, results(vector, part) + at, end - first);
      }
    }
    running = {};
  }
}

/// Of the outputs that are in both. Counts are of what is walked; results of parts are no vectors.
void DenseSweep::run_rectangle(Hand& hand, Product& product, std::uint64_t part, Range inputs, Range outputs,
                               bool adds) {
  const Range whole = outputs;
  for (const partition::Interval& interval : product.outputs) {
    outputs.first = std::max<std::uint64_t>(whole.first, interval.first);
    outputs.end = std::min(whole.end, std::uint64_t{interval.first} + interval.count);
    if (outputs.first >= outputs.end) continue;
    const Range &rows = _by_columns ? inputs : outputs, &columns = _by_columns ? outputs : inputs;
    DenseTile& tile = product.tile;
    tile.stride = _matrix.columns;
    tile.rows = rows.end - rows.first;
    tile.columns = columns.end - columns.first;
    tile.value = _matrix.value.data() + (rows.first * _matrix.columns + columns.first) * _value_bytes;
    tile.adds = adds;
    tile.written = kCountAccesses && part == 0 ? product.written.data() : nullptr;
    if (kCountAccesses) tile.read = (part == 0 ? product.read : product.read_again).data();
    running = {&product.launch->label, product.launch->where};
    const std::uint64_t entries = tile.rows * tile.columns;
    Counts& counts = hand.measured;
    if (&product == &hand.products.front()) {
      counts.elements_read += entries;
      counts.bytes_read += entries * _value_bytes;
    }
    for (std::size_t k = 0; k < product.in.size(); ++k) {
      const Vector& vector = product.in[k];
      product.source[k] = vector.base + vector.bytes * (vector.at_outputs ? outputs.first : inputs.first);
      if (!vector.counted || (vector.at_outputs && (adds || part > 0))) continue;  // the next time in a cache
      const std::uint64_t times = vector.at_outputs ? outputs.end - outputs.first : entries;
      counts.elements_read += times;
      counts.bytes_read += times * vector.bytes;
    }
    for (std::size_t k = 0; k < product.out.size(); ++k) {
      const Vector& vector = product.out[k];
      product.target[k] = results(vector, part) + vector.bytes * outputs.first;
      if (adds || part > 0) continue;  // the next time in a cache
      counts.elements_written += outputs.end - outputs.first;
      counts.bytes_written += (outputs.end - outputs.first) * vector.bytes;
    }
    product.kernel->dense(product.kernel->context.get(), tile);
    running = {};
  }
}

/// Outputs without entries get the identity: rows or columns that the matrix has not here.
void DenseSweep::finish_outputs(Product& product) {
  const std::uint64_t with_entries = _inputs == 0 ? 0 : _outputs;
  for (const partition::Interval& interval : product.outputs) {
    const std::uint64_t end = std::uint64_t{interval.first} + interval.count;
    const std::uint64_t first = std::max<std::uint64_t>(interval.first, std::min(with_entries, end));
    if (first == end) continue;
    DenseTile& tile = product.tile;
    tile.rows = _by_columns ? 0 : end - first;
    tile.columns = _by_columns ? end - first : 0;
    tile.value = nullptr;
    tile.stride = 0;
    tile.adds = false;
    tile.written = kCountAccesses ? product.written.data() : nullptr;
    if (kCountAccesses) tile.read = product.read.data();
    for (std::size_t k = 0; k < product.in.size(); ++k) {
      const Vector& vector = product.in[k];
      product.source[k] = vector.base + (vector.at_outputs ? vector.bytes * first : 0);
      if (!vector.counted || !vector.at_outputs) continue;
      _context.measured.elements_read += end - first;
      _context.measured.bytes_read += (end - first) * vector.bytes;
    }
    for (std::size_t k = 0; k < product.out.size(); ++k) {
      const Vector& vector = product.out[k];
      product.target[k] = vector.base + vector.bytes * first;
      _context.measured.elements_written += end - first;
      _context.measured.bytes_written += (end - first) * vector.bytes;
    }
    product.kernel->dense(product.kernel->context.get(), tile);
  }
}

}  // namespace kasen::runtime
