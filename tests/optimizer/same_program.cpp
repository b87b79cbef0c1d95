/// @file
/// Every member is named here once: a new one that JSON loses has to be added to be noticed.
#include "tests/optimizer/same_program.h"

#include <gtest/gtest.h>

#include <string_view>

#include "optimizer/record/program_file.h"

namespace kasen::optimizer::tests {
namespace {

void expect_same(const Block& a, const Block& b);

void expect_same(const Statement& a, const Statement& b) {
  EXPECT_EQ(a.op, b.op);
  EXPECT_EQ(a.in, b.in);
  EXPECT_EQ(a.shared, b.shared);
  EXPECT_EQ(a.out, b.out);
  EXPECT_EQ(a.matrix, b.matrix);
  EXPECT_EQ(a.kernel, b.kernel);
  EXPECT_EQ(a.reducer, b.reducer);
  EXPECT_EQ(a.family, b.family);
  EXPECT_EQ(a.reads_global, b.reads_global);
  EXPECT_EQ(a.likely, b.likely);
  EXPECT_EQ(a.total, b.total);
  EXPECT_EQ(a.effect, b.effect);
  EXPECT_EQ(a.keeps_identity, b.keeps_identity);
  EXPECT_EQ(a.positive, b.positive);
  EXPECT_EQ(a.wholes, b.wholes);
  EXPECT_EQ(a.of_batch, b.of_batch);
  EXPECT_EQ(a.function, b.function);
  EXPECT_EQ(a.returns, b.returns);
  EXPECT_EQ(a.expression, b.expression);
  EXPECT_EQ(a.work, b.work);
  EXPECT_EQ(a.affine.scale_kernel, b.affine.scale_kernel);
  EXPECT_EQ(a.affine.shift_kernel, b.affine.shift_kernel);
  EXPECT_EQ(a.affine.scale, b.affine.scale);
  EXPECT_EQ(a.affine.shift, b.affine.shift);
  EXPECT_EQ(a.activity.all, b.activity.all);
  EXPECT_EQ(a.activity.changed, b.activity.changed);
  EXPECT_EQ(a.activity.present, b.activity.present);
  EXPECT_EQ(a.combines, b.combines);
  EXPECT_EQ(a.laws, b.laws);
  EXPECT_EQ(std::string_view(a.where.file), b.where.file);
  EXPECT_EQ(a.where.line, b.where.line);
  EXPECT_EQ(a.label, b.label);
  ASSERT_EQ(a.regions.size(), b.regions.size());
  for (std::size_t k = 0; k < a.regions.size(); ++k) expect_same(a.regions[k], b.regions[k]);
}

void expect_same(const Block& a, const Block& b) {
  EXPECT_EQ(a.arguments, b.arguments);
  EXPECT_EQ(a.condition_length, b.condition_length);
  EXPECT_EQ(a.test, b.test);
  EXPECT_EQ(a.condition_yields, b.condition_yields);
  EXPECT_EQ(a.yields, b.yields);
  ASSERT_EQ(a.statements.size(), b.statements.size());
  for (std::size_t k = 0; k < a.statements.size(); ++k) expect_same(a.statements[k], b.statements[k]);
}

}  // namespace

void expect_same(const Program& a, const Program& b) {
  ASSERT_EQ(a.reducers.size(), b.reducers.size());
  for (std::size_t k = 0; k < a.reducers.size(); ++k) {
    EXPECT_EQ(a.reducers[k].name, b.reducers[k].name);
    EXPECT_EQ(a.reducers[k].kind, b.reducers[k].kind);
    EXPECT_EQ(a.reducers[k].type, b.reducers[k].type);
  }
  ASSERT_EQ(a.values.size(), b.values.size());
  for (std::size_t k = 0; k < a.values.size(); ++k) {
    EXPECT_EQ(a.values[k].kind, b.values[k].kind);
    EXPECT_EQ(a.values[k].space, b.values[k].space);
    EXPECT_EQ(a.values[k].type, b.values[k].type);
    EXPECT_EQ(a.values[k].name, b.values[k].name);
  }
  expect_same(a.top, b.top);
  ASSERT_EQ(a.live_in.size(), b.live_in.size());
  for (std::size_t k = 0; k < a.live_in.size(); ++k) {
    EXPECT_EQ(a.live_in[k].value, b.live_in[k].value);
    EXPECT_EQ(a.live_in[k].state, b.live_in[k].state);
    EXPECT_EQ(a.live_in[k].dies, b.live_in[k].dies);
  }
  ASSERT_EQ(a.live_out.size(), b.live_out.size());
  for (std::size_t k = 0; k < a.live_out.size(); ++k) {
    EXPECT_EQ(a.live_out[k].value, b.live_out[k].value);
    EXPECT_EQ(a.live_out[k].partitioned, b.live_out[k].partitioned);
  }
}

void expect_same(const PlacementStats& a, const PlacementStats& b) {
  EXPECT_EQ(a.workers, b.workers);
  ASSERT_EQ(a.spaces.size(), b.spaces.size());
  for (std::size_t s = 0; s < a.spaces.size(); ++s) {
    EXPECT_EQ(a.spaces[s].name, b.spaces[s].name);
    EXPECT_EQ(a.spaces[s].masters, b.spaces[s].masters);
    EXPECT_EQ(a.spaces[s].replicas, b.spaces[s].replicas);
    EXPECT_EQ(a.spaces[s].blocks, b.spaces[s].blocks);
    EXPECT_EQ(a.spaces[s].imbalance, b.spaces[s].imbalance);
    ASSERT_EQ(a.spaces[s].roles.size(), b.spaces[s].roles.size());
    for (std::size_t r = 0; r < a.spaces[s].roles.size(); ++r) {
      const auto &x = a.spaces[s].roles[r], &y = b.spaces[s].roles[r];
      EXPECT_EQ(x.roles, y.roles);
      EXPECT_EQ(x.replicas, y.replicas);
      EXPECT_EQ(x.contiguous, y.contiguous);
      EXPECT_EQ(x.pairs, y.pairs);
    }
  }
  ASSERT_EQ(a.matrices.size(), b.matrices.size());
  for (std::size_t m = 0; m < a.matrices.size(); ++m) {
    EXPECT_EQ(a.matrices[m].rows, b.matrices[m].rows);
    EXPECT_EQ(a.matrices[m].columns, b.matrices[m].columns);
    EXPECT_EQ(a.matrices[m].nonzeros, b.matrices[m].nonzeros);
    EXPECT_EQ(a.matrices[m].value_bytes, b.matrices[m].value_bytes);
    EXPECT_EQ(a.matrices[m].imbalance, b.matrices[m].imbalance);
    EXPECT_EQ(a.matrices[m].batches, b.matrices[m].batches);
    EXPECT_EQ(a.matrices[m].by_column, b.matrices[m].by_column);
    EXPECT_EQ(a.matrices[m].by_row, b.matrices[m].by_row);
  }
}

void expect_round_trip(const Program& program, const PlacementStats& stats) {
  const std::string text = write_recorded({"test", {{program, stats, 3}}, {}});
  const RecordedRun read = read_recorded(text, "FILE");
  ASSERT_EQ(read.programs.size(), 1u);
  EXPECT_EQ(read.programs[0].runs, 3u);
  expect_same(read.programs[0].program, program);
  expect_same(read.programs[0].stats, stats);
  EXPECT_EQ(write_recorded(read), text);
}

}  // namespace kasen::optimizer::tests
