/// @file
/// What is a white box, and what its trace says: operators with C++'s types, branches, limits.
#include <gtest/gtest.h>

#include <cmath>

#include "kasen/base/evaluate.h"
#include "tests/kasen/white_box.h"

namespace kasen::tests {
namespace {

struct Point {
  double x, y;
};

TEST(Trace, FollowsArithmeticWithItsPromotions) {
  EXPECT_EQ((text_of<V<double>, S<double>>(KASEN_FN((auto x, auto q), (1 - q) + q * x))), "(1 - s0) + (s0 * v0)");
  EXPECT_EQ((text_of<V<int>>(KASEN_FN((auto x), x / 2 * 1.5))), "float64(v0 / 2) * 1.5");
  EXPECT_EQ((text_of<V<float>, P<int>>(KASEN_FN((auto x, auto n), -x + n))), "-(v0) + float32(p0)");
  EXPECT_EQ((text_of<V<std::int8_t>>(KASEN_FN((auto x), x + x))), "t1 = int32(v0); t1 + t1");
  EXPECT_EQ((text_of<V<std::uint16_t>, V<std::uint32_t>>(KASEN_FN((auto x, auto y), x - y))), "uint32(v0) - v1");
  EXPECT_EQ((text_of<V<bool>>(KASEN_FN((auto x), x + 1))), "int32(v0) + 1");
  EXPECT_EQ((text_of<V<int>>(KASEN_FN((auto x), (((x % 3) << 2) ^ (~x & 7)) | (x >> 1)))),
            "(((v0 % 3) << 2) ^ (~(v0) & 7)) | (v0 >> 1)");
  EXPECT_EQ((text_of<V<int>, S<int>>(traced([](auto x, auto y) {
              x %= 9, x <<= 2, x ^= y, x |= 1, x &= 127, x >>= 1;
              return x;
            }))),
            "(((((v0 % 9) << 2) ^ s0) | 1) & 127) >> 1");
  EXPECT_EQ((text_of<V<long>>(KASEN_FN((auto x), kasen::cast<float>(x)))), "float32(v0)");
  EXPECT_EQ((text_of<V<double>>(KASEN_FN((auto), 2.5))), "2.5");
  EXPECT_EQ((text_of<V<double>>(KASEN_FN((auto x), (x)))), "v0");
}

TEST(Trace, FollowsComparisonsAndLogic) {
  EXPECT_EQ((text_of<V<double>>(KASEN_FN((auto x), 0.5 <= x && !(x > 2)))), "(0.5 <= v0) && !(2 < v0)");
  EXPECT_EQ((text_of<V<int>, V<double>>(KASEN_FN((auto x, auto y), x == y || x != 0))),
            "(float64(v0) == v1) || (v0 != 0)");
  EXPECT_EQ((text_of<V<bool>, V<bool>>(logical_and)), "v0 && v1");
  EXPECT_EQ((text_of<V<bool>>(KASEN_FN((auto x), x ? false : true))), "!(v0)");
}

TEST(Trace, FollowsMathAndBuiltInFunctors) {
  EXPECT_EQ((text_of<V<double>>(KASEN_FN((auto x), kasen::exp(x) + kasen::pow(x, 3)))), "exp(v0) + pow(v0, 3)");
  EXPECT_EQ((text_of<V<int>>(KASEN_FN((auto x), kasen::sqrt(x)))), "sqrt(float64(v0))");
  EXPECT_EQ((text_of<V<float>>(KASEN_FN((auto x), kasen::floor(kasen::erfc(x))))), "floor(erfc(v0))");
  EXPECT_EQ((text_of<V<float>>(KASEN_FN((auto x), kasen::asin(x) + kasen::acos(x) - kasen::atan(x)))),
            "(asin(v0) + acos(v0)) - atan(v0)");
  EXPECT_EQ((text_of<V<double>>(KASEN_FN((auto x), kasen::min(kasen::max(x, 0.0), 1.0)))), "min(max(v0, 0), 1)");
  EXPECT_EQ((text_of<V<double>, V<double>>(KASEN_FN((auto a, auto b), kasen::abs(a - b)))), "abs(v0 - v1)");
  EXPECT_EQ((text_of<V<double>, V<double>>(KASEN_FN((auto a, auto b), kasen::select(a < b, a, 0.0)))),
            "select(v0 < v1, v0, 0)");
  EXPECT_EQ((text_of<V<std::uint8_t>, V<std::uint8_t>>(bit_xor)), "v0 ^ v1");
  EXPECT_EQ((text_of<V<double>, V<double>>(kasen::min)), "min(v0, v1)");
  EXPECT_NE((text_of<V<std::int64_t>, S<int>, P<std::uint64_t>>(detail::RandomAt())), "black box");
  EXPECT_EQ((text_of<V<double>, V<double>>(minus)), "v0 - v1");
  EXPECT_EQ((text_of<V<double>, V<double>>(first)), "v0");
  EXPECT_EQ((text_of<V<double>>(count)), "1");
  EXPECT_EQ((text_of<V<double>>(laws(KASEN_FN((auto x), 2 * x), exchanges_with(plus)))), "2 * v0");
}

TEST(Trace, FollowsBranches) {
  EXPECT_EQ((text_of<V<double>, V<double>>(KASEN_FN((auto p, auto d), d == 0 ? p : 0))), "select(v1 == 0, v0, 0)");
  EXPECT_EQ((text_of<V<double>, S<double>>(KASEN_FN((auto x, auto d), x < d ? d : x))), "select(v0 < s0, s0, v0)")
      << "of NaN it is the other one";
  EXPECT_EQ((text_of<V<double>, S<int>>(KASEN_FN((auto x, auto d), x < d ? d : x))), "max(v0, float64(s0))");
  EXPECT_EQ((text_of<V<double>>(KASEN_FN((auto x), x < 1 ? 1 : x))), "max(v0, 1)");
  EXPECT_EQ((text_of<V<double>>(KASEN_FN((auto x), x < 1 ? x : 1))), "select(v0 < 1, v0, 1)");
  EXPECT_EQ((text_of<V<std::int64_t>, S<std::int64_t>>(KASEN_FN((auto x, auto d), x < d ? d : x))), "max(v0, s0)");
  EXPECT_EQ((text_of<V<std::int8_t>, S<std::int8_t>>(KASEN_FN((auto x, auto d), x < d ? x : d))), "min(v0, s0)");
  EXPECT_EQ((text_of<V<double>>(traced([](auto x) {
              if (x * 2 < 1) return x * 2 + 3;
              if (x * 2 < 5) x *= x;
              return x;
            }))),
            "t2 = v0 * 2; select(t2 < 1, t2 + 3, select(t2 < 5, v0 * v0, v0))");
  EXPECT_EQ((text_of<V<int>, V<int>>(traced([](auto x, auto y) { return std::max(x, y); }))), "max(v0, v1)");
  EXPECT_EQ((text_of<V<double>, V<double>>(traced([](auto x, auto y) { return std::max(x, y); }))),
            "select(v0 < v1, v1, v0)");
  EXPECT_EQ((text_of<V<double>>(traced([](auto x) {
              for (int k = 0; k < 3; ++k) x = x * x;
              return x;
            }))),
            "t1 = v0 * v0; t2 = t1 * t1; t2 * t2");
  // The same question has the same answer on one path.
  EXPECT_EQ((text_of<V<double>>(traced([](auto x) {
              auto y = x < 0 ? x + 1 : x + 2;
              if (!(x < 0)) y += 10;
              return y;
            }))),
            "select(v0 < 0, v0 + 1, (v0 + 2) + 10)");
}

TEST(Trace, IsNotMadeOfBlackBoxes) {
  const std::string black = "black box";
  EXPECT_EQ((text_of<V<double>>([](auto x) { return 2 * x; })), black);
  EXPECT_EQ((text_of<V<Point>>(KASEN_FN((auto p), p.x + p.y))), black);
  EXPECT_EQ((text_of<V<double>>(traced([](auto x) {
              while (x > 1.0) x /= 2;
              return x;
            }))),
            black);
  EXPECT_EQ((text_of<V<double>>(traced([](auto x) {
              for (int k = 0; k < 7; ++k) {
                if (x > k) x *= 2;
              }
              return x;
            }))),
            black)
      << "more paths than are followed";
  EXPECT_EQ((text_of<V<double>>(traced([](auto x) {
              if (x < 0) throw 1;
              return x;
            }))),
            black);
}

/// Whether a primitive would take f for these operands: KASEN_FN and traced have to know what their symbols do.
template <class... Operands, class F>
constexpr bool accepted(const F&) {
  return !detail::kIsSaidWhite<F> || detail::kKnowsSymbols<F, Operands...>;
}

TEST(Trace, RefusesAtCompileTimeWhatASymbolCannotDo) {
  EXPECT_TRUE((accepted<V<double>>(KASEN_FN((auto x), kasen::abs(x)))));
  EXPECT_FALSE((accepted<V<double>>(KASEN_FN((auto x), std::abs(x)))));
  EXPECT_FALSE((accepted<V<double>>(KASEN_FN((auto x), std::isnan(x) ? 0.0 : x))));
  EXPECT_FALSE((accepted<V<double>>(KASEN_FN((double x), 2 * x))));
  EXPECT_FALSE((accepted<V<double>>(traced([](double x) { return 2 * x; }))));
  EXPECT_FALSE((accepted<V<double>>(KASEN_FN((auto x), kasen::cast<double>(x * kasen::cast<long double>(2))))));
  // A choice between types that symbols cannot settle.
  EXPECT_FALSE((accepted<V<int>>(KASEN_FN((auto x), x < 0 ? x : 0.5))));
  EXPECT_TRUE((accepted<V<double>>([](double x) { return std::abs(x); }))) << "a plain lambda may do anything";
}

TEST(Trace, GivesEqualExpressionsForEqualFunctions) {
  const auto one = white_box<V<double>, S<double>>(KASEN_FN((auto x, auto q), (1 - q) + q * x));
  const auto same = white_box<V<double>, S<double>>(KASEN_FN((auto y, auto r), (1 - r) + r * y));
  const auto plain = white_box<V<double>, P<double>>(KASEN_FN((auto y, auto r), (1 - r) + r * y));
  const auto other = white_box<V<double>, S<double>>(KASEN_FN((auto y, auto r), (2 - r) + r * y));
  EXPECT_EQ(one, same);
  EXPECT_NE(one, plain);
  EXPECT_NE(one, other);
  EXPECT_NE(one, ExpressionRef());
}

TEST(Trace, CountsWorkPerElement) {
  const auto work = [](const ExpressionRef& e) { return work_of(*e); };
  EXPECT_EQ((work(white_box<V<double>, S<double>>(KASEN_FN((auto x, auto q), (1 - q) + q * x)))), (Work{true, 2, 0}));
  EXPECT_EQ((work(white_box<V<double>>(KASEN_FN((auto x), (x + 1) * (x + 1) / kasen::exp(x))))), (Work{true, 2, 1, 4}));
  EXPECT_EQ((work(white_box<V<double>>(KASEN_FN((auto x), kasen::sqrt(x) + kasen::pow(x, x))))),
            (Work{true, 1, 1, 20}));
  EXPECT_EQ((work(white_box<V<double>>(KASEN_FN((auto x), kasen::pow(x, 3) + kasen::pow(x, 0.5))))),
            (Work{true, 3, 1}));
  EXPECT_EQ((work(white_box<V<double>>(KASEN_FN((auto x), kasen::pow(x, 2.5))))), (Work{true, 0, 0, 20}));
  EXPECT_EQ((work(white_box<V<std::int64_t>, V<std::int64_t>>(divides))), (Work{true, 0, 8, 0, 0, true}));
  EXPECT_EQ((work(white_box<V<std::int64_t>>(KASEN_FN((auto x), (x + 1) * x)))), (Work{true, 0, 0, 0, 2, true}));
  EXPECT_EQ((work(white_box<V<double>, V<double>>(KASEN_FN((auto x, auto y), x < y)))), (Work{true, 1, 0, 0, 0, true}));
  EXPECT_EQ((work(white_box<V<double>>(KASEN_FN((auto x), x)))), (Work{true, 0, 0}));
}

TEST(Trace, KnowsWhatIsDefinedForEveryArgument) {
  EXPECT_TRUE(is_total(*white_box<V<double>, V<double>>(divides)));
  EXPECT_FALSE(is_total(*white_box<V<int>, V<int>>(divides)));
  EXPECT_FALSE((is_total(*white_box<V<int>, S<int>>(KASEN_FN((auto x, auto m), x % m)))));
  EXPECT_TRUE((is_total(*white_box<V<int>>(KASEN_FN((auto x), x % 7)))));
  EXPECT_FALSE((is_total(*white_box<V<int>>(KASEN_FN((auto x), x / -1))))) << "the least number has no opposite";
  EXPECT_TRUE((is_total(*white_box<V<unsigned>>(KASEN_FN((auto x), x / 0xffffffffu)))));
}

/// The expression, evaluated, is the function, called.
template <class T, class F>
void expect_same_values(const F& f, const std::vector<T>& values) {
  const ExpressionRef expression = white_box<V<T>, V<T>>(f);
  ASSERT_TRUE(expression);
  for (const T a : values) {
    for (const T b : values) {
      const Scalar value =
          evaluate(*expression, [&](const Node& node) { return Scalar::of(node.position == 0 ? a : b); });
      using Out = std::decay_t<decltype(f(a, b))>;
      ASSERT_EQ(value.type, *scalar_type_of<Out>());
      if constexpr (std::is_floating_point_v<Out>) {
        ASSERT_NEAR(value.as<Out>(), f(a, b), 1e-6 * std::abs(f(a, b)) + 1e-30) << to_text(*expression);
      } else {
        ASSERT_EQ(value.as<Out>(), f(a, b)) << to_text(*expression) << " of " << +a << ", " << +b;
      }
    }
  }
}

TEST(Evaluate, ComputesWhatTheFunctionComputes) {
  const std::vector<double> reals{-3.25, -1, -0.5, 0.25, 1, 2, 7.75};
  expect_same_values(KASEN_FN((auto x, auto y), x * y - x / y + (x < y ? kasen::abs(x) : -y)), reals);
  expect_same_values(KASEN_FN((auto x, auto y), kasen::exp(x) * kasen::erf(y) + kasen::tanh(x) - kasen::erfc(y)),
                     reals);
  expect_same_values(KASEN_FN((auto x, auto y), kasen::log(kasen::abs(x)) + kasen::log1p(kasen::abs(y))), reals);
  expect_same_values(KASEN_FN((auto x, auto y), kasen::sin(x) * kasen::cos(y) + kasen::tan(x) + kasen::expm1(y)),
                     reals);
  expect_same_values(KASEN_FN((auto x, auto y), kasen::asin(x / 8) * kasen::acos(y / 8) + kasen::atan(x)), reals);
  expect_same_values(KASEN_FN((auto x, auto y), kasen::floor(x) + kasen::ceil(y) + kasen::sqrt(kasen::abs(x))), reals);
  expect_same_values(KASEN_FN((auto x, auto y), kasen::pow(kasen::abs(x), y) + kasen::cast<int>(x)), reals);
  expect_same_values(KASEN_FN((auto x, auto y), (x <= y && !(y == 1)) || x != y), reals);
  const std::vector<float> singles{-2.5f, -1, 0.5f, 1, 3};
  expect_same_values(KASEN_FN((auto x, auto y), kasen::exp(x) + kasen::min(x, y) * kasen::max(x, y)), singles);
  const std::vector<double> unordered{std::nan(""), -infinity, -1, 1, 2, infinity};
  expect_same_values(KASEN_FN((auto x, auto y), kasen::min(x, y) < 1 || kasen::max(x, y) < 1), unordered);
  expect_same_values(KASEN_FN((auto x, auto y), (x < y ? x : y) < 1), unordered);
  expect_same_values(KASEN_FN((auto x, auto y), (x < y ? y : x) < 1), unordered);
  expect_same_values(KASEN_FN((auto x, auto y), kasen::select(x <= y, x, y) < 2), unordered);
  expect_same_values(KASEN_FN((auto x, auto), (x < 1 ? x : 1) < 2), unordered);
  expect_same_values(KASEN_FN((auto x, auto), (x < 1 ? 1 : x) < 2), unordered);
  expect_same_values(KASEN_FN((auto x, auto), (x > 1 ? 1 : x) < 2), unordered);
  expect_same_values(KASEN_FN((auto x, auto), (x > 1 ? x : 1) < 2), unordered);
  const std::vector<int> integers{-9, -2, -1, 1, 2, 3, 77};
  expect_same_values(KASEN_FN((auto x, auto y), x / y + x % y - (x & y) + (x | y) * (x ^ ~y)), integers);
  expect_same_values(KASEN_FN((auto x, auto y), (x << (y & 3)) + (x >> (y & 3)) + kasen::abs(x)), integers);
  const std::vector<std::uint8_t> bytes{0, 1, 2, 127, 128, 255};
  expect_same_values(KASEN_FN((auto x, auto y), kasen::cast<std::uint8_t>(x + y)), bytes);
  expect_same_values(KASEN_FN((auto x, auto y), kasen::cast<std::int8_t>(x * y) < x), bytes);
  const std::vector<std::uint32_t> words{0, 1, 5, 0x80000000u, 0xffffffffu};
  expect_same_values(KASEN_FN((auto x, auto y), x * y - x + (-y)), words);
  expect_same_values(KASEN_FN((auto x, auto y), kasen::cast<double>(x) < -1.0 ? y : x), words);
}

TEST(Evaluate, IsTotal) {
  const auto of_integers = [](const auto& f, int a, int b) {
    return evaluate(*white_box<V<int>, V<int>>(f), [&](const Node& node) { return Scalar::of(node.position ? b : a); })
        .template as<int>();
  };
  constexpr int kLowest = std::numeric_limits<int>::lowest();
  EXPECT_EQ(of_integers(divides, 5, 0), 0);
  EXPECT_EQ(of_integers(divides, kLowest, -1), kLowest);
  EXPECT_EQ(of_integers(KASEN_FN((auto x, auto y), x % y), kLowest, -1), 0);
  EXPECT_EQ(of_integers(plus, kLowest, -1), std::numeric_limits<int>::max());
  EXPECT_EQ(of_integers(KASEN_FN((auto x, auto), kasen::cast<int>(x * 1e20)), 5, 0), 0);
}

}  // namespace
}  // namespace kasen::tests
