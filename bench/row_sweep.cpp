/// @file
/// X'f(Xv) in one pass over X beside three sweeps: what does it save to read the matrix once, and what does it cost
/// that v and the result are both reached at random, together?
#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "bench/measure.h"
#include "kasen/engine.h"
#include "kasen/kasen.h"
#include "kasen/runtime/executor.h"
#include "optimizer/assign_storage.h"
#include "optimizer/liveness.h"
#include "tests/support/graphs.h"

namespace {

using kasen::optimizer::Launch;
using kasen::optimizer::Plan;
using kasen::optimizer::Step;
using kasen::optimizer::Sweep;

constexpr auto kTimes = [](double x, double m) { return x * m; };
constexpr auto kPlus = [](double a, double b) { return a + b; };
constexpr auto kBend = [](double z) { return z / (1 + std::abs(z)); };

/// The matrix, and z = X v, y = f(z), g = X'y as plans of their own.
class Rows {
 public:
  Rows(kasen::Engine& engine, kasen::SpaceId rows, kasen::SpaceId columns, kasen::MatrixId matrix)
      : _engine(engine),
        _rows(rows),
        _columns(columns),
        _matrix(matrix),
        _steps(engine.control().native(), "bench.steps"),
        _executor(engine.control(), _steps, engine.options().exchange_limit, engine.placement(), _pool) {
    using kasen::runtime::VectorOperand;
    _kernels = {kasen::runtime::matrix_kernel<double, double, double>(kTimes, kPlus, 0.0),
                kasen::runtime::element_kernel<double>(kBend, VectorOperand<double>{})};
    _reducers = {kasen::runtime::reducer<double>(kPlus, std::optional<double>(0.0))};
  }

  Plan plan(bool one_pass) const {
    Plan plan;
    for (const kasen::SpaceId space : {_columns, _rows, _rows, _columns}) {
      kasen::Value value;
      value.space = space;
      value.type.bytes = sizeof(double);
      plan.values.push_back(value);
    }
    plan.states.resize(plan.values.size());
    plan.live_in = {{kV, {}, false}};
    plan.results = {{kG, kG, {}}};
    Launch pull = launch(kasen::Op::mxvt, 0, kV, kZ), bend = launch(kasen::Op::element, 1, kZ, kY),
           back = launch(kasen::Op::mxv, 0, kY, kG);
    back.push = one_pass;
    if (one_pass) {
      plan.steps = {step(_rows, true, {pull, bend, back})};
    } else {
      plan.steps = {step(_rows, true, {pull}), step(_rows, false, {bend}), step(_columns, true, {back})};
    }
    kasen::optimizer::find_liveness(plan);
    kasen::optimizer::assign_storage(plan, {});
    return plan;
  }

  kasen::runtime::RunResult run(const Plan& plan, const kasen::runtime::LiveValue& v) {
    return _executor.run(plan, _kernels, _reducers, {v});
  }
  std::vector<double> result(const Plan& plan, const kasen::runtime::LiveValue& v) {
    const auto g = run(plan, v).results.at(0);
    const auto* first = reinterpret_cast<const double*>(g.buffer->data());
    return {first, first + _engine.placement().space(_columns).masters()};
  }

  kasen::runtime::LiveValue vector() {
    const auto& space = _engine.placement().space(_columns);
    kasen::runtime::LiveValue v;
    v.buffer = _pool.obtain(space.local_size(), sizeof(double));
    for (kasen::LocalIndex i = 0; i < space.local_size(); ++i) {
      reinterpret_cast<double*>(v.buffer->data())[i] = 1.0 / (1 + i % 97);
    }
    return v;
  }

 private:
  static constexpr kasen::ValueId kV{0}, kZ{1}, kY{2}, kG{3};

  static Launch launch(kasen::Op op, std::uint32_t kernel, kasen::ValueId in, kasen::ValueId out) {
    Launch launch;
    launch.op = op;
    launch.kernel = static_cast<kasen::KernelId>(kernel);
    launch.reducer = kasen::ReducerId{0};
    launch.in = {in};
    launch.out = {out};
    return launch;
  }
  Step step(kasen::SpaceId space, bool with_matrix, std::vector<Launch> launches) const {
    Sweep sweep;
    sweep.space = space;
    if (with_matrix) sweep.matrix = _matrix;
    sweep.launches = std::move(launches);
    Step step;
    step.what = std::move(sweep);
    return step;
  }

  kasen::Engine& _engine;
  kasen::SpaceId _rows, _columns;
  kasen::MatrixId _matrix;
  kasen::comm::Communicator _steps;
  kasen::runtime::BufferPool _pool;
  kasen::runtime::Executor _executor;
  std::vector<kasen::runtime::Kernel> _kernels;
  std::vector<kasen::runtime::Reducer> _reducers;
};

void check(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) <= 1e-9 * std::abs(b[i])) continue;
    std::fprintf(stderr, "error: variants disagree at %zu: %.17g and %.17g\n", i, a[i], b[i]);
    std::exit(1);
  }
}

void run(kasen::Session& session, const std::string& size, kasen::tests::Edges edges, std::uint64_t height,
         std::uint64_t width, int repetitions) {
  kasen::Engine& engine = session.engine();
  const std::size_t entries = edges.source.size();
  std::vector<std::byte> values(entries * sizeof(double));
  for (std::size_t e = 0; e < entries; ++e) {
    const double value = 1.0 / static_cast<double>(1 + e % 13);
    std::memcpy(&values[e * sizeof value], &value, sizeof value);
  }
  kasen::partition::Placement& placement = engine.placement();
  const kasen::SpaceId rows = placement.separate_space(height, "rows");
  const kasen::SpaceId columns = placement.separate_space(width, "columns");
  const kasen::MatrixId matrix = placement.add_matrix(
      rows, columns, {std::move(edges.source), std::move(edges.target), std::move(values), sizeof(double)});
  Rows work(engine, rows, columns, matrix);
  const auto v = work.vector();
  const Plan one = work.plan(true), three = work.plan(false);
  check(work.result(one, v), work.result(three, v));

  const std::size_t inner = std::max<std::size_t>(1, (std::size_t{1} << 22) / entries);
  const auto repeated = [&](const Plan& plan) {
    return [&work, &plan, &v, inner] {
      for (std::size_t k = 0; k < inner; ++k) work.run(plan, v);
    };
  };
  std::vector<bench::Variant> variants = {{"one_pass", repeated(one)}, {"three_sweeps", repeated(three)}};
  bench::measure(variants, repetitions);
  for (bench::Variant& variant : variants) {
    for (double& seconds : variant.seconds) seconds /= static_cast<double>(inner);
  }
  bench::print_rows("row_sweep", size, variants);
  bench::print_ratio("row_sweep", size, variants[0], variants[1]);
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
  CLI::App app("X'f(Xv) in one pass over X beside three sweeps, on one worker: sparse matrices and a full one");
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
    run(session, "rmat-" + std::to_string(scale) + "-" + std::to_string(edges_per_vertex),
        kasen::tests::rmat(scale, edges_per_vertex, 1), n, n, repetitions);
  }
  if (height > 0) {
    run(session, "full-" + std::to_string(height) + "-" + std::to_string(width), full(height, width), height, width,
        repetitions);
  }
  return 0;
}
