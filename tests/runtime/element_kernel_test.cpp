/// @file
/// Element and source kernels against plain loops: sizes, element types, operands in any order, tiles in place.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "kasen/runtime/kernels.h"

namespace kasen::runtime {
namespace {

/// One call over whole vectors.
template <class Out>
void run(const ElementKernel& kernel, std::vector<const void*> in, std::vector<const void*> shared, Out* out,
         std::uint32_t n) {
  Tile tile;
  tile.in = in.data();
  tile.shared = shared.data();
  tile.out = out;
  tile.n = n;
  kernel.run(kernel.context.get(), tile);
}

std::vector<double> numbers(std::size_t n, double scale) {
  std::vector<double> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = scale * static_cast<double>(i % 17) - 3;
  return result;
}

TEST(ElementKernel, EqualsPlainLoopAtAnySize) {
  const ElementKernel kernel = element_kernel<double>([](double a, double b) { return std::abs(a - b); },
                                                      VectorOperand<double>{}, VectorOperand<double>{});
  for (std::uint32_t n : {0u, 1u, 3u, 4u, 7u, 64u, 129u, 511u}) {
    const auto a = numbers(n, 1.5), b = numbers(n, 0.7);
    std::vector<double> out(n + 1, -1);
    run(kernel, {a.data(), b.data()}, {}, out.data(), n);
    for (std::uint32_t i = 0; i < n; ++i) EXPECT_EQ(out[i], std::abs(a[i] - b[i]));
    EXPECT_EQ(out[n], -1) << "wrote beyond the tile";
  }
}

TEST(ElementKernel, TakesOperandsInTheOrderOfTheCall) {
  const auto f = [](float factor, double x, int shift, std::int64_t y) {
    return static_cast<double>(factor) * x + static_cast<double>(shift) * 1000 + static_cast<double>(y);
  };
  const ElementKernel kernel = element_kernel<double>(f, SharedOperand<float>{}, VectorOperand<double>{},
                                                      PlainOperand<int>{7}, VectorOperand<std::int64_t>{});
  const auto x = numbers(37, 2);
  std::vector<std::int64_t> y(37);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<std::int64_t>(i * i);
  const float factor = 0.25f;
  std::vector<double> out(37);
  run(kernel, {x.data(), y.data()}, {&factor}, out.data(), 37);
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], f(factor, x[i], 7, y[i]));
}

TEST(ElementKernel, WorksInPlace) {
  const ElementKernel kernel = element_kernel<double>([](double a, double b) { return a * b + 1; },
                                                      VectorOperand<double>{}, VectorOperand<double>{});
  const auto before = numbers(203, 1.25);
  auto x = before;
  run(kernel, {x.data(), x.data()}, {}, x.data(), 203);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x[i], before[i] * before[i] + 1);
}

struct Complex {
  double re, im;
};

TEST(ElementKernel, WorksOnStructsAndBools) {
  const ElementKernel square = element_kernel<Complex>(
      [](const Complex& c) {
        return Complex{c.re * c.re - c.im * c.im, 2 * c.re * c.im};
      },
      VectorOperand<Complex>{});
  const ElementKernel large = element_kernel<bool>([](const Complex& c, double bound) { return c.re > bound; },
                                                   VectorOperand<Complex>{}, PlainOperand<double>{2.0});
  const ElementKernel negate = element_kernel<bool>([](auto& b) { return !b; }, VectorOperand<bool>{});
  constexpr std::uint32_t n = 77;
  std::vector<Complex> c(n), squared(n);
  for (std::uint32_t i = 0; i < n; ++i) c[i] = {0.1 * i, 1.0 - i};
  const auto flags = std::make_unique<bool[]>(n);
  run(square, {c.data()}, {}, squared.data(), n);
  run(large, {c.data()}, {}, flags.get(), n);
  run(negate, {flags.get()}, {}, flags.get(), n);
  for (std::uint32_t i = 0; i < n; ++i) {
    EXPECT_EQ(squared[i].im, 2 * c[i].re * c[i].im);
    EXPECT_EQ(flags[i], !(c[i].re > 2.0));
  }
}

TEST(ElementKernel, ComputesConditionsWithBranchesInThem) {
  const auto wanted = [](std::int32_t a, std::int64_t b, float c) { return (a == 3 || a == 5) && b < 40 && c >= 0.5f; };
  const ElementKernel kernel = element_kernel<bool>(wanted, VectorOperand<std::int32_t>{},
                                                    VectorOperand<std::int64_t>{}, VectorOperand<float>{});
  constexpr std::uint32_t n = 301;
  std::vector<std::int32_t> a(n);
  std::vector<std::int64_t> b(n);
  std::vector<float> c(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    a[i] = static_cast<std::int32_t>(i % 7);
    b[i] = i * 13 % 80;
    c[i] = static_cast<float>(i % 11) / 10;
  }
  const auto flags = std::make_unique<bool[]>(n);
  run(kernel, {a.data(), b.data(), c.data()}, {}, flags.get(), n);
  std::vector<unsigned char> bytes(n);
  std::memcpy(bytes.data(), flags.get(), n);
  for (std::uint32_t i = 0; i < n; ++i) EXPECT_EQ(bytes[i], wanted(a[i], b[i], c[i]) ? 1 : 0) << i;
}

TEST(ElementKernel, KeepsWhatAFunctionOwns) {
  ElementKernel kernel;
  {
    const auto table = std::make_shared<const std::vector<int>>(std::vector<int>{5, 6, 7});
    kernel =
        element_kernel<int>([table](int i) { return (*table)[static_cast<std::size_t>(i)]; }, VectorOperand<int>{});
  }
  const std::vector<int> in = {2, 0, 1};
  std::vector<int> out(3);
  run(kernel, {in.data()}, {}, out.data(), 3);
  EXPECT_EQ(out, (std::vector<int>{7, 5, 6}));
}

TEST(SourceKernel, ReadsGlobalIndicesOrCounts) {
  const ElementKernel kernel = source_kernel<double>([](GlobalIndex i) { return 2.0 * static_cast<double>(i); });
  std::vector<double> out(5);
  Tile tile;
  tile.out = out.data();
  tile.n = 5;
  tile.first_global = 100;
  kernel.run(kernel.context.get(), tile);
  EXPECT_EQ(out, (std::vector<double>{200, 202, 204, 206, 208}));
  const std::vector<GlobalIndex> global = {9, 4, 40'000'000'000, 0, 1};
  tile.global = global.data();
  kernel.run(kernel.context.get(), tile);
  EXPECT_EQ(out, (std::vector<double>{18, 8, 80'000'000'000, 0, 2}));
}

TEST(ApplyKernel, TakesSharedsOfDifferentTypesAndPlainValues) {
  const auto f = [](double a, int b, double c) { return a > b + c; };
  const ApplyKernel kernel =
      apply_kernel<bool>(f, SharedOperand<double>{}, SharedOperand<int>{}, PlainOperand<double>{0.25});
  const double a = 2.5;
  const int b = 2;
  bool out = false;
  const void* in[] = {&a, &b};
  kernel.run(kernel.context.get(), in, &out);
  EXPECT_TRUE(out);
}

TEST(ReducerOf, FoldsByIndexInOrder) {
  const Reducer minus = reducer<double>([](double a, double b) { return a - b; }, std::optional<double>(0.0));
  std::vector<double> into = {10, 20, 30};
  const std::vector<double> from = {1, 2, 4, 8};
  const std::vector<std::uint32_t> index = {2, 0, 2, 1};
  minus.combine.fold(minus.combine.context.get(), into.data(), index.data(), from.data(), 4);
  EXPECT_EQ(into, (std::vector<double>{8, 12, 25}));
  minus.combine.fold(minus.combine.context.get(), into.data(), nullptr, from.data(), 3);
  EXPECT_EQ(into, (std::vector<double>{7, 10, 21}));
  EXPECT_EQ(minus.identity.size(), sizeof(double));
  EXPECT_TRUE(reducer<double>([](double a, double) { return a; }).identity.empty());
}

}  // namespace
}  // namespace kasen::runtime
