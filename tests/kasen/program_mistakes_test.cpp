/// @file
/// What programs get wrong and compilers accept: refused with the line, or done right for any number of workers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/engine.h"
#include "kasen/io/matrix_rows.h"
#include "kasen/kasen.h"
#include "kasen/runtime/law_check.h"

namespace kasen::tests {
namespace {

constexpr int mixed_table = 1;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Options quiet() {
  Options options;
  options.quiet = true;
  return options;
}

/// The message of the error that `program` ends with.
template <class F>
std::string refusal(const F& program) {
  try {
    program();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// The message begins with this line of this file, and says `what`.
void expect_at(unsigned line, const std::string& what, const std::string& message) {
  const std::string start = std::string(__FILE__) + ":" + std::to_string(line) + ": ";
  EXPECT_TRUE(message.starts_with(start)) << message << "\nline " << line << " expected";
  EXPECT_NE(message.find(what), std::string::npos) << message;
}

class ProgramMistakes : public testing::Test {
 protected:
  template <class T>
  Matrix<T> on_first_worker(Space rows, Space columns, std::vector<Entry<T>> entries) {
    if (session->rank() != 0) entries.clear();
    return make_matrix<T>(rows, columns, std::span<const Entry<T>>(entries));
  }
  std::optional<Session> session{quiet()};
  Vector<double> x = map([](GlobalIndex i) { return static_cast<double>(i + 1); }, iota(12));
  void TearDown() override { session.reset(); }  // before the handles
};

// ---- functions that reduce nothing ----

TEST_F(ProgramMistakes, WhiteBoxesThatReduceNothing) {
  const auto of = [&](const auto& op) { return refusal([&] { reduce(op, x).get(); }); };
  expect_at(__LINE__ - 1, "not commutative", of(KASEN_FN((auto a, auto b), a - b)));
  EXPECT_NE(of(KASEN_FN((auto a, auto b), a + 2 * b)).find("not commutative"), std::string::npos);
  EXPECT_NE(of(KASEN_FN((auto a, auto b), (a + b) / 2)).find("not associative"), std::string::npos);
  EXPECT_NE(of(with_identity(plus, 1.0)).find("another identity"), std::string::npos);
  EXPECT_NE(of(with_identity(KASEN_FN((auto a, auto b), a * b), 0.0)).find("another identity"), std::string::npos);
  const auto M = on_first_worker<double>(12, 12, {{0, 1, 1.0}});
  const std::string message = refusal([&] { mxv(times, with_identity(kasen::min, -2000.0), M, x); });
  expect_at(__LINE__ - 1, "[mxv] min has another identity", message);
  // On the elements that a program has these do reduce.
  EXPECT_EQ(of(KASEN_FN((auto a, auto b), kasen::sqrt(a * a + b * b))), "no error");
  if (!runtime::kCheckLaws) {  // which try it on the vector's elements too
    EXPECT_EQ(of(KASEN_FN((auto a, auto b), kasen::abs(a - b))), "no error") << "exclusive or of 0 and 1";
  }
  EXPECT_EQ(of(with_identity(kasen::max, 0.0)), "no error");
  EXPECT_EQ(of(KASEN_FN((auto a, auto b), a < b ? b : a)), "no error");
  const auto flags = map([](double a) { return a > 3; }, x);
  EXPECT_TRUE(reduce(KASEN_FN((auto a, auto b), a != b), flags).get());
  EXPECT_NE(refusal([&] { reduce(KASEN_FN((auto a, auto b), a && !b), flags); }).find("not commutative"),
            std::string::npos);
}

TEST_F(ProgramMistakes, CountingByIntegers) {
  const auto large = map(KASEN_FN((auto a), kasen::cast<std::int64_t>(a > 3)), x);
  EXPECT_EQ(reduce(plus, large).get(), 9);
  EXPECT_TRUE(reduce(logical_or, map(KASEN_FN((auto a), a > 11), x)).get());
}

// ---- loops ----

TEST_F(ProgramMistakes, LoopsWhoseTestNeverChanges) {
  Shared<int> k = 0, limit = 3;
  Shared<bool> always = true;
  const auto count = [&] { k = k + 1; };
  expect_at(__LINE__, "nothing that the loop stores", refusal([&] { while_([&] { return limit < 4; }, count); }));
  expect_at(__LINE__, "[while_]", refusal([&] { while_(likely([&] { return always; }), count); }));
  expect_at(__LINE__, "[while_]", refusal([&] { while_([&] { return Shared<bool>(false); }, count); }));
  const auto small = [&] { return reduce(plus, x) < Shared<double>(4); };
  expect_at(__LINE__, "[while_]", refusal([&] { while_(small, [&] { const auto y = map(plus, x, 1.0); }); }));
  const auto nested = [&] { while_([&] { return k < 2; }, [&] { limit = limit + 1; }); };
  const unsigned line = __LINE__ - 1;
  const auto body = [&] {  // the test of the loop in it changes in the outer one alone
    nested();
    k = k + 1;
  };
  expect_at(line, "[while_]", refusal([&] { while_([&] { return k < 3; }, body); }));
  // What the condition stores changes too, and what was refused has left nothing behind.
  while_(
      [&] {
        k = k + 1;
        return k < limit;
      },
      [] {});
  EXPECT_EQ(k.get(), 3);
  EXPECT_EQ(limit.get(), 3);
}

/// The least that would divide by zero: the head of the iteration that never comes, moved ahead of the test.
TEST_F(ProgramMistakes, IntegersAreNotDividedAheadOfTheTest) {
  using Int = std::int64_t;
  const auto M = on_first_worker<Int>(4, 4, {{0, 1, 1}, {1, 0, 1}, {2, 3, 1}, {3, 2, 1}});
  const auto run = [&](const auto& quotient) {
    Shared<Int> left = 3;
    Vector<Int> v = constant(4, Int{60});
    while_(likely([&] { return left > Int{0}; }), [&] {
      v = mxv(times, plus, M, map(quotient, v, left));
      left = left - Int{1};
    });
    return reduce(plus, v).get();
  };
  EXPECT_EQ(run([](Int a, Int b) { return a / b; }), 40);
  EXPECT_EQ(run(KASEN_FN((auto a, auto b), a / b)), 40);
  EXPECT_EQ(run(divides), 40);
}

/// Work that is the same in every iteration, in a loop that never runs.
TEST_F(ProgramMistakes, NorInLoopsThatDoNotRun) {
  Shared<int> zero = 0, k = 0;
  Vector<int> v = constant(4, 7);
  const Vector<int> same = v;
  while_(likely([&] { return k < zero; }), [&] {
    const auto quotient = reduce(plus, map([](int a, int by) { return a / by; }, same, zero));
    const auto remainder = apply([](int a, int by) { return a % by; }, quotient, zero);
    v = map(plus, v, remainder);
    k = k + 1;
  });
  EXPECT_EQ(reduce(plus, v).get(), 28);
}

TEST_F(ProgramMistakes, WhatIsDefinedEverywhereSaysSo) {
  x.get();  // its map is in the plan before
  const auto halved = [](int a) { return a / 2; };
  const auto rotated = [&](const auto& f) {
    const std::size_t before = session->plan_text().size();
    Shared<int> k = 0;
    Vector<int> v = constant(4, 64);
    const auto M = on_first_worker<int>(4, 4, {{0, 1, 1}, {1, 0, 1}, {2, 3, 1}, {3, 2, 1}});
    while_(likely([&] { return k < 3; }), [&] {
      v = mxv(times, plus, M, map(f, v));
      k = k + 1;
    });
    EXPECT_EQ(reduce(plus, v).get(), 32);
    const std::string plan = session->plan_text().substr(before);
    return plan.find("map(function)") < plan.find("while");
  };
  EXPECT_FALSE(rotated(halved));
  EXPECT_TRUE(rotated(laws(halved, defined_everywhere)));
}

TEST_F(ProgramMistakes, RandomNumbersOfALoopTakeAStep) {
  Shared<int> k = 0;
  Vector<double> last = constant(12, 0.0), sum = last, same = last;
  while_([&] { return k < 4; },
         [&] {
           last = random(12, 7, k);
           sum = zip_with(plus, sum, last);
           same = zip_with(plus, same, random(12, 7));
           k = k + 1;
         });
  std::vector<double> expected(12, 0.0);
  const auto bits = [](std::uint64_t seed, std::uint64_t counter) {  // splitmix64
    std::uint64_t z = seed * 0x9e3779b97f4a7c15u + counter + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  };
  for (std::uint64_t step = 0; step < 4; ++step) {
    for (std::uint64_t i = 0; i < 12; ++i)
      expected[i] += std::ldexp(static_cast<double>(bits(bits(7, step), i) >> 11), -53);
  }
  EXPECT_EQ(sum.get(), expected);
  EXPECT_EQ(last.get(), random(12, 7, 3).get()) << "a plain step is the same";
  const std::vector<double> once = random(12, 7).get(), four_times = same.get();
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(four_times[i], once[i] + once[i] + once[i] + once[i]);
}

// ---- NaN ----

TEST_F(ProgramMistakes, NaNIsLastOfTop) {
  const auto y = map([](double a) { return std::fmod(a, 3) == 2 ? kNaN : a > 9 ? 3.0 : a; }, x);
  const std::vector<std::pair<GlobalIndex, double>> expected{{8, 9}, {6, 7}, {5, 6},  {3, 4},
                                                             {2, 3}, {9, 3}, {11, 3}, {0, 1}};
  const auto all = top(y, 12);
  ASSERT_EQ(all.size(), 12u);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(all[k].index, expected[k].first);
    EXPECT_EQ(all[k].value, expected[k].second);
  }
  for (std::size_t k = expected.size(); k < 12; ++k) {
    EXPECT_TRUE(std::isnan(all[k].value));
    EXPECT_EQ(all[k].index, static_cast<GlobalIndex>(3 * (k - expected.size()) + 1));
  }
  EXPECT_EQ(top(y, 3).back().index, 5);
}

TEST_F(ProgramMistakes, NaNIsTheLeastAndTheLargest) {
  for (double at = 1; at <= 12; ++at) {  // wherever it stands
    const auto y = map([](double a, double wrong) { return a == wrong ? kNaN : a; }, x, at);
    EXPECT_TRUE(std::isnan(reduce(kasen::min, y).get())) << at;
    EXPECT_TRUE(std::isnan(reduce(kasen::max, y).get())) << at;
  }
  std::vector<Entry<double>> column;
  for (GlobalIndex i = 0; i < 12; ++i) column.push_back({i, 0, i == 5 ? kNaN : 1.0});
  const auto M = on_first_worker<double>(12, 2, column);
  const auto least = mxv(times, kasen::min, M, x).get();
  EXPECT_TRUE(std::isnan(least[0]));
  EXPECT_EQ(least[1], infinity);
  EXPECT_EQ(reduce(kasen::min, x).get(), 1.0);
  EXPECT_EQ(reduce(kasen::max, x).get(), 12.0);
}

// ---- spaces and matrices ----

TEST_F(ProgramMistakes, LengthsThatAreNone) {
  expect_at(__LINE__, "[Space] -1 is no length", refusal([] { Space space(-1); }));
  expect_at(__LINE__, "[Space] -3 is no length", refusal([] { constant(-3, 1.0); }));
  expect_at(__LINE__, "is no length", refusal([] { Space space(~std::uint64_t{0}); }));
  EXPECT_EQ(constant(0, 1.0).get().size(), 0u);
}

TEST_F(ProgramMistakes, EntriesThatAllWorkersGive) {
  const std::vector<Entry<double>> entries{{0, 1, 1.0}, {2, 3, 2.0}};
  const std::span<const Entry<double>> all(entries);
  const auto sum = [&](const Matrix<double>& M) { return reduce(plus, mxv(times, plus, M, constant(4, 1.0))).get(); };
  if (session->workers() > 1) {
    expect_at(__LINE__, "the same entries", refusal([&] { make_matrix<double>(4, 4, all); }));
    const partition::Entries packed{{0, 1}, {1, 0}, {}, 0};
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

// ---- handles ----

/// Containers copy them within the standard library, whose lines nobody wants to see.
TEST_F(ProgramMistakes, HandlesInContainers) {
  std::vector<Vector<double>> kept;
  Shared<int> k = 0;
  unsigned made = 0;
  const auto body = [&] {
    made = __LINE__ + 1;
    const auto y = map(plus, x, 1.0);
    kept.push_back(y);
    k = k + 1;
  };
  const std::string message = refusal([&] { while_([&] { return k < 2; }, body); });
  const std::string line = "(at line " + std::to_string(made) + ")";
  expect_at(__LINE__ - 2, line, message);
  expect_at(__LINE__, line, refusal([&] { reduce(plus, kept[0]).get(); }));
  expect_at(__LINE__, line, refusal([&] { kept[0] = map(plus, x, 2.0); }));
}

/// Which handle a container holds is not recorded: the next iteration would read the old one.
TEST_F(ProgramMistakes, HandlesThatAreExchangedForOthers) {
  Shared<int> k = 0;
  Vector<double> sum = map(times, x, 0.0);
  const auto again = [&] { return k < 3; };
  const auto next = [&] { return map(plus, x, 1.0); };
  const std::string lives = "lives on after it: the block is recorded once";
  std::deque<Vector<double>> queue{x, x, x};
  const auto shift = [&] {
    sum = zip_with(plus, sum, queue.front());
    const auto last = zip_with(plus, queue.back(), sum);
    queue.pop_front();
    queue.push_back(last);
    k = k + 1;
  };
  expect_at(__LINE__, lives, refusal([&] { while_(again, shift); }));
  std::optional<Vector<double>> maybe;
  const auto fill = [&] {
    if (maybe) sum = zip_with(plus, sum, *maybe);
    maybe = next();
    k = k + 1;
  };
  expect_at(__LINE__, lives, refusal([&] { while_(again, fill); }));
  maybe.emplace(x);
  const auto emplace = [&] {
    sum = zip_with(plus, sum, *maybe);
    maybe.emplace(next());
    k = k + 1;
  };
  expect_at(__LINE__, lives, refusal([&] { while_(again, emplace); }));
  auto owned = std::make_unique<Vector<double>>(x);
  const auto replace = [&] {
    sum = zip_with(plus, sum, *owned);
    owned = std::make_unique<Vector<double>>(next());
    k = k + 1;
  };
  expect_at(__LINE__, lives, refusal([&] { while_(again, replace); }));
  std::vector<Vector<double>> list{x, x};
  const auto rebuild = [&] {
    sum = zip_with(plus, sum, list[0]);
    list.clear();
    list.push_back(next());
    k = k + 1;
  };
  expect_at(__LINE__, lives, refusal([&] { while_(again, rebuild); }));
  list.assign(3, x);
  const auto erase = [&] {
    sum = zip_with(plus, sum, list[0]);
    list.erase(list.begin());
    list.push_back(next());
    k = k + 1;
  };
  expect_at(__LINE__, lives, refusal([&] { while_(again, erase); }));
  list.assign(1, x);
  list.shrink_to_fit();
  const auto grow = [&] {  // copies a handle that was there
    list.reserve(list.capacity() + 1);
    sum = zip_with(plus, sum, list[0]);
    k = k + 1;
  };
  expect_at(__LINE__, lives, refusal([&] { while_(again, grow); }));
  const auto in_condition = [&] {
    maybe.emplace(next());
    return again();
  };
  expect_at(__LINE__, lives, refusal([&] { while_(in_condition, [&] { k = k + 1; }); }));
  maybe.reset();
  expect_at(__LINE__, lives, refusal([&] { if_(k < 1, [&] { maybe = next(); }); }));
  EXPECT_EQ(reduce(plus, sum).get(), 0.0) << "nothing was recorded";
}

/// The same without a new one.
TEST_F(ProgramMistakes, HandlesThatEndInALoop) {
  Shared<int> k = 0;
  Vector<double> sum = map(times, x, 0.0);
  std::deque<Vector<double>> queue{x, x, x};
  const auto take = [&] {
    sum = zip_with(plus, sum, queue.front());
    queue.pop_front();
    k = k + 1;
  };
  expect_at(__LINE__, "is used in it ends in it", refusal([&] { while_([&] { return k < 3; }, take); }));
  EXPECT_EQ(reduce(plus, sum).get(), 0.0) << "nothing was recorded";
}

/// How to write it.
TEST_F(ProgramMistakes, HandlesThatExchangeTheirValues) {
  Shared<int> k = 0;
  Vector<double> sum = map(times, x, 0.0);
  std::deque<Vector<double>> queue{x, map(times, x, 2.0), map(times, x, 3.0)};
  std::optional<Vector<double>> twice = sum;
  while_([&] { return k < 3; },
         [&] {
           sum = zip_with(plus, sum, queue.front());
           queue.front() = zip_with(plus, queue.back(), sum);
           std::rotate(queue.begin(), queue.begin() + 1, queue.end());
           std::optional<Vector<double>> ends = map(times, sum, 2.0);
           twice = ends;
           ends.reset();
           std::swap(*twice, *twice);
           std::vector<Vector<double>> of_the_block;
           for (int i = 0; i < 5; ++i) of_the_block.push_back(sum);
           k = k + 1;
         });
  EXPECT_EQ(reduce(plus, sum).get(), 6 * 78.0);
  EXPECT_EQ(reduce(plus, *twice).get(), 12 * 78.0);
  EXPECT_EQ(reduce(plus, queue[0]).get(), 4 * 78.0);   // 3 + 1
  EXPECT_EQ(reduce(plus, queue[1]).get(), 7 * 78.0);   // 4 + 3
  EXPECT_EQ(reduce(plus, queue[2]).get(), 13 * 78.0);  // 7 + 6
}

/// A line of another file comes with its name.
TEST_F(ProgramMistakes, HandlesMadeInAnotherFile) {
  std::tuple<Shared<double>> empty;  // the standard library's line is that of its constructor
  const std::string file = std::get<0>(empty).made_at().file;
  if (file == __FILE__) GTEST_SKIP() << "this library's constructor takes the line of its caller";
  EXPECT_NE(refusal([&] { map(plus, x, std::get<0>(empty)); }).find("(made at " + file + ":"), std::string::npos);
  EXPECT_NE(refusal([&] { std::get<0>(empty).get(); }).find("made at " + file + ":"), std::string::npos);
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

// ---- workers that do not do the same ----

TEST_F(ProgramMistakes, WhatOneWorkerDoesAlone) {
  if (session->workers() == 1) GTEST_SKIP() << "there is nobody else";
  const bool first = session->rank() == 0;
  const auto end = [&] { session->finish(); };
  const auto expect_both = [&](const std::string& what, const auto& here, const auto& there) {
    const std::string message = first ? refusal(here) : refusal(there);
    EXPECT_NE(message.find("worker 0 " + what), std::string::npos) << message;
  };
  const std::string at_end = " while worker 1 is at the end of the program";
  EXPECT_EQ(x.get().size(), 12u);
  expect_both(
      "computes a result" + at_end, [&] { map(plus, x, 1.0).get(); }, end);
  expect_both(
      "reads a vector" + at_end, [&] { x.get(); }, end);
  expect_both(
      "asks for the top of a vector" + at_end, [&] { top(x, 1); }, end);
  const auto make = [] { make_matrix<double>(4, 4, {}); };
  expect_both(
      "reads a vector while worker 1 makes a matrix", [&] { x.get(); }, make);
  expect_both("makes a matrix" + at_end, make, end);
  expect_both(
      "writes while worker 1 reads a vector", [&] { write(x, "never.tsv"); }, [&] { x.get(); });
  const std::vector<double> block(block_of(Space(12)).count, 1.0);
  expect_both(
      "makes a vector while worker 1 makes a matrix", [&] { make_vector<double>(Space(12), block); }, make);
  expect_both(
      "asks for counts" + at_end, [&] { session->counts(); }, end);
  expect_both(
      "reads a file" + at_end, [&] { read_matrix<Pattern>("none.txt"); }, end);
  expect_both(
      "reads a file" + at_end, [&] { read_table("none.csv"); }, end);
  const io::VertexIds ids = io::numbered_vertices(session->engine().control(), 12, 0);
  expect_both(
      "looks names up" + at_end, [&] { names(ids, {}); }, end);
  EXPECT_EQ(reduce(plus, x).get(), 78.0) << "the workers are in step";
  expect_both(
      "computes a result" + at_end, [&] { constant(17, 1.0).get(); }, end);  // of a space that is new
}

TEST_F(ProgramMistakes, TheSameCallWithSomethingElse) {
  if (session->workers() == 1) GTEST_SKIP() << "there is nobody else";
  const bool first = session->rank() == 0;
  Vector<double> u = map(plus, x, 1.0), v = map(plus, x, 100.0);
  Shared<double> a = reduce(plus, u), b = reduce(plus, v);
  Shared<int> k = 0;
  EXPECT_EQ(u.get()[0], 2);
  EXPECT_EQ(v.get()[0], 101);
  EXPECT_EQ(a.get(), 90);
  EXPECT_EQ(b.get(), 1278);
  const std::string other = "workers 0 and 1 ";  // have other programs, or the same of other values
  expect_at(__LINE__, "read different vectors", refusal([&] { (first ? u : v).get(); }));
  expect_at(__LINE__, other, refusal([&] { reduce(plus, first ? u : v).get(); }));
  expect_at(__LINE__, other, refusal([&] { reduce(plus, map(times, x, first ? a : b)).get(); }));
  while_([&] { return k < (first ? a : b); }, [&] { k = k + 1; });
  expect_at(__LINE__, other, refusal([&] { k.get(); }));
  expect_at(__LINE__, "ask for the top of different vectors", refusal([&] { top(first ? u : v, 1); }));
  expect_at(__LINE__, "more and fewer", refusal([&] { top(u, first ? 1 : 2); }));
  expect_at(__LINE__, "write different", refusal([&] { write(first ? u : v, "never.tsv"); }));
  expect_at(__LINE__, "write different", refusal([&] { write(u, first ? "never.tsv" : "ever.tsv"); }));
  expect_at(__LINE__, "write different", refusal([&] { write(u, "never.tsv", first ? "u" : "v"); }));
  expect_at(__LINE__, "read different files", refusal([&] { read_table(first ? "none.csv" : "no.csv"); }));
  const std::vector<double> block(block_of(Space(12)).count, 1.0);
  const auto p = make_vector<double>(Space(12), block), q = make_vector<double>(Space(12), block);
  expect_at(__LINE__, "from different vectors", refusal([&] { reduce(plus, first ? p : q).get(); }));
  const auto vector_of = [&](auto element, std::int64_t length) {
    const std::vector<decltype(element)> values(block_of(Space(length)).count);
    return refusal([&] { make_vector<decltype(element)>(Space(length), values); });
  };
  const std::string lengths = "make vectors of different lengths or types";
  EXPECT_NE(vector_of(1.0, first ? 9 : 4000).find(lengths), std::string::npos);
  EXPECT_NE((first ? vector_of(1.0, 9) : vector_of(std::int64_t{1}, 9)).find(lengths), std::string::npos);
  const std::string shapes = "make matrices of different shapes or types";
  expect_at(__LINE__, shapes, refusal([&] { make_matrix<double>(first ? 5 : 6, 6, {}); }));
  EXPECT_NE(refusal([&] {
              if (first) {
                make_matrix<double>(5, 6, {});
              } else {
                make_matrix<float>(5, 6, {});
              }
            }).find(shapes),
            std::string::npos);
  EXPECT_EQ(reduce(plus, x).get(), 78.0) << "the workers are in step";
}

TEST_F(ProgramMistakes, FunctionsThatDifferBetweenWorkers) {
  if (session->workers() == 1) GTEST_SKIP() << "there is nobody else";
  const bool first = session->rank() == 0;
  const std::string differs = "a function, a plain value";
  EXPECT_EQ(x.get().size(), 12u);
  const Shared<double> sum = reduce(plus, x);
  EXPECT_EQ(sum.get(), 78);
  Vector<double> v = first ? map([](double a) { return a + 1; }, x) : map([](double a) { return a * 100; }, x);
  expect_at(__LINE__ - 1, differs, refusal([&] { reduce(plus, v).get(); }));
  Shared<double> s = first ? reduce([](double a, double b) { return a + b; }, x)
                           : reduce([](double a, double b) { return std::fmax(a, b); }, x);
  EXPECT_NE(refusal([&] { s.get(); }).find(differs), std::string::npos);
  s = first ? apply([](double a) { return a; }, sum) : apply([](double a) { return -a; }, sum);
  expect_at(__LINE__ - 1, differs, refusal([&] { s.get(); }));
  EXPECT_EQ(reduce(plus, x).get(), 78.0) << "the workers are in step";
}

TEST_F(ProgramMistakes, ValuesThatDifferBetweenWorkers) {
  if (session->workers() == 1) GTEST_SKIP() << "there is nobody else";
  const int rank = session->rank();
  const std::string differs = "differs between workers 0 and 1";
  Shared<int> k = 0, own = rank;
  Vector<double> v = constant(12, 1.0), w = v;
  const auto of = [](const auto& vector) { return refusal([&] { reduce(plus, vector).get(); }); };
  v = map(plus, w, static_cast<double>(rank));
  expect_at(__LINE__ - 1, differs, of(v));
  v = map([](double a, double b) { return a + b; }, constant(12, 1.0), static_cast<double>(rank));
  expect_at(__LINE__ - 1, differs, of(v));
  v = constant(12, static_cast<double>(rank));
  expect_at(__LINE__ - 1, differs, of(v));
  v = random(12, static_cast<std::uint64_t>(rank));
  expect_at(__LINE__ - 1, differs, of(v));
  v = random(12, static_cast<std::uint64_t>(rank), k);
  expect_at(__LINE__ - 1, differs, of(v));
  v = constant(12, 1.0);
  if_(own == 0, [&] { v = map(plus, v, 1.0); });
  EXPECT_NE(of(v).find(differs), std::string::npos);
  v = constant(12, 1.0);
  k = 0;
  while_([&] { return k < rank + 1; },
         [&] {
           v = map(plus, v, 1.0);
           k = k + 1;
         });
  EXPECT_NE(of(v).find(differs), std::string::npos);
  EXPECT_EQ(of(map(plus, constant(12, 1.0), 1.0)), "no error") << "the workers are in step";
}

/// Equal members, whatever lies between them.
TEST_F(ProgramMistakes, PaddingDiffersFromNothing) {
  struct Mixed {
    char a;
    double b;
  };
  Mixed mixed;
  std::memset(static_cast<void*>(&mixed), session->rank() + 1, sizeof mixed);
  mixed.a = 1;
  mixed.b = 2;
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
  const Shared<Mixed> shared = mixed;
  EXPECT_EQ(apply([](const Mixed& m) { return m.a + m.b; }, shared).get(), 3.0);
#endif
#endif
  const int* own = session->rank() == 0 ? nullptr : &mixed_table;  // what functions capture is their own affair
  EXPECT_EQ(reduce(plus, map([own](double a) { return own == nullptr ? a : a + 0 * *own; }, x)).get(), 78.0);
}

TEST_F(ProgramMistakes, NamesOfVerticesThatAreNone) {
  const auto ids = io::numbered_vertices(session->engine().control(), 6, 0);
  EXPECT_EQ(names(ids, std::vector<GlobalIndex>{5}), std::vector<std::string>{"5"});
  expect_at(__LINE__, "[names] no vertex 99 among 6", refusal([&] { names(ids, std::vector<GlobalIndex>{99}); }));
  const std::vector<GlobalIndex> mine(session->rank() == 0 ? 1 : 0, -1);  // one worker's becomes all workers' error
  expect_at(__LINE__, "[names] no vertex -1 among 6", refusal([&] { names(ids, mine); }));
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
