/// @file
/// The random programs find what is wrong: a law that does not hold, and an interpreter that errs.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>

#include "tests/fuzz/check.h"
#include "tests/fuzz/generator.h"
#include "tests/fuzz/operations.h"

namespace kasen::tests::fuzz {
namespace {

constexpr int kMostPrograms = 500;
constexpr int kCombinations = 4;

bool calls(const Block& block, int operation) {
  return std::any_of(block.begin(), block.end(), [&](const Statement& s) {
    return s.operation == operation || calls(s.condition, operation) || calls(s.body, operation) ||
           calls(s.otherwise, operation);
  });
}

int find_operation(bool (*wanted)(const Operation&)) {
  const auto found = std::find_if(operations().begin(), operations().end(), wanted);
  return static_cast<int>(found - operations().begin());
}

/// What the first of some programs that call an operation fails with.
std::vector<Finding> first_finding(Kind kind, int operation, Defect defect) {
  for (std::uint64_t seed = 1; seed <= kMostPrograms; ++seed) {
    const Program program = generate(seed, kind);
    if (!calls(program.body, operation)) continue;
    const auto findings = check(program, kCombinations, defect);
    if (!findings.empty()) return findings;
  }
  return {};
}

void expect_small(const Finding& finding, int operation) {
  EXPECT_TRUE(calls(finding.program.body, operation)) << report(finding);
  EXPECT_LE(count_statements(finding.program.body), 16) << report(finding);
  const std::string text = report(finding);
  EXPECT_NE(text.find(operations()[static_cast<std::size_t>(operation)].text), std::string::npos) << text;
  EXPECT_NE(text.find("KASEN_FUZZ_SEED="), std::string::npos) << text;
}

int workers() {
  int workers = 1;
  PMPI_Comm_size(MPI_COMM_WORLD, &workers);
  return workers;
}

TEST(Mutation, ALawThatDoesNotHoldIsFound) {
  if (workers() == 1) GTEST_SKIP() << "one worker has no partial results";
  const int wrong = find_operation([](const Operation& o) { return o.suits == Suits::defect; });
  const auto findings = first_finding({.exact = true, .defects = true}, wrong, {});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].wrong.find("expected"), std::string::npos) << findings[0].wrong;
  expect_small(findings[0], wrong);
}

TEST(Mutation, AnInterpreterThatErrsIsFound) {
  if (workers() > 1) GTEST_SKIP() << "the same on any number of workers, and quick on one";
  for (const int erring : {
           find_operation([](const Operation& o) { return o.kind == Operation::Kind::reduce; }),
           find_operation([](const Operation& o) { return o.kind == Operation::Kind::fold; }),
           find_operation([](const Operation& o) { return o.kind == Operation::Kind::product; }),
           find_operation([](const Operation& o) { return o.text == "kasen::plus" && o.parameters.size() == 2; }),
           find_operation([](const Operation& o) { return o.out == Type::pair; }),
       }) {
    for (const bool exact : {true, false}) {
      const auto findings = first_finding({.exact = exact}, erring, {erring});
      ASSERT_EQ(findings.size(), 1u) << operations()[static_cast<std::size_t>(erring)].text;
      expect_small(findings[0], erring);
    }
  }
}

}  // namespace
}  // namespace kasen::tests::fuzz
