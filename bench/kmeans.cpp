/// @file
/// Measurement of K-means as in the paper, on numbers, of rows, and of points that are folded: optimized and not,
/// beside hand-written.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <optional>

#include "apps/kmeans/kmeans.h"
#include "bench/applications.h"
#include "bench/kmeans_hand.h"
#include "comm/environment.h"
#include "kasen/base/random.h"
#include "kasen/table.h"

namespace {

using Centres = std::vector<double>;

apps::Stopping exactly(std::uint64_t iterations) {
  apps::Stopping stopping;
  stopping.iterations = iterations;
  return stopping;
}

/// Points whose dimension is known when the program is compiled, as their centres' number is.
constexpr std::size_t kFolded = 10, kMostFolded = 16, kColumns = bench::kHandColumns;
using Point = std::array<double, kColumns>;
/// A lane for each centre, so that a point's distances to all of them are computed at once; those that are none are
/// farther away than any.
struct FoldedCentres {
  std::array<std::array<double, kMostFolded>, kColumns> coordinate;
};
struct FoldedGroups {
  std::array<Point, kFolded> sum;
  std::array<double, kFolded> count;
};

/// As kmeans_rows() has it in kmeans_hand.cpp.
constexpr auto kAddToNearest = [](FoldedGroups& groups, const Point& x, const FoldedCentres& centres) {
  alignas(64) std::array<double, kMostFolded> distance{};
  for (std::size_t c = 0; c < kColumns; ++c) {
#pragma omp simd
    for (std::size_t j = 0; j < kMostFolded; ++j) {
      const double off = x[c] - centres.coordinate[c][j];
      distance[j] += off * off;
    }
  }
  std::size_t label = 0;
  double best = distance[0];
  for (std::size_t j = 1; j < kFolded; ++j) {
    label = distance[j] < best ? j : label;
    best = distance[j] < best ? distance[j] : best;
  }
#pragma omp simd
  for (std::size_t c = 0; c < kColumns; ++c) groups.sum[label][c] += x[c];
  groups.count[label] += 1;
};
constexpr auto kMergeGroups = [](FoldedGroups a, const FoldedGroups& b) {
  for (std::size_t j = 0; j < kFolded; ++j) {
    for (std::size_t c = 0; c < kColumns; ++c) a.sum[j][c] += b.sum[j][c];
    a.count[j] += b.count[j];
  }
  return a;
};

/// One sweep an iteration, which reads the points once, and one exchange of all sums.
Centres fold_iterations(const kasen::Vector<Point>& points, const Centres& first, std::uint64_t iterations) {
  FoldedCentres initial;
  for (std::size_t c = 0; c < kColumns; ++c) {
    initial.coordinate[c].fill(1e300);
    for (std::size_t j = 0; j < kFolded; ++j) initial.coordinate[c][j] = first[j * kColumns + c];
  }
  kasen::Shared<FoldedCentres> centres = initial;
  kasen::Shared<std::uint64_t> iteration = 0;
  kasen::while_(kasen::likely([&] { return iteration < iterations; }), [&] {
    const auto groups = kasen::fold(FoldedGroups{}, kAddToNearest, kMergeGroups, points, centres);
    const auto means = [](const FoldedGroups& g, FoldedCentres at) {
      for (std::size_t j = 0; j < kFolded; ++j) {
        for (std::size_t c = 0; c < kColumns && g.count[j] > 0; ++c) at.coordinate[c][j] = g.sum[j][c] / g.count[j];
      }
      return at;
    };
    centres = kasen::apply(means, groups, centres);
    iteration = iteration + std::uint64_t{1};
  });
  const FoldedCentres found = centres.get();
  Centres result(first.size());
  for (std::size_t at = 0; at < result.size(); ++at) result[at] = found.coordinate[at % kColumns][at / kColumns];
  return result;
}

/// What is measured of one kind of points, in a session: `kasen` returns the centres after so many iterations, `hand`
/// those after one.
struct Problem {
  std::function<Centres(std::uint64_t iterations)> kasen, hand;
};

Problem numbers(std::uint64_t n, std::size_t k) {
  const auto points = kasen::random(kasen::Space(n), 1);
  Centres first;
  for (std::size_t j = 0; j < k; ++j) first.push_back((static_cast<double>(j) + 0.3) / static_cast<double>(k));
  const auto mine = bench::computed(points);
  return {[=](std::uint64_t iterations) { return apps::kmeans_of_numbers(points, first, exactly(iterations)).centres; },
          [=](std::uint64_t) {
            Centres sum(k), count(k);
            bench::kmeans_numbers(mine.data(), mine.size(), first.data(), k, sum.data(), count.data());
            for (std::size_t j = 0; j < k; ++j) sum[j] /= count[j];
            return sum;
          }};
}

/// @param folded as elements of a vector, else as rows
Problem rows(std::uint64_t n, std::size_t k, bool folded) {
  constexpr std::size_t d = bench::kHandColumns;
  const kasen::BlockRange block = kasen::block_of(n);
  kasen::io::DenseData data;
  data.rows = n;
  data.columns = d;
  for (std::uint64_t at = static_cast<std::uint64_t>(block.first) * d; data.values.size() < block.count * d; ++at) {
    data.values.push_back(kasen::random_unit(1, at));
  }
  Centres first;
  for (std::uint64_t at = 0; first.size() < k * d; ++at) first.push_back(kasen::random_unit(2, at));
  const auto mine = std::make_shared<const std::vector<double>>(data.values);
  const auto by_hand = [=](std::uint64_t) {
    Centres sum(k * d), count(k);
    bench::kmeans_rows(mine->data(), mine->size() / d, first.data(), k, sum.data(), count.data());
    for (std::size_t j = 0; j < k * d; ++j) sum[j] /= count[j / d];
    return sum;
  };
  if (folded) {
    std::vector<Point> elements(mine->size() / d);
    for (std::size_t at = 0; at < mine->size(); ++at) elements[at / d][at % d] = (*mine)[at];
    const auto points = kasen::make_vector(kasen::Space(n), elements);
    return {[=](std::uint64_t iterations) { return fold_iterations(points, first, iterations); }, by_hand};
  }
  const auto points = kasen::Table(std::move(data)).as_rows();
  return {[=](std::uint64_t iterations) { return apps::kmeans_of_rows(points, first, exactly(iterations)).centres; },
          by_hand};
}

void check(const Centres& a, const Centres& b) {
  for (std::size_t j = 0; j < a.size(); ++j) {
    if (std::abs(a[j] - b[j]) <= 1e-9 * std::abs(b[j])) continue;
    std::fprintf(stderr, "error: variants disagree at %zu: %.17g and %.17g\n", j, a[j], b[j]);
    std::exit(1);
  }
}

void compare(const std::string& application, const std::string& size, const std::function<Problem()>& problem,
             std::uint64_t iterations, int repetitions, double of_hand, double times_faster) {
  std::vector<bench::Variant> variants = {{"hand", {}}, {"optimized", {}}, {"unoptimized", {}}};
  for (const bool optimized : {true, false}) {
    kasen::Options options = optimized ? kasen::Options{} : bench::unoptimized();
    options.quiet = true;
    kasen::Session session(options);
    const std::uint64_t times = optimized ? iterations : std::max<std::uint64_t>(iterations / 5, 1);  // it takes longer
    const Problem measured = problem();
    if (optimized && session.workers() == 1) check(measured.kasen(1), measured.hand(1));
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      if (optimized) variants[0].seconds.push_back(bench::seconds_of([&] { measured.hand(1); }));
      variants[optimized ? 1 : 2].seconds.push_back(bench::seconds_per_iteration(measured.kasen, times));
    }
    const bench::ApplicationRow row = bench::application_row(session);
    if (session.rank() > 0) continue;
    bench::print_application_row(application + " " + size, variants[optimized ? 1 : 2].name, session.workers(), row);
    if (!optimized) bench::print_comparison(application, size, variants, of_hand, times_faster);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("K-means beside loops written by hand: seconds of computing per iteration, of the slowest worker");
  std::uint64_t points = 20'000'000, rows_of_16 = 2'000'000, iterations = 20;
  int repetitions = 5;
  app.add_option("--points", points, "that are numbers, for 10 and 20 clusters; 0: none")->capture_default_str();
  app.add_option("--rows", rows_of_16, "points in 16 dimensions, for 10 clusters; 0: none")->capture_default_str();
  app.add_option("--iterations", iterations, "of each optimized run; a fifth of that unoptimized")
      ->capture_default_str();
  app.add_option("--repetitions", repetitions, "runs of each variant")->capture_default_str();
  const kasen::comm::Environment environment;
  CLI11_PARSE(app, argc, argv);
  if (kasen::comm::Communicator().rank() == 0) bench::print_application_header();
  for (const std::size_t k : {10, 20}) {
    if (points == 0) break;
    compare(
        "kmeans_of_numbers", std::to_string(points) + "-" + std::to_string(k), [&] { return numbers(points, k); },
        iterations, repetitions, k == 10 ? 1.2 : 1.5, k == 10 ? 6 : 0);
  }
  if (rows_of_16 > 0) {
    compare(
        "kmeans_by_fold", std::to_string(rows_of_16) + "x16-10", [&] { return rows(rows_of_16, kFolded, true); },
        iterations, repetitions, 1.0, 0);
    compare(
        "kmeans_of_rows", std::to_string(rows_of_16) + "x16-10", [&] { return rows(rows_of_16, 10, false); },
        iterations, repetitions, 0, 0);
  }
  return 0;
}
