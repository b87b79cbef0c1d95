/// @file
/// PageRank as the documentation writes it, against the paper: figure 4 for the shape of its plan, section 8.1 for what
/// an iteration reads and writes. Every number is derived here from the sizes of graph and placement.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "kasen/kasen.h"
#include "kasen/session/engine.h"
#include "optimizer/plan/plan.h"
#include "tests/golden/pagerank_plan.h"
#include "tests/support/graphs.h"

namespace kasen::tests {
namespace {

constexpr std::uint64_t kVertices = 120, kEdges = 700, kSeed = 7;

/// Sizes of the one matrix and its space, by role.
struct Sizes {
  std::uint64_t N, S, S_row, S_col, M, P;
  std::uint64_t row_pairs, column_pairs;  ///< directed pairs of workers that share a replica
};

struct PageRankRun {
  Sizes sizes{};
  RunCounts counts;
  std::string text;
  std::vector<double> ranks;
  /// Times entered, summed over all sweeps or exchanges of that kind.
  std::uint64_t gathers = 0, scatters = 0;
  std::vector<optimizer::Step> body;  ///< of the loop
};

Matrix<Pattern> graph() {
  Session& session = Session::current();
  const Edges edges = uniform_edges(kVertices, kVertices, kEdges, kSeed, {session.rank(), session.workers()});
  std::vector<Entry<Pattern>> entries;
  for (std::size_t k = 0; k < edges.source.size(); ++k) entries.push_back({edges.source[k], edges.target[k]});
  const Space space(kVertices);
  return make_matrix<Pattern>(space, space, entries);
}

Sizes sizes_of(const PlacementStats& stats) {
  Sizes sizes{};
  const SpaceId space = stats.matrices.at(0).rows;
  const RoleSet row{{MatrixId{0}, Role::Side::row}}, column{{MatrixId{0}, Role::Side::column}};
  sizes.N = stats.spaces.at(index_of(space)).masters;
  sizes.S = stats.spaces.at(index_of(space)).replicas;
  sizes.S_row = stats.of(space, row).replicas;
  sizes.S_col = stats.of(space, column).replicas;
  sizes.M = stats.matrices.at(0).nonzeros;
  sizes.P = stats.workers;
  sizes.row_pairs = stats.of(space, row).pairs.count();
  sizes.column_pairs = stats.of(space, column).pairs.count();
  return sizes;
}

void look_at(const std::vector<optimizer::Step>& steps, const std::vector<std::uint64_t>& entered,
             std::size_t& position, PageRankRun& run) {
  for (const optimizer::Step& step : steps) {
    const std::uint64_t times = entered.at(position++);
    if (const auto* exchange = std::get_if<optimizer::Exchange>(&step.what)) {
      run.gathers += times * exchange->gathers.size();
      run.scatters += times * exchange->scatters.size();
    } else if (const auto* loop = std::get_if<optimizer::Loop>(&step.what)) {
      run.body = loop->body;
      look_at(loop->body, entered, position, run);
    }
  }
}

/// The program of the documentation, until the ranks change by less than `tolerance`; if asked, with a copy F4 as in
/// the paper's Algorithm 1.
PageRankRun run_page_rank(const Options& options, double tolerance, bool copies = false) {
  Session session(options);
  auto G = graph();
  kasen::Shared<double> r = 0.85, theta = tolerance, diff = kasen::infinity;

  kasen::Vector<double> pr = kasen::constant(G.rows(), 1.0);
  auto degree = kasen::mxvt(kasen::first, kasen::plus, G, pr);

  kasen::while_(kasen::likely([&] { return diff > theta; }), [&] {
    auto share = kasen::zip_with(kasen::divides, pr, degree);
    auto sum = kasen::mxv(kasen::first, kasen::plus, G, share);
    auto new_pr = kasen::map(KASEN_FN((auto x, auto q), (1 - q) + q * x), sum, r);
    diff = kasen::reduce(kasen::plus, kasen::zip_with(KASEN_FN((auto a, auto b), kasen::abs(a - b)), pr, new_pr));
    pr = copies ? kasen::map(kasen::first, new_pr) : new_pr;
  });

  PageRankRun run;
  run.ranks = pr.get();
  run.sizes = sizes_of(session.engine().placement().stats());
  run.counts = session.counts();
  run.text = session.plan_text();
  for (const auto& record : session.engine().plans()) {
    std::size_t position = 0;
    look_at(record->plan.steps, record->entered, position, run);
  }
  return run;
}

/// The same, run once however many tests ask.
const PageRankRun& page_rank(const Options& options, double tolerance) {
  static std::map<std::tuple<Fusion, Sync, Partition, bool, double>, PageRankRun> runs;
  const auto key = std::tuple(options.fusion, options.sync, options.partition, options.roles, tolerance);
  const auto found = runs.find(key);
  return found != runs.end() ? found->second : runs.emplace(key, run_page_rank(options, tolerance)).first->second;
}

/// What an iteration costs: the difference of two runs of different length, so that nothing else is in it.
struct Iteration {
  Counts model, predicted, measured;
};

std::uint64_t part(std::uint64_t longer, std::uint64_t shorter, std::uint64_t iterations) {
  EXPECT_EQ((longer - shorter) % iterations, 0u);
  return (longer - shorter) / iterations;
}

Counts part(const Counts& longer, const Counts& shorter, std::uint64_t iterations) {
  Counts counts;
  counts.bytes_read = part(longer.bytes_read, shorter.bytes_read, iterations);
  counts.bytes_written = part(longer.bytes_written, shorter.bytes_written, iterations);
  counts.bytes_sent = part(longer.bytes_sent, shorter.bytes_sent, iterations);
  counts.messages = part(longer.messages, shorter.messages, iterations);
  return counts;
}

Options options_of(Fusion fusion, Sync sync) {
  Options options;
  options.storage = Storage::compressed;  // as the paper's matrices are
  options.fusion = fusion;
  options.sync = sync;
  options.quiet = true;
  options.partition = Partition::hybrid_cut;
  options.threshold = 6;  // so that both roles have replicas
  return options;
}

constexpr double kCoarse = 1e-1, kFine = 1e-4;

Iteration iteration_of(const Options& options, Sizes& sizes) {
  const PageRankRun& shorter = page_rank(options, kCoarse);
  const PageRankRun& longer = page_rank(options, kFine);
  sizes = longer.sizes;
  const std::uint64_t iterations = longer.counts.iterations - shorter.counts.iterations;
  EXPECT_GT(iterations, 0u);
  return {part(longer.counts.model, shorter.counts.model, iterations),
          part(longer.counts.predicted, shorter.counts.predicted, iterations),
          part(longer.counts.measured, shorter.counts.measured, iterations)};
}

void expect_stream(const Iteration& iteration, std::uint64_t read, std::uint64_t written, std::uint64_t sent,
                   std::uint64_t messages) {
  for (const Counts& counts : {iteration.predicted, iteration.measured}) {
    EXPECT_EQ(counts.bytes_read, read);
    EXPECT_EQ(counts.bytes_written, written);
    EXPECT_EQ(counts.bytes_sent, sent);
    EXPECT_EQ(counts.messages, messages);
  }
}

TEST(PageRankPlan, IsPrintedAsStored) {
  EXPECT_EQ(page_rank(options_of(Fusion::greedy, Sync::hybrid), kFine).text, kPageRankPlan);
}

/// Line 7 of Algorithm 1 as a map: a rename, so the same plan; without the pass a kernel more.
TEST(PageRankPlan, IsTheSameWithACopy) {
  Options options = options_of(Fusion::greedy, Sync::hybrid);
  const PageRankRun renamed = run_page_rank(options, kFine, true);
  EXPECT_EQ(renamed.text, kPageRankPlan);
  EXPECT_EQ(renamed.ranks, page_rank(options, kFine).ranks);
  options.passes_off = {"renames"};
  EXPECT_NE(run_page_rank(options, kFine, true).text, kPageRankPlan);
}

TEST(PageRankPlan, IsTheSameForAnyPartition) {
  Options options = options_of(Fusion::greedy, Sync::hybrid);
  options.partition = Partition::block;
  EXPECT_EQ(page_rank(options, kFine).text, kPageRankPlan);
}

/// Figure 4: the loop is one MxM and one IterOnVec, with 3 vectors in, 2 out, and the reduction.
TEST(PageRankPlan, HasTwoSweepsInTheLoop) {
  const PageRankRun& run = page_rank(options_of(Fusion::greedy, Sync::hybrid), kFine);
  std::vector<const optimizer::Sweep*> matrix, element;
  std::vector<const optimizer::Exchange*> exchanges;
  for (const optimizer::Step& step : run.body) {
    if (const auto* sweep = std::get_if<optimizer::Sweep>(&step.what)) {
      (sweep->matrix == kNone<MatrixId> ? element : matrix).push_back(sweep);
    } else if (const auto* exchange = std::get_if<optimizer::Exchange>(&step.what)) {
      exchanges.push_back(exchange);
    }
  }
  ASSERT_EQ(matrix.size(), 1u);
  ASSERT_EQ(element.size(), 1u);
  ASSERT_EQ(exchanges.size(), 2u);

  using Kind = optimizer::Place::Kind;
  std::size_t in = 0, out = 0, reductions = 0;
  for (const optimizer::Place& place : element[0]->places) {
    in += place.kind == Kind::input ? 1 : 0;
    out += place.kind == Kind::output ? 1 : 0;
  }
  for (const optimizer::Launch& launch : element[0]->launches) reductions += launch.op == Op::reduce ? 1 : 0;
  EXPECT_EQ(in, 3u);
  EXPECT_EQ(out, 2u);
  EXPECT_EQ(reductions, 1u);

  // The gather by column replicas comes alone; the scatter by row replicas at the end, together with diff.
  const RoleSet row{{MatrixId{0}, Role::Side::row}}, column{{MatrixId{0}, Role::Side::column}};
  ASSERT_EQ(exchanges[0]->gathers.size(), 1u);
  EXPECT_EQ(exchanges[0]->gathers[0].roles, column);
  EXPECT_TRUE(exchanges[0]->scatters.empty());
  EXPECT_TRUE(exchanges[0]->reductions.empty());
  EXPECT_TRUE(exchanges[1]->gathers.empty());
  ASSERT_EQ(exchanges[1]->scatters.size(), 1u);
  EXPECT_EQ(exchanges[1]->scatters[0].roles, row);
  EXPECT_EQ(exchanges[1]->reductions.size(), 1u);
}

/// The last scatter is of the iteration that never came; one gather more is of the degrees.
TEST(PageRankPlan, GathersOnceAndScattersOnceAnIteration) {
  const PageRankRun& run = page_rank(options_of(Fusion::greedy, Sync::hybrid), kFine);
  const std::uint64_t k = run.counts.iterations;
  ASSERT_GT(k, 3u);
  EXPECT_EQ(run.gathers, k + 1);
  EXPECT_EQ(run.scatters, k + 1);
  const Sizes& s = run.sizes;
  // The degrees are gathered by row replicas, as mxvt made them.
  const std::uint64_t vectors = 8 * (k * s.S_col + s.S_row + (k + 1) * s.S_row), shareds = 8 * k * s.P * (s.P - 1);
  EXPECT_EQ(run.counts.measured.bytes_sent, vectors + shareds);
  EXPECT_EQ(run.counts.predicted.bytes_sent, vectors + shareds);
}

TEST(PageRankCosts, GreedyAndHybrid) {
  Sizes s;
  const Iteration iteration = iteration_of(options_of(Fusion::greedy, Sync::hybrid), s);
  if (s.P > 1) {
    EXPECT_GT(s.S_row, 0u);
    EXPECT_GT(s.S_col, 0u);
  }
  EXPECT_EQ(iteration.model.bytes_read, 24 * s.N + 20 * s.M);
  EXPECT_EQ(iteration.model.bytes_written, 16 * s.N + 8 * s.M);
  // The pull kernel: index and share per non-zero, a pointer and a sum per target, masters and column replicas.
  expect_stream(iteration, 24 * s.N + 12 * s.M + 8 * (s.N + s.S_col), 16 * s.N + 8 * (s.N + s.S_col),
                8 * s.S_col + 8 * s.S_row + 8 * s.P * (s.P - 1), s.column_pairs + s.row_pairs + s.P * (s.P - 1));
}

/// Every primitive alone, everything kept consistent: five element operations with six operands and three results.
TEST(PageRankCosts, UnfusedAndEager) {
  Sizes s;
  const Iteration iteration = iteration_of(options_of(Fusion::off, Sync::eager), s);
  EXPECT_EQ(iteration.model.bytes_read, 48 * (s.N + s.S) + 20 * s.M);
  EXPECT_EQ(iteration.model.bytes_written, 24 * (s.N + s.S) + 8 * s.M);
  // By roles only row replicas are kept, and the reduction reads masters.
  expect_stream(iteration, 40 * (s.N + s.S_row) + 8 * s.N + 12 * s.M + 8 * (s.N + s.S_col),
                24 * (s.N + s.S_row) + 8 * (s.N + s.S_col), 8 * s.S_col + 8 * s.S_row + 8 * s.P * (s.P - 1),
                s.column_pairs + s.row_pairs + s.P * (s.P - 1));
}

/// Lazily the update acts on the partial sums, as its exchange part and its pushdown part: one operation more. The
/// first runs on masters and column replicas, the second on masters alone.
TEST(PageRankCosts, UnfusedAndLazy) {
  Sizes s;
  const Iteration iteration = iteration_of(options_of(Fusion::off, Sync::lazy), s);
  EXPECT_EQ(iteration.model.bytes_read, 56 * (s.N + s.S) + 20 * s.M);
  EXPECT_EQ(iteration.model.bytes_written, 32 * (s.N + s.S) + 8 * s.M);
  expect_stream(iteration, 32 * (s.N + s.S_row) + 16 * s.N + 12 * s.M + 16 * (s.N + s.S_col),
                16 * (s.N + s.S_row) + 8 * s.N + 16 * (s.N + s.S_col), 8 * s.S_col + 8 * s.S_row + 8 * s.P * (s.P - 1),
                s.column_pairs + s.row_pairs + s.P * (s.P - 1));
}

/// The paper's rule for traffic: all replicas move each way, and the stream comes close to the model.
TEST(PageRankCosts, WithoutRoles) {
  Options options = options_of(Fusion::off, Sync::lazy);
  options.roles = false;
  Sizes s;
  const Iteration iteration = iteration_of(options, s);
  EXPECT_EQ(iteration.measured.bytes_sent, 16 * s.S + 8 * s.P * (s.P - 1));
  EXPECT_EQ(iteration.measured.bytes_read, 48 * (s.N + s.S) + 16 * s.N + 12 * s.M);
  EXPECT_EQ(iteration.measured.bytes_written, 32 * (s.N + s.S) + 8 * s.N);
}

TEST(PageRankResults, AreThoseOfOneMachine) {
  const Edges edges = uniform_edges(kVertices, kVertices, kEdges, kSeed);
  std::vector<double> pr(kVertices, 1.0), degree(kVertices, 0.0);
  for (const GlobalIndex source : edges.source) degree[static_cast<std::size_t>(source)] += 1;
  for (double diff = 1; diff > kFine;) {
    std::vector<double> next(kVertices, 0.0);
    for (std::size_t k = 0; k < edges.source.size(); ++k) {
      const auto source = static_cast<std::size_t>(edges.source[k]);
      next[static_cast<std::size_t>(edges.target[k])] += pr[source] / degree[source];
    }
    diff = 0;
    for (std::size_t v = 0; v < kVertices; ++v) {
      next[v] = 0.15 + 0.85 * next[v];
      diff += std::abs(next[v] - pr[v]);
    }
    pr = next;
  }
  for (const Fusion fusion : {Fusion::greedy, Fusion::off}) {
    const std::vector<double>& ranks = page_rank(options_of(fusion, Sync::hybrid), kFine).ranks;
    for (std::size_t v = 0; v < kVertices; ++v) EXPECT_NEAR(ranks[v], pr[v], 1e-12 * pr[v]);
  }
}

}  // namespace
}  // namespace kasen::tests
