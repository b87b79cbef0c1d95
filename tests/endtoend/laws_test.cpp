/// @file
/// Work on partial results (rules 5, 10, 11, 14, 15): right under every law that built-in functors carry or a user
/// declares, on a matrix that has replicas; and these rules are really used.
#include <algorithm>
#include <string>

#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

const Sparse<double>& matrix() {
  static const Sparse<double> made = small_matrix(40, 40, 300, 3);
  return made;
}
std::vector<double> serial_sums() {
  return serial_mxv(
      matrix(), [](double a, double b) { return a * b; }, [](double a, double b) { return a + b; }, 0.0,
      exact_numbers(40, 1));
}
std::vector<double> serial_lows() {
  return serial_mxv(
      matrix(), [](double a, double b) { return a * b; }, [](double a, double b) { return b < a ? b : a; }, infinity,
      exact_numbers(40, 1));
}

template <class F>
std::vector<double> each(std::vector<double> v, F f) {
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = f(v[i], i);
  return v;
}
double total(const std::vector<double>& v) {
  double sum = 0;
  for (const double a : v) sum += a;
  return sum;
}
double lowest(const std::vector<double>& v) {
  double low = infinity;
  for (const double a : v) low = std::min(low, a);
  return low;
}

/// Under hybrid, with replicas, the plan runs these rules (the cheapest way: no gather at all).
void expect_rules(Session& session, const std::vector<int>& rules) {
  const auto& off = session.options().passes_off;
  if (session.options().sync != Sync::hybrid || session.workers() == 1) return;
  if (std::find(off.begin(), off.end(), "derive-laws") != off.end()) return;
  const std::string text = session.plan_text();
  for (const int rule : rules) {
    EXPECT_NE(text.find("rule " + std::to_string(rule)), std::string::npos) << "rule " << rule << " in\n" << text;
  }
  EXPECT_EQ(text.find("  gather "), std::string::npos) << text;
}

TEST_P(EndToEnd, ReductionOfPartials) {
  const auto M = matrix().distribute();
  const auto x = exact_vector(M.rows(), 1);
  EXPECT_EQ(reduce(plus, mxv(times, plus, M, x)).get(), total(serial_sums()));
  EXPECT_EQ(reduce(min, mxv(times, min, M, x)).get(), lowest(serial_lows()));
  expect_rules(session(), {5});
}

TEST_P(EndToEnd, ReductionOfPartialsByAnotherFunction) {
  const auto M = matrix().distribute();
  EXPECT_EQ(reduce(min, mxv(times, plus, M, exact_vector(M.rows(), 1))).get(), lowest(serial_sums()));
}

TEST_P(EndToEnd, ExchangeLaw) {
  const auto M = matrix().distribute();
  const Shared<double> c = -2.0;
  const auto sums = mxv(times, plus, M, exact_vector(M.rows(), 1));
  const auto scaled = map(divides, map(times, sums, c), 4.0);
  EXPECT_EQ(reduce(plus, scaled).get(), total(each(serial_sums(), [](double a, std::size_t) { return a * -2 / 4; })));
  expect_rules(session(), {10, 5});
}

TEST_P(EndToEnd, ExchangeLawOverMin) {
  const auto M = matrix().distribute();
  const auto lows = mxv(times, min, M, exact_vector(M.rows(), 1));
  const auto moved = map(KASEN_FN((auto a), a - 0.5), map(KASEN_FN((auto a), a + 3.0), lows));
  EXPECT_EQ(reduce(min, map(max, moved, -30.0)).get(),
            lowest(each(serial_lows(), [](double a, std::size_t) { return std::max(a + 2.5, -30.0); })));
  expect_rules(session(), {10, 5});
}

TEST_P(EndToEnd, PushdownLawOfMap) {
  const auto M = matrix().distribute();
  const Shared<double> c = 5.0;
  const auto sums = mxv(times, plus, M, exact_vector(M.rows(), 1));
  const auto moved = map(minus, map(plus, sums, c), 0.25);
  EXPECT_EQ(reduce(plus, moved).get(), total(each(serial_sums(), [](double a, std::size_t) { return a + 4.75; })));
  expect_rules(session(), {11, 5});
}

TEST_P(EndToEnd, PushdownLawOfMapOverMin) {
  const auto M = matrix().distribute();
  const auto lows = map(min, mxv(times, min, M, exact_vector(M.rows(), 1)), 1.0);
  EXPECT_EQ(reduce(min, lows).get(), std::min(1.0, lowest(serial_lows())));
  EXPECT_EQ(lows.get(), each(serial_lows(), [](double a, std::size_t) { return std::min(a, 1.0); }));
}

TEST_P(EndToEnd, DistributiveLaw) {
  const auto M = matrix().distribute();
  const auto weights = exact_numbers(40, 2);
  const auto sums = mxv(times, plus, M, exact_vector(M.rows(), 1));
  const auto fours = constant(M.columns(), 4.0), twos = constant(M.columns(), 2.0);
  const auto weighted = zip_with(divides, zip_with(times, fours, sums), twos);
  EXPECT_EQ(reduce(plus, weighted).get(), total(each(serial_sums(), [](double a, std::size_t) { return a * 2; })));
  expect_rules(session(), {14, 5});
  const auto other = zip_with(times, sums, exact_vector(M.columns(), 2));
  EXPECT_EQ(reduce(plus, other).get(),
            total(each(serial_sums(), [&](double a, std::size_t i) { return a * weights[i]; })));
}

TEST_P(EndToEnd, PushdownLawOfZipWith) {
  const auto M = matrix().distribute();
  const auto added = exact_numbers(40, 2);
  const auto sums = mxv(times, plus, M, exact_vector(M.rows(), 1));
  const auto moved = zip_with(minus, zip_with(plus, exact_vector(M.columns(), 2), sums), exact_vector(M.columns(), 3));
  const auto taken = exact_numbers(40, 3);
  EXPECT_EQ(reduce(plus, moved).get(),
            total(each(serial_sums(), [&](double a, std::size_t i) { return a + added[i] - taken[i]; })));
  expect_rules(session(), {15, 5});
}

/// minus pushes down at its first argument only.
TEST_P(EndToEnd, MinusAtItsSecondArgument) {
  const auto M = matrix().distribute();
  const auto from = exact_numbers(40, 2);
  const auto sums = mxv(times, plus, M, exact_vector(M.rows(), 1));
  EXPECT_EQ(zip_with(minus, exact_vector(M.columns(), 2), sums).get(),
            each(serial_sums(), [&](double a, std::size_t i) { return from[i] - a; }));
}

TEST_P(EndToEnd, LawsOfIntegersAndFlags) {
  const auto graph = small_graph(5, 4, 7);
  const auto G = graph.distribute();
  const auto bits = map([](GlobalIndex i) { return static_cast<std::uint32_t>(i) * 2654435761u; }, iota(G.rows()));
  const auto any = map(bit_and, map(bit_or, mxv(first, bit_or, G, bits), 0x10u), 0xffff00ffu);
  std::vector<std::uint32_t> v;
  for (std::uint32_t i = 0; i < graph.height; ++i) v.push_back(i * 2654435761u);
  const auto id = [](std::uint32_t a) { return a; };
  auto want = serial_mxv(
      graph, id, [](std::uint32_t a, std::uint32_t b) { return a | b; }, 0u, v);
  std::uint32_t all = 0;
  for (auto& w : want) w = (w | 0x10u) & 0xffff00ffu, all |= w;
  EXPECT_EQ(reduce(bit_or, any).get(), all);
  EXPECT_EQ(any.get(), want);
  const auto odd = mxv(first, bit_xor, G, bits);
  auto parity = serial_mxv(
      graph, id, [](std::uint32_t a, std::uint32_t b) { return a ^ b; }, 0u, v);
  std::uint32_t x = 0;
  for (auto& w : parity) w &= 0xff, x ^= w;
  EXPECT_EQ(reduce(bit_xor, map(bit_and, odd, 0xffu)).get(), x);

  const auto start = map([](GlobalIndex i) { return i == 3 || i == 17; }, iota(G.rows()));
  const auto seen = zip_with(logical_or, mxv(first, logical_or, G, start), start);
  const auto now = zip_with(logical_and, seen, map([](GlobalIndex i) { return i % 2 == 0; }, iota(G.rows())));
  std::vector<int> f(graph.height, 0);
  f[3] = f[17] = 1;
  auto reached = serial_mxv(
      graph, [](int a) { return a; }, [](int a, int b) { return a | b; }, 0, f);
  const auto got = now.get();
  for (std::size_t i = 0; i < reached.size(); ++i) ASSERT_EQ(int{got[i]}, (reached[i] | f[i]) & (i % 2 == 0 ? 1 : 0));
}

/// A function that leaves the partial results out obeys no pushdown law, whatever else it does to bits.
TEST_P(EndToEnd, PartialsThatAreIgnored) {
  using Bits = std::uint64_t;
  const auto G = small_graph(5, 4, 7).distribute();
  const auto c = map(KASEN_FN((auto i), kasen::cast<Bits>(i)), iota(G.columns()));
  const auto parities = mxv(first, bit_xor, G, c), any = mxv(first, bit_or, G, c), every = mxv(first, bit_and, G, c);
  const auto low = KASEN_FN((auto x, [[maybe_unused]] auto y), x & 7);
  const auto more = KASEN_FN(([[maybe_unused]] auto y, auto s), s + 4);
  const Shared<Bits> s = Bits{3};
  const auto low_of_parities = zip_with(low, c, parities), low_of_any = zip_with(low, c, any);
  const auto low_of_every = zip_with(low, c, every), more_of_parities = map(more, parities, s);
  const auto parity = reduce(bit_xor, low_of_parities), more_parity = reduce(bit_xor, more_of_parities);
  const auto least = reduce(bit_and, low_of_every), more_least = reduce(bit_and, map(more, every, s));
  const auto most = reduce(bit_or, low_of_any), more_most = reduce(bit_or, map(more, any, s));
  const std::size_t n = c.get().size();
  Bits want = 0, all = 0, both = ~Bits{0};
  for (std::size_t i = 0; i < n; ++i) want ^= i & 7, all |= i & 7, both &= i & 7;
  EXPECT_EQ(parity.get(), want);
  EXPECT_EQ(most.get(), all);
  EXPECT_EQ(least.get(), both);
  EXPECT_EQ(more_parity.get(), n % 2 == 0 ? 0 : 7);
  EXPECT_EQ(more_most.get(), 7);
  EXPECT_EQ(more_least.get(), 7);
}

/// Where a worker has no entry of an element, its partial result is infinite.
TEST_P(EndToEnd, InfiniteOperandsOverMinAndMax) {
  const auto M = matrix().distribute();
  const auto lows = mxv(times, min, M, exact_vector(M.rows(), 1));
  const auto highs = mxv(times, max, M, exact_vector(M.rows(), 1));
  const Shared<double> top = infinity;
  EXPECT_EQ(reduce(min, map(KASEN_FN((auto a, auto d), a - d), lows, top)).get(), -infinity);
  EXPECT_EQ(reduce(max, map(KASEN_FN((auto a, auto d), a + d), highs, top)).get(), infinity);
  EXPECT_EQ(reduce(min, map(KASEN_FN((auto a), a / infinity), lows)).get(), 0);
  const auto bounds = map(KASEN_FN((auto i), kasen::select(i == 3, infinity, 1.0 * i)), iota(M.columns()));
  EXPECT_EQ(reduce(min, zip_with(minus, lows, bounds)).get(), -infinity);
}

/// Choices that give a number where one of both is NaN are neither min nor max, which give NaN.
TEST_P(EndToEnd, ChoicesOfNaN) {
  const auto M = matrix().distribute();
  const auto x = map(KASEN_FN((auto i), kasen::select(i % 5 == 0, 0.0 / (i * 0.0), 1.0 * i)), iota(M.rows()));
  const auto bounded = map(KASEN_FN((auto a, auto d), a > d ? a : d), mxv(times, max, M, x), 3.0);
  const auto highs = serial_mxv(
      matrix(), [](double a, double b) { return a * b; }, kasen::max, -infinity, x.get());
  double want = -infinity;
  for (const double a : highs) want = std::max(want, a > 3 ? a : 3.0);
  EXPECT_EQ(reduce(max, bounded).get(), want);
}

TEST_P(EndToEnd, DeclaredLaws) {
  const auto M = matrix().distribute();
  const auto sums = mxv(times, plus, M, exact_vector(M.rows(), 1));
  const auto sixes = constant(M.columns(), 6.0);
  const auto twice = map(laws([](double a) { return 2 * a; }, exchanges_with(plus)), sums);
  const auto weighted =
      zip_with(laws([](double a, double b) { return a * b / 2; }, distributes_over(plus, 0)), twice, sixes);
  const auto moved = zip_with(laws([](double a, double b) { return b + 3 * a; }, pushes_down_into(plus, 1)),
                              exact_vector(M.columns(), 4), weighted);
  const auto added = exact_numbers(40, 4);
  EXPECT_EQ(reduce(plus, moved).get(),
            total(each(serial_sums(), [&](double a, std::size_t i) { return a * 6 + 3 * added[i]; })));
  expect_rules(session(), {10, 14, 15, 5});
}

/// The partial result itself is read elsewhere too: as it is, and as what pushdown made of it.
TEST_P(EndToEnd, PartialsReadTwice) {
  const auto M = matrix().distribute();
  const auto sums = mxv(times, plus, M, exact_vector(M.rows(), 1));
  const auto moved = map(plus, sums, 1.0);
  const auto total_moved = reduce(plus, moved), total_sums = reduce(plus, sums);
  EXPECT_EQ(total_moved.get(), total(serial_sums()) + 40);
  EXPECT_EQ(total_sums.get(), total(serial_sums()));
  EXPECT_EQ(sums.get(), serial_sums());
  EXPECT_EQ(moved.get(), each(serial_sums(), [](double a, std::size_t) { return a + 1; }));
}

/// Partials that stay partial from one plan to the next.
TEST_P(EndToEnd, PartialsBetweenPlans) {
  const auto M = matrix().distribute();
  auto sums = mxv(times, plus, M, exact_vector(M.rows(), 1));
  EXPECT_EQ(reduce(plus, sums).get(), total(serial_sums()));
  sums = map(times, sums, 2.0);
  EXPECT_EQ(reduce(plus, sums).get(), 2 * total(serial_sums()));
  const auto again = mxv(times, plus, M, sums);
  const auto doubled = each(serial_sums(), [](double a, std::size_t) { return 2 * a; });
  EXPECT_EQ(again.get(), serial_mxv(
                             matrix(), [](double a, double b) { return a * b; },
                             [](double a, double b) { return a + b; }, 0.0, doubled));
  EXPECT_EQ(sums.get(), doubled);
}

}  // namespace
}  // namespace kasen::tests
