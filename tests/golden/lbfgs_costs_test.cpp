/// @file
/// L-BFGS of the paper's section 8.1 by the analyzer: what an iteration reads, writes and sends, before and after, for
/// H samples, W features, M non-zeros and a history of m steps. All numbers are derived here from the operations of the
/// program, by the rules of the paper's section 6; docs/analyzer.md has them beside the paper's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/lbfgs/lbfgs.h"
#include "kasen/kasen.h"
#include "kasen/session/engine.h"
#include "tests/golden/recorded_analysis.h"
#include "tests/support/graphs.h"

namespace kasen::tests {
namespace {

using optimizer::Analysis;
using optimizer::Column;

using Numbers = Vector<double>;

/// q + c p, for functions of which no law is known: as one ZipWith with a Shared argument, or as a Map and a ZipWith.
enum class Style { one_operation, two_operations };
Numbers axpy(Style style, const Numbers& q, const Shared<double>& c, const Numbers& p) {
  if (style == Style::one_operation) {
    return zip_with([](double a, double b, double by) { return a + by * b; }, q, p, c);
  }
  return zip_with([](double a, double b) { return a + b; }, q, map([](double b, double by) { return by * b; }, p, c));
}
Shared<double> dot(const Numbers& a, const Numbers& b) { return reduce(plus, zip_with(times, a, b)); }

struct Problem {
  std::uint64_t samples, features, entries;
};

Matrix<double> samples_of(const Problem& problem) {
  Session& session = Session::current();
  const Edges places =
      uniform_edges(problem.samples, problem.features, problem.entries, 3, {session.rank(), session.workers()});
  std::vector<Entry<double>> entries;
  for (std::size_t k = 0; k < places.source.size(); ++k) {
    const GlobalIndex i = places.source[k], j = places.target[k];
    entries.push_back({i, j, 0.25 * static_cast<double>((i + 3 * j) % 7) - 0.5});
  }
  const Space samples(problem.samples), features(problem.features);  // spaces 0 and 1
  return make_matrix<double>(samples, features, entries);
}

/// Logistic regression with the labels' signs in X, so that loss and slope are functions of the margins alone; steps of
/// a fixed length along the direction of the two loops. Operations of an iteration, with what each reads and writes:
///
///                                    reads       writes                             reads       writes
///     z = MxVT(X, w)                 3M          M        y = ZipWith(-, g, g_old)  2W          W
///     loss = Reduce(Map(z))          2H          H        sy, yy: two dots          3W + 2W     2W
///     u = Map(z)                     H           H        2m dots                   2m * 3W     2m * W
///     g = MxV(X, u)                  3M          M        2m axpys                  2m * 2W     2m * W
///     s = ZipWith(-, w, w_old)       2W          W        r = Map(q), w: an axpy    W + 2W      2W
///
/// A dot is a ZipWith and a Reduce; that of y with itself reads y once. In all 3H + (10m+12)W + 6M are read and
/// 2H + (4m+6)W + 2M written. Each axpy of the two loops as a Map and a ZipWith reads and writes a vector more:
/// (12m+12)W and (6m+6)W. What is old is a name, not an operation. Lazily, every vector is consistent or pre-reduced
/// where it is used: replicas count.
Numbers lbfgs(const Problem& problem, Style style, int history, int iterations) {
  const auto X = samples_of(problem);
  const Space features = X.columns();
  const auto from = [&](auto f) { return map(f, iota(features)); };
  Numbers w = from([](GlobalIndex i) { return 0.125 * static_cast<double>(i % 9) - 0.5; });
  Numbers w_old = constant(features, 0.0), g_old = constant(features, 0.0);
  std::vector<Numbers> S, Y;
  std::vector<Shared<double>> rho;
  for (int k = 0; k < history; ++k) {
    S.push_back(from([k](GlobalIndex i) { return 1 + 0.25 * static_cast<double>((i + k) % 3); }));
    Y.push_back(from([k](GlobalIndex i) { return 1 + 0.25 * static_cast<double>((i + k + 1) % 3); }));
    rho.push_back(Shared<double>(0.01));
  }
  Shared<double> loss = 0.0;
  Shared<int> count = 0;
  while_([&] { return count < Shared<int>(iterations); },
         [&] {
           const auto z = mxvt(times, plus, X, w);
           loss = reduce(plus, map([](double margin) { return std::log1p(std::exp(-margin)); }, z));
           const auto u = map([](double margin) { return -1 / (1 + std::exp(margin)); }, z);
           const auto g = mxv(times, plus, X, u);
           const auto s = zip_with(minus, w, w_old), y = zip_with(minus, g, g_old);
           const auto sy = dot(s, y);
           const auto scale = sy / dot(y, y);
           for (int k = history - 1; k > 0; --k) S[k] = S[k - 1], Y[k] = Y[k - 1], rho[k] = rho[k - 1];
           S[0] = s, Y[0] = y, rho[0] = 1.0 / sy;
           Numbers q = g;
           std::vector<Shared<double>> alpha;
           for (int k = 0; k < history; ++k) {
             alpha.push_back(rho[k] * dot(S[k], q));
             q = axpy(style, q, -alpha[k], Y[k]);
           }
           Numbers r = map(times, q, scale);
           for (int k = history - 1; k >= 0; --k) {
             r = axpy(style, r, alpha[k] - rho[k] * dot(Y[k], r), S[k]);
           }
           w_old = w;
           w = axpy(Style::one_operation, w, -0.05, r);
           g_old = g;
           count = count + 1;
         });
  loss.get();
  return w;
}

Options cut() {
  Options options;
  options.storage = Storage::compressed;  // as the paper's matrices are
  options.partition = Partition::hybrid_cut;
  options.threshold = 6;  // so that both roles have replicas
  options.quiet = true;
  return options;
}

constexpr Problem kProblems[] = {{90, 60, 500}, {40, 110, 300}};

Analysis analysis_of(Style style, int history) {
  const optimizer::RecordedProgram recorded = record([&] { lbfgs(kProblems[0], style, history, 2).get(); }, cut());
  return optimizer::analyze(recorded.program, recorded.stats, {});
}

/// As said of lbfgs(), and that the baseline keeps all replicas.
Symbols before(Style style, int m) {
  const int read = style == Style::one_operation ? 10 * m + 12 : 12 * m + 12;
  const int written = style == Style::one_operation ? 4 * m + 6 : 6 * m + 6;
  return {fmt::format("3N0 + {0}N1 + 3S0 + {0}S1 + 6M", read), fmt::format("2N0 + {0}N1 + 2S0 + {0}S1 + 2M", written)};
}

/// Every one of the 2m coefficients waits for a Reduce over what the one before it has changed, so there are as many
/// sweeps as there are Shareds to wait for, and what one makes the next must read:
///
///     sweep                                            reads               writes
///     loss, u                                          z                   u
///     s, which waits for y; y; sy, yy, s'g             w, w_old, g, g_old  s, y
///     q - alpha y;  s'q of the next, m-1 times         q, y, s             q
///     the last q - alpha y; times scale; y'r           q, y                r
///     r + (alpha - beta) s; y'r of the next, m-1 times r, s, y             r
///     the last r + (alpha - beta) s; w                 r, s, w             w
///
/// H + (6m+3)W + 6M are read and H + (2m+2)W + 2M written, of masters only, in whichever style.
Symbols after(int m) { return {fmt::format("N0 + {}N1 + 6M", 6 * m + 3), fmt::format("N0 + {}N1 + 2M", 2 * m + 2)}; }

TEST(PaperLbfgs, BeforeAndAfter) {
  for (const Style style : {Style::one_operation, Style::two_operations}) {
    for (const int m : {1, 2, 3, 6}) {
      SCOPED_TRACE(m);
      const Analysis analysis = analysis_of(style, m);
      EXPECT_EQ(elements(analysis, analysis.before, Column::model), before(style, m));
      EXPECT_EQ(elements(analysis, analysis.after, Column::model), after(m));
    }
  }
}

/// The paper's Ads prediction: H = W = 1e9, M = 23e9, m = 10. With a Map and a ZipWith three of its four figures are
/// what is saved: 2H of the reads, and H + (4m+4)W, all, of the writes, 360 GB. Its (10m+7)W of the reads are not, but
/// (6m+9)W. No plan could save so much: s_k is read where alpha_k is reduced, and again where a multiple of it is
/// added, which waits for alpha_k; y_k, but for the last, where it is subtracted, and again where beta_k is reduced,
/// which waits for the other coefficients. That leaves 4m - 1 reads at least of 12m + 12.
TEST(PaperLbfgs, AtThePapersSizes) {
  optimizer::RecordedProgram recorded = record([] { lbfgs(kProblems[0], Style::two_operations, 10, 2).get(); }, cut());
  const std::uint64_t G = 1000000000;
  for (const char* length : {"N0", "N1"}) optimizer::set_symbol(recorded.stats, length, G);
  for (const char* replicas : {"S0", "S1"}) optimizer::set_symbol(recorded.stats, replicas, 0);  // as the paper does
  optimizer::set_symbol(recorded.stats, "M", 23 * G);
  const Analysis analysis = optimizer::analyze(recorded.program, recorded.stats, {});
  const optimizer::StepFormulas& first = iteration(analysis.before).sum.model;
  const optimizer::StepFormulas& last = iteration(analysis.after).sum.model;
  const auto saved = [&](optimizer::Formula optimizer::StepFormulas::*count) {
    return (first.*count).evaluate(analysis.stats) - (last.*count).evaluate(analysis.stats);
  };
  EXPECT_EQ(saved(&optimizer::StepFormulas::elements_written), G + (4 * 10 + 4) * G);
  EXPECT_EQ(saved(&optimizer::StepFormulas::bytes_written), 360 * G);
  EXPECT_EQ(saved(&optimizer::StepFormulas::elements_read), 2 * G + (6 * 10 + 9) * G);
}

/// Lazily z, and g and y, which functions without laws read, are each gathered and scattered: six transitions. After: w
/// scattered, z gathered, u scattered, g gathered. A pair over the features is saved, as the paper says: a third of
/// what is sent if there are as many replicas of samples. Shareds: loss, sy, yy and the 2m coefficients.
TEST(PaperLbfgs, Transitions) {
  for (const Style style : {Style::one_operation, Style::two_operations}) {
    for (const int m : {1, 3}) {
      SCOPED_TRACE(m);
      const Analysis analysis = analysis_of(style, m);
      const auto sent = [&](const optimizer::PlanReport& report, Column column) {
        const optimizer::Cost& sum = iteration(report).sum;
        return (column == Column::model ? sum.model : sum.stream).bytes_sent.text(analysis.stats);
      };
      for (const Column column : {Column::model, Column::stream}) {
        EXPECT_EQ(sent(analysis.before, column), fmt::format("16S0 + 32S1 + {}P(P-1)", 8 * (2 * m + 3)));
        EXPECT_EQ(sent(analysis.after, column), fmt::format("16S0 + 16S1 + {}P(P-1)", 8 * (2 * m + 3)));
      }
    }
  }
}

/// What a count has for each feature, replicas aside.
std::uint64_t of_features(const optimizer::Formula& count, PlacementStats stats) {
  const std::uint64_t less = count.evaluate(stats);
  stats.spaces.at(1).masters += 1;
  return count.evaluate(stats) - less;
}

/// The application's two loops are those of a Map and a ZipWith: a step more to remember costs as much.
TEST(PaperLbfgs, TheApplicationsHistory) {
  const auto analysis_with = [](std::size_t history) {
    const auto program = [&] {
      const Matrix<double> X = samples_of(kProblems[0]);
      apps::Settings settings;
      settings.history = history;
      settings.stopping.iterations = 2;
      const Vector<double> sign = constant(X.rows(), 1.0), offset = constant(X.rows(), 0.0);
      const apps::Problem<double> problem{X, sign, offset, apps::Loss::logistic, 0, 1, false};
      apps::lbfgs(problem, settings).weights.features.get();
    };
    const optimizer::RecordedProgram recorded = record(program, cut());
    return optimizer::analyze(recorded.program, recorded.stats, {});
  };
  const Analysis two = analysis_with(2), three = analysis_with(3);
  const auto more = [&](const optimizer::PlanReport Analysis::*report,
                        const optimizer::Formula optimizer::StepFormulas::*count) {
    return of_features(iteration(three.*report).sum.model.*count, three.stats) -
           of_features(iteration(two.*report).sum.model.*count, two.stats);
  };
  EXPECT_EQ(more(&Analysis::before, &optimizer::StepFormulas::elements_read), 12u);
  EXPECT_EQ(more(&Analysis::before, &optimizer::StepFormulas::elements_written), 6u);
  EXPECT_EQ(more(&Analysis::after, &optimizer::StepFormulas::elements_read), 6u);
  EXPECT_EQ(more(&Analysis::after, &optimizer::StepFormulas::elements_written), 2u);
}

struct MeasuredRun {
  Counts counts;
  std::vector<double> w;
  PlacementStats stats;
};

MeasuredRun run(const Problem& problem, int history, int iterations, bool optimized) {
  Options options = cut();
  if (!optimized) options.fusion = Fusion::off, options.sync = Sync::lazy;
  Session session(options);
  const std::vector<double> w = lbfgs(problem, Style::one_operation, history, iterations).get();
  EXPECT_EQ(session.counts().predicted, session.counts().measured);
  return {session.counts().measured, w, session.engine().placement().stats()};
}

/// What the kernels count, of two iterations: the element sweeps as above, and the products as they are executed - two
/// numbers a non-zero are read, and a pointer and a result a target, with its replicas. Before, replicas are left out
/// of reductions of what is consistent, all but those of s'y and the first s'g, and of the g_old that is taken from a
/// pre-reduced g.
TEST(PaperLbfgs, Measured) {
  for (const Problem& problem : kProblems) {
    for (const int history : {1, 4}) {
      SCOPED_TRACE(fmt::format("{} samples, history {}", problem.samples, history));
      std::vector<double> results[2];
      for (const bool optimized : {false, true}) {
        const MeasuredRun shorter = run(problem, history, 2, optimized), longer = run(problem, history, 4, optimized);
        const std::uint64_t m = static_cast<std::uint64_t>(history), P = longer.stats.workers;
        const std::uint64_t M = longer.stats.matrices.at(0).nonzeros;
        const std::uint64_t H = longer.stats.spaces.at(0).masters, S_H = longer.stats.spaces.at(0).replicas;
        const std::uint64_t W = longer.stats.spaces.at(1).masters, S_W = longer.stats.spaces.at(1).replicas;
        std::uint64_t read = 4 * M + H + S_H + W + S_W, written = H + S_H + W + S_W;
        if (optimized) {
          read += H + (6 * m + 3) * W;
          written += H + (2 * m + 2) * W;
        } else {
          read += 3 * H + (10 * m + 12) * W + 2 * S_H + (8 * m + 11) * S_W;
          written += 2 * (H + S_H) + (4 * m + 6) * (W + S_W);
        }
        EXPECT_EQ(longer.counts.elements_read - shorter.counts.elements_read, 2 * read);
        EXPECT_EQ(longer.counts.elements_written - shorter.counts.elements_written, 2 * written);
        EXPECT_EQ(longer.counts.bytes_sent - shorter.counts.bytes_sent,
                  2 * (16 * S_H + (optimized ? 16 : 32) * S_W + 8 * (2 * m + 3) * P * (P - 1)));
        EXPECT_EQ(std::min(S_H, S_W) > 0, P > 1);
        results[optimized ? 1 : 0] = longer.w;
      }
      for (std::size_t j = 0; j < results[0].size(); ++j)
        EXPECT_NEAR(results[0][j], results[1][j], 1e-9 * (1 + std::abs(results[0][j])));
    }
  }
}

}  // namespace
}  // namespace kasen::tests
