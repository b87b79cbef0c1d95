/// @file
/// Vectors made of values that the workers have: over spaces in blocks and hashed ones, in every kind of statement.
#include <array>
#include <string>

#include "kasen/base/error.h"
#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

struct Odd {
  std::array<std::uint8_t, 5> bytes;
  bool operator==(const Odd&) const = default;
};

/// Collective. Whether block_values gives this worker's block of these values.
template <class T>
bool gives_back(const Vector<T>& v, const std::vector<T>& values) {
  const BlockRange range = block_of(static_cast<std::int64_t>(values.size()));
  const auto mine = std::span<const T>(values).subspan(static_cast<std::size_t>(range.first), range.count);
  return block_values(v) == std::vector<T>(mine.begin(), mine.end());
}

TEST_P(EndToEnd, VectorFromValues) {
  const auto numbers = exact_numbers(kLength, 3);
  const Vector<double> v = distribute(kLength, numbers);
  EXPECT_EQ(v.get(), numbers);
  std::vector<Odd> odd;
  for (std::uint8_t k = 0; k < kLength; ++k) odd.push_back({{k, 1, k, 2, k}});
  EXPECT_EQ(distribute(kLength, odd).get(), odd);
  EXPECT_TRUE(gives_back(v, numbers));
  EXPECT_TRUE(gives_back(distribute(kLength, odd), odd));
  EXPECT_EQ(distribute<double>(0, {}).get(), std::vector<double>());
  const Vector<bool> odd_numbers = map([](double a) { return static_cast<Int>(a) % 2 != 0; }, v);
  const std::vector<bool> mine = block_values(odd_numbers);
  EXPECT_EQ(make_vector(kLength, mine).get(), odd_numbers.get());
  EXPECT_EQ(make_vector<bool>(kLength, mine).get(), odd_numbers.get());
  EXPECT_EQ(distribute<float>(1, {0.5f}).get(), std::vector<float>{0.5f});
}

TEST_P(EndToEnd, VectorFromValuesOverAMatrix) {
  const auto m = small_matrix(29, 41, 300);
  const auto before = exact_numbers(29, 1), after = exact_numbers(29, 2), wide = exact_numbers(41, 3);
  const Space rows = separate_space(29, "rows"), columns = separate_space(41, "columns");
  const Vector<double> early = distribute(rows, before);  // the space is assigned now, in blocks
  const Matrix<double> M = m.distribute(rows, columns);
  const Vector<double> late = distribute(rows, after), across = distribute(columns, wide);  // by the matrix
  EXPECT_EQ(mxv(times, plus, M, early).slot() != late.slot(), true);
  EXPECT_EQ((Vector<double>(mxv(times, plus, M, early)).get()), serial_mxv(m, kMultiply, kAdd, 0.0, before));
  EXPECT_EQ((Vector<double>(mxv(times, plus, M, late)).get()), serial_mxv(m, kMultiply, kAdd, 0.0, after));
  EXPECT_EQ((Vector<double>(mxvt(times, plus, M, across)).get()), serial_mxvt(m, kMultiply, kAdd, 0.0, wide));
  EXPECT_EQ(early.get(), before);
  EXPECT_EQ(across.get(), wide);
  EXPECT_TRUE(gives_back(across, wide));
  EXPECT_TRUE(gives_back(mxv(times, plus, M, late), serial_mxv(m, kMultiply, kAdd, 0.0, after)));
  EXPECT_EQ(dot(early, late).get(), dot(before, after));
}

/// Gradient steps towards labels: read in every iteration, and one vector is the start of what is carried.
TEST_P(EndToEnd, VectorFromValuesInALoop) {
  const auto m = small_matrix(31, 23, 150, 5);
  const auto labels = exact_numbers(31, 7), start = exact_numbers(23, 9);
  const Space rows = separate_space(31, "samples"), columns = separate_space(23, "features");
  const Matrix<double> M = m.distribute(rows, columns);
  const Vector<double> y = distribute(rows, labels);
  Vector<double> w = distribute(columns, start);
  Shared<std::int64_t> k = 0;
  while_([&] { return k < 3; },
         [&] {
           auto residual = zip_with(minus, mxvt(times, plus, M, w), y);
           w = zip_with([](double a, double g) { return a - g / 1024; }, w, mxv(times, plus, M, residual));
           k = k + 1;
         });
  std::vector<double> expected = start;
  for (int step = 0; step < 3; ++step) {
    auto residual = serial_mxvt(m, kMultiply, kAdd, 0.0, expected);
    for (std::size_t i = 0; i < residual.size(); ++i) residual[i] -= labels[i];
    const auto gradient = serial_mxv(m, kMultiply, kAdd, 0.0, residual);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] -= gradient[i] / 1024;
  }
  EXPECT_TRUE(near(w.get(), expected, kAgreement, 1));
  EXPECT_EQ(y.get(), labels);
}

TEST_P(EndToEnd, VectorFromValuesIsChecked) {
  const std::vector<double> values(kLength + 1);
  std::string message;
  try {
    make_vector<double>(kLength, std::span<const double>(values));
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_NE(message.find("[make_vector] worker 0 gives 38 values, its block of the space has "), std::string::npos)
      << message;
  message.clear();
  Shared<std::int64_t> k = 0;
  try {
    while_([&] { return k < 1; }, [&] { distribute(kLength, exact_numbers(kLength, 1)); });
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_NE(message.find("not allowed in a recorded block"), std::string::npos) << message;
}

}  // namespace
}  // namespace kasen::tests
