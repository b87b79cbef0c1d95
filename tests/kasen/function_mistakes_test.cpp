/// @file
/// Functions and reducers that compilers accept and are wrong: refused with the line, or done right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/kasen/program_mistakes.h"

namespace kasen::tests {
namespace {

using FunctionMistakes = ProgramMistakes;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// ---- functions that reduce nothing ----

TEST_F(FunctionMistakes, WhiteBoxesThatReduceNothing) {
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
  EXPECT_EQ(of(KASEN_FN((auto a, auto b), kasen::abs(a - b))), "no error") << "exclusive or of 0 and 1";
  EXPECT_EQ(of(with_identity(kasen::max, 0.0)), "no error");
  EXPECT_EQ(of(KASEN_FN((auto a, auto b), a < b ? b : a)), "no error");
  const auto flags = map([](double a) { return a > 3; }, x);
  EXPECT_TRUE(reduce(KASEN_FN((auto a, auto b), a != b), flags).get());
  EXPECT_NE(refusal([&] { reduce(KASEN_FN((auto a, auto b), a && !b), flags); }).find("not commutative"),
            std::string::npos);
}

struct Spread {
  double least, sum;
};

TEST_F(FunctionMistakes, FoldsThatStartFromNoIdentity) {
  const auto step = [](double sum, double a) { return sum + a; };
  const std::string message = refusal([&] { fold(1.0, step, plus, x); });
  expect_at(__LINE__ - 1, "[fold] the accumulator to start from is no identity of merge", message);
  const auto widen = [](Spread& s, double a) { s.least = std::min(s.least, a), s.sum += a; };
  const auto both = [](const Spread& a, const Spread& b) { return Spread{std::min(a.least, b.least), a.sum + b.sum}; };
  EXPECT_NE(refusal([&] { fold(Spread{0, 1}, widen, both, x); }).find("no identity"), std::string::npos);
  EXPECT_EQ(fold(Spread{infinity, 0}, widen, both, x).get().least, 1);
  EXPECT_NE(refusal([&] { fold(0.0, step, KASEN_FN((auto a, auto b), a - b), x); }).find("not commutative"),
            std::string::npos);
  const auto both_of = [](double sum, double a, double b) { return sum + a * b; };
  EXPECT_NE(refusal([&] { fold(0.0, both_of, plus, x, constant(5, 1.0)); }).find("lengths differ"), std::string::npos);
}

TEST_F(FunctionMistakes, CountingByIntegers) {
  const auto large = map(KASEN_FN((auto a), kasen::cast<std::int64_t>(a > 3)), x);
  EXPECT_EQ(reduce(plus, large).get(), 9);
  EXPECT_TRUE(reduce(logical_or, map(KASEN_FN((auto a), a > 11), x)).get());
}

// ---- loops ----

TEST_F(FunctionMistakes, LoopsWhoseTestNeverChanges) {
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
TEST_F(FunctionMistakes, IntegersAreNotDividedAheadOfTheTest) {
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
TEST_F(FunctionMistakes, NorInLoopsThatDoNotRun) {
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

/// A fraction of whole numbers: its operators divide, though the functors that call them are built in.
struct Fraction {
  int above, below;
  friend Fraction operator+(const Fraction& a, const Fraction& b) { return {a.above / a.below + b.above / b.below, 1}; }
  friend bool operator<(const Fraction& a, const Fraction& b) { return a.above / a.below < b.above / b.below; }
};

TEST_F(FunctionMistakes, NorByOperatorsOfStructs) {
  const auto M = on_first_worker<int>(4, 4, {{0, 1, 1}, {1, 0, 1}, {2, 3, 1}, {3, 2, 1}});
  const Vector<Fraction> unknown = map([](int a) { return Fraction{a, 0}; }, constant(4, 7));
  const auto of_fractions = with_identity(plus, Fraction{0, 1});
  const Shared<Fraction> one = Fraction{1, 0};
  Shared<int> zero = 0, k = 0;
  Vector<Fraction> sums = unknown, least = unknown, products = unknown, moved = unknown;
  Shared<Fraction> sum = Fraction{0, 1}, both = sum;
  while_(likely([&] { return k < zero; }), [&] {
    sums = zip_with(plus, unknown, unknown);
    least = zip_with(kasen::min, unknown, unknown);
    moved = map(plus, unknown, one);
    products = mxv(first, of_fractions, M, unknown);
    sum = reduce(of_fractions, unknown);
    both = one + one;
    k++;
  });
  const auto above = map([](const Fraction& a, const Fraction& b) { return a.above + b.above; }, sums, sum);
  EXPECT_EQ(reduce(plus, above).get(), 28);
  EXPECT_EQ(least.get()[0].below + products.get()[0].below + moved.get()[0].below, 0);
  EXPECT_EQ(both.get().above, 0);
}

TEST_F(FunctionMistakes, NorInRows) {
  using Pair = Row<int, 2>;
  const Shared<Pair> six = Pair{6, 8}, z = Pair{0, 2};
  Shared<int> zero = 0, k = 0;
  Shared<Pair> quotient = Pair{1, 1}, divided = Pair{9, 9};
  Vector<Pair> rows = map([](int a) { return Pair{a, a}; }, constant(4, 7));
  const Vector<Pair> same = rows;
  while_(likely([&] { return k < zero; }), [&] {
    quotient = six / z;
    divided /= z;
    rows = zip_with(divides, same, map(times, same, z));
    k++;
  });
  EXPECT_EQ(quotient.get(), (Pair{1, 1}));
  EXPECT_EQ(divided.get(), (Pair{9, 9}));
  EXPECT_EQ(reduce(plus, rows).get(), (Pair{28, 28}));
}

TEST_F(FunctionMistakes, WhatIsDefinedEverywhereSaysSo) {
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

TEST_F(FunctionMistakes, RandomNumbersOfALoopTakeAStep) {
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

TEST_F(FunctionMistakes, NaNIsLastOfTop) {
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

TEST_F(FunctionMistakes, NaNIsTheLeastAndTheLargest) {
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

}  // namespace
}  // namespace kasen::tests
