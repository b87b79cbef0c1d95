/// @file
/// Measurement of the paper's Black-Scholes program, optimized and not, beside a loop written by hand.
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdlib>

#include "apps/black_scholes/black_scholes.h"
#include "bench/applications.h"
#include "bench/black_scholes_hand.h"
#include "comm/environment.h"
#include "kasen/runtime/buffer_pool.h"

namespace {

constexpr double kRate = 0.03, kVolatility = 0.25, kYears = 1.5;

/// In a session.
class Problem {
 public:
  explicit Problem(std::uint64_t n)
      : _spot(kasen::map([](double u) { return 50 + 100 * u; }, kasen::random(kasen::Space(n), 1))),
        _strike(kasen::map([](double u) { return 50 + 100 * u; }, kasen::random(kasen::Space(n), 2))) {
    bench::computed(_spot);
    const std::size_t mine = bench::computed(_strike).size();
    _call = _pool.obtain(mine, sizeof(double));
    _put = _pool.obtain(mine, sizeof(double));
  }

  /// The first call's price.
  double kasen() const {
    const auto [call, put] = apps::prices_as_in_paper(_spot, _strike, {kRate, kVolatility, kYears});
    return bench::computed(call)[0];
  }
  double hand() const {
    const auto spot = bench::computed(_spot), strike = bench::computed(_strike);
    auto* call = reinterpret_cast<double*>(_call->data());
    auto* put = reinterpret_cast<double*>(_put->data());
    bench::black_scholes_fused(spot.data(), strike.data(), kRate, kVolatility, kYears, call, put, spot.size());
    return call[0];
  }

 private:
  kasen::Vector<double> _spot, _strike;
  kasen::runtime::BufferPool _pool;
  kasen::runtime::BufferRef _call, _put;
};

void compare(std::uint64_t n, int repetitions) {
  std::vector<bench::Variant> variants = {{"hand", {}}, {"optimized", {}}, {"unoptimized", {}}};
  for (const bool optimized : {true, false}) {
    kasen::Options options = optimized ? kasen::Options{} : bench::unoptimized();
    options.quiet = true;
    kasen::Session session(options);
    const Problem problem(n);
    if (std::abs(problem.kasen() / problem.hand() - 1) > 1e-12) {
      std::fprintf(stderr, "error: variants disagree\n");
      std::exit(1);
    }
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      if (optimized) variants[0].seconds.push_back(bench::seconds_of([&] { problem.hand(); }));
      variants[optimized ? 1 : 2].seconds.push_back(bench::seconds_of([&] { problem.kasen(); }));
    }
    const bench::ApplicationRow row = bench::application_row(session);
    if (session.rank() > 0) continue;
    bench::print_application_row("black_scholes", variants[optimized ? 1 : 2].name, session.workers(), row);
    if (!optimized) bench::print_comparison("black_scholes", std::to_string(n), variants, 1.1, 2);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Black-Scholes beside a loop written by hand: seconds of computing, of the slowest worker");
  std::uint64_t n = 20'000'000;
  int repetitions = 9;
  app.add_option("--elements", n, "options")->capture_default_str();
  app.add_option("--repetitions", repetitions, "times each variant is measured")->capture_default_str();
  const kasen::comm::Environment environment;
  CLI11_PARSE(app, argc, argv);
  if (kasen::comm::Communicator().rank() == 0) bench::print_application_header();
  compare(n, repetitions);
  return 0;
}
