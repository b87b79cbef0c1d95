/// @file
/// Sweeps that pull, work element by element and push in one pass over a matrix, against serial loops and the formulas.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "optimizer/cost/formulas.h"
#include "optimizer/plan/step_tools.h"
#include "tests/runtime/plan_builder.h"
#include "tests/support/graphs.h"

namespace kasen::runtime::tests {
namespace {

using V = VectorOperand<double>;
constexpr auto kPlus = [](double a, double b) { return a + b; };
constexpr auto kTimes = [](double a, double m) { return a * m; };
constexpr auto kBend = [](double z, double w) { return (z > 9 ? z - 4 : 2 * z) + w; };

/// All counters of all workers are what the formulas say of the plan.
void expect_predicted(const Machine& machine, const optimizer::Plan& plan, const RunResult& result) {
  optimizer::Plan priced = plan;
  optimizer::assign_costs(priced, machine.placement.stats());
  Counts predicted;
  optimizer::for_each_step(priced.steps, [&](const Step& step) { predicted += step.stream; });
  const auto sum = [&](std::uint64_t Counts::*count) { return machine.control.sum(result.measured.*count); };
  EXPECT_EQ(sum(&Counts::elements_read), predicted.elements_read);
  EXPECT_EQ(sum(&Counts::elements_written), predicted.elements_written);
  EXPECT_EQ(sum(&Counts::elements_initialised), predicted.elements_initialised);
  EXPECT_EQ(sum(&Counts::bytes_read), predicted.bytes_read);
  EXPECT_EQ(sum(&Counts::bytes_written), predicted.bytes_written);
  EXPECT_EQ(sum(&Counts::bytes_sent), predicted.bytes_sent);
  EXPECT_EQ(sum(&Counts::messages), predicted.messages);
  expect_witnessed(result);
}

/// Where a matrix is whole by rows or by columns, and what it is like.
struct Shape {
  bool rows;
  std::uint64_t walked, other, entries;
  bool values;
};

class MixedSweep : public testing::TestWithParam<Shape> {
 protected:
  /// An entry's value.
  double weight(GlobalIndex row, GlobalIndex column) const {
    return GetParam().values ? static_cast<double>((3 * row + column) % 4) : 1;
  }
};

/// z = M v, y = bend(z, w), total = sum of y, g = y M: w is stored, z and y are not; g is gathered.
TEST_P(MixedSweep, EqualsSerialLoops) {
  const Shape shape = GetParam();
  Options options;
  options.partition = shape.rows ? Partition::block : Partition::hybrid_cut;  // a non-zero goes with its row, column
  options.threshold = shape.entries;
  Machine machine(options);
  const std::uint64_t height = shape.rows ? shape.walked : shape.other, width = shape.rows ? shape.other : shape.walked;
  const SpaceId rows = machine.placement.separate_space(height, "rows");
  const SpaceId columns = machine.placement.separate_space(width, "columns");
  const auto mine =
      kasen::tests::uniform_edges(height, width, shape.entries, 5, {machine.control.rank(), machine.control.size()});
  Entries entries{mine.source, mine.target, {}, shape.values ? 8u : 0u};
  for (std::size_t e = 0; shape.values && e < mine.source.size(); ++e) {
    const double w = weight(mine.source[e], mine.target[e]);
    const auto* bytes = reinterpret_cast<const std::byte*>(&w);
    entries.value.insert(entries.value.end(), bytes, bytes + sizeof w);
  }
  const MatrixId matrix = machine.placement.add_matrix(rows, columns, std::move(entries));
  const RoleSet row_role = {{matrix, Role::Side::row}}, column_role = {{matrix, Role::Side::column}};
  const SpaceId walked = shape.rows ? rows : columns, other = shape.rows ? columns : rows;
  const RoleSet& walked_role = shape.rows ? row_role : column_role;
  const RoleSet& other_role = shape.rows ? column_role : row_role;
  ASSERT_EQ(machine.placement.stats().of(walked, walked_role).replicas, 0u);

  PlanBuilder b;
  const auto stored = b.buffers(walked, false, 0), pushed = b.buffers(other, true, 1);
  const ValueId v = b.vector(other, pushed), w = b.vector(walked, stored);
  const ValueId z = b.vector(walked, optimizer::kNotStored), y = b.vector(walked, optimizer::kNotStored);
  const ValueId g = b.vector(other, pushed), gathered = b.vector(other, pushed);
  const ValueId partial = b.shared<double>(), total = b.shared<double>();
  const auto product = shape.values
                           ? b.kernel(matrix_kernel<double, double, double>(kTimes, kPlus, 0.0))
                           : b.kernel(matrix_kernel<double, double, void>([](double x) { return x; }, kPlus, 0.0));
  const auto bend = b.kernel(element_kernel<double>(kBend, V{}, V{}));
  const auto sum = b.kernel(reduce_kernel<double>(kPlus));
  const auto plus = b.reducer(reducer<double>(kPlus, std::optional<double>(0.0)));
  const Launch pull = launch(shape.rows ? Op::mxvt : Op::mxv, product, {v}, {}, {z});
  Launch push = launch(shape.rows ? Op::mxv : Op::mxvt, product, {y}, {}, {g});
  push.push = true;
  push.reducer = plus;
  push.roles = walked_role;
  push.filled_roles = other_role;
  Sweep mixed = sweep(
      walked, {pull, launch(Op::element, bend, {z, w}, {}, {y}), launch(Op::reduce, sum, {y}, {}, {partial}), push},
      {input(v), input(w), temporary(z, 0), temporary(y, 1), output(g)});
  walk_matrix(mixed, matrix);
  b.plan.steps = {step(mixed),
                  step(optimizer::Exchange{{{g, gathered, other_role, plus}}, {}, {{partial, total, {}, plus}}}, {g})};
  b.live_in(v, false);
  b.live_in(w, false);
  b.result(gathered);
  b.result(total);

  const auto start = [](GlobalIndex i) { return static_cast<double>(i % 11); };
  const RunResult result = machine.run(b, {machine.vector(other, true, start), machine.vector(walked, false, start)});

  const auto all = kasen::tests::uniform_edges(height, width, shape.entries, 5);
  const auto& from = shape.rows ? all.source : all.target;
  const auto& to = shape.rows ? all.target : all.source;
  std::vector<double> between(shape.walked), expected(shape.other);
  for (std::size_t e = 0; e < shape.entries; ++e) {
    between[from[e]] += start(to[e]) * weight(all.source[e], all.target[e]);
  }
  double expected_total = 0;
  for (std::uint64_t i = 0; i < shape.walked; ++i) {
    between[i] = kBend(between[i], start(static_cast<GlobalIndex>(i)));
    expected_total += between[i];
  }
  for (std::size_t e = 0; e < shape.entries; ++e) {
    expected[to[e]] += between[from[e]] * weight(all.source[e], all.target[e]);
  }
  const auto& space = machine.placement.space(other);
  for (LocalIndex i = 0; i < space.masters(); ++i) {
    EXPECT_EQ(data(result.results[0])[i], expected[space.global()[i]]);
  }
  EXPECT_EQ(value<double>(result.results[1]), expected_total);
  expect_predicted(machine, b.plan, result);

  // By hand, of this worker's share: per non-zero its element, v, and g read and written; per row a pointer and w.
  const std::uint64_t nonzeros = machine.placement.matrix(matrix).nonzeros();
  const std::uint64_t masters = machine.placement.space(walked).masters();
  EXPECT_EQ(result.measured.bytes_read, nonzeros * (4 + (shape.values ? 8 : 0) + 16) + 16 * masters);
  EXPECT_EQ(result.measured.bytes_written, 8 * nonzeros);
}
// The last one has rows so long that tiles are cut short.
INSTANTIATE_TEST_SUITE_P(Shapes, MixedSweep,
                         testing::Values(Shape{true, 70, 50, 400, false}, Shape{false, 70, 50, 400, true},
                                         Shape{true, 3, 200, 20, true}, Shape{true, 24, 900, 60000, true}));

/// Rows are cut: partial results of z are scaled on replicas, too, where u is consistent and pushed from. One kernel
/// runs on masters only.
TEST(MixedSweepReplicas, ArePulledScaledAndPushedFrom) {
  constexpr std::uint64_t kHeight = 70, kWidth = 50, kEntries = 400;
  Options options;
  options.partition = Partition::hybrid_cut;
  options.threshold = 8;
  Machine machine(options);
  const SpaceId rows = machine.placement.separate_space(kHeight, "rows");
  const SpaceId columns = machine.placement.separate_space(kWidth, "columns");
  const auto mine =
      kasen::tests::uniform_edges(kHeight, kWidth, kEntries, 3, {machine.control.rank(), machine.control.size()});
  const MatrixId matrix = machine.placement.add_matrix(rows, columns, {mine.source, mine.target, {}, 0});
  const RoleSet row_role = {{matrix, Role::Side::row}}, column_role = {{matrix, Role::Side::column}};

  PlanBuilder b;
  const auto of_rows = b.buffers(rows, true, 2), of_columns = b.buffers(columns, true, 1);
  const ValueId v = b.vector(columns, of_columns), u = b.vector(rows, of_rows);
  const ValueId z = b.vector(rows, optimizer::kNotStored), scaled = b.vector(rows, of_rows);
  const ValueId shifted = b.vector(rows, of_rows), g = b.vector(columns, of_columns);
  const ValueId scaled_gathered = b.vector(rows, of_rows), g_gathered = b.vector(columns, of_columns);
  const auto product = b.kernel(matrix_kernel<double, double, void>([](double x) { return x; }, kPlus, 0.0));
  const auto scale = b.kernel(element_kernel<double>([](double x) { return 3 * x; }, V{}));
  const auto shift = b.kernel(element_kernel<double>([](double x) { return x + 1; }, V{}));
  const auto plus = b.reducer(reducer<double>(kPlus, std::optional<double>(0.0)));
  std::vector<Launch> launches = {
      launch(Op::mxvt, product, {v}, {}, {z}), launch(Op::element, scale, {z}, {}, {scaled}),
      launch(Op::element, shift, {u}, {}, {shifted}), launch(Op::mxv, product, {u}, {}, {g})};
  for (const std::size_t l : {0u, 1u, 3u}) launches[l].roles = row_role;
  launches[3].push = true;
  launches[3].reducer = plus;
  launches[3].filled_roles = column_role;
  Sweep mixed =
      sweep(rows, launches, {input(v), input(u), temporary(z, 0), output(scaled), output(shifted), output(g)});
  walk_matrix(mixed, matrix);
  b.plan.steps = {
      step(mixed),
      step(optimizer::Exchange{{{scaled, scaled_gathered, row_role, plus}, {g, g_gathered, column_role, plus}}, {}, {}},
           {scaled, g})};
  b.live_in(v, false);
  b.live_in(u, false);
  b.result(scaled_gathered);
  b.result(shifted);
  b.result(g_gathered);
  const auto start = [](GlobalIndex i) { return static_cast<double>(i % 11); };
  const RunResult result = machine.run(b, {machine.vector(columns, true, start), machine.vector(rows, true, start)});

  const auto all = kasen::tests::uniform_edges(kHeight, kWidth, kEntries, 3);
  std::vector<double> expected_rows(kHeight), expected_columns(kWidth);
  for (std::size_t e = 0; e < kEntries; ++e) {
    expected_rows[all.source[e]] += 3 * start(all.target[e]);
    expected_columns[all.target[e]] += start(all.source[e]);
  }
  const auto& row_space = machine.placement.space(rows);
  for (LocalIndex i = 0; i < row_space.masters(); ++i) {
    EXPECT_EQ(data(result.results[0])[i], expected_rows[row_space.global()[i]]);
    EXPECT_EQ(data(result.results[1])[i], start(row_space.global()[i]) + 1);
  }
  const auto& column_space = machine.placement.space(columns);
  for (LocalIndex i = 0; i < column_space.masters(); ++i) {
    EXPECT_EQ(data(result.results[2])[i], expected_columns[column_space.global()[i]]);
  }
  expect_predicted(machine, b.plan, result);
}

/// Two names of one buffer: the loop of a program may hand it over as both. One is read at random, so the other, which
/// dies, may not be replaced.
TEST(MixedSweepInPlace, KeepsABufferThatIsReadAtRandomByAnotherName) {
  Options options;
  options.partition = Partition::block;
  Machine machine(options);
  const SpaceId space = machine.placement.space(60);
  const auto mine = kasen::tests::uniform_edges(60, 60, 300, 9, {machine.control.rank(), machine.control.size()});
  const MatrixId matrix = machine.placement.add_matrix(space, space, {mine.source, mine.target, {}, 0});
  PlanBuilder b;
  const auto c = b.buffers(space, true, 1);
  const ValueId v = b.vector(space, c), w = b.vector(space, c), y = b.vector(space, c);
  const ValueId z = b.vector(space, optimizer::kNotStored);
  const auto product = b.kernel(matrix_kernel<double, double, void>([](double x) { return x; }, kPlus, 0.0));
  const auto add = b.kernel(element_kernel<double>(kPlus, V{}, V{}));
  Sweep mixed = sweep(space, {launch(Op::mxvt, product, {v}, {}, {z}), launch(Op::element, add, {z, w}, {}, {y})},
                      {input(v), input(w), temporary(z, 0), in_place(y, 1, w)});
  walk_matrix(mixed, matrix);
  b.plan.steps = {step(mixed, {v, w})};
  b.live_in(v, true);
  b.live_in(w, true);
  b.result(y);
  const auto start = [](GlobalIndex i) { return static_cast<double>(i % 7); };
  LiveValue both = machine.vector(space, true, start);
  std::vector<LiveValue> inputs{both, both};
  both.buffer.reset();
  const RunResult result = machine.run(b, std::move(inputs));

  const auto all = kasen::tests::uniform_edges(60, 60, 300, 9);
  std::vector<double> expected(60);
  for (std::size_t i = 0; i < 60; ++i) expected[i] = start(static_cast<GlobalIndex>(i));
  for (std::size_t e = 0; e < all.source.size(); ++e) expected[all.source[e]] += start(all.target[e]);
  const auto& local = machine.placement.space(space);
  for (LocalIndex i = 0; i < local.masters(); ++i) EXPECT_EQ(data(result.results[0])[i], expected[local.global()[i]]);
  expect_witnessed(result);
}

}  // namespace
}  // namespace kasen::runtime::tests
