/// @file
/// What --reproducible refuses, by one message with the line of the call, what it takes when that is declared, and what
/// it calls.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/kasen.h"

namespace kasen::tests {
namespace {

struct Moments {
  double n, x;
  friend Moments operator+(const Moments& a, const Moments& b) { return {a.n + b.n, a.x + b.x}; }
  friend bool operator<(const Moments& a, const Moments& b) { return a.x < b.x; }
};

Options reproducible() {
  Options options;
  options.quiet = true;
  options.reproducible = true;
  return options;
}

/// The message of the ProgramError that a call ends in; empty: it ends in none.
std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const ProgramError& error) {
    return error.what();
  }
  return {};
}

void expect_refused(const std::string& what, const std::function<void()>& call) {
  const std::string said = refusal(call);
  EXPECT_NE(said.find("refused_test.cpp:"), std::string::npos) << said;
  EXPECT_NE(said.find("[" + what + "] with --reproducible"), std::string::npos) << said;
}

constexpr auto kLonger = [](const Moments& a, const Moments& b) {
  return a.n < b.n || (a.n == b.n && a.x < b.x) ? b : a;
};
constexpr auto kSum = [](double a, double b) { return a + b; };
constexpr auto kBoth = KASEN_FN((auto a, auto b), a + b);

TEST(Reproducible, RefusesWhatMayShowTheOrder) {
  const Session session(reproducible());
  const auto v = random(50, 1);
  const auto moments = map([](double x) { return Moments{1, x}; }, v);
  const auto key = constant(50, std::int32_t{0});
  const auto A = make_matrix<double>(50, 50, std::vector<Entry<double>>());
  expect_refused("reduce", [&] { reduce(times, v); });
  expect_refused("reduce", [&] { reduce(kSum, v); });
  expect_refused("reduce", [&] { reduce(kBoth, v); });
  expect_refused("reduce", [&] { reduce(plus, moments); });
  expect_refused("reduce", [&] { reduce(kasen::min, moments); });
  expect_refused("reduce", [&] { reduce(kLonger, moments); });
  expect_refused("mxv", [&] { mxv(times, times, A, v); });
  expect_refused("mxvt", [&] { mxvt([](double x, double m, double y) { return x * m * y; }, times, A, v, v); });
  expect_refused("reduce_by_key", [&] { reduce_by_key(times, key, v, 1); });
  expect_refused("inclusive_scan", [&] { inclusive_scan(times, v); });
  expect_refused("exclusive_scan", [&] { exclusive_scan(plus, Moments{}, moments); });
  expect_refused("fold", [&] { fold(0.0, KASEN_FN((auto sum, auto x), sum + x), plus, v); });
}

TEST(Reproducible, TakesWhatIsDeclared) {
  const Session session(reproducible());
  const auto v = random(50, 1);
  const auto moments = map([](double x) { return Moments{x > 0.5 ? 1.0 : 0.0, x}; }, v);
  const Moments most = reduce(laws(kLonger, in_any_order), moments).get();
  EXPECT_EQ(most.x, reduce(kasen::max, v).get());
  const auto longer = fold(
      Moments{-1, 0},
      [](const Moments& a, double x) {
        return kLonger(a, Moments{0, x});
      },
      laws(kLonger, in_any_order), v);
  EXPECT_EQ(longer.get().x, most.x);
  const auto count = [](std::array<int, 2>& bins, double x) { ++bins[x > 0.5 ? 1 : 0]; };
  const auto merge = [](std::array<int, 2> a, const std::array<int, 2>& b) {
    return std::array<int, 2>{a[0] + b[0], a[1] + b[1]};
  };
  const auto bins = fold(std::array<int, 2>{}, count, merge, v).get();
  EXPECT_EQ(bins[0] + bins[1], 50);
}

/// Numbers that are sums of few powers of two, so that they are added up without rounding in any order.
TEST(Reproducible, CallsFunctionsThatReturnWhatTheyAreGiven) {
  constexpr std::uint64_t kEdge = 60;
  const auto number = [](std::uint64_t k) { return static_cast<double>(k * 7919 % 1009) / 8 - 60; };
  std::vector<double> elements(kEdge), least(kEdge, 0.0), least_of_all(kEdge, 0.0);
  for (std::uint64_t i = 0; i < kEdge; ++i) elements[i] = number(3 * i);
  std::vector<Entry<double>> all;
  for (std::uint64_t k = 0; k < 900; ++k) {
    const std::uint64_t row = k * 31 % kEdge, column = k / kEdge * 4 + k % 3;
    const Entry<double> entry{static_cast<GlobalIndex>(row), static_cast<GlobalIndex>(column), number(k)};
    all.push_back(entry);
    least[column] += std::min(elements[row], entry.value);
    least_of_all[column] += std::min({elements[row], entry.value, elements[column]});
  }
  const auto lesser = [](const double& a, const double& b) -> const double& { return a < b ? a : b; };
  const auto least_of_three = [](const auto& a, const auto& b, const auto& c) -> decltype(auto) {
    return std::min(std::min(a, b), c);
  };
  for (const bool is_reproducible : {true, false}) {
    Options options = reproducible();
    options.reproducible = is_reproducible;
    const Session session(options);
    std::vector<Entry<double>> mine;
    for (auto k = static_cast<std::size_t>(session.rank()); k < all.size();
         k += static_cast<std::size_t>(session.workers()))
      mine.push_back(all[k]);
    const auto A = make_matrix<double>(kEdge, kEdge, mine);
    const auto element = [](GlobalIndex i) { return static_cast<double>(i * 3 * 7919 % 1009) / 8 - 60; };
    const auto v = map(element, iota(A.rows())), w = map(element, iota(A.columns()));
    EXPECT_EQ(mxv(lesser, plus, A, v).get(), least);
    EXPECT_EQ(mxv(least_of_three, plus, A, v, w).get(), least_of_all);
  }
}

TEST(Reproducible, RefusesNothingWhereItIsNotAskedFor) {
  Options options = reproducible();
  options.reproducible = false;
  const Session session(options);
  const auto v = random(50, 1);
  EXPECT_EQ(refusal([&] { reduce(times, v).get(); }), "");
}

}  // namespace
}  // namespace kasen::tests
