/// @file
/// What random programs are made of, and how they shrink; no Kasen runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "tests/fuzz/generator.h"
#include "tests/fuzz/operations.h"
#include "tests/fuzz/printer.h"
#include "tests/fuzz/shrink.h"

namespace kasen::tests::fuzz {
namespace {

constexpr std::uint64_t kPrograms = 1000;

TEST(Generator, UsesEverythingThereIs) {
  std::set<int> called;
  std::set<Statement::Kind> kinds;
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
    for (const Kind& kind : {Kind{.errors = true}, Kind{.exact = false, .errors = true}, Kind{.searches = true}}) {
      const Program program = generate(seed, kind);
      for_each_statement(program.body, [&](const Statement& s, int depth) {
        kinds.insert(s.kind);
        if (s.kind == Statement::Kind::operation) called.insert(s.operation);
        if (s.kind == Statement::Kind::loop && depth > 1) seen.insert("loop in a block in a block");
        if (s.kind == Statement::Kind::loop) seen.insert(s.native ? "native" : s.likely ? "likely" : "while");
        if (s.kind == Statement::Kind::branch) seen.insert(s.native ? "native branch" : "branch");
        if (s.kind == Statement::Kind::read && depth > 0) seen.insert("get within native control flow");
      });
      for (const MatrixOf& matrix : program.matrices) {
        if (matrix.entries.empty()) seen.insert("no non-zeros");
        seen.insert(matrix.rows == matrix.columns ? "square" : "rectangular");
      }
      for (const SpaceOf& space : program.spaces) {
        if (space.length < 2) seen.insert("length " + std::to_string(space.length));
        if (space.separate) seen.insert("apart");
      }
    }
  }
  for (std::size_t k = 0; k < operations().size(); ++k) {
    const Operation& operation = operations()[k];
    if (operation.suits != Suits::defect) {
      EXPECT_TRUE(called.contains(static_cast<int>(k))) << k << ": " << operation.text;
    }
  }
  EXPECT_EQ(kinds.size(), static_cast<std::size_t>(Statement::Kind::read) + 1);
  EXPECT_EQ(seen, (std::set<std::string>{"apart", "branch", "get within native control flow", "length 0", "length 1",
                                         "likely", "loop in a block in a block", "native", "native branch",
                                         "no non-zeros", "rectangular", "square", "while"}));
}

TEST(Generator, IsAFunctionOfTheSeed) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Program program = generate(seed, {});
    EXPECT_TRUE(well_formed(program));
    EXPECT_EQ(cpp(program, ""), cpp(generate(seed, {}), ""));
    EXPECT_NE(cpp(program, ""), cpp(generate(seed + 1, {}), ""));
    EXPECT_EQ(printed(Interpreter(program).run()), printed(Interpreter(program).run()));
  }
}

TEST(Shrink, KeepsWhatFailsAndLittleElse) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Program program = generate(seed, {});
    const auto products = [](const Program& p) {
      int count = 0;
      for_each_statement(p.body, [&](const Statement& s, int) {
        count += s.kind == Statement::Kind::operation &&
                 operations()[static_cast<std::size_t>(s.operation)].kind == Operation::Kind::product;
      });
      return count;
    };
    if (products(program) == 0) continue;
    const Program small = shrink(program, [&](const Program& p) { return products(p) > 0; });
    EXPECT_EQ(products(small), 1);
    EXPECT_LE(count_statements(small.body), 3) << cpp(small, "");
    for (const MatrixOf& matrix : small.matrices) EXPECT_TRUE(matrix.entries.empty());
  }
}

TEST(Numbers, KnowWhenOrderMatters) {
  EXPECT_EQ((Real(0.5) * 3 + 0.25).value, 1.75);
  EXPECT_EQ((Real(0.5) * 3 + 0.25).grain, 2);
  EXPECT_THROW(Real(0.1) + Real(1.0), OutOfBounds);
  EXPECT_THROW(Real(1.0) / Real(3.0), OutOfBounds);
  EXPECT_THROW(Real(1.0) / Real(0.0), OutOfBounds);
  EXPECT_THROW(Int(1 << 26) * Int(3), OutOfBounds);
  const Real infinite = std::numeric_limits<double>::infinity();
  EXPECT_THROW(infinite - infinite, OutOfBounds);
  EXPECT_EQ(least(infinite, Real(2.0)).value, 2);
  EXPECT_EQ((Real(1.0, 1, -1) / Real(3.0, 3, -1)).grain, -1);
}

}  // namespace
}  // namespace kasen::tests::fuzz
