/// @file
/// Plan, simulate, interpret, compare.
#include <gtest/gtest.h>

#include "optimizer/cost/formulas.h"
#include "optimizer/optimize.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/text/draw.h"
#include "optimizer/text/print.h"
#include "tests/optimizer/drawing.h"
#include "tests/optimizer/printed_formula.h"
#include "tests/optimizer/same_program.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

/// The formulas as they are printed give the numbers that the planner compared.
void expect_true_formulas(const Plan& plan, const PlacementStats& stats) {
  const auto printed = [&](const Formula& formula) { return evaluate_printed(formula.text(stats), stats); };
  for_each_step(plan.steps, [&](const Step& step) {
    for (const Column column : {Column::stream, Column::model}) {
      const StepFormulas formulas = formulas_of(plan, step, stats, column);
      const Counts& counts = column == Column::stream ? step.stream : step.model;
      for (std::size_t k = 0; k < Counts::fields().size(); ++k) {
        const auto [name, member] = Counts::fields()[k];
        if (member == &Counts::buffer_bytes) continue;  // of the whole plan
        EXPECT_EQ(printed(formulas.*StepFormulas::fields()[k].member), counts.*member) << name;
      }
    }
  });
  EXPECT_EQ(printed(buffers_of(plan, stats, Column::stream)), plan.buffer_bytes);
  EXPECT_EQ(printed(buffers_of(plan, stats, Column::model)), plan.model_buffer_bytes);
}

/// Every value is drawn, once, and nothing is connected with what is not there.
void expect_whole_drawing(const Plan& plan) {
  const std::string text = draw(plan);
  const Drawing drawing = read_drawing(text);
  for (const auto& [name, times] : drawing.nodes) EXPECT_EQ(times, 1) << name << " in\n" << text;
  for (const auto& [from, to] : drawing.arrows) {
    EXPECT_TRUE(drawing.nodes.contains(from)) << from << " in\n" << text;
    EXPECT_TRUE(drawing.nodes.contains(to)) << to << " in\n" << text;
  }
  EXPECT_EQ(drawing.nodes.size(), values_to_draw(plan)) << text << print_steps(plan);
}

}  // namespace

void expect_right(const Plan& plan, const ProgramBuilder& builder, const World& world) {
  std::vector<Numbers> live_in;
  Number next = 1;
  for (const LiveIn& live : builder.program.live_in) {
    const Value& value = builder.value(live.value);
    Numbers numbers;
    const std::uint64_t length = value.kind == Value::Kind::shared ? 1 : world.lengths[index_of(value.space)];
    for (std::uint64_t i = 0; i < length; ++i) numbers.push_back(next = next * 6364136223846793005u + 99);
    live_in.push_back(std::move(numbers));
  }
  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> matrices;
  for (const World::Matrix& matrix : world.matrices) matrices.push_back(matrix.entries);

  expect_true_formulas(plan, world.stats());
  expect_whole_drawing(plan);
  const Simulated simulated = simulate(plan, builder, world, live_in);
  const std::vector<Numbers> expected = interpret(builder, live_in, world.lengths, matrices);
  EXPECT_EQ(simulated.results, expected) << print_steps(plan);
  EXPECT_TRUE(simulated.defects.empty()) << simulated.defects.front() << "\n" << print_steps(plan);

  Counts predicted;
  for_each_step(plan.steps, [&](const Step& step) { predicted += step.stream.times(simulated.entered[step.block]); });
  for (const auto& field : Counts::fields())
    EXPECT_EQ(predicted.*field.member, simulated.counts.*field.member) << field.name << "\n" << print_steps(plan);
}

Plan expect_right(const ProgramBuilder& builder, const World& world, const Options& options, const Profile& profile) {
  const PlacementStats stats = world.stats();
  expect_round_trip(builder.program, stats);
  Plan plan = optimize(builder.program, stats, options, profile);
  expect_right(plan, builder, world);
  return plan;
}

}  // namespace kasen::optimizer::tests
