/// @file
/// What --record writes of a session: every program that ran, those of equal structure once.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>

#include "kasen/kasen.h"
#include "kasen/session/engine.h"
#include "optimizer/record/program_file.h"

namespace kasen {
namespace {

/// Collective. Runs `program` with --record and reads the file.
template <class Program>
optimizer::RecordedRun record(const Program& program) {
  const comm::Communicator workers;
  Options options;
  options.record = testing::TempDir() + "record_test_" + std::to_string(workers.size()) + ".json";
  {
    Session session(options);
    program();
  }
  workers.barrier();
  std::ifstream file(options.record);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  workers.barrier();
  if (workers.rank() == 0) std::remove(options.record.c_str());
  return optimizer::read_recorded(text, options.record);
}

TEST(Record, KeepsProgramsOfEqualStructureOnce) {
  const auto run = record([] {
    Vector<double> v = constant(Space(50), 1.0);
    double sum = 0;
    for (int k = 0; k < 5; ++k) {
      v = map([](double x) { return x + 1; }, v);
      sum = reduce(plus, v).get();
    }
    EXPECT_EQ(sum, 300);
  });
  // The first pass also makes the constant.
  ASSERT_EQ(run.programs.size(), 2u);
  EXPECT_EQ(run.programs[0].runs, 1u);
  EXPECT_EQ(run.programs[1].runs, 4u);
  EXPECT_EQ(run.programs[0].program.top.statements.size(), 3u);
  EXPECT_EQ(run.programs[1].program.top.statements.size(), 2u);
  EXPECT_EQ(run.programs[1].program.live_in.size(), 1u);
}

/// What a branch stores comes in the order in which it stores it, however often what is behind handles was used before.
TEST(Record, KeepsABranchWithNewVariablesOnce) {
  const auto run = record([] {
    std::array<std::size_t, 3> order{0, 1, 2};
    do {
      std::array<std::optional<Shared<double>>, 3> before;
      for (auto& one : before) one.emplace(0.5);
      for (const std::size_t at : order) before[at].reset();
      Vector<double> v = constant(Space(20), 1.0);
      Shared<double> a = 1, b = 2, c = reduce(plus, v);
      const Vector<double> w = map(plus, v, a);
      if_(c > 0.0, [&] {
        c = c + b;
        a = reduce(plus, w);
        v = zip_with(plus, v, w);
        b = a + c;
      });
      EXPECT_EQ(reduce(plus, v).get() + a.get() + b.get() + c.get(), 60 + 40 + 62 + 22);
    } while (std::next_permutation(order.begin(), order.end()));
  });
  ASSERT_GT(run.programs.size(), 0u);
  for (const auto& program : run.programs) EXPECT_EQ(program.runs, 6u);
}

TEST(Record, HasTheDegreesOfEveryMatrixAndThePlacementOfItsTime) {
  const auto run = record([] {
    const Space space(4);
    const std::vector<Entry<Pattern>> edges{{0, 1}, {0, 2}, {1, 2}, {3, 3}};
    const bool first_worker = Session::current().rank() == 0;
    const std::span<const Entry<Pattern>> mine(edges.data(), first_worker ? edges.size() : 0);
    const auto A = make_matrix<Pattern>(space, space, mine);
    auto v = mxv(first, plus, A, constant(space, 1.0));
    v.get();
    const auto B = make_matrix<Pattern>(space, Space(3), mine.first(mine.empty() ? 0 : 3));
    mxv(first, plus, B, v).get();
  });
  ASSERT_EQ(run.degrees.size(), 2u);
  EXPECT_EQ(run.degrees[0].rows, (Degrees::Histogram{{1, 1}, {2, 1}})) << "the diagonal needs no replica";
  EXPECT_EQ(run.degrees[1].rows, (Degrees::Histogram{{1, 1}, {2, 1}}));
  EXPECT_TRUE(run.degrees[0].columns.empty());
  EXPECT_TRUE(run.degrees[1].both.empty());
  ASSERT_EQ(run.programs.size(), 2u);
  EXPECT_EQ(run.programs[0].stats.matrices.size(), 1u);
  EXPECT_EQ(run.programs[1].stats.matrices.size(), 2u);
}

TEST(Record, IsEmptyIfNothingRan) {
  EXPECT_TRUE(record([] { const Vector<double> v = constant(Space(5), 1.0); }).programs.empty());
}

}  // namespace
}  // namespace kasen
