/// @file
/// What a checkpoint is made of, and its writing.
#include "kasen/session/checkpoints.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include "comm/agreement.h"
#include "comm/job.h"
#include "kasen/base/error.h"
#include "kasen/base/steady_time.h"
#include "kasen/checkpoint/vectors.h"
#include "kasen/runtime/instruction_set.h"

namespace kasen {
namespace {

using checkpoint::Contents;
using checkpoint::SavedStored;
using checkpoint::SavedValue;

}  // namespace

bool Checkpoints::wanted() { return writes() && _pace.due(); }

void Checkpoints::reached(const optimizer::Plan& plan, runtime::ValueStore& values,
                          std::span<const std::uint32_t> position) {
  take(&plan, &values, position);
}

Contents Checkpoints::contents() const {
  Contents all;
  all.executable = _executable;
  all.instruction_set = runtime::instruction_set();
  all.options = _kept_options;
  all.placement = placement_hash();
  all.data = _data;
  all.runs = _runs;
  for (const Progress::Series& series : _parts.progress.series()) all.series.push_back({series.name, series.values});
  return all;
}

/// A checkpoint that is being put together.
struct Checkpoints::Draft {
  Contents contents;
  checkpoint::VectorsToWrite vectors;
  /// Of values of one origin, elements are written once, but for partial results.
  std::map<ValueId, std::uint32_t> written = {};
  std::set<ValueId> made_again = {};  ///< of the run that is under way
  std::uint64_t shared_bytes = 0;
};

/// Whether a program that is resumed makes these elements itself, where a run needs them: without roles there is no
/// other state of them than that in which they are made.
bool Checkpoints::is_made_again(const recording::Stored& stored) const {
  return stored.made && _parts.placement.space(stored.about.space).roles().empty();
}

/// What handles refer to. @param values those of the run that is under way; null between runs
void Checkpoints::add_stored(Draft& draft, const runtime::ValueStore* values) const {
  std::map<const recording::Stored*, std::size_t> inputs;
  if (values != nullptr) {
    const auto& live_in = _running->pending.live_in;
    for (std::size_t k = 0; k < live_in.size(); ++k) inputs[live_in[k].get()] = k;
  }
  std::vector<const recording::Stored*> alive;
  _parts.recorder.for_each_stored([&](const recording::Stored& stored) {
    if (stored.about.kind == Value::Kind::vector && stored.value.buffer) alive.push_back(&stored);
  });
  std::sort(alive.begin(), alive.end(), [](const auto* a, const auto* b) { return a->number < b->number; });
  std::map<const runtime::Buffer*, std::uint32_t> of_buffer;
  for (const recording::Stored* const stored : alive) {
    const auto input = inputs.find(stored);
    if (is_made_again(*stored)) {
      draft.contents.stored.push_back({stored->number, stored->state, checkpoint::kNoVector});
      if (input != inputs.end()) draft.made_again.insert(_running->pending.program.live_in[input->second].value);
      continue;
    }
    State state = stored->state;  // of its elements, which the run may have gathered
    if (input != inputs.end() && values->gathered_inputs()[input->second] != 0) state = State::partitioned();
    const auto [known, first] = of_buffer.try_emplace(stored->value.buffer.get(), 0);
    if (first) {
      known->second = draft.vectors.add(
          {stored->value.buffer->data(), stored->about.space, stored->about.type.bytes, std::move(state)});
    }
    draft.contents.stored.push_back({stored->number, stored->state, known->second});
    if (input != inputs.end() && !draft.vectors.saved()[known->second].partial)
      draft.written[_running->pending.program.live_in[input->second].value] = known->second;
  }
}

/// What the program has read, some of which handles may still refer to.
void Checkpoints::add_read(Draft& draft) const {
  for (const auto& [number, read] : _read) {
    const auto is_it = [&, n = number](const SavedStored& saved) {
      return saved.number == n && !draft.vectors.saved()[saved.vector].partial;
    };
    const auto known = std::find_if(draft.contents.stored.begin(), draft.contents.stored.end(), is_it);
    const std::uint32_t vector =
        known != draft.contents.stored.end()
            ? known->vector
            : draft.vectors.add({read.masters.data(), read.space, read.element_bytes, read.state});
    draft.contents.read.push_back({number, read.state, vector});
  }
}

/// What is live in the run that is under way.
void Checkpoints::add_values(Draft& draft, const optimizer::Plan& plan, runtime::ValueStore& values,
                             std::span<const std::uint32_t> position) const {
  const std::vector<ValueId> origins = optimizer::origins(plan);
  for (const ValueId value : optimizer::live_at(plan, position)) {
    if (draft.made_again.contains(value)) continue;
    const Value& about = plan.values[index_of(value)];
    const State& state = plan.states[index_of(value)];
    SavedValue saved{value, origins[index_of(value)], checkpoint::kNoVector, false, {}, {}};
    const auto known = draft.written.find(saved.origin);
    if (about.kind == Value::Kind::shared) {
      const std::byte* const from = values.shared(value);
      saved.partial = state.kind == State::Kind::pre_reduced;
      saved.has = {static_cast<std::uint8_t>(values.has(value))};
      saved.bytes.assign(from, from + about.type.bytes);
      if (saved.partial) {
        saved.has = _parts.workers.all_gather(saved.has[0]);
        saved.bytes = _parts.workers.all_gather(std::span<const std::byte>(saved.bytes)).values;
      }
      draft.shared_bytes += saved.bytes.size();
    } else if (known != draft.written.end()) {
      saved.vector = known->second;
    } else {
      saved.vector = draft.vectors.add({values.vector(value), about.space, about.type.bytes, state});
      if (!draft.vectors.saved()[saved.vector].partial) draft.written[saved.origin] = saved.vector;
    }
    draft.contents.values.push_back(std::move(saved));
  }
}

/// With the signal's status, as if the request had not been held. Whoever catches it need not come to where the run was
/// to go on.
void Checkpoints::end_if_requested() {
  const int signal = _parts.workers.max(comm::held_request());
  if (signal == 0) return;
  _from.reset();
  throw EndRequested(comm::obey_request(signal), 128 + signal);
}

void Checkpoints::take(const optimizer::Plan* plan, runtime::ValueStore* values,
                       std::span<const std::uint32_t> position) {
  const double start = now();
  const TimelineScope scope(_parts.timeline, Timeline::Kind::checkpoint);
  const comm::Communicator& workers = _parts.workers;
  try {
    Draft draft{{}, checkpoint::VectorsToWrite(workers, _parts.placement)};
    comm::agree(workers, [&] { draft.contents = contents(); });
    add_stored(draft, values);
    add_read(draft);
    if (plan != nullptr) {
      draft.contents.position.assign(position.begin(), position.end());
      draft.contents.program = _running->program;
      draft.contents.given = _running->given;
      draft.contents.plan = plan->fingerprint;
      add_values(draft, *plan, *values, position);
    }
    _counts.file_bytes += checkpoint::write(workers, _options->checkpoint, _number + 1, std::move(draft.contents),
                                            draft.vectors, _options->checkpoints_kept);
    ++_number;
    ++_counts.taken;
    _counts.bytes += draft.vectors.bytes() + (workers.rank() == 0 ? draft.shared_bytes : 0);
    _counts.bytes_predicted += draft.vectors.bytes_predicted() + draft.shared_bytes;
  } catch (const AgreedError& error) {
    ++_counts.failed;
    if (workers.rank() == 0) std::fprintf(stderr, "checkpoint: none was written: %s\n", error.what());
  }
  _counts.seconds += now() - start;
  _pace.taken();
  end_if_requested();
}

}  // namespace kasen
