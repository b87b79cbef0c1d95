/// @file
/// Measurement of X'f(Xv) in one pass over X beside three sweeps: what it saves to read the matrix once, what it costs
/// that v and the result are both reached at random, and whether the planner knows (--fusion exact).
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "bench/computed.h"
#include "bench/measure.h"
#include "kasen/kasen.h"
#include "kasen/session/engine.h"
#include "optimizer/plan/step_tools.h"
#include "tests/support/graphs.h"

namespace {

/// z = X v, y = f(z), g = X'y, of which g is asked for, which makes the sweeps run.
struct Gradient {
  const kasen::Matrix<double>& X;
  kasen::Vector<double> v, g;

  auto forward() const { return kasen::mxvt(kasen::times, kasen::plus, X, v); }
  static auto bent(const kasen::Vector<double>& z) {
    return kasen::map(KASEN_FN((auto x), x / (1 + kasen::abs(x))), z);
  }
  void backward(const kasen::Vector<double>& y) {
    g = kasen::mxv(kasen::times, kasen::plus, X, y);
    bench::computed(g);
  }

  void planned() { backward(bent(forward())); }
  void apart() {
    const kasen::Vector<double> z = forward();
    bench::computed(z);
    const kasen::Vector<double> y = bent(z);
    bench::computed(y);
    backward(y);
  }
};

/// How the latest plan of both products runs them: under --fusion exact the planner's choice.
const char* chosen() {
  for (const auto& record : kasen::Session::current().engine().plans() | std::views::reverse) {
    std::size_t products = 0, sweeps = 0;
    kasen::optimizer::for_each_step(record->plan.steps, [&](const kasen::optimizer::Step& step) {
      const auto* sweep = std::get_if<kasen::optimizer::Sweep>(&step.what);
      if (sweep == nullptr) return;
      ++sweeps;
      for (const auto& launch : sweep->launches) products += kasen::is_matrix_op(launch.op) ? 1 : 0;
    });
    if (products == 2) return sweeps == 1 ? "in one pass" : sweeps == 2 ? "in two sweeps" : "in three sweeps";
  }
  return "nowhere";
}

void check(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) <= 1e-9 * std::abs(b[i])) continue;
    std::fprintf(stderr, "error: variants disagree at %zu: %.17g and %.17g\n", i, a[i], b[i]);
    std::exit(1);
  }
}

void run(const std::string& size, const kasen::tests::Edges& edges, std::uint64_t height, std::uint64_t width,
         int repetitions) {
  std::vector<kasen::Entry<double>> entries;
  for (std::size_t e = 0; e < edges.source.size(); ++e) {
    entries.push_back({edges.source[e], edges.target[e], 1.0 / static_cast<double>(1 + e % 13)});
  }
  const auto X = kasen::make_matrix<double>(kasen::separate_space(height, "samples"),
                                            kasen::separate_space(width, "features"), entries);
  const auto v =
      kasen::map([](kasen::GlobalIndex i) { return 1.0 / static_cast<double>(1 + i % 97); }, kasen::iota(X.columns()));
  Gradient gradient{X, v, kasen::constant(X.columns(), 0.0)};

  const std::size_t inner = std::max<std::size_t>(1, (std::size_t{1} << 22) / entries.size());
  std::vector<bench::Variant> variants = {{"planned", [&] { gradient.planned(); }},
                                          {"apart", [&] { gradient.apart(); }}};
  std::vector<std::vector<double>> results;
  for (bench::Variant& variant : variants) {
    variant.run();
    results.push_back(gradient.g.get());
    variant.run = [inner, once = variant.run] {
      for (std::size_t k = 0; k < inner; ++k) once();
    };
  }
  check(results[0], results[1]);
  bench::measure(variants, repetitions);
  for (bench::Variant& variant : variants) {
    for (double& seconds : variant.seconds) seconds /= static_cast<double>(inner);
  }
  bench::print_rows("row_sweep", size, variants);
  bench::print_ratio("row_sweep", size, variants[0], variants[1]);
  std::printf("# row_sweep %s: X'f(Xv) is planned %s\n", size.c_str(), chosen());
}

/// Every row has every column.
kasen::tests::Edges full(std::uint64_t height, std::uint64_t width) {
  kasen::tests::Edges edges;
  for (std::uint64_t row = 0; row < height; ++row) {
    for (std::uint64_t column = 0; column < width; ++column) {
      edges.source.push_back(static_cast<kasen::GlobalIndex>(row));
      edges.target.push_back(static_cast<kasen::GlobalIndex>(column));
    }
  }
  return edges;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "X'f(Xv) in one plan beside three plans of a sweep each, on one worker: sparse matrices and a full one; --fusion "
      "exact chooses whether the one plan makes one pass over X");
  std::vector<int> scales = {14, 20};
  std::uint64_t edges_per_vertex = 16, height = 20000, width = 500;
  int repetitions = 11;
  app.add_option("--scale", scales, "base-2 logarithm of the number of vertices")->capture_default_str();
  app.add_option("--edges-per-vertex", edges_per_vertex)->capture_default_str();
  app.add_option("--rows", height, "of the full matrix; 0: none")->capture_default_str();
  app.add_option("--columns", width, "of the full matrix")->capture_default_str();
  app.add_option("--repetitions", repetitions, "times each variant is measured")->capture_default_str();
  kasen::Session session(argc, argv, app);
  bench::print_header();
  for (const int scale : scales) {
    const std::uint64_t n = std::uint64_t{1} << scale;
    run("rmat-" + std::to_string(scale) + "-" + std::to_string(edges_per_vertex),
        kasen::tests::rmat(scale, edges_per_vertex, 1), n, n, repetitions);
  }
  if (height > 0) {
    run("full-" + std::to_string(height) + "-" + std::to_string(width), full(height, width), height, width,
        repetitions);
  }
  return 0;
}
