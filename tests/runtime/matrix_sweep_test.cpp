/// @file
/// Matrix sweeps with gathers and scatters against a serial product.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/runtime/plan_builder.h"
#include "tests/support/graphs.h"

namespace kasen::runtime::tests {
namespace {

constexpr std::uint64_t kRows = 70, kColumns = 50, kEntries = 400;
constexpr auto kPlus = [](double a, double b) { return a + b; };
constexpr auto kFirst = [](double x) { return x; };

class MatrixSweepPartition : public testing::TestWithParam<Partition> {};

/// y = M'x scattered to columns, then z = M y: one exchange each way, two vectors at a time.
TEST_P(MatrixSweepPartition, ProductsThereAndBackEqualSerialOnes) {
  Options options;
  options.partition = GetParam();
  options.threshold = 5;
  Machine machine(options);
  const SpaceId row_space = machine.placement.separate_space(kRows, "rows");
  const SpaceId column_space = machine.placement.separate_space(kColumns, "columns");
  const auto mine =
      kasen::tests::uniform_edges(kRows, kColumns, kEntries, 5, {machine.control.rank(), machine.control.size()});
  const MatrixId matrix = machine.placement.add_matrix(row_space, column_space, {mine.source, mine.target, {}, 0});
  const RoleSet row_role = {{matrix, Role::Side::row}}, column_role = {{matrix, Role::Side::column}};

  PlanBuilder b;
  const auto rows = b.buffers(row_space, true, 2), columns = b.buffers(column_space, true, 2);
  const ValueId x[2] = {b.vector(row_space, rows), b.vector(row_space, rows)};
  const ValueId y[2] = {b.vector(column_space, columns), b.vector(column_space, columns)};
  const ValueId y_gathered[2] = {b.vector(column_space, columns), b.vector(column_space, columns)};
  const ValueId y_everywhere[2] = {b.vector(column_space, columns), b.vector(column_space, columns)};
  const ValueId z[2] = {b.vector(row_space, rows), b.vector(row_space, rows)};
  const ValueId z_gathered[2] = {b.vector(row_space, rows), b.vector(row_space, rows)};
  const auto product = b.kernel(matrix_kernel<double, double, void>(kFirst, kPlus, 0.0));
  const auto plus = b.reducer(reducer<double>(kPlus, std::optional<double>(0.0)));

  // There: both vectors as a group. Back: one by one, alternating per tile.
  Launch there = launch(Op::mxv, product, {x[0], x[1]}, {}, {y[0], y[1]});
  there.roles = column_role;
  Sweep first = sweep(column_space, {there}, {input(x[0]), input(x[1]), output(y[0]), output(y[1])});
  walk_matrix(first, matrix);
  Launch back[2];
  for (int k = 0; k < 2; ++k) {
    back[k] = launch(Op::mxvt, product, {y_everywhere[k]}, {}, {z[k]});
    back[k].roles = row_role;
  }
  Sweep second = sweep(row_space, {back[0], back[1]},
                       {input(y_everywhere[0]), input(y_everywhere[1]), output(z[0]), output(z[1])});
  walk_matrix(second, matrix);
  optimizer::Exchange gather_y, scatter_y, gather_z;
  for (int k = 0; k < 2; ++k) {
    gather_y.gathers.push_back({y[k], y_gathered[k], column_role, plus});
    scatter_y.scatters.push_back({y_gathered[k], y_everywhere[k], column_role, {}});
    gather_z.gathers.push_back({z[k], z_gathered[k], row_role, plus});
    b.live_in(x[k], false);
    b.result(z_gathered[k]);
  }
  b.plan.steps = {step(first), step(gather_y, {y[0], y[1]}), step(scatter_y, {y_gathered[0], y_gathered[1]}),
                  step(second, {y_everywhere[0], y_everywhere[1]}), step(gather_z, {z[0], z[1]})};

  const auto start = [](int k) { return [k](GlobalIndex i) { return static_cast<double>(i % 11 + k); }; };
  const RunResult result =
      machine.run(b, {machine.vector(row_space, true, start(0)), machine.vector(row_space, true, start(1))});

  const auto all = kasen::tests::uniform_edges(kRows, kColumns, kEntries, 5);
  for (int k = 0; k < 2; ++k) {
    std::vector<double> between(kColumns), expected(kRows);
    for (std::size_t e = 0; e < kEntries; ++e) between[all.target[e]] += start(k)(all.source[e]);
    for (std::size_t e = 0; e < kEntries; ++e) expected[all.source[e]] += between[all.target[e]];
    const auto& space = machine.placement.space(row_space);
    for (LocalIndex i = 0; i < space.masters(); ++i) {
      EXPECT_EQ(data(result.results[static_cast<std::size_t>(k)])[i], expected[space.global()[i]]);
    }
  }

  // Counted by hand from this worker's share: per non-zero an index and two vector elements, per output a pointer and
  // two writes; there and back.
  const std::uint64_t entries = machine.placement.matrix(matrix).nonzeros();
  const auto walked = [&](SpaceId id, const RoleSet& roles) {
    std::uint64_t count = machine.placement.space(id).masters();
    for (const auto& run : machine.placement.space(id).replicas(roles)) count += run.count;
    return count;
  };
  const std::uint64_t outputs = walked(column_space, column_role) + walked(row_space, row_role);
  EXPECT_EQ(result.measured.elements_read, 2 * 3 * entries + outputs);
  EXPECT_EQ(result.measured.bytes_read, 2 * (4 + 16) * entries + 8 * outputs);
  EXPECT_EQ(result.measured.elements_written, 2 * outputs);
  EXPECT_EQ(result.measured.bytes_written, 16 * outputs);
  expect_witnessed(result);

  // Each replica's two values cross the network once a transition: it sends them when gathered, and gets them when
  // scattered.
  const auto& stats = machine.placement.stats();
  const std::uint64_t sent = machine.control.sum(result.measured.bytes_sent);
  EXPECT_EQ(sent, 16 * (2 * stats.of(column_space, column_role).replicas + stats.of(row_space, row_role).replicas));
}
INSTANTIATE_TEST_SUITE_P(Partitions, MatrixSweepPartition, testing::Values(Partition::hybrid_cut, Partition::block));

TEST(MatrixSweep, ReadsTheValuesOfItsEntries) {
  Machine machine;
  const SpaceId space = machine.placement.space(40);
  const auto mine = kasen::tests::uniform_edges(40, 40, 200, 9, {machine.control.rank(), machine.control.size()});
  const auto weight = [](GlobalIndex row, GlobalIndex column) { return static_cast<double>(3 * row + column); };
  Entries entries{mine.source, mine.target, {}, sizeof(double)};
  for (std::size_t e = 0; e < mine.source.size(); ++e) {
    const double w = weight(mine.source[e], mine.target[e]);
    const auto* bytes = reinterpret_cast<const std::byte*>(&w);
    entries.value.insert(entries.value.end(), bytes, bytes + sizeof w);
  }
  const MatrixId matrix = machine.placement.add_matrix(space, space, entries);
  const RoleSet columns = {{matrix, Role::Side::column}};
  PlanBuilder b;
  const auto c = b.buffers(space, true, 1);
  const ValueId x = b.vector(space, c), y = b.vector(space, c), gathered = b.vector(space, c);
  const auto product =
      b.kernel(matrix_kernel<double, double, double>([](double a, double m) { return a * m; }, kPlus, 0.0));
  const auto plus = b.reducer(reducer<double>(kPlus, std::optional<double>(0.0)));
  Launch mxv = launch(Op::mxv, product, {x}, {}, {y});
  mxv.roles = columns;
  Sweep only = sweep(space, {mxv}, {input(x), output(y)});
  walk_matrix(only, matrix);
  b.plan.steps = {step(only), step(optimizer::Exchange{{{y, gathered, columns, plus}}, {}, {}}, {y})};
  b.live_in(x, false);
  b.result(gathered);
  const RunResult result = machine.run(b, {machine.vector(space, true, [](GlobalIndex i) { return 1.0 * i; })});

  std::vector<double> expected(40);
  const auto all = kasen::tests::uniform_edges(40, 40, 200, 9);
  for (std::size_t e = 0; e < all.source.size(); ++e) {
    expected[all.target[e]] += static_cast<double>(all.source[e]) * weight(all.source[e], all.target[e]);
  }
  const auto& local = machine.placement.space(space);
  for (LocalIndex i = 0; i < local.masters(); ++i) EXPECT_EQ(data(result.results[0])[i], expected[local.global()[i]]);
  const std::uint64_t nonzeros = machine.placement.matrix(matrix).nonzeros();
  const std::uint64_t outputs = result.measured.elements_written;
  EXPECT_EQ(result.measured.bytes_read, nonzeros * (4 + 8 + 8) + 8 * outputs);
  expect_witnessed(result);
}

}  // namespace
}  // namespace kasen::runtime::tests
