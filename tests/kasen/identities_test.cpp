/// @file
/// Reducers start from what is neutral for the elements that they get, whatever type the identity was written in.
#include <gtest/gtest.h>

#include <array>
#include <compare>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/kasen/program_mistakes.h"

namespace kasen::tests {
namespace {

struct Candidate {
  double distance;
  std::int64_t id;
  auto operator<=>(const Candidate&) const = default;
};
struct Pair {
  double x, y;
  friend Pair operator*(Pair a, Pair b) { return {a.x * b.x, a.y * b.y}; }
  friend Pair operator+(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }
};
struct Tally {
  long hits = 1;
  friend Tally operator+(Tally a, Tally b) { return {a.hits + b.hits}; }
};
enum class Rank3 : int { low, middle, high };

struct Twice : Plus {
  using Plus::operator();
  template <class A>
  constexpr A operator()(const A& a) const {
    return 2 * a;
  }
};

struct Identities : ProgramMistakes {
  Matrix<Pattern> into_first() {  // three entries in column 0, none in column 1
    std::vector<Entry<Pattern>> entries{{0, 0}, {1, 0}, {2, 0}};
    if (session->rank() != 0) entries.clear();
    return make_matrix<Pattern>(3, 2, std::span<const Entry<Pattern>>(entries));
  }
};

/// Laws and identities are said in any order, and several times; none is lost.
TEST_F(Identities, BesideLaws) {
  constexpr auto most = [](double a, double b) { return a < b ? b : a; };
  constexpr auto in_order = with_identity(laws(most, idempotent, defined_everywhere), 0.0);
  using InOrder = std::remove_const_t<decltype(in_order)>;
  static_assert(std::is_same_v<decltype(laws(with_identity(most, 0.0), idempotent, defined_everywhere)), InOrder>);
  static_assert(
      std::is_same_v<decltype(laws(with_identity(laws(most, idempotent), 0.0), defined_everywhere)), InOrder>);
  static_assert(
      std::is_same_v<decltype(with_identity(laws(laws(most, idempotent), defined_everywhere), 0.0)), InOrder>);
  static_assert(std::is_same_v<decltype(with_identity(in_order, 1.0)), InOrder>);
  constexpr auto lawful_least = laws(kasen::min, in_any_order);
  using Least = std::remove_const_t<decltype(lawful_least)>;
  static_assert(detail::reducer_kind<Least>() == ReducerKind::minimum);
  static_assert(*detail::identity_of<Least, double>(lawful_least) == infinity);
  static_assert(detail::kIsInAnyOrder<Least> && detail::kIsWhite<Least>);
  static_assert(detail::kDeclaresLaws<decltype(laws(in_order, exchanges_with(plus)))>);

  const auto M = into_first();
  const auto v = map([](GlobalIndex i) { return i == 0 ? 4.0 : 1.0 + static_cast<double>(i); }, iota(3));
  const std::vector<double> least{2, infinity}, largest{4, 1};
  EXPECT_EQ(mxv(first, lawful_least, M, v).get(), least);
  EXPECT_EQ(reduce(lawful_least, v).get(), 2);
  EXPECT_EQ(mxv(first, with_identity(in_order, 1.0), M, v).get(), largest);
  EXPECT_EQ(mxv(laws(first, keeps_identity), kasen::min, M, v).get(), least);
  EXPECT_EQ(reduce(laws(plus, in_any_order), v).get(), 9);
  const auto lower = traced([](auto a, auto b) {
    if (b < a) return b;
    return a;
  });
  EXPECT_EQ(reduce(laws(lower, idempotent), v).get(), 2);
  EXPECT_EQ(mxv(first, with_identity(laws(lower, in_any_order), infinity), M, v).get(), least);
  EXPECT_EQ(reduce_by_key(with_identity(lower, 9.0), constant(v.space(), 1), v, 2).get(), (std::vector<double>{9, 2}));
}

/// The plan is that of the functor without laws, and so are the kernels that it needs.
TEST_F(Identities, OfLoopsBesideLaws) {
  const auto least = laws(kasen::min, in_any_order);
  const auto G = on_first_worker<Pattern>(6, 6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}});
  Vector<GlobalIndex> label = iota(G.rows());
  Shared<bool> changed = true;
  while_([&] { return changed; },
         [&] {
           const auto next = zip_with(least, label, mxv(first, least, G, label));
           changed = reduce(logical_or, zip_with(KASEN_FN((auto a, auto b), a != b), label, next));
           label = next;
         });
  EXPECT_EQ(label.get(), std::vector<GlobalIndex>(6, 0));
  EXPECT_NE(session->plan_text().find("on from what it improves"), std::string::npos) << session->plan_text();
}

TEST_F(Identities, OfTheElementsType) {
  const auto halves = map(KASEN_FN((auto a), a + 0.5), x);  // 1.5 ... 12.5
  EXPECT_EQ(reduce(with_identity([](double a, double b) { return a + b; }, 0), halves).get(), 84);
  EXPECT_EQ(reduce(with_identity([](double a, double b) { return a < b ? b : a; }, 0), halves).get(), 12.5);
  EXPECT_EQ(reduce(with_identity(KASEN_FN((auto a, auto b), a + b), 0), halves).get(), 84);
  const auto M = on_first_worker<double>(12, 2, {{0, 0, 1.0}, {3, 0, 0.25}, {11, 1, 3.0}});
  const auto sum = with_identity(KASEN_FN((auto a, auto b), a + b), 0);
  EXPECT_EQ(mxv(times, sum, M, halves).get(), (std::vector<double>{2.625, 37.5}));
  const auto large = map([](double a) { return static_cast<std::int64_t>(a) * (std::int64_t{3} << 32); }, x);
  const auto gcd = [](std::int64_t a, std::int64_t b) { return std::gcd(a, b); };
  EXPECT_EQ(reduce(with_identity(gcd, 0), large).get(), std::int64_t{3} << 32);
  EXPECT_EQ(reduce(with_identity(bit_or, 0), large).get(), std::int64_t{63} << 32);  // 3 | 6 | ... | 36
}

TEST_F(Identities, ThatAreNoElement) {
  const auto whole = map([](double a) { return static_cast<int>(a); }, x);
  const auto least = [](int a, int b) { return a < b ? a : b; };
  const std::string none = "with_identity: the identity is no element";
  expect_at(__LINE__, none, refusal([&] { reduce(with_identity(least, 0.5), whole); }));
  expect_at(__LINE__, none, refusal([&] { reduce(with_identity(least, infinity), whole); }));
  EXPECT_EQ(reduce(with_identity(least, 100.0), whole).get(), 1);
}

TEST_F(Identities, OfStructsAreNotGuessed) {
  const auto from = [&](auto f) { return map(f, iota(3)); };
  const auto candidates = from([](GlobalIndex i) { return Candidate{5.0 + static_cast<double>(i), i}; });
  EXPECT_EQ(reduce(kasen::min, candidates).get().distance, 5.0);
  EXPECT_EQ(reduce(kasen::max, candidates).get().id, 2);
  const auto pairs = from([](GlobalIndex i) { return Pair{static_cast<double>(i + 1), 2.0}; });
  const Pair product = reduce(times, pairs).get();
  EXPECT_EQ(product.x, 6);
  EXPECT_EQ(product.y, 8);
  EXPECT_EQ(reduce(plus, pairs).get().x, 6);
  const auto ranks = from([](GlobalIndex i) { return i == 0 ? Rank3::high : Rank3::middle; });
  EXPECT_EQ(reduce(kasen::min, ranks).get(), Rank3::middle);
  const auto M = into_first();
  const Candidate worst{infinity, -1};
  const auto best = mxv(first, with_identity(kasen::min, worst), M, candidates).get();
  EXPECT_EQ(best[0].distance, 5.0);
  EXPECT_EQ(best[1].id, -1);
  EXPECT_EQ(mxv(first, plus, M, pairs).get()[0].y, 6);
}

TEST_F(Identities, ZeroesThatAreNone) {
  const auto tallies = map([](double) { return Tally{}; }, x);
  expect_at(__LINE__, "is no zero", refusal([&] { reduce(plus, tallies); }));
  const auto threes = map([](GlobalIndex) { return Tally{}; }, iota(3));
  const auto M = into_first();
  expect_at(__LINE__, "is no zero", refusal([&] { mxv(first, plus, M, threes); }));
  EXPECT_EQ(mxv(first, with_identity(plus, Tally{0}), M, threes).get()[0].hits, 3);
  EXPECT_EQ(mxv(first, with_identity(plus, Tally{0}), M, threes).get()[1].hits, 0);
}

TEST_F(Identities, OfOneWorkerOnly) {
  if (session->workers() == 1) GTEST_SKIP() << "there is nobody else";
  const auto sum = [](double a, double b) { return a + b; };
  const double start = session->rank() == 0 ? 0.0 : 1.0;
  expect_at(__LINE__, "a function, a plain value", refusal([&] { reduce(with_identity(sum, start), x).get(); }));
}

/// A functor that derives from a built-in one is another function.
TEST_F(Identities, OfFunctorsThatDerive) {
  EXPECT_EQ(map(Twice{}, x).get()[2], 6);
  EXPECT_EQ(reduce(plus, map(Twice{}, x)).get(), 2 * 78);
}

}  // namespace
}  // namespace kasen::tests
