/// @file
/// Matrix kernels against dense loops, for one, two and four vectors, with and without values.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "kasen/runtime/kernels.h"
#include "partition/blocked_matrix.h"
#include "partition/stencil_matrix.h"
#include "tests/runtime/every_way.h"

namespace kasen::runtime {
namespace {

/// A random matrix, dense for the reference and compressed for the kernel; output j has up to `longest` entries.
struct Matrix {
  std::uint32_t inputs, outputs;
  std::vector<double> dense;  ///< outputs x inputs, 0: no entry
  std::vector<std::uint64_t> pointer{0};
  std::vector<std::uint32_t> index;
  std::vector<double> value;

  Matrix(std::uint32_t inputs_, std::uint32_t outputs_, std::uint32_t longest)
      : inputs(inputs_), outputs(outputs_), dense(std::size_t{inputs_} * outputs_) {
    std::mt19937 random(7);
    for (std::uint32_t j = 0; j < outputs; ++j) {
      const double density = static_cast<double>(random() % (longest + 1)) / inputs;
      for (std::uint32_t i = 0; i < inputs; ++i) {
        if (static_cast<double>(random() % 1000) >= density * 1000) continue;
        const double v = 1 + static_cast<double>(random() % 9);
        dense[std::size_t{j} * inputs + i] = v;
        index.push_back(i);
        value.push_back(v);
      }
      pointer.push_back(index.size());
    }
  }
};

/// All outputs, in tiles.
std::vector<std::vector<double>> run(const MatrixKernel& kernel, const Matrix& m, bool values,
                                     const std::vector<std::vector<double>>& in, std::uint32_t tile_elements,
                                     Prefetched prefetched = Prefetched::nothing) {
  std::vector<std::vector<double>> out(in.size(), std::vector<double>(m.outputs));
  std::vector<const void*> sources;
  for (const auto& v : in) sources.push_back(v.data());
  for (std::uint32_t first = 0; first < m.outputs; first += tile_elements) {
    std::vector<void*> targets;
    for (auto& v : out) targets.push_back(v.data() + first);
    MatrixTile tile;
    tile.matrix = {m.pointer.data(), m.index.data(), values ? m.value.data() : nullptr};
    tile.in = sources.data();
    tile.out = targets.data();
    tile.first = first;
    tile.n = std::min(tile_elements, m.outputs - first);
    set_prefetched(prefetched, m.index.size(), tile);
    kernel.pull[in.size() == 4 ? 2 : in.size() - 1](kernel.context.get(), tile);
  }
  return out;
}

std::vector<std::vector<double>> vectors(std::size_t count, std::uint32_t n) {
  std::vector<std::vector<double>> result(count, std::vector<double>(n));
  for (std::size_t k = 0; k < count; ++k) {
    for (std::uint32_t i = 0; i < n; ++i) result[k][i] = 1.0 / static_cast<double>(i + k + 1);
  }
  return result;
}

constexpr auto kPlus = [](double a, double b) { return a + b; };

TEST(MatrixKernel, EqualsDenseLoop) {
  const MatrixKernel kernel =
      matrix_kernel<double, double, double>([](double x, double m) { return x * m; }, kPlus, 0.0);
  const Matrix m(90, 70, 90);
  const auto in = vectors(1, m.inputs);
  for (std::uint32_t tile : {1u, 16u, 128u}) {
    const auto out = run(kernel, m, true, in, tile);
    for (std::uint32_t j = 0; j < m.outputs; ++j) {
      double expected = 0;
      for (std::uint32_t i = 0; i < m.inputs; ++i) expected += m.dense[std::size_t{j} * m.inputs + i] * in[0][i];
      EXPECT_NEAR(out[0][j], expected, 1e-12 * (1 + expected));
    }
  }
}

TEST(MatrixKernel, PatternWithoutEntriesGivesTheIdentity) {
  const double infinity = std::numeric_limits<double>::infinity();
  const MatrixKernel kernel = matrix_kernel<double, double, void>(
      [](double x) { return x; }, [](double a, double b) { return b < a ? b : a; }, infinity);
  const Matrix m(40, 60, 6);
  const auto in = vectors(1, m.inputs);
  const auto out = run(kernel, m, false, in, 32);
  for (std::uint32_t j = 0; j < m.outputs; ++j) {
    double expected = infinity;
    for (std::uint32_t i = 0; i < m.inputs; ++i) {
      if (m.dense[std::size_t{j} * m.inputs + i] != 0) expected = std::min(expected, in[0][i]);
    }
    EXPECT_EQ(out[0][j], expected);
  }
}

TEST(MatrixKernel, SeveralVectorsAndPrefetchingKeepTheBits) {
  const MatrixKernel kernel = matrix_kernel<double, double, void>([](double x) { return x; }, kPlus, 0.0);
  const Matrix m(90, 200, 60);
  const auto four = vectors(4, m.inputs);
  const auto joined = run(kernel, m, false, four, 64);
  const auto two = run(kernel, m, false, {four[2], four[3]}, 50);
  for (std::size_t k = 0; k < 4; ++k) {
    for (const Prefetched prefetched : kEveryWay) {
      const auto alone = run(kernel, m, false, {four[k]}, 31, prefetched);
      EXPECT_EQ(alone[0], joined[k]);
      if (k >= 2) {
        EXPECT_EQ(alone[0], two[k - 2]);
      }
    }
  }
}

/// The matrix is compressed along the inputs now: `outputs` of it are walked.
TEST(MatrixKernel, PushingAddsToWhatIsThere) {
  const MatrixKernel kernel =
      matrix_kernel<double, double, double>([](double x, double m) { return x * m; }, kPlus, 0.0);
  const Matrix m(90, 70, 60);
  const auto in = vectors(1, m.outputs);
  std::vector<double> expected(m.inputs, 1.0);
  for (std::uint32_t i = 0; i < m.outputs; ++i) {
    for (std::uint32_t j = 0; j < m.inputs; ++j) expected[j] += m.dense[std::size_t{i} * m.inputs + j] * in[0][i];
  }
  for (const Prefetched prefetched : kEveryWay) {
    std::vector<double> out(m.inputs, 1.0);
    for (std::uint32_t first = 0; first < m.outputs; first += 16) {
      const void* source = in[0].data() + first;
      void* target = out.data();
      MatrixTile tile;
      tile.matrix = {m.pointer.data(), m.index.data(), m.value.data()};
      tile.in = &source;
      tile.out = &target;
      tile.first = first;
      tile.n = std::min(16u, m.outputs - first);
      set_prefetched(prefetched, m.index.size(), tile);
      kernel.push(kernel.context.get(), tile);
    }
    for (std::uint32_t j = 0; j < m.inputs; ++j) EXPECT_NEAR(out[j], expected[j], 1e-12 * expected[j]);
  }
}

/// All blocks, added to what is in `out`.
template <class Out, class In>
void run_blocks(const MatrixKernel& kernel, const Matrix& m, bool values, std::uint32_t edge,
                const std::vector<std::vector<In>>& in, std::vector<std::vector<Out>>& out, bool far = false) {
  const partition::CompressedView view{m.pointer, m.index, reinterpret_cast<const std::byte*>(m.value.data())};
  const partition::BlockedMatrix blocked(view, values ? sizeof(double) : 0, m.inputs, edge);
  for (const auto& at : blocked.blocks()) {
    std::vector<const void*> sources;
    std::vector<void*> targets;
    for (const auto& v : in) sources.push_back(v.data() + at.first_input);
    for (auto& v : out) targets.push_back(v.data() + at.first_output);
    MatrixBlock block;
    block.runs = at.runs.data();
    block.output = blocked.output() + at.first_run;
    block.length = blocked.length() + at.first_long_run;
    block.input = blocked.input() + at.first_entry;
    block.value = values ? blocked.value() + at.first_entry * sizeof(double) : nullptr;
    block.in = sources.data();
    block.out = targets.data();
    block.far = far;
    kernel.blocked[in.size() == 4 ? 2 : in.size() - 1](kernel.context.get(), block);
  }
}

TEST(MatrixKernel, BlocksAddToWhatIsThere) {
  const MatrixKernel kernel =
      matrix_kernel<double, double, double>([](double x, double m) { return x * m; }, kPlus, 0.0);
  const Matrix m(90, 300, 90);
  const auto in = vectors(4, m.inputs);
  for (const std::uint32_t edge : {7u, 64u, 65536u}) {
    std::vector<std::vector<double>> four(4, std::vector<double>(m.outputs, 1.0));
    run_blocks(kernel, m, true, edge, in, four);
    for (std::size_t k = 0; k < 4; ++k) {
      for (std::uint32_t j = 0; j < m.outputs; ++j) {
        double expected = 1;
        for (std::uint32_t i = 0; i < m.inputs; ++i) expected += m.dense[std::size_t{j} * m.inputs + i] * in[k][i];
        EXPECT_NEAR(four[k][j], expected, 1e-12 * expected);
      }
      // However many vectors, and prefetched or not: the same bits.
      std::vector<std::vector<double>> alone{std::vector<double>(m.outputs, 1.0)};
      run_blocks(kernel, m, true, edge, std::vector<std::vector<double>>{in[k]}, alone, true);
      EXPECT_EQ(alone[0], four[k]);
    }
  }
}

TEST(MatrixKernel, BlocksOfStructs) {
  struct Nearest {
    double distance;
    std::int32_t from;
    bool operator==(const Nearest&) const = default;
  };
  const auto nearer = [](const Nearest& a, const Nearest& b) {
    return a.distance < b.distance || (a.distance == b.distance && a.from < b.from) ? a : b;
  };
  const Nearest nowhere{std::numeric_limits<double>::infinity(), -1};
  const MatrixKernel kernel = matrix_kernel<Nearest, Nearest, double>(
      [](const Nearest& x, double m) {
        return Nearest{x.distance + m, x.from};
      },
      nearer, nowhere);
  const Matrix m(90, 300, 90);
  std::vector<std::vector<Nearest>> in(1);
  for (std::uint32_t i = 0; i < m.inputs; ++i)
    in[0].push_back({static_cast<double>(i % 13), static_cast<std::int32_t>(i)});
  std::vector<std::vector<Nearest>> out{std::vector<Nearest>(m.outputs, nowhere)};
  run_blocks(kernel, m, true, 32, in, out);
  for (std::uint32_t j = 0; j < m.outputs; ++j) {
    Nearest expected = nowhere;
    for (std::uint32_t i = 0; i < m.inputs; ++i) {
      const double weight = m.dense[std::size_t{j} * m.inputs + i];
      if (weight != 0) expected = nearer(expected, {in[0][i].distance + weight, in[0][i].from});
    }
    EXPECT_EQ(out[0][j], expected);
  }
}

/// Outputs of which many have the entries of the one before.
Matrix banded(std::uint32_t outputs) {
  Matrix m(outputs + 40, 0, 0);
  m.outputs = outputs;
  m.dense.resize(std::size_t{m.inputs} * outputs);
  for (std::uint32_t j = 0; j < outputs; ++j) {
    for (std::uint32_t e = 0; e < j / 50; ++e) {
      const std::uint32_t i = j + 3 * e;
      m.dense[std::size_t{j} * m.inputs + i] = 1.5 + e;
      m.index.push_back(i);
      m.value.push_back(1.5 + e);
    }
    m.pointer.push_back(m.index.size());
  }
  return m;
}

/// All outputs through stencils, in tiles.
template <class T>
std::vector<std::vector<T>> run_stencils(const MatrixKernel& kernel, const Matrix& m, bool values,
                                         const std::vector<std::vector<double>>& in, std::uint32_t tile_elements) {
  const partition::CompressedView view{m.pointer, m.index,
                                       values ? reinterpret_cast<const std::byte*>(m.value.data()) : nullptr};
  const partition::StencilMatrix stencils(view, values ? sizeof(double) : 0);
  std::vector<std::vector<T>> out(in.size(), std::vector<T>(m.outputs));
  std::vector<const void*> sources;
  for (const auto& v : in) sources.push_back(v.data());
  for (std::uint32_t first = 0; first < m.outputs; first += tile_elements) {
    std::vector<void*> targets;
    for (auto& v : out) targets.push_back(v.data() + first);
    StencilTile tile;
    tile.matrix = {stencils.run_of(first), stencils.pointer(), stencils.offset(), stencils.value()};
    tile.in = sources.data();
    tile.out = targets.data();
    tile.vectors = static_cast<std::uint32_t>(in.size());
    tile.first = first;
    tile.n = std::min(tile_elements, m.outputs - first);
    kernel.stencils(kernel.context.get(), tile);
  }
  return out;
}

/// Members that follow conditions, of which compilers make masks.
TEST(MatrixKernel, StencilsOfStructs) {
  struct Range {
    double least, most, sum;
    bool operator==(const Range&) const = default;
  };
  const auto of = [](double x, double m) { return Range{x - m, x * m, x}; };
  const auto join = [](const Range& a, const Range& b) {
    return Range{std::min(a.least, b.least), std::max(a.most, b.most), a.sum + b.sum};
  };
  const Range none{1, -1, 0};
  const Matrix m = banded(690);
  std::vector<std::vector<double>> in(2, std::vector<double>(m.inputs));
  for (std::uint32_t i = 0; i < m.inputs; ++i) in[0][i] = i % 13, in[1][i] = i * i % 17 - 8.0;
  const auto out = run_stencils<Range>(matrix_kernel<Range, double, double>(of, join, none), m, true, in, 64);
  for (std::size_t k = 0; k < in.size(); ++k) {
    for (std::uint32_t j = 0; j < m.outputs; ++j) {
      Range expected = none;
      for (std::uint64_t e = m.pointer[j]; e < m.pointer[j + 1]; ++e)
        expected = join(expected, of(in[k][m.index[e]], m.value[e]));
      EXPECT_EQ(out[k][j], expected) << j;
    }
  }
}

/// Stencils of no to 13 entries, wherever tiles cut their runs: the bits of sums that take entries in order.
TEST(MatrixKernel, StencilsTakeEntriesInOrder) {
  const Matrix m = banded(690);
  const auto in = vectors(3, m.inputs);
  const MatrixKernel product =
      matrix_kernel<double, double, double>([](double x, double value) { return x * value; }, kPlus, 0.25);
  const MatrixKernel sum = matrix_kernel<double, double, void>([](double x) { return x / 3; }, kPlus, 0.25);
  for (const bool values : {true, false}) {
    const auto whole = run_stencils<double>(values ? product : sum, m, values, in, m.outputs);
    for (std::size_t k = 0; k < in.size(); ++k) {
      for (std::uint32_t j = 0; j < m.outputs; ++j) {
        double expected = 0.25;
        for (std::uint64_t e = m.pointer[j]; e < m.pointer[j + 1]; ++e)
          expected += values ? in[k][m.index[e]] * m.value[e] : in[k][m.index[e]] / 3;
        EXPECT_NEAR(whole[k][j], expected, 1e-14) << j;
      }
    }
    for (const std::uint32_t tile_elements : {1u, 7u, 64u, 333u})
      EXPECT_EQ(run_stencils<double>(values ? product : sum, m, values, in, tile_elements), whole) << tile_elements;
  }
}

TEST(MatrixKernel, ElementTypesMayDiffer) {
  const MatrixKernel count = matrix_kernel<std::int32_t, double, void>(
      [](double) { return 1; }, [](std::int32_t a, std::int32_t b) { return a + b; }, 0);
  const Matrix m(30, 50, 20);
  const auto in = vectors(1, m.inputs);
  std::vector<std::int32_t> out(m.outputs);
  const void* source = in[0].data();
  void* target = out.data();
  MatrixTile tile;
  tile.matrix = {m.pointer.data(), m.index.data(), nullptr};
  tile.in = &source;
  tile.out = &target;
  tile.n = m.outputs;
  count.pull[0](count.context.get(), tile);
  for (std::uint32_t j = 0; j < m.outputs; ++j) {
    EXPECT_EQ(static_cast<std::uint64_t>(out[j]), m.pointer[j + 1] - m.pointer[j]);
  }
}

}  // namespace
}  // namespace kasen::runtime
