/// @file
/// The verifiers of black-scholes, kmeans and lbfgs find what is wrong: a right result holds, and every change of it is
/// noticed.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <span>

#include "apps/black_scholes/verify.h"
#include "apps/kmeans/verify.h"
#include "apps/lbfgs/verify.h"
#include "kasen/workers.h"
#include "tests/io/temporary_directory.h"

namespace apps {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class PointVerifiers : public testing::Test {
 protected:
  void SetUp() override {
    _session.emplace(kasen::Options());
    _folder.emplace(kasen::workers::communicator());
  }
  std::string file(const std::string& text) const { return _folder->write("data.csv", text); }
  /// This worker's block of what all have.
  template <class T>
  static std::vector<T> block(const std::vector<T>& all) {
    const kasen::BlockRange mine = kasen::block_of(all.size());
    return {all.begin() + mine.first, all.begin() + mine.first + static_cast<std::ptrdiff_t>(mine.count)};
  }

 private:
  std::optional<kasen::Session> _session;
  std::optional<kasen::io::TemporaryDirectory> _folder;
};

TEST_F(PointVerifiers, Valuations) {
  QuoteSource source;
  source.path = file("spot,strike,rate,volatility,years\n100,100,0.05,0.2,1\n100,50,0,0,1\n");
  const std::array<double, 10> first = {10.450583572185565, 5.573526022256971,  0.6368306511756191, -0.3631693488243809,
                                        0.0187620173458469, 37.52403469169379,  -6.414027546438197, -1.657880423934626,
                                        53.232481545376345, -41.890460904695065};
  const std::array<double, 10> second = {50, 0, 1, 0, 0, 0, 0, 0, 50, 0};  // no chance is left
  const auto holds = [&](std::size_t changed, double by, bool greeks) {
    std::array<std::vector<double>, 10> values;
    for (std::size_t k = 0; k < (greeks ? values.size() : 2); ++k) {
      values[k] = block(std::vector<double>{k == changed ? first[k] * by : first[k], second[k]});
    }
    return valuation_error(source, values).holds();
  };
  EXPECT_TRUE(holds(99, 1, true));
  EXPECT_TRUE(holds(99, 1, false));
  for (std::size_t k = 0; k < first.size(); ++k) {
    EXPECT_FALSE(holds(k, 1 + 1e-9, true)) << kValueNames[k];
    EXPECT_FALSE(holds(k, -1, true)) << kValueNames[k];
    EXPECT_FALSE(holds(k, kNan, true)) << kValueNames[k];
  }
}

TEST_F(PointVerifiers, Clusterings) {
  const std::string path = file("0\n1\n2\n10\n11\n12\n");
  using Numbers = std::vector<double>;
  const auto holds = [&](const Numbers& centres, const Numbers& previous, const std::vector<std::int64_t>& labels,
                         double inertia) {
    return clustering_error(path, {}, centres, previous, block(labels), inertia).holds();
  };
  EXPECT_TRUE(holds({1, 11}, {0.5, 10}, {0, 0, 0, 1, 1, 1}, 4));
  EXPECT_TRUE(holds({1, 11}, {}, {0, 0, 0, 1, 1, 1}, 4));
  EXPECT_TRUE(holds({1, 11, 50}, {0.5, 10, 50}, {0, 0, 0, 1, 1, 1}, 4));  // without points a centre stays
  EXPECT_TRUE(holds({1, 9}, {}, {0, 0, 0, 1, 1, 1}, 16));                 // no means; no iteration made them
  EXPECT_FALSE(holds({1, 11}, {0.5, 10}, {0, 0, 1, 1, 1, 1}, 84));
  EXPECT_FALSE(holds({1, 11}, {0.5, 10}, {0, 0, 0, 1, 1, 2}, 4));
  EXPECT_FALSE(holds({1, 11}, {0.5, 10}, {0, 0, 0, 1, 1, -1}, 4));
  EXPECT_FALSE(holds({1, 11}, {0.5, 10}, {0, 0, 0, 1, 1, 1}, 4.001));
  EXPECT_FALSE(holds({1, 11}, {0.5, 10}, {0, 0, 0, 1, 1, 1}, kNan));
  EXPECT_FALSE(holds({1, 9}, {0.5, 10}, {0, 0, 0, 1, 1, 1}, 16));
  EXPECT_FALSE(holds({1, 11, 49}, {0.5, 10, 50}, {0, 0, 0, 1, 1, 1}, 4));
  EXPECT_FALSE(holds({1, kNan}, {0.5, 10}, {0, 0, 0, 1, 1, 1}, 4));
}

/// What was trained, and what is claimed of it.
struct Trained {
  std::string samples;
  Training training;
  std::vector<double> classes;
  std::vector<std::vector<double>> weights;  ///< of each problem
  std::vector<double> intercepts;
  std::vector<Outcome> outcomes;
};

class TrainingVerifier : public PointVerifiers {
 protected:
  bool holds(const Trained& trained) const {
    Model model{trained.classes, {}, trained.intercepts};
    for (const std::vector<double>& weights : trained.weights) {
      const std::vector<double> mine = block(weights);
      model.weights.push_back(kasen::make_vector(kasen::Space(weights.size()), std::span<const double>(mine)));
    }
    SampleFile data;
    data.path = file(trained.samples);
    data.options.columns = trained.weights[0].size();
    return training_error(data, trained.training, model, trained.outcomes).holds();
  }
  bool holds_after(Trained trained, const std::function<void(Trained&)>& change) const {
    change(trained);
    return holds(trained);
  }

  /// Nothing of what is claimed may be no number, whether or not the rest goes with it.
  void expect_numbers_are_asked_for(const Trained& right) const {
    for (const double wrong : {kNan, kasen::infinity}) {
      for (std::size_t k = 0; k < right.weights.size(); ++k) {
        for (std::size_t j = 0; j < right.weights[k].size(); ++j)
          EXPECT_FALSE(holds_after(right, [&](Trained& t) { t.weights[k][j] = wrong; })) << k << " " << j;
        EXPECT_FALSE(holds_after(right, [&](Trained& t) { t.intercepts[k] = wrong; })) << k;
        EXPECT_FALSE(holds_after(right, [&](Trained& t) { t.outcomes[k].objective = wrong; })) << k;
        EXPECT_FALSE(holds_after(right, [&](Trained& t) { t.outcomes[k].gradient = wrong; })) << k;
        EXPECT_FALSE(holds_after(right, [&](Trained& t) { t.weights[k][0] = wrong, t.outcomes[k] = {wrong, wrong}; }));
      }
    }
  }
  /// The objective may be off by 1e-9 of that of weights 0, the distance from the minimum by 1e-8.
  void expect_claims_are_checked(const Trained& right, double objective_of_zero) const {
    for (const double sign : {1.0, -1.0}) {
      const auto with_objective = [&](double off) {
        return holds_after(right, [&](Trained& t) { t.outcomes.back().objective += sign * off * objective_of_zero; });
      };
      const auto with_gradient = [&](double off) {
        return holds_after(right, [&](Trained& t) { t.outcomes.back().gradient += sign * off; });
      };
      EXPECT_TRUE(with_objective(0.99e-9));
      EXPECT_FALSE(with_objective(1.01e-9));
      EXPECT_TRUE(with_gradient(0.99e-8));
      EXPECT_FALSE(with_gradient(1.01e-8));
    }
  }
  /// A weight off by e makes the gradient `curvature` times e; the first one had norm `first`.
  void expect_weight_is_checked(const Trained& right, std::size_t j, double curvature, double first) const {
    const double just = 1e-8 * first / curvature;
    for (const double sign : {1.0, -1.0}) {
      EXPECT_TRUE(holds_after(right, [&](Trained& t) { t.weights[0][j] += sign * 0.99 * just; })) << j;
      EXPECT_FALSE(holds_after(right, [&](Trained& t) { t.weights[0][j] += sign * 1.01 * just; })) << j;
    }
    EXPECT_FALSE(holds_after(right, [&](Trained& t) { t.weights[0][j] *= -1; })) << j;
    EXPECT_FALSE(holds_after(right, [&](Trained& t) { t.weights[0][j] = 0; })) << j;
  }
};

/// No sample has two features, so each weight is (x'y -+ l1)/(x'x + l2) by itself, or 0 where |x'y| <= l1.
TEST_F(TrainingVerifier, LeastSquaresWithBothPenalties) {
  Trained right{"3 1:1\n5 1:1\n-1 2:2\n0.25 3:1\n", {}, {}, {{2.5, -0.3, 0}}, {0}, {{7.93125, 0}}};
  right.training.loss = Loss::squared;
  right.training.l1 = 0.5;
  right.training.l2 = 1;
  EXPECT_TRUE(holds(right));
  const double first = std::hypot(8 - 0.5, 2 - 0.5);  // the third feature breaks nothing at 0
  expect_numbers_are_asked_for(right);
  expect_claims_are_checked(right, (9 + 25 + 1 + 0.0625) / 2);
  expect_weight_is_checked(right, 0, 2 + 1, first);
  expect_weight_is_checked(right, 1, 4 + 1, first);
  EXPECT_FALSE(holds_after(right, [](Trained& t) { t.weights[0][2] = 1e-12; }));  // has to be 0 exactly
  EXPECT_FALSE(holds_after(right, [](Trained& t) { t.weights[0] = {-0.3, 2.5, 0}; }));
  EXPECT_FALSE(holds_after(right, [](Trained& t) { t.training.l1 = 0.49; }));
  EXPECT_FALSE(holds_after(right, [](Trained& t) { t.training.l1 = 0; }));
  EXPECT_FALSE(holds_after(right, [](Trained& t) { t.training.l2 = 1.01; }));
  EXPECT_FALSE(holds_after(right, [](Trained& t) { t.training.loss = Loss::logistic; }));
}

/// Training that stopped early says so: the first weights are as far from the minimum as claimed, and no nearer.
TEST_F(TrainingVerifier, WhatHasNotConverged) {
  Trained begun{"3 1:1\n5 1:1\n-1 2:2\n0.25 3:1\n", {}, {}, {{0, 0, 0}}, {0}, {{17.53125, 1}}};
  begun.training.loss = Loss::squared;
  begun.training.l1 = 0.5;
  begun.training.l2 = 1;
  EXPECT_TRUE(holds(begun));
  EXPECT_FALSE(holds_after(begun, [](Trained& t) { t.outcomes[0].gradient = 0; }));
  EXPECT_FALSE(holds_after(begun, [](Trained& t) { t.outcomes[0].gradient = 1e-6; }));
  EXPECT_FALSE(holds_after(begun, [](Trained& t) { t.outcomes[0] = {7.93125, 0}; }));  // the minimum's
}

/// Three samples of margin w: 3/(1 + e^w) = l2 w at w = log 3 if l2 is 3/4 / log 3.
TEST_F(TrainingVerifier, LogisticRegression) {
  const double w = std::log(3.0), l2 = 0.75 / w, value = 3 * std::log(4.0 / 3) + 0.375 * w;
  Trained right{"5 1:1\n5 1:1\n2 1:-1\n", {}, {2, 5}, {{w}}, {0}, {{value, 0}}};
  right.training.l2 = l2;
  EXPECT_TRUE(holds(right));
  expect_numbers_are_asked_for(right);
  expect_claims_are_checked(right, 3 * std::log(2.0));
  expect_weight_is_checked(right, 0, 3 * 3.0 / 16 + l2, 1.5);
  EXPECT_FALSE(holds_after(right, [](Trained& t) { t.classes = {5, 2}; }));
  EXPECT_FALSE(holds_after(right, [](Trained& t) { t.samples = "5 1:1\n2 1:1\n2 1:-1\n"; }));
  EXPECT_FALSE(holds_after(right, [](Trained& t) { t.training.loss = Loss::squared; }));
  EXPECT_FALSE(holds_after(right, [](Trained& t) { t.training.loss = Loss::squared_hinge; }));
  EXPECT_FALSE(holds_after(right, [](Trained& t) { t.intercepts = {0.1}; }));
}

/// The feature's values sum to 0, so the intercept is the mean of the labels, and w is x'y/(x'x + l2).
TEST_F(TrainingVerifier, Intercepts) {
  Trained right{"1 1:-1\n4 1:1\n", {}, {}, {{1}}, {2.5}, {{0.75, 0}}};
  right.training.loss = Loss::squared;
  right.training.l2 = 1;
  right.training.intercept = true;
  EXPECT_TRUE(holds(right));
  const double first = std::hypot(3.0, 5.0), just = 1e-8 * first / 2;
  expect_numbers_are_asked_for(right);
  expect_claims_are_checked(right, 8.5);
  expect_weight_is_checked(right, 0, 3, first);
  for (const double sign : {1.0, -1.0}) {
    EXPECT_TRUE(holds_after(right, [&](Trained& t) { t.intercepts[0] += sign * 0.99 * just; }));
    EXPECT_FALSE(holds_after(right, [&](Trained& t) { t.intercepts[0] += sign * 1.01 * just; }));
  }
  EXPECT_FALSE(holds_after(right, [](Trained& t) { t.intercepts[0] = 5.0 / 3; }));  // as if it were regularised
  EXPECT_FALSE(holds_after(right, [](Trained& t) { t.intercepts[0] = 0; }));
}

/// Each class against the rest: samples of one feature each have margins w with 2 (1 - w) = l2 w.
TEST_F(TrainingVerifier, SeveralClasses) {
  Trained right{"1 1:1\n2 2:1\n3 3:1\n", {}, {1, 2, 3}, {}, {0, 0, 0}, {{1.5, 0}, {1.5, 0}, {1.5, 0}}};
  right.weights = {{0.5, -0.5, -0.5}, {-0.5, 0.5, -0.5}, {-0.5, -0.5, 0.5}};
  right.training.loss = Loss::squared_hinge;
  right.training.l2 = 2;
  EXPECT_TRUE(holds(right));
  expect_numbers_are_asked_for(right);
  expect_claims_are_checked(right, 3);
  for (std::size_t k = 0; k < 3; ++k) {
    expect_weight_is_checked(right, k, 4, std::sqrt(12.0));
    EXPECT_FALSE(holds_after(right, [&](Trained& t) { std::swap(t.weights[k], t.weights[(k + 1) % 3]); }));
  }
  EXPECT_FALSE(holds_after(right, [](Trained& t) { t.classes = {1, 3, 2}; }));
}

/// Where weights 0 have no loss there is nothing to be relative to.
TEST_F(TrainingVerifier, NothingToLearn) {
  Trained right{"0 1:1\n0 1:2\n", {}, {}, {{0}}, {0}, {{0, 0}}};
  right.training.loss = Loss::squared;
  EXPECT_TRUE(holds(right));
  EXPECT_FALSE(holds_after(right, [](Trained& t) { t.weights[0][0] = 1e-3; }));
  EXPECT_FALSE(holds_after(right, [](Trained& t) { t.outcomes[0].objective = 1e-3; }));
  expect_numbers_are_asked_for(right);
  Trained empty{"0\n1\n", {}, {0, 1}, {{0, 0}}, {0}, {{2 * std::log(2.0), 0}}};  // samples without features
  EXPECT_TRUE(holds(empty));
  EXPECT_FALSE(holds_after(empty, [](Trained& t) { t.weights[0][1] = 1e-3; }));
}

}  // namespace
}  // namespace apps
