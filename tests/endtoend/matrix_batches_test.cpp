/// @file
/// Matrices in batches, beside serial loops over the rows of a batch. Numbers are exact: results are equal.
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "kasen/base/error.h"
#include "tests/endtoend/end_to_end.h"
#include "tests/kasen/program_mistakes.h"

namespace kasen::tests {
namespace {

/// Batch b of batches of `size` rows.
template <class T>
Sparse<T> serial_batch(const Sparse<T>& m, std::uint64_t b, std::uint64_t size) {
  const auto count = static_cast<GlobalIndex>(m.height / size);
  Sparse<T> some{size, m.width, {}};
  for (Entry<T> entry : m.entries) {
    const GlobalIndex row = entry.row / count;
    if (entry.row % count != static_cast<GlobalIndex>(b) || row >= static_cast<GlobalIndex>(size)) continue;
    entry.row = row;
    some.entries.push_back(entry);
  }
  return some;
}

std::vector<double> every(const std::vector<double>& all, std::uint64_t b, std::uint64_t size) {
  std::vector<double> some;
  for (std::uint64_t k = 0; k < size; ++k) some.push_back(all[k * (all.size() / size) + b]);
  return some;
}

Sparse<Pattern> pattern_of(const Sparse<double>& m) {
  Sparse<Pattern> pattern{m.height, m.width, {}};
  for (const Entry<double>& entry : m.entries) pattern.entries.push_back({entry.row, entry.column});
  return pattern;
}

/// Of every size, each batch in both directions, with and without values.
TEST_P(EndToEnd, BatchesOfAMatrixHaveEveryRowOnce) {
  const auto m = small_matrix(41, 23, 300, 2);
  const auto pattern = pattern_of(m);
  const Matrix<double> M = m.distribute();
  const Matrix<Pattern> P = pattern.distribute();
  const auto x = exact_numbers(23, 5);
  const Vector<double> v = exact_vector(23, 5);
  for (const std::uint64_t size : {1u, 5u, 20u, 21u, 41u}) {
    const auto of_m = batches(M, size);
    const auto of_pattern = batches(P, size);
    ASSERT_EQ(of_m.count(), 41 / size);
    EXPECT_EQ(of_m.size(), size);
    const auto y = exact_numbers(size, 6);
    const Vector<double> w = exact_vector(Space(size), 6);
    for (std::uint64_t b = 0; b < of_m.count(); b += 1 + of_m.count() / 4) {
      const auto some = serial_batch(m, b, size);
      const auto some_pattern = serial_batch(pattern, b, size);
      const Matrix<double> of_batch = batch(of_m, b);
      EXPECT_EQ(of_batch.rows().length(), size);
      EXPECT_EQ(mxvt(times, plus, of_batch, v).get(), serial_mxvt(some, kMultiply, kAdd, 0.0, x));
      EXPECT_EQ(multiply_transposed(of_batch, w).get(), serial_mxv(some, kMultiply, kAdd, 0.0, y));
      const Matrix<Pattern> of_pattern_batch = batch(of_pattern, Shared<Int>(static_cast<Int>(b)));
      EXPECT_EQ(mxvt(first, plus, of_pattern_batch, v).get(), serial_mxvt(some_pattern, kSame, kAdd, 0.0, x));
      EXPECT_EQ(mxv(first, plus, of_pattern_batch, w).get(), serial_mxv(some_pattern, kSame, kAdd, 0.0, y));
    }
  }
}

/// Stochastic gradient descent in whole numbers, which wrap around.
TEST_P(EndToEnd, ALoopTakesOneBatchOfAMatrixAfterAnother) {
  constexpr std::uint64_t kRows = 47, kColumns = 13, kSize = 9, kCount = kRows / kSize, kSteps = 2 * kCount + 1;
  const auto m = small_matrix(kRows, kColumns, 250, 3);
  const auto labels = exact_numbers(kRows, 2);
  const auto X = batches(m.distribute(), kSize);
  const auto y = batches(exact_vector(kRows, 2), kSize);
  const auto residual = KASEN_FN((auto z, auto label), kasen::min(kasen::max(z - label, -2.0), 2.0));
  const auto step_by = KASEN_FN((auto w, auto g), kasen::min(kasen::max(w - 0.25 * g, -8.0), 8.0));
  Vector<double> w = constant(Space(kColumns), 0.5);
  Shared<double> total = 0.0;
  Shared<std::uint64_t> step = 0;
  while_([&] { return step < kSteps; },
         [&] {
           const auto b = step % kCount;
           const Matrix<double> samples = batch(X, b);
           const Vector<double> r = zip_with(residual, multiply(samples, w), batch(y, b));
           w = zip_with(step_by, w, multiply_transposed(samples, r));
           total += reduce(plus, r);
           ++step;
         });
  std::vector<double> want(kColumns, 0.5);
  double want_total = 0;
  for (std::uint64_t s = 0; s < kSteps; ++s) {
    const auto some = serial_batch(m, s % kCount, kSize);
    const auto label = every(labels, s % kCount, kSize);
    auto r = serial_mxvt(some, kMultiply, kAdd, 0.0, want);
    for (std::uint64_t k = 0; k < kSize; ++k) {
      r[k] = std::min(std::max(r[k] - label[k], -2.0), 2.0);
      want_total += r[k];
    }
    const auto g = serial_mxv(some, kMultiply, kAdd, 0.0, r);
    for (std::uint64_t c = 0; c < kColumns; ++c) want[c] = std::min(std::max(want[c] - 0.25 * g[c], -8.0), 8.0);
  }
  EXPECT_EQ(w.get(), want);
  EXPECT_EQ(total.get(), want_total);
}

/// Two batches at once, several vectors of one, and one that a branch chooses.
TEST_P(EndToEnd, BatchesOfAMatrixBesideEachOther) {
  constexpr std::uint64_t kSize = 8;
  const auto m = small_matrix(40, 17, 260, 4);
  const auto X = batches(m.distribute(), kSize);
  const Vector<double> v = exact_vector(17, 1), w = exact_vector(17, 2);
  const auto x = exact_numbers(17, 1), y = exact_numbers(17, 2);
  const Matrix<double> second = batch(X, 1), last = batch(X, 4);
  const Vector<double> a = multiply(second, v), b = multiply(last, v), c = multiply(second, w);
  const Vector<double> back = zip_with(plus, multiply_transposed(second, b), multiply_transposed(last, a));
  const auto one = serial_batch(m, 1, kSize), four = serial_batch(m, 4, kSize);
  const auto want_a = serial_mxvt(one, kMultiply, kAdd, 0.0, x), want_b = serial_mxvt(four, kMultiply, kAdd, 0.0, x);
  auto want = serial_mxv(one, kMultiply, kAdd, 0.0, want_b);
  const auto other = serial_mxv(four, kMultiply, kAdd, 0.0, want_a);
  for (std::size_t k = 0; k < want.size(); ++k) want[k] += other[k];
  EXPECT_EQ(back.get(), want);
  EXPECT_EQ(c.get(), serial_mxvt(one, kMultiply, kAdd, 0.0, y));

  Vector<double> chosen = constant(Space(kSize), 0.0);
  Shared<Int> k = 0;
  while_([&] { return k < 5; },
         [&] {
           if_(
               k % 2 == 0, [&] { chosen = zip_with(plus, chosen, multiply(batch(X, k), v)); },
               [&] { chosen = zip_with(minus, chosen, multiply(batch(X, 4 - k), w)); });
           k += 1;
         });
  std::vector<double> sum(kSize);
  for (std::uint64_t s = 0; s < 5; ++s) {
    const auto product = s % 2 == 0 ? serial_mxvt(serial_batch(m, s, kSize), kMultiply, kAdd, 0.0, x)
                                    : serial_mxvt(serial_batch(m, 4 - s, kSize), kMultiply, kAdd, 0.0, y);
    for (std::size_t r = 0; r < kSize; ++r) sum[r] += s % 2 == 0 ? product[r] : -product[r];
  }
  EXPECT_EQ(chosen.get(), sum);
}

/// Functions of both ends, made entries, reductions of entries, and Rows.
TEST_P(EndToEnd, WhatAMatrixGoesIntoABatchGoesIntoToo) {
  constexpr std::uint64_t kSize = 7, kWidth = 3;
  const auto m = small_matrix(30, 11, 150, 8);
  const auto X = batches(m.distribute(), kSize);
  const Vector<double> at_rows = exact_vector(Space(kSize), 3), at_columns = exact_vector(11, 4);
  const auto r = exact_numbers(kSize, 3), c = exact_numbers(11, 4);
  Shared<Int> number = 2;
  const Matrix<double> some = batch(X, number);
  number = 0;  // the batch stays
  const auto serial = serial_batch(m, 2, kSize);
  const auto three = [](double x, double e, double z) { return x + 2 * e - z; };
  std::vector<double> to_columns(11), to_rows(kSize), scaled(kSize);
  double sum = 0;
  for (const Entry<double>& e : serial.entries) {
    const auto i = static_cast<std::size_t>(e.row), j = static_cast<std::size_t>(e.column);
    to_columns[j] += three(r[i], e.value, c[j]);
    to_rows[i] += three(c[j], e.value, r[i]);
    scaled[i] += r[i] * e.value * c[j];
    sum += e.value * r[i] - c[j];
  }
  EXPECT_EQ(mxv(three, plus, some, at_rows, at_columns).get(), to_columns);
  EXPECT_EQ(mxvt(three, plus, some, at_columns, at_rows).get(), to_rows);
  EXPECT_EQ(multiply(scale_rows(at_rows, some), at_columns).get(), scaled);
  const auto of_entry = [](double x, double e, double z) { return e * x - z; };
  EXPECT_EQ(reduce_entries(of_entry, plus, some, at_rows, at_columns).get(), sum);
  const auto numbers = exact_numbers(11 * kWidth, 9);
  const BlockRange mine = block_of(Space(11));
  const Rows<double> W = make_rows(
      Space(11), kWidth,
      std::span<const double>(numbers).subspan(static_cast<std::size_t>(mine.first) * kWidth, mine.count * kWidth));
  std::vector<double> rows(kSize * kWidth);
  for (const Entry<double>& e : serial.entries) {
    for (std::size_t k = 0; k < kWidth; ++k) {
      rows[static_cast<std::size_t>(e.row) * kWidth + k] +=
          numbers[static_cast<std::size_t>(e.column) * kWidth + k] * e.value;
    }
  }
  EXPECT_EQ(multiply(some, W).get(), rows);
}

/// Other matrices over the same spaces come before and after, dense ones and those without non-zeros too.
TEST_P(EndToEnd, BatchesOfAMatrixShareTheirSpaces) {
  constexpr std::uint64_t kSize = 12;
  const auto m = small_matrix(36, kSize, 90, 5), square = small_matrix(kSize, kSize, 60, 6);
  Sparse<double> full{6, 5, {}};
  for (GlobalIndex i = 0; i < 6; ++i) {
    for (GlobalIndex j = 0; j < 5; ++j)
      full.entries.push_back({i, j, exact_number(static_cast<std::uint64_t>(i * 5 + j))});
  }
  const auto x = exact_numbers(kSize, 7);
  const Vector<double> v = exact_vector(kSize, 7);
  const auto X = batches(m.distribute(), kSize);  // over one space, that of its columns too
  const Vector<double> before = multiply(batch(X, 2), v);
  const Matrix<double> later = square.distribute();
  const Vector<double> after = multiply(later, multiply(batch(X, 2), v));
  const auto want = serial_mxvt(serial_batch(m, 2, kSize), kMultiply, kAdd, 0.0, x);
  EXPECT_EQ(before.get(), want);
  EXPECT_EQ(after.get(), serial_mxvt(square, kMultiply, kAdd, 0.0, want));
  EXPECT_EQ(multiply_transposed(batch(X, 1), v).get(), serial_mxv(serial_batch(m, 1, kSize), kMultiply, kAdd, 0.0, x));
  const auto of_full = batches(full.distribute(), 2);
  EXPECT_EQ(multiply(batch(of_full, 1), exact_vector(5, 3)).get(),
            serial_mxvt(serial_batch(full, 1, 2), kMultiply, kAdd, 0.0, exact_numbers(5, 3)));
  const auto nothing = batches(Sparse<double>{9, 4, {}}.distribute(), 4);
  EXPECT_EQ(multiply(batch(nothing, 1), exact_vector(4, 3)).get(), std::vector<double>(4));
  EXPECT_EQ(multiply_transposed(batch(nothing, 0), exact_vector(4, 3)).get(), std::vector<double>(4));
}

/// What a batch costs: its own non-zeros, however many batches there are.
TEST_P(EndToEnd, ABatchOfAMatrixReadsItsNonzerosAlone) {
  constexpr std::uint64_t kSize = 10, kColumns = 6;
  const auto m = small_matrix(2000, kColumns, 6000, 5);
  const auto X = batches(m.distribute(), kSize);
  const Vector<double> v = exact_vector(kColumns, 1);
  const std::uint64_t before = session().counts().measured.elements_read;
  const double got = reduce(plus, multiply(batch(X, 77), v)).get();
  const auto some = serial_batch(m, 77, kSize);
  double want = 0;
  for (const double x : serial_mxvt(some, kMultiply, kAdd, 0.0, exact_numbers(kColumns, 1))) want += x;
  EXPECT_EQ(got, want);
  const std::uint64_t read = session().counts().measured.elements_read - before;
  EXPECT_GE(read, 2 * some.entries.size()) << "an entry and an element of v for each";
  EXPECT_LE(read, 2 * some.entries.size() + 100);
}

TEST_P(EndToEnd, BatchesOfAMatrixAreChecked) {
  const Matrix<double> M = small_matrix(20, 9, 70).distribute();
  const auto all = batches(M, 6);
  expect_refused([&] { batches(M, 0); }, "[batches] there are no batches of 0 of 20 rows");
  expect_refused([&] { batches(M, 21); }, "[batches] there are no batches of 21 of 20 rows");
  expect_refused([&] { batches(batch(all, 1), 2); }, "[batches] a batch of a matrix has no batches");
  Shared<Int> k = 0;
  expect_refused([&] { while_([&] { return k < 1; }, [&] { batches(M, 5); }); },
                 "[batches] not allowed in a recorded block");
  expect_refused([&] { batch(all, 3); }, "[batch] there is no batch 3: batches are 0 to 2");
  expect_refused([&] { multiply(batch(all, 1), exact_vector(20, 1)); }, "the matrix is 6 x 9");
  expect_refused([&] { multiply(batch(all, k - 1), exact_vector(9, 1)).get(); },
                 "[batch] there is no batch -1 for this product: batches are 0 to 2");
  expect_refused([&] { multiply_transposed(batch(all, Shared<Int>(3)), exact_vector(6, 1)).get(); },
                 "[batch] there is no batch 3 for this product: batches are 0 to 2");
  EXPECT_EQ(multiply(batch(all, 2), exact_vector(9, 1)).get().size(), 6u);
}

/// A Matrix is no variable of the program: in a block it is not assigned to one that was made before.
TEST_P(EndToEnd, AMatrixMadeBeforeABlockStaysInIt) {
  const auto all = batches(small_matrix(20, 9, 70).distribute(), 6);
  Matrix<double> some = batch(all, 0), other = batch(all, 1);
  std::swap(some, other);
  const Vector<double> v = exact_vector(9, 1);
  const auto was = multiply(some, v).get();
  const std::string what = " a Matrix that was made before the block is assigned in it";
  Shared<Int> k = 0;
  const auto twice = [&](const auto& body) {
    while_([&] { return k < 2; },
           [&] {
             body();
             k += 1;
           });
  };
  expect_refused([&] { twice([&] { some = batch(all, k); }); }, "[while_]" + what);
  expect_refused([&] { twice([&] { std::swap(some, other); }); }, "[while_]" + what);
  expect_refused([&] { if_(k == 0, [&] { some = other; }); }, "[if_]" + what);
  Vector<double> sum = constant(Space(6), 0.0);
  twice([&] {
    Matrix<double> here = batch(all, 2);
    here = batch(all, k);
    sum = zip_with(plus, sum, multiply(here, v));
  });
  const Vector<double> want = zip_with(plus, multiply(batch(all, 0), v), multiply(batch(all, 1), v));
  EXPECT_EQ(sum.get(), want.get());
  EXPECT_EQ(multiply(some, v).get(), was);
}

}  // namespace
}  // namespace kasen::tests
