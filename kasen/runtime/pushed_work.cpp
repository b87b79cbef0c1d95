/// @file
/// The part of a sweep that pushes through a dense matrix: results of parts, so that threads do not meet at an output.
#include <algorithm>

#include "kasen/runtime/running.h"
#include "kasen/runtime/sweep_step.h"

namespace kasen::runtime {

using optimizer::Launch;

void SweepStep::make_results(Push& push) {
  const std::uint32_t parts = place_parts(push.launch, push.position);
  const Launch& launch = _sweep.launches[push.launch];
  push.bytes = _context.element_bytes(launch.out.at(0));
  push.outputs = _by_row ? _dense->columns : _dense->rows;
  push.partials.resize(std::max(parts, 1u) - 1);
  for (RawVector<CacheLine>& partial : push.partials) partial.resize(lines_of(push.outputs * push.bytes));
}

/// Binds the part's work to the results that it adds to: the first part's are the vector itself.
void SweepStep::begin(Push& push, TileWork& work, std::size_t part) {
  const std::uint32_t position = push.position[part];
  if (position == kNoPlace) return;
  const Launch& launch = _sweep.launches[push.launch];
  void* results = _context.storage.vector(launch.out.at(0));
  if (position > 0) {
    auto* const partial = reinterpret_cast<std::byte*>(push.partials[position - 1].data());
    fill(partial, _context.reducers[index_of(launch.reducer)].identity, {0, static_cast<LocalIndex>(push.outputs)});
    results = partial;
  }
  for (const Action& action : work.actions) {
    if (action.launch == push.launch) work.target[action.first_out] = results;
  }
}

/// Reduces the results of parts, in their order. Each thread has some of the outputs.
void SweepStep::finish(Push& push) {
  if (push.partials.empty()) return;
  const Launch& launch = _sweep.launches[push.launch];
  const Combine& combine = _context.reducers[index_of(launch.reducer)].combine;
  std::byte* const out = _context.storage.vector(launch.out.at(0));
  const auto threads = static_cast<std::uint32_t>(_hands.size());
  const std::uint64_t lines = lines_of(push.outputs);  // of an element of one byte: no threads share a line
  on_threads(_context.team, threads, [&](std::uint32_t thread) {
    running = {&launch.label, launch.where};
    const auto end_of = [&](std::uint64_t of) {
      return std::min(lines * of / threads * sizeof(CacheLine), push.outputs);
    };
    const std::uint64_t first = end_of(thread), count = end_of(thread + 1) - first;
    for (const RawVector<CacheLine>& partial : push.partials) {
      const std::uint64_t at = first * push.bytes;
      if (count > 0) combine.fold(combine.context.get(), out + at, nullptr, partial.data()->bytes + at, count);
    }
    running = {};
  });
}

}  // namespace kasen::runtime
