/// @file
/// Plans written by hand, for tests of the executor: what the optimizer would make, without it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "kasen/runtime/executor.h"
#include "kasen/runtime/kernels.h"
#include "partition/placement.h"

namespace kasen::runtime::tests {

using optimizer::Launch;
using optimizer::Place;
using optimizer::Plan;
using optimizer::Step;
using optimizer::Sweep;

/// A plan under construction, with its kernels and reducers.
class PlanBuilder {
 public:
  Plan plan;
  std::vector<Kernel> kernels;
  std::vector<Reducer> reducers;

  /// A vector of doubles in buffers of a class; kNotStored for one that lives in tile buffers only.
  ValueId vector(SpaceId space, std::uint32_t buffer_class);
  /// One in this state, for runs that are checked.
  ValueId vector(SpaceId space, std::uint32_t buffer_class, State state);
  /// A Shared of type T.
  template <class T>
  ValueId shared() {
    return add(Value::Kind::shared, kNone<SpaceId>, sizeof(T), optimizer::kNotStored);
  }
  std::uint32_t buffers(SpaceId space, bool replicas, std::uint64_t count);
  KernelId kernel(Kernel kernel);
  ReducerId reducer(Reducer reducer);
  void live_in(ValueId value, bool dies) { plan.live_in.push_back({value, plan.states[index_of(value)], dies}); }
  void result(ValueId value) { plan.results.push_back({value, value, plan.states[index_of(value)]}); }

 private:
  ValueId add(Value::Kind kind, SpaceId space, std::uint32_t bytes, std::uint32_t buffer_class);
};

Launch launch(Op op, KernelId kernel, std::vector<ValueId> in, std::vector<ValueId> shared, std::vector<ValueId> out);
Place input(ValueId value);
Place output(ValueId value);
Place temporary(ValueId value, std::uint16_t slot);
/// An output made in a tile buffer that takes over the buffer of `replaces`.
Place in_place(ValueId value, std::uint16_t slot, ValueId replaces);

/// The sweep walks this matrix, which is compressed.
void walk_matrix(Sweep& sweep, MatrixId matrix);
Sweep sweep(SpaceId space, std::vector<Launch> launches, std::vector<Place> places, std::uint32_t tile_elements = 16);

template <class What>
Step step(What what, std::vector<ValueId> dies = {}, std::uint32_t block = 0) {
  Step result;
  result.what = std::move(what);
  result.dies = std::move(dies);
  result.block = block;
  return result;
}

/// One worker's session, as far as the executor needs it.
class Machine {
 public:
  explicit Machine(Options options = {}, bool check_states = false);
  comm::Communicator control, steps;
  partition::Placement placement;
  BufferPool pool;
  ThreadTeam team;
  Executor executor;

  RunResult run(const PlanBuilder& builder, std::vector<LiveValue> inputs);
  /// A stored vector whose masters, and replicas if there is room for them, are f(global index).
  template <class F>
  LiveValue vector(SpaceId id, bool replicas, F f) {
    const auto& space = placement.space(id);
    const LocalIndex n = replicas ? space.local_size() : space.masters();
    LiveValue live;
    live.buffer = pool.obtain(n, sizeof(double));
    const auto global = space.global();
    for (LocalIndex i = 0; i < n; ++i) reinterpret_cast<double*>(live.buffer->data())[i] = f(global[i]);
    return live;
  }
};

template <class T>
LiveValue shared(T value) {
  LiveValue live;
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  live.shared.assign(bytes, bytes + sizeof(T));
  return live;
}
inline const double* data(const LiveValue& live) { return reinterpret_cast<const double*>(live.buffer->data()); }
template <class T>
T value(const LiveValue& live) {
  return *reinterpret_cast<const T*>(live.shared.data());
}

/// In builds that count accesses: what iterators saw is what the counters say.
void expect_witnessed(const RunResult& result);

}  // namespace kasen::runtime::tests
