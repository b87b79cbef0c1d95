/// @file
/// The textbook's names of matrix-vector products, beside loops over the entries.
#include <gtest/gtest.h>

#include <vector>

#include "tests/kasen/program_mistakes.h"

namespace kasen::tests {
namespace {

using Multiply = ProgramMistakes;

constexpr GlobalIndex kRows = 7, kColumns = 11;

/// Small whole numbers, so that any order of sums gives the same; a row and a column are empty, one entry is there
/// twice.
template <class T>
std::vector<Entry<T>> entries() {
  std::vector<Entry<T>> all;
  const auto add = [&](GlobalIndex i, GlobalIndex j) {
    if constexpr (std::is_same_v<T, Pattern>) {
      all.push_back({i, j});
    } else {
      all.push_back({i, j, static_cast<T>(1 + (3 * i + j) % 5)});
    }
  };
  for (GlobalIndex i = 0; i < kRows; ++i) {
    for (GlobalIndex j = 0; j < kColumns; ++j) {
      if (i != 3 && j != 8 && (i * 5 + j * 3) % 4 == 1) add(i, j);
    }
  }
  add(0, 3);
  add(0, 3);
  return all;
}

template <class T>
double value_of([[maybe_unused]] const Entry<T>& entry) {
  if constexpr (std::is_same_v<T, Pattern>)
    return 1;
  else
    return static_cast<double>(entry.value);
}

TEST_F(Multiply, AsLoopsOverTheEntries) {
  const auto check = [&]<class T>(const std::vector<Entry<T>>& all) {
    const Matrix<T> A = on_first_worker<T>(Space(kRows), Space(kColumns), all);
    std::vector<double> product(kRows), transposed(kColumns);
    for (const Entry<T>& entry : all) {
      const auto i = static_cast<std::size_t>(entry.row), j = static_cast<std::size_t>(entry.column);
      product[i] += value_of(entry) * static_cast<double>(10 + entry.column);
      transposed[j] += value_of(entry) * static_cast<double>(20 - entry.row);
    }
    const auto by_column = map([](GlobalIndex j) { return static_cast<double>(10 + j); }, iota(A.columns()));
    const auto by_row = map([](GlobalIndex i) { return static_cast<double>(20 - i); }, iota(A.rows()));
    EXPECT_EQ(multiply(A, by_column).get(), product);
    EXPECT_EQ(multiply_transposed(A, by_row).get(), transposed);
    EXPECT_EQ(mxvt(detail::Multiplied<T>(), plus, A, by_column).get(), product);
  };
  check(entries<double>());
  check(entries<float>());
  check(entries<std::int32_t>());
  check(entries<Pattern>());
}

TEST_F(Multiply, LinesOfTheCaller) {
  const Matrix<double> A = on_first_worker<double>(Space(kRows), Space(kColumns), entries<double>());
  const auto by_column = constant(kColumns, 1.0), by_row = constant(kRows, 1.0);
  expect_at(__LINE__, "[multiply] ", refusal([&] { multiply(A, by_row); }));
  expect_at(__LINE__, "[multiply_transposed] ", refusal([&] { multiply_transposed(A, by_column); }));
}

}  // namespace
}  // namespace kasen::tests
