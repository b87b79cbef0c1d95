/// @file
/// Matrices stored as stencils in programs: when they are, and that products are those of loops over arrays.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kasen/kasen.h"
#include "kasen/session/engine.h"
#include "tests/endtoend/agreement_of_counts.h"
#include "tests/support/graphs.h"
#include "tests/support/pmpi_witness.h"

namespace kasen::tests {
namespace {

using Numbers = std::vector<double>;

class Stencils : public testing::Test {
 protected:
  void start(Storage storage, std::uint32_t threads = 1) {
    end();
    Options options;
    options.quiet = true;
    options.storage = storage;
    options.threads = threads;
    options.part_elements = 16;
    reset_witness();
    _session.emplace(options);
  }
  void end() {
    if (!_session) return;
    const std::string wrong = disagreements(*_session);
    EXPECT_TRUE(wrong.empty()) << wrong << _session->plan_text();
    _session.reset();
  }
  void TearDown() override { end(); }
  bool planned() const { return _session->plan_text().find("by stencils") != std::string::npos; }
  PlacementStats::Matrix matrix() { return _session->engine().placement().stats().matrices.at(0); }

  std::optional<Session> _session;
};

constexpr std::int64_t kRows = 18, kColumns = 400, kCells = kRows * kColumns;
const std::vector<std::uint64_t> kExtents{kRows, kColumns};

struct Weight {
  std::int64_t down, right;
  double weight;
};
/// Of small whole numbers, so that sums are exact in any order; not symmetric.
const std::vector<Weight> kWeights{{0, 0, 2}, {0, 1, -1}, {0, -2, 3}, {1, 0, 1}, {-1, 1, -2}, {2, -1, 1}, {-3, 0, 1}};

template <class T = double>
std::vector<Neighbour<T>> neighbours() {
  std::vector<Neighbour<T>> all;
  for (const Weight& one : kWeights) all.push_back({{one.down, one.right}, static_cast<T>(one.weight)});
  return all;
}

double start_of(GlobalIndex i) { return static_cast<double>(i % 7 - 2); }

Numbers starts() {
  Numbers all;
  for (GlobalIndex i = 0; i < kCells; ++i) all.push_back(start_of(i));
  return all;
}

template <class T = double>
Vector<T> started(Space space) {
  return map([](GlobalIndex i) { return static_cast<T>(start_of(i)); }, iota(space));
}

/// One sweep; transposed, what a cell has is given to its neighbours instead of taken from them.
Numbers swept(const Numbers& from, Edge edge, bool transposed) {
  Numbers to(from.size());
  for (std::int64_t r = 0; r < kRows; ++r) {
    for (std::int64_t c = 0; c < kColumns; ++c) {
      for (const Weight& one : kWeights) {
        std::int64_t row = r + one.down, column = c + one.right;
        const bool outside = row < 0 || row >= kRows || column < 0 || column >= kColumns;
        if (outside && edge == Edge::open) continue;
        row = (row + kRows) % kRows;
        column = (column + kColumns) % kColumns;
        const auto here = static_cast<std::size_t>(r * kColumns + c),
                   there = static_cast<std::size_t>(row * kColumns + column);
        to[transposed ? there : here] += one.weight * from[transposed ? here : there];
      }
    }
  }
  return to;
}

Numbers swept(Numbers numbers, Edge edge, bool transposed, int times) {
  for (int k = 0; k < times; ++k) numbers = swept(numbers, edge, transposed);
  return numbers;
}

void in_a_loop(int times, const std::function<void()>& body) {
  Shared<int> k = 0;
  while_([&] { return k < times; },
         [&] {
           body();
           k = k + 1;
         });
}

TEST_F(Stencils, AreLoopsOverArrays) {
  for (const Storage storage : {Storage::automatic, Storage::stencils, Storage::compressed}) {
    for (const Edge edge : {Edge::open, Edge::periodic}) {
      for (const bool transposed : {false, true}) {
        start(storage);
        const Space cells = separate_space(kCells, "cells");
        const Matrix<double> M = stencil(cells, kExtents, neighbours(), edge);
        Vector<double> v = started(cells);
        in_a_loop(4, [&] { v = transposed ? multiply_transposed(M, v) : multiply(M, v); });
        EXPECT_EQ(v.get(), swept(starts(), edge, transposed, 4));
        EXPECT_EQ(planned(), storage != Storage::compressed) << _session->plan_text();
      }
    }
  }
}

TEST_F(Stencils, HaveFewRunsOfFewEntries) {
  start(Storage::automatic);
  const Space cells = separate_space(kCells, "cells");
  const Matrix<double> M = stencil(cells, kExtents, neighbours());
  Vector<double> v = started(cells);
  EXPECT_EQ(multiply(M, v).get(), swept(starts(), Edge::open, false));
  EXPECT_FALSE(matrix().stencils(Role::Side::row).found) << "one product is not worth looking for them";
  in_a_loop(2, [&] { v = multiply(M, v); });
  v.get();
  // A row of the grid has its inner cells, and on the left two, on the right one whose neighbours differ, and is cut
  // where workers share it; beside those one below, two below, and three above, of other workers, lie elsewhere.
  const auto workers = static_cast<std::uint64_t>(_session->workers());
  const PlacementStats::Matrix::Stencils& found = matrix().stencils(Role::Side::row);
  EXPECT_TRUE(found.found);
  EXPECT_LE(found.runs, 4 * kRows + 8 * kColumns * (workers - 1));
  EXPECT_LE(found.entries, found.runs * kWeights.size());
}

TEST_F(Stencils, OfOtherElementsAndSeveralVectors) {
  const Numbers expected = swept(starts(), Edge::open, false, 3);
  for (const Storage storage : {Storage::stencils, Storage::compressed}) {
    start(storage);
    const Space cells = separate_space(kCells, "cells");
    const auto ints = stencil<std::int32_t>(cells, kExtents, neighbours<std::int32_t>());
    const auto floats = stencil<float>(cells, kExtents, neighbours<float>());
    using Pair = Row<double, 2>;
    Vector<std::int32_t> a = started<std::int32_t>(cells);
    Vector<float> b = started<float>(cells);
    const auto doubled = [](double x) { return Pair{x, 2 * x}; };
    Vector<Pair> c = map(doubled, started(cells));
    Vector<double> d = started(cells), e = map(times, d, 2.0), f = map(times, d, 3.0);
    const auto scaled = [](const Pair& x, float weight) { return static_cast<double>(weight) * x; };
    in_a_loop(3, [&] {
      a = multiply(ints, a);
      b = multiply(floats, b);
      c = mxvt(scaled, plus, floats, c);
      const auto of = [&](const Vector<double>& v) { return mxvt(times, plus, floats, v); };
      const Vector<double> x = of(d), y = of(e), z = of(f);  // one walk
      d = x;
      e = y;
      f = z;
    });
    const std::vector<Pair> pairs = c.get();
    const auto ia = a.get();
    const auto fb = b.get();
    const Numbers xd = d.get(), xe = e.get(), xf = f.get();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(ia[i], expected[i]);
      EXPECT_EQ(fb[i], expected[i]);
      EXPECT_EQ(pairs[i][0], expected[i]);
      EXPECT_EQ(pairs[i][1], 2 * expected[i]);
      EXPECT_EQ(xd[i], expected[i]);
      EXPECT_EQ(xe[i], 2 * expected[i]);
      EXPECT_EQ(xf[i], 3 * expected[i]);
    }
    EXPECT_EQ(planned(), storage == Storage::stencils);
  }
}

/// Products of one function share a walk.
TEST_F(Stencils, OfSeveralVectorsAtOnce) {
  start(Storage::stencils);
  const Space cells = separate_space(kCells, "cells");
  const auto laplace = stencil(cells, kExtents, neighbours());
  Vector<double> u = started(cells), v = map(times, u, 2.0);
  in_a_loop(2, [&] {
    const Vector<double> next_u = multiply(laplace, u), next_v = multiply(laplace, v);
    u = next_u;
    v = next_v;
  });
  const Numbers expected = swept(starts(), Edge::open, false, 2), found_u = u.get(), found_v = v.get();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found_u[i], expected[i]);
    EXPECT_EQ(found_v[i], 2 * expected[i]);
  }
  const std::string plan = _session->plan_text();
  std::size_t walks = 0;
  for (std::size_t at = 0; (at = plan.find("by stencils", at)) != std::string::npos; ++at) ++walks;
  EXPECT_EQ(walks, 1u) << plan;
}

TEST_F(Stencils, StartFromTheIdentityWhereThereIsNothing) {
  for (const Storage storage : {Storage::stencils, Storage::compressed}) {
    start(storage);
    const Space line = separate_space(100, "line");
    std::vector<Entry<Pattern>> edges;
    if (_session->rank() == 0) {
      for (GlobalIndex i = 0; i < 100; ++i)
        if (i % 10 > 3) edges.push_back({i, (i + 3) % 100});
    }
    const auto G = make_matrix<Pattern>(line, line, edges);
    const auto least = mxvt(first, min, G, started(line)).get();
    for (GlobalIndex i = 0; i < 100; ++i) {
      const double expected = i % 10 > 3 ? start_of((i + 3) % 100) : infinity;
      EXPECT_EQ(least[static_cast<std::size_t>(i)], expected) << i;
    }
    EXPECT_EQ(planned(), storage == Storage::stencils);
  }
}

TEST_F(Stencils, StandBesideElementWorkAndOtherProducts) {
  Numbers results[2];
  for (const Storage storage : {Storage::stencils, Storage::compressed}) {
    start(storage);
    const Space cells = separate_space(kCells, "cells");
    const Matrix<double> M = stencil(cells, kExtents, neighbours());
    Vector<double> v = started(cells), w = constant(cells, 1.0);
    Shared<double> norm = 0;
    const auto differs = [](double x, double m, double y) { return m * (x - y); };
    in_a_loop(3, [&] {
      const Vector<double> next = zip_with(KASEN_FN((auto x, auto y), y - 2 * x), v, multiply(M, v));
      norm = reduce(plus, map(KASEN_FN((auto x), kasen::abs(x)), next));
      w = mxvt(differs, plus, M, w, v);  // of both ends
      v = zip_with(plus, next, multiply_transposed(M, w));
    });
    results[storage == Storage::stencils] = v.get();
    results[storage == Storage::stencils].push_back(norm.get());
    EXPECT_EQ(planned(), storage == Storage::stencils);
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST_F(Stencils, OfAnyMatrixWhereTheyAreAskedFor) {
  Numbers results[2];
  for (const Storage storage : {Storage::stencils, Storage::compressed}) {
    start(storage);
    const Edges mine = rmat(7, 5, 1, {_session->rank(), _session->workers()});
    const auto G = make_matrix(1u << 7, 1u << 7, {mine.source, mine.target, {}, 0});
    const Vector<double> v = map([](GlobalIndex i) { return static_cast<double>(i % 9); }, iota(G.rows()));
    results[storage == Storage::stencils] = mxvt(first, plus, G, mxv(first, plus, G, v)).get();
    EXPECT_EQ(planned(), storage == Storage::stencils);
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST_F(Stencils, AreNoneWhereRowsDiffer) {
  start(Storage::automatic);
  const Space line = separate_space(400, "line");
  std::vector<Entry<double>> entries;
  if (_session->rank() == 0)
    for (GlobalIndex i = 0; i < 400; ++i) entries.push_back({i, i, static_cast<double>(i)});
  const auto M = make_matrix<double>(line, line, entries);
  Vector<double> v = constant(line, 1.0);
  in_a_loop(2, [&] { v = multiply(M, v); });
  for (GlobalIndex i = 0; i < 400; ++i) EXPECT_EQ(v.get()[static_cast<std::size_t>(i)], static_cast<double>(i * i));
  EXPECT_FALSE(matrix().stencils(Role::Side::row).found);
}

TEST_F(Stencils, OfShortRowsOfAGridTooButNotOfStructs) {
  for (const bool structs : {false, true}) {
    start(Storage::automatic);
    const Space cells = separate_space(100 * 20, "cells");
    const Matrix<double> M = stencil(cells, {100, 20}, {{{0, 1}, 1.0}, {{0, -1}, 2.0}, {{1, 0}, 1.0}});
    Vector<double> v = constant(cells, 1.0);
    Vector<Row<double, 3>> w = constant(cells, Row<double, 3>{1, 2, 3});
    in_a_loop(2, [&] {
      if (structs) {
        w = mxvt([](const Row<double, 3>& x, double m) { return m * x; }, plus, M, w);
      } else {
        v = multiply(M, v);
      }
    });
    structs ? (void)w.get() : (void)v.get();
    EXPECT_TRUE(matrix().stencils(Role::Side::row).found);
    EXPECT_EQ(planned(), !structs) << _session->plan_text();
  }
}

TEST_F(Stencils, CoverReplicasOfLaterMatrices) {
  start(Storage::stencils);
  const Space cells = separate_space(kCells, "cells");
  const Matrix<double> M = stencil(cells, kExtents, neighbours());
  Vector<double> v = started(cells);
  v = multiply(M, v);
  EXPECT_EQ(v.get(), swept(starts(), Edge::open, false));
  std::vector<Entry<Pattern>> far;  // which each worker needs elements of all others for
  if (_session->rank() == 0)
    for (GlobalIndex i = 0; i < kCells; ++i) far.push_back({i, kCells - 1 - i});
  const auto mirror = make_matrix<Pattern>(cells, cells, far);
  v = multiply(M, multiply(mirror, v));
  Numbers expected = swept(starts(), Edge::open, false);
  std::reverse(expected.begin(), expected.end());
  EXPECT_EQ(v.get(), swept(expected, Edge::open, false));
}

TEST_F(Stencils, HaveTheSameBitsOnThreads) {
  Numbers results[2];
  for (const std::uint32_t threads : {1u, 3u}) {
    start(Storage::automatic, threads);
    const Space cells = separate_space(kCells, "cells");
    const Matrix<double> M = stencil(cells, kExtents, {{{0, 0}, 0.3}, {{0, 1}, 0.1}, {{1, 0}, 0.27}, {{-1, -1}, 0.21}});
    Vector<double> v = random(cells, 5);
    in_a_loop(5, [&] { v = multiply(M, v); });
    results[threads == 1] = v.get();
    EXPECT_TRUE(planned());
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST_F(Stencils, AreDroppedAndMadeAgain) {
  start(Storage::automatic);
  const Space cells = separate_space(kCells, "cells");
  const Matrix<double> M = stencil(cells, kExtents, neighbours());
  Numbers expected = starts();
  Vector<double> v = started(cells);
  for (int k = 0; k < 2; ++k) {
    in_a_loop(2, [&] { v = multiply(M, v); });
    EXPECT_EQ(v.get(), expected = swept(expected, Edge::open, false, 2));
    const auto storages = _session->engine().placement().matrix(MatrixId{0}).storages();
    const partition::MatrixStorage stencils{Role::Side::row, partition::MatrixStorage::Form::stencils};
    EXPECT_TRUE(k > 0 || storages == std::vector{stencils});
    v = map([](double x) { return static_cast<double>(static_cast<std::int64_t>(x) % 50); }, v);
    for (double& x : expected) x = static_cast<double>(static_cast<std::int64_t>(x) % 50);
    in_a_loop(2, [&] { v = multiply_transposed(M, v); });
    EXPECT_EQ(v.get(), expected = swept(expected, Edge::open, true, 2));
  }
}

}  // namespace
}  // namespace kasen::tests
