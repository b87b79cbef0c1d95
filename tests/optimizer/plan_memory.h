/// @file
/// The memory of simulated workers: as many buffers as a plan asks for, full of garbage where nothing may be read.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "optimizer/plan/plan.h"
#include "tests/optimizer/program_builder.h"
#include "tests/optimizer/world.h"

namespace kasen::optimizer::tests {

/// By worker and global index; only masters and replicas may be touched.
struct Buffer {
  std::vector<Numbers> at;
};
using BufferRef = std::shared_ptr<Buffer>;

/// Which value is in which buffer, by reference count. Notes what no plan may do.
class PlanMemory {
 public:
  PlanMemory(const Plan& plan, const World& world)
      : _plan(plan), _world(world), _held(plan.classes.size()), _capacity(plan.classes.size()) {
    for (std::size_t c = 0; c < plan.classes.size(); ++c) _capacity[c] = plan.classes[c].count;
  }
  PlanMemory(const PlanMemory&) = delete;
  PlanMemory& operator=(const PlanMemory&) = delete;

 protected:
  void defect(const std::string& text) { _defects.push_back(text); }
  static std::string number(ValueId value) { return std::to_string(index_of(value)); }
  bool is_shared(ValueId value) const { return _plan.values[index_of(value)].kind == Value::Kind::shared; }
  SpaceId space_of(ValueId value) const { return _plan.values[index_of(value)].space; }
  std::uint64_t bytes(ValueId value) const { return _plan.values[index_of(value)].type.bytes; }
  const State& state(ValueId value) const { return _plan.states[index_of(value)]; }
  std::uint64_t length(SpaceId space) const { return _world.lengths[index_of(space)]; }
  bool is_master(std::uint32_t w, SpaceId space, std::uint64_t i) const {
    return _world.owners[index_of(space)][i] == w;
  }
  bool in_range(std::uint32_t w, SpaceId space, std::uint64_t i, const RoleSet& roles) const {
    return is_master(w, space, i) || _world.is_replica(w, space, i, roles);
  }
  Number garbage() { return _garbage = _garbage * 6364136223846793005u + 1442695040888963407u; }

  std::size_t class_of(ValueId value) {
    const std::uint32_t c = _plan.class_of[index_of(value)];
    if (c < _plan.classes.size()) return c;
    defect("value " + number(value) + " needs a buffer and has no class");
    return 0;
  }

  BufferRef obtain(ValueId value) {
    const std::size_t c = class_of(value);
    if (++_held[c] > _capacity[c])
      defect("no free buffer of class " + std::to_string(c) + " for value " + number(value));
    BufferRef buffer(new Buffer, [this, c](Buffer* b) {
      --_held[c];
      delete b;
    });
    buffer->at.assign(_world.workers, Numbers(length(space_of(value))));
    for (Numbers& of_worker : buffer->at) {
      for (Number& v : of_worker) v = garbage();
    }
    return buffer;
  }

  /// A live-in's buffer, which comes on top of those of its class.
  BufferRef given(const LiveIn& live, const Numbers& values) {
    ++_capacity[class_of(live.value)];
    BufferRef buffer = obtain(live.value);
    const SpaceId space = space_of(live.value);
    for (std::uint64_t i = 0; i < values.size(); ++i) {
      Number master = values[i];
      for (std::uint32_t w = 0; w < _world.workers; ++w) {
        if (live.state.kind == State::Kind::partitioned || !_world.is_replica(w, space, i, live.state.roles)) continue;
        Number& replica = buffer->at[w][i];
        if (live.state.kind == State::Kind::consistent) replica = values[i];
        if (live.state.kind == State::Kind::pre_reduced) master -= replica;
      }
      buffer->at[_world.owners[index_of(space)][i]][i] = master;
    }
    return buffer;
  }

  Buffer& stored(ValueId value) {
    const auto found = _buffer.find(value);
    if (found != _buffer.end()) return *found->second;
    defect("value " + number(value) + " is not stored where it is read");
    return *(_buffer[value] = std::make_shared<Buffer>(
                 Buffer{std::vector<Numbers>(_world.workers, Numbers(length(space_of(value))))}));
  }

  void release(ValueId value) {
    if (_buffer.erase(value) == 0) defect("value " + number(value) + " dies but is not stored");
  }

  void place(const Place& place) {
    if (place.replaces != kNone<ValueId>) {
      stored(place.replaces);
      const BufferRef& from = _buffer[place.replaces];
      if (from.use_count() == 1) {
        _buffer[place.value] = from;
        return;
      }
      if (place.exclusive) defect("value " + number(place.replaces) + " is replaced exclusively but held twice");
    }
    _buffer[place.value] = obtain(place.value);
  }

  const Plan& _plan;
  const World& _world;
  std::vector<std::uint64_t> _held, _capacity;  ///< by class
  std::vector<std::string> _defects;
  Number _garbage = 99;
  std::map<ValueId, BufferRef> _buffer;
};

}  // namespace kasen::optimizer::tests
