/// @file
/// A table of functions with the laws they must and must not be found to obey. Every law that is found is tried on many
/// values of all operands, special ones among them; every law that is not found must fail on some of them, or is listed
/// as one that holds and is not claimed.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "kasen/base/evaluate.h"
#include "optimizer/laws/obeyed.h"
#include "tests/kasen/white_box.h"

namespace kasen::tests {
namespace {

using optimizer::Obeyed;
using optimizer::obeyed_over;

struct NamedReducer {
  ReducerKind kind;
  const char* name;
  Operator op;
};
constexpr NamedReducer kNumbers[] = {{ReducerKind::plus, "plus", Operator::add},
                                     {ReducerKind::times, "times", Operator::multiply},
                                     {ReducerKind::minimum, "min", Operator::minimum},
                                     {ReducerKind::maximum, "max", Operator::maximum}};
constexpr NamedReducer kBits[] = {{ReducerKind::bit_or, "or", Operator::bit_or},
                                  {ReducerKind::bit_and, "and", Operator::bit_and},
                                  {ReducerKind::bit_xor, "xor", Operator::bit_xor}};

std::vector<NamedReducer> reducers_of(ScalarType type) {
  std::vector<NamedReducer> all(std::begin(kNumbers), std::end(kNumbers));
  if (!is_floating(type)) all.insert(all.end(), std::begin(kBits), std::end(kBits));
  return all;
}

/// Values to try: small dyadic numbers, whose sums and products are exact, and the identities of integers.
std::vector<Scalar> values_of(ScalarType type, std::mt19937& random) {
  std::vector<Scalar> values;
  with_type(type, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, bool>) {
      values = {Scalar::of(false), Scalar::of(true)};
    } else if constexpr (std::is_floating_point_v<T>) {
      for (const T v : {0.0, 1.0, -1.0, 0.5, 2.0, -3.25, 12.0}) values.push_back(Scalar::of(static_cast<T>(v)));
      for (int k = 0; k < 4; ++k) values.push_back(Scalar::of(static_cast<T>(random() % 129) / 4 - 16));
    } else {
      using Limits = std::numeric_limits<T>;
      for (const int v : {0, 1, -1, 2, 5, 12}) values.push_back(Scalar::of(static_cast<T>(v)));
      values.push_back(Scalar::of(Limits::max()));
      values.push_back(Scalar::of(Limits::lowest()));
      for (int k = 0; k < 3; ++k) values.push_back(Scalar::of(static_cast<T>(random())));
    }
  });
  return values;
}

bool is_nan(const Scalar& a) {
  return is_floating(a.type) && std::isnan(converted(a, ScalarType::float64).as<double>());
}

bool is_infinite(const Scalar& a) {
  return is_floating(a.type) && std::isinf(converted(a, ScalarType::float64).as<double>());
}

/// A sum or product of signed numbers that C++ does not define.
bool overflows(Operator op, const Scalar& a, const Scalar& b) {
  if (!is_integer(a.type) || !is_signed(a.type) || (op != Operator::add && op != Operator::multiply)) return false;
  const Scalar operands[] = {a, b};
  const Scalar wide[] = {converted(a, ScalarType::float64), converted(b, ScalarType::float64)};
  return converted(evaluate(op, a.type, operands), ScalarType::float64) != evaluate(op, ScalarType::float64, wide);
}

bool equal(const Scalar& a, const Scalar& b) {
  if (!is_floating(a.type)) return a == b;
  const double x = converted(a, ScalarType::float64).as<double>(), y = converted(b, ScalarType::float64).as<double>();
  const double tolerance = a.type == ScalarType::float32 ? 1e-5 : 1e-10;
  return x == y || std::abs(x - y) <= tolerance * std::max(std::abs(x), std::abs(y)) || std::abs(x - y) < 1e-13;
}

/// Equal, and both or neither NaN.
bool equal_and_defined(const Scalar& a, const Scalar& b) { return is_nan(a) ? is_nan(b) : !is_nan(b) && equal(a, b); }

/// What seems to hold, from many values of all operands. Over minimum and maximum of floating types infinite values and
/// NaN are among them, as partial results without a local entry are infinite; over other reducers a whole that is
/// infinite or NaN counts as not defined.
Obeyed tried(const Expression& expression, std::uint32_t argument, const NamedReducer& reducer) {
  const ScalarType type = expression.result().type;
  std::mt19937 random(7);
  Obeyed seen{true, true};
  std::vector<Scalar> own = values_of(type, random);
  const bool extremum = reducer.kind == ReducerKind::minimum || reducer.kind == ReducerKind::maximum;
  constexpr double kUnusual[] = {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()};
  if (extremum && is_floating(type)) {
    for (const double value : kUnusual) own.push_back(converted(Scalar::of(value), type));
  }
  const auto reduced = [&](const Scalar& a, const Scalar& b) {
    const Scalar operands[] = {a, b};
    return evaluate(reducer.op, type, operands);
  };
  for (int round = 0; round < 80; ++round) {
    std::vector<std::pair<Node, Scalar>> others;
    for (const Node& node : expression.nodes) {
      if (operands_of(node.op) > 0 || node.op == Operator::literal) continue;
      std::vector<Scalar> from = values_of(node.type, random);
      if (extremum && is_floating(node.type) && random() % 2 == 0) {
        from = {converted(Scalar::of(kUnusual[random() % std::size(kUnusual)]), node.type)};
      }
      others.emplace_back(node, from[random() % from.size()]);
    }
    const auto f = [&](const Scalar& x) {
      return evaluate(expression, [&](const Node& node) {
        if (node.op == Operator::element && node.position == argument) return x;
        for (const auto& [input, value] : others) {
          if (input == node) return value;
        }
        return Scalar{};
      });
    };
    for (int pair = 0; pair < 40; ++pair) {
      const Scalar a = own[random() % own.size()], b = own[random() % own.size()];
      const Scalar whole = f(reduced(a, b));
      if (!extremum && (is_nan(whole) || is_infinite(whole) || overflows(reducer.op, a, b))) continue;
      seen.distributes = seen.distributes && equal_and_defined(whole, reduced(f(a), f(b)));
      seen.pushes_down = seen.pushes_down && equal_and_defined(whole, reduced(f(a), b));
    }
  }
  return seen;
}

void append(std::string& text, const std::string& reducer, const Obeyed& obeyed) {
  if (!obeyed.distributes && !obeyed.pushes_down) return;
  text += (text.empty() ? "" : ", ") + reducer + " ";
  if (obeyed.distributes) text += "D";
  if (obeyed.pushes_down) text += "P";
}

/// "plus D, min DP": D distributes, P pushes down, as claimed; after "; also " what holds and is not claimed.
std::string laws_of_expression(const ExpressionRef& expression, std::uint32_t argument) {
  if (!expression) return "black box";
  std::string claimed, unclaimed;
  for (const NamedReducer& reducer : reducers_of(expression->result().type)) {
    const Obeyed found = obeyed_over(reducer.kind, *expression, argument);
    const Obeyed seen = tried(*expression, argument, reducer);
    EXPECT_TRUE(!found.distributes || seen.distributes) << reducer.name << ", " << to_text(*expression);
    EXPECT_TRUE(!found.pushes_down || seen.pushes_down) << reducer.name << ", " << to_text(*expression);
    append(claimed, reducer.name, found);
    append(unclaimed, reducer.name, {seen.distributes && !found.distributes, seen.pushes_down && !found.pushes_down});
  }
  return claimed + (unclaimed.empty() ? "" : "; also " + unclaimed);
}

template <class... Operands, class F>
std::string laws_of(const F& f, std::uint32_t argument = 0) {
  return laws_of_expression(white_box<Operands...>(f), argument);
}

// The function's operands: two vectors, or one and Shareds.
#define EXPECT_LAWS(T, laws, ...) EXPECT_EQ((laws_of<V<T>>(KASEN_FN((auto x), __VA_ARGS__))), laws)
#define EXPECT_LAWS_2(T, laws, ...) \
  EXPECT_EQ((laws_of<V<T>, S<T>>(KASEN_FN(([[maybe_unused]] auto x, [[maybe_unused]] auto d), __VA_ARGS__))), laws)

TEST(DerivedLaws, OfBuiltInFunctors) {
  using D = V<double>;
  for (const std::uint32_t k : {0u, 1u}) {
    EXPECT_EQ((laws_of<D, D>(plus, k)), "plus P");  // infinity - infinity
    EXPECT_EQ((laws_of<D, D>(times, k)), "plus D, times P");
    EXPECT_EQ((laws_of<D, D>(kasen::min, k)), "min DP, max D");
    EXPECT_EQ((laws_of<D, D>(kasen::max, k)), "min D, max DP");
    EXPECT_EQ((laws_of<V<bool>, V<bool>>(logical_or, k)), "plus DP, times D, min D, max DP, or DP, and D");
    EXPECT_EQ((laws_of<V<bool>, V<bool>>(logical_and, k)), "plus D, times DP, min DP, max D, or D, and DP, xor D");
    EXPECT_EQ((laws_of<V<int>, V<int>>(bit_or, k)), "or DP, and D");
    EXPECT_EQ((laws_of<V<int>, V<int>>(bit_and, k)), "or D, and DP, xor D");
    EXPECT_EQ((laws_of<V<int>, V<int>>(bit_xor, k)), "xor P");
    EXPECT_EQ((laws_of<V<std::uint8_t>, V<std::uint8_t>>(bit_and, k)), "or D, and DP, xor D");
    EXPECT_EQ((laws_of<V<int>, V<int>>(plus, k)), "plus P");
    EXPECT_EQ((laws_of<V<std::uint32_t>, V<std::uint32_t>>(times, k)), "plus D, times P");
    EXPECT_EQ((laws_of<V<int>, V<int>>(kasen::min, k)), "min DP, max D");
  }
  EXPECT_EQ((laws_of<D, D>(minus, 0)), "plus P");
  EXPECT_EQ((laws_of<D, D>(minus, 1)), "");
  EXPECT_EQ((laws_of<D, D>(divides, 0)), "plus D, times P");
  EXPECT_EQ((laws_of<D, D>(divides, 1)), "");
  EXPECT_EQ((laws_of<D, D>(first, 0)), "plus DP, times DP, min DP, max DP");
  EXPECT_EQ((laws_of<V<int>, V<int>>(divides, 0)), "");
  EXPECT_EQ((laws_of<V<int>, V<int>>(minus, 1)), "");
}

template <int depth, class X, class D>
auto nested_bits(X x, D d) {
  if constexpr (depth == 0) {
    return x;
  } else {
    const auto inner = nested_bits<depth - 1>(x, d);  // used twice at each depth
    return (inner & d) | (inner ^ d);
  }
}

TEST(DerivedLaws, OfDeepExpressionsTakeNoLongerThanTheyAre) {
  EXPECT_EQ((laws_of<V<int>, S<int>>(KASEN_FN((auto x, auto d), nested_bits<48>(x, d)))), "or DP, and D") << "x or d";
}

// clang-format off: it takes products in macros for declarations of pointers
TEST(DerivedLaws, OverPlus) {
  EXPECT_LAWS(double, "plus D, times P, min D, max D", 2 * x);
  EXPECT_LAWS(double, "plus D, times P", -x);
  EXPECT_LAWS(double, "plus P, min D, max D", x + 1);
  EXPECT_LAWS(double, "plus P, min D, max D", (x + 1) - 2.5);
  EXPECT_LAWS(double, "", 1 - x);
  EXPECT_LAWS(double, "min D, max D", 2 * x + 1);
  EXPECT_LAWS_2(double, "", (1 - d) + d * x);
  EXPECT_LAWS_2(double, "plus D, times P", d* x / (d + 1));
  EXPECT_LAWS_2(double, "plus D, times P", x* d + (3 * x) / d);
  EXPECT_LAWS_2(double, "plus P; also min D", x + kasen::exp(d) * d);  // no -infinity there
  EXPECT_LAWS(double, "times D", x* x);
  EXPECT_LAWS(double, "plus DP, min D, max D; also times DP, min P, max P", 1 * x + 0.0);
  EXPECT_LAWS(double, "plus P", x + x - x + 3);
  EXPECT_LAWS(double, "plus D, times DP", x * 0);
  EXPECT_LAWS(double, "plus D, times DP", x - x);
  EXPECT_LAWS_2(double, "plus D, min D, max D; also times DP", d == 0 ? x : 0);
  EXPECT_LAWS_2(double, "plus D, times P", d == 0 ? 2 * x : -x);
  EXPECT_LAWS_2(double, "plus P; also max D", kasen::select(d < 1, x + d, x - 2));
  EXPECT_LAWS_2(double, "plus P, min D, max D", kasen::select(d < 1, x + 1, x - 2));
  EXPECT_LAWS_2(double, "", kasen::select(x < 3 && d < 1, -x, x));
  EXPECT_LAWS_2(double, "", x < d ? x : -x);
  EXPECT_LAWS(double, "; also times D", kasen::select(x > 0, x, -x));
  EXPECT_LAWS(double, "min D, max D; also plus DP, times DP, min P, max P", kasen::cast<double>(kasen::cast<float>(x)));
  EXPECT_LAWS(double, "", kasen::cast<double>(kasen::cast<int>(x)));
  EXPECT_LAWS(float, "plus D, times P, min D, max D", kasen::cast<float>(x * 0.5));
  // What is there to round is no identity.
  EXPECT_LAWS_2(double, "; also plus D, times P", (x - d) + d - x * 0 + x);
  EXPECT_LAWS(double, "min D, max D; also plus DP, times DP, min P, max P", (x + 0.1) - 0.1);
  // Sums that round are not simplified.
  EXPECT_LAWS(double, "plus P, min D, max D; also plus D, times DP, min P, max P", ((x + 0x1p-80) + 1) - 1);
  EXPECT_LAWS_2(double, "", kasen::sin(x) + d);
}

TEST(DerivedLaws, OverPlusOfIntegers) {
  EXPECT_LAWS(int, "plus D, times P", x * 3);
  EXPECT_LAWS(int, "plus D, or D, and D, xor D; also times P", x << 1);
  EXPECT_LAWS(std::uint32_t, "plus D, times P", x * 7u);
  EXPECT_LAWS(std::uint8_t, "plus P", kasen::cast<std::uint8_t>(x + 200));
  EXPECT_LAWS(std::int8_t, "plus D, times P", kasen::cast<std::int8_t>(-3 * x));
  EXPECT_LAWS(int, "min D, max D", x / 2);
  EXPECT_LAWS(int, "", x / -2);
  EXPECT_LAWS_2(int, "", x / d);
  EXPECT_LAWS(int, "; also times D, and D", x % 2);
  EXPECT_LAWS(int, "min D, max D, or D, and D, xor D", x >> 1);
  EXPECT_LAWS(int, "; also min D, max D", kasen::cast<int>(x * 0.5));
  EXPECT_LAWS(int, "plus P", x - 4);
  EXPECT_LAWS_2(int, "plus D, times P", -x* d);
}

TEST(DerivedLaws, OverTimes) {
  EXPECT_LAWS(double, "times D", 1 / x);
  EXPECT_LAWS(double, "", 3 / x);
  EXPECT_LAWS_2(double, "", d / x);
  EXPECT_LAWS(double, "times D; also min D, max D", x* x* x);
  EXPECT_LAWS(double, "", 2 * x * x);
  EXPECT_LAWS(double, "times D", kasen::abs(x));
  EXPECT_LAWS(double, "times D; also min D, max D", x* kasen::abs(x));
  EXPECT_LAWS(double, "times D; also min D, max D", kasen::pow(x, 3));
  EXPECT_LAWS(double, "times D", kasen::pow(x, -2));
  EXPECT_LAWS(double, "times D", kasen::pow(kasen::abs(x), 0.5));
  EXPECT_LAWS(double, "times D", kasen::sqrt(x * x));
  // Of two negative partial results the product has a root, they have none.
  EXPECT_LAWS(double, "min D", kasen::sqrt(x));
  EXPECT_LAWS(double, "", kasen::pow(x, 0.5));
  EXPECT_LAWS_2(double, "", kasen::pow(x, d));
  EXPECT_LAWS_2(double, "", kasen::pow(d, x));
  EXPECT_LAWS_2(double, "plus D, times P", x* kasen::abs(d));
  EXPECT_LAWS(double, "times D", x* x / kasen::abs(x));
  EXPECT_LAWS(int, "times D", x* x);
  EXPECT_LAWS(int, "; also times D", kasen::abs(x));  // not where the product wraps around
}

TEST(DerivedLaws, OverMinAndMax) {
  EXPECT_LAWS_2(double, "plus D, times P", d* x);  // c of unknown sign
  EXPECT_LAWS(double, "plus D, times P", -2 * x);  // turns min into max
  EXPECT_LAWS(double, "plus D, times P, min D, max D", x / 4);
  EXPECT_LAWS(double, "min D, max DP", kasen::max(x, 0.0));
  EXPECT_LAWS(double, "min D, max D", kasen::min(kasen::max(x, 0.0), 1.0));
  EXPECT_LAWS_2(double, "min DP, max D", kasen::min(x, kasen::min(d, 3.0)));
  EXPECT_LAWS_2(double, "min D, max D", kasen::min(x + 1, d));
  EXPECT_LAWS_2(double, "min DP, max D", d > 0 ? kasen::min(x, d) : x);
  EXPECT_LAWS_2(double, "min D, max D", kasen::exp(2 * x) + kasen::floor(x) - 7.5);
  EXPECT_LAWS_2(double, "", kasen::exp(2 * x) + kasen::floor(x) - d);
  EXPECT_LAWS(double, "min D, max D", kasen::tanh(x) - kasen::erfc(x));
  EXPECT_LAWS(double, "min D, max D", kasen::atan(x));
  EXPECT_LAWS(double, "", kasen::acos(x));
  EXPECT_LAWS(double, "min D, max D", 1 - kasen::exp(-x));
  EXPECT_LAWS(double, "", kasen::exp(-x));
  EXPECT_LAWS(double, "min D", kasen::log(x) + x);
  EXPECT_LAWS(double, "max D", -kasen::sqrt(-x));
  EXPECT_LAWS(double, "", kasen::log(x) - kasen::log(2 - x));
  EXPECT_LAWS(double, "", x - kasen::exp(x));
  EXPECT_LAWS(double, "", kasen::sin(x));
  EXPECT_LAWS_2(double, "min D, max D", d* d);
  // At an identity x is infinite: what is added must not be.
  EXPECT_LAWS_2(double, "plus P", x - d);
  EXPECT_LAWS(double, "plus P, min D, max D", x + -8 - 2);
  EXPECT_LAWS(double, "plus P; also plus D, times DP, max D", x - infinity);
  EXPECT_LAWS(double, "plus D, times P; also times D", x / infinity);
  EXPECT_LAWS(double, "plus D, times P; also plus P, times D", x* infinity);
  EXPECT_LAWS_2(double, "min D, max D", kasen::min(x, d) * 2 - 1);
  EXPECT_LAWS_2(double, "; also max D", kasen::min(x, d) + x);
  EXPECT_LAWS_2(double, "min D, max D", kasen::min(x, 3.0) + kasen::max(x, -2.0));
  EXPECT_EQ((laws_of<V<double>, V<int>>(KASEN_FN((auto x, auto i), x + i))), "plus P, min D, max D");
  // Of NaN, a choice is not min or max.
  EXPECT_LAWS_2(double, "; also max D", x < d ? x : d);
  EXPECT_LAWS_2(double, "; also min D, max DP", kasen::select(x < d, d, x));
  EXPECT_LAWS_2(double, "; also min D", x > d ? x : d);
  EXPECT_LAWS(double, "min D, max DP", x < 1 ? 1 : x);
  EXPECT_LAWS(double, "; also max D", x < 1 ? x : 1);
  EXPECT_LAWS_2(int, "min DP, max D", x < d ? x : d);
  EXPECT_LAWS_2(std::int8_t, "min D, max DP", x < d ? d : x);
  EXPECT_LAWS(int, "plus D, times P; also or D, and D, xor D", 2 * x);  // overflows at the identity
  EXPECT_LAWS_2(int, "min D, max D", kasen::max(kasen::min(x, d), 3));
}

TEST(DerivedLaws, OverBits) {
  EXPECT_LAWS_2(int, "or D, and D", (x & 0xff) | d);
  EXPECT_LAWS_2(int, "plus D, or D, and D, xor D; also times P", d > 0 ? x : x << 2);
  EXPECT_LAWS(int, "or D", x | x << 1);
  EXPECT_LAWS(int, "xor D", x ^ x << 1);
  EXPECT_LAWS(int, "xor P", ~x);
  EXPECT_LAWS_2(int, "or D, and DP, xor D", x & ~d);
  EXPECT_LAWS(std::uint8_t, "or D, and DP, xor D", kasen::cast<std::uint8_t>(x & 0x3c));
  EXPECT_LAWS(std::uint8_t, "or DP, and D", kasen::cast<std::uint8_t>(x | 0x3c));
  EXPECT_LAWS(std::uint16_t, "or D, and D, xor D; also min D, max D", kasen::cast<std::uint16_t>(x >> 3));
  EXPECT_LAWS_2(int, "", x&(x + d));
  // x has no part in it: no R(.., x) is that.
  EXPECT_LAWS_2(int, "min D, max D, or D, and D", d & 7);
  EXPECT_LAWS_2(int, "min D, max D, or D, and D", d + 3);
  EXPECT_LAWS_2(std::uint64_t, "min D, max D, or D, and D", d | 4);
  EXPECT_LAWS(int, "plus D, times DP; also min D, max D, or D, and DP, xor D", 0 * x);
  EXPECT_LAWS(int, "; also times D", x & -x);
}

TEST(DerivedLaws, OfFlags) {
  EXPECT_LAWS(bool, "xor P", !x);
  EXPECT_LAWS_2(bool, "plus DP, times D, min D, max DP, or DP, and D", x || !d);
  EXPECT_LAWS_2(bool, "xor P", x != d);
  EXPECT_LAWS_2(bool, "xor P", x ? d : !d);
  EXPECT_LAWS_2(bool, "plus D, times D, min D, max D, or D, and D", !d);
  EXPECT_LAWS_2(bool, "plus DP, times D, min D, max DP, or DP, and D", d ? x : true);
  EXPECT_EQ((laws_of<V<bool>, V<double>>(KASEN_FN((auto x, auto y), x && y < 3))),
            "plus D, times DP, min DP, max D, or D, and DP, xor D");
}

// clang-format on

TEST(DerivedLaws, NeedElementsOfOneType) {
  EXPECT_EQ(obeyed_over(ReducerKind::logical_or, *white_box<V<double>>(KASEN_FN((auto x), x < 1)), 0), Obeyed{});
  EXPECT_EQ(obeyed_over(ReducerKind::plus, *white_box<V<int>>(KASEN_FN((auto x), x * 0.5)), 0), Obeyed{});
  EXPECT_EQ(obeyed_over(ReducerKind::plus, *white_box<V<float>>(KASEN_FN((auto x), x * 2.0)), 0), Obeyed{});
}

TEST(AffineParts, AreTheExchangePartAndThePushdownPart) {
  const auto parts = [](const ExpressionRef& e) {
    const auto found = optimizer::affine_parts(*e);
    return found ? to_text(found->scale) + " | " + to_text(found->shift) : "none";
  };
  EXPECT_EQ(parts(white_box<V<double>, S<double>>(KASEN_FN((auto x, auto r), (1 - r) + r * x))),
            "s0 * v0 | v0 + (1 - s0)");
  EXPECT_EQ(parts(white_box<V<float>, P<double>>(KASEN_FN((auto x, auto r), kasen::cast<float>(r * x - 1)))),
            "float32(p0) * v0 | v0 + -1");
  EXPECT_EQ(parts(white_box<V<int>, S<int>>(KASEN_FN((auto x, auto d), d - x))), "-1 * v0 | v0 + s0");
  EXPECT_EQ(parts(white_box<V<double>>(KASEN_FN((auto x), (x + 1) / 4))), "(1 / 4) * v0 | v0 + (1 / 4)");
  EXPECT_EQ(parts(white_box<V<double>>(KASEN_FN((auto x), 2 * x))), "none") << "exchange";
  EXPECT_EQ(parts(white_box<V<double>>(KASEN_FN((auto x), x + 2))), "none") << "pushdown";
  EXPECT_EQ(parts(white_box<V<double>>(KASEN_FN((auto x), x * x + 2))), "none");
  EXPECT_EQ(parts(white_box<V<double>, V<double>>(KASEN_FN((auto x, auto y), 2 * x + y))), "none") << "two vectors";
  EXPECT_EQ(parts(white_box<V<int>>(KASEN_FN((auto x), 0.5 * x + 1))), "none") << "of another type";
}

}  // namespace
}  // namespace kasen::tests
