/// @file
/// Runs on several threads: programs with sweeps of every kind, on numbers whose sums are rounded, give the same bits
/// and the same counts on any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <mutex>
#include <numeric>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/kasen.h"
#include "kasen/session/engine.h"
#include "tests/endtoend/agreement_of_counts.h"
#include "tests/support/graphs.h"
#include "tests/support/pmpi_witness.h"

namespace kasen::tests {
namespace {

using Numbers = std::vector<double>;
/// A program over a session, and what it computes.
using Computation = std::function<Numbers()>;

struct Outcome {
  Numbers numbers;
  Counts measured;
  std::string plan;
};

Outcome run(Options options, std::uint32_t threads, const Computation& compute) {
  options.quiet = true;
  options.threads = threads;
  options.threshold = 6;
  reset_witness();
  Session session(options);
  Outcome result;
  result.numbers = compute();
  const std::string wrong = disagreements(session);
  EXPECT_TRUE(wrong.empty()) << threads << " threads: " << wrong << session.plan_text();
  result.measured = session.engine().counts().measured;
  result.plan = session.plan_text();
  return result;
}

/// Runs on 1, 2, 3 and 8 threads, in parts of so many elements and non-zeros at least. @return of one thread
Outcome expect_same(const Options& options, const Computation& compute, std::uint32_t part_elements = 16) {
  Options small = options;
  small.part_elements = part_elements;
  const Outcome one = run(small, 1, compute);
  for (const std::uint32_t threads : {2u, 3u, 8u}) {
    const Outcome several = run(small, threads, compute);
    EXPECT_EQ(several.numbers, one.numbers) << threads << " threads";
    EXPECT_EQ(several.measured, one.measured) << threads << " threads";
    EXPECT_EQ(several.plan, one.plan) << threads << " threads";
  }
  return one;
}

/// A third of a whole number, for each of them.
Vector<double> thirds(Space space) {
  return map([](GlobalIndex i) { return static_cast<double>((i * 7919) % 1009) / 3; }, iota(space));
}

Matrix<double> sparse(std::uint64_t height, std::uint64_t width, std::uint64_t entries) {
  const auto& session = Session::current();
  const Edges edges = uniform_edges(height, width, entries, 3, {session.rank(), session.workers()});
  std::vector<Entry<double>> mine;
  for (std::size_t k = 0; k < edges.source.size(); ++k)
    mine.push_back({edges.source[k], edges.target[k], static_cast<double>((edges.source[k] * 31 + 7) % 97) / 7});
  return make_matrix<double>(Space(height), Space(width), std::span<const Entry<double>>(mine));
}

Matrix<double> dense(std::uint64_t height, std::uint64_t width) {
  const auto& session = Session::current();
  std::vector<Entry<double>> mine;
  for (auto k = static_cast<std::uint64_t>(session.rank()); k < height * width;
       k += static_cast<std::uint64_t>(session.workers()))
    mine.push_back({static_cast<GlobalIndex>(k / width), static_cast<GlobalIndex>(k % width),
                    static_cast<double>((k * 7919) % 1009) / 7});
  return make_matrix<double>(separate_space(height, "rows"), separate_space(width, "columns"),
                             std::span<const Entry<double>>(mine));
}

Matrix<Pattern> graph(int scale = 7) {
  const auto& session = Session::current();
  const Edges edges = rmat(scale, 5, 1, {session.rank(), session.workers()});
  return make_matrix(std::uint64_t{1} << scale, std::uint64_t{1} << scale, {edges.source, edges.target, {}, 0});
}

void append(Numbers& numbers, const Numbers& more) { numbers.insert(numbers.end(), more.begin(), more.end()); }

TEST(Threads, ShareElementsAndReduceInOneOrder) {
  for (const std::uint64_t length : {0u, 1u, 2u, 15u, 16u, 17u, 63u, 64u, 65u, 1000u, 70'000u}) {
    expect_same({}, [&] {
      const Space space(length);
      auto x = thirds(space);
      const auto y = zip_with([](double a, double r) { return a * 0.1 + r; }, x, random(space, 5));
      x = zip_with([](double a, double b) { return a / (1 + b); }, x, y);
      Numbers all = x.get();
      all.push_back(reduce(plus, x).get());
      all.push_back(reduce(plus, zip_with(times, x, y)).get());
      all.push_back(reduce(max, y).get());
      return all;
    });
  }
}

TEST(Threads, ReduceByFunctionsWithoutIdentity) {
  const auto length_of = [](double a, double b) { return std::sqrt(a * a + b * b); };  // its rounding shows the order
  for (const std::uint64_t length : {1u, 40u, 5000u})
    expect_same({}, [&] { return Numbers{reduce(length_of, thirds(Space(length))).get()}; });
}

TEST(Threads, MergeAccumulatorsInOneOrder) {
  struct Groups {
    std::array<double, 100> sum, weight;
  };
  const auto take = [](Groups& groups, double a, GlobalIndex i, double by) {
    const auto k = static_cast<std::size_t>(i * 31 % 100);
    groups.sum[k] += a * by;
    groups.weight[k] += a / 7;
  };
  const auto merge = [](Groups a, const Groups& b) {
    for (std::size_t k = 0; k < a.sum.size(); ++k) a.sum[k] += b.sum[k], a.weight[k] += b.weight[k];
    return a;
  };
  for (const std::uint64_t length : {0u, 1u, 17u, 1000u, 70'000u}) {
    expect_same({}, [&] {
      const Space space(length);
      const auto x = thirds(space);
      const Groups groups = fold(Groups{}, take, merge, x, iota(space), 0.1).get();
      Numbers all(groups.sum.begin(), groups.sum.end());
      append(all, Numbers(groups.weight.begin(), groups.weight.end()));
      all.push_back(fold(0.0, KASEN_FN((auto sum, auto a), sum + a * a), plus, x).get());
      return all;
    });
  }
}

/// Rows are worth a part by their numbers, so that few of them are shared; each part of a product of rows by rows has
/// results of its own.
TEST(Threads, ShareRows) {
  using Line = std::span<const double>;
  const auto fill = [](GlobalIndex i, std::span<double> out) {
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] = static_cast<double>((i * 7919 + static_cast<GlobalIndex>(k) * 31) % 1009) / 3;
  };
  const auto halves = [](Line x, std::span<double> out) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = x[k] / 2;
  };
  using Sums = std::array<double, 40>;
  const auto step = [](Sums& sums, Line x) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += x[k];
  };
  const auto merge = [](Sums a, const Sums& b) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
    return a;
  };
  const auto first_of = [](Line x) { return x[0]; };
  for (const std::uint64_t length : {3u, 700u, 3000u}) {
    const auto compute = [&]() -> Numbers {
      const Rows<double> X = map(fill, iota(length), width(40)), Y = map(halves, X, width(40));
      auto all = cross(X, Y).get();
      const Shared<double> sum = reduce(plus, map(first_of, Y));
      const Sums sums = fold(Sums{}, step, merge, Y).get();
      all.insert(all.end(), sums.begin(), sums.end());
      all.push_back(sum.get());
      return all;
    };
    expect_same({}, compute);
    expect_same({}, compute, kPartElements);
  }
}

TEST(Threads, ShareProducts) {
  for (const Storage storage : {Storage::compressed, Storage::blocked, Storage::stencils}) {
    for (const Numbering numbering : {Numbering::index, Numbering::degree}) {
      for (const Fusion fusion : {Fusion::greedy, Fusion::off, Fusion::exact}) {
        Options options;
        options.storage = storage;
        options.numbering = numbering;
        options.fusion = fusion;
        options.block_edge = 16;
        const Outcome one = expect_same(options, [] {
          const auto G = graph();
          const auto M = sparse(90, 130, 700);
          const auto x = thirds(G.rows());
          Numbers all = mxv(first, plus, G, x).get();
          const auto y = mxvt(first, plus, G, x), z = mxvt(first, plus, G, map(times, x, 0.3));
          append(all, zip_with(times, y, x).get());
          all.push_back(reduce(plus, zip_with(divides, z, x)).get());
          append(all, mxv(times, plus, M, thirds(M.rows())).get());
          append(all, mxvt(times, min, M, thirds(M.columns())).get());
          return all;
        });
        EXPECT_EQ(one.plan.find("in blocks") != std::string::npos, storage == Storage::blocked);
        EXPECT_EQ(one.plan.find("by stencils") != std::string::npos, storage == Storage::stencils);
      }
    }
  }
}

struct Pair {
  double a, b;
};

/// Where a matrix in blocks is cut follows the threads, and with it which outputs are summed with others. Compilers may
/// contract products and sums of functions in loops of both kinds differently.
TEST(Threads, RoundAlikeInAllGroups) {
  for (const Storage storage : {Storage::compressed, Storage::blocked, Storage::stencils}) {
    Options options;
    options.storage = storage;
    expect_same(options, [] {
      const auto A = sparse(1500, 1500, 12'000);
      const auto x = map(KASEN_FN((auto v), 1 / (1 + v)), thirds(A.rows()));
      Numbers all = mxv(times, plus, A, x).get();
      append(all, mxvt(times, plus, A, x).get());
      append(all, mxv([](double v, double w) { return v * w + v * v; }, plus, A, x).get());
      append(all, mxv([](double v, double w) { return (v + w) * (v - w); }, plus, A, x).get());
      append(all, mxv([](double v, double w) { return v + w; }, times, A, x).get());
      append(all, mxvt(KASEN_FN((auto v, auto w), select(v > w, v * w - v, w * w)), plus, A, x).get());
      append(all, mxv([](double v, double w) { return v > w ? v * w - v : w * w; }, plus, A, x).get());
      append(all, multiply(scale_rows(x, A), x).get());
      append(all, mxv([](double v, double w, double e) { return (v - e) * w; }, plus, A, x, x).get());
      append(all, mxvt([](double v, double w, double e) { return (w - v * e) * e; }, plus, A, x, x).get());
      const auto narrow = map([](double v) { return static_cast<float>(v); }, x);
      const auto product = [](float v, double w) { return v * static_cast<float>(w); };
      append(all, map([](float v) { return static_cast<double>(v); }, mxv(product, plus, A, narrow)).get());
      const auto pairs = map([](double v) { return Pair{v, v * v}; }, x);
      const auto of_pair = [](Pair p, double w) { return Pair{p.a * w + p.a * p.b, p.b * w}; };
      const auto sum = with_identity([](Pair p, Pair q) { return Pair{p.a + q.a, p.b + q.b}; }, Pair{0, 0});
      append(all, map([](Pair p) { return p.a - p.b; }, mxv(of_pair, sum, A, pairs)).get());
      const auto rows =
          map([](double v, std::span<double> out) { std::fill(out.begin(), out.end(), v * v); }, x, width(5));
      append(all, multiply(A, rows).get());
      append(all, mxv([](double v, double w) { return v * w - w; }, plus, A, rows).get());
      return all;
    });
  }
}

TEST(Threads, ShareDenseProducts) {
  for (const Fusion fusion : {Fusion::greedy, Fusion::exact}) {
    Options options;
    options.fusion = fusion;
    for (const auto& [height, width] :
         {std::pair{1u, 1u}, {3u, 200u}, {500u, 60u}, {1500u, 3u}, {2000u, 70u}, {40u, 3000u}}) {
      expect_same(options, [height = height, width = width] {
        const auto X = dense(height, width);
        const auto h = thirds(X.rows()), w = thirds(X.columns());
        Numbers all = mxv(times, plus, X, h).get();
        append(all, mxvt(times, plus, X, w).get());
        append(all, mxv(minus, max, X, h).get());
        const auto u = map([](double a) { return 1 / (1 + a); }, mxvt(times, plus, X, w));
        append(all, mxv(times, plus, X, u).get());
        all.push_back(reduce(plus, u).get());
        const auto product = [](Pair p, double x) { return Pair{p.a * x, p.b + x}; };
        const auto sum = with_identity([](Pair p, Pair q) { return Pair{p.a + q.a, p.b + q.b}; }, Pair{0, 0});
        const auto pairs = mxvt(product, sum, X, map([](double v) { return Pair{v, v * v}; }, w));
        append(all, map([](Pair p) { return p.a - p.b; }, mxv(product, sum, X, pairs)).get());
        const auto rows =
            map([](double v, std::span<double> out) { std::fill(out.begin(), out.end(), v * v); }, w, kasen::width(3));
        append(all, multiply_transposed(X, multiply(X, rows)).get());
        return all;
      });
    }
  }
}

/// Both directions in one sweep.
TEST(Threads, ShareFewWideRows) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  const auto seen = [&](double v, double x) {
    if (v == 0.5) {  // in one column
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    }
    return v * x;
  };
  std::uint64_t rows = 0;
  const Outcome outcome = run({}, 2, [&] {
    const auto X = dense(500, 600);
    rows = X.rows().length() / static_cast<std::uint64_t>(Session::current().workers());
    return mxv(times, plus, X,
               mxvt(seen, plus, X, map([](GlobalIndex i) { return i == 7 ? 0.5 : 1; }, iota(X.columns()))))
        .get();
  });
  EXPECT_NE(outcome.plan.find("pushed"), std::string::npos) << outcome.plan;
  EXPECT_EQ(threads.size(), rows >= 128 ? 2u : 1u);
}

/// Exact puts both products into one sweep.
TEST(Threads, PushInRounds) {
  Options options;
  options.fusion = Fusion::exact;
  expect_same(options, [] {
    const auto M = sparse(300, 120, 2000);
    const auto z = mxvt(times, plus, M, thirds(M.columns()));
    const auto u = map([](double a) { return 1 / (1 + a); }, z);
    Numbers all = mxv(times, plus, M, u).get();
    all.push_back(reduce(plus, u).get());
    return all;
  });
}

/// In one round and in several, beside reductions and keys; what is pushed is made in a tile, read, and written over.
TEST(Threads, PushBatches) {
  for (const std::uint64_t entries : {3'000u, 400'000u}) {
    expect_same({}, [&] {
      const auto all = batches(sparse(6000, 900, entries), 3000);
      const Space samples = batch(all, 0).rows();
      auto w = thirds(batch(all, 0).columns());
      auto state = thirds(samples);
      auto counts = constant(Space(5), 0.0);
      const auto key = map([](GlobalIndex i) { return (i * 31) % 5; }, iota(samples));
      Shared<std::int64_t> step = 0;
      Shared<double> sum = 0.0;
      while_([&] { return step < std::int64_t{3}; },
             [&] {
               const auto B = batch(all, step % std::int64_t{2});
               const auto z = mxvt(times, plus, B, w);
               const auto slope = map([](double a) { return 1 / (1 + a * a); }, z);
               sum = sum + reduce(plus, slope);
               const auto down = mxv(times, plus, B, slope);
               const auto of_state = mxv(times, plus, B, state);
               const auto least = mxv([](double a, double m) { return a / m; }, min, B, slope);
               counts = zip_with(plus, counts, reduce_by_key(plus, key, slope, counts.length()));
               state = zip_with([](double s, double a) { return s / 3 + a; }, state, z);
               w = zip_with([](double a, double g) { return a - g / 100; }, w, zip_with(plus, down, of_state));
               w = zip_with([](double a, double l) { return l < 1 ? a + l : a; }, w, least);
               step = step + std::int64_t{1};
             });
      Numbers numbers = w.get();
      append(numbers, state.get());
      append(numbers, counts.get());
      numbers.push_back(sum.get());
      return numbers;
    });
  }
}

/// Both ends of non-zeros, and rows.
TEST(Threads, PushWhateverIsMade) {
  expect_same({}, [] {
    const auto all = batches(sparse(800, 300, 9000), 400);
    const auto B = batch(all, 1);
    const auto x = thirds(B.rows()), y = thirds(B.columns());
    const auto z = map([](double a) { return 1 / (2 + a); }, x);
    const auto ends = mxv([](double a, double b, double m) { return a * m + b; }, plus, B, z, y);
    const auto rows = map([](double a, std::span<double> to) { to[0] = a, to[1] = a / 7, to[2] = 1 - a; }, z, width(3));
    Numbers numbers = ends.get();
    append(numbers, mxv(times, plus, B, rows).get());
    return numbers;
  });
}

TEST(Threads, Search) {
  expect_same({}, [] {
    const auto G = graph(9);
    auto label = iota(G.rows());
    Shared<bool> changed = true;
    while_(likely([&] { return changed; }), [&] {
      const auto lower = zip_with(min, mxv(first, min, G, label), mxvt(first, min, G, label));
      const auto next = zip_with(min, label, lower);
      changed = reduce(logical_or, zip_with([](GlobalIndex a, GlobalIndex b) { return a != b; }, label, next));
      label = next;
    });
    const auto labels = label.get();
    return Numbers(labels.begin(), labels.end());
  });
}

TEST(Threads, PackLongMessages) {
  Options options;
  options.partition = Partition::hybrid_cut;
  expect_same(
      options,
      [] {
        const auto M = sparse(40'000, 60'000, 300'000);
        const auto z = mxvt(times, plus, M, thirds(M.columns()));
        const auto x = mxv(times, plus, M, map([](double a) { return 1 / (1 + a); }, z));
        return Numbers{reduce(plus, x).get(), reduce(plus, z).get(), reduce(max, mxvt(times, plus, M, x)).get()};
      },
      4096);
}

/// Expects of a product over a matrix of 1000 rows, whose function throws from row 700 on, the exception of row 700.
/// Loops over matrices are not vectorised, so it can be caught.
void expect_first_thrown(const std::function<Matrix<Pattern>()>& make) {
  const auto told = [&](std::uint32_t threads) {
    Options options;
    options.quiet = true;
    options.threads = threads;
    options.part_elements = 16;
    Session session(options);
    if (session.workers() > 1) return std::string();  // which would end together
    try {
      const auto M = make();
      const auto throwing = [](GlobalIndex i) {
        return i < 700 ? i : throw std::runtime_error("element " + std::to_string(i));
      };
      reduce(plus, mxv(throwing, min, M, iota(M.rows()))).get();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  const std::string one = told(1);
  EXPECT_TRUE(one.empty() || one.find("the function threw: element 700") != std::string::npos) << one;
  for (const std::uint32_t threads : {2u, 3u, 8u}) EXPECT_EQ(told(threads), one);
}

TEST(Threads, ThrowWhatOneThreadWould) {
  expect_first_thrown([] {
    std::vector<GlobalIndex> diagonal(1000);
    std::iota(diagonal.begin(), diagonal.end(), 0);
    return make_matrix(1000, 1000, {diagonal, diagonal, {}, 0});
  });
}

/// Row 701 leads to the outputs of another thread than row 700, which one thread comes to first.
TEST(Threads, ThrowWhatOneThreadWouldPush) {
  expect_first_thrown([] {
    std::vector<GlobalIndex> row(1000), column(1000);
    std::iota(row.begin(), row.end(), 0);
    std::iota(column.begin(), column.end(), 0);
    std::swap(column[700], column[900]);
    std::swap(column[701], column[3]);
    return batch(batches(make_matrix(1000, 1000, {row, column, {}, 0}), 1000), 0);
  });
}

TEST(Threads, AreANumberFromOne) {
  Options options;
  for (const std::uint32_t threads : {0u, 1025u, 4'000'000'000u}) {
    options.threads = threads;
    EXPECT_THROW(Session session(options), UsageError);
  }
}

}  // namespace
}  // namespace kasen::tests
