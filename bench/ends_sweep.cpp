/// @file
/// Measurement of a reduction of both ends of non-zeros, the squared errors of a factorisation of rank 10, beside a
/// loop over rows written by hand, of which every worker has a block, and one that fetches factors ahead as Kasen does.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/computed.h"
#include "bench/ends_sweep_hand.h"
#include "bench/measure.h"
#include "kasen/kasen.h"
#include "kasen/runtime/buffer_pool.h"
#include "tests/support/graphs.h"

namespace {

using bench::Factor;

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
      : pointer(rows.count + 1), _u(_pool.obtain(rows.count, sizeof(Factor))), _v(_pool.obtain(n, sizeof(Factor))) {
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

 private:
  static Factor* of(const kasen::runtime::BufferRef& buffer) { return reinterpret_cast<Factor*>(buffer->data()); }

  kasen::runtime::BufferPool _pool;
  kasen::runtime::BufferRef _u, _v;  ///< on huge pages, as Kasen's vectors are
};

/// Seconds of the slowest worker, from when all begin.
template <class Run>
double wall_seconds(const Run& run) {
  kasen::workers::sum(0);
  const auto begin = std::chrono::steady_clock::now();
  run();
  return kasen::workers::max(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
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
  const std::uint64_t inner = std::max<std::uint64_t>(1, (std::uint64_t{1} << 23) / edges.source.size());
  for (bench::Variant& variant : variants) {
    variant.run = [inner, once = variant.run] {
      for (std::uint64_t k = 0; k < inner; ++k) once();
    };
    variant.run();
  }
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (bench::Variant& variant : variants) {
      variant.seconds.push_back(wall_seconds(variant.run) / static_cast<double>(inner));
    }
  }
  if (std::abs(entries_reduced - hand) > 1e-9 * hand) {
    std::fprintf(stderr, "error: variants disagree: %.17g and %.17g\n", entries_reduced, hand);
    std::exit(1);
  }
  if (rank > 0) return;
  bench::print_rows("ends_sweep", size, variants);
  bench::print_ratio("ends_sweep", size, variants[2], variants[0], 1.2);
  bench::print_ratio("ends_sweep", size, variants[2], variants[1]);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "The sum over non-zeros of squared errors of a factorisation of rank 10, beside a loop over rows written by "
      "hand: "
      "seconds of the slowest worker");
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
