/// @file
/// How close is a matrix sweep, recorded and planned by Kasen, to a pull loop written by hand? And what does it save to
/// run two products in one sweep, and does the planner know (--fusion exact)?
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <ranges>
#include <string>
#include <vector>

#include "bench/matrix_sweep_hand.h"
#include "bench/measure.h"
#include "kasen/engine.h"
#include "kasen/kasen.h"
#include "kasen/runtime/buffer_pool.h"
#include "optimizer/step_tools.h"
#include "tests/support/graphs.h"

namespace {

/// The graph compressed by column, made by counting, as the hand-written loop wants it.
struct ByColumn {
  std::vector<std::uint32_t> pointer, index;
  explicit ByColumn(const kasen::tests::Edges& edges, std::uint64_t n) : pointer(n + 1), index(edges.source.size()) {
    for (const auto target : edges.target) ++pointer[static_cast<std::size_t>(target) + 1];
    for (std::uint64_t j = 0; j < n; ++j) pointer[j + 1] += pointer[j];
    std::vector<std::uint32_t> next = pointer;
    for (std::size_t e = 0; e < index.size(); ++e) {
      index[next[static_cast<std::size_t>(edges.target[e])]++] = static_cast<std::uint32_t>(edges.source[e]);
    }
    for (std::uint64_t j = 0; j < n; ++j) std::sort(index.begin() + pointer[j], index.begin() + pointer[j + 1]);
  }
};

double element(kasen::GlobalIndex i, int step) { return 1.0 / static_cast<double>(1 + (i * step) % 97); }

/// Products whose masters are asked for, which makes their sweeps run.
struct Products {
  const kasen::Matrix<kasen::Pattern>& matrix;
  kasen::Vector<double> x, y;
  kasen::Vector<double> first, second;

  void product(const kasen::Vector<double>& of, kasen::Vector<double>& into) {
    into = kasen::mxv(kasen::first, kasen::plus, matrix, of);
    kasen::detail::masters(into, {});
  }
  void one() { product(x, first); }
  void planned() {
    first = kasen::mxv(kasen::first, kasen::plus, matrix, x);
    product(y, second);
  }
  void apart() {
    product(x, first);
    product(y, second);
  }
};

/// How the latest plan of two products runs them: under --fusion exact the planner's choice.
const char* chosen() {
  for (const auto& record : kasen::Session::current().engine().plans() | std::views::reverse) {
    std::size_t sweeps = 0, products = 0;
    kasen::optimizer::for_each_step(record->plan.steps, [&](const kasen::optimizer::Step& step) {
      const auto* sweep = std::get_if<kasen::optimizer::Sweep>(&step.what);
      if (sweep == nullptr || sweep->matrix == kasen::kNone<kasen::MatrixId>) return;
      ++sweeps;
      for (const auto& launch : sweep->launches) products += launch.out.size();
    });
    if (products == 2) return sweeps == 1 ? "joined" : "apart";
  }
  return "nothing";
}

void check(const std::vector<double>& got, const double* expected) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::abs(got[i] - expected[i]) <= 1e-9 * std::abs(expected[i])) continue;
    std::fprintf(stderr, "error: variants disagree at %zu: %.17g and %.17g\n", i, got[i], expected[i]);
    std::exit(1);
  }
}

void run(int scale, std::uint64_t edges_per_vertex, int repetitions) {
  auto edges = kasen::tests::rmat(scale, edges_per_vertex, 1);
  const std::uint64_t n = std::uint64_t{1} << scale;
  const ByColumn by_column(edges, n);
  const kasen::Space space = kasen::separate_space(n, "vertices");
  const auto matrix = kasen::make_matrix(
      space, space, kasen::partition::Entries{std::move(edges.source), std::move(edges.target), {}, 0});

  kasen::runtime::BufferPool pool;
  const auto by_hand = pool.obtain(n, sizeof(double)), x = pool.obtain(n, sizeof(double));
  auto* hand_out = reinterpret_cast<double*>(by_hand->data());
  auto* hand_in = reinterpret_cast<double*>(x->data());
  for (std::uint64_t i = 0; i < n; ++i) hand_in[i] = element(static_cast<kasen::GlobalIndex>(i), 3);
  const auto make = [&](int step) {
    return kasen::map([step](kasen::GlobalIndex i) { return element(i, step); }, kasen::iota(space));
  };
  Products products{matrix, make(3), make(5), kasen::constant(space, 0.0), kasen::constant(space, 0.0)};

  const int inner = std::max(1, 1 << std::max(0, 18 - scale));  // small graphs: enough work to be timed
  std::vector<bench::Variant> variants = {
      {"hand_32_bit", [&] { bench::pull(by_column.pointer.data(), by_column.index.data(), hand_in, hand_out, n); }},
      {"kasen", [&] { products.one(); }},
      {"two_planned", [&] { products.planned(); }},
      {"two_apart", [&] { products.apart(); }},
  };
  for (bench::Variant& variant : variants) {
    variant.run = [inner, once = variant.run] {
      for (int k = 0; k < inner; ++k) once();
    };
  }
  bench::measure(variants, repetitions);
  check(products.first.get(), hand_out);
  for (bench::Variant& variant : variants) {
    for (double& seconds : variant.seconds) seconds /= inner;
  }
  const std::string size = "rmat-" + std::to_string(scale) + "-" + std::to_string(edges_per_vertex);
  bench::print_rows("matrix_sweep", size, variants);
  bench::print_ratio("matrix_sweep", size, variants[1], variants[0], 1.0);
  bench::print_ratio("matrix_sweep", size, variants[2], variants[3], 0.7);
  std::printf("# matrix_sweep %s: two products are planned %s\n", size.c_str(), chosen());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "A matrix sweep beside a pull loop written by hand, and two products of one plan beside two of a plan each, on "
      "one worker; --fusion exact chooses whether the one plan joins them");
  std::vector<int> scales = {20, 14};
  std::uint64_t edges_per_vertex = 16;
  int repetitions = 11;
  app.add_option("--scale", scales, "base-2 logarithm of the number of vertices")->capture_default_str();
  app.add_option("--edges-per-vertex", edges_per_vertex)->capture_default_str();
  app.add_option("--repetitions", repetitions, "times each variant is measured")->capture_default_str();
  kasen::Session session(argc, argv, app);
  bench::print_header();
  for (const int scale : scales) run(scale, edges_per_vertex, repetitions);
  return 0;
}
