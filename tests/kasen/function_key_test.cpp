/// @file
/// Which functions the recorder takes for equal: those it can tell, and never two that differ.
#include "kasen/recording/function_key.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include "kasen/kasen.h"

namespace kasen::tests {
namespace {

using recording::function_key;
using recording::FunctionKey;

template <class F>
FunctionKey key(const F& f) {
  return function_key<F>(f);
}
bool known(const FunctionKey& k) { return k.type != nullptr; }

TEST(FunctionKeys, OfStatelessFunctionsAreOfTheirType) {
  const auto make = [] { return [](double a) { return a + 1; }; };
  EXPECT_EQ(key(make()), key(make()));
  EXPECT_TRUE(known(key(make())));
  EXPECT_NE(key(make()), key([](double a) { return a + 1; })) << "another lambda, though it reads the same";
  EXPECT_EQ(key(plus), key(Plus{}));
  EXPECT_NE(key(plus), key(times));
}

TEST(FunctionKeys, OfCapturesAreOfTheirBytes) {
  const auto make = [](int by) { return [by](int a) { return a + by; }; };
  EXPECT_EQ(key(make(3)), key(make(3)));
  EXPECT_NE(key(make(3)), key(make(4)));
}

TEST(FunctionKeys, AreUnknownWhereBytesCannotTell) {
  const double by = 1.5;
  EXPECT_FALSE(known(key([by](double a) { return a + by; })));
  const int whole = 3;
  const char part = 1;
  EXPECT_FALSE(known(key([whole, part](int a) { return a + whole + part; }))) << "padding";
  const std::string text = "text";
  EXPECT_FALSE(known(key([text](int) { return text.size(); })));
  const std::array<double, 2> pair{1, 2};
  EXPECT_FALSE(known(function_key<int>(runtime::PlainOperand<std::array<double, 2>>{pair})));
}

/// How many operations a program of two statements runs, where a sum keeps both of their results.
template <class F>
int operations_of(const F& program) {
  Options options;
  options.quiet = true;
  Session session(options);
  const Vector<double> x = random(12, 1), y = random(12, 2);
  program(x, y);
  const std::string plan = session.plan_text();
  int found = 0;
  for (std::size_t at = plan.find("zip_with("); at != std::string::npos; at = plan.find("zip_with(", at + 1)) ++found;
  return found;
}

TEST(WhiteBoxes, ThatComputeTheSameAreOneFunction) {
  const auto sums = [](const auto& a, const auto& b) { return reduce(plus, a) + reduce(kasen::max, b); };
  const double half = 0.5, other = 0.25;
  const int two = 2;
  EXPECT_EQ(operations_of([&](const auto& x, const auto& y) {
              sums(zip_with(KASEN_FN((auto a, auto b), a + 0.5 * b), x, y),
                   zip_with(KASEN_FN((auto c, auto d), c + 1 / 2.0 * d), x, y))
                  .get();
            }),
            1);
  EXPECT_EQ(operations_of([&](const auto& x, const auto& y) {
              sums(zip_with(times, x, y), zip_with(KASEN_FN((auto a, auto b), a * b), x, y)).get();
            }),
            1);
  EXPECT_EQ(operations_of([&](const auto& x, const auto& y) {
              sums(zip_with(KASEN_FN((auto a, auto b, auto by), a + by * b), x, y, half),
                   zip_with(KASEN_FN((auto a, auto b, auto by), a + by * b), x, y, 0.5))
                  .get();
            }),
            1);
  EXPECT_EQ(operations_of([&](const auto& x, const auto& y) {
              sums(zip_with(KASEN_FN((auto a, auto b, auto by), a + by * b), x, y, half),
                   zip_with(KASEN_FN((auto a, auto b, auto by), a + by * b), x, y, other))
                  .get();
            }),
            2)
      << "other plain values";
  EXPECT_EQ(operations_of([&](const auto& x, const auto& y) {
              sums(zip_with(KASEN_FN((auto a, auto b, auto n), a + n * b), x, y, two),
                   zip_with(KASEN_FN((auto a, auto b, auto n), a + n * b), x, y, 2.0))
                  .get();
            }),
            2)
      << "of another type";
  EXPECT_EQ(operations_of([&](const auto& x, const auto& y) {
              sums(zip_with(minus, x, y), zip_with(KASEN_FN((auto a, auto b), b - a), x, y)).get();
            }),
            2)
      << "operands the other way round";
}

/// A plan of both names the operations that it runs.
template <class A, class B>
std::size_t folds_of(const A& first, const B& second) {
  Options options;
  options.quiet = true;
  Session session(options);
  const Vector<double> x = random(12, 1), y = random(12, 2);
  (first(x, y) + second(x, y)).get();
  const std::string plan = session.plan_text();
  std::size_t found = 0;
  for (std::size_t at = plan.find("fold("); at != std::string::npos; at = plan.find("fold(", at + 1)) ++found;
  return found;
}

TEST(WhiteBoxes, OfFoldsAreTheirStepTheirReducerAndWhereTheyStart) {
  const auto fold_of = [](double init, auto step, auto merge, auto... plain) {
    return [=](const auto& x, const auto& y) { return fold(init, step, merge, x, y, plain...); };
  };
  const auto step = KASEN_FN((auto s, auto a, auto b), s + a * b);
  const auto by = KASEN_FN((auto s, auto a, auto b, auto c), s + a * b * c);
  const auto black = [](double s, double a, double b) { return s + a * b; };
  EXPECT_EQ(folds_of(fold_of(0.0, step, plus), fold_of(0.0, KASEN_FN((auto t, auto c, auto d), t + c * d), plus)), 1u);
  EXPECT_EQ(folds_of(fold_of(0.0, black, plus), fold_of(0.0, black, plus)), 1u);
  EXPECT_EQ(folds_of(fold_of(0.0, by, plus, 2.0), fold_of(0.0, by, plus, 2.0)), 1u);
  EXPECT_EQ(folds_of(fold_of(0.0, by, plus, 2.0), fold_of(0.0, by, plus, 3.0)), 2u) << "another plain value";
  EXPECT_EQ(folds_of(fold_of(0.0, step, plus), fold_of(0.0, black, plus)), 2u) << "a black box";
  EXPECT_EQ(folds_of(fold_of(0.0, step, plus), fold_of(0.0, step, [](double a, double b) { return a + b; })), 2u)
      << "another merge";
  const auto most = KASEN_FN((auto s, auto a, auto b), kasen::max(s, a * b));
  EXPECT_EQ(folds_of(fold_of(0.0, most, kasen::max), fold_of(-1.0, most, kasen::max)), 2u) << "from elsewhere";
  EXPECT_EQ(folds_of(fold_of(0.0, KASEN_FN((auto s, auto a, auto), s + a), plus),
                     fold_of(0.0, KASEN_FN((auto s, auto, auto b), s + b), plus)),
            2u)
      << "other operands";
}

TEST(WhiteBoxes, ThatReturnAnOperandAreItsRename) {
  const auto is_dropped = [](const auto& f) {
    return operations_of([&](const auto& x, const auto& y) { reduce(plus, zip_with(f, x, y)).get(); }) == 0;
  };
  EXPECT_TRUE(is_dropped(KASEN_FN((auto a, auto), a)));
  EXPECT_TRUE(is_dropped(KASEN_FN((auto, auto b), b)));
  EXPECT_FALSE(is_dropped(KASEN_FN((auto a, auto b), a + 0 * b)));
  EXPECT_FALSE(is_dropped([](double a, double) { return a; })) << "a black box";
  Options options;
  options.quiet = true;
  Session session(options);
  const Shared<double> s = reduce(plus, random(12, 1)), t = reduce(plus, random(12, 2));
  const auto second = KASEN_FN((auto, auto b), b);
  EXPECT_EQ(apply(second, s, t).get(), t.get());
}

TEST(FunctionKeys, OfPlainValuesAreOfTheirBits) {
  const auto of = [](double value) { return function_key<Plus>(plus, runtime::PlainOperand<double>{value}); };
  EXPECT_EQ(of(0.5), of(0.5));
  EXPECT_NE(of(0.5), of(0.25));
  EXPECT_NE(of(0.0), of(-0.0));
  EXPECT_TRUE(known(of(infinity)));
}

TEST(FunctionKeys, LookThroughWrappers) {
  const auto named = [](int by) { return NamedFunction{[by](int a) { return a + by; }, "a + by"}; };
  EXPECT_EQ(key(named(3)), key(named(3)));
  EXPECT_NE(key(named(3)), key(named(4)));
  const auto lawful = [](int by) { return laws([by](int a) { return a * by; }, exchanges_with(plus)); };
  EXPECT_EQ(key(lawful(3)), key(lawful(3)));
  EXPECT_NE(key(lawful(3)), key(lawful(4)));
  const auto larger = [](double a, double b) { return a < b ? b : a; };
  EXPECT_EQ(key(with_identity(larger, 0.0)), key(with_identity(larger, 0.0)));
  EXPECT_NE(key(with_identity(larger, 0.0)), key(with_identity(larger, 1.0)));
}

struct WithGap {
  double x;
  std::int32_t n;
};

TEST(ReducerKeys, AreOfTheIdentityWithoutItsPadding) {
  const auto sum = [](const WithGap& a, const WithGap& b) { return WithGap{a.x + b.x, a.n + b.n}; };
  const auto key_of = [&](int between, double x) {
    WithGap identity;
    std::memset(&identity, between, sizeof identity);
    identity.x = x, identity.n = 0;
    return detail::reducer_key<WithGap>(with_identity(sum, identity));
  };
  EXPECT_NE(key_of(0, 0), key_of(0, 1));
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
  EXPECT_EQ(key_of(0, 0), key_of(0x55, 0));
#endif
#endif
}

}  // namespace
}  // namespace kasen::tests
