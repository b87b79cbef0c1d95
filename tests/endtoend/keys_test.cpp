/// @file
/// What follows keys: keyed reductions and takes, of every kind of keys and spaces, beside what else reads and makes
/// their vectors. Numbers are exact: results are equal.
#include <array>
#include <limits>

#include "kasen/base/error.h"
#include "kasen/row.h"
#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

constexpr std::uint64_t kElements = 103;

/// Keys of 0 to `keys` - 1, some of which never occur, and some that are none.
template <class Key>
std::vector<Key> some_keys(std::uint64_t count, std::int64_t keys, bool with_none = true) {
  std::vector<Key> result;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto mixed = static_cast<std::int64_t>((i * 2654435761u >> 7) % 1000);
    const bool none = with_none && mixed % 5 == 0;
    result.push_back(static_cast<Key>(none ? -1 - mixed % 3 : mixed % std::max<std::int64_t>(keys - 1, 1)));
  }
  return result;
}

template <class T, class Key, class Op>
std::vector<T> serial_reduce(const std::vector<Key>& key, const std::vector<T>& v, std::uint64_t keys, T identity,
                             Op op) {
  std::vector<T> result(keys, identity);
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (key[i] < Key{0}) continue;
    T& at = result[static_cast<std::size_t>(key[i])];
    at = op(at, v[i]);
  }
  return result;
}
template <class T, class Key>
std::vector<T> serial_take(const std::vector<T>& w, const std::vector<Key>& key, T otherwise = {}) {
  std::vector<T> result;
  for (const Key k : key) result.push_back(k < Key{0} ? otherwise : w[static_cast<std::size_t>(k)]);
  return result;
}

TEST_P(EndToEnd, SumsAndCountsByKey) {
  constexpr std::uint64_t keys = 7;
  const auto key = some_keys<std::int32_t>(kElements, keys);
  const auto numbers = exact_numbers(kElements, 1);
  const auto k = distribute(kElements, key);
  const auto x = exact_vector(kElements, 1);
  const Vector<double> sums = reduce_by_key(plus, k, x, keys);
  const Vector<Int> counts = reduce_by_key(plus, k, constant(kElements, Int{1}), keys);
  const Vector<double> most = reduce_by_key(max, k, map(times, x, 2.0), keys);
  const Shared<double> all = reduce(plus, sums);
  const auto mean =
      zip_with([](double s, Int n) { return n == 0 ? 0 : s / static_cast<double>(n * 64); }, sums, counts);
  const auto want = serial_reduce(key, numbers, keys, 0.0, kAdd);
  const auto want_counts = serial_reduce(key, std::vector<Int>(kElements, 1), keys, Int{0}, std::plus<>());
  auto doubled = numbers;
  for (double& a : doubled) a *= 2;
  EXPECT_EQ(sums.get(), want);
  EXPECT_EQ(counts.get(), want_counts);
  EXPECT_EQ(most.get(),
            serial_reduce(key, doubled, keys, -infinity, [](double a, double b) { return std::max(a, b); }));
  double sum = 0;
  for (std::size_t i = 0; i < kElements; ++i) sum += key[i] < 0 ? 0 : numbers[i];
  EXPECT_EQ(all.get(), sum);
  const auto got = mean.get();
  for (std::size_t j = 0; j < keys; ++j)
    EXPECT_EQ(got[j], want_counts[j] == 0 ? 0 : want[j] / static_cast<double>(want_counts[j] * 64));
}

TEST_P(EndToEnd, TakesByKey) {
  constexpr std::uint64_t keys = 11;
  const auto key = some_keys<std::int64_t>(kElements, keys);
  const auto w = exact_numbers(keys, 2), x = exact_numbers(kElements, 3);
  const auto k = distribute(kElements, key);
  const auto from = exact_vector(keys, 2), v = exact_vector(kElements, 3);
  const auto taken = take(from, k), other = take(map(plus, from, 1.0), k, -4);
  const auto differences = zip_with(minus, v, taken);
  const auto indices = take(iota(keys), k, GlobalIndex{-1});
  const auto want = serial_take(w, key);
  EXPECT_EQ(taken.get(), want);
  EXPECT_EQ(other.get(), serial_take(added(w, 1), key, -4.0));
  const auto got = differences.get();
  for (std::size_t i = 0; i < kElements; ++i) EXPECT_EQ(got[i], x[i] - want[i]);
  std::vector<GlobalIndex> places;
  for (const auto at : key) places.push_back(at < 0 ? -1 : at);
  EXPECT_EQ(indices.get(), places);
  EXPECT_EQ(from.get(), w);
}

template <class Key>
void keys_of_type(bool with_none) {
  constexpr std::uint64_t keys = 5;
  const auto key = some_keys<Key>(kLength, keys, with_none);
  const auto k = distribute(kLength, key);
  const auto x = exact_numbers(kLength, 4), w = exact_numbers(keys, 5);
  EXPECT_EQ(reduce_by_key(plus, k, exact_vector(kLength, 4), keys).get(), serial_reduce(key, x, keys, 0.0, kAdd));
  EXPECT_EQ(take(exact_vector(keys, 5), k).get(), serial_take(w, key));
}

TEST_P(EndToEnd, KeysOfEveryType) {
  keys_of_type<std::int8_t>(true);
  keys_of_type<std::uint8_t>(false);
  keys_of_type<std::int16_t>(true);
  keys_of_type<std::uint32_t>(false);
  keys_of_type<std::uint64_t>(false);
  // More elements than keys of the type could reach: none can be too large.
  const std::vector<std::int8_t> key{127, 0, -128};
  EXPECT_EQ(take(iota(1000), distribute(3, key)).get(), (std::vector<GlobalIndex>{127, 0, 0}));
}

TEST_P(EndToEnd, FewElementsAndKeys) {
  const std::vector<std::int32_t> none, one{0}, absent(9, -1);
  EXPECT_EQ(reduce_by_key(plus, distribute(0, none), constant(0, 1.0), 3).get(), std::vector<double>(3, 0.0));
  EXPECT_EQ(reduce_by_key(plus, distribute(9, absent), constant(9, 1.0), 0).get(), std::vector<double>());
  EXPECT_EQ(take(constant(0, 1.0), distribute(9, absent), 2.0).get(), std::vector<double>(9, 2.0));
  EXPECT_EQ(take(constant(4, 1.0), distribute(0, none)).get(), std::vector<double>());
  EXPECT_EQ(reduce_by_key(times, distribute(1, one), constant(1, 3.0), 1).get(), std::vector<double>(1, 3.0));
}

using Point = Row<double, 3>;

TEST_P(EndToEnd, RowsByKey) {
  constexpr std::uint64_t keys = 4;
  const auto key = some_keys<std::int16_t>(kElements, keys);
  const auto k = distribute(kElements, key);
  const auto points = map([](GlobalIndex i) { return Point{double(i), 1.0, double(i % 7)}; }, iota(kElements));
  const auto sums = reduce_by_key(plus, k, points, keys);
  const auto back = map([](const Point& p) { return p[0] - p[2]; }, take(sums, k));
  std::vector<double> want(keys);
  for (std::size_t i = 0; i < kElements; ++i)
    if (key[i] >= 0) want[static_cast<std::size_t>(key[i])] += double(i) - double(i % 7);
  EXPECT_EQ(back.get(), serial_take(want, key));
}

/// K-means: the nearest centre of each point, sums and counts by it, in one pass over the points.
TEST_P(EndToEnd, MeansOfClusters) {
  constexpr std::uint64_t centres = 3;
  using Centres = std::array<double, centres>;
  auto x = exact_numbers(kElements, 6);
  const auto points = exact_vector(kElements, 6);
  const auto nearest = [](double p, const Centres& c) {
    std::int32_t best = 0;
    for (std::int32_t k = 1; k < 3; ++k)
      if (std::abs(p - c[static_cast<std::size_t>(k)]) < std::abs(p - c[static_cast<std::size_t>(best)])) best = k;
    return best;
  };
  const auto moved = [](Int i, double s, Int n) {
    Centres one{};
    one[static_cast<std::size_t>(i)] = std::round(8 * s / static_cast<double>(std::max<Int>(n, 1))) / 8;
    return one;
  };
  const auto joined = with_identity(
      [](const Centres& a, const Centres& b) {
        return Centres{a[0] + b[0], a[1] + b[1], a[2] + b[2]};
      },
      Centres{});
  Centres c{-8, 0, 8};
  Shared<Centres> now = c;
  Shared<Int> round = 0;
  while_(likely([&] { return round < Int{4}; }), [&] {
    const auto cluster = map(nearest, points, now);
    const auto sums = reduce_by_key(plus, cluster, points, centres);
    const auto counts = reduce_by_key(plus, cluster, constant(kElements, Int{1}), centres);
    now = reduce(joined, zip_with(moved, iota(centres), sums, counts));
    round = round + Int{1};
  });
  for (int r = 0; r < 4; ++r) {
    std::array<double, centres> sum{};
    std::array<Int, centres> count{};
    for (const double p : x) {
      sum[static_cast<std::size_t>(nearest(p, c))] += p;
      ++count[static_cast<std::size_t>(nearest(p, c))];
    }
    for (std::size_t k = 0; k < centres; ++k) c[k] = moved(static_cast<Int>(k), sum[k], count[k])[k];
  }
  EXPECT_EQ(now.get(), c);
}

/// The vector that keys lead into is of the keys' own space, so that one sweep could make and take it.
TEST_P(EndToEnd, PointersToRoots) {
  std::vector<GlobalIndex> parents;
  for (GlobalIndex i = 0; i < GlobalIndex{kElements}; ++i) parents.push_back(i < 3 ? i : (i * 7) % i);
  Vector<GlobalIndex> parent = distribute(kElements, parents);
  Vector<double> x = exact_vector(kElements, 1);
  Shared<bool> changes = true;
  while_([&] { return changes; },
         [&] {
           const auto next = take(parent, parent);
           changes = reduce(logical_or, zip_with([](Int a, Int b) { return a != b; }, parent, next));
           x = map(plus, take(map(times, x, 2.0), next), 1.0);
           parent = next;
         });
  const auto sums = reduce_by_key(plus, parent, map(plus, x, 1.0), kElements);
  const auto beside = zip_with(plus, sums, x);
  auto v = exact_numbers(kElements, 1);
  for (bool again = true; again;) {
    const auto next = serial_take(parents, parents);
    again = next != parents;
    for (double& a : v) a *= 2;
    v = added(serial_take(v, next), 1);
    parents = next;
  }
  EXPECT_EQ(parent.get(), parents);
  EXPECT_EQ(x.get(), v);
  auto want = serial_reduce(parents, added(v, 1), kElements, 0.0, kAdd);
  for (std::size_t i = 0; i < kElements; ++i) want[i] += v[i];
  EXPECT_EQ(beside.get(), want);
}

/// Over spaces of a matrix, whose elements lie by no blocks, with vectors stored before any key leads there.
TEST_P(EndToEnd, KeysIntoSpacesOfMatrices) {
  const auto m = small_matrix(29, 41, 300);
  const auto M = m.distribute();
  const auto stored = exact_numbers(29, 1);
  auto early = exact_vector(M.rows(), 1);
  EXPECT_EQ(dot(early, early).get(), dot(stored, stored));
  const auto received = mxv(times, plus, M, early);  // of the columns; it waits, pre-reduced
  const auto key = some_keys<std::int32_t>(41, 29);
  const auto k = distribute(M.columns(), key);
  const auto products = serial_mxv(m, kMultiply, kAdd, 0.0, stored);
  // By columns, of partial results, into rows, and from there back through the matrix.
  const auto by_key = reduce_by_key(plus, k, received, M.rows());
  const auto again = mxv(times, plus, M, zip_with(minus, by_key, early));
  const auto across = zip_with(plus, take(by_key, k), received);
  const auto sums = serial_reduce(key, products, 29, 0.0, kAdd);
  auto differences = sums;
  for (std::size_t i = 0; i < 29; ++i) differences[i] -= stored[i];
  auto taken = serial_take(sums, key);
  for (std::size_t i = 0; i < 41; ++i) taken[i] += products[i];
  EXPECT_EQ(by_key.get(), sums);
  EXPECT_EQ(again.get(), serial_mxv(m, kMultiply, kAdd, 0.0, differences));
  EXPECT_EQ(across.get(), taken);
  EXPECT_EQ(early.get(), stored);
  // A matrix that comes later numbers its replicas behind.
  const auto n = small_matrix(29, 29, 200, 2);
  const auto N = n.distribute();
  EXPECT_EQ(take(mxv(times, plus, N, early), k).get(), serial_take(serial_mxv(n, kMultiply, kAdd, 0.0, stored), key));
}

/// In branches, carried by loops, and with other vectors of the space that are reduced alike.
TEST_P(EndToEnd, KeyedResultsAreCarried) {
  constexpr std::uint64_t keys = 6;
  const auto key = some_keys<std::int32_t>(kLength, keys);
  const auto k = distribute(kLength, key);
  auto x = exact_vector(kLength, 2);
  auto sums = constant(keys, 0.0);
  Shared<Int> i = 0;
  while_([&] { return i < Int{3}; },
         [&] {
           const auto added_now = reduce_by_key(plus, k, x, keys);
           if_(
               i < Int{2}, [&] { sums = zip_with(plus, sums, added_now); }, [&] { sums = added_now; });
           x = zip_with(minus, x, take(map(times, sums, 0.25), k));
           i = i + Int{1};
         });
  auto v = exact_numbers(kLength, 2);
  std::vector<double> s(keys, 0.0);
  for (int r = 0; r < 3; ++r) {
    const auto now = serial_reduce(key, v, keys, 0.0, kAdd);
    for (std::size_t j = 0; j < keys; ++j) s[j] = r < 2 ? s[j] + now[j] : now[j];
    auto quarter = s;
    for (double& a : quarter) a *= 0.25;
    const auto back = serial_take(quarter, key);
    for (std::size_t e = 0; e < kLength; ++e) v[e] -= back[e];
  }
  EXPECT_EQ(sums.get(), s);
  EXPECT_EQ(x.get(), v);
}

TEST_P(EndToEnd, EqualKeyedCallsAreOne) {
  const auto key = some_keys<std::int32_t>(kLength, 6);
  const auto k = distribute(kLength, key);
  const auto x = exact_vector(kLength, 2);
  const Space apart = separate_space(6, "apart");
  const auto a = reduce_by_key(plus, k, x, 6), b = reduce_by_key(plus, k, x, 6);
  const auto c = reduce_by_key(plus, k, x, apart);
  const auto d = take(a, k), e = take(b, k, 1.0), f = take(a, k);
  const auto want = serial_reduce(key, exact_numbers(kLength, 2), 6, 0.0, kAdd);
  EXPECT_EQ(zip_with(minus, a, b).get(), std::vector<double>(6, 0.0));
  EXPECT_EQ(c.get(), want);
  EXPECT_EQ(e.get(), serial_take(want, key, 1.0));
  EXPECT_EQ(zip_with(plus, d, f).get(), [&] {
    auto twice = serial_take(want, key);
    for (double& t : twice) t *= 2;
    return twice;
  }());
}

/// The sum of what a take makes, which nothing else reads.
TEST_P(EndToEnd, SumsOfTakesAlone) {
  const auto key = map([](GlobalIndex i) { return static_cast<Int>(i % 3); }, iota(10));
  Shared<double> sum = reduce(plus, take(map(times, constant(3, 1.0), 2.0), key));
  EXPECT_EQ(sum.get(), 20);
}

}  // namespace
}  // namespace kasen::tests
