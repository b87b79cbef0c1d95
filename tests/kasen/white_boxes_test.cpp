/// @file
/// Functions whose laws are derived, on partial results: what a trace does not see, and what rounding is for.
#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>
#include <vector>

#include "tests/kasen/program_mistakes.h"

namespace kasen::tests {
namespace {

constexpr double kRounder = 6755399441055744.0;  // 1.5 * 2^52: what is added to it is rounded to a whole number

template <class T>
auto floored(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    return kasen::floor(x);
  } else {
    return x;
  }
}
double half(double x) { return x * 0.5; }
template <class T>
T half(const T& x) {
  return x;
}
double global_scale = 1, global_shift = 0.25;

/// Every mode reduces a vector that waits pre-reduced at some number of workers.
class WhiteBoxes : public testing::TestWithParam<Sync> {
 protected:
  static Options options() {
    Options options = quiet();
    options.sync = GetParam();
    options.partition = Partition::row;
    return options;
  }
  /// Sums of rows of a dense pattern, in every order that workers may take.
  Vector<double> sums(double each) {
    std::vector<Entry<double>> entries;
    if (session.rank() == 0) {
      for (GlobalIndex i = 0; i < 12; ++i) {
        for (GlobalIndex j = 0; j < 12; ++j) entries.push_back({i, j, each + 0.01 * static_cast<double>(i + j)});
      }
    }
    const auto M = make_matrix<double>(12, 12, std::span<const Entry<double>>(entries));
    return mxv(times, plus, M, constant(12, 1.0));
  }
  template <class F>
  double expected(const std::vector<double>& of, const F& f) {
    double sum = 0;
    for (const double x : of) sum += f(x);
    return sum;
  }
  Session session{options()};
};

TEST_P(WhiteBoxes, ThatDoSomethingElseWithSymbols) {
  const std::vector<double> y = sums(0.3).get();
  EXPECT_EQ(reduce(plus, map(KASEN_FN((auto v), floored(v)), sums(0.3))).get(),
            expected(y, [](double v) { return std::floor(v); }));
  EXPECT_NEAR(reduce(plus, map(KASEN_FN((auto v), half(v) * 2 + 1), sums(0.3))).get(),
              expected(y, [](double v) { return v + 1; }), 1e-9);
}

TEST_P(WhiteBoxes, ThatReadGlobals) {
  const std::vector<double> y = sums(0.3).get();
  for (const auto& [scale, shift] : {std::pair{1.0, 0.25}, {0.5, 0.25}, {0.5, 1.0}}) {
    global_scale = scale, global_shift = shift;
    EXPECT_NEAR(reduce(plus, map(KASEN_FN((auto v), 3 * v * global_scale + global_shift), sums(0.3))).get(),
                expected(y, [](double v) { return 3 * v * global_scale + global_shift; }), 1e-9);
  }
}

/// What is not chosen does not count, were it infinite.
TEST_P(WhiteBoxes, ThatChoose) {
  const Shared<bool> no = false;
  const auto infinite = [&] {
    std::vector<Entry<double>> entries;
    if (session.rank() == 0) entries = {{0, 0, infinity}, {1, 0, 1.0}, {5, 1, 1.0}};
    return mxv(times, plus, make_matrix<double>(12, 12, std::span<const Entry<double>>(entries)), constant(12, 1.0));
  };
  EXPECT_EQ(reduce(plus, map(KASEN_FN((auto v, auto k), k ? v : 5.0), infinite(), no)).get(), 60);
  EXPECT_EQ(reduce(plus, map(KASEN_FN((auto v, auto k), kasen::select(k, v, 5.0)), infinite(), false)).get(), 60);
}

TEST_P(WhiteBoxes, ThatDivideByWhatHasNoReciprocal) {
  const Shared<double> q = 1e-310;
  std::vector<Entry<double>> entries;
  if (session.rank() == 0) entries = {{0, 0, 1e-310}, {1, 0, 1e-310}, {5, 1, 1e-310}};
  const auto M = make_matrix<double>(12, 12, std::span<const Entry<double>>(entries));
  const auto y = [&] { return mxv(times, plus, M, constant(12, 1.0)); };
  EXPECT_EQ(reduce(plus, map(KASEN_FN((auto v, auto by), v / by + 1.0), y(), q)).get(), 15);
  EXPECT_EQ(reduce(plus, map(KASEN_FN((auto v), v / 1e-310 + 1.0), y())).get(), 15);
}

TEST_P(WhiteBoxes, ThatRound) {
  const std::vector<double> y = sums(0.37).get();
  const auto whole_of = [](double v) { return (v + kRounder) - kRounder; };
  EXPECT_EQ(reduce(plus, map(KASEN_FN((auto v), (v + kRounder) - kRounder), sums(0.37))).get(), expected(y, whole_of));
  EXPECT_EQ(reduce(plus, map(KASEN_FN((auto v), (v - -kRounder) + -kRounder), sums(0.37))).get(),
            expected(y, whole_of));
  EXPECT_EQ(reduce(plus, map(KASEN_FN((auto v, auto d), (v + d) - d), sums(0.37), kRounder)).get(),
            expected(y, whole_of));
  const auto single = [](double v) { return static_cast<double>(static_cast<float>(v)); };
  EXPECT_NEAR(reduce(plus, map(KASEN_FN((auto v), cast<double>(cast<float>(v))), sums(0.37))).get(),
              expected(y, single), 1e-12);
  const auto split = [](double v) { return 134217729.0 * v - (134217729.0 * v - v); };
  EXPECT_NEAR(reduce(plus, map(KASEN_FN((auto v), 134217729.0 * v - (134217729.0 * v - v)), sums(0.37))).get(),
              expected(y, split), 1e-12);
}

/// The least of rounded numbers is a rounded number.
TEST_P(WhiteBoxes, ThatRoundTheLeast) {
  std::vector<Entry<double>> entries;
  if (session.rank() == 0) {
    for (GlobalIndex i = 0; i < 12; ++i) {
      for (GlobalIndex j = 0; j < 12; ++j)
        entries.push_back({i, j, 1 + 0.1 * static_cast<double>((i + 5 * j) % 12 + 1)});
    }
  }
  const auto M = make_matrix<double>(12, 12, std::span<const Entry<double>>(entries));
  const auto least =
      map(KASEN_FN((auto v), cast<double>(cast<float>(v))), mxv(times, kasen::min, M, constant(12, 1.0)));
  EXPECT_EQ(reduce(kasen::min, least).get(), static_cast<double>(1.1f));  // and once more as what its vector has:
  for (const double x : least.get()) EXPECT_EQ(x, static_cast<double>(static_cast<float>(x)));
}

INSTANTIATE_TEST_SUITE_P(
    Syncs, WhiteBoxes, testing::Values(Sync::hybrid, Sync::eager, Sync::lazy), [](const auto& tested) {
      return std::string(tested.param == Sync::hybrid ? "hybrid" : tested.param == Sync::eager ? "eager" : "lazy");
    });

}  // namespace
}  // namespace kasen::tests
