/// @file
/// Rows as elements, beside loops over numbers; with conditions too, of which a compiler makes wrong numbers elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <type_traits>
#include <vector>

#include "tests/kasen/program_mistakes.h"

namespace kasen::tests {
namespace {

static_assert(std::is_trivially_copyable_v<Row<double, 3>>);
static_assert(sizeof(Row<float, 16>) == 64);

TEST(Row, OperatorsActOnEachMember) {
  constexpr Row<double, 3> a{1, -2, 4}, b{2, 4, -8};
  static_assert(a + b == Row<double, 3>{3, 2, -4});
  EXPECT_EQ(a - b, (Row<double, 3>{-1, -6, 12}));
  EXPECT_EQ(a * b, (Row<double, 3>{2, -8, -32}));
  EXPECT_EQ(b / a, (Row<double, 3>{2, -2, -2}));
  EXPECT_EQ(2 * a + 1, (Row<double, 3>{3, -3, 9}));
  EXPECT_EQ(1 / a, (Row<double, 3>{1, -0.5, 0.25}));
  EXPECT_EQ(3.0f - a / 2, (Row<double, 3>{2.5, 4, 1}));
  EXPECT_EQ(-a, (Row<double, 3>{-1, 2, -4}));
  Row<double, 3> c = a;
  c += b, c -= 1, c *= a, c /= 2.0;
  EXPECT_EQ(c, (Row<double, 3>{1, -1, -10}));
  EXPECT_NE(c, a);
  EXPECT_EQ(dot(a, b), 2 - 8 - 32);
  EXPECT_EQ((Row<int, 4>::filled(3)), (Row<int, 4>{3, 3, 3, 3}));
  EXPECT_EQ((Row<float, 2>{1, 3} * 0.5), (Row<float, 2>{0.5f, 1.5f}));
  EXPECT_EQ((Row<std::uint8_t, 2>{200, 3} + Row<std::uint8_t, 2>{100, 1}), (Row<std::uint8_t, 2>{44, 4}));
  static_assert(!std::is_invocable_v<Times, Row<int, 2>, double>, "whole numbers by whole numbers");
  EXPECT_EQ(c.size(), 3u);
  EXPECT_EQ(std::accumulate(c.begin(), c.end(), 0.0), -10);
  c[1] = 7;
  EXPECT_EQ(*std::max_element(c.begin(), c.end()), 7);
  EXPECT_EQ((Row<double, 3>()), (Row<double, 3>{0, 0, 0}));
}

template <class RowType>
class RowElements : public ProgramMistakes {
 protected:
  using Member = typename RowType::Member;
  static constexpr std::size_t kMembers = RowType::size();
  static constexpr GlobalIndex kRows = 23, kColumns = 17;

  static RowType row(GlobalIndex i) {
    RowType r;
    for (std::size_t k = 0; k < kMembers; ++k)
      r[k] = static_cast<Member>((i * 7 + static_cast<GlobalIndex>(k) * 5) % 13 - 6);
    return r;
  }
  static Vector<RowType> rows(Space space) {
    return map([](GlobalIndex i) { return row(i); }, iota(space));
  }
  template <class F>
  static std::vector<RowType> serial(const F& f) {
    std::vector<RowType> all;
    for (GlobalIndex i = 0; i < kRows; ++i) all.push_back(f(i));
    return all;
  }
  Matrix<Member> matrix() {
    std::vector<Entry<Member>> entries;
    for (GlobalIndex i = 0; i < kRows; ++i) {
      for (GlobalIndex j = (i * 5) % 4; j < kColumns; j += 4) entries.push_back({i, j, weight(i, j)});
    }
    return on_first_worker<Member>(kRows, kColumns, entries);
  }
  static Member weight(GlobalIndex i, GlobalIndex j) { return static_cast<Member>((i + 2 * j) % 5 - 2); }
};
template <class RowType>
class RowConditions : public RowElements<RowType> {};
using SomeRows = testing::Types<Row<double, 10>, Row<std::int64_t, 8>>;
TYPED_TEST_SUITE(RowElements, SomeRows);
using MoreRows = testing::Types<Row<double, 8>, Row<double, 10>, Row<std::int64_t, 8>, Row<float, 16>>;
TYPED_TEST_SUITE(RowConditions, MoreRows);

TYPED_TEST(RowElements, Functions) {
  using R = TypeParam;
  using T = typename R::Member;
  const auto v = this->rows(Space(this->kRows));
  const auto w = map([](const R& r) { return 3 * r - 1; }, v);
  const auto of = [](GlobalIndex i) { return TestFixture::row(i); };
  EXPECT_EQ(w.get(), this->serial([&](GlobalIndex i) { return 3 * of(i) - 1; }));
  EXPECT_EQ(zip_with(times, v, w).get(), this->serial([&](GlobalIndex i) { return of(i) * (3 * of(i) - 1); }));
  const Shared<T> two = T{2};
  EXPECT_EQ(map(plus, v, two).get(), this->serial([&](GlobalIndex i) { return of(i) + T{2}; }));
  EXPECT_EQ(zip_with([](const R& a, const R& b) { return dot(a, b); }, v, w).get()[5], dot(of(5), 3 * of(5) - 1));
  EXPECT_EQ(constant(5, R::filled(T{3})).get(), std::vector<R>(5, R::filled(T{3})));
}

TYPED_TEST(RowConditions, InFunctionsOfElements) {
  using R = TypeParam;
  using T = typename R::Member;
  const auto positive = [](const R& a, const R& b) {
    R result;
    for (std::size_t k = 0; k < R::size(); ++k) result[k] = a[k] > 0 ? b[k] : T{0};
    return result;
  };
  const auto clipped = [](const R& a, T most) {
    R result = a;
    for (T& member : result) {
      if (member > most) member = most;
    }
    return result;
  };
  const auto v = this->rows(Space(this->kRows));
  const auto other = map([](GlobalIndex i) { return TestFixture::row(i + 3); }, iota(Space(this->kRows)));
  // Serially through a pointer, so that the compiler sees one member at a time.
  const auto expected = [&](const std::function<T(T, T)>& f) {
    return this->serial([&](GlobalIndex i) {
      const R a = TestFixture::row(i), b = TestFixture::row(i + 3);
      R result;
      for (std::size_t k = 0; k < R::size(); ++k) result[k] = f(a[k], b[k]);
      return result;
    });
  };
  EXPECT_EQ(zip_with(positive, v, other).get(), expected([](T a, T b) { return a > 0 ? b : T{0}; }));
  EXPECT_EQ(map(clipped, v, T{2}).get(), expected([](T a, T) { return a > 2 ? T{2} : a; }));
  EXPECT_EQ(zip_with([](const R& a, const R& b) { return a[0] > b[0] ? a : b; }, v, other).get(),
            this->serial([&](GlobalIndex i) {
              return TestFixture::row(i)[0] > TestFixture::row(i + 3)[0] ? TestFixture::row(i)
                                                                         : TestFixture::row(i + 3);
            }));
}

TYPED_TEST(RowElements, Reductions) {
  using R = TypeParam;
  using T = typename R::Member;
  const auto v = this->rows(Space(this->kRows));
  R sum, least = R::filled(T{100}), most = R::filled(T{-100});
  for (GlobalIndex i = 0; i < this->kRows; ++i) {
    const R r = TestFixture::row(i);
    sum += r;
    for (std::size_t k = 0; k < R::size(); ++k) {
      least[k] = std::min(least[k], r[k]);
      most[k] = std::max(most[k], r[k]);
    }
  }
  EXPECT_EQ(reduce(plus, v).get(), sum);
  EXPECT_EQ(reduce(elementwise(kasen::min), v).get(), least);
  EXPECT_EQ(reduce(elementwise(kasen::max), v).get(), most);
  EXPECT_EQ(reduce(plus, this->rows(Space(0))).get(), R());
  EXPECT_EQ((reduce(plus, v) * T{2} + T{1}).get(), sum * 2 + 1);
  EXPECT_STREQ(decltype(elementwise(kasen::max))::name, "elementwise(max)");
}

/// Several products in one.
TYPED_TEST(RowElements, Products) {
  using R = TypeParam;
  using T = typename R::Member;
  const auto M = this->matrix();
  std::vector<R> product(this->kRows), transposed(this->kColumns), least(this->kColumns, R::filled(Min::identity<T>()));
  for (GlobalIndex i = 0; i < this->kRows; ++i) {
    for (GlobalIndex j = (i * 5) % 4; j < this->kColumns; j += 4) {
      const T a = this->weight(i, j);
      for (std::size_t k = 0; k < R::size(); ++k) {
        R& to = transposed[static_cast<std::size_t>(j)];
        to[k] = static_cast<T>(to[k] + a * TestFixture::row(i)[k]);
        product[static_cast<std::size_t>(i)][k] += static_cast<T>(a * TestFixture::row(j)[k]);
        T& smallest = least[static_cast<std::size_t>(j)][k];
        smallest = std::min(smallest, TestFixture::row(i)[k]);
      }
    }
  }
  EXPECT_EQ(multiply(M, this->rows(Space(this->kColumns))).get(), product);
  EXPECT_EQ(multiply_transposed(M, this->rows(Space(this->kRows))).get(), transposed);
  EXPECT_EQ(mxv(first, elementwise(kasen::min), M, this->rows(Space(this->kRows))).get(), least);
}

/// Kept from one run to the next, written in loops, and made from values.
TYPED_TEST(RowElements, LoopsAndValues) {
  using R = TypeParam;
  using T = typename R::Member;
  const BlockRange block = block_of(Space(this->kRows));
  std::vector<R> mine;
  for (std::uint64_t k = 0; k < block.count; ++k)
    mine.push_back(TestFixture::row(block.first + static_cast<GlobalIndex>(k)));
  Vector<R> v = make_vector<R>(this->kRows, mine);
  const auto M = this->matrix();
  Shared<int> k = 0;
  while_(likely([&] { return k < 2; }), [&] {
    const auto there = mxv(first, plus, M, v);
    v = map([](const R& r) { return r - (r / T{2}) * T{2}; }, mxvt(first, plus, M, there));
    ++k;
  });
  std::vector<R> expected;
  for (GlobalIndex i = 0; i < this->kRows; ++i) expected.push_back(TestFixture::row(i));
  for (int step = 0; step < 2; ++step) {
    std::vector<R> there(this->kColumns), back(this->kRows);
    for (GlobalIndex i = 0; i < this->kRows; ++i)
      for (GlobalIndex j = (i * 5) % 4; j < this->kColumns; j += 4)
        there[static_cast<std::size_t>(j)] += expected[static_cast<std::size_t>(i)];
    for (GlobalIndex i = 0; i < this->kRows; ++i)
      for (GlobalIndex j = (i * 5) % 4; j < this->kColumns; j += 4)
        back[static_cast<std::size_t>(i)] += there[static_cast<std::size_t>(j)];
    for (R& r : back) r = r - (r / T{2}) * T{2};
    expected = back;
  }
  EXPECT_EQ(v.get(), expected);
}

}  // namespace
}  // namespace kasen::tests
