/// @file
/// Black-Scholes and K-means of the paper's section 8.1 by the analyzer: vectors read and written, before and after.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "apps/black_scholes/black_scholes.h"
#include "apps/kmeans/kmeans.h"
#include "kasen/kasen.h"
#include "tests/golden/recorded_analysis.h"

namespace kasen::tests {
namespace {

using optimizer::Analysis;
using optimizer::Column;

constexpr std::uint64_t kLength = 500;

Analysis analysis_of(const std::function<void()>& program) {
  const optimizer::RecordedProgram recorded = record(program);
  return optimizer::analyze(recorded.program, recorded.stats, {});
}

void expect_elements(const Analysis& analysis, const Symbols& before, const Symbols& after) {
  for (const Column column : {Column::model, Column::stream}) {
    EXPECT_EQ(elements(analysis, analysis.before, column), before);
    EXPECT_EQ(elements(analysis, analysis.after, column), after);
  }
}

// ---- Black-Scholes: prices of options that share rate, volatility and time ----

apps::Market market() { return {0.03, 0.25, 1.0}; }

/// Vectors that exist before the program that is analyzed.
std::pair<Vector<double>, Vector<double>> quotes() {
  const Space options(kLength);
  auto spot = map([](std::int64_t i) { return 90.0 + 0.01 * static_cast<double>(i); }, iota(options));
  auto strike = map([](std::int64_t i) { return 110.0 - 0.01 * static_cast<double>(i); }, iota(options));
  spot.get();
  strike.get();
  return {spot, strike};
}

double distribution(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

void expect_prices(const Vector<double>& call, const Vector<double>& put) {
  const std::vector<double> calls = call.get(), puts = put.get();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const double spot = 90.0 + 0.01 * static_cast<double>(i), strike = 110.0 - 0.01 * static_cast<double>(i);
    const double d1 = (std::log(spot / strike) + 0.03 + 0.25 * 0.25 / 2) / 0.25, d2 = d1 - 0.25;
    const double discounted = strike * std::exp(-0.03);
    EXPECT_NEAR(calls[i], spot * distribution(d1) - discounted * distribution(d2), 1e-9);
    EXPECT_NEAR(puts[i], discounted * distribution(-d2) - spot * distribution(-d1), 1e-9);
  }
}

/// Eight maps and six zips of one or two vectors each.
void black_scholes_idiomatic() {
  const auto [spot, strike] = quotes();
  const auto [call, put] = apps::prices_as_in_paper(spot, strike, market());
  expect_prices(call, put);
}

/// One map and six zips: as far as functions of two vectors can be fused by hand.
void black_scholes_partly_fused() {
  const auto [spot, strike] = quotes();
  const apps::Market m = market();
  auto discounted = map([](double k, double r, double t) { return k * std::exp(-r * t); }, strike, m.rate, m.years);
  auto d1 = zip_with([](double s, double k, double r, double v,
                        double t) { return (std::log(s / k) + (r + v * v / 2) * t) / (v * std::sqrt(t)); },
                     spot, strike, m.rate, m.volatility, m.years);
  auto gain = zip_with([](double s, double d) { return s * distribution(d); }, spot, d1);
  auto price = zip_with([](double k, double d, double v, double t) { return k * distribution(d - v * std::sqrt(t)); },
                        discounted, d1, m.volatility, m.years);
  auto call = zip_with(minus, gain, price);
  auto above = zip_with(minus, call, spot);
  auto put = zip_with(plus, above, discounted);
  for (auto* temporary : {&discounted, &d1, &gain, &price, &above}) *temporary = spot;
  expect_prices(call, put);
}

/// 90 % of the reads are saved, as the paper says, and 85.7 % of the writes.
TEST(BlackScholes, Idiomatic) { expect_elements(analysis_of(black_scholes_idiomatic), {"20N", "14N"}, {"2N", "2N"}); }

/// 84.6 % of the reads, as the paper says, and 71.4 % of the writes.
TEST(BlackScholes, PartlyFused) {
  expect_elements(analysis_of(black_scholes_partly_fused), {"13N", "7N"}, {"2N", "2N"});
}

// ---- K-means, one iteration with k clusters: 3k operations ----

void kmeans(int k) {
  auto points = map([](std::int64_t i) { return static_cast<double>(i * 37 % 101); }, iota(Space(kLength)));
  points.get();
  apps::SharedNumbers centres;
  for (int j = 0; j < k; ++j) centres.emplace_back(100.0 * j / k);
  const apps::SharedNumbers places = apps::places_of(centres);
  const auto nearest = apps::nearest_centres(points, centres);
  double members = 0;
  for (const auto& cluster : apps::clusters(points, nearest, places)) members += cluster.get().points;
  EXPECT_EQ(members, static_cast<double>(kLength));
}

/// (7k - 3)/(7k - 1) of what is read and written is saved.
TEST(KMeans, ReadsPointsOnceAndWritesTheNearest) {
  for (const int k : {2, 3, 10}) {
    SCOPED_TRACE(k);
    expect_elements(analysis_of([&] { kmeans(k); }), {std::to_string(5 * k - 1) + "N", std::to_string(2 * k) + "N"},
                    {"N", "N"});
  }
}

}  // namespace
}  // namespace kasen::tests
