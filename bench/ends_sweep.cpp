/// @file
/// Measurement of functions of both ends of non-zeros, beside loops over rows written by hand, of which every worker
/// has a block, and loops that fetch factors ahead as Kasen does: the squared errors of a factorisation of rank 10,
/// with factors that are structs, and, with factors that are rows, a step of alternating least squares, the sums over j
/// of (p_i . v_j) v_j, and the product with the matrix.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "bench/computed.h"
#include "bench/ends_sweep_hand.h"
#include "bench/measure.h"
#include "bench/wall_seconds.h"
#include "kasen/kasen.h"
#include "kasen/runtime/buffer_pool.h"
#include "tests/support/graphs.h"

namespace {

using bench::Factor;
using Point = std::span<const double>;
constexpr std::size_t kRank = std::tuple_size_v<Factor>;

double value_at(kasen::GlobalIndex row, kasen::GlobalIndex column) {
  return static_cast<double>(1 + (row * 7 + column * 3) % 5);
}

Factor factor(kasen::GlobalIndex i, std::uint64_t seed) {
  Factor f{};
  for (std::size_t k = 0; k < f.size(); ++k)
    f[k] = kasen::random_unit(seed, static_cast<std::uint64_t>(i) * f.size() + k);
  return f;
}

/// A block of rows, and all factors.
class ByRow {
 public:
  std::vector<std::uint32_t> pointer, index;
  std::vector<double> value;

  ByRow(const kasen::tests::Edges& edges, kasen::BlockRange rows, std::uint64_t n)
      : pointer(rows.count + 1),
        _u(_pool.obtain(rows.count, sizeof(Factor))),
        _v(_pool.obtain(n, sizeof(Factor))),
        _out(_pool.obtain(rows.count, sizeof(Factor))) {
    const auto mine = [&](kasen::GlobalIndex row) {
      return row >= rows.first && row < rows.first + static_cast<kasen::GlobalIndex>(rows.count);
    };
    std::vector<std::pair<kasen::GlobalIndex, kasen::GlobalIndex>> entries;
    for (std::size_t e = 0; e < edges.source.size(); ++e) {
      if (mine(edges.source[e])) entries.emplace_back(edges.source[e] - rows.first, edges.target[e]);
    }
    std::sort(entries.begin(), entries.end());
    for (const auto& [row, column] : entries) {
      ++pointer[static_cast<std::size_t>(row) + 1];
      index.push_back(static_cast<std::uint32_t>(column));
      value.push_back(value_at(row + rows.first, column));
    }
    for (std::size_t i = 0; i < rows.count; ++i) pointer[i + 1] += pointer[i];
    for (std::uint64_t i = 0; i < rows.count; ++i)
      of(_u)[i] = factor(rows.first + static_cast<kasen::GlobalIndex>(i), 1);
    for (std::uint64_t j = 0; j < n; ++j) of(_v)[j] = factor(static_cast<kasen::GlobalIndex>(j), 2);
  }
  double misses(bool ahead) const {
    const auto loop = ahead ? &bench::squared_misses_ahead : &bench::squared_misses;
    return loop(pointer.data(), index.data(), value.data(), of(_u), of(_v), pointer.size() - 1);
  }
  /// Of a rank that the loop is given, or knows.
  double grams(bool knows, bool ahead) const {
    const std::size_t rows = pointer.size() - 1;
    if (knows) {
      bench::gram_products_of_ten(pointer.data(), index.data(), numbers(_u), numbers(_v), numbers(_out), rows, ahead);
    } else {
      bench::gram_products(pointer.data(), index.data(), numbers(_u), numbers(_v), numbers(_out), rows, kRank, ahead);
    }
    return rows == 0 ? 0 : numbers(_out)[0];
  }
  double sums() const {
    const std::size_t rows = pointer.size() - 1;
    bench::sums_of_rows(pointer.data(), index.data(), value.data(), numbers(_v), numbers(_out), rows, kRank);
    return rows == 0 ? 0 : numbers(_out)[0];
  }
  /// Of what was computed last.
  double sum_of_results() const {
    const double* const all = numbers(_out);
    return std::accumulate(all, all + (pointer.size() - 1) * kRank, 0.0);
  }

 private:
  static double* numbers(const kasen::runtime::BufferRef& buffer) { return reinterpret_cast<double*>(buffer->data()); }
  static Factor* of(const kasen::runtime::BufferRef& buffer) { return reinterpret_cast<Factor*>(buffer->data()); }

  kasen::runtime::BufferPool _pool;
  kasen::runtime::BufferRef _u, _v, _out;  ///< in large pages, as Kasen's vectors are
};

void measure(std::vector<bench::Variant>& variants, std::size_t entries, int repetitions) {
  const std::uint64_t inner = std::max<std::uint64_t>(1, (std::uint64_t{1} << 23) / entries);
  for (bench::Variant& variant : variants) {
    variant.run = [inner, once = variant.run] {
      for (std::uint64_t k = 0; k < inner; ++k) once();
    };
    variant.run();
  }
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (bench::Variant& variant : variants) {
      variant.seconds.push_back(bench::wall_seconds(variant.run) / static_cast<double>(inner));
    }
  }
}

void expect_equal(double kasen, double hand) {
  if (std::abs(kasen - hand) <= 1e-9 * std::abs(hand)) return;
  std::fprintf(stderr, "error: variants disagree: %.17g and %.17g\n", kasen, hand);
  std::exit(1);
}

/// With factors that are rows, of a rank that Kasen is told when the program runs.
void run_rows(const std::string& size, const kasen::Matrix<double>& X, const ByRow& by_row, std::size_t entries,
              int repetitions) {
  const auto make = [&](std::uint64_t seed) {
    const auto fill = [seed](kasen::GlobalIndex i, std::span<double> out) {
      const Factor f = factor(i, seed);
      std::copy(f.begin(), f.end(), out.begin());
    };
    return kasen::map(fill, kasen::iota(X.rows()), kasen::width(kRank));
  };
  const kasen::Rows<double> P = make(1), V = make(2);
  const auto gram = [](Point v, double, Point p, std::span<double> out) {
    const double product = kasen::dot(p, v);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = product * v[k];
  };
  const auto sum_of = [](const kasen::Rows<double>& rows) {
    return kasen::reduce(kasen::plus,
                         kasen::map([](Point x) { return std::accumulate(x.begin(), x.end(), 0.0); }, rows))
        .get();
  };
  kasen::Rows<double> grams, sums;
  double hand = 0, hand_sums = 0;
  std::vector<bench::Variant> variants{{"hand", [&] { by_row.grams(false, false); }},
                                       {"hand_ahead", [&] { by_row.grams(false, true); }},
                                       {"hand_of_ten", [&] { by_row.grams(true, true); }},
                                       {"kasen",
                                        [&] {
                                          grams = kasen::mxvt(gram, kasen::plus, X, V, P, kasen::width(kRank));
                                          bench::computed(grams);
                                        }},
                                       {"sums_hand", [&] { by_row.sums(); }},
                                       {"sums_kasen", [&] {
                                          sums = kasen::multiply(X, V);
                                          bench::computed(sums);
                                        }}};
  by_row.grams(false, false);
  hand = kasen::workers::sum(by_row.sum_of_results());
  by_row.sums();
  hand_sums = kasen::workers::sum(by_row.sum_of_results());
  measure(variants, entries, repetitions);
  expect_equal(sum_of(grams), hand);
  expect_equal(sum_of(sums), hand_sums);
  if (kasen::workers::rank() > 0) return;
  bench::print_rows("rows_of_ends_sweep", size, variants);
  for (std::size_t k = 0; k < 3; ++k)
    bench::print_ratio("rows_of_ends_sweep", size, variants[3], variants[k], k == 0 ? 1.2 : 0);
  bench::print_ratio("rows_of_ends_sweep", size, variants[5], variants[4]);
}

void run(const std::string& size, const kasen::tests::Edges& edges, std::uint64_t n, int repetitions) {
  const int rank = kasen::workers::rank(), workers = kasen::workers::size();
  const kasen::Space space = kasen::separate_space(n, "vertices");
  std::vector<kasen::Entry<double>> entries;
  for (auto e = static_cast<std::size_t>(rank); e < edges.source.size(); e += static_cast<std::size_t>(workers))
    entries.push_back({edges.source[e], edges.target[e], value_at(edges.source[e], edges.target[e])});
  const auto X = kasen::make_matrix<double>(space, space, entries);
  const auto make = [&](std::uint64_t seed) {
    return kasen::map([seed](kasen::GlobalIndex i) { return factor(i, seed); }, kasen::iota(space));
  };
  const kasen::Vector<Factor> u = make(1), v = make(2);
  const ByRow by_row(edges, kasen::block_of(space), n);
  const auto miss = [](const Factor& of_row, double x, const Factor& of_column) {
    double product = 0;
    for (std::size_t k = 0; k < of_row.size(); ++k) product += of_row[k] * of_column[k];
    return (x - product) * (x - product);
  };
  bench::computed(u);
  bench::computed(v);
  double hand = 0, entries_reduced = 0;
  std::vector<bench::Variant> variants{
      {"hand", [&] { hand = kasen::workers::sum(by_row.misses(false)); }},
      {"hand_ahead", [&] { hand = kasen::workers::sum(by_row.misses(true)); }},
      {"kasen", [&] { entries_reduced = kasen::reduce_entries(miss, kasen::plus, X, u, v).get(); }}};
  measure(variants, edges.source.size(), repetitions);
  expect_equal(entries_reduced, hand);
  if (rank == 0) {
    bench::print_rows("ends_sweep", size, variants);
    bench::print_ratio("ends_sweep", size, variants[2], variants[0], 1.2);
    bench::print_ratio("ends_sweep", size, variants[2], variants[1]);
  }
  run_rows(size, X, by_row, edges.source.size(), repetitions);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Functions of both ends of non-zeros, of factors of rank 10 that are structs and that are rows, beside loops "
      "over rows written by hand: seconds of the slowest worker");
  std::vector<int> scales = {16};
  std::uint64_t edges_per_vertex = 16;
  int repetitions = 11;
  app.add_option("--scale", scales, "base-2 logarithm of the number of vertices")->capture_default_str();
  app.add_option("--edges-per-vertex", edges_per_vertex)->capture_default_str();
  app.add_option("--repetitions", repetitions, "times each variant is measured")->capture_default_str();
  kasen::Session session(argc, argv, app);
  if (session.rank() == 0) bench::print_header();
  for (const int scale : scales) {
    const std::uint64_t n = std::uint64_t{1} << scale;
    const std::string shape = std::to_string(scale) + "-" + std::to_string(edges_per_vertex);
    run("rmat-" + shape, kasen::tests::rmat(scale, edges_per_vertex, 1), n, repetitions);
    run("uniform-" + shape, kasen::tests::uniform_edges(n, n, n * edges_per_vertex, 1), n, repetitions);
  }
  return 0;
}