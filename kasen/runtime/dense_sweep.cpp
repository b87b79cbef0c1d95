#include "kasen/runtime/dense_sweep.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "kasen/base/error.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/running.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::runtime {

using optimizer::Launch;
using optimizer::Place;

namespace {

/// The fewest rows of a rectangle, so that vectors are read and written little beside it.
constexpr std::uint64_t kFewestRows = 16;

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
  const std::set<ValueId> at_random = optimizer::read_at_random(sweep);
  std::copy_if(dies.begin(), dies.end(), std::back_inserter(_replaceable),
               [&](ValueId value) { return !at_random.contains(value); });
  AccessCount* const reads = kCountAccesses ? &context.witnessed.elements_read : nullptr;
  AccessCount* const writes = kCountAccesses ? &context.witnessed.elements_written : nullptr;
  std::set<ValueId> seen;
  for (const Launch& launch : sweep.launches) {
    Product& product = _products.emplace_back();
    product.launch = &launch;
    product.kernel = &context.kernel<MatrixKernel>(launch.kernel);
    product.outputs = outputs_of(launch, context.placement.space(sweep.space));
    for (const ValueId value : launch.in) {
      product.in.push_back({value, context.element_bytes(value), seen.insert(value).second});
      product.read.push_back(product.in.back().counted ? reads : nullptr);
    }
    for (const ValueId value : launch.out) product.out.push_back({value, context.element_bytes(value)});
    product.written.assign(product.out.size(), writes);
    product.source.resize(product.in.size());
    product.target.resize(product.out.size());
    product.tile.vectors = static_cast<std::uint32_t>(product.out.size());
    product.tile.entries = _products.size() == 1 ? reads : nullptr;
  }
  for (Product& product : _products) {
    product.tile.in = product.source.data();
    product.tile.out = product.target.data();
    if (!kCountAccesses) continue;
    product.tile.read = product.read.data();
    product.tile.written = product.written.data();
  }
}

void DenseSweep::run() {
  multiply();
  if constexpr (kCheckLaws) {
    _law_check.see_products();
    _law_check.agree();
  }
}

void DenseSweep::multiply() {
  for (const Place& place : _sweep.places) {
    if (place.kind == Place::Kind::output) _context.storage.place_output(place, _replaceable);
  }
  for (Product& product : _products) {
    for (Vector& vector : product.in) vector.base = _context.storage.vector(vector.value);
    for (Vector& vector : product.out) vector.base = _context.storage.vector(vector.value);
    finish_outputs(product);
  }
  const std::uint64_t all_rows = _matrix.rows, all_columns = _matrix.columns;
  if (all_rows == 0 || all_columns == 0) return;
  const std::uint64_t bytes = _sweep.tile_matrix_bytes;
  std::uint64_t columns = std::min(all_columns, std::max<std::uint64_t>(bytes / kFewestRows / _value_bytes, 1));
  std::uint64_t rows = std::max<std::uint64_t>(bytes / (columns * _value_bytes) / kFewestRows, 1) * kFewestRows;
  if constexpr (kCountAccesses) {  // which count what is added to each time, and it is added to here only in a cache
    rows = all_rows;
    columns = all_columns;
  }
  for (std::uint64_t row = 0; row < all_rows; row += rows) {
    const Range of_rows{row, std::min(row + rows, all_rows)};
    for (std::uint64_t column = 0; column < all_columns; column += columns) {
      const Range of_columns{column, std::min(column + columns, all_columns)};
      for (Product& product : _products) run_rectangle(product, of_rows, of_columns, (_by_columns ? row : column) > 0);
    }
  }
}

/// Of the outputs that are in both. Counts are of what is walked.
void DenseSweep::run_rectangle(Product& product, Range rows, Range columns, bool adds) {
  Range& outputs = _by_columns ? columns : rows;
  const Range& inputs = _by_columns ? rows : columns;
  const Range whole = outputs;
  for (const partition::Interval& interval : product.outputs) {
    outputs.first = std::max<std::uint64_t>(whole.first, interval.first);
    outputs.end = std::min(whole.end, std::uint64_t{interval.first} + interval.count);
    if (outputs.first >= outputs.end) continue;
    DenseTile& tile = product.tile;
    tile.stride = _matrix.columns;
    tile.rows = rows.end - rows.first;
    tile.columns = columns.end - columns.first;
    tile.value = _matrix.value.data() + (rows.first * _matrix.columns + columns.first) * _value_bytes;
    tile.adds = adds;
    running = {&product.launch->label, product.launch->where};
    const std::uint64_t entries = tile.rows * tile.columns;
    Counts& counts = _context.measured;
    if (&product == &_products.front()) {
      counts.elements_read += entries;
      counts.bytes_read += entries * _value_bytes;
    }
    for (std::size_t k = 0; k < product.in.size(); ++k) {
      const Vector& vector = product.in[k];
      product.source[k] = vector.base + vector.bytes * inputs.first;
      if (!vector.counted) continue;
      counts.elements_read += entries;
      counts.bytes_read += entries * vector.bytes;
    }
    for (std::size_t k = 0; k < product.out.size(); ++k) {
      const Vector& vector = product.out[k];
      product.target[k] = vector.base + vector.bytes * outputs.first;
      if (adds) continue;  // the next time in a cache
      counts.elements_written += outputs.end - outputs.first;
      counts.bytes_written += (outputs.end - outputs.first) * vector.bytes;
    }
    product.kernel->dense(product.kernel->context.get(), tile);
    running = {};
  }
}

/// Outputs without entries get the identity: rows or columns that the matrix has not here.
void DenseSweep::finish_outputs(Product& product) {
  const std::uint64_t inputs = _by_columns ? _matrix.rows : _matrix.columns;
  const std::uint64_t with_entries = inputs == 0 ? 0 : _by_columns ? _matrix.columns : _matrix.rows;
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
    for (std::size_t k = 0; k < product.in.size(); ++k) product.source[k] = product.in[k].base;
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
