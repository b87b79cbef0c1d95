/// @file
/// Which functions the recorder takes for equal: those it can tell, and never two that differ.
#include "kasen/recording/function_key.h"

#include <gtest/gtest.h>

#include <array>
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

TEST(FunctionKeys, OfReducersDoNotSeeWhatLiesBetweenMembers) {
  struct Found {
    bool any;
    double value;
  };
  const auto of = [](int between, double value) {
    auto op = with_identity([](const Found& a, const Found& b) { return a.any ? a : b; }, Found{});
    std::memset(&op.element, between, sizeof op.element);
    op.element.any = true;
    op.element.value = value;
    return detail::reducer_key<Found>(op);
  };
  EXPECT_EQ(of(0x55, 1.0), of(0xaa, 1.0));
  EXPECT_NE(of(0x55, 1.0), of(0x55, 2.0));
}

}  // namespace
}  // namespace kasen::tests
