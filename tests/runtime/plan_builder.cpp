/// @file
/// The small print of plans written by hand.
#include "tests/runtime/plan_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "kasen/runtime/access.h"

namespace kasen::runtime::tests {

ValueId PlanBuilder::add(Value::Kind kind, SpaceId space, std::uint32_t bytes, std::uint32_t buffer_class) {
  Value value;
  value.kind = kind;
  value.space = space;
  value.type.bytes = bytes;
  plan.values.push_back(value);
  plan.states.emplace_back();
  plan.class_of.push_back(buffer_class);
  return static_cast<ValueId>(plan.values.size() - 1);
}

ValueId PlanBuilder::vector(SpaceId space, std::uint32_t buffer_class) {
  return add(Value::Kind::vector, space, sizeof(double), buffer_class);
}

ValueId PlanBuilder::vector(SpaceId space, std::uint32_t buffer_class, State state) {
  const ValueId value = vector(space, buffer_class);
  plan.states[index_of(value)] = std::move(state);
  return value;
}

std::uint32_t PlanBuilder::buffers(SpaceId space, bool replicas, std::uint64_t count) {
  plan.classes.push_back({space, replicas, sizeof(double), count});
  return static_cast<std::uint32_t>(plan.classes.size() - 1);
}

KernelId PlanBuilder::kernel(Kernel added) {
  kernels.push_back(std::move(added));
  return static_cast<KernelId>(kernels.size() - 1);
}

ReducerId PlanBuilder::reducer(Reducer added) {
  reducers.push_back(std::move(added));
  return static_cast<ReducerId>(reducers.size() - 1);
}

Launch launch(Op op, KernelId kernel, std::vector<ValueId> in, std::vector<ValueId> shared, std::vector<ValueId> out) {
  Launch result;
  result.op = op;
  result.kernel = kernel;
  result.in = std::move(in);
  result.shared = std::move(shared);
  result.out = std::move(out);
  return result;
}

namespace {

Place place(ValueId value, Place::Kind kind, std::uint16_t slot) {
  Place result;
  result.value = value;
  result.kind = kind;
  result.slot = slot;
  return result;
}

}  // namespace

Place input(ValueId value) { return place(value, Place::Kind::input, 0); }
Place output(ValueId value) { return place(value, Place::Kind::output, 0); }
Place temporary(ValueId value, std::uint16_t slot) { return place(value, Place::Kind::temporary, slot); }
Place in_place(ValueId value, std::uint16_t slot, ValueId replaces) {
  Place result = place(value, Place::Kind::output, slot);
  result.late_copy = true;
  result.replaces = replaces;
  return result;
}

Sweep sweep(SpaceId space, std::vector<Launch> launches, std::vector<Place> places, std::uint32_t tile_elements) {
  Sweep result;
  result.space = space;
  result.launches = std::move(launches);
  result.places = std::move(places);
  std::sort(result.places.begin(), result.places.end(),
            [](const Place& a, const Place& b) { return a.value < b.value; });
  result.tile_elements = tile_elements;
  for (const Place& p : result.places) result.slots = std::max<std::uint16_t>(result.slots, p.slot + 1);
  result.slot_element_bytes = sizeof(double);
  return result;
}

void walk_matrix(Sweep& sweep, MatrixId matrix) {
  sweep.matrix = matrix;
  sweep.walk = optimizer::Walk::compressed;
  sweep.tile_matrix_bytes = std::uint64_t{64} << 10;
}

Machine::Machine(Options options, bool check_states)
    : placement(control, options),
      team(options.threads),
      executor(control, steps, placement, pool, team, RunLimits(options), check_states) {}

RunResult Machine::run(const PlanBuilder& builder, std::vector<LiveValue> inputs) {
  RunInputs from{std::move(inputs), false, {}};
  return executor.run(builder.plan, builder.kernels, builder.reducers, from);
}

void expect_witnessed(const RunResult& result) {
  if (!kCountAccesses) return;
  EXPECT_EQ(result.witnessed.elements_read, result.measured.elements_read);
  EXPECT_EQ(result.witnessed.elements_written, result.measured.elements_written);
}

}  // namespace kasen::runtime::tests
