/// @file
/// Math functions of kasen/math.h: whether a loop in vectors has the bits of calls for one number each.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kasen/base/vector_math.h"
#include "kasen/math.h"

namespace kasen {
namespace {

constexpr std::size_t kCount = 4003;  // of which some are left over at the end of vectors of any width

template <class T>
std::vector<T> arguments() {
  std::vector<T> x(kCount);
  for (std::size_t k = 0; k < kCount; ++k)
    x[k] = static_cast<T>(std::ldexp(1 + static_cast<double>(k) / kCount, static_cast<int>(k % 9) - 6));
  return x;
}

/// Compiled as loops over elements are.
template <class T, class F>
[[gnu::noinline]] void in_vectors(const F& f, const T* x, T* y, std::size_t n) {
#pragma omp simd
  for (std::size_t k = 0; k < n; ++k) y[k] = f(x[k]);
}
template <class T, class F>
[[gnu::noinline]] T alone(const F& f, T x) {
  return f(x);
}

/// At how many arguments the bits differ.
template <class T, class F>
std::size_t differing(const F& f) {
  const std::vector<T> x = arguments<T>();
  std::vector<T> y(kCount);
  in_vectors(f, x.data(), y.data(), kCount);
  std::size_t count = 0;
  for (std::size_t k = 0; k < kCount; ++k) {
    const T one = alone(f, x[k]);
    if (std::isnan(one) && std::isnan(y[k])) continue;
    count += std::memcmp(&one, &y[k], sizeof(T)) != 0 ? 1 : 0;
  }
  return count;
}

class AgreeingMath : public testing::Test {
 protected:
  void SetUp() override { set_agreeing_math(true); }
  void TearDown() override { set_agreeing_math(false); }
};

#define EXPECT_SAME_BITS(...)                                           \
  EXPECT_EQ(differing<double>([](auto x) { return __VA_ARGS__; }), 0u); \
  EXPECT_EQ(differing<float>([](auto x) { return __VA_ARGS__; }), 0u)

TEST_F(AgreeingMath, HasTheBitsOfOneNumberInVectors) {
  EXPECT_SAME_BITS(kasen::exp(x));
  EXPECT_SAME_BITS(kasen::expm1(x));
  EXPECT_SAME_BITS(kasen::log(x));
  EXPECT_SAME_BITS(kasen::log1p(x));
  EXPECT_SAME_BITS(kasen::sin(x));
  EXPECT_SAME_BITS(kasen::cos(x));
  EXPECT_SAME_BITS(kasen::tan(x));
  EXPECT_SAME_BITS(kasen::asin(x / 8));
  EXPECT_SAME_BITS(kasen::acos(x / 8));
  EXPECT_SAME_BITS(kasen::atan(x));
  EXPECT_SAME_BITS(kasen::tanh(x));
  EXPECT_SAME_BITS(kasen::erf(x));
  EXPECT_SAME_BITS(kasen::erfc(x));
  EXPECT_SAME_BITS(kasen::pow(x, x / 2));
}

TEST_F(AgreeingMath, IsStillRight) {
  for (const double x : arguments<double>()) {
    EXPECT_NEAR(kasen::exp(x), std::exp(x), 1e-15 * std::exp(x));
    EXPECT_NEAR(kasen::log(x), std::log(x), 1e-15 * (1 + std::abs(std::log(x))));
    EXPECT_NEAR(kasen::pow(x, 1.5), std::pow(x, 1.5), 1e-15 * std::pow(x, 1.5));
  }
}

#ifdef KASEN_VECTOR_MATH
TEST(VectorMath, HasOtherBitsWhereNothingIsAsked) {
  EXPECT_GT(differing<double>([](auto x) { return kasen::exp(x); }), 0u);
}
#endif

}  // namespace
}  // namespace kasen
