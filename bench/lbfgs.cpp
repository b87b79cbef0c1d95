/// @file
/// Measurement of L-BFGS in seconds per iteration, as apps/lbfgs records it, beside the same algorithm written by hand,
/// on one worker; on several without. `--fusion off --sync lazy` gives the unoptimized program.
#include "apps/lbfgs/lbfgs.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/application_row.h"
#include "bench/lbfgs_hand.h"
#include "bench/measure.h"
#include "kasen/base/entries.h"
#include "kasen/base/random.h"
#include "kasen/base/source_location.h"
#include "kasen/kasen.h"

namespace {

/// Samples that are functions of their number, so that whoever needs an entry can make it.
struct Generator {
  std::uint64_t samples = 2'000'000, features = 2'000'000, entries = 23;  ///< entries of a sample
  double skew = 1;  ///< 1: every feature is as likely; above, some are in many samples

  std::uint64_t feature(std::uint64_t sample, std::uint64_t k) const {
    constexpr std::uint64_t kPrime = 2654435761;  // spreads the likely ones
    const double place = std::pow(kasen::random_unit(1, sample * entries + k), skew);
    return static_cast<std::uint64_t>(place * static_cast<double>(features)) * kPrime % features;
  }
  double value(std::uint64_t sample, std::uint64_t k) const {
    return 0.5 + kasen::random_unit(2, sample * entries + k);
  }
  /// -1 or 1: what most features stand for, and sometimes the other.
  double label(std::uint64_t sample) const {
    double score = 0;
    for (std::uint64_t k = 0; k < entries; ++k) {
      score += value(sample, k) * (kasen::random_unit(3, feature(sample, k)) - 0.5);
    }
    const bool turned = kasen::random_unit(4, sample) < 0.1;
    return (score > 0) != turned ? 1 : -1;
  }
};

kasen::Matrix<double> make_matrix(const Generator& generator) {
  const kasen::Space rows = kasen::separate_space(generator.samples, "samples");
  const kasen::Space columns = kasen::separate_space(generator.features, "features");
  kasen::Entries entries;
  entries.value_bytes = sizeof(double);
  const kasen::BlockRange mine = kasen::block_of(rows);
  const std::size_t count = mine.count * generator.entries;
  entries.row.reserve(count);
  entries.column.reserve(count);
  entries.value.resize(count * sizeof(double));
  for (std::uint64_t n = 0; n < mine.count; ++n) {
    const std::uint64_t sample = static_cast<std::uint64_t>(mine.first) + n;
    for (std::uint64_t k = 0; k < generator.entries; ++k) {
      const double value = generator.value(sample, k);
      std::memcpy(&entries.value[entries.row.size() * sizeof value], &value, sizeof value);
      entries.row.push_back(static_cast<kasen::GlobalIndex>(sample));
      entries.column.push_back(static_cast<kasen::GlobalIndex>(generator.feature(sample, k)));
    }
  }
  const auto where = kasen::SourceLocation::current();
  return {kasen::detail::add_matrix(rows, columns, std::move(entries), where), rows, columns};
}

bench::LbfgsByHand by_hand(const Generator& generator, double l2, std::size_t history) {
  bench::Compressed rows;
  std::vector<double> sign;
  rows.begin.push_back(0);
  rows.index.reserve(generator.samples * generator.entries);
  rows.value.reserve(generator.samples * generator.entries);
  for (std::uint64_t sample = 0; sample < generator.samples; ++sample) {
    for (std::uint64_t k = 0; k < generator.entries; ++k) {
      rows.index.push_back(static_cast<std::uint32_t>(generator.feature(sample, k)));
      rows.value.push_back(generator.value(sample, k));
    }
    rows.begin.push_back(rows.index.size());
    sign.push_back(generator.label(sample));
  }
  return {std::move(rows), generator.features, sign, l2, history};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("L-BFGS for logistic regression beside the same algorithm written by hand");
  Generator generator;
  apps::Settings settings;
  settings.stopping.iterations = 5;
  int repetitions = 3;
  double l2 = 1;
  app.add_option("--samples", generator.samples)->capture_default_str();
  app.add_option("--features", generator.features)->capture_default_str();
  app.add_option("--entries", generator.entries, "of a sample")->capture_default_str();
  app.add_option("--skew", generator.skew, "1: all features are as likely; 3: some much more")->capture_default_str();
  app.add_option("--history", settings.history)->capture_default_str();
  app.add_option("--iterations", settings.stopping.iterations);
  app.add_option("--repetitions", repetitions, "times each variant is measured")->capture_default_str();
  kasen::Session session(argc, argv, app);

  const kasen::Matrix<double> X = make_matrix(generator);
  const auto label = [generator](kasen::GlobalIndex i) { return generator.label(static_cast<std::uint64_t>(i)); };
  const kasen::Vector<double> sign = kasen::map(label, kasen::iota(X.rows())), zero = kasen::constant(X.rows(), 0.0);
  kasen::reduce(kasen::plus, kasen::zip_with(kasen::plus, sign, zero)).get();  // both are stored before the first run
  const apps::Problem<double> problem{X, sign, zero, apps::Loss::logistic, 0, l2, false};
  double objective[2] = {};
  std::vector<bench::Variant> variants = {{"kasen", [&] { objective[0] = lbfgs(problem, settings).objective.get(); }}};
  std::optional<bench::LbfgsByHand> hand;
  if (session.workers() == 1) {
    hand.emplace(by_hand(generator, l2, settings.history));
    variants.push_back({"hand", [&] { objective[1] = hand->run(settings.stopping.most()); }});
  }
  bench::measure(variants, repetitions);
  for (bench::Variant& variant : variants) {
    for (double& seconds : variant.seconds) seconds /= static_cast<double>(settings.stopping.most());
  }
  if (hand && std::abs(objective[0] - objective[1]) > 1e-9 * objective[1]) {
    std::fprintf(stderr, "error: variants disagree: %.17g and %.17g\n", objective[0], objective[1]);
    return 1;
  }
  const bench::ApplicationRow row = bench::application_row(session);
  if (session.rank() > 0) return 0;
  const std::string size = std::to_string(generator.samples) + "x" + std::to_string(generator.features);
  bench::print_header();
  bench::print_rows("lbfgs", size, variants);
  if (hand) bench::print_ratio("lbfgs", size, variants[0], variants[1], 1.0);
  bench::print_application_header();
  bench::print_application_row("lbfgs", session.options().fusion == kasen::Fusion::off ? "unoptimized" : "optimized",
                               session.workers(), row);
  return 0;
}
