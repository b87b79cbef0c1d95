/// @file
/// Spaces, matrices, sessions and names that are not right: refused with the line.
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "kasen/io/data/matrix_rows.h"
#include "kasen/session/engine.h"
#include "tests/io/temporary_directory.h"
#include "tests/kasen/program_mistakes.h"

namespace kasen::tests {
namespace {

// ---- spaces and matrices ----

TEST_F(ProgramMistakes, LengthsThatAreNone) {
  expect_at(__LINE__, "[Space] -1 is no length", refusal([] { Space space(-1); }));
  expect_at(__LINE__, "[Space] -3 is no length", refusal([] { constant(-3, 1.0); }));
  expect_at(__LINE__, "is no length", refusal([] { Space space(~std::uint64_t{0}); }));
  EXPECT_EQ(constant(0, 1.0).get().size(), 0u);
}

TEST_F(ProgramMistakes, LengthsThatDiffer) {
  const Vector<double> y = constant(10, 1.0);
  expect_at(__LINE__ + 1, "[zip_with] lengths differ: vector 1 has 12, vector 2 has 10",
            refusal([&] { zip_with(plus, x, y); }));
  expect_at(__LINE__ + 1, "vector 1 has 10, vector 3 has 12",
            refusal([&] { zip_with([](double a, double b, double c) { return a + b + c; }, y, y, x); }));
  const Vector<double> apart = constant(separate_space(12, "apart"), 1.0);
  expect_at(__LINE__ + 1, "vectors 1 and 2 both have length 12, but separate_space",
            refusal([&] { zip_with(plus, x, apart); }));
  Shared<int> k = 0;
  Vector<double> z = x;
  expect_at(__LINE__, "from length 12 to length 10", refusal([&] { if_(k == 0, [&] { z = y; }); }));
}

TEST_F(ProgramMistakes, LengthsOfProducts) {
  const auto M = on_first_worker<double>(12, 10, {{0, 1, 1.0}});
  const Vector<double> y = constant(10, 1.0), z = constant(5, 1.0);
  expect_at(__LINE__ + 1, "[mxv] lengths differ: the matrix is 12 x 10, the vector has length 10, and mxv",
            refusal([&] { mxv(times, plus, M, y); }));
  const std::string by_columns = "takes one of length 10, a number per column", fits = "would fit";
  const std::string swapped = refusal([&] { mxvt(times, plus, M, x); });
  expect_at(__LINE__ - 1, "[mxvt] lengths differ: the matrix is 12 x 10, the vector has length 12, and mxvt", swapped);
  expect_at(__LINE__ - 2, by_columns + "; mxv, or multiply_transposed, would fit", swapped);
  expect_at(__LINE__ + 1, "length 12, a number per row; mxvt, or multiply, would fit",
            refusal([&] { multiply_transposed(M, y); }));
  const std::string neither = refusal([&] { multiply(M, z); });
  expect_at(__LINE__ - 1, by_columns, neither);
  EXPECT_EQ(neither.find(fits), std::string::npos) << neither;
  const auto S = on_first_worker<double>(separate_space(12, "rows"), 12, {{0, 1, 1.0}});
  expect_at(__LINE__ + 1, "index spaces differ: the matrix is 12 x 12, the vector has length 12, and separate_space",
            refusal([&] { mxv(times, plus, S, x); }));
}

TEST_F(ProgramMistakes, LengthsOfBothEnds) {
  const auto M = on_first_worker<double>(12, 10, {{0, 1, 1.0}});
  const Vector<double> y = constant(10, 1.0), z = constant(5, 1.0);
  const auto f = [](double a, double m, double b) { return a + m + b; };
  const std::string columns = refusal([&] { mxv(f, plus, M, x, x); });
  expect_at(__LINE__ - 1, "[mxv] lengths differ: the matrix is 12 x 10, and a vector over its columns has length 12",
            columns);
  const std::string inputs = refusal([&] { mxvt(f, plus, M, z, x); });
  expect_at(__LINE__ - 1, "[mxvt] lengths differ: the matrix is 12 x 10, and a vector over its columns has length 5",
            inputs);
  const std::string rows = refusal([&] { reduce_entries(f, plus, M, y, y); });
  expect_at(__LINE__ - 1, "[reduce_entries] lengths differ: the matrix is 12 x 10, and a vector over its rows has",
            rows);
  const auto S = on_first_worker<double>(separate_space(12, "rows"), 12, {{0, 1, 1.0}});
  const std::string apart = refusal([&] { mxv(f, plus, S, x, x); });
  expect_at(__LINE__ - 1,
            "spaces differ: the matrix is 12 x 12, and a vector over its rows has length 12, but separate", apart);
}

TEST_F(ProgramMistakes, RowsOfProducts) {
  const auto M = on_first_worker<double>(12, 10, {{0, 1, 1.0}});
  const auto fill = [](GlobalIndex, std::span<double> out) { out[0] = out[1] = 1; };
  const Rows<double> X = map(fill, iota(12), width(2)), Y = map(fill, iota(10), width(2));
  const auto f = [](auto, double, auto, std::span<double> out) { out[0] = 1; };
  const std::string one = refusal([&] { multiply(M, X); });
  expect_at(__LINE__ - 1, "[multiply] lengths differ: the matrix is 12 x 10, the vector has length 12, and mxvt", one);
  const std::string end = refusal([&] { mxv(f, plus, M, Y, Y, width(1)); });
  expect_at(__LINE__ - 1, "[mxv] lengths differ: the matrix is 12 x 10, and a vector over its rows has length 10", end);
  const std::string none = refusal([&] { mxvt(f, plus, M, Y, X, width(0)); });
  expect_at(__LINE__ - 1, "[mxvt] 0 is no width of rows: 1 to 16777216 are", none);
}

TEST_F(ProgramMistakes, EntriesThatAllWorkersGive) {
  const std::vector<Entry<double>> entries{{0, 1, 1.0}, {2, 3, 2.0}};
  const std::span<const Entry<double>> all(entries);
  const auto sum = [&](const Matrix<double>& M) { return reduce(plus, mxv(times, plus, M, constant(4, 1.0))).get(); };
  if (session->workers() > 1) {
    expect_at(__LINE__, "the same entries", refusal([&] { make_matrix<double>(4, 4, all); }));
    const Entries packed{{0, 1}, {1, 0}, {}, 0};
    expect_at(__LINE__, "the same entries", refusal([&] { make_matrix(4, 4, packed); }));
  } else {
    EXPECT_EQ(sum(make_matrix<double>(4, 4, all)), 3.0);
  }
  EXPECT_EQ(sum(make_matrix<double>(4, 4, all, EqualEntries::meant)), 3.0 * session->workers());
  EXPECT_EQ(sum(make_matrix<double>(4, 4, all.first(session->rank() == 0 ? 2 : 0))), 3.0);
  EXPECT_EQ(sum(make_matrix<double>(4, 4, {})), 0.0);
  const std::vector<Entry<double>> mine{{0, 1, 1.0 + session->rank()}};
  EXPECT_NO_THROW(make_matrix<double>(4, 4, std::span<const Entry<double>>(mine)));
}

TEST_F(ProgramMistakes, EntriesOutOfRange) {
  const std::vector<Entry<double>> wrong{{0, 1, 1.0}, {2, 4, 1.0}};
  const bool last = session->rank() + 1 == session->workers();
  const auto mine = std::span<const Entry<double>>(wrong).first(last ? 2 : 1);
  const std::string message = refusal([&] { make_matrix<double>(4, 4, mine, EqualEntries::meant); });
  expect_at(__LINE__ - 1, "[make_matrix] matrix entry (2, 4) is outside", message);
  EXPECT_EQ(reduce(plus, x).get(), 78.0);
}

TEST_F(ProgramMistakes, OneSessionAtATime) {
  const std::string message = refusal([] { Session second(quiet()); });
  expect_at(__LINE__ - 1, "a second session while one is alive, which was made at ", message);
  char name[] = "program";
  char* argv[] = {name, nullptr};
  expect_at(__LINE__, "a second session", refusal([&] { Session second(1, argv); }));
  EXPECT_EQ(reduce(plus, x).get(), 78.0);
}

TEST_F(ProgramMistakes, NoSessionAnyMore) {
  const Matrix<double> M = on_first_worker<double>(12, 12, {{0, 1, 1.0}});
  const Space space(12);
  Shared<double> s = 1.0;
  session.reset();
  const std::string none = "no kasen::Session is alive";
  expect_at(__LINE__, none, refusal([&] { constant(space, 1.0); }));
  expect_at(__LINE__, none, refusal([&] { Vector<double> v; }));
  expect_at(__LINE__, none, refusal([&] { Space other(3); }));
  expect_at(__LINE__, none, refusal([&] { map(plus, x, 1.0); }));
  expect_at(__LINE__, none, refusal([&] { reduce(plus, x); }));
  expect_at(__LINE__, none, refusal([&] { s.get(); }));
  expect_at(__LINE__, none, refusal([&] { x.get(); }));
  expect_at(__LINE__, none, refusal([&] { x.length(); }));
  expect_at(__LINE__, none, refusal([&] { const Vector<double> y = x; }));
  expect_at(__LINE__, none, refusal([&] { mxv(times, plus, M, x); }));
  expect_at(__LINE__, none, refusal([&] { top(x, 1); }));
  expect_at(__LINE__, none, refusal([&] { track("s", s); }));
  expect_at(__LINE__, none, refusal([&] { while_([] { return Shared<bool>(true); }, [] {}); }));
  expect_at(__LINE__, none, refusal([&] { read_matrix<double>("none.txt"); }));
  EXPECT_NE(refusal([&] { s = s + 1.0; }).find(none), std::string::npos);
  EXPECT_NE(refusal([&] { Session::current(); }).find(none), std::string::npos);
}

TEST_F(ProgramMistakes, OfASessionThatHasEnded) {
  const Matrix<double> M = on_first_worker<double>(12, 12, {{0, 1, 1.0}});
  const Space space(12);
  Shared<double> s = 1.0;
  session.reset();
  session.emplace(quiet());
  Vector<double> y = constant(12, 2.0);
  const std::string ended = "of a session that has ended";
  expect_at(__LINE__, ended, refusal([&] { constant(space, 1.0); }));
  expect_at(__LINE__, ended, refusal([&] { map(plus, x, 1.0); }));
  expect_at(__LINE__, ended, refusal([&] { zip_with(plus, y, x); }));
  expect_at(__LINE__, ended, refusal([&] { map(plus, y, s); }));
  expect_at(__LINE__, ended, refusal([&] { reduce(plus, x); }));
  expect_at(__LINE__, ended, refusal([&] { s.get(); }));
  expect_at(__LINE__, ended, refusal([&] { x.get(); }));
  expect_at(__LINE__, ended, refusal([&] { x.length(); }));
  expect_at(__LINE__, ended, refusal([&] { const Vector<double> z = x; }));
  expect_at(__LINE__, ended, refusal([&] { mxv(times, plus, M, y); }));
  expect_at(__LINE__, ended, refusal([&] { top(x, 1); }));
  EXPECT_NE(refusal([&] { if_(s > 0.0, [] {}); }).find(ended), std::string::npos);
  const std::vector<double> block(block_of(Space(12)).count, 1.0);
  expect_at(__LINE__, ended, refusal([&] { make_vector<double>(space, block); }));
  expect_at(__LINE__, ended, refusal([&] { make_matrix<double>(space, Space(3), {}); }));
  EXPECT_NE(refusal([&] { x = y; }).find(ended), std::string::npos);
  EXPECT_NE(refusal([&] { y = x; }).find(ended), std::string::npos);
  EXPECT_EQ(reduce(plus, y).get(), 24.0);
}

TEST_F(ProgramMistakes, SessionsOneAfterTheOtherByCommandLine) {
  session.reset();
  char name[] = "program", option[] = "--quiet";
  char* argv[] = {name, option, nullptr};
  for (int k = 0; k < 3; ++k) {
    Session next(2, argv);
    EXPECT_EQ(reduce(plus, constant(7, 1.0)).get(), 7.0);
  }
}

TEST_F(ProgramMistakes, ValuesThatAreNoRows) {
  const io::TemporaryDirectory directory(session->engine().control());
  Output output(directory.path("x.h5"));
  const std::vector<double> five(5, 1.0), none;
  expect_at(__LINE__, "5 values are no rows of 2", refusal([&] { output.add("five", five, 2); }));
  expect_at(__LINE__, "5 values are no rows of 0", refusal([&] { output.add("five", five, 0); }));
  output.add("five", five, 5).add("none", none, 2).add("nothing", none, 0).commit();
}

TEST_F(ProgramMistakes, OutputsAfterTheirEnd) {
  const io::TemporaryDirectory directory(session->engine().control());
  Output output(directory.path("x.tsv"));
  output.add("x", x).commit();
  const std::string ended = "] commit has been called";
  expect_at(__LINE__, "[commit" + ended, refusal([&] { output.commit(); }));
  expect_at(__LINE__, "[add" + ended, refusal([&] { output.add("more", x); }));
  expect_at(__LINE__, "[attribute" + ended, refusal([&] { output.attribute("more", 1); }));
}

TEST_F(ProgramMistakes, NamesOfVerticesThatAreNone) {
  const auto ids = io::numbered_vertices(session->engine().control(), 6, 0);
  EXPECT_EQ(names(ids, std::vector<GlobalIndex>{5}), std::vector<std::string>{"5"});
  expect_at(__LINE__, "[names] no vertex 99 among 6", refusal([&] { names(ids, std::vector<GlobalIndex>{99}); }));
  const std::vector<GlobalIndex> mine(session->rank() == 0 ? 1 : 0, -1);  // one worker's becomes all workers' error
  expect_at(__LINE__, "[names] no vertex -1 among 6", refusal([&] { names(ids, mine); }));
  const auto M = on_first_worker<double>(3, 3, {{0, 1, 1.0}});
  expect_at(__LINE__, "[names] the matrix has no names", refusal([&] { names(M, std::vector<GlobalIndex>{0}); }));
  expect_at(__LINE__, "[vertices] the matrix has no names", refusal([&] { vertices(M, std::vector<std::string>()); }));
}

TEST_F(ProgramMistakes, ColumnsWithoutAValue) {
  const Rows<double> rows;
  const Vector<double> v;
  const auto keep = map(KASEN_FN((auto a), a > 3), x);
  expect_at(__LINE__, "[scope]", refusal([&] { sort(x, rows); }));
  expect_at(__LINE__, "[scope]", refusal([&] { sort(x, std::tie(x, rows)); }));
  expect_at(__LINE__, "[scope]", refusal([&] { compact(keep, rows); }));
  expect_at(__LINE__, "[scope]", refusal([&] { compact(keep, std::tie(v, rows)); }));
}

// ---- what is right as it is ----

TEST_F(ProgramMistakes, OddButRight) {
  Shared<int> k = 0;
  Vector<double> y = x;
  while_([&] { return k < 3; },
         [&] {
           auto& again = y;
           y = again;  // to itself
           y = map(plus, y, 1.0);
           y = map(plus, y, 1.0);  // stored twice
           k = k + 1;
         });
  EXPECT_EQ(reduce(plus, y).get(), 78.0 + 12 * 6);
  const Vector<double> nothing = constant(0, 1.0);
  EXPECT_EQ(reduce(plus, nothing).get(), 0.0);
  EXPECT_EQ(reduce(kasen::min, nothing).get(), infinity);
  EXPECT_TRUE(top(nothing, 3).empty());
}

}  // namespace
}  // namespace kasen::tests
