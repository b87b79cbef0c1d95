/// @file
/// Binding and running matrix kernels over the outputs of a local matrix.
#include "kasen/runtime/matrix_sweep.h"

#include <algorithm>
#include <set>
#include <string>

#include "kasen/base/error.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/cache.h"

namespace kasen::runtime {

using optimizer::Launch;
using optimizer::Place;

namespace {

/// Which of a kernel's variants runs a batch.
std::size_t variant(std::size_t vectors) {
  switch (vectors) {
    case 1:
      return 0;
    case 2:
      return 1;
    case 4:
      return 2;
    default:
      throw InternalError("a batch of " + std::to_string(vectors) + " matrix products");
  }
}

}  // namespace

MatrixSweep::MatrixSweep(const optimizer::Sweep& sweep, std::span<const ValueId> dies, RunContext& context)
    : _sweep(sweep), _dies(dies), _context(context) {
  if (sweep.tile_elements == 0 || sweep.launches.empty()) throw InternalError("an empty matrix sweep");
  const Op direction = sweep.launches.front().op;
  partition::LocalMatrix& matrix = context.placement.matrix(sweep.matrix);
  const partition::CompressedView view = direction == Op::mxv ? matrix.by_column() : matrix.by_row();
  _matrix = {view.pointer.data(), view.index.data(), view.value};
  _entries = view.index.size();
  _entry_bytes = sizeof(LocalIndex) + matrix.value_bytes();

  for (const Launch& launch : sweep.launches) {
    if (launch.op != direction) throw InternalError("a matrix sweep of both directions");
    const Kernel& kernel = context.kernel(launch.kernel);
    Batch batch;
    batch.run = kernel.matrix[variant(launch.out.size())];
    batch.context = kernel.context.get();
    batch.launch = &launch;
    batch.in.resize(launch.in.size());
    batch.out_base.resize(launch.out.size());
    batch.out.resize(launch.out.size());
    batch.read.resize(launch.in.size());
    batch.tile.matrix = _matrix;
    std::uint64_t input_bytes = 0;
    const partition::IndexSpace& inputs = context.placement.space(context.plan.values[index_of(launch.in.at(0))].space);
    for (const ValueId value : launch.in) {
      input_bytes += std::uint64_t{inputs.local_size()} * context.element_bytes(value);
    }
    const bool prefetch = input_bytes > kCachedBytes && _entries > kPrefetchDistance;
    batch.tile.prefetch_end = prefetch ? _entries - kPrefetchDistance : 0;
    _batches.push_back(std::move(batch));
  }
  for (Batch& batch : _batches) {
    batch.tile.in = batch.in.data();
    batch.tile.out = batch.out.data();
    batch.tile.read = kCountAccesses ? batch.read.data() : nullptr;
  }

  for (const Segment& segment : segments(sweep.launches, context.placement.space(sweep.space))) {
    auto found = std::find_if(_programs.begin(), _programs.end(),
                              [&](const Program& p) { return p.launches == segment.launches; });
    if (found == _programs.end()) found = _programs.insert(_programs.end(), make_program(segment.launches));
    _stretches.push_back({segment.first, segment.count, static_cast<std::size_t>(found - _programs.begin())});
  }
}

MatrixSweep::Program MatrixSweep::make_program(const std::vector<std::uint32_t>& launches) const {
  Program program;
  program.launches = launches;
  std::set<ValueId> inputs;
  for (const std::uint32_t l : launches) {
    const Launch& launch = _sweep.launches[l];
    for (const ValueId value : launch.in) {
      if (!inputs.insert(value).second) continue;
      program.vectors_read += 1;
      program.vector_bytes += _context.element_bytes(value);
    }
    for (const ValueId value : launch.out) {
      program.outputs += 1;
      program.output_bytes += _context.element_bytes(value);
    }
  }
  return program;
}

void MatrixSweep::bind() {
  for (const Place& place : _sweep.places) {
    if (place.kind == Place::Kind::output) _context.storage.place_output(place, _dies);
  }
  for (Batch& batch : _batches) {
    for (std::size_t k = 0; k < batch.in.size(); ++k) batch.in[k] = _context.storage.vector(batch.launch->in[k]);
    for (std::size_t k = 0; k < batch.out.size(); ++k) {
      batch.out_base[k] = _context.storage.vector(batch.launch->out[k]);
    }
  }
}

/// The first batch counts what is read once for all of them; a vector is counted where it is met first.
void MatrixSweep::bind_counters(const Program& program) {
  std::set<ValueId> seen;
  bool first = true;
  for (const std::uint32_t l : program.launches) {
    Batch& batch = _batches[l];
    batch.tile.entries = first ? &_context.witnessed.elements_read : nullptr;
    batch.tile.pointers = batch.tile.entries;
    batch.tile.written = &_context.witnessed.elements_written;
    for (std::size_t k = 0; k < batch.in.size(); ++k) {
      const bool counts = seen.insert(batch.launch->in[k]).second;
      batch.read[k] = counts ? &_context.witnessed.elements_read : nullptr;
    }
    first = false;
  }
}

void MatrixSweep::run() {
  bind();
  for (const Stretch& stretch : _stretches) {
    const Program& program = _programs[stretch.program];
    if (kCountAccesses) bind_counters(program);
    const LocalIndex end = stretch.first + stretch.count;
    for (LocalIndex first = stretch.first; first < end;) {
      const std::uint32_t n = std::min<std::uint32_t>(_sweep.tile_elements, end - first);
      run_tile(program, first, n);
      first += n;
    }
  }
}

void MatrixSweep::run_tile(const Program& program, LocalIndex first, std::uint32_t n) {
  for (const std::uint32_t l : program.launches) {
    Batch& batch = _batches[l];
    for (std::size_t k = 0; k < batch.out.size(); ++k) {
      batch.out[k] = batch.out_base[k] + std::uint64_t{first} * _context.element_bytes(batch.launch->out[k]);
    }
    batch.tile.first = first;
    batch.tile.n = n;
    batch.run(batch.context, batch.tile);
  }
  const std::uint64_t entries = _matrix.pointer[first + n] - _matrix.pointer[first];
  Counts& counts = _context.measured;
  counts.elements_read += entries * (1 + program.vectors_read) + n;
  counts.bytes_read += entries * (_entry_bytes + program.vector_bytes) + n * sizeof(std::uint64_t);
  counts.elements_written += n * program.outputs;
  counts.bytes_written += n * program.output_bytes;
}

}  // namespace kasen::runtime
