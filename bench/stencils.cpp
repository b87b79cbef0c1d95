/// @file
/// Measurement of products with stencils of grids in a recorded loop, stored as stencils and compressed, beside loops
/// over arrays written by hand.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/measure.h"
#include "bench/stencils_hand.h"
#include "kasen/kasen.h"
#include "kasen/make_matrices.h"
#include "kasen/runtime/buffer_pool.h"

namespace {

using Extents = std::vector<std::uint64_t>;
using Neighbours = std::vector<kasen::Neighbour<double>>;

struct Grid {
  std::string name;
  Extents extents;
  std::function<void(const double* from, double* to)> by_hand;

  std::uint64_t cells() const {
    std::uint64_t product = 1;
    for (const std::uint64_t extent : extents) product *= extent;
    return product;
  }
  /// 0.6 of a cell itself, and the rest of its neighbours in equal parts.
  Neighbours neighbours() const {
    Neighbours all{{std::vector<std::int64_t>(extents.size()), 0.6}};
    for (std::size_t d = 0; d < extents.size(); ++d) {
      for (const std::int64_t step : {-1, 1}) {
        std::vector<std::int64_t> offset(extents.size());
        offset[d] = step;
        all.push_back({std::move(offset), 0.4 / static_cast<double>(2 * extents.size())});
      }
    }
    return all;
  }
};

/// Cells by the pool that Kasen's vectors come from.
class Cells {
 public:
  Cells(kasen::runtime::BufferPool& pool, const std::vector<double>& values)
      : _buffer(pool.obtain(values.size(), sizeof(double))) {
    std::copy(values.begin(), values.end(), at());
  }
  double* at() { return reinterpret_cast<double*>(_buffer->data()); }

 private:
  kasen::runtime::BufferRef _buffer;
};

/// So many sweeps over the grid, in a recorded loop and by hand.
void run(const Grid& grid, const std::string& storage, int sweeps, int repetitions) {
  const kasen::Space space = kasen::separate_space(grid.cells(), "cells");
  const kasen::Matrix<double> around = kasen::stencil(space, grid.extents, grid.neighbours());
  kasen::Vector<double> heat = kasen::random(space, 1);
  kasen::runtime::BufferPool pool;
  const std::vector<double> start = heat.get();
  Cells from(pool, start), to(pool, start);
  std::vector<bench::Variant> variants{{"hand",
                                        [&] {
                                          for (int k = 0; k < sweeps; ++k) {
                                            grid.by_hand(from.at(), to.at());
                                            std::swap(from, to);
                                          }
                                        }},
                                       {storage, [&] {
                                          kasen::Shared<int> k = 0;
                                          kasen::while_([&] { return k < sweeps; },
                                                        [&] {
                                                          heat = kasen::multiply(around, heat);
                                                          k = k + 1;
                                                        });
                                          k.get();
                                        }}};
  bench::measure(variants, repetitions);
  const std::vector<double> got = heat.get();
  for (std::size_t i = 0; i < got.size(); ++i) bench::check(got[i], from.at()[i]);
  bench::print_rows("stencils", grid.name, variants);
  bench::print_ratio("stencils", grid.name, variants[1], variants[0]);
}

/// The same grid for every number of cells but the cube's.
std::vector<Grid> grids(std::int64_t edge) {
  const auto extent = static_cast<std::uint64_t>(edge);
  const std::int64_t cells = edge * edge, of_cube = std::max<std::int64_t>(edge / 13, 3);
  const auto cube = static_cast<std::uint64_t>(of_cube);
  return {{"line", {extent * extent}, [cells](const double* x, double* y) { bench::sweep_line(x, y, cells); }},
          {"plane", {extent, extent}, [edge](const double* x, double* y) { bench::sweep_plane(x, y, edge, edge); }},
          {"cube", {cube, cube, cube}, [of_cube](const double* x, double* y) { bench::sweep_cube(x, y, of_cube); }}};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Products with stencils of grids beside loops written by hand, on one worker");
  std::int64_t edge = 2000;
  int sweeps = 20, repetitions = 11;
  app.add_option("--edge", edge, "cells along a plane; a line has as many as the plane, a cube a 13th along")
      ->capture_default_str();
  app.add_option("--sweeps", sweeps, "of a repetition")->capture_default_str();
  app.add_option("--repetitions", repetitions, "times each variant is measured")->capture_default_str();
  kasen::Session session(argc, argv, app);
  bench::print_header();
  const bool compressed = session.options().storage == kasen::Storage::compressed;
  for (const Grid& grid : grids(edge))
    run({grid.name + " " + std::to_string(grid.cells()), grid.extents, grid.by_hand},
        compressed ? "compressed" : "kasen", sweeps, repetitions);
  return 0;
}
