/// @file
/// Measurement of a matrix sweep, recorded and planned by Kasen, beside a pull loop written by hand; of blocks
/// (--storage blocked), in the given order and by degree; of the paper's order of entries along Hilbert's curve; and of
/// two products in one sweep, with what the planner would choose (--fusion exact).
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <ranges>
#include <string>
#include <vector>

#include "bench/computed.h"
#include "bench/matrix_sweep_hand.h"
#include "bench/measure.h"
#include "kasen/io/formats/read.h"
#include "kasen/kasen.h"
#include "kasen/runtime/buffer_pool.h"
#include "kasen/session/engine.h"
#include "optimizer/plan/step_tools.h"
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

/// The graph's edges along Hilbert's curve through the matrix, the order of the paper's prototype (its section on the
/// evaluation).
struct AlongHilbert {
  std::vector<std::uint32_t> source, target;
  explicit AlongHilbert(const kasen::tests::Edges& edges) {
    std::vector<std::pair<std::uint64_t, std::size_t>> at;
    for (std::size_t e = 0; e < edges.source.size(); ++e) {
      at.emplace_back(
          position(static_cast<std::uint32_t>(edges.source[e]), static_cast<std::uint32_t>(edges.target[e])), e);
    }
    std::sort(at.begin(), at.end());
    for (const auto& [where, e] : at) {
      source.push_back(static_cast<std::uint32_t>(edges.source[e]));
      target.push_back(static_cast<std::uint32_t>(edges.target[e]));
    }
  }

 private:
  /// Of a cell on the curve through all cells of 32-bit coordinates: quadrant by quadrant, each turned as the curve
  /// goes.
  static std::uint64_t position(std::uint32_t x, std::uint32_t y) {
    std::uint64_t sum = 0;
    for (std::uint32_t side = std::uint32_t{1} << 31; side > 0; side /= 2) {
      const std::uint32_t right = (x & side) != 0, up = (y & side) != 0;
      sum += std::uint64_t{side} * side * ((3 * right) ^ up);
      if (up != 0) continue;
      if (right != 0) x = ~x, y = ~y;
      std::swap(x, y);
    }
    return sum;
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
    bench::computed(into);
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

/// Vertices from the largest out-degree to the smallest.
std::vector<kasen::GlobalIndex> by_degree(const kasen::tests::Edges& edges, std::uint64_t n) {
  std::vector<std::uint64_t> degree(n);
  for (const auto source : edges.source) ++degree[static_cast<std::size_t>(source)];
  std::vector<kasen::GlobalIndex> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    return degree[static_cast<std::size_t>(a)] > degree[static_cast<std::size_t>(b)];
  });
  return order;
}

/// got[i] is of the vertex order[i].
void check(const std::vector<double>& got, const std::vector<kasen::GlobalIndex>& order, const double* expected) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double want = expected[order[i]];
    if (std::abs(got[i] - want) <= 1e-9 * std::abs(want)) continue;
    std::fprintf(stderr, "error: variants disagree at %zu: %.17g and %.17g\n", i, got[i], want);
    std::exit(1);
  }
}

/// @param degree_order for Kasen; the loop written by hand always has the given one.
void run(const std::string& size, kasen::tests::Edges edges, std::uint64_t n, bool degree_order, int repetitions) {
  const ByColumn by_column(edges, n);
  const AlongHilbert along_hilbert(edges);
  std::vector<kasen::GlobalIndex> order(n);
  std::iota(order.begin(), order.end(), 0);
  if (degree_order) {
    order = by_degree(edges, n);
    std::vector<kasen::GlobalIndex> label(n);
    for (std::size_t i = 0; i < n; ++i) label[static_cast<std::size_t>(order[i])] = static_cast<kasen::GlobalIndex>(i);
    for (auto* side : {&edges.source, &edges.target}) {
      for (auto& vertex : *side) vertex = label[static_cast<std::size_t>(vertex)];
    }
  }
  const kasen::Space space = kasen::separate_space(n, "vertices");
  const auto matrix =
      kasen::make_matrix(space, space, kasen::Entries{std::move(edges.source), std::move(edges.target), {}, 0});

  kasen::runtime::BufferPool pool;
  const auto by_hand = pool.obtain(n, sizeof(double)), x = pool.obtain(n, sizeof(double)),
             hilbert = pool.obtain(n, sizeof(double));
  auto* hand_out = reinterpret_cast<double*>(by_hand->data());
  auto* hand_hilbert = reinterpret_cast<double*>(hilbert->data());
  auto* hand_in = reinterpret_cast<double*>(x->data());
  for (std::uint64_t i = 0; i < n; ++i) hand_in[i] = element(static_cast<kasen::GlobalIndex>(i), 3);
  const auto make = [&](int step) {
    return kasen::map([step, vertex = order.data()](kasen::GlobalIndex i) { return element(vertex[i], step); },
                      kasen::iota(space));
  };
  Products products{matrix, make(3), make(5), kasen::constant(space, 0.0), kasen::constant(space, 0.0)};

  const std::size_t entries = by_column.index.size();
  const auto inner =
      static_cast<int>(std::max<std::size_t>(1, (std::size_t{1} << 22) / std::max<std::size_t>(entries, 1)));
  std::vector<bench::Variant> variants = {
      {"hand_32_bit", [&] { bench::pull(by_column.pointer.data(), by_column.index.data(), hand_in, hand_out, n); }},
      {"kasen", [&] { products.one(); }},
      {"hand_hilbert",
       [&] {
         bench::add_entries(along_hilbert.source.data(), along_hilbert.target.data(), hand_in, hand_hilbert, entries,
                            n);
       }},
      {"two_planned", [&] { products.planned(); }},
      {"two_apart", [&] { products.apart(); }},
  };
  for (bench::Variant& variant : variants) {
    variant.run = [inner, once = variant.run] {
      for (int k = 0; k < inner; ++k) once();
    };
  }
  bench::measure(variants, repetitions);
  check(products.first.get(), order, hand_out);
  for (bench::Variant& variant : variants) {
    for (double& seconds : variant.seconds) seconds /= inner;
  }
  bench::print_rows("matrix_sweep", size, variants);
  bench::print_ratio("matrix_sweep", size, variants[1], variants[0], 1.0);
  bench::print_ratio("matrix_sweep", size, variants[2], variants[0]);
  bench::print_ratio("matrix_sweep", size, variants[3], variants[4], 0.7);
  std::printf("# matrix_sweep %s: two products are planned %s\n", size.c_str(), chosen());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "A matrix sweep beside a pull loop written by hand, and two products of one plan beside two of a plan each, on "
      "one worker; --fusion exact chooses whether the one plan joins them");
  std::vector<int> scales = {20, 14};
  std::vector<std::string> graphs;
  bool degree_order = false;
  std::uint64_t edges_per_vertex = 16;
  int repetitions = 11;
  app.add_option("--scale", scales, "base-2 logarithm of the number of vertices")->capture_default_str();
  app.add_option("--edges-per-vertex", edges_per_vertex)->capture_default_str();
  app.add_option("--graph", graphs, "edge lists, instead of generated graphs")->type_name("FILE");
  app.add_flag("--by-degree", degree_order, "Kasen's matrix has its vertices in the order of their degrees");
  app.add_option("--repetitions", repetitions, "times each variant is measured")->capture_default_str();
  kasen::Session session(argc, argv, app);
  bench::print_header();
  for (const std::string& graph : graphs) {
    auto list = kasen::io::read_graph(session.engine().control(), graph);
    run(graph, {list.entries.row.copy(), list.entries.column.copy()}, list.rows, degree_order, repetitions);
  }
  for (const int scale : graphs.empty() ? scales : std::vector<int>()) {
    run("rmat-" + std::to_string(scale) + "-" + std::to_string(edges_per_vertex),
        kasen::tests::rmat(scale, edges_per_vertex, 1), std::uint64_t{1} << scale, degree_order, repetitions);
  }
  return 0;
}
