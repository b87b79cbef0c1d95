/// @file
/// The kernels of an affine function's two parts: right for every element type, and with coefficients from Shareds and
/// plain values.
#include "kasen/runtime/affine_kernel.h"

#include <gtest/gtest.h>

#include "kasen/function.h"
#include "optimizer/laws/obeyed.h"

namespace kasen::runtime {
namespace {

template <class T>
std::vector<T> run(const ElementKernel& kernel, const std::vector<T>& in, const std::vector<const void*>& shared) {
  std::vector<T> out(in.size());
  const void* operands[] = {in.data()};
  Tile tile;
  tile.in = operands;
  tile.out = out.data();
  tile.shared = shared.data();
  tile.n = static_cast<std::uint32_t>(in.size());
  kernel.run(kernel.context.get(), tile);
  return out;
}

template <class T>
class AffineKernel : public testing::Test {};
using Types = testing::Types<double, float, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                             std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(AffineKernel, Types);

TYPED_TEST(AffineKernel, ScalesAndShifts) {
  using T = TypeParam;
  using namespace kasen::detail;
  // p * (x + s) + x, with s a Shared and p a plain value.
  const auto native = [&](T x, T s, int p) { return static_cast<T>(p * (x + s) + x); };
  const auto expression = traced_expression<T>(KASEN_FN((auto x, auto s, auto p), kasen::cast<T>(p * (x + s) + x)),
                                               Traced<Operator::element, T>{}, Traced<Operator::shared, T>{},
                                               Traced<Operator::plain, int>{});
  ASSERT_TRUE(expression);
  const auto parts = optimizer::affine_parts(*expression);
  ASSERT_TRUE(parts) << to_text(*expression);
  const std::vector<Scalar> plain{Scalar::of(3)};
  const T s = 2;
  const std::vector<T> in{0, 1, 2, 5, 20};
  const auto scaled = run<T>(affine_kernel(Operator::multiply, parts->factor, plain), in, {&s});
  const auto shifted = run<T>(affine_kernel(Operator::add, parts->offset, plain), scaled, {&s});
  for (std::size_t k = 0; k < in.size(); ++k) {
    EXPECT_EQ(scaled[k], static_cast<T>(4 * in[k]));
    EXPECT_EQ(shifted[k], native(in[k], s, 3));
  }
}

TEST(AffineKernelOfNothing, WritesNothing) {
  const auto parts = optimizer::affine_parts(
      *detail::traced_expression<double>(KASEN_FN((auto x), 2 * x + 1), detail::Traced<Operator::element, double>{}));
  EXPECT_TRUE(run<double>(affine_kernel(Operator::multiply, parts->factor, {}), {}, {}).empty());
}

}  // namespace
}  // namespace kasen::runtime
