/// @file
/// kasen:: math in loops as kernels have them: right to a few units in the last place, wherever an element stands.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kasen/kasen.h"
#include "kasen/runtime/element_kernel.h"

namespace kasen::tests {
namespace {

/// A kernel over a tile of odd length, so that both the vector loop and what is left of it are seen.
template <class T, class F>
std::vector<T> mapped(F f, const std::vector<T>& in) {
  std::vector<T> out(in.size());
  const runtime::ElementKernel kernel = runtime::element_kernel<T>(f, runtime::VectorOperand<T>{});
  const void* operands[] = {in.data()};
  runtime::Tile tile;
  tile.in = operands;
  tile.out = out.data();
  tile.n = static_cast<std::uint32_t>(in.size());
  kernel.run(kernel.context.get(), tile);
  return out;
}

template <class T, class F>
void expect_close(F f, T (*reference)(T), T low, T high) {
  std::vector<T> in;
  for (int k = 0; k < 251; ++k) in.push_back(low + (high - low) * static_cast<T>(k) / 250);
  const std::vector<T> out = mapped(f, in);
  for (std::size_t k = 0; k < in.size(); ++k) {
    const T want = reference(in[k]);
    ASSERT_NEAR(out[k], want, 8 * std::numeric_limits<T>::epsilon() * std::abs(want)) << "of " << in[k];
  }
}

template <class T>
class Math : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Math, Types);

TYPED_TEST(Math, AgreesWithTheStandardLibrary) {
  using T = TypeParam;
  expect_close<T>([](T x) { return kasen::exp(x); }, std::exp, -20, 20);
  expect_close<T>([](T x) { return kasen::expm1(x); }, std::expm1, -5, 5);
  expect_close<T>([](T x) { return kasen::log(x); }, std::log, T(0.01), 100);
  expect_close<T>([](T x) { return kasen::log1p(x); }, std::log1p, T(-0.9), 100);
  expect_close<T>([](T x) { return kasen::sin(x); }, std::sin, T(0.1), 3);
  expect_close<T>([](T x) { return kasen::cos(x); }, std::cos, T(-1.5), T(1.5));
  expect_close<T>([](T x) { return kasen::tan(x); }, std::tan, T(-1.5), T(1.5));
  expect_close<T>([](T x) { return kasen::asin(x); }, std::asin, T(-0.95), T(0.95));
  expect_close<T>([](T x) { return kasen::acos(x); }, std::acos, T(-0.95), T(0.95));
  expect_close<T>([](T x) { return kasen::atan(x); }, std::atan, -30, 30);
  expect_close<T>([](T x) { return kasen::tanh(x); }, std::tanh, -3, 3);
  expect_close<T>([](T x) { return kasen::erf(x); }, std::erf, -3, 3);
  expect_close<T>([](T x) { return kasen::erfc(x); }, std::erfc, -3, 3);
  expect_close<T>([](T x) { return kasen::sqrt(x); }, std::sqrt, 0, 50);
  expect_close<T>([](T x) { return kasen::floor(x); }, std::floor, -3, 3);
  expect_close<T>([](T x) { return kasen::ceil(x); }, std::ceil, -3, 3);
  expect_close<T>([](T x) { return kasen::pow(x, T(2.5)); }, [](T x) { return std::pow(x, T(2.5)); }, T(0.1), 20);
}

/// Powers that the compiler knows are those of libm up to rounding, of special arguments too.
template <class T>
void expect_powers() {
  constexpr T kInfinity = std::numeric_limits<T>::infinity(), kNan = std::numeric_limits<T>::quiet_NaN();
  const T arguments[] = {T(0), -T(0), T(0.3), T(-0.3), T(1), T(-1), T(17.5), T(-1e20), kInfinity, -kInfinity, kNan};
  for (const T x : arguments) {
    const auto expect = [x](T found, T power) {
      const T right = std::pow(x, power);
      if (std::isnan(right)) {
        EXPECT_TRUE(std::isnan(found)) << x << " to the power of " << power;
      } else {
        EXPECT_EQ(std::signbit(found), std::signbit(right)) << x << " to the power of " << power;
        if (std::isinf(right) || std::isinf(found)) {
          EXPECT_EQ(found, right) << x << " to the power of " << power;
        } else {
          EXPECT_NEAR(found, right, std::abs(right) * 4 * std::numeric_limits<T>::epsilon()) << x << " to " << power;
        }
      }
    };
    expect(kasen::pow(x, T(1)), 1), expect(kasen::pow(x, T(2)), 2), expect(kasen::pow(x, T(3)), 3);
    expect(kasen::pow(x, T(4)), 4), expect(kasen::pow(x, T(-1)), -1), expect(kasen::pow(x, T(0.5)), T(0.5));
    if constexpr (std::is_same_v<T, double>) expect(kasen::pow(x, 2), 2), expect(kasen::pow(x, 3), 3);
  }
}

TEST(Math, HasPowersThatAreProducts) {
  expect_powers<double>();
  expect_powers<float>();
}

TEST(Math, TakesIntegersAsDoubles) {
  static_assert(std::is_same_v<decltype(kasen::exp(1)), double>);
  static_assert(std::is_same_v<decltype(kasen::pow(2.0f, 2)), double>);
  static_assert(std::is_same_v<decltype(kasen::pow(2.0f, 2.0f)), float>);
  static_assert(std::is_same_v<decltype(kasen::abs(std::int8_t{-3})), std::int8_t>);
  EXPECT_EQ(kasen::sqrt(16), 4.0);
  EXPECT_EQ(kasen::pow(2, 10), 1024.0);
  EXPECT_EQ(kasen::abs(-2.5), 2.5);
  EXPECT_FALSE(std::signbit(kasen::abs(-0.0)));
  EXPECT_EQ(kasen::select(true, 1, 2), 1);
  EXPECT_EQ(kasen::cast<int>(2.9), 2);
}

}  // namespace
}  // namespace kasen::tests
