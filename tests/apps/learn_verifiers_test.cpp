/// @file
/// The verifiers of the programs of apps/learn find what is wrong: a right result holds, and every change of it is
/// noticed.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>

#include "apps/learn/verify_autoencoder.h"
#include "apps/learn/verify_glm.h"
#include "apps/learn/verify_gmm.h"
#include "apps/learn/verify_mlogreg.h"
#include "apps/learn/verify_ridge.h"
#include "kasen/workers.h"
#include "tests/io/temporary_directory.h"

namespace apps {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class LearnVerifiers : public testing::Test {
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

/// Two groups so far apart that each point belongs to one of two components, and the third has none.
TEST_F(LearnVerifiers, Mixtures) {
  const std::string path = file("0,5\n2,5\n100,5\n102,5\n");
  const double column = 2501, constant = 1e-6;  // variances
  MixtureClaim right;
  right.previous = {{0.5, 0.4, 0.1}, {1, 5, 101, 5, 1e7, 5}, {1, 1, 1, 1, 1, 1}};
  right.components = {{0.5, 0.5, 0}, {1, 5, 101, 5, 1e7, 5}, {1, constant, 1, constant, 1, 1}};
  right.improved = true;
  right.labels = {0, 0, 1, 1};
  right.log_likelihood = 4 * (std::log(0.5) - 0.5 * (2 * std::log(2 * std::numbers::pi) + std::log(constant) + 1));
  const auto holds_after = [&](const std::function<void(MixtureClaim&)>& change, double part = 1e-6) {
    MixtureClaim claim = right;
    change(claim);
    claim.labels = block(claim.labels);
    Mixing mixing;
    mixing.least_variance = part;
    return mixture_error(path, {}, mixing, claim).holds();
  };
  EXPECT_TRUE(holds_after([](MixtureClaim&) {}));
  EXPECT_TRUE(holds_after([](MixtureClaim& c) { c.improved = false, c.previous = {}; }));
  EXPECT_FALSE(holds_after([](MixtureClaim&) {}, 1.01 / column)) << "the variances would be larger";
  for (const double wrong : {kNan, kasen::infinity, -kasen::infinity}) {
    EXPECT_FALSE(holds_after([&](MixtureClaim& c) { c.log_likelihood = wrong; }));
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_FALSE(holds_after([&](MixtureClaim& c) { c.components.means[k] = wrong; })) << k;
      EXPECT_FALSE(holds_after([&](MixtureClaim& c) { c.components.variances[k] = wrong; })) << k;
    }
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_FALSE(holds_after([&](MixtureClaim& c) { c.components.weights[k] = wrong; })) << k;
  }
  EXPECT_FALSE(holds_after([](MixtureClaim& c) { c.log_likelihood *= 1 + 1e-8; }));
  EXPECT_FALSE(holds_after([](MixtureClaim& c) { c.components.means[0] += 100; }));
  EXPECT_FALSE(holds_after([](MixtureClaim& c) { c.components.variances[2] *= 1 + 1e-6; }));
  EXPECT_FALSE(holds_after([](MixtureClaim& c) { c.components.weights[2] = 1e-6; }));
  EXPECT_FALSE(holds_after([](MixtureClaim& c) { c.components.means[4] = 0; })) << "it has no points";
  for (const std::int64_t label : {1, 2, 3, -1})
    EXPECT_FALSE(holds_after([&](MixtureClaim& c) { c.labels[1] = label; })) << label;
}

/// Four samples that are -1, 1, -1, 1 in deviations. From weights of 0 the last step, of the second and the fourth,
/// makes the last constant 2 times 0.25, and all else stays 0: what is lost is 1.5 and 0.5 by turns.
TEST_F(LearnVerifiers, Autoencoders) {
  const std::string path = file("10\n14\n10\n14\n");
  EncoderClaim right;
  right.shape.hidden = {1, 1};
  right.descent.batch = 2, right.descent.epochs = 2, right.descent.step = 1, right.descent.decay = 0.5;
  right.trained.scaling = {{12}, {2}};
  right.trained.previous = right.trained.previous_change = Weights(4, {0, 0});
  right.trained.weights = {{0, 0}, {0, 0}, {0, 0}, {0, 0.5}};
  right.trained.objective = 0.625;
  const auto holds_after = [&](const std::function<void(EncoderClaim&)>& change) {
    EncoderClaim claim = right;
    change(claim);
    return encoder_error(path, {}, claim).holds();
  };
  EXPECT_TRUE(holds_after([](EncoderClaim&) {}));
  for (const double wrong : {kNan, kasen::infinity, 1e-6}) {
    EXPECT_FALSE(holds_after([&](EncoderClaim& c) { c.trained.objective += wrong; }));
    EXPECT_FALSE(holds_after([&](EncoderClaim& c) { c.trained.scaling.mean[0] += wrong; }));
    EXPECT_FALSE(holds_after([&](EncoderClaim& c) { c.trained.scaling.deviation[0] += wrong; }));
    for (std::size_t l = 0; l < 4; ++l) {
      for (std::size_t k = 0; k < 2; ++k)
        EXPECT_FALSE(holds_after([&](EncoderClaim& c) { c.trained.weights[l][k] += wrong; })) << l << " " << k;
    }
  }
  EXPECT_FALSE(holds_after([](EncoderClaim& c) { c.descent.decay = 0.51; }));
  EXPECT_FALSE(holds_after([](EncoderClaim& c) { c.trained.previous[3][1] = 1e-3; }));
  EXPECT_FALSE(holds_after([](EncoderClaim& c) { c.trained.previous_change[3][1] = 1e-3; }));
  EXPECT_TRUE(holds_after([](EncoderClaim& c) { c.descent.momentum = 0; })) << "the change before was 0";
}

/// Four samples of one class each, alike but for the order: with weights w of the own feature and -w/3 of the others, p
/// of the own class is q, and 1 - q = l2 w.
TEST_F(LearnVerifiers, Classes) {
  const double w = 0.75, q = 1 / (1 + 3 * std::exp(-4 * w / 3)), l2 = (1 - q) / w;
  ClassClaim right;
  right.classes = {1, 2, 3, 4};
  for (int j = 0; j < 4; ++j)
    for (int k = 0; k < 4; ++k) right.weights.push_back(j == k ? w : -w / 3);
  right.l2 = l2;
  right.outcome = {-4 * std::log(q) + l2 / 2 * 4 * (w * w + w * w / 3), 0};
  SampleFile data;
  data.path = file("1 1:1\n2 2:1\n3 3:1\n4 4:1\n");
  const auto holds_after = [&](const std::function<void(ClassClaim&)>& change) {
    ClassClaim claim = right;
    change(claim);
    return class_error(data, claim).holds();
  };
  EXPECT_TRUE(holds_after([](ClassClaim&) {}));
  EXPECT_FALSE(holds_after([](ClassClaim& c) { c.outcome.objective *= 1 + 1e-8; }));
  EXPECT_FALSE(holds_after([](ClassClaim& c) { c.outcome.gradient = 1e-7; }));
  EXPECT_FALSE(holds_after([](ClassClaim& c) { c.l2 *= 1.01; }));
  EXPECT_FALSE(holds_after([](ClassClaim& c) { std::swap(c.classes[0], c.classes[3]); }));
  for (std::size_t k = 0; k < right.weights.size(); ++k) {
    EXPECT_FALSE(holds_after([&](ClassClaim& c) { c.weights[k] += 1e-6; })) << k;
    EXPECT_FALSE(holds_after([&](ClassClaim& c) { c.weights[k] = kNan; })) << k;
  }
  EXPECT_FALSE(holds_after([](ClassClaim& c) { c.outcome.objective = kNan; }));
  EXPECT_FALSE(holds_after([](ClassClaim& c) { c.outcome.gradient = kNan; }));
}

/// Two samples with features of their own, so that means are exp(w); with a penalty of l2 the gradient is
/// 2 (m - y) + 2 l2 w.
TEST_F(LearnVerifiers, GeneralisedLinearModels) {
  const double w = std::log(2.0), l2 = 0.5;
  SampleFile data;
  data.path = file("3 1:1\n1 2:1\n");
  const LabelledSamples samples = read_labelled(data);
  GlmProblem problem{samples.X, samples.labels, Family::poisson, Link::log, l2, false};
  const double deviance = 2 * (3 * std::log(1.5) - 1) + 2 * (std::log(0.5) + 1);
  const GlmClaim right{{w, w}, deviance + l2 * 2 * w * w, deviance, 0.5 + 0.5};
  const auto error_after = [&](const std::function<void(GlmClaim&)>& change) {
    GlmClaim claim = right;
    change(claim);
    return glm_error(data, problem, claim, true);
  };
  const auto holds_after = [&](const std::function<void(GlmClaim&)>& change) { return error_after(change).holds(); };
  EXPECT_TRUE(holds_after([](GlmClaim&) {}));
  for (const double by : {1 + 1e-8, 1 - 1e-8, kNan, kasen::infinity}) {
    EXPECT_FALSE(holds_after([&](GlmClaim& c) { c.objective *= by; })) << by;
    EXPECT_FALSE(holds_after([&](GlmClaim& c) { c.deviance *= by; })) << by;
    EXPECT_FALSE(holds_after([&](GlmClaim& c) { c.pearson *= by; })) << by;
    EXPECT_FALSE(holds_after([&](GlmClaim& c) { c.weights[1] *= by; })) << by;
  }
  const double left = std::hypot(2 * (2 - 3) + 2 * l2 * w, 2 * (2 - 1) + 2 * l2 * w) / std::sqrt(8.0);
  EXPECT_NEAR(error_after([](GlmClaim&) {}).left, left, 1e-9);
  problem.family = Family::gamma;
  EXPECT_FALSE(holds_after([](GlmClaim&) {}));
}

/// Without the fold of a sample, its target is predicted by the mean of the others and what their words say of it. A
/// word of which half of the samples are has a deviation of 1/2, and both weights are w and -w.
TEST_F(LearnVerifiers, RidgeRegression) {
  const std::string path = file("word,k,y\nb,7,1\na,7,3\nb,7,1\na,7,3\nb,7,1\na,7,3\nb,7,1\na,7,3\n");
  RidgeClaim right{"y", {"k", "word=a", "word=b"}, 2, 5, {{4, 1e12}, false}, {}};
  const auto fold_of = [&](std::uint64_t i) { return kasen::random_below(right.folds, right.seed, i); };
  const auto mean_error = [&](double penalty) {
    double squares = 0;
    for (std::uint64_t held_out = 0; held_out < 2; ++held_out) {
      double n = 0, of_a = 0;
      for (std::uint64_t i = 0; i < 8; ++i)
        if (fold_of(i) != held_out) n += 1, of_a += i % 2 == 1 ? 1 : 0;
      // With z = 2a - 1 and y = 2 + z: slope and intercept of z, whose weight v = 2w is penalised by penalty / 2 v^2.
      const double mean = 2 * of_a / n - 1, variance = n * (1 - mean * mean);
      const double slope = variance / (variance + penalty / 2);
      for (std::uint64_t i = 0; i < 8; ++i) {
        const double z = i % 2 == 1 ? 1 : -1, error = 2 + mean + slope * (z - mean) - (2 + z);
        if (fold_of(i) == held_out) squares += error * error;
      }
    }
    return squares / 8;
  };
  const double slope = 8 / (8 + 4.0 / 2);
  right.fit.errors = {mean_error(4), mean_error(1e12)};
  right.fit.weights = {0, slope, -slope};
  right.fit.intercept = 2;
  right.fit.error = (1 - slope) * (1 - slope);
  ASSERT_LT(right.fit.errors[0], right.fit.errors[1]);
  const auto holds_after = [&](const std::function<void(RidgeClaim&)>& change) {
    RidgeClaim claim = right;
    change(claim);
    return ridge_error(path, claim).holds();
  };
  EXPECT_TRUE(holds_after([](RidgeClaim&) {})) << ridge_error(path, right).text();
  for (const double by : {1 + 1e-5, 1 - 1e-5, kNan, kasen::infinity}) {
    EXPECT_FALSE(holds_after([&](RidgeClaim& c) { c.fit.errors[0] *= by; })) << by;
    EXPECT_FALSE(holds_after([&](RidgeClaim& c) { c.fit.errors[1] *= by; })) << by;
    EXPECT_FALSE(holds_after([&](RidgeClaim& c) { c.fit.weights[1] *= by; })) << by;
    EXPECT_FALSE(holds_after([&](RidgeClaim& c) { c.fit.weights[2] *= by; })) << by;
    EXPECT_FALSE(holds_after([&](RidgeClaim& c) { c.fit.intercept *= by; })) << by;
    EXPECT_FALSE(holds_after([&](RidgeClaim& c) { c.fit.error *= by; })) << by;
    EXPECT_FALSE(holds_after([&](RidgeClaim& c) { c.settings.penalties[0] *= by; })) << by;
  }
  EXPECT_FALSE(holds_after([](RidgeClaim& c) { c.fit.best = 1; }));
  EXPECT_FALSE(holds_after([](RidgeClaim& c) { c.fit.best = 2; }));
  EXPECT_FALSE(holds_after([](RidgeClaim& c) { c.fit.errors.pop_back(); }));
  EXPECT_FALSE(holds_after([](RidgeClaim& c) { std::swap(c.fit.weights[1], c.fit.weights[2]); }));
  EXPECT_FALSE(holds_after([](RidgeClaim& c) { c.fit.weights[0] = 1e-9; })) << "its column is constant";
  EXPECT_FALSE(holds_after([](RidgeClaim& c) { c.settings.raw = true; })) << "the penalty would weigh less";
}

}  // namespace
}  // namespace apps
