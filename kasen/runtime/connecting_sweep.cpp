#include "kasen/runtime/connecting_sweep.h"

#include <atomic>

#include "kasen/runtime/access.h"
#include "kasen/runtime/element_set.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::runtime {
ConnectingSweep::ConnectingSweep(const optimizer::Step& step, RunContext& context, std::size_t position)
    : _sweep(std::get<optimizer::Sweep>(step.what)),
      _launch(_sweep.launches.at(0)),
      _context(context),
      _position(position),
      _delta(DeltaState::of(context)),
      _connected(_delta.connected()),
      _kernel(context.kernel<MatrixKernel>(_launch.kernel)),
      _active(_sweep, _launch, context, &_delta),
      _output(step, context, &_delta),
      _parts(parts_to_tell()),
      _shares(share_out(_parts, context.team.size())) {
  _connected.add_product([this] { spread(); });
  if (!optimizer::finds_connected(_sweep)) return;
  const partition::CompressedView view = context.placement.matrix(_sweep.matrix).by(optimizer::read_side(_launch));
  _entries = view.index.size();
  // A worker has all non-zeros of which both ends are its own (partition::EntryRule).
  const bool symmetric = context.placement.stats().matrices.at(index_of(_sweep.matrix)).symmetric;
  const LocalIndex mirrored = symmetric ? _active.masters() : 0;
  _connected.prepare({view.pointer.data(), view.index.data(), view.value}, mirrored, _active.inputs(),
                     context.limits.part_elements, context.team.size());
}

std::vector<Part> ConnectingSweep::parts_to_tell() const {
  const partition::IndexSpace& outputs = _context.placement.space(_sweep.space);
  std::vector<partition::Interval> stretches;
  if (_delta.is_last(_launch.delta_product)) stretches.push_back({0, outputs.masters()});
  const auto replicas = outputs.replicas(_launch.roles);
  stretches.insert(stretches.end(), replicas.begin(), replicas.end());
  return cut(stretches, {}, ElementSet::kApart, _context.limits.part_elements);
}

void ConnectingSweep::run() {
  std::uint64_t active = 0;
  _active.for_each_stretch([&](const partition::Interval& stretch) { active += stretch.count; });
  const ActiveElements::Everywhere everywhere = _active.add_up(active);
  _delta.push(everywhere.active, everywhere.kept);
  _output.begin();
  if (optimizer::finds_connected(_sweep) && !_connected.found()) find_connected();
  Spreading spreading = _connected.spreading();
  spreading.in = _context.storage.vector(_launch.in[0]);
  if (kCountAccesses) spreading.read = &_context.witnessed.elements_read;
  std::uint64_t collected = 0;
  _active.for_each_stretch([&](const partition::Interval& stretch) {
    if (stretch.first < _active.masters() && !_delta.is_first()) return;  // the product before has collected it
    _kernel.collect(spreading, stretch.first, stretch.count);
    collected += stretch.count;
  });
  Activity& activity = _context.activity[_position];
  (_delta.follows() ? activity.delta : activity.pushed) += {1, collected, 0};
  _context.measured.elements_read += collected;
  _context.measured.bytes_read += collected * _context.element_bytes(_launch.in[0]);
  if (_delta.is_last(_launch.delta_product)) _connected.spread();
}

void ConnectingSweep::find_connected() {
  _connected.find(_context.team);
  std::uint64_t elements = 0;
  for (const partition::Interval& inputs : _active.inputs()) elements += inputs.count;
  _context.activity[_position].settled.runs += 1;
  _context.measured.elements_read += elements + _entries;
  _context.measured.bytes_read += elements * sizeof(std::uint64_t) + _entries * sizeof(LocalIndex);
  if (kCountAccesses) _context.witnessed.elements_read += elements + _entries;
}

void ConnectingSweep::spread() {
  const auto threads = static_cast<std::uint32_t>(_shares.size() - 1);
  Spreading whole = _connected.spreading();
  whole.out = _context.storage.vector(_launch.out[0]);
  whole.masters = _context.placement.space(_sweep.space).masters();
  whole.reached = &_delta.reached();
  whole.settled = &_delta.settled();
  std::atomic<std::uint64_t> told = 0;
  std::atomic<AccessCount> reads = 0, writes = 0;
  _context.team.run(threads, [&](std::uint32_t thread) {
    AccessCount read = 0, written = 0;
    Spreading part = whole;
    if (kCountAccesses) part.read = &read, part.written = &written;
    for (std::size_t k = _shares[thread]; k < _shares[thread + 1]; ++k)
      _kernel.spread(part, _parts[k].first, _parts[k].end - _parts[k].first);
    told += part.elements;
    reads += read;
    writes += written;
  });
  if (kCountAccesses) _context.witnessed.elements_read += reads, _context.witnessed.elements_written += writes;
  _context.activity[_position].settled.elements += told;
  const std::uint64_t bytes = told * _context.element_bytes(_launch.out[0]);
  _context.measured.elements_read += told;
  _context.measured.elements_written += told;
  _context.measured.bytes_read += bytes;
  _context.measured.bytes_written += bytes;
}

}  // namespace kasen::runtime
