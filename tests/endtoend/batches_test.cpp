/// @file
/// Vectors and Rows in batches, of which recorded loops take one after another, beside serial loops. Numbers are exact:
/// results are equal.
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kasen/base/error.h"
#include "tests/endtoend/end_to_end.h"
#include "tests/kasen/program_mistakes.h"

namespace kasen::tests {
namespace {

using Point = std::span<const double>;

struct Mixed {
  double number;
  std::int32_t index;
  bool operator==(const Mixed&) const = default;
};

/// Elements of `width` numbers of batch b of `count`, of all elements.
template <class T>
std::vector<T> serial_batch(const std::vector<T>& all, std::uint64_t b, std::uint64_t count, std::uint64_t size,
                            std::uint64_t width = 1) {
  std::vector<T> some;
  for (std::uint64_t k = 0; k < size; ++k) {
    for (std::uint64_t c = 0; c < width; ++c) some.push_back(all[(k * count + b) * width + c]);
  }
  return some;
}

Rows<double> rows_of(Space space, const std::vector<double>& numbers, std::uint64_t width) {
  const BlockRange mine = block_of(space);
  return make_rows(space, width,
                   std::span(numbers).subspan(static_cast<std::size_t>(mine.first) * width, mine.count * width));
}

TEST_P(EndToEnd, BatchesAreSpreadOverTheWhole) {
  const auto numbers = exact_numbers(kLength, 3), points = exact_numbers(kLength * 3, 4);
  const Vector<double> v = exact_vector(kLength, 3);
  const Rows<double> X = rows_of(kLength, points, 3);
  const Vector<Mixed> m = zip_with(
      [](double x, GlobalIndex i) {
        return Mixed{x, static_cast<std::int32_t>(i)};
      },
      v, iota(kLength));
  for (const std::uint64_t size : {1u, 2u, 5u, 18u, 19u, 36u, 37u}) {
    const auto of_v = batches(v, size);
    const auto of_X = batches(X, size);
    const auto of_m = batches(m, size);
    const std::uint64_t count = kLength / size;
    ASSERT_EQ(of_v.count(), count);
    EXPECT_EQ(of_X.count(), count);
    EXPECT_EQ(of_X.size(), size);
    for (std::uint64_t b = 0; b < count; b += 1 + count / 4) {
      EXPECT_EQ(batch(of_v, b).get(), serial_batch(numbers, b, count, size));
      const Rows<double> some = batch(of_X, static_cast<int>(b));
      EXPECT_EQ(some.width(), 3u);
      EXPECT_EQ(some.get(), serial_batch(points, b, count, size, 3));
      const auto mixed = batch(of_m, Shared<std::int32_t>(static_cast<std::int32_t>(b))).get();
      for (std::uint64_t k = 0; k < size; ++k) {
        EXPECT_EQ(mixed[k], (Mixed{numbers[k * count + b], static_cast<std::int32_t>(k * count + b)}));
      }
    }
  }
}

/// A number for each step, of samples and labels of its batch; two epochs.
TEST_P(EndToEnd, ALoopTakesOneBatchAfterAnother) {
  constexpr std::uint64_t kWidth = 4, kSize = 9, kCount = kLength / kSize;
  const auto points = exact_numbers(kLength * kWidth, 1), labels = exact_numbers(kLength, 2);
  const auto X = batches(rows_of(kLength, points, kWidth), kSize);
  const auto y = batches(exact_vector(kLength, 2), kSize);
  Vector<double> sums = constant(Space(kWidth), 0.0);
  Shared<double> total = 0.0;
  Shared<std::uint64_t> step = 0;
  while_([&] { return step < 2 * kCount; },
         [&] {
           const auto b = step % kCount;
           const Rows<double> x = batch(X, b);
           const Vector<double> label = batch(y, b);
           const auto weighted = [](Point row, double by, std::span<double> out) {
             for (std::size_t c = 0; c < out.size(); ++c) out[c] = row[c] * by;
           };
           const Rows<double> scaled = zip_with(weighted, x, label, width(kWidth));
           const Rows<double> products = cross(map([](double, std::span<double> out) { out[0] = 1; }, label, width(1)),
                                               scaled);  // one row
           const auto first = [](GlobalIndex c, double sum, const RowsView<double>& all) {
             return sum + all[0][static_cast<std::size_t>(c)];
           };
           sums = zip_with(first, iota(Space(kWidth)), sums, whole(products));
           total += reduce(plus, label) * kasen::cast<double>(step);
           ++step;
         });
  std::vector<double> want(kWidth);
  double want_total = 0;
  for (std::uint64_t s = 0; s < 2 * kCount; ++s) {
    for (std::uint64_t k = 0; k < kSize; ++k) {
      const std::uint64_t i = k * kCount + s % kCount;
      for (std::uint64_t c = 0; c < kWidth; ++c) want[c] += points[i * kWidth + c] * labels[i];
      want_total += labels[i] * static_cast<double>(s);
    }
  }
  EXPECT_EQ(sums.get(), want);
  EXPECT_EQ(total.get(), want_total);
}

/// Rows that a loop carries may go on as a batch, and a batch as other rows.
TEST_P(EndToEnd, BatchesAreRowsAsOthers) {
  constexpr std::uint64_t kWidth = 3, kSize = 9;
  const auto points = exact_numbers(kLength * kWidth, 6);
  const auto X = batches(rows_of(kLength, points, kWidth), kSize);
  const auto twice = [](Point row, std::span<double> out) {
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = 2 * row[c];
  };
  Rows<double> made = map(twice, batch(X, 0), width(kWidth)), taken = batch(X, 0);
  Shared<std::uint64_t> step = 0;
  while_([&] { return step < std::uint64_t{3}; },
         [&] {
           made = batch(X, step);
           taken = map(twice, taken, width(kWidth));
           ++step;
         });
  std::vector<double> want = serial_batch(points, 0, kLength / kSize, kSize, kWidth);
  for (double& x : want) x *= 8;
  EXPECT_EQ(taken.get(), want);
  EXPECT_EQ(made.get(), serial_batch(points, 2, kLength / kSize, kSize, kWidth));
}

/// What a batch costs: its own elements, however many batches there are.
TEST_P(EndToEnd, ABatchReadsItsElementsAlone) {
  constexpr std::uint64_t kMany = 600, kWidth = 3, kSize = 20;
  const auto points = exact_numbers(kMany * kWidth, 5);
  const auto X = batches(rows_of(kMany, points, kWidth), kSize);
  const std::uint64_t before = session().counts().measured.bytes_read;
  const auto sum = [](Point x) { return x[0] + x[2]; };
  const double got = reduce(plus, map(sum, batch(X, 7))).get();
  double want = 0;
  for (std::uint64_t k = 0; k < kSize; ++k) {
    const std::uint64_t i = k * (kMany / kSize) + 7;
    want += points[i * kWidth] + points[i * kWidth + 2];
  }
  EXPECT_EQ(got, want);
  const std::uint64_t of_batch = kSize * kWidth * sizeof(double),
                      read = session().counts().measured.bytes_read - before;
  EXPECT_GE(read, of_batch);
  EXPECT_LE(read, 3 * of_batch) << "once more for each step that is not fused";
}

/// Of vectors that a matrix has assigned, which wait pre-reduced; and batches of the space of a matrix.
TEST_P(EndToEnd, BatchesAndMatrices) {
  const auto m = small_matrix(41, 29, 200), small = small_matrix(8, 13, 40, 7);
  const Space rows = separate_space(41, "rows"), columns = separate_space(29, "columns");
  const Matrix<double> M = m.distribute(rows, columns), A = small.distribute(Space(8), Space(13));
  const auto x = exact_numbers(29, 5);
  const auto y = serial_mxvt(m, kMultiply, kAdd, 0.0, x);
  const auto of_y = batches(mxvt(times, plus, M, exact_vector(columns, 5)), 8);
  std::vector<double> want(13);
  Vector<double> sums = constant(Space(13), 0.0);
  Shared<Int> b = 0;
  while_([&] { return b < 5; },
         [&] {
           sums = zip_with(plus, sums, mxv(times, plus, A, batch(of_y, b)));
           b += 1;
         });
  for (std::uint64_t k = 0; k < 5; ++k) {
    const auto product = serial_mxv(small, kMultiply, kAdd, 0.0, serial_batch(y, k, 5, 8));
    for (std::size_t c = 0; c < 13; ++c) want[c] += product[c];
  }
  EXPECT_EQ(sums.get(), want);
  const auto looked_up = take(batch(of_y, 3), map(KASEN_FN((auto i), i % 8), iota(29)));
  std::vector<double> found;
  for (std::uint64_t k = 0; k < 29; ++k) found.push_back(serial_batch(y, 3, 5, 8)[k % 8]);
  EXPECT_EQ(looked_up.get(), found);
}

/// Batches are handles: copies hold what they are of, and several are of one vector.
TEST_P(EndToEnd, BatchesOutliveTheirVector) {
  const auto numbers = exact_numbers(kLength, 3);
  Vector<double> v = exact_vector(kLength, 3);
  const auto fives = batches(v, 5), copy = fives;
  const auto sixes = batches(v, 6);
  v = constant(kLength, 0.0);
  EXPECT_EQ(batch(copy, 6).get(), serial_batch(numbers, 6, 7, 5));
  EXPECT_EQ(batch(fives, 0).get(), serial_batch(numbers, 0, 7, 5));
  EXPECT_EQ(batch(sixes, 5).get(), serial_batch(numbers, 5, 6, 6));
  EXPECT_EQ(batch(batches(batch(fives, 1), 2), 1).get(), (std::vector<double>{numbers[1 + 7], numbers[1 + 3 * 7]}));
}

TEST_P(EndToEnd, BatchesAreChecked) {
  const Vector<double> v = exact_vector(kLength, 3);
  const auto all = batches(v, 5);
  expect_refused([&] { batches(v, 0); }, "[batches] there are no batches of 0 of 37 elements");
  expect_refused([&] { batches(v, 38); }, "[batches] there are no batches of 38 of 37 elements");
  expect_refused([&] { batches(v, -1); }, "[batches] there are no batches of -1 of 37 elements");
  expect_refused([&] { batches(constant(0, 1.0), 1); }, "[batches] there are no batches of 1 of 0 elements");
  if (session().options().passes_off.empty()) {  // else what is dead runs, and takes 3 GB
    using Wide = std::array<double, 10'000'000>;
    static_assert(sizeof(Wide) == 80'000'000);
    expect_refused([&] { batches(map([](double) { return Wide{}; }, v), 1); },
                   "[batches] 37 batches of elements of 80000000");
  }
  Shared<Int> k = 0;
  expect_refused([&] { while_([&] { return k < 1; }, [&] { batches(v, 5); }); },
                 "[batches] not allowed in a recorded block");
  expect_refused([&] { batch(all, 7); }, "[batch] there is no batch 7: batches are 0 to 6");
  expect_refused([&] { batch(all, -1); }, "[batch] there is no batch -1: batches are 0 to 6");
  expect_refused([&] { batch(all, k - 1).get(); }, "[batch] there is no batch -1: batches are 0 to 6");
  EXPECT_EQ(batch(all, 6).length(), 5u);
}

}  // namespace
}  // namespace kasen::tests
