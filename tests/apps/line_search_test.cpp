/// @file
/// Line searches of apps/lbfgs and apps/learn on functions of one variable, from steps that are far too short to far
/// too long.
#include "apps/lbfgs/line_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "apps/learn/svm.h"

namespace apps {
namespace {

struct Curve {
  const char* name;
  std::function<double(double)> value, slope;
};

/// Convex, descending at 0.
Curve curves(int which, double scale) {
  switch (which) {
    case 0:
      return {"parabola", [=](double x) { return std::pow(x / scale - 1, 2); },
              [=](double x) { return 2 * (x / scale - 1) / scale; }};
    case 1:
      return {"logistic", [=](double x) { return std::log1p(std::exp(-x / scale)) + 0.01 * x / scale; },
              [=](double x) { return (-1 / (1 + std::exp(x / scale)) + 0.01) / scale; }};
    case 2:
      return {"hinge",
              [=](double x) { return std::pow(std::max(0.0, 1 - x / scale), 2) + 1e-3 * x * x / scale / scale; },
              [=](double x) { return (-2 * std::max(0.0, 1 - x / scale) + 2e-3 * x / scale) / scale; }};
    default:
      return {"exponential", [=](double x) { return std::exp(x / scale) - 2 * x / scale; },
              [=](double x) { return (std::exp(x / scale) - 2) / scale; }};
  }
}

TEST(WolfeSearch, MeetsTheStrongConditions) {
  for (int which = 0; which < 4; ++which) {
    for (double scale = 1e-6; scale < 1e7; scale *= 7) {
      const Curve f = curves(which, scale);
      const double start = f.value(0), slope = f.slope(0);
      ASSERT_LT(slope, 0);
      WolfeSearch search = wolfe_search(start, slope, {0, 0, 0}, true);
      while (!search.done) search = after_trial(search, f.value(search.step), f.slope(search.step));
      const double a = search.step;
      EXPECT_GT(a, 0) << f.name << " " << scale;
      EXPECT_LE(f.value(a), start + 1e-4 * a * slope + 1e-11) << f.name << " " << scale;
      EXPECT_LE(std::abs(f.slope(a)), 0.9 * std::abs(slope)) << f.name << " " << scale;
      EXPECT_EQ(search.value, f.value(a));
      EXPECT_LE(search.trials, 25) << f.name << " " << scale;
    }
  }
}

TEST(WolfeSearch, AddsThePenalty) {
  // (x - 1)^2 as a loss of 1 - x and a penalty of x^2 - x
  WolfeSearch search = wolfe_search(1, -2, {0, -1, 2}, true);
  search = after_trial(search, 1 - search.step, -1);
  EXPECT_TRUE(search.done);
  EXPECT_EQ(search.step, 1);
  EXPECT_EQ(search.value, 0);
}

TEST(WolfeSearch, HasNoStepWhereNothingDecreases) {
  EXPECT_EQ(wolfe_search(1, -1, {0, 0, 0}, false).step, 0);
  EXPECT_TRUE(wolfe_search(1, 0.5, {0, 0, 0}, true).done);
  WolfeSearch search = wolfe_search(1, -1, {0, 0, 0}, true);
  while (!search.done) search = after_trial(search, NAN, NAN);
  EXPECT_EQ(search.step, 0);
  EXPECT_EQ(search.value, 1);
}

TEST(WolfeSearch, StaysAsItWasOnceDone) {
  WolfeSearch search = after_trial(wolfe_search(1, -1, {0, 0, 0}, true), 0, 0);
  ASSERT_TRUE(search.done);
  search = after_trial(search, 100, 100);
  EXPECT_EQ(search.step, 1);
  EXPECT_EQ(search.value, 0);
}

TEST(Backtracking, HalvesUntilEnoughIsGained) {
  const auto value = [](double step) { return std::pow(step - 0.1, 2); };
  Backtracking search = backtracking(value(0), true);
  while (!search.done) search = after_backtrack(search, value(search.step), -0.2 * search.step);
  EXPECT_EQ(search.step, 0.125);
  EXPECT_EQ(search.value, value(0.125));
}

TEST(Backtracking, ReturnsToTheStart) {
  Backtracking search = backtracking(3, true);
  while (!search.done) search = after_backtrack(search, search.step > 0 ? 4 : 3, 0);
  EXPECT_EQ(search.step, 0);
  EXPECT_EQ(search.value, 3);
  EXPECT_EQ(backtracking(3, false).step, 0);
}

TEST(Backtracking, EndsWhereNothingIsANumber) {
  for (const bool wanted : {false, true}) {
    Backtracking search = backtracking(3, wanted);
    for (int trial = 0; trial < 100; ++trial) search = after_backtrack(search, NAN, NAN);
    EXPECT_TRUE(search.done);
    EXPECT_EQ(search.step, 0);
    EXPECT_EQ(search.value, 3);
  }
}

/// Newton's method from either flat side of a steep middle leads to the other side, and back.
TEST(ExactSearch, FindsTheMinimumWhereNewtonsMethodGoesRoundInCircles) {
  for (const double minimum : {0.25, 1.0, 10.0, 1e6}) {
    const double half = minimum / 100;  // of the steep middle
    const auto curvature = [&](double step) { return std::abs(step - minimum) < half ? 100.0 : 0.1; };
    const auto slope = [&](double step) {
      const double off = step - minimum, inside = std::clamp(off, -half, half);
      return 100 * inside + 0.1 * (off - inside);
    };
    ExactSearch search;
    while (!search.done) search = after_trial(search, slope(search.step), curvature(search.step));
    EXPECT_NEAR(search.step, minimum, 1e-8 * minimum);
    EXPECT_LT(search.trials, 50);
  }
  EXPECT_TRUE(after_trial(ExactSearch{}, 0, 1).done);
  EXPECT_TRUE(after_trial(ExactSearch{}, std::nan(""), 1).done);
}

}  // namespace
}  // namespace apps
