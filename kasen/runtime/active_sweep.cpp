#include "kasen/runtime/active_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "comm/agreement.h"
#include "comm/free_memory.h"
#include "kasen/base/cached_bytes.h"
#include "kasen/base/error.h"
#include "kasen/base/source_line.h"
#include "kasen/base/steady_time.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/delayed.h"
#include "kasen/runtime/law_check.h"
#include "kasen/runtime/running.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::runtime {

namespace {

/// A stretch of so many entries is worth prefetching in.
constexpr std::uint64_t kPrefetched = 8 * kPrefetchDistance;

/// So many stretches are known before the first of them is looked at, and approached before it is pushed: by then what
/// they reach is in the cache.
constexpr std::size_t kApproached = 16;

/// Settling ends when it has walked the local matrix so many times, so that a superstep ends in any case.
constexpr std::uint64_t kMostWalks = 4;

/// Where the best go first it ends on several workers after such a part of the matrix, or RunLimits::settled_entries if
/// that is more, so that they work on what is best at the same time, and not on what another one is about to improve.
constexpr std::uint64_t kParts = 64;
/// It ends before that when as many non-zeros have been pushed as there are for so many replicas: where there are few,
/// workers seldom improve what others have.
constexpr std::uint64_t kPartReplicas = 256;

constexpr std::uint64_t kFewPending = 64;  ///< so many may wait in any case

constexpr LocalIndex kMostChecked = 8;  ///< elements whose identities are tried

std::variant<SweepStep, BlockedSweep> whole(const optimizer::Sweep& sweep, std::span<const ValueId> dies,
                                            RunContext& context, std::size_t position) {
  using Either = std::variant<SweepStep, BlockedSweep>;
  if (sweep.walk == optimizer::Walk::blocked) return Either(std::in_place_type<BlockedSweep>, sweep, dies, context);
  return Either(std::in_place_type<SweepStep>, sweep, dies, context, position);
}

}  // namespace

ActiveSweep::ActiveSweep(const optimizer::Step& step, RunContext& context, std::size_t position)
    : _sweep(std::get<optimizer::Sweep>(step.what)),
      _launch(_sweep.launches.at(0)),
      _context(context),
      _position(position),
      _dies(step.dies),
      _kernel(context.kernel<MatrixKernel>(_launch.kernel)),
      _whole_from(step.whole_from),
      _delta(_launch.delta_product == optimizer::kNoDelta ? nullptr : context.delta),
      _active(_sweep, _launch, context, _delta),
      _output(step, context, _delta) {
  partition::LocalMatrix& matrix = context.placement.matrix(_sweep.matrix);
  const partition::CompressedView view = matrix.by(optimizer::read_side(_launch));
  _matrix = {view.pointer.data(), view.index.data(), view.value};
  _entries = view.index.size();
  _entry_bytes = sizeof(LocalIndex) + matrix.value_bytes();
  const partition::IndexSpace& outputs = context.placement.space(_sweep.space);
  _outputs = outputs.masters();
  _far_outputs = std::uint64_t{outputs.local_size()} * context.element_bytes(_launch.out[0]) > kSharedCachedBytes;
  _settles = _delta != nullptr && _delta->settles() && _kernel.settle != nullptr;
  if (_settles) _order = _delta->order(_kernel);
}

void ActiveSweep::check_identity() {
  std::string broken;
  LocalIndex first = 0;
  while (first < _active.masters() && _matrix.pointer[first] == _matrix.pointer[first + 1]) ++first;
  if (first < _active.masters()) {
    const std::uint32_t n = std::min(kMostChecked, _active.masters() - first);
    const LocalIndex outputs = _context.placement.space(_sweep.space).local_size();
    const Reducer& reducer = _context.reducers[index_of(_launch.reducer)];
    if (const auto example = identity_counter_example(_kernel, reducer, _matrix, first, n, outputs))
      broken = fmt::format("{}[{}] the function does not keep the identity: {}", prefix_of(_launch.where),
                           _launch.label, *example);
  }
  comm::agree(_context.control, [&] {
    if (!broken.empty()) throw ProgramError(broken);
  });
}

void ActiveSweep::run() {
  if constexpr (kCheckLaws) {
    if (_launch.keeps_identity && !std::exchange(_identity_is_checked, true)) check_identity();
  }
  const std::byte* const in = _context.storage.vector(_launch.in[0]);
  const std::uint64_t in_bytes = _context.element_bytes(_launch.in[0]);
  const Found here = find([&](const partition::Interval& stretch) {
    __builtin_prefetch(_matrix.index + _matrix.pointer[stretch.first]);
    __builtin_prefetch(in + in_bytes * stretch.first);
  });
  const auto [entries, kept] = _active.add_up(here.entries);
  if (_delta == nullptr ? entries < _whole_from : _delta->pushes(_settles, entries, _whole_from)) {
    if (_delta != nullptr) _delta->push(entries, kept);
    _settles && _delta->marks() ? push_and_settle() : push();
  } else {
    if (_delta != nullptr) {
      if (_delta->follows()) _context.activity[_position].known += 1;
      _delta->walk(_launch.delta_product);
    }
    walk();
  }
}

/// All workers walk, or none does.
void ActiveSweep::walk() {
  if (_whole == nullptr) {
    const auto storages = [&] { return _context.placement.matrix(_sweep.matrix).storages(); };
    const double start = now();
    const Timeline::Time begin = Timeline::now();
    comm::agree(_context.control, [&] {
      const std::vector<partition::MatrixStorage> there = storages();
      _whole.reset(new std::variant<SweepStep, BlockedSweep>(whole(_sweep, _dies, _context, _position)));
      if (storages() != there) comm::return_free_memory();  // of what its storage was made of
    });
    if (_context.timeline != nullptr && _context.timeline->keeps())
      _context.timeline->add(Timeline::Kind::prepare, begin, Timeline::now());
    _context.prepared += now() - start;
  }
  std::visit([](auto& sweep) { sweep.run(); }, *_whole);
}

template <class Visit>
ActiveSweep::Found ActiveSweep::find(const Visit& visit) {
  Found found;
  const auto see = [&](const partition::Interval& stretch) {
    found.elements += stretch.count;
    found.entries += _matrix.pointer[stretch.first + stretch.count] - _matrix.pointer[stretch.first];
    visit(stretch);
  };
  auto stretches = delayed<partition::Interval, kApproached>(see);
  _active.for_each_stretch([&](const partition::Interval& stretch) {
    __builtin_prefetch(_matrix.pointer + stretch.first);
    stretches.add(stretch);
  });
  stretches.finish();
  return found;
}

/// Looks where a stretch will be pushed to: each output is far from the last, and the next stretch far from this one.
/// Outputs that stay in a cache are not fetched: that takes as long as pushing.
void ActiveSweep::approach(const partition::Interval& stretch, const std::byte* out, std::uint64_t out_bytes,
                           bool marks) const {
  const std::uint64_t begin = _matrix.pointer[stretch.first], end = _matrix.pointer[stretch.first + stretch.count];
  ElementSet* const reached = marks ? &_delta->reached() : nullptr;
  const bool prefetches = _far_outputs && end - begin < kPrefetched;  // longer ones are by the kernel
  if (!prefetches && reached == nullptr) return;
  for (std::uint64_t e = begin; e < end; ++e) {
    const LocalIndex i = _matrix.index[e];
    if (prefetches) __builtin_prefetch(out + out_bytes * i, 1);
    if (reached != nullptr && i < _outputs) reached->insert(i);
  }
}

/// Of this iteration, without those that elements are pushed on to.
void ActiveSweep::count_active(const Found& pushed) {
  Activity& activity = _context.activity[_position];
  const bool delta = _delta != nullptr && _delta->follows();
  (delta ? activity.delta : activity.pushed) += {1, pushed.elements, pushed.entries};
}

void ActiveSweep::count_pushed(const Found& pushed) {
  const std::uint64_t in_bytes = _context.element_bytes(_launch.in[0]);
  const std::uint64_t out_bytes = _context.element_bytes(_launch.out[0]);
  Counts& counts = _context.measured;
  counts.elements_read += 2 * pushed.elements + 2 * pushed.entries;
  counts.bytes_read +=
      pushed.elements * (sizeof(std::uint64_t) + in_bytes) + pushed.entries * (_entry_bytes + out_bytes);
  counts.elements_written += pushed.entries;
  counts.bytes_written += pushed.entries * out_bytes;
}

void ActiveSweep::push() {
  _output.begin();
  const bool marks = _delta != nullptr && _delta->marks();
  const std::uint64_t in_bytes = _context.element_bytes(_launch.in[0]);
  const std::byte* const from = _context.storage.vector(_launch.in[0]);
  const void* in = from;
  const std::uint64_t out_bytes = _context.element_bytes(_launch.out[0]);
  std::byte* const to = _context.storage.vector(_launch.out[0]);
  void* out = to;
  AccessCount* const reads = kCountAccesses ? &_context.witnessed.elements_read : nullptr;
  AccessCount* written = kCountAccesses ? &_context.witnessed.elements_written : nullptr;
  MatrixTile tile;
  tile.matrix = _matrix;
  tile.in = &in;
  tile.out = &out;
  tile.entries = tile.pointers = tile.accumulated = reads;
  tile.read = &reads;
  tile.written = &written;
  running = {&_launch.label, _launch.where};
  const auto push_stretch = [&](const partition::Interval& stretch) {
    const std::uint64_t entries = _matrix.pointer[stretch.first + stretch.count] - _matrix.pointer[stretch.first];
    tile.first = stretch.first;
    tile.n = stretch.count;
    tile.prefetch_end = entries >= kPrefetched && _entries > kPrefetchDistance ? _entries - kPrefetchDistance : 0;
    in = from + in_bytes * stretch.first;
    _kernel.push(_kernel.context.get(), tile);
  };
  auto stretches = delayed<partition::Interval, kApproached>(push_stretch);
  const Found pushed = find([&](const partition::Interval& stretch) {
    approach(stretch, to, out_bytes, marks);
    stretches.add(stretch);
  });
  stretches.finish();
  running = {};
  count_active(pushed);
  count_pushed(pushed);
}

void ActiveSweep::push_and_settle() {
  _output.begin();
  _settling = {};
  _settling.matrix = _matrix;
  _settling.in = _context.storage.vector(_launch.in[0]);
  _settling.out = _context.storage.vector(_launch.out[0]);
  _settling.masters = _active.masters();
  _settling.pending = &_delta->pending();
  _settling.reached = &_delta->reached();
  _settling.settled = &_delta->settled();
  _settling.put_off = &_delta->put_off();
  _settling.puts_off = _delta->puts_off();
  _settling.is_first = _delta->is_first();
  _settling.read = kCountAccesses ? &_context.witnessed.elements_read : nullptr;
  _settling.written = kCountAccesses ? &_context.witnessed.elements_written : nullptr;
  const void* const context = _kernel.context.get();
  if (_settling.is_first && !_delta->follows()) _kernel.forget(_order, _delta->settles_anyway());
  running = {&_launch.label, _launch.where};
  Found active = find([&](const partition::Interval& stretch) {
    _kernel.reach(context, _settling, _order, stretch.first, stretch.count);
  });
  running = {};
  active.entries -= _settling.entries_put_off;
  count_active(active);
  count_pushed(active);
  if (_delta->is_last(_launch.delta_product)) {
    settle(_delta->pushed_before());
  } else {
    _delta->settle_with_last(*this);
  }
}

void ActiveSweep::settle(ActiveSweep* other) {
  // As many as make it worth while to walk the whole matrix, and with it to wait for the other workers.
  const std::uint64_t entries = std::max<std::uint64_t>(_entries + (other == nullptr ? 0 : other->_entries), 1);
  const std::uint64_t whole_from = _whole_from + (other == nullptr ? 0 : other->_whole_from);
  const double elements_per_entry =
      static_cast<double>(_active.masters()) / static_cast<double>(entries * _context.workers());
  _settling.most_pending =
      std::max(kFewPending, static_cast<std::uint64_t>(static_cast<double>(whole_from) * elements_per_entry));
  _settling.most_entries = kMostWalks * entries;
  _settling.most_in_order = _settling.most_entries;
  if (_context.workers() > 1) {
    const std::uint64_t part = std::max(entries / kParts, _context.limits.settled_entries);
    const std::uint64_t replicas = _context.placement.space(_sweep.space).local_size() - _active.masters();
    _settling.most_in_order =
        std::min({_settling.most_entries, part, entries * kPartReplicas / std::max<std::uint64_t>(replicas, 1)});
  }
  running = {&_launch.label, _launch.where};
  if (other != nullptr) {
    const OtherSettling with{other->_kernel, other->_settling};
    _kernel.settle(_kernel.context.get(), _settling, _order, &with);
  } else {
    _kernel.settle(_kernel.context.get(), _settling, _order, nullptr);
  }
  running = {};
  count_settled();
  if (other != nullptr) other->count_settled();
}

void ActiveSweep::count_settled() {
  count_pushed({_settling.elements, _settling.entries});
  _context.measured.elements_read += _settling.elements;
  _context.measured.bytes_read += _settling.elements * _context.element_bytes(_launch.out[0]);
  _context.activity[_position].settled += {0, _settling.elements, _settling.entries};
}

}  // namespace kasen::runtime
