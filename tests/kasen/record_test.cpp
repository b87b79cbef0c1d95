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
#include "optimizer/optimize.h"
#include "optimizer/record/program_file.h"

namespace kasen {
namespace {

/// Collective. Runs `program` with --record and reads the file.
template <class Program>
optimizer::RecordedRun record(const Program& program, Options options = {}) {
  const comm::Communicator workers;
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

/// What black boxes say that they compute.
TEST(Record, KeepsDeclaredWork) {
  const auto run = record([] {
    constexpr PerNumber each{.arithmetic = 3, .divisions = 2, .exponentials = 1};
    constexpr PerCall call{.arithmetic = 1, .exponentials = 2};
    using Numbers = std::span<const double>;
    const Space space(20);
    const auto row = [](GlobalIndex i, std::span<double> out) {
      for (double& number : out) number = static_cast<double>(i);
    };
    const Rows<double> X = map(laws(row, each), iota(space), width(3));
    const Vector<double> v = map(laws([](Numbers x) { return x[0]; }, call), X);
    const Vector<double> w = zip_with(laws([](double a, double b) { return a + b; }, each, call), v, v);
    const Vector<double> z = map(laws(KASEN_FN((auto x), x + x), each), w);
    const auto step = laws([](double sum, double x) { return sum + x; }, each);
    EXPECT_EQ(fold(0.0, step, plus, z).get(), 4 * 190);
  });
  std::vector<Work> found;
  for (const Statement& statement : run.programs.at(0).program.top.statements) {
    if (statement.op == Op::element || statement.op == Op::fold) found.push_back(statement.work);
  }
  const Work of_numbers{true, 3, 2, 4, 0, false, {}}, of_calls{false, 0, 0, 0, 0, false, {1, 0, 8}};
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(found[0], of_numbers);
  EXPECT_EQ(found[1], of_calls);
  EXPECT_EQ(found[2], (Work{true, 3, 2, 4, 0, false, {1, 0, 8}}));
  EXPECT_EQ(found[3], (Work{true, 1})) << "a white box is looked into";
  EXPECT_EQ(found[4], of_numbers);
}

/// Of functions that stand within others too: those of both ends, of entries, and of the numbers of rows.
TEST(Record, KeepsDeclaredWorkOfProducts) {
  const auto run = record([] {
    constexpr PerNumber each{.arithmetic = 3, .exponentials = 1};
    constexpr PerCall call{.divisions = 2};
    const Space rows(8), columns(5);
    const std::vector<Entry<double>> entries{{0, 1, 2.0}, {3, 4, 0.5}, {7, 0, 1.0}};
    const std::span<const Entry<double>> all(entries);
    const auto M = make_matrix<double>(rows, columns, all.first(Session::current().rank() == 0 ? 3 : 0));
    const auto v = constant(rows, 2.0), w = constant(columns, 3.0);
    const auto near = laws([](double x, double m, double y) { return x * m * y; }, each);
    const auto made = laws([](double m) { return m + 1; }, call);
    Shared<double> sum = reduce_entries(near, plus, M, v, w);
    sum += reduce_entries(laws([](double m) { return 2 * m; }, each), plus, M);
    const auto scaled = kasen::entries(made, M);
    sum += reduce(plus, mxv(laws([](double x, double m) { return x * m; }, each), plus, scaled, v));
    EXPECT_EQ(sum.get(), 21 + 7 + 13);
  });
  std::vector<Work> found;
  for (const Statement& statement : run.programs.at(0).program.top.statements) {
    if (is_matrix_op(statement.op)) found.push_back(statement.work);
  }
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0], (Work{true, 3, 0, 4, 0, false, {}}));
  EXPECT_EQ(found[1], found[0]);
  EXPECT_EQ(found[2], (Work{true, 3, 0, 4, 0, false, {0, 2, 0}}));
}

/// The plan of the file is that of the run.
TEST(Record, KeepsBatchesOfMatrices) {
  std::uint64_t fingerprint = 0;
  const auto run = record([&] {
    std::vector<Entry<double>> entries;
    for (GlobalIndex i = 0; Session::current().rank() == 0 && i < 30; ++i) entries.push_back({i, i % 4, 1.0});
    const auto X = batches(make_matrix<double>(Space(30), Space(4), entries), 7);
    Shared<std::int64_t> number = 1;
    const Matrix<double> some = batch(X, number + 2);
    const Vector<double> v = multiply_transposed(some, multiply(some, constant(Space(4), 1.0)));
    EXPECT_EQ(reduce(plus, v).get(), 7);
    fingerprint = Session::current().engine().plans().at(0)->plan.fingerprint;
  });
  const optimizer::RecordedProgram& program = run.programs.at(0);
  EXPECT_EQ(program.stats.matrices.at(1).batches, 4u);
  EXPECT_EQ(program.stats.matrices.at(1).nonzeros, 7u);
  EXPECT_EQ(program.stats.matrices.at(0).batches, 0u);
  EXPECT_FALSE(run.degrees.at(1).columns.empty()) << "on any number of workers its columns have replicas";
  std::size_t products = 0;
  for (const Statement& statement : program.program.top.statements) products += statement.of_batch ? 1 : 0;
  EXPECT_EQ(products, 2u);
  EXPECT_EQ(optimizer::optimize(program.program, program.stats, {}).fingerprint, fingerprint);
}

/// Sums in bins, beside what is multiplied.
TEST(Record, KeepsTheWorkOfReproducibleSums) {
  Options options;
  options.reproducible = true;
  const auto run = record(
      [] {
        const Space space(4);
        const std::vector<Entry<double>> entries{{0, 1, 2.0}, {2, 3, 0.5}};
        const std::span<const Entry<double>> all(entries);
        const auto M = make_matrix<double>(space, space, all.first(Session::current().rank() == 0 ? 2 : 0));
        EXPECT_EQ(reduce(plus, multiply(M, constant(space, 2.0))).get(), 5);
      },
      options);
  std::vector<Work> found;
  for (const Statement& statement : run.programs.at(0).program.top.statements) {
    if (is_matrix_op(statement.op) || statement.op == Op::fold) found.push_back(statement.work);
  }
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].arithmetic, 1u);
  EXPECT_GT(found[0].once.arithmetic, 14u);
  EXPECT_EQ(found[1].once, found[0].once);
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
