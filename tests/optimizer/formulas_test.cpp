/// @file
/// The cost formulas, as text and as numbers, against what is written down here by hand for each kind of step.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "kasen/base/error.h"
#include "optimizer/cost/formulas.h"
#include "optimizer/optimize.h"
#include "optimizer/text/explain.h"
#include "optimizer/text/print.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

/// One space of 1000 elements with a square matrix: 30 row replicas, 20 column replicas, 45 in all, 7000 non-zeros.
PlacementStats one_space(std::uint32_t value_bytes = 0) {
  PlacementStats stats;
  stats.workers = 3;
  const Role row{MatrixId{0}, Role::Side::row}, column{MatrixId{0}, Role::Side::column};
  // Worker 0 holds row replicas of 1 and 2; worker 1 column replicas of 0, worker 2 of 0 and 1.
  const std::vector<WorkerPairs::Pair> rows{{0, 1}, {0, 2}}, columns{{1, 0}, {2, 0}, {2, 1}};
  WorkerPairs all(3, rows);
  all.insert(WorkerPairs(3, columns));
  PlacementStats::Space space;
  space.name = "vertices";
  space.masters = 1000;
  space.replicas = 45;
  space.blocks = false;
  space.roles = {{{row}, 30, true, {3, rows}}, {{column}, 20, true, {3, columns}}, {{row, column}, 45, false, all}};
  stats.spaces = {space};
  stats.matrices = {{SpaceId{0}, SpaceId{0}, 7000, value_bytes, 1}};
  return stats;
}

Plan planned(const ProgramBuilder& b, const PlacementStats& stats, Sync sync = Sync::hybrid) {
  Options options;
  options.sync = sync;
  return optimize(b.program, stats, options);
}

struct Cost {
  std::string read, written, sent;
  std::uint64_t bytes_read = 0, bytes_written = 0, bytes_sent = 0, messages = 0;
};

void expect_cost(const Plan& plan, const Step& step, const PlacementStats& stats, Column column, const Cost& expected) {
  SCOPED_TRACE(print_steps(plan));
  SCOPED_TRACE(column == Column::model ? "model" : "stream");
  const StepFormulas formulas = formulas_of(plan, step, stats, column);
  EXPECT_EQ(formulas.bytes_read.text(stats), expected.read);
  EXPECT_EQ(formulas.bytes_written.text(stats), expected.written);
  EXPECT_EQ(formulas.bytes_sent.text(stats), expected.sent);
  const Counts counts = evaluate(formulas, stats);
  EXPECT_EQ(counts.bytes_read, expected.bytes_read);
  EXPECT_EQ(counts.bytes_written, expected.bytes_written);
  EXPECT_EQ(counts.bytes_sent, expected.bytes_sent);
  EXPECT_EQ(counts.messages, expected.messages);
  const Counts& kept = column == Column::model ? step.model : step.stream;
  EXPECT_EQ(kept, counts);
}

template <class Kind>
const Step& first(const Plan& plan) {
  for (const Step& step : plan.steps) {
    if (std::holds_alternative<Kind>(step.what)) return step;
  }
  throw std::logic_error("no such step");
}
const Step& element_sweep(const Plan& plan) {
  for (const Step& step : plan.steps) {
    if (const auto* sweep = std::get_if<Sweep>(&step.what); sweep && sweep->matrix == kNone<MatrixId>) return step;
  }
  throw std::logic_error("no such step");
}

const RoleSet kRow{row_role(0)}, kColumn{column_role(0)};

/// Sizes of what-if questions may be larger than any bytes that could be counted.
TEST(Formulas, StopAtTheLargestNumber) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
  PlacementStats stats = one_space();
  stats.spaces[0].masters = std::uint64_t{1} << 53;
  Formula formula;
  formula.add(2048, {Symbol::Kind::masters, SpaceId{0}, {}, {}});
  EXPECT_EQ(formula.evaluate(stats), kLargest);
  formula.add(7);
  EXPECT_EQ(formula.evaluate(stats), kLargest);
}

TEST(Formulas, OfElementWorkOnMasters) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), w = b.live_in(kSpace0, {}, false, 4);
  const ValueId x = b.element(mix(), {v, w, v});
  b.live_out(x);
  b.live_out(b.element(scale(2), {x}, {}, 4));
  b.live_out(b.reduce(kPlus, x));
  const PlacementStats stats = one_space();
  const Plan plan = planned(b, stats);
  for (const Column column : {Column::stream, Column::model}) {
    expect_cost(plan, plan.steps[0], stats, column, {"12N", "12N", "0", 12000, 12000, 0, 0});
  }
  const StepFormulas formulas = formulas_of(plan, plan.steps[0], stats, Column::stream);
  EXPECT_EQ(formulas.elements_read.text(stats), "2N") << "a vector read twice is read once";
  EXPECT_EQ(formulas.elements_written.text(stats), "2N");
}

/// What reads an element of ten parts reads one of them.
TEST(Formulas, OfParts) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, {}, false, 80);
  b.program.values[index_of(v)].type.parts = 10;
  b.live_out(b.element(partial(mix()), {v}, {b.live_shared()}));
  const PlacementStats stats = one_space();
  const Plan plan = planned(b, stats);
  for (const Column column : {Column::stream, Column::model})
    expect_cost(plan, plan.steps[0], stats, column, {"8N", "8N", "0", 8000, 8000, 0, 0});
}

TEST(Formulas, OfElementWorkOnReplicas) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::consistent(kRow));
  b.live_out(b.mxv(0, b.element(mix(), {v}), kSpace0));
  const PlacementStats stats = one_space();
  const Plan plan = planned(b, stats, Sync::lazy);
  expect_cost(plan, element_sweep(plan), stats, Column::stream, {"8N + 8S_row", "8N + 8S_row", "0", 8240, 8240, 0, 0});
  expect_cost(plan, element_sweep(plan), stats, Column::model, {"8N + 8S", "8N + 8S", "0", 8360, 8360, 0, 0});
}

TEST(Formulas, OfPushdown) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::pre_reduced(kPlus, kColumn));
  const ValueId copied = b.element(shift(3), {v}), again = b.element(shift(4), {copied});
  b.live_out(b.reduce(kPlus, again));
  b.live_out(v);
  const PlacementStats stats = one_space();
  Options options;
  options.sync = Sync::lazy;
  options.passes_off = {"fuse"};
  const Plan plan = optimize(b.program, stats, options);
  ASSERT_EQ(all<Sweep>(plan).size(), 3u);
  // The first copies the replicas, as the input is held by others; the second runs where it is, on masters only.
  expect_cost(plan, plan.steps[0], stats, Column::stream, {"8N + 8S_col", "8N + 8S_col", "0", 8160, 8160, 0, 0});
  expect_cost(plan, plan.steps[1], stats, Column::stream, {"8N", "8N", "0", 8000, 8000, 0, 0});
  expect_cost(plan, plan.steps[1], stats, Column::model, {"8N + 8S", "8N + 8S", "0", 8360, 8360, 0, 0});
  // Rule 5 reads the replicas, too.
  expect_cost(plan, plan.steps[2], stats, Column::stream, {"8N + 8S_col", "0", "0", 8160, 0, 0, 0});
}

TEST(Formulas, OfReductions) {
  ProgramBuilder b;
  b.live_out(b.reduce(kPlus, b.live_in(kSpace0, State::consistent(kRow))));
  const PlacementStats stats = one_space();
  const Plan plan = planned(b, stats);
  expect_cost(plan, plan.steps[0], stats, Column::stream, {"8N", "0", "0", 8000, 0, 0, 0});
  expect_cost(plan, plan.steps[0], stats, Column::model, {"8N + 8S", "0", "0", 8360, 0, 0, 0});
  // Each of 3 workers sends 2 times 8 bytes.
  for (const Column column : {Column::stream, Column::model}) {
    expect_cost(plan, first<Exchange>(plan), stats, column, {"0", "0", "8P(P-1)", 0, 0, 48, 6});
  }
}

TEST(Formulas, OfFolds) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::consistent(kRow)), w = b.live_in(kSpace0, {}, false, 4);
  b.live_out(b.fold(kPlus, mix(), {v, w, v}, {}, 2000));
  b.live_out(b.reduce(kPlus, v));
  const PlacementStats stats = one_space();
  const Plan plan = planned(b, stats);
  ASSERT_EQ(all<Sweep>(plan).size(), 1u);
  expect_cost(plan, plan.steps[0], stats, Column::stream, {"12N", "0", "0", 12000, 0, 0, 0});
  for (const Column column : {Column::stream, Column::model}) {
    expect_cost(plan, first<Exchange>(plan), stats, column, {"0", "0", "2008P(P-1)", 0, 0, 12048, 6});
  }
}

TEST(Formulas, OfProducts) {
  ProgramBuilder b;
  b.live_out(b.mxv(0, b.live_in(kSpace0, State::consistent(kRow)), kSpace0));
  PlacementStats stats = one_space();
  Plan plan = planned(b, stats);
  // Per non-zero 4 bytes of index and 8 of the vector; per output 8 bytes of pointer and 8 of the result.
  expect_cost(plan, plan.steps[0], stats, Column::stream,
              {"8N + 8S_col + 12M", "8N + 8S_col", "0", 84000 + 8160, 8160, 0, 0});
  expect_cost(plan, plan.steps[0], stats, Column::model, {"20M", "8M", "0", 140000, 56000, 0, 0});
  // The paper's matrix element has 8 bytes.
  stats = one_space(4);
  plan = planned(b, stats);
  expect_cost(plan, plan.steps[0], stats, Column::model, {"24M", "8M", "0", 168000, 56000, 0, 0});
}

TEST(Formulas, OfProductsOfTheTranspose) {
  ProgramBuilder b;
  b.live_out(b.mxvt(0, b.live_in(kSpace0, State::consistent(kColumn)), kSpace0));
  const PlacementStats stats = one_space();
  const Plan plan = planned(b, stats);
  expect_cost(plan, plan.steps[0], stats, Column::stream,
              {"8N + 8S_row + 12M", "8N + 8S_row", "0", 84000 + 8240, 8240, 0, 0});
}

/// Per element its value and the vector's; per output the result. The paper's matrix element has an index always.
TEST(Formulas, OfDenseProducts) {
  ProgramBuilder b;
  b.live_out(b.mxvt(0, b.live_in(kSpace0, State::consistent(kColumn)), kSpace0));
  PlacementStats stats = one_space(8);
  stats.matrices[0].dense = true;
  const Plan plan = planned(b, stats);
  expect_cost(plan, plan.steps[0], stats, Column::stream, {"16M", "8N + 8S_row", "0", 112000, 8240, 0, 0});
  EXPECT_EQ(formulas_of(plan, plan.steps[0], stats, Column::stream).elements_read.text(stats), "2M");
  expect_cost(plan, plan.steps[0], stats, Column::model, {"28M", "8M", "0", 196000, 56000, 0, 0});
  EXPECT_NE(explain(plan, stats).find("M = 7000, dense"), std::string::npos);
}

TEST(Formulas, OfJoinedProductsReadTheMatrixOnce) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::consistent(kRow)), w = b.live_in(kSpace0, State::consistent(kRow));
  for (ValueId in : {v, w, v}) b.live_out(b.mxv(0, in, kSpace0));
  const PlacementStats stats = one_space();
  const Plan plan = planned(b, stats);
  expect_cost(plan, plan.steps[0], stats, Column::stream,
              {"8N + 8S_col + 20M", "24N + 24S_col", "0", 140000 + 8160, 24480, 0, 0});
  expect_cost(plan, plan.steps[0], stats, Column::model, {"44M", "24M", "0", 308000, 168000, 0, 0});
}

/// Per non-zero its index and the vectors of the inputs, a vector that is two of them once; per output the pointer, the
/// vectors of the outputs, and the result. One vector may be at both ends.
TEST(Formulas, OfProductsOfBothEnds) {
  const auto of = [](ProgramBuilder& b) {
    const ValueId v = b.live_in(kSpace0, State::consistent({row_role(0), column_role(0)}));
    const ValueId w = b.live_in(kSpace0, State::consistent(kColumn), false, 4);
    b.live_out(b.of_ends(Op::mxv, 0, mix(), {v, v}, {w, v}, kSpace0));
    b.live_out(b.of_ends(Op::mxv, 0, mix(), {v}, {w}, kSpace0, kMax));
  };
  ProgramBuilder b;
  of(b);
  PlacementStats stats = one_space();
  Plan plan = planned(b, stats);
  ASSERT_EQ(all<Sweep>(plan).size(), 1u) << "they share a walk";
  expect_cost(plan, plan.steps[0], stats, Column::stream,
              {"20N + 20S_col + 12M", "16N + 16S_col", "0", 84000 + 20400, 16320, 0, 0});
  expect_cost(plan, plan.steps[0], stats, Column::model, {"40M", "16M", "0", 280000, 112000, 0, 0});
  stats = one_space(8);
  stats.matrices[0].dense = true;
  plan = planned(b, stats);
  expect_cost(plan, plan.steps[0], stats, Column::stream,
              {"12N + 12S_col + 16M", "16N + 16S_col", "0", 112000 + 12240, 16320, 0, 0});
}

TEST(Formulas, OfTransitions) {
  ProgramBuilder b;
  b.live_out(b.live_in(kSpace0, State::pre_reduced(kPlus, kColumn), true), true);
  const PlacementStats stats = one_space();
  Plan plan = planned(b, stats);
  expect_cost(plan, plan.steps[0], stats, Column::stream, {"0", "0", "8S_col", 0, 0, 160, 3});
  expect_cost(plan, plan.steps[0], stats, Column::model, {"0", "0", "8S", 0, 0, 360, 5});
  ProgramBuilder scatter;
  scatter.live_out(scatter.mxv(0, scatter.live_in(kSpace0), kSpace0));
  plan = planned(scatter, stats);
  expect_cost(plan, plan.steps[0], stats, Column::stream, {"0", "0", "8S_row", 0, 0, 240, 2});
}

TEST(Formulas, OfWhatTravelsTogether) {
  // A gather by column replicas and a scatter by row replicas: workers that have anything to send in either.
  ProgramBuilder b;
  const ValueId sum = b.live_in(kSpace0, State::pre_reduced(kPlus, kColumn), true);
  b.live_out(sum, true);
  b.live_out(b.mxv(0, b.live_in(kSpace0), kSpace0));
  const PlacementStats stats = one_space();
  const Plan plan = planned(b, stats);
  const auto& exchange = std::get<Exchange>(plan.steps[0].what);
  ASSERT_EQ(exchange.gathers.size(), 1u);
  ASSERT_EQ(exchange.scatters.size(), 1u);
  // Gather: 1 to 0, 2 to 0, 2 to 1. Scatter, owner to holder: 1 to 0, 2 to 0. In all 3 pairs.
  expect_cost(plan, plan.steps[0], stats, Column::stream, {"0", "0", "8S_row + 8S_col", 0, 0, 400, 3});
  const StepFormulas formulas = formulas_of(plan, plan.steps[0], stats, Column::stream);
  EXPECT_EQ(formulas.buffer_bytes.evaluate(stats), 2 * 400u) << "several vectors are packed on both sides";
}

TEST(Formulas, OfIndicesOutsideOfBlocks) {
  ProgramBuilder b;
  b.live_out(b.element(mix(), {b.source(kSpace0, true), b.source(kSpace0, true)}));
  PlacementStats stats = one_space();
  Plan plan = planned(b, stats);
  expect_cost(plan, plan.steps[0], stats, Column::stream, {"8N", "8N", "0", 8000, 8000, 0, 0});
  stats.spaces[0].blocks = true;
  plan = planned(b, stats);
  expect_cost(plan, plan.steps[0], stats, Column::stream, {"0", "8N", "0", 0, 8000, 0, 0});
}

TEST(Formulas, NumberSpacesAndMatricesIfThereAreSeveral) {
  ProgramBuilder b;
  b.live_out(b.mxv(1, b.live_in(kSpace0, State::consistent({row_role(1)})), kSpace1));
  const PlacementStats stats = small_world(3).stats();
  const Plan plan = planned(b, stats);
  EXPECT_EQ(formulas_of(plan, plan.steps[0], stats, Column::stream).bytes_read.text(stats), "8N1 + 8S1 + 12M1");
}

TEST(Formulas, AddUpTermsOfOneSymbol) {
  Formula formula;
  const PlacementStats stats = one_space();
  EXPECT_EQ(formula.text(stats), "0");
  EXPECT_EQ(formula.evaluate(stats), 0u);
  const Symbol n{Symbol::Kind::masters, SpaceId{0}, kNone<MatrixId>, {}};
  const Symbol m{Symbol::Kind::nonzeros, kNone<SpaceId>, MatrixId{0}, {}};
  formula.add(12, n);
  formula.add(24, m);
  formula.add(8, n);
  EXPECT_EQ(formula.text(stats), "20N + 24M");
  EXPECT_EQ(formula.evaluate(stats), 20 * 1000u + 24 * 7000u);
}

TEST(Symbols, CanBeSetByName) {
  PlacementStats stats = one_space();
  set_symbol(stats, "N", 5000);
  set_symbol(stats, "M", 6);
  set_symbol(stats, "S_row", 7);
  set_symbol(stats, "S", 8);
  EXPECT_EQ(stats.spaces[0].masters, 5000u);
  EXPECT_EQ(stats.matrices[0].nonzeros, 6u);
  EXPECT_EQ(stats.of(SpaceId{0}, kRow).replicas, 7u);
  EXPECT_EQ(stats.of(SpaceId{0}, kColumn).replicas, 20u);
  EXPECT_EQ(stats.spaces[0].replicas, 8u);
  for (const Symbol& symbol : symbols_of(stats)) {
    PlacementStats changed = stats;
    set_symbol(changed, name_of(symbol, stats), 1234567);
    for (const Symbol& other : symbols_of(stats))
      EXPECT_EQ(value_of(other, changed), other == symbol ? 1234567 : value_of(other, stats));
  }
}

TEST(Symbols, ThatAreUnknownAreAUsageError) {
  PlacementStats stats = one_space();
  for (const char* name : {"", "n", "N0", "S_row_col", "P(P-1)"}) {
    try {
      set_symbol(stats, name, 1);
      FAIL() << name;
    } catch (const UsageError& error) {
      EXPECT_EQ(std::string(error.what()),
                "--set: there is no symbol '" + std::string(name) + "', only N, S_row, S, S_col, M");
    }
  }
}

TEST(Formulas, OfBuffers) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  const ValueId x = b.element(mix(), {v});
  const ValueId sum = b.reduce(kPlus, x);
  b.live_out(b.element(scale_by_shared(), {x}, {sum}, 4));
  const PlacementStats stats = one_space();
  const Plan plan = planned(b, stats);
  // x: masters of 8 bytes; the result: 4 bytes, with room for all replicas.
  EXPECT_EQ(plan.buffer_bytes, 8u * 1000 + 4 * 1045);
  EXPECT_EQ(plan.model_buffer_bytes, 8u * 1000 + 4 * 1000) << "both are partitioned";
}

}  // namespace
}  // namespace kasen::optimizer::tests
