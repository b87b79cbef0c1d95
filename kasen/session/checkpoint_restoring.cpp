/// @file
/// The way of a checkpoint's values back to handles and plans.
#include "kasen/session/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/base/source_line.h"
#include "kasen/checkpoint/vectors.h"
#include "kasen/runtime/instruction_set.h"

namespace kasen {
namespace {

using checkpoint::Contents;
using checkpoint::SavedStored;
using checkpoint::SavedValue;

std::string planned_otherwise(const std::string& path) {
  return path + ": was written by a run that was planned otherwise: resume it with the same options on as many workers";
}

}  // namespace

void Checkpoints::restore_read() {
  std::map<std::uint32_t, runtime::BufferRef> buffers;
  comm::agree(_parts.workers, [&] {
    _parts.recorder.for_each_stored([&](recording::Stored& stored) {
      if (stored.about.kind != Value::Kind::vector || stored.value.buffer) return;
      for (const SavedStored& saved : _from->contents.read) {
        if (saved.number == stored.number) restore(saved, stored, stored.state, buffers);
      }
    });
  });
}

void Checkpoints::restore(const SavedStored& saved, recording::Stored& stored, const State& state,
                          std::map<std::uint32_t, runtime::BufferRef>& buffers) {
  runtime::BufferRef& buffer = buffers[saved.vector];
  const std::uint64_t bytes = stored.about.type.bytes;
  if (buffer == nullptr) {
    const std::uint64_t room = _parts.placement.space(stored.about.space).local_size();
    if (_from->contents.vectors.at(saved.vector).element_bytes != bytes)
      throw InputError(_from->path + ": has a vector of another type");
    buffer = _parts.pool.obtain(room, bytes);
    checkpoint::VectorsToRead vectors(*_from->file, _from->contents.vectors, _parts.placement, _parts.workers.rank(),
                                      _from->contents.placement == placement_hash());
    vectors.read(saved.vector, stored.about.space, state, _parts.recorder.reducers(), {buffer->data(), room * bytes});
  }
  stored.value.buffer = buffer;
  stored.state = state;
}

/// Where elements are elsewhere than they were, the states that were chosen for them mean nothing.
void Checkpoints::restore_stored() {
  const Contents& from = _from->contents;
  const bool same = from.placement == placement_hash();
  comm::agree(_parts.workers, [&] {
    std::map<std::uint32_t, runtime::BufferRef> buffers;
    _parts.recorder.for_each_stored([&](recording::Stored& stored) {
      if (stored.about.kind != Value::Kind::vector) return;
      const auto found = std::find_if(from.stored.begin(), from.stored.end(),
                                      [&](const SavedStored& saved) { return saved.number == stored.number; });
      if (found != from.stored.end() && found->vector == checkpoint::kNoVector) {
        if (!stored.made) throw Error(_from->path + ": does not have a vector that the program uses");
      } else if (found != from.stored.end()) {
        restore(*found, stored, same ? found->state : State::partitioned(), buffers);
      } else if (from.position.empty()) {
        throw Error(_from->path + ": does not have a vector that the program uses");
      } else {  // the run that goes on was the last to read it
        stored.value.buffer = nullptr;
        if (!same) stored.state = State::partitioned();
      }
    });
  });
  for (const checkpoint::SavedSeries& series : from.series) _parts.progress.series(series.name).values = series.values;
  _restored = true;
  if (_parts.workers.rank() == 0 && !_options->quiet) {
    std::fprintf(stderr, "resume: goes on from %s\n", _from->path.c_str());
    if (from.instruction_set != runtime::instruction_set())
      std::fprintf(stderr, "resume: kernels for %s have written it, and these round otherwise: last bits may differ\n",
                   from.instruction_set.c_str());
  }
  if (from.position.empty()) _from.reset();
}

std::optional<runtime::Resumption> Checkpoints::begin(const Run& run, const optimizer::Plan& plan) {
  _running.emplace(run);
  if (!_from) return std::nullopt;
  const Contents& from = _from->contents;
  if (from.program != run.program || from.given != run.given) {
    throw refused(
        fmt::format("{}{}: is a checkpoint of a run that recorded another program here, or with another "
                    "function, plain value, first value of a Shared, or seed",
                    prefix_of(run.where), _from->path));
  }
  runtime::Resumption resumption{from.position, {}};
  saved_of(plan, from.position);  // throws before anything is run
  resumption.restore = [this, &plan](runtime::ValueStore& values) { restore_values(plan, values); };
  return resumption;
}

/// For each live value of the plan what was saved of it, by its number if the plan is the same, else of its origin.
std::vector<const SavedValue*> Checkpoints::saved_of(const optimizer::Plan& plan,
                                                     std::span<const std::uint32_t> position) {
  const Contents& from = _from->contents;
  const bool same = from.plan == plan.fingerprint;
  const std::vector<ValueId> origins = optimizer::origins(plan);
  std::vector<const SavedValue*> all;
  if (!optimizer::has_place(plan, position)) throw refused(planned_otherwise(_from->path));
  for (const ValueId value : optimizer::live_at(plan, position)) {
    const SavedValue* found = nullptr;
    for (const SavedValue& saved : from.values) {
      if (same ? saved.value == value : saved.origin == origins[index_of(value)]) found = &saved;
    }
    const bool own = std::any_of(plan.live_in.begin(), plan.live_in.end(),
                                 [&](const LiveIn& in) { return in.value == value && !in.dies; });
    if (found == nullptr && !own) throw refused(planned_otherwise(_from->path));
    const bool shared = plan.values[index_of(value)].kind == Value::Kind::shared;
    const bool partial = plan.states[index_of(value)].kind == State::Kind::pre_reduced;
    if (found != nullptr && shared && found->partial != partial) throw refused(planned_otherwise(_from->path));
    if (found != nullptr && found->partial && found->has.size() != static_cast<std::size_t>(_parts.workers.size()))
      throw refused(
          fmt::format("{}: has partial results of {} workers: resume it with as many", _from->path, found->has.size()));
    all.push_back(found);
  }
  return all;
}

void Checkpoints::restore_values(const optimizer::Plan& plan, runtime::ValueStore& values) {
  const Contents& from = _from->contents;
  const std::vector<ValueId> live = optimizer::live_at(plan, from.position);
  const std::vector<const SavedValue*> saved = saved_of(plan, from.position);
  checkpoint::VectorsToRead vectors(*_from->file, from.vectors, _parts.placement, _parts.workers.rank(),
                                    from.placement == placement_hash());
  for (std::size_t k = 0; k < live.size(); ++k) {
    if (saved[k] == nullptr) continue;
    const Value& about = plan.values[index_of(live[k])];
    if (about.kind == Value::Kind::shared) {
      const std::uint64_t mine = saved[k]->partial ? static_cast<std::uint64_t>(_parts.workers.rank()) : 0;
      if (saved[k]->bytes.size() < (mine + 1) * about.type.bytes) throw InputError(_from->path + ": has too few bytes");
      std::memcpy(values.shared(live[k]), &saved[k]->bytes[mine * about.type.bytes], about.type.bytes);
      values.set_has(live[k], saved[k]->has[mine] != 0);
    } else if (std::byte* const elements = values.restore(live[k])) {
      if (from.vectors.at(saved[k]->vector).element_bytes != about.type.bytes)
        throw InputError(_from->path + ": has a vector of another type");
      const std::uint64_t room =
          std::min<std::uint64_t>(values.buffer(live[k]).bytes(),
                                  std::uint64_t{_parts.placement.space(about.space).local_size()} * about.type.bytes);
      vectors.read(saved[k]->vector, about.space, plan.states[index_of(live[k])], _parts.recorder.reducers(),
                   {elements, room});
    }
  }
}

}  // namespace kasen
