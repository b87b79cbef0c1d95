/// @file
/// L-BFGS against the paper's section 8.1: by hybrid placement an iteration has four transitions, by lazy placement
/// six. The paper does not print its program; this is a body for which that holds (docs/optimizer.md): X is samples by
/// features, the gradient carries no norm, there is no line search, and the last gradient is carried as the one before
/// plus the difference.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "kasen/kasen.h"
#include "kasen/session/engine.h"
#include "optimizer/plan/plan.h"
#include "tests/support/graphs.h"

namespace kasen::tests {
namespace {

constexpr std::uint64_t kSamples = 90, kFeatures = 60, kEntries = 500;
constexpr int kHistory = 2, kIterations = 4;
constexpr double kStep = -0.05;

double weight(std::size_t k) { return 0.25 * static_cast<double>(k % 7) - 0.5; }
double slope(double z) { return 1 / (1 + std::exp(-z)) - 0.5; }
double start(std::int64_t i) { return 0.125 * static_cast<double>(i % 9) - 0.5; }
double past(std::int64_t i, int k) { return 1 + 0.25 * static_cast<double>((i + k) % 3); }

struct LbfgsRun {
  std::vector<double> w;
  std::vector<std::string> transitions;  ///< of vectors, in an iteration, sorted
  RunCounts counts;
};

std::vector<std::string> transitions_of(const std::vector<optimizer::Step>& body, const optimizer::Plan& plan,
                                        SpaceId samples) {
  std::vector<std::string> found;
  const auto add = [&](const char* kind, const std::vector<optimizer::Move>& moves) {
    for (const optimizer::Move& move : moves) {
      const bool of_samples = plan.values[index_of(move.from)].space == samples;
      EXPECT_EQ(move.roles.size(), 1u);
      found.push_back(std::string(kind) + (of_samples ? " samples by " : " features by ") +
                      (move.roles.at(0).side == Role::Side::row ? "row" : "column") + " replicas");
    }
  };
  for (const optimizer::Step& step : body) {
    if (const auto* exchange = std::get_if<optimizer::Exchange>(&step.what)) {
      add("gather", exchange->gathers);
      add("scatter", exchange->scatters);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

LbfgsRun run_lbfgs(Sync sync) {
  Options options;
  options.sync = sync;
  options.partition = Partition::hybrid_cut;
  options.threshold = 6;  // so that every role has replicas
  options.quiet = true;
  Session session(options);
  const Edges places = uniform_edges(kSamples, kFeatures, kEntries, 3, {session.rank(), session.workers()});
  std::vector<Entry<double>> entries;
  for (std::size_t k = 0; k < places.source.size(); ++k) {
    const auto at = static_cast<std::size_t>(places.source[k] + 3 * places.target[k]);
    entries.push_back({places.source[k], places.target[k], weight(at)});
  }
  const Space samples(kSamples), features(kFeatures);
  const auto X = make_matrix<double>(samples, features, entries);

  const auto from = [&](auto f) { return map(f, iota(features)); };
  Vector<double> w = from([](GlobalIndex i) { return start(i); }), w_old = constant(features, 0.0),
                 g_old = constant(features, 0.0);
  std::vector<Vector<double>> S, Y;
  std::vector<Shared<double>> rho;
  for (int k = 0; k < kHistory; ++k) {
    S.push_back(from([k](GlobalIndex i) { return past(i, k); }));
    Y.push_back(from([k](GlobalIndex i) { return past(i, k + 1); }));
    rho.push_back(Shared<double>(0.01));
  }
  Shared<int> count = 0;
  const auto dot = [](const Vector<double>& a, const Vector<double>& b) { return reduce(plus, zip_with(times, a, b)); };
  while_([&] { return count < Shared<int>(kIterations); },
         [&] {
           const auto z = mxvt(times, plus, X, w);
           const auto s = zip_with(minus, w, w_old);
           const auto u = map([](double a) { return slope(a); }, z);
           const auto g = mxv(times, plus, X, u);
           const auto y = zip_with(minus, g, g_old);
           const auto sy = dot(s, y), yy = dot(y, y);
           for (int k = kHistory - 1; k > 0; --k) S[k] = S[k - 1], Y[k] = Y[k - 1], rho[k] = rho[k - 1];
           S[0] = s, Y[0] = y, rho[0] = 1.0 / sy;
           Vector<double> q = g;
           std::vector<Shared<double>> alpha;
           for (int k = 0; k < kHistory; ++k) {
             alpha.push_back(rho[k] * dot(S[k], q));
             q = zip_with(minus, q, map(times, Y[k], alpha.back()));
           }
           Vector<double> r = map(times, q, sy / yy);
           for (int k = kHistory - 1; k >= 0; --k) {
             const auto beta = rho[k] * dot(Y[k], r);
             r = zip_with(plus, r, map(times, S[k], alpha[k] - beta));
           }
           w_old = w;
           w = zip_with(plus, w, map(times, r, kStep));
           g_old = zip_with(plus, g_old, y);
           count = count + 1;
         });

  LbfgsRun run;
  run.w = w.get();
  run.counts = session.counts();
  for (const auto& record : session.engine().plans()) {
    for (const optimizer::Step& step : record->plan.steps) {
      if (const auto* loop = std::get_if<optimizer::Loop>(&step.what)) {
        run.transitions = transitions_of(loop->body, record->plan, samples.id());
      }
    }
  }
  return run;
}

std::vector<double> serial_lbfgs() {
  using Numbers = std::vector<double>;
  const Edges places = uniform_edges(kSamples, kFeatures, kEntries, 3);
  const auto multiply = [&](const Numbers& v, bool transposed) {
    Numbers result(transposed ? kSamples : kFeatures, 0.0);
    for (std::size_t k = 0; k < places.source.size(); ++k) {
      const auto row = static_cast<std::size_t>(places.source[k]), column = static_cast<std::size_t>(places.target[k]);
      const double value = weight(row + 3 * column);
      if (transposed) {
        result[row] += value * v[column];
      } else {
        result[column] += value * v[row];
      }
    }
    return result;
  };
  const auto dot = [](const Numbers& a, const Numbers& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  const auto add = [](Numbers a, double c, const Numbers& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += c * b[i];
    return a;
  };
  Numbers w(kFeatures), w_old(kFeatures, 0.0), g_old(kFeatures, 0.0);
  std::vector<Numbers> S(kHistory, Numbers(kFeatures)), Y = S;
  Numbers rho(kHistory, 0.01);
  for (std::size_t i = 0; i < kFeatures; ++i) {
    const auto index = static_cast<std::int64_t>(i);
    w[i] = start(index);
    for (int k = 0; k < kHistory; ++k) S[k][i] = past(index, k), Y[k][i] = past(index, k + 1);
  }
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    Numbers u = multiply(w, true);
    for (double& a : u) a = slope(a);
    const Numbers g = multiply(u, false), s = add(w, -1, w_old), y = add(g, -1, g_old);
    const double sy = dot(s, y);
    S.insert(S.begin(), s), Y.insert(Y.begin(), y), rho.insert(rho.begin(), 1 / sy);
    std::array<double, kHistory> alpha{};
    Numbers r = g;
    for (int k = 0; k < kHistory; ++k) {
      alpha[k] = rho[k] * dot(S[k], r);
      r = add(r, -alpha[k], Y[k]);
    }
    for (double& a : r) a *= sy / dot(y, y);
    for (int k = kHistory - 1; k >= 0; --k) r = add(r, alpha[k] - rho[k] * dot(Y[k], r), S[k]);
    w_old = w;
    w = add(w, kStep, r);
    g_old = g;
  }
  return w;
}

void expect_serial(const LbfgsRun& run) {
  const std::vector<double> expected = serial_lbfgs();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(run.w[i], expected[i], 1e-9 * (1 + std::abs(expected[i]))) << i;
  }
  EXPECT_EQ(run.counts.predicted, run.counts.measured);
}

/// The weights go to the columns' readers, the margins come from the rows' partial results, their slopes go back to
/// the rows' readers, and the gradient comes from the columns' partial results. All else is done on masters.
TEST(Lbfgs, HybridHasFourTransitions) {
  const LbfgsRun run = run_lbfgs(Sync::hybrid);
  EXPECT_EQ(run.transitions,
            (std::vector<std::string>{"gather features by column replicas", "gather samples by row replicas",
                                      "scatter features by column replicas", "scatter samples by row replicas"}));
  expect_serial(run);
}

/// Pairs on the margins, on y (read twice by one product) and on w: what lies between stays pre-reduced.
TEST(Lbfgs, LazyHasSixTransitions) {
  const LbfgsRun run = run_lbfgs(Sync::lazy);
  EXPECT_EQ(run.transitions,
            (std::vector<std::string>{"gather features by column replicas", "gather features by column replicas",
                                      "gather samples by row replicas", "scatter features by column replicas",
                                      "scatter features by column replicas", "scatter samples by row replicas"}));
  expect_serial(run);
}

}  // namespace
}  // namespace kasen::tests
