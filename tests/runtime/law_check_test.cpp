/// @file
/// The run-time check of laws: finds counter-examples on data, at the identity and on special values; raises no false
/// alarm over rounding.
#include "kasen/runtime/law_check.h"

#include <gtest/gtest.h>

#include "kasen/functors.h"
#include "kasen/runtime/apply_kernel.h"
#include "kasen/runtime/element_kernel.h"

namespace kasen::runtime {
namespace {

template <class T, class Op>
Reducer reducer_of(Op op) {
  Reducer made = reducer<T>(op, Op::template identity<T>());
  made.name = Op::name;
  made.kind = Op::kind;
  made.scalar = scalar_type_of<T>();
  return made;
}

/// Of a map of `data` by f, over Op.
template <class T, class Op, class F>
std::optional<std::string> map_fails(F f, Op op, bool pushes_down, const std::vector<T>& data) {
  const ElementKernel kernel = element_kernel<T>(f, VectorOperand<T>{});
  const Reducer over = reducer_of<T>(op);
  const void* in[] = {data.data()};
  Tile tile;
  tile.in = in;
  tile.n = static_cast<std::uint32_t>(data.size());
  return counter_example({pushes_down, 0, {sizeof(T)}, &kernel, &over}, tile);
}

const std::vector<double> kData{0.1, 1e9, -3.7, 1e-7, 12345.678, -0.3, 4, 5, 6, 7};

TEST(LawCheck, AcceptsWhatHolds) {
  EXPECT_FALSE(map_fails<double>([](double x) { return x * 0.3; }, plus, false, kData));
  EXPECT_FALSE(map_fails<double>([](double x) { return x + 0.1; }, plus, true, kData));
  EXPECT_FALSE(map_fails<double>([](double x) { return 3 * x; }, times, true, kData));
  EXPECT_FALSE(map_fails<double>([](double x) { return x - 0.1; }, min, false, kData));
  EXPECT_FALSE(map_fails<double>([](double x) { return x < 3 ? x : 3; }, min, true, kData));
  EXPECT_FALSE(map_fails<double>([](double x) { return 1 / x; }, times, false, kData));
  EXPECT_FALSE(map_fails<float>([](float x) { return x / 3; }, plus, false, {0.1f, 1e9f, -3.7f}));
  EXPECT_FALSE(map_fails<std::uint32_t>([](std::uint32_t x) { return x & 0xffu; }, bit_xor, false, {7, 0xfffu}));
}

TEST(LawCheck, FindsCounterExamples) {
  EXPECT_EQ(map_fails<double>([](double x) { return x + 1; }, plus, false, kData),
            "for a = 0 and b = 0, F(plus(a, b)) is 1, and plus(F(a), F(b)) is 2");
  EXPECT_TRUE(map_fails<double>([](double x) { return 2 * x; }, plus, true, kData));
  EXPECT_TRUE(map_fails<double>([](double x) { return x * x; }, plus, false, kData));
  EXPECT_TRUE(map_fails<double>([](double x) { return -x; }, min, false, kData));
  EXPECT_TRUE(map_fails<int>([](int x) { return x / 2; }, plus, false, {1, 2}));
  EXPECT_TRUE(map_fails<double>([](double x) { return x < 0 ? -x : x; }, max, false, kData));
}

TEST(LawCheck, LooksAtTheDataAndAtTheIdentity) {
  // Wrong near 12345 only.
  const auto odd = [](double x) { return x > 12000 && x < 13000 ? 0 : 2 * x; };
  EXPECT_TRUE(map_fails<double>(odd, plus, false, kData));
  EXPECT_FALSE(map_fails<double>(odd, plus, false, {1.0, 2.0}));
  // Wrong at the identity of min only.
  const auto saturated = [](std::uint8_t x) { return x == 255 ? std::uint8_t{0} : x; };
  EXPECT_TRUE(map_fails<std::uint8_t>(saturated, min, false, {1, 2}));
}

TEST(LawCheck, OfTwoVectorsAndShareds) {
  const auto f = [](double x, float y, double s) { return x * static_cast<double>(y) + s; };
  const ElementKernel kernel =
      element_kernel<double>(f, VectorOperand<double>{}, VectorOperand<float>{}, SharedOperand<double>{});
  const Reducer over = reducer_of<double>(plus);
  const double x[] = {1, 2, 3};
  const float y[] = {2, 3, 4};
  double s = 0;
  const void* in[] = {x, y};
  const void* shared[] = {&s};
  Tile tile;
  tile.in = in;
  tile.shared = shared;
  tile.n = 3;
  const LawClaim claim{false, 0, {8, 4}, &kernel, &over};
  EXPECT_FALSE(counter_example(claim, tile));
  s = 1;
  EXPECT_TRUE(counter_example(claim, tile));
}

TEST(LawCheck, TriesFunctionsThatReduce) {
  const auto fails = [](auto op, std::optional<double> identity, const std::vector<double>& data) {
    Reducer made = reducer<double>(op, identity);
    made.scalar = ScalarType::float64;
    return reducer_counter_example(made, data.data(), static_cast<std::uint32_t>(data.size()));
  };
  const auto sum = [](double a, double b) { return a + b; };
  const auto larger = [](double a, double b) { return a < b ? b : a; };
  EXPECT_FALSE(fails(sum, 0.0, kData));
  EXPECT_FALSE(fails(sum, std::nullopt, kData));
  EXPECT_FALSE(fails(larger, -1e300, kData));
  EXPECT_FALSE(fails(larger, 0.0, {0, 1, 2})) << "the identity of what is there";
  EXPECT_EQ(fails(sum, 1.0, {4}), "1 is not its identity: of 4 it makes 5");
  EXPECT_EQ(fails([](double a, double b) { return a - b; }, std::nullopt, {4, 1}),
            "it is not commutative: for a = 4 and b = 1, f(a, b) is 3, and f(b, a) is -3");
  EXPECT_TRUE(fails([](double a, double b) { return (a + b) / 2; }, std::nullopt, {4, 1}));
  EXPECT_FALSE(fails([](double a, double b) { return a - b; }, std::nullopt, {})) << "of nothing";
}

TEST(LawCheck, SaysNothingOfStructs) {
  struct Pair {
    int a, b;
  };
  const ElementKernel kernel = element_kernel<Pair>([](Pair p) { return Pair{p.b, p.a + 1}; }, VectorOperand<Pair>{});
  const Reducer over = reducer<Pair>([](Pair a, Pair b) { return Pair{a.a + b.a, a.b + b.b}; });
  const Pair data[] = {{1, 2}};
  const void* in[] = {data};
  Tile tile;
  tile.in = in;
  tile.n = 1;
  EXPECT_FALSE(counter_example({false, 0, {sizeof(Pair)}, &kernel, &over}, tile));
}

}  // namespace
}  // namespace kasen::runtime
