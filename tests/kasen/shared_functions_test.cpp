/// @file
/// Functions, operators and members of Shareds, beside the same in plain C++; in loops too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "tests/kasen/program_mistakes.h"
#include "tests/kasen/white_box.h"

namespace kasen::tests {
namespace {

using SharedFunctions = ProgramMistakes;

struct Nearest {
  double distance;
  std::int32_t cluster;
};

TEST_F(SharedFunctions, Math) {
  const Shared<double> s = 0.375;
  const Shared<float> f = 2.5f;
  const Shared<std::int32_t> k = -3;
  const auto expect = [](const auto& shared, double expected) {
    EXPECT_NEAR(static_cast<double>(shared.get()), expected, 1e-15 * std::abs(expected));
  };
  expect(kasen::exp(s), std::exp(0.375));
  expect(kasen::expm1(s), std::expm1(0.375));
  expect(kasen::log(s), std::log(0.375));
  expect(kasen::log1p(s), std::log1p(0.375));
  expect(kasen::sin(s), std::sin(0.375));
  expect(kasen::cos(s), std::cos(0.375));
  expect(kasen::tan(s), std::tan(0.375));
  expect(kasen::asin(s), std::asin(0.375));
  expect(kasen::acos(s), std::acos(0.375));
  expect(kasen::atan(s), std::atan(0.375));
  expect(kasen::tanh(s), std::tanh(0.375));
  expect(kasen::erf(s), std::erf(0.375));
  expect(kasen::erfc(s), std::erfc(0.375));
  EXPECT_EQ(kasen::sqrt(s).get(), std::sqrt(0.375));
  EXPECT_EQ(kasen::floor(s * 10).get(), 3.0);
  EXPECT_EQ(kasen::ceil(s * 10).get(), 4.0);
  EXPECT_EQ(kasen::sqrt(f).get(), std::sqrt(2.5f));
  static_assert(std::is_same_v<decltype(kasen::sqrt(f)), Shared<float>>);
  static_assert(std::is_same_v<decltype(kasen::exp(k)), Shared<double>>);
  EXPECT_EQ(kasen::abs(k).get(), 3);
  EXPECT_EQ(kasen::abs(s - 1).get(), 0.625);
  expect(kasen::pow(s, 2), 0.375 * 0.375);
  expect(kasen::pow(2.0, s), std::pow(2.0, 0.375));
  expect(kasen::pow(s, kasen::abs(k)), std::pow(0.375, 3));
}

TEST_F(SharedFunctions, Choices) {
  const Shared<double> s = 0.375;
  const Shared<std::int32_t> k = -3;
  EXPECT_EQ(kasen::min(s, 1).get(), 0.375);
  EXPECT_EQ(kasen::max(1, s).get(), 1.0);
  EXPECT_EQ(kasen::min(s, k).get(), -3.0);
  EXPECT_EQ(kasen::max(k, kasen::abs(k)).get(), 3);
  static_assert(std::is_same_v<decltype(kasen::max(k, k)), Shared<std::int32_t>>);
  EXPECT_EQ(kasen::select(s < 1, s, 0).get(), 0.375);
  EXPECT_EQ(kasen::select(s > 1, k, s).get(), 0.375);
  EXPECT_EQ(kasen::select(s > 1, 7, -7).get(), -7);
  const Shared<Row<double, 2>> row = Row<double, 2>{1, 2};
  EXPECT_EQ((kasen::select(s < 1, row, Row<double, 2>{3, 4}).get()), (Row<double, 2>{1, 2}));
  EXPECT_EQ((kasen::select(s > 1, row, Row<double, 2>{3, 4}).get()), (Row<double, 2>{3, 4}));
  static_assert(std::is_same_v<decltype(kasen::select(s > 1, k, s)), Shared<double>>);
  EXPECT_EQ(kasen::cast<std::int64_t>(s * 10).get(), 3);
  EXPECT_EQ(((k % 2) == -1).get(), true);
}

TEST_F(SharedFunctions, SelectOfTwoTypesInFunctionsOfElements) {
  const auto above = map(KASEN_FN((auto a), kasen::select(a > 6, a, 0)), x);
  EXPECT_EQ(reduce(plus, above).get(), 7.0 + 8 + 9 + 10 + 11 + 12);
  static_assert(std::is_same_v<decltype(kasen::select(true, 1, 2.5f)), float>);
  EXPECT_EQ(text_of<V<double>>(KASEN_FN((auto a), kasen::select(a > 6, a, 0))),
            text_of<V<double>>(KASEN_FN((auto a), kasen::select(a > 6, a, 0.0))));
}

TEST_F(SharedFunctions, CompoundAssignmentKeepsTheType) {
  Shared<double> s = 3.0;
  Shared<std::int32_t> k = 7;
  Shared<std::uint8_t> small = 250;
  const Shared<double> half = 0.5;
  s += half, s *= 4, s -= 1.5, s /= half;
  EXPECT_EQ(s.get(), ((3.0 + 0.5) * 4 - 1.5) / 0.5);
  k /= 2, k += half, k *= k, k -= 1;
  EXPECT_EQ(k.get(), 8);
  small += 10;
  EXPECT_EQ(small.get(), 4);
  ++k, k++, --k;
  EXPECT_EQ((++k).get(), 10);
  k--;
  EXPECT_EQ(k.get(), 9);
}

TEST_F(SharedFunctions, InALoop) {
  Shared<double> sum = 0.0;
  Shared<std::int32_t> k = 0;
  while_([&] { return k < 10; },
         [&] {
           sum += kasen::sqrt(k) + kasen::select(k % 3 == 0, 1, 0);
           if_(sum > 5, [&] { sum *= 0.5; });
           k++;
         });
  double expected = 0;
  for (int i = 0; i < 10; ++i) {
    expected += std::sqrt(i) + (i % 3 == 0 ? 1 : 0);
    if (expected > 5) expected *= 0.5;
  }
  EXPECT_EQ(sum.get(), expected);
}

TEST_F(SharedFunctions, ApplyOfAnyNumberAndOfPlainValues) {
  const Shared<double> s = 0.5, t = 2.0;
  const Shared<std::int32_t> k = 3;
  EXPECT_EQ(apply([](double a, double b) { return a - b; }, s, 4.0).get(), -3.5);
  EXPECT_EQ(apply([](double a, double b) { return a - b; }, 4.0, s).get(), 3.5);
  EXPECT_EQ(apply([](int a, double b, int c, double d) { return a + 10 * b + 100 * c + 1000 * d; }, 1, t, k, s).get(),
            821.0);
  const auto digits = [](auto... d) {
    double number = 0;
    ((number = 10 * number + d), ...);
    return number;
  };
  EXPECT_EQ(apply(digits, k, 1, k, 2, k).get(), 31323.0);
  EXPECT_EQ(apply(digits, k, 1, k, 2, k, 4).get(), 313234.0);
  EXPECT_EQ(apply(digits, k, 1, k, 2, k, 4, t).get(), 3132342.0);
  EXPECT_EQ(apply(digits, 9, 1, k, 2, k, 4, t, 5, k, 6).get(), 9132342536.0);
  EXPECT_EQ(apply(first, 4.0, s).get(), 4.0);
  EXPECT_EQ(apply(first, s, 4.0).get(), 0.5);
  struct Scale {
    double by, offset;
  };
  EXPECT_EQ(apply([](double a, const Scale& f) { return a * f.by + f.offset; }, s, Scale{4, 1}).get(), 3.0);
}

/// Equal functions of other plain values are not the same.
TEST_F(SharedFunctions, PlainValuesAreTold) {
  const Shared<double> s = reduce(plus, x);
  EXPECT_EQ((s * 2 + s * 3 - s * 2.0).get(), 78.0 * 3);
  EXPECT_EQ((kasen::min(s, 5.0) + kasen::min(s, 7.0)).get(), 12.0);
  const auto by = [](double a, double b) { return a / b; };
  EXPECT_EQ((apply(by, s, 2.0) + apply(by, s, 3.0)).get(), 65.0);
}

TEST_F(SharedFunctions, Members) {
  const auto least = [](const Nearest& a, const Nearest& b) { return b.distance < a.distance ? b : a; };
  const auto all = map([](double a) { return Nearest{(a - 5) * (a - 5), static_cast<std::int32_t>(a)}; }, x);
  const auto best = reduce(least, all);
  EXPECT_EQ(member(best, &Nearest::distance).get(), 0.0);
  EXPECT_EQ((member(best, &Nearest::cluster) + 1).get(), 6);
}

struct Named : Nearest {
  std::int32_t name;
  friend bool operator<(const Named& a, const Named& b) { return a.distance < b.distance; }
};

TEST_F(SharedFunctions, StructsBesidePlainOnes) {
  using Triple = Row<double, 3>;
  Shared<Triple> r = Triple{1, 2, 3};
  r = r + Triple{1, 1, 1};
  r *= Triple{2, 2, 2};
  EXPECT_EQ((Triple{0, 0, 0} - r).get(), (Triple{-4, -6, -8}));
  EXPECT_TRUE((r == Triple{4, 6, 8}).get());
  const Named far{{2.5, 1}, 7}, near{{0.5, 2}, 8};
  const Shared<Named> named = far;
  EXPECT_EQ(kasen::min(named, near).get().name, 8);
  EXPECT_EQ(member(named, &Nearest::cluster).get(), 1);
  EXPECT_EQ(member(named, &Named::cluster).get(), 1);
}

TEST_F(SharedFunctions, RemaindersInPlace) {
  Shared<std::int32_t> k = 17;
  k %= 5;
  EXPECT_EQ(k.get(), 2);
  k %= std::int64_t{2};
  EXPECT_EQ(k.get(), 0);
}

TEST_F(SharedFunctions, Bits) {
  Shared<std::int32_t> k = 29;
  const Shared<std::uint64_t> mask = 0b1010;
  EXPECT_EQ((k & 1).get(), 1);
  EXPECT_EQ((k & mask).get(), 29u & 0b1010u);
  EXPECT_EQ((64 | k).get(), 93);
  EXPECT_EQ((k ^ k).get(), 0);
  static_assert(std::is_same_v<decltype(k & mask), Shared<std::uint64_t>>);
  k &= 0b11100, k |= 2, k ^= mask;
  EXPECT_EQ(k.get(), ((29 & 0b11100) | 2) ^ 0b1010);
}

/// Integers are not divided ahead of a loop's test, whatever divides them.
TEST_F(SharedFunctions, IntegersThatMayBeZero) {
  Shared<std::int32_t> k = 0, zero = 0, sum = 0;
  const Shared<std::int32_t> seven = 7;
  while_(likely([&] { return k < zero; }), [&] {
    sum += seven / zero + seven % zero;
    sum /= zero;
    k++;
  });
  EXPECT_EQ(sum.get(), 0);
}

TEST_F(SharedFunctions, LinesOfTheCaller) {
  const Shared<double> none;
  expect_at(__LINE__, "[scope]", refusal([&] { kasen::sqrt(none); }));
  expect_at(__LINE__, "[scope]", refusal([&] { kasen::min(none, 1.0); }));
  expect_at(__LINE__, "[scope]", refusal([&] { kasen::pow(2.0, none); }));
  expect_at(__LINE__, "[scope]", refusal([&] { apply([](double a, double b) { return a + b; }, 1.0, none); }));
  expect_at(__LINE__, "[scope]", refusal([&] { member(Shared<Nearest>(), &Nearest::distance); }));
}

}  // namespace
}  // namespace kasen::tests
