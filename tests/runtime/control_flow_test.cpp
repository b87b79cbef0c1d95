/// @file
/// Loops and branches: buffers change hands at the back edge, all at once and without a copy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "kasen/base/error.h"
#include "tests/runtime/plan_builder.h"

namespace kasen::runtime::tests {
namespace {

using V = VectorOperand<double>;
using optimizer::Branch;
using optimizer::Loop;
using optimizer::ScalarWork;

constexpr auto kNext = [](double x) { return x + 1; };
constexpr auto kBelow = [](double x, double bound) { return x < bound; };

/// A loop over a counter that carries vectors: what its body needs in every test.
struct Counted {
  Machine machine;
  SpaceId space;
  PlanBuilder b;
  std::uint32_t c;
  ValueId count, bound, test, count_argument, test_argument, next_count, next_test, count_result, test_result;
  Loop loop;
  Counted() : space(machine.placement.space(50)) {
    machine.placement.assign(space);
    c = b.buffers(space, false, 0);
    for (ValueId* v : {&count, &bound, &count_argument, &next_count, &count_result}) *v = b.shared<double>();
    for (ValueId* v : {&test, &test_argument, &next_test, &test_result}) *v = b.shared<bool>();
    b.live_in(count, false);
    b.live_in(bound, false);
    b.plan.blocks = 2;
    loop.body_block = 1;
    loop.arguments = {count_argument, test_argument};
    loop.initial = {count, test};
    loop.yields = {next_count, next_test};
    loop.results = {count_result, test_result};
    loop.test = test_argument;
    loop.body = {step(ScalarWork{next(), {count_argument}, next_count, ""}, {}, 1),
                 step(ScalarWork{below(), {next_count, bound}, next_test, ""}, {}, 1)};
    b.plan.steps = {step(ScalarWork{below(), {count, bound}, test, ""})};
  }
  KernelId next() { return b.kernel(apply_kernel<double>(kNext, SharedOperand<double>{})); }
  KernelId below() { return b.kernel(apply_kernel<bool>(kBelow, SharedOperand<double>{}, SharedOperand<double>{})); }

  /// A vector that the loop carries; it starts as a live-in that dies.
  ValueId carry(ValueId initial, ValueId yield, ValueId argument) {
    loop.arguments.push_back(argument);
    loop.initial.push_back(initial);
    loop.yields.push_back(yield);
    loop.results.push_back(b.vector(space, c));
    b.result(loop.results.back());
    return argument;
  }
  ValueId initial() {
    const ValueId v = b.vector(space, c);
    b.live_in(v, true);
    dying.push_back(v);
    return v;
  }
  ValueId vector() { return b.vector(space, c); }

  RunResult run(double times, std::vector<double> starts) {
    std::vector<LiveValue> inputs = {shared(0.0), shared(times)};
    for (const double s : starts) {
      inputs.push_back(machine.vector(space, false, [s](GlobalIndex i) { return s + static_cast<double>(i); }));
    }
    loop.dies_at_entry = dying;
    b.plan.steps.push_back(step(loop));
    for (const auto& input : inputs) {
      if (input.buffer) buffers.insert(input.buffer->data());
    }
    return machine.run(b, std::move(inputs));
  }
  void expect(const RunResult& result, std::size_t k, double start) {
    const auto& local = machine.placement.space(space);
    for (LocalIndex i = 0; i < local.masters(); ++i) {
      ASSERT_EQ(data(result.results[k])[i], start + static_cast<double>(local.global()[i])) << "result " << k;
    }
  }
  std::vector<ValueId> dying;
  std::set<const std::byte*> buffers;  ///< of the live-ins
};

class Times : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Loop, Times, testing::Values(0, 1, 2, 3, 7));

TEST_P(Times, SwapsAndRotatesCarriedBuffers) {
  Counted at;
  const ValueId a = at.vector(), b = at.vector(), p = at.vector(), q = at.vector(), r = at.vector();
  at.carry(at.initial(), b, a);  // a, b = b, a
  at.carry(at.initial(), a, b);
  at.carry(at.initial(), q, p);  // p, q, r = q, r, p
  at.carry(at.initial(), r, q);
  at.carry(at.initial(), p, r);
  const int times = GetParam();
  const RunResult result = at.run(times, {100, 200, 300, 400, 500});
  const double pair[] = {100, 200}, triple[] = {300, 400, 500};
  for (std::size_t k = 0; k < 2; ++k) at.expect(result, k, pair[(k + static_cast<std::size_t>(times)) % 2]);
  for (std::size_t k = 0; k < 3; ++k) at.expect(result, 2 + k, triple[(k + static_cast<std::size_t>(times)) % 3]);
  for (const auto& live : result.results) EXPECT_TRUE(at.buffers.contains(live.buffer->data())) << "was copied";
  EXPECT_EQ(result.measured, Counts{}) << "moving buffers touches nothing";
  EXPECT_EQ(result.entered, (std::vector<std::uint64_t>{1, static_cast<std::uint64_t>(times)}));
}

/// current = current + 1; previous = next = the new one: two arguments share one yield.
TEST_P(Times, SharesOneYieldBetweenArguments) {
  Counted at;
  const ValueId current = at.vector(), same = at.vector(), made = at.vector();
  const ValueId start = at.initial(), other = at.initial();
  at.carry(start, made, current);
  at.carry(other, made, same);
  const auto increment = at.b.kernel(element_kernel<double>(kNext, V{}));
  at.loop.body.push_back(
      step(sweep(at.space, {launch(Op::element, increment, {current}, {}, {made})}, {input(current), output(made)}),
           {current, same}, 1));
  at.b.plan.classes[0].count = 1;
  const int times = GetParam();
  const RunResult result = at.run(times, {100, 200});
  at.expect(result, 0, 100 + times);
  at.expect(result, 1, times == 0 ? 200 : 100 + times);
  if (times > 0) {
    EXPECT_EQ(data(result.results[0]), data(result.results[1]));
  }
}

/// previous, current = current, current + 1, in the buffer of previous.
TEST_P(Times, OverwritesADyingArgument) {
  Counted at;
  const ValueId previous = at.vector(), current = at.vector(), made = at.vector();
  at.carry(at.initial(), current, previous);
  at.carry(at.initial(), made, current);
  const auto add = at.b.kernel(element_kernel<double>([](double x, double) { return x + 1; }, V{}, V{}));
  at.loop.body.push_back(step(sweep(at.space, {launch(Op::element, add, {current, previous}, {}, {made})},
                                    {input(previous), input(current), in_place(made, 0, previous)}),
                              {previous}, 1));
  const int times = GetParam();
  const RunResult result = at.run(times, {100, 200});
  at.expect(result, 1, 200 + times);
  at.expect(result, 0, times == 0 ? 100 : 199 + times);
  EXPECT_EQ(result.measured.buffer_bytes, 0u);
}

/// A value from outside the loop, yielded anew in every iteration, survives all of them.
TEST_P(Times, YieldsAnInvariant) {
  Counted at;
  const ValueId fixed = at.b.vector(at.space, at.c), argument = at.vector();
  at.b.live_in(fixed, false);
  at.carry(at.initial(), fixed, argument);
  std::swap(at.b.plan.live_in[2], at.b.plan.live_in[3]);  // in the order of run()'s starts
  const RunResult result = at.run(GetParam(), {100, 200});
  at.expect(result, 0, GetParam() == 0 ? 100 : 200);
}

TEST(Loop, ReportsProgressAndNeedsATest) {
  Counted at;
  at.b.plan.steps.push_back(step(at.loop));
  int seen = 0;
  RunInputs from{{shared(0.0), shared(3.0)}, false, {}};
  at.machine.executor.run(at.b.plan, at.b.kernels, at.b.reducers, from, [&] { ++seen; });
  EXPECT_EQ(seen, 3);
  LiveValue nothing;
  nothing.has = false;
  EXPECT_THROW(at.machine.run(at.b, {nothing, shared(3.0)}), Error);
}

/// Loops in loops: the inner one starts again each time.
TEST(Loop, Nests) {
  Counted at;
  Loop outer = at.loop;
  PlanBuilder& b = at.b;
  const ValueId zero = b.shared<double>(), inner_count = b.shared<double>(), inner_next = b.shared<double>(),
                inner_result = b.shared<double>();
  const ValueId start_test = b.shared<bool>(), inner_test = b.shared<bool>(), inner_next_test = b.shared<bool>(),
                inner_test_result = b.shared<bool>();
  b.live_in(zero, false);
  b.plan.blocks = 3;
  Loop inner;
  inner.arguments = {inner_count, inner_test};
  inner.initial = {zero, start_test};
  inner.yields = {inner_next, inner_next_test};
  inner.results = {inner_result, inner_test_result};
  inner.test = inner_test;
  inner.body_block = 2;
  inner.body = {step(ScalarWork{at.next(), {inner_count}, inner_next, ""}, {}, 2),
                step(ScalarWork{at.below(), {inner_next, at.count_argument}, inner_next_test, ""}, {}, 2)};
  outer.body.push_back(step(ScalarWork{at.below(), {zero, at.count_argument}, start_test, ""}, {}, 1));
  outer.body.push_back(step(inner, {}, 1));
  b.plan.steps.push_back(step(outer));
  const RunResult result = at.machine.run(b, {shared(0.0), shared(4.0), shared(0.0)});
  EXPECT_EQ(result.entered, (std::vector<std::uint64_t>{1, 4, 0 + 1 + 2 + 3}));
  EXPECT_EQ(result.seconds.size(), 1u + 1 + 4 + 2);
}

class Taken : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Branch, Taken, testing::Values(true, false));

TEST_P(Taken, BranchesYieldNewAndOldValues) {
  Machine machine;
  const SpaceId space = machine.placement.space(30);
  machine.placement.assign(space);
  PlanBuilder b;
  const auto c = b.buffers(space, false, 1);
  const ValueId test = b.shared<bool>(), x = b.vector(space, c), made = b.vector(space, c), result = b.vector(space, c);
  b.live_in(test, false);
  b.live_in(x, false);
  b.plan.blocks = 3;
  const auto increment = b.kernel(element_kernel<double>(kNext, V{}));
  Branch branch;
  branch.test = test;
  branch.then_block = 1;
  branch.otherwise_block = 2;
  branch.then = {
      step(sweep(space, {launch(Op::element, increment, {x}, {}, {made})}, {input(x), output(made)}), {}, 1)};
  branch.then_yields = {made};
  branch.otherwise_yields = {x};
  branch.results = {result};
  b.plan.steps = {step(branch)};
  b.result(result);
  b.result(x);
  const bool taken = GetParam();
  const RunResult run =
      machine.run(b, {shared(taken), machine.vector(space, false, [](GlobalIndex i) { return 2.0 * i; })});
  const auto& local = machine.placement.space(space);
  for (LocalIndex i = 0; i < local.masters(); ++i) {
    EXPECT_EQ(data(run.results[0])[i], data(run.results[1])[i] + (taken ? 1 : 0));
    EXPECT_EQ(data(run.results[1])[i], 2.0 * local.global()[i]);
  }
  EXPECT_EQ(run.entered, (std::vector<std::uint64_t>{1, taken ? 1u : 0u, taken ? 0u : 1u}));
  EXPECT_EQ(run.seconds.size(), 2u);
  EXPECT_EQ(run.measured.elements_written, taken ? local.masters() : 0u);
}

}  // namespace
}  // namespace kasen::runtime::tests
