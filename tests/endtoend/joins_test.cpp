/// @file
/// Positions of elements in other vectors, and vectors of some elements, beside serial loops.
#include <algorithm>
#include <array>
#include <string>
#include <tuple>

#include "kasen/base/error.h"
#include "kasen/session/engine.h"
#include "tests/endtoend/end_to_end.h"
#include "tests/io/temporary_directory.h"
#include "tests/kasen/program_mistakes.h"

namespace kasen::tests {
namespace {

std::vector<GlobalIndex> serial_index_of(const auto& left, const auto& right) {
  std::vector<GlobalIndex> found;
  for (const auto& value : left) {
    const auto at = std::find(right.begin(), right.end(), value);
    found.push_back(at == right.end() ? -1 : at - right.begin());
  }
  return found;
}

/// Numbers in no order, with repetitions, and some beyond 32 bits.
std::vector<Int> some_numbers(std::uint64_t count, std::uint64_t range, std::uint64_t factor) {
  std::vector<Int> values;
  for (std::uint64_t k = 0; k < count; ++k) {
    const auto value = static_cast<Int>(k * factor % range) - 20;
    values.push_back(k % 5 == 0 ? value * 10'000'000'000 : value);
  }
  return values;
}

TEST_P(EndToEnd, IndexOfIntegers) {
  const auto left = some_numbers(211, 97, 31), right = some_numbers(kLength, 89, 17);
  const Vector<Int> l = distribute(211, left), r = distribute(kLength, right);
  EXPECT_EQ(index_of(l, r).get(), serial_index_of(left, right));
  EXPECT_EQ(index_of(r, l).get(), serial_index_of(right, left));
  EXPECT_EQ(index_of(r, r).get(), serial_index_of(right, right));  // of duplicates the first
  const std::vector<std::uint8_t> small{7, 7, 3, 255, 0, 3}, others{3, 255, 3};
  EXPECT_EQ(index_of(distribute(6, small), distribute(3, others)).get(),
            (std::vector<GlobalIndex>{-1, -1, 0, 1, -1, 0}));
}

TEST_P(EndToEnd, IndexOfNothingAndOfFewOrNoMatches) {
  const std::vector<Int> one{5}, none;
  const auto many = some_numbers(50, 40, 7);
  EXPECT_EQ(index_of(distribute(0, none), distribute(50, many)).get(), none);
  EXPECT_EQ(index_of(distribute(50, many), distribute(0, none)).get(), std::vector<GlobalIndex>(50, -1));
  EXPECT_EQ(index_of(distribute(0, none), distribute(0, none)).get(), none);
  // Of a vector of one element all workers but one have nothing.
  EXPECT_EQ(index_of(distribute(50, many), distribute(1, one)).get(), serial_index_of(many, one));
  EXPECT_EQ(index_of(distribute(1, one), distribute(50, many)).get(), serial_index_of(one, many));
  EXPECT_EQ(index_of(distribute(50, many), distribute(50, std::vector<Int>(50, 1000))).get(),
            std::vector<GlobalIndex>(50, -1));
}

/// Over spaces that a matrix has assigned, and of what is pending; what is found is a key.
TEST_P(EndToEnd, JoinsOverAMatrix) {
  const auto m = small_matrix(41, 29, 200);
  const Space orders = separate_space(41, "orders"), items = separate_space(29, "items");
  const Matrix<double> M = m.distribute(orders, items);
  const auto left = some_numbers(41, 23, 5), right = some_numbers(29, 30, 11);
  const auto price = exact_numbers(29, 3), sums = exact_numbers(41, 4);
  const auto product = serial_mxvt(m, kMultiply, kAdd, 0.0, price);
  const auto key = map(KASEN_FN((auto x), x + 1), distribute(orders, left));
  const auto names = map(KASEN_FN((auto x), x + 1), distribute(items, right));
  const Vector<GlobalIndex> found = index_of(key, names);
  const auto prices = distribute(items, price), amounts = distribute(orders, sums);
  const auto total = reduce_by_key(plus, found, amounts, items);
  const auto each = zip_with(times, mxvt(times, plus, M, prices), take(prices, found, 1.0));
  const auto want = serial_index_of(left, right);
  EXPECT_EQ(found.get(), want);
  std::vector<double> totals(29), product_of(41);
  for (std::size_t k = 0; k < want.size(); ++k) {
    const bool known = want[k] >= 0;
    product_of[k] = product[k] * (known ? price[static_cast<std::size_t>(want[k])] : 1.0);
    if (known) totals[static_cast<std::size_t>(want[k])] += sums[k];
  }
  EXPECT_EQ(each.get(), product_of);
  EXPECT_EQ(total.get(), totals);
}

TEST_P(EndToEnd, IndexOfWords) {
  const io::TemporaryDirectory directory(session().engine().control());
  const std::vector<std::string> left{"b", "a", "x", "d", "a"}, right{"d", "c", "b", "b", "e", "a"};
  const auto read = [&](const char* name, const std::vector<std::string>& words) {
    std::string text = "w\n";
    for (const std::string& word : words) text += word + "\n";
    return read_columns(directory.write(name, text), {{"w", ColumnType::word}}).words("w");
  };
  const WordColumn l = read("l.csv", left), r = read("r.csv", right), none = read("none.csv", {});
  EXPECT_EQ(index_of(l, r).get(), serial_index_of(left, right));
  EXPECT_EQ(index_of(r, l).get(), serial_index_of(right, left));
  EXPECT_EQ(index_of(l, none).get(), serial_index_of(left, std::vector<std::string>()));
  EXPECT_EQ(index_of(none, l).get(), std::vector<GlobalIndex>());
  // A word of the dictionary that no element has is not found.
  const auto no_b = map([](std::int32_t code, std::int32_t b) { return code != b; }, r.code, r.dictionary.code_of("b"));
  const WordColumn fewer = compact(no_b, r);
  EXPECT_EQ(index_of(l, fewer).get(), serial_index_of(left, std::vector<std::string>{"d", "c", "e", "a"}));
  // An element without a word, whose code is negative, is nowhere, and nothing is found there.
  const auto without = [](const WordColumn& words, const char* word) {
    const auto code = KASEN_FN((auto c, auto w), select(c == w, -1, c));
    return WordColumn{map(code, words.code, words.dictionary.code_of(word)), words.dictionary};
  };
  EXPECT_EQ(index_of(without(l, "a"), r).get(),
            serial_index_of(std::vector<std::string>{"b", "-", "x", "d", "-"}, right));
  EXPECT_EQ(index_of(l, without(r, "b")).get(),
            serial_index_of(left, std::vector<std::string>{"d", "c", "-", "-", "e", "a"}));
  const WordColumn beyond{map(plus, l.code, std::int32_t{1000}), l.dictionary};
  EXPECT_THROW(index_of(beyond, r), AgreedError);
  EXPECT_THROW(index_of(r, beyond), AgreedError);
}

struct Odd {
  std::array<std::uint8_t, 5> bytes;
  bool operator==(const Odd&) const = default;
};

TEST_P(EndToEnd, CompactKeepsSomeInOrder) {
  const auto numbers = exact_numbers(kLength, 3);
  std::vector<Odd> odd;
  for (std::uint8_t k = 0; k < kLength; ++k) odd.push_back({{k, 1, k, 2, k}});
  const Vector<double> v = distribute(kLength, numbers);
  const Vector<Odd> o = distribute(kLength, odd);
  const auto fill = [](double x, std::span<double> out) { out[0] = x, out[1] = 2 * x; };
  const auto expect_kept = [&](const auto& test) {
    const Vector<bool> keep = map(test, iota(kLength));
    std::vector<double> few;
    std::vector<Odd> few_odd;
    for (std::uint64_t k = 0; k < kLength; ++k) {
      if (!test(static_cast<GlobalIndex>(k))) continue;
      few.push_back(numbers[k]), few_odd.push_back(odd[k]);
    }
    auto [kept, kept_odd] = compact(keep, std::tie(v, o));
    EXPECT_EQ(kept.length(), few.size());
    EXPECT_EQ(zip_with([](double x, const Odd& a) { return x + a.bytes[0]; }, kept, kept_odd).length(), few.size());
    EXPECT_EQ(kept_odd.get(), few_odd);
    EXPECT_EQ(compact(keep, v).get(), few);
    const Rows<double> rows = compact(keep, map(fill, v, width(2)));
    EXPECT_EQ(rows.width(), 2u);
    std::vector<double> few_rows;
    for (const double number : few) few_rows.insert(few_rows.end(), {number, 2 * number});
    EXPECT_EQ(rows.get(), few_rows);
  };
  expect_kept([](GlobalIndex) { return true; });
  expect_kept([](GlobalIndex) { return false; });
  expect_kept([](GlobalIndex i) { return i % 3 == 1; });
  expect_kept([](GlobalIndex i) { return i < 5; });
  expect_kept([](GlobalIndex i) { return i == 36; });
  EXPECT_EQ(compact(constant(0, true), distribute<double>(0, {})).get(), std::vector<double>());
}

TEST_P(EndToEnd, CompactOverAMatrix) {
  const auto m = small_matrix(33, 27, 150);
  const Space rows = separate_space(33, "rows"), columns = separate_space(27, "columns");
  const Matrix<double> M = m.distribute(rows, columns);
  const auto x = exact_numbers(27, 5);
  const auto y = mxvt(times, plus, M, distribute(columns, x));
  EXPECT_EQ(y.space().id(), rows.id());
  EXPECT_EQ(y.space().length(), 33u);
  EXPECT_EQ(reduce(plus, zip_with(times, y, constant(y.space(), 2.0))).get(), 2 * reduce(plus, y).get());
  std::vector<double> few;
  for (const double value : serial_mxvt(m, kMultiply, kAdd, 0.0, x)) {
    if (value > 0) few.push_back(value);
  }
  EXPECT_EQ(compact(map(KASEN_FN((auto a), a > 0), y), y).get(), few);
}

TEST_P(EndToEnd, JoinsAreChecked) {
  const Vector<bool> keep = constant(12, true);
  expect_refused([&] { compact(keep, constant(kLength, 1.0)); },
                 "[compact] a column is of another space than the flags: of length 37, and 12");
  Shared<Int> k = 0;
  const auto in_loop = [&](const auto& call) { while_([&] { return k < 1; }, call); };
  expect_refused([&] { in_loop([&] { compact(keep, constant(12, 1.0)); }); }, "[compact]");
  expect_refused([&] { in_loop([&] { index_of(iota(12), iota(12)); }); }, "[index_of]");
}

}  // namespace
}  // namespace kasen::tests
