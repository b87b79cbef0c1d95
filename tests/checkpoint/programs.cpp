#include "tests/checkpoint/programs.h"

#include <array>
#include <csignal>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>

#include "kasen/batches.h"
#include "kasen/joins.h"
#include "kasen/kasen.h"
#include "kasen/random.h"
#include "kasen/rows.h"
#include "kasen/track.h"

namespace kasen::tests {
namespace {

constexpr std::uint64_t kVertices = 40;

/// Edges from each vertex to a few others, which are given by the first worker.
Matrix<double> graph() {
  std::vector<Entry<double>> all;
  if (Session::current().rank() == 0) {
    for (std::uint64_t i = 0; i < kVertices; ++i) {
      for (std::uint64_t k = 1; k <= 1 + i % 4; ++k)
        all.push_back({static_cast<GlobalIndex>(i), static_cast<GlobalIndex>((i * 7 + k * k * 3) % kVertices),
                       static_cast<double>(1 + (i + k) % 3)});
    }
  }
  const Space vertices = separate_space(kVertices, "vertices");
  return make_matrix(vertices, vertices, all);
}

Numbers numbers_of(const std::vector<std::int64_t>& list) { return {list.begin(), list.end()}; }

Numbers products() {
  const Matrix<double> A = graph();
  Vector<double> v = constant(A.rows(), 1.0), last = v;
  Shared<double> largest = 0.0;
  Shared<int> k = 0;
  while_(likely([&] { return k < 6; }), [&] {
    const auto w = multiply(A, v);
    largest = reduce(max, w);
    last = v;
    v = zip_with(
        [](double a, double b) { return static_cast<double>((static_cast<int>(a) + static_cast<int>(b)) % 97); }, w,
        multiply_transposed(A, v));
    track("largest", largest);
    ++k;
  });
  Numbers all = v.get();
  const Numbers before = last.get();
  all.insert(all.end(), before.begin(), before.end());
  all.push_back(largest.get());
  return all;
}

/// Inexact: sums of fractions.
Numbers pagerank() {
  const Matrix<double> A = graph();
  const auto degree = multiply(A, constant(A.columns(), 1.0));
  Vector<double> rank = constant(A.rows(), 1.0);
  Shared<double> change = 1.0;
  while_(likely([&] { return change > 1e-3; }), [&] {
    const auto sum = multiply_transposed(A, zip_with(divides, rank, degree));
    const auto next = map([](double s) { return 0.15 + 0.85 * s; }, sum);
    change = reduce(plus, zip_with([](double a, double b) { return kasen::abs(a - b); }, rank, next));
    rank = next;
  });
  return rank.get();
}

Numbers search() {
  const Matrix<double> A = graph();
  auto frontier = map([](GlobalIndex i) { return i == 3; }, iota(A.rows()));
  auto level = map([](bool f) { return f ? 0 : -1; }, frontier);
  Shared<int> depth = 0;
  Shared<bool> any = true;
  while_(likely([&] { return any; }), [&] {
    ++depth;
    const auto reached = mxv([](bool f, double) { return f; }, logical_or, A, frontier);
    frontier = zip_with([](bool r, int l) { return r && l < 0; }, reached, level);
    level = zip_with([](int l, bool f, int d) { return f ? d : l; }, level, frontier, depth);
    any = reduce(logical_or, frontier);
  });
  const std::vector<int> levels = level.get();
  Numbers all(levels.begin(), levels.end());
  all.push_back(depth.get());
  return all;
}

/// Paths from vertex to vertex, without the edges that start at one of the last two of nine.
Matrix<double> paths() {
  std::vector<Entry<double>> all;
  for (std::uint64_t i = 0; i + 1 < kVertices; ++i) {
    if (Session::current().rank() == 0 && i % 9 < 7)
      all.push_back({static_cast<GlobalIndex>(i), static_cast<GlobalIndex>(i + 1), 1.0});
  }
  const Space vertices = separate_space(kVertices, "vertices");
  return make_matrix(vertices, vertices, all);
}

Shared<GlobalIndex> different(const Vector<GlobalIndex>& v, const Vector<GlobalIndex>& w) {
  return reduce(plus,
                zip_with(KASEN_FN((auto a, auto b), kasen::select(a != b, GlobalIndex{1}, GlobalIndex{0})), v, w));
}

/// Labels spread along paths, of which fewer change each time: delta iterations.
Numbers labels() {
  const Matrix<double> A = paths();
  Vector<GlobalIndex> label = map([](GlobalIndex i) { return i * 7 % 11; }, iota(A.rows()));
  Shared<GlobalIndex> changed = 1;
  while_(likely([&] { return changed > GlobalIndex{0}; }), [&] {
    const auto next = zip_with(kasen::min, label, mxv(first, kasen::min, A, label));
    changed = different(next, label);
    track("changed", changed);
    label = next;
  });
  return numbers_of(label.get());
}

/// Lanes of streets, of which two workers have as many each, and a path that begins far away from the last lane: its
/// first vertex has a distance early, and waits until all others have theirs.
Matrix<double> lanes(bool both_ways) {
  constexpr std::uint64_t kLanes = 8, kLength = 80, kPlaces = kLanes * kLength + 10;
  std::vector<Entry<double>> all;
  const auto join = [&](std::uint64_t u, std::uint64_t v, double length) {
    all.push_back({static_cast<GlobalIndex>(u), static_cast<GlobalIndex>(v), length});
    if (both_ways) all.push_back({static_cast<GlobalIndex>(v), static_cast<GlobalIndex>(u), length});
  };
  const auto street = [&](std::uint64_t u, std::uint64_t v) {
    join(u, v, static_cast<double>(1 + ((u * 31 + v) * 2654435761 >> 9) % 100000));
  };
  if (Session::current().rank() == 0) {
    for (std::uint64_t u = 0; u < kLanes * kLength; ++u) {
      if (u % kLength + 1 < kLength) street(u, u + 1);
      if (u + kLength < kLanes * kLength) street(u, u + kLength);
    }
    join((kLanes - 1) * kLength, kLanes * kLength, 1e9);
    for (std::uint64_t u = kLanes * kLength; u + 1 < kPlaces; ++u) street(u, u + 1);
  }
  const Space vertices = separate_space(kPlaces, "vertices");
  return make_matrix(vertices, vertices, all);
}

/// Labels that spread while nobody sees the iterations, so that each worker goes on by itself, from few vertices.
Numbers fixpoint() {
  const Matrix<double> A = paths();
  Vector<GlobalIndex> label = map([](GlobalIndex i) { return i % 20 == 1 ? i : GlobalIndex{100}; }, iota(A.rows()));
  Shared<GlobalIndex> changed = 1;
  while_(likely([&] { return changed > GlobalIndex{0}; }), [&] {
    const auto next = zip_with(kasen::min, label, mxv(first, kasen::min, A, label));
    changed = different(next, label);
    label = next;
  });
  return numbers_of(label.get());
}

/// What is connected by roads that lead one way and are taken both ways, again and again, with other labels each time.
Numbers connected() {
  const Matrix<double> A = lanes(false);
  const auto self = iota(A.rows());
  Vector<GlobalIndex> all = map([](GlobalIndex i) { return i % 3; }, self);
  Shared<GlobalIndex> round = 0;
  while_([&] { return round < GlobalIndex{3}; },
         [&] {
           Vector<GlobalIndex> label =
               map([](GlobalIndex i, GlobalIndex r) { return (i + 217 * (r + 1)) % 659; }, self, round);
           Shared<GlobalIndex> changed = 1;
           while_(likely([&] { return changed > GlobalIndex{0}; }), [&] {
             const auto told =
                 zip_with(kasen::max, mxv(first, kasen::max, A, label), mxvt(first, kasen::max, A, label));
             const auto next = zip_with(kasen::max, label, told);
             changed = different(next, label);
             label = next;
           });
           all = zip_with([](GlobalIndex a, GlobalIndex b) { return 5 * a + b; }, all, label);
           round = round + 1;
         });
  return numbers_of(all.get());
}

/// One mini-batch after another, of a vector and of a matrix.
Numbers mini_batches() {
  const Space space(33);
  const auto some = batches(map([](GlobalIndex i) { return (i * 5) % 23; }, iota(space)), 6);
  const auto rows = batches(graph(), 6);
  Vector<GlobalIndex> sums = constant(Space(6), GlobalIndex{0});
  Vector<double> weights = constant(rows.columns(), 1.0);
  Shared<std::uint64_t> step = 0;
  while_([&] { return step < 7u; },
         [&] {
           sums = zip_with([](GlobalIndex a, GlobalIndex b) { return (3 * a + b) % 101; }, sums,
                           batch(some, step % some.count()));
           const Matrix<double> of_step = batch(rows, step % rows.count());
           const auto back = multiply_transposed(of_step, multiply(of_step, weights));
           weights = zip_with([](double a, double b) { return std::fmod(a + b, 97); }, weights, back);
           ++step;
         });
  Numbers all = numbers_of(sums.get());
  const std::vector<double> of_columns = weights.get();
  all.insert(all.end(), of_columns.begin(), of_columns.end());
  return all;
}

/// Loops in loops, branches, and a loop in one.
Numbers nested() {
  const Space space(31);
  Vector<std::int64_t> v = iota(space), fixed = map([](GlobalIndex i) { return i % 5; }, iota(space)), w = v;
  Shared<int> i = 0, steps = 0;
  Shared<std::int64_t> sum = 0;
  while_([&] { return i < 4; },
         [&] {
           const auto before = map([](std::int64_t x) { return x + 1; }, v);
           Shared<int> j = 0;
           while_([&] { return j < i; },
                  [&] {
                    v = zip_with(plus, v, fixed);
                    if_(
                        j % 2 == 0, [&] { w = zip_with(plus, w, v); },
                        [&] {
                          Shared<int> n = 0;
                          while_([&] { return n < 2; },
                                 [&] {
                                   w = zip_with([](std::int64_t a, std::int64_t b) { return (a + b) % 1000; }, w,
                                                before);
                                   ++n;
                                   ++steps;
                                 });
                        });
                    ++j;
                  });
           sum = reduce(plus, w);
           v = zip_with([](std::int64_t a, std::int64_t b) { return (a + b) % 101; }, v, before);
           ++i;
         });
  v = zip_with(plus, v, fixed);
  Numbers all = numbers_of(v.get());
  const Numbers more = numbers_of(w.get());
  all.insert(all.end(), more.begin(), more.end());
  all.push_back(static_cast<double>(sum.get()));
  all.push_back(steps.get());
  return all;
}

struct Walker {
  std::int64_t at, steps;
  std::int16_t last;
};

/// Structs, arrays, random draws, and values that exchange places.
Numbers draws() {
  const Space space(23);
  Vector<Walker> walkers = map([](GlobalIndex i) { return Walker{i, 0, 0}; }, iota(space));
  Vector<std::array<std::int32_t, 3>> marks = map(
      [](GlobalIndex i) {
        return std::array<std::int32_t, 3>{static_cast<std::int32_t>(i), 1, 2};
      },
      iota(space));
  Vector<double> a = random_normal(space, 5), b = constant(space, 0.5);
  Shared<Walker> sum = Walker{0, 0, 0};
  Shared<int> k = 0;
  while_([&] { return k < 5; },
         [&] {
           const auto step = random_integers(space, 6, 11, k);
           walkers = zip_with(
               [](const Walker& w, GlobalIndex s) {
                 return Walker{w.at + s, w.steps + 1, static_cast<std::int16_t>(s)};
               },
               walkers, step);
           marks = zip_with(
               [](std::array<std::int32_t, 3> m, GlobalIndex s) {
                 m[static_cast<std::size_t>(s) % 3] += 1;
                 return m;
               },
               marks, step);
           std::swap(a, b);
           sum = fold(
               Walker{0, 0, 0},
               [](Walker s, const Walker& w) {
                 return Walker{s.at + w.at, s.steps + w.steps, 0};
               },
               [](const Walker& x, const Walker& y) {
                 return Walker{x.at + y.at, x.steps + y.steps, 0};
               },
               walkers);
           ++k;
         });
  Numbers all;
  for (const Walker& w : walkers.get()) all.insert(all.end(), {static_cast<double>(w.at), static_cast<double>(w.last)});
  for (const auto& m : marks.get()) all.insert(all.end(), m.begin(), m.end());
  for (const double x : a.get()) all.push_back(x);
  const Walker total = sum.get();
  all.insert(all.end(), {static_cast<double>(total.at), static_cast<double>(total.steps)});
  return all;
}

/// Rows and keys: means of groups, to which rows are assigned anew.
Numbers groups() {
  constexpr std::uint64_t kRows = 37, kWidth = 3, kGroups = 4;
  const Space space(kRows);
  const auto fill = [](GlobalIndex i, std::span<double> out) {
    for (std::size_t c = 0; c < out.size(); ++c)
      out[c] = static_cast<double>((static_cast<std::size_t>(i) * 7 + c * 13) % 17);
  };
  const Rows<double> points = map(fill, iota(space), kasen::width(kWidth));
  Rows<double> sums = reduce_by_key(plus, map([](GlobalIndex i) { return i % 4; }, iota(space)), points, kGroups);
  Vector<GlobalIndex> key = map([](GlobalIndex i) { return i % 4; }, iota(space));
  Shared<int> k = 0;
  while_([&] { return k < 4; },
         [&] {
           key = map(
               [](std::span<const double> x, const RowsView<double>& all) {
                 GlobalIndex best = 0;
                 double most = -1;
                 for (std::size_t g = 0; g < all.size(); ++g) {
                   double product = 0;
                   for (std::size_t c = 0; c < x.size(); ++c) product += x[c] * all[g][c];
                   if (product > most) most = product, best = static_cast<GlobalIndex>(g);
                 }
                 return (best + static_cast<GlobalIndex>(x[0])) % 4;
               },
               points, whole(sums));
           sums = reduce_by_key(plus, key, points, kGroups);
           ++k;
         });
  Numbers all = sums.get();
  const Numbers keys = numbers_of(key.get());
  all.insert(all.end(), keys.begin(), keys.end());
  return all;
}

/// C++ drives: it reads Shareds and vectors, and what it has read says what comes next.
Numbers driven() {
  const Matrix<double> A = graph();
  const BlockRange mine = block_of(A.rows());
  Numbers block;
  for (std::uint64_t k = 0; k < mine.count; ++k)
    block.push_back(static_cast<double>((static_cast<std::uint64_t>(mine.first) + k) % 3));
  Vector<double> v = make_vector(A.rows(), std::span<const double>(block)), kept = v;
  Numbers all;
  double sum = 0;
  for (int turn = 0; turn < 7; ++turn) {
    v = map([](double x) { return static_cast<double>(static_cast<int>(x) % 13); }, multiply(A, v));
    sum = reduce(plus, v).get();
    all.push_back(sum);
    if (turn % 3 == 1) {
      const Numbers read = v.get();  // and the next turn depends on it
      v = map(times, v, read[5] + 1.0);
    }
    if (static_cast<int>(sum) % 2 == 0) kept = zip_with(plus, kept, v);
    Shared<int> k = 0;
    while_([&] { return k < 2; },
           [&] {
             kept = map([](double x) { return static_cast<double>(static_cast<int>(x * 3 + 1) % 29); }, kept);
             ++k;
           });
  }
  const Numbers rest = kept.get();
  all.insert(all.end(), rest.begin(), rest.end());
  const auto large = compact(map([](double x) { return x > 10; }, kept), kept);
  const Numbers few = large.get();
  all.insert(all.end(), few.begin(), few.end());
  all.push_back(reduce(plus, map(times, large, 2.0)).get());
  const Numbers in_order = map(times, sort(inclusive_scan(plus, large), large, Order::descending), 3.0).get();
  all.insert(all.end(), in_order.begin(), in_order.end());
  all.push_back(quantiles(large, {0.3})[0]);
  return all;
}

/// A scan, whose last bits depend on the number of workers, and what is made of it.
Numbers scanned() {
  const Vector<double> until =
      inclusive_scan(plus, map([](GlobalIndex i) { return 1.0 / static_cast<double>(i + 3); }, iota(50)));
  Vector<double> v = constant(50, 1.0);
  Shared<int> k = 0;
  while_([&] { return k < 6; },
         [&] {
           v = zip_with(KASEN_FN((auto x, auto u), x / 3 + u), v, until);
           ++k;
         });
  return v.get();
}

/// Data that the program makes of numbers and reads in every loop: over a space without a matrix, of which every worker
/// holds all in the end, and over one of which replicas are read.
Numbers data() {
  const Matrix<double> A = graph();
  const BlockRange some = block_of(A.rows());
  Numbers block;
  for (std::uint64_t k = 0; k < some.count; ++k)
    block.push_back(static_cast<double>((static_cast<std::uint64_t>(some.first) + k) % 5));
  const Vector<double> fixed = make_vector(A.rows(), std::span<const double>(block));
  Vector<double> u = constant(A.rows(), 0.0);
  constexpr std::uint64_t kWidth = 2;
  const Space space = separate_space(29, "samples");
  const BlockRange mine = block_of(space);
  Numbers weights, numbers;
  for (std::uint64_t k = 0; k < mine.count; ++k) {
    const std::uint64_t i = static_cast<std::uint64_t>(mine.first) + k;
    weights.push_back(static_cast<double>(i * 5 % 7));
    numbers.insert(numbers.end(), {static_cast<double>(i * 3 % 11), static_cast<double>(i % 4)});
  }
  const Vector<double> weight = make_vector(space, std::span<const double>(weights));
  const Rows<double> X = make_rows(space, kWidth, std::span<const double>(numbers));
  Vector<double> v = weight;
  Numbers all;
  for (int turn = 0; turn < 4; ++turn) {
    Shared<int> k = 0;
    Shared<double> sum = 0.0;
    while_([&] { return k < 3; },
           [&] {
             const auto product = zip_with([](std::span<const double> x, double a) { return x[0] * a + x[1]; }, X, v);
             v = zip_with([](double a, double b) { return static_cast<double>(static_cast<int>(a + b) % 31); }, product,
                          weight);
             sum = reduce(plus, v);
             u = zip_with([](double a, double b) { return static_cast<double>(static_cast<int>(3 * a + b) % 37); }, u,
                          multiply(A, map(times, fixed, k)));
             ++k;
           });
    all.push_back(sum.get());
    if (turn == 1) all.push_back(weight.get()[3]);
    if (turn == 2) {
      const auto next = map([](GlobalIndex i) { return (i + 3) % 29; }, iota(space));
      v = zip_with(plus, take(weight, next), v);
    }
  }
  const Numbers rest = v.get();
  all.insert(all.end(), rest.begin(), rest.end());
  for (const double x : X.get()) all.push_back(x);
  for (const double x : u.get()) all.push_back(x);
  return all;
}

/// What each vertex has in the end that gets the least of its number and those that `reach` makes.
template <class Reach>
Numbers least(Space vertices, const Reach& reach) {
  Vector<double> length = map([](GlobalIndex i) { return i == 0 ? 0.0 : 1e12; }, iota(vertices));
  Shared<bool> changed = true;
  while_(likely([&] { return changed; }), [&] {
    const auto next = zip_with(kasen::min, length, reach(length));
    changed = reduce(logical_or, zip_with(KASEN_FN((auto a, auto b), a != b), next, length));
    length = next;
  });
  return length.get();
}

/// Goes on after errors that it has caught: of the third iteration of a loop, and of a run without one.
Numbers mended() {
  const Matrix<double> A = graph();
  const Shared<double> of_none =
      reduce([](double a, double b) { return a < b ? a : b; }, constant(separate_space(0, "nothing"), 1.0));
  Vector<double> v = constant(A.rows(), 1.0);
  Numbers all;
  for (int turn = 0; turn < 3; ++turn) {
    all.push_back(v.get()[5]);
    const Vector<double> before = v;
    Shared<int> k = 0, fails = turn == 1 ? 2 : -1;
    while_(likely([&] { return k < 4; }), [&] {
      v = map([](double x) { return x > 1000 ? x - 1000 : x; }, multiply(A, v));
      if_(k == fails, [&] { v = map(plus, v, of_none); });
      ++k;
    });
    try {
      all.push_back(reduce(plus, v).get());
    } catch (const Error& error) {
      all.push_back(static_cast<double>(std::string(error.what()).size()));
      v = before;
    }
    try {
      all.push_back((of_none + 1.0).get());
    } catch (const Error&) {
      all.push_back(-1);
    }
  }
  const Numbers rest = v.get();
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

}  // namespace

Numbers ways() {
  const Matrix<double> A = lanes(true);
  return least(A.rows(), [&](const Vector<double>& length) {
    return mxv(KASEN_FN((auto x, auto w), x + w), kasen::min, A, length);
  });
}

Numbers ways_by_two() {
  const Matrix<double> A = lanes(false);
  const auto along = KASEN_FN((auto x, auto w), x + w);
  return least(A.rows(), [&](const Vector<double>& x) {
    return zip_with(kasen::min, mxv(along, kasen::min, A, x), mxvt(along, kasen::min, A, x));
  });
}

Numbers asked() {
  const Options& options = Session::current().options();
  const Matrix<double> A = graph();
  Numbers all;
  for (int turn = 0; turn < 4; ++turn) {
    if (turn == 2 && !options.checkpoint.empty()) std::raise(SIGTERM);
    try {
      Vector<double> v = constant(A.rows(), 1.0 + turn);
      Shared<int> k = 0;
      while_([&] { return k < 3; },
             [&] {
               v = multiply(A, v);
               ++k;
             });
      all.push_back(reduce(plus, v).get());
    } catch (const Error&) {
      all.push_back(-1);
    }
  }
  return all;
}

const std::vector<std::pair<std::string, SmallProgram>>& small_programs() {
  static const std::vector<std::pair<std::string, SmallProgram>> all{
      {"products", products}, {"pagerank", pagerank},    {"search", search},       {"nested", nested},
      {"draws", draws},       {"groups", groups},        {"driven", driven},       {"labels", labels},
      {"fixpoint", fixpoint}, {"batches", mini_batches}, {"connected", connected}, {"data", data},
      {"mended", mended},     {"scanned", scanned}};
  return all;
}

}  // namespace kasen::tests
