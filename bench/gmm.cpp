/// @file
/// Measurement of a mixture of Gaussians beside a loop by hand, and beside the products alone by Eigen.
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>

#include "apps/learn/gmm.h"
#include "bench/applications.h"
#include "bench/gmm_hand.h"
#include "comm/environment.h"
#include "kasen/base/random.h"

namespace {

constexpr std::size_t kColumns = bench::kGmmColumns, kRow = 1 + 2 * kColumns;

/// This worker's points: each coordinate is uniform around that of one of k places.
std::vector<double> points(std::uint64_t n, std::uint64_t k) {
  const kasen::BlockRange block = kasen::block_of(kasen::Space(n));
  std::vector<double> mine(block.count * kColumns);
  for (std::uint64_t at = 0; at < mine.size(); ++at) {
    const std::uint64_t global = static_cast<std::uint64_t>(block.first) * kColumns + at;
    mine[at] =
        4 * kasen::random_unit(2, global / kColumns % k * kColumns + at % kColumns) + kasen::random_unit(1, global);
  }
  return mine;
}

/// Components as rows of weight, means and variances.
std::vector<double> rows_of(const apps::Components& components) {
  std::vector<double> rows;
  for (std::size_t j = 0; j < components.weights.size(); ++j) {
    rows.push_back(components.weights[j]);
    for (const auto* of : {&components.means, &components.variances})
      rows.insert(rows.end(), &(*of)[j * kColumns], &(*of)[j * kColumns] + kColumns);
  }
  return rows;
}

/// The sums by hand are those of the components that Kasen has found after the iteration.
void check(const std::vector<double>& sums, const std::vector<double>& found, double n) {
  for (std::size_t at = 0; at < found.size(); ++at) {
    const double* const own = &sums[at / kRow * kRow];
    const std::size_t place = at % kRow;
    double by_hand = own[place] / (place == 0 ? n : own[0]);
    if (place > kColumns) by_hand -= own[place - kColumns] / own[0] * own[place - kColumns] / own[0];
    if (std::abs(by_hand - found[at]) <= 1e-6 * (1 + std::abs(found[at]))) continue;
    std::fprintf(stderr, "error: variants disagree at %zu: %.17g and %.17g\n", at, found[at], by_hand);
    std::exit(1);
  }
}

void compare(std::uint64_t n, std::uint64_t k, std::uint64_t iterations, int repetitions) {
  const std::string size = std::to_string(n) + "x" + std::to_string(kColumns) + "-" + std::to_string(k);
  std::vector<bench::Variant> variants = {{"hand", {}}, {"optimized", {}}, {"unoptimized", {}}, {"products", {}}};
  for (const bool optimized : {true, false}) {
    kasen::Options options = optimized ? kasen::Options{} : bench::unoptimized();
    options.quiet = true;
    kasen::Session session(options);
    const std::vector<double> mine = points(n, k);
    const kasen::Rows<double> X = kasen::make_rows(kasen::Space(n), kColumns, mine);
    std::vector<double> means;
    for (std::uint64_t at = 0; at < k * kColumns; ++at) means.push_back(4 * kasen::random_unit(2, at) + 0.4);
    const auto run = [&](std::uint64_t times) {
      apps::Mixing mixing;
      mixing.stopping.iterations = times;
      return apps::gmm(X, means, mixing).components;
    };
    const std::vector<double> first = rows_of(run(0));
    const auto by_hand = [&] { return bench::gmm_sums(mine.data(), mine.size() / kColumns, first); };
    if (optimized && session.workers() == 1) check(by_hand(), rows_of(run(1)), static_cast<double>(n));
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      if (optimized) {
        variants[0].seconds.push_back(bench::seconds_of(by_hand));
        const auto products = [&] {
          if (std::isnan(bench::gmm_products(mine.data(), mine.size() / kColumns, k))) std::exit(1);
        };
        variants[3].seconds.push_back(bench::seconds_of(products));
      }
      variants[optimized ? 1 : 2].seconds.push_back(bench::seconds_per_iteration(run, optimized ? iterations : 2));
    }
    const bench::ApplicationRow row = bench::application_row(session);
    if (session.rank() > 0) continue;
    bench::print_application_row("gmm " + size, variants[optimized ? 1 : 2].name, session.workers(), row);
    if (optimized) continue;
    bench::print_comparison("gmm", size, variants, 0, 0);
    bench::print_ratio("gmm", size, variants[1], variants[3]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Mixtures of Gaussians in 16 dimensions beside a loop by hand, and the products alone by Eigen: seconds of "
      "computing per iteration, of the slowest worker");
  std::uint64_t points = 1'000'000, components = 10, iterations = 5;
  int repetitions = 3;
  app.add_option("--points", points)->capture_default_str();
  app.add_option("--components", components, "at most 16")->check(CLI::Range(1, 16))->capture_default_str();
  app.add_option("--iterations", iterations, "of each run beside the first")->capture_default_str();
  app.add_option("--repetitions", repetitions, "runs of each variant")->capture_default_str();
  const kasen::comm::Environment environment;
  CLI11_PARSE(app, argc, argv);
  if (kasen::comm::Communicator().rank() == 0) bench::print_application_header();
  compare(points, components, iterations, repetitions);
  return 0;
}
