#include "tests/optimizer/program_queries.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kasen/base/program_tools.h"
#include "optimizer/rewrite/common_subexpressions.h"
#include "optimizer/text/print.h"

namespace kasen::optimizer::tests {

void merge_equal(Program& program) {
  static const PlacementStats stats = small_world(1).stats();
  merge_common_subexpressions(program, stats);
}

std::vector<Numbers> results_of(const ProgramBuilder& b) {
  const World world = small_world(1);
  std::vector<Numbers> live_in;
  for (const LiveIn& live : b.program.live_in) {
    const Value& value = b.value(live.value);
    const std::uint64_t length = value.kind == Value::Kind::shared ? 1 : world.lengths[index_of(value.space)];
    Numbers numbers;
    for (std::uint64_t i = 0; i < length; ++i) numbers.push_back(17 * i + index_of(live.value) + 1);
    live_in.push_back(numbers);
  }
  return interpret(b, live_in, world.lengths, {world.matrices[0].entries, world.matrices[1].entries});
}

void rewrite(ProgramBuilder& b, const std::vector<Pass>& passes) {
  const std::vector<Numbers> expected = results_of(b);
  for (const Pass pass : passes) {
    pass(b.program);
    EXPECT_EQ(results_of(b), expected) << print(b.program);
  }
}

std::size_t count(const Block& block, const std::string& label) {
  std::size_t found = 0;
  for_each_block(block, [&](const Block& nested) { found += count_here(nested, label); });
  return found;
}

std::size_t count_here(const Block& block, const std::string& label) {
  return static_cast<std::size_t>(std::count_if(block.statements.begin(), block.statements.end(),
                                                [&](const Statement& s) { return s.label == label; }));
}

Statement& loop_in(Block& block) {
  return *std::find_if(block.statements.begin(), block.statements.end(),
                       [](const Statement& s) { return s.op == Op::while_; });
}

void expect_normal(const Program& program) {
  for_each_block(program.top, [&](const Block& block) {
    for (const Statement& statement : block.statements) {
      if (statement.op != Op::while_) continue;
      const Block& body = statement.regions[0];
      EXPECT_EQ(body.condition_length, 0u);
      EXPECT_TRUE(body.condition_yields.empty());
      EXPECT_EQ(std::count(body.arguments.begin(), body.arguments.end(), body.test), 1);
      EXPECT_EQ(body.arguments.size(), statement.in.size());
      EXPECT_EQ(body.arguments.size(), statement.out.size());
      EXPECT_EQ(body.arguments.size(), body.yields.size());
      EXPECT_EQ(std::set<ValueId>(body.arguments.begin(), body.arguments.end()).size(), body.arguments.size());
    }
  });
}

}  // namespace kasen::optimizer::tests
