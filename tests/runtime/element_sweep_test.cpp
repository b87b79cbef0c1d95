/// @file
/// Element sweeps through the executor: ranges, in-place outputs, reductions, sources, counters.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "kasen/base/error.h"
#include "tests/runtime/plan_builder.h"
#include "tests/support/graphs.h"

namespace kasen::runtime::tests {
namespace {

using V = VectorOperand<double>;
using S = SharedOperand<double>;
constexpr auto kPlus = [](double a, double b) { return a + b; };

/// next = factor * x + y over x's buffer, total = sum of next, by masters only.
struct Fused {
  PlanBuilder builder;
  ValueId x, y, factor, scaled, next, total;
  explicit Fused(SpaceId space, std::uint32_t tile = 16) {
    const auto c = builder.buffers(space, false, 0);
    x = builder.vector(space, c);
    y = builder.vector(space, c);
    factor = builder.shared<double>();
    scaled = builder.vector(space, optimizer::kNotStored);
    next = builder.vector(space, c);
    total = builder.shared<double>();
    const auto scale = builder.kernel(element_kernel<double>([](double a, double f) { return a * f; }, V{}, S{}));
    const auto add = builder.kernel(element_kernel<double>(kPlus, V{}, V{}));
    const auto sum = builder.kernel(reduce_kernel<double>(kPlus));
    const auto plus = builder.reducer(reducer<double>(kPlus));
    builder.live_in(x, true);
    builder.live_in(y, false);
    builder.live_in(factor, false);
    const ValueId partial = builder.shared<double>();
    builder.plan.steps = {
        step(sweep(space,
                   {launch(Op::element, scale, {x}, {factor}, {scaled}),
                    launch(Op::element, add, {scaled, y}, {}, {next}), launch(Op::reduce, sum, {next}, {}, {partial})},
                   {input(x), input(y), temporary(scaled, 0), in_place(next, 1, x)}, tile),
             {x}),
        step(optimizer::Exchange{{}, {}, {{partial, total, {}, plus}}})};
    builder.result(next);
    builder.result(total);
  }
};

class ElementSweepSize : public testing::TestWithParam<std::uint64_t> {};

TEST_P(ElementSweepSize, FusesInPlaceAndCounts) {
  const std::uint64_t n = GetParam();
  Machine machine;
  const SpaceId space = machine.placement.space(n);
  machine.placement.assign(space);
  const Fused fused(space);
  std::vector<LiveValue> inputs;
  inputs.push_back(machine.vector(space, false, [](GlobalIndex i) { return static_cast<double>(i); }));
  inputs.push_back(machine.vector(space, false, [](GlobalIndex i) { return static_cast<double>(i % 5); }));
  inputs.push_back(shared(2.0));
  const auto* buffer = data(inputs[0]);
  const RunResult result = machine.run(fused.builder, std::move(inputs));

  const auto& local = machine.placement.space(space);
  double expected = 0;
  for (std::uint64_t i = 0; i < n; ++i) expected += static_cast<double>(2 * i + i % 5);
  for (LocalIndex i = 0; i < local.masters(); ++i) {
    const auto global = static_cast<std::uint64_t>(local.global()[i]);
    EXPECT_EQ(data(result.results[0])[i], static_cast<double>(2 * global + global % 5));
  }
  EXPECT_EQ(data(result.results[0]), buffer) << "the dying input's buffer was not taken over";
  EXPECT_EQ(result.results[1].has, n > 0);
  if (n > 0) {
    EXPECT_EQ(value<double>(result.results[1]), expected);
  }

  const std::uint64_t masters = local.masters(), others = static_cast<std::uint64_t>(machine.control.size() - 1);
  EXPECT_EQ(result.measured, (Counts{2 * masters, masters, 0, 16 * masters, 8 * masters, 8 * others, others, 0}));
  expect_witnessed(result);
  EXPECT_EQ(result.seconds.size(), 2u);
}
INSTANTIATE_TEST_SUITE_P(Sizes, ElementSweepSize, testing::Values(0, 1, 2, 7, 64, 1000));

/// A sum of what lives within a tile only is made without a buffer between; of what is read once more, with one.
TEST(ElementSweep, AddsUpWhatItMakes) {
  for (const std::uint64_t n : {0u, 1u, 33u, 1000u}) {
    for (const bool read_again : {false, true}) {
      Machine machine;
      const SpaceId space = machine.placement.space(n);
      machine.placement.assign(space);
      PlanBuilder builder;
      const auto c = builder.buffers(space, false, 0);
      const ValueId x = builder.vector(space, c), doubled = builder.vector(space, optimizer::kNotStored);
      const ValueId partial = builder.shared<double>(), total = builder.shared<double>();
      const ValueId again = builder.shared<double>(), total_again = builder.shared<double>();
      const auto twice = builder.kernel(element_kernel<double>([](double a) { return 2 * a; }, V{}));
      ReduceKernel adds = reduce_kernel<double>(kPlus, 0.0);
      adds.adds = true;
      const auto sum = builder.kernel(adds);
      const auto plus = builder.reducer(reducer<double>(kPlus, 0.0));
      builder.live_in(x, true);
      std::vector<optimizer::Launch> launches = {launch(Op::element, twice, {x}, {}, {doubled}),
                                                 launch(Op::reduce, sum, {doubled}, {}, {partial})};
      optimizer::Exchange exchange{{}, {}, {{partial, total, {}, plus}}};
      if (read_again) {
        launches.push_back(launch(Op::reduce, sum, {doubled}, {}, {again}));
        exchange.reductions.push_back({again, total_again, {}, plus});
      }
      builder.plan.steps = {step(sweep(space, launches, {input(x), temporary(doubled, 0)}, 48), {x}), step(exchange)};
      builder.result(total);
      if (read_again) builder.result(total_again);
      std::vector<LiveValue> inputs;
      inputs.push_back(machine.vector(space, false, [](GlobalIndex i) { return static_cast<double>(i); }));
      const RunResult result = machine.run(builder, std::move(inputs));
      const double expected = static_cast<double>(n) * (static_cast<double>(n) - 1);
      for (const LiveValue& made : result.results) EXPECT_EQ(value<double>(made), n > 0 ? expected : 0);
      EXPECT_EQ(result.measured.elements_read, machine.placement.space(space).masters());
      EXPECT_EQ(result.measured.elements_written, 0u);
      expect_witnessed(result);
    }
  }
}

TEST(ElementSweep, TakesAFreshBufferWhenTheInputIsHeldElsewhere) {
  Machine machine;
  const SpaceId space = machine.placement.space(100);
  machine.placement.assign(space);
  Fused fused(space);
  fused.builder.plan.classes[0].count = 1;
  std::vector<LiveValue> inputs;
  inputs.push_back(machine.vector(space, false, [](GlobalIndex) { return 1.0; }));
  inputs.push_back(machine.vector(space, false, [](GlobalIndex) { return 1.0; }));
  inputs.push_back(shared(2.0));
  const LiveValue held = inputs[0];
  const RunResult result = machine.run(fused.builder, std::move(inputs));
  ASSERT_NE(data(result.results[0]), data(held));
  EXPECT_EQ(result.measured.buffer_bytes, 8u * machine.placement.space(space).masters());
  for (LocalIndex i = 0; i < machine.placement.space(space).masters(); ++i) {
    EXPECT_EQ(data(held)[i], 1.0);
    EXPECT_EQ(data(result.results[0])[i], 3.0);
  }
}

TEST(ElementSweep, ABufferThatIsNotThereIsADefect) {
  Machine machine;
  const SpaceId space = machine.placement.space(100);
  machine.placement.assign(space);
  const Fused fused(space);  // no spare buffer
  std::vector<LiveValue> inputs;
  inputs.push_back(machine.vector(space, false, [](GlobalIndex) { return 1.0; }));
  inputs.push_back(machine.vector(space, false, [](GlobalIndex) { return 1.0; }));
  inputs.push_back(shared(2.0));
  const LiveValue held = inputs[0];
  EXPECT_THROW(machine.run(fused.builder, std::move(inputs)), InternalError);
}

TEST(ElementSweep, ReadingASharedWithoutValueIsAnError) {
  Machine machine;
  const SpaceId space = machine.placement.space(10);
  machine.placement.assign(space);
  const Fused fused(space);
  std::vector<LiveValue> inputs(3);
  inputs[0] = machine.vector(space, false, [](GlobalIndex) { return 1.0; });
  inputs[1] = machine.vector(space, false, [](GlobalIndex) { return 1.0; });
  inputs[2].has = false;
  EXPECT_THROW(machine.run(fused.builder, std::move(inputs)), Error);
}

/// A space with replicas: the two sides of a random square matrix.
struct Replicated {
  Machine machine;
  SpaceId space;
  RoleSet rows, columns, both;
  Replicated() : space(machine.placement.space(60)) {
    const auto edges = kasen::tests::uniform_edges(60, 60, 150, 3, {machine.control.rank(), machine.control.size()});
    const MatrixId matrix = machine.placement.add_matrix(space, space, {edges.source, edges.target, {}, 0});
    rows = {{matrix, Role::Side::row}};
    columns = {{matrix, Role::Side::column}};
    insert_roles(both, rows);
    insert_roles(both, columns);
  }
  std::uint64_t replicas(const RoleSet& roles) const {
    std::uint64_t count = 0;
    for (const auto& interval : machine.placement.space(space).replicas(roles)) count += interval.count;
    return count;
  }
  bool in(const RoleSet& roles, LocalIndex i) const {
    for (const auto& run : machine.placement.space(space).replicas(roles)) {
      if (i >= run.first && i - run.first < run.count) return true;
    }
    return i < machine.placement.space(space).masters();
  }
};

TEST(ElementSweep, RunsEachKernelOnItsOwnReplicas) {
  Replicated at;
  const auto& space = at.machine.placement.space(at.space);
  PlanBuilder b;
  const auto c = b.buffers(at.space, true, 3);
  const ValueId x = b.vector(at.space, c), on_rows = b.vector(at.space, c), on_both = b.vector(at.space, c),
                pushed = b.vector(at.space, c);
  const auto twice = b.kernel(element_kernel<double>([](double a) { return 2 * a; }, V{}));
  const auto next = b.kernel(element_kernel<double>([](double a) { return a + 1; }, V{}));
  Launch rows = launch(Op::element, twice, {x}, {}, {on_rows}), both = launch(Op::element, next, {x}, {}, {on_both}),
         push = launch(Op::element, next, {x}, {}, {pushed});
  rows.roles = at.rows;
  both.roles = at.both;
  push.copied_roles = at.columns;  // on masters only; on replicas what was there
  b.live_in(x, false);
  b.plan.steps = {
      step(sweep(at.space, {rows, both, push}, {input(x), output(on_rows), output(on_both), output(pushed)}))};
  for (const ValueId v : {on_rows, on_both, pushed}) b.result(v);

  std::vector<LiveValue> inputs = {at.machine.vector(at.space, true, [](GlobalIndex i) { return 10.0 * i + 1; })};
  const LiveValue kept = inputs[0];
  for (int k = 0; k < 3; ++k) {  // what is not written must stay as it is: fill the buffers that the run will get
    at.machine.vector(at.space, true, [](GlobalIndex) { return -7.0; });
  }
  const RunResult result = at.machine.run(b, std::move(inputs));
  for (LocalIndex i = 0; i < space.local_size(); ++i) {
    const double before = data(kept)[i];
    if (at.in(at.rows, i)) {
      EXPECT_EQ(data(result.results[0])[i], 2 * before);
    }
    if (at.in(at.both, i)) {
      EXPECT_EQ(data(result.results[1])[i], before + 1);
    }
    if (at.in(at.columns, i)) {
      EXPECT_EQ(data(result.results[2])[i], i < space.masters() ? before + 1 : before);
    }
  }
  const std::uint64_t masters = space.masters(), any = at.replicas(at.both);
  const std::uint64_t written = 3 * masters + at.replicas(at.rows) + any + at.replicas(at.columns);
  EXPECT_EQ(result.measured.elements_read, masters + any);
  EXPECT_EQ(result.measured.bytes_read, 8 * (masters + any));
  EXPECT_EQ(result.measured.elements_written, written);
  EXPECT_EQ(result.measured.bytes_written, 8 * written);
  EXPECT_EQ(result.measured.buffer_bytes, 3u * 8 * space.local_size());
  expect_witnessed(result);
}

TEST(ElementSweep, SourcesReadTheTableOnceWhereIndicesAreScattered) {
  Replicated at;
  const auto& space = at.machine.placement.space(at.space);
  PlanBuilder b;
  const auto c = b.buffers(at.space, true, 2);
  const ValueId first = b.vector(at.space, c), second = b.vector(at.space, c);
  const auto iota = b.kernel(source_kernel<double>([](GlobalIndex i) { return static_cast<double>(i); }));
  const auto square = b.kernel(source_kernel<double>([](GlobalIndex i) { return static_cast<double>(i * i); }));
  Launch one = launch(Op::source, iota, {}, {}, {first}), two = launch(Op::source, square, {}, {}, {second});
  one.reads_global = two.reads_global = true;
  one.roles = at.rows;
  b.plan.steps = {step(sweep(at.space, {one, two}, {output(first), output(second)}))};
  b.result(first);
  b.result(second);
  const RunResult result = at.machine.run(b, {});
  for (LocalIndex i = 0; i < space.local_size(); ++i) {
    const auto global = static_cast<double>(space.global()[i]);
    if (at.in(at.rows, i)) {
      EXPECT_EQ(data(result.results[0])[i], global);
    }
    if (i < space.masters()) {
      EXPECT_EQ(data(result.results[1])[i], global * global);
    }
  }
  const std::uint64_t walked = space.masters() + at.replicas(at.rows);
  EXPECT_EQ(result.measured.elements_read, space.blocks() ? 0 : walked);
  EXPECT_EQ(result.measured.elements_written, walked + space.masters());
  expect_witnessed(result);
}

TEST(ElementSweep, TheTileSizeChangesNoBit) {
  Machine machine;
  const SpaceId space = machine.placement.space(3000);
  machine.placement.assign(space);
  std::vector<double> totals;
  for (std::uint32_t tile : {1u, 7u, 128u, 1024u}) {
    const Fused fused(space, tile);
    std::vector<LiveValue> inputs;
    inputs.push_back(machine.vector(space, false, [](GlobalIndex i) { return 1.0 / static_cast<double>(i + 1); }));
    inputs.push_back(machine.vector(space, false, [](GlobalIndex i) { return std::sin(static_cast<double>(i)); }));
    inputs.push_back(shared(0.3));
    totals.push_back(value<double>(machine.run(fused.builder, std::move(inputs)).results[1]));
  }
  for (const double total : totals) EXPECT_EQ(total, totals[0]);
}

}  // namespace
}  // namespace kasen::runtime::tests
