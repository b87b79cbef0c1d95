/// @file
/// Programs on what was read from files: matrices of several element types, samples with their labels, tables.
#include <cmath>
#include <limits>

#include "kasen/base/error.h"
#include "tests/endtoend/end_to_end.h"
#include "tests/io/temporary_directory.h"

namespace kasen::tests {
namespace {

class Files {
 public:
  std::string write(const std::string& name, std::string_view text) const { return _directory.write(name, text); }

 private:
  comm::Communicator _communicator;
  io::TemporaryDirectory _directory{_communicator};
};

template <class T>
std::vector<T> column_sums(const Matrix<T>& M) {
  Vector<T> ones = constant(M.rows(), T{1});
  return Vector<T>(mxv(times, plus, M, ones)).get();
}

TEST_P(EndToEnd, MatricesFromFiles) {
  const Files files;
  const std::string path = files.write("g.txt", "10 30 2\n20 30 3\n30 10 -1\n10 10 5\n");
  EXPECT_EQ(column_sums(read_matrix<double>(path)), (std::vector<double>{4, 0, 5}));
  EXPECT_EQ(column_sums(read_matrix<float>(path)), (std::vector<float>{4, 0, 5}));
  EXPECT_EQ(column_sums(read_matrix<std::int64_t>(path)), (std::vector<std::int64_t>{4, 0, 5}));
  EXPECT_EQ(column_sums(read_matrix<std::int32_t>(path)), (std::vector<std::int32_t>{4, 0, 5}));
  const Matrix<Pattern> G = read_matrix<Pattern>(path, {.ignore_weights = true});
  EXPECT_EQ((Vector<double>(mxv(first, plus, G, constant(G.rows(), 1.0))).get()), (std::vector<double>{2, 0, 2}));
  EXPECT_EQ(names(G, std::vector<GlobalIndex>{2, 0}), (std::vector<std::string>{"30", "10"}));
  EXPECT_EQ(vertices(G, std::vector<std::string>{"20", "25"}), (std::vector<GlobalIndex>{1, -1}));
  std::string message;
  try {
    read_matrix<std::uint8_t>(path);
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_EQ(message, path + ":3:7: expected a weight from 0 to 255, found '-1'");
  message = "no error";
  try {
    read_matrix<double>(path, {.ignore_weights = true});
  } catch (const ProgramError& error) {
    message = error.what();
  }
  EXPECT_NE(message.find("ignore_weights leaves out the values that a matrix of numbers needs"), std::string::npos)
      << message;
}

/// Numbers that a float, or an integer of few bits, does not hold; of a skew-symmetric matrix also their negatives.
TEST_P(EndToEnd, NumbersThatFitFromFiles) {
  const Files files;
  const auto refusal = [](const auto& read) {
    try {
      read();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const std::string large = files.write("large.txt", "1 2 3.4028235e38\n2 1 3.5e38\n");
  EXPECT_EQ(refusal([&] { read_matrix<float>(large); }),
            large + ":2:5: expected a weight that fits the type of the elements, found '3.5e38'");
  const std::string whole = files.write(
      "whole.mtx", "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 4" + std::string(38, '0') + "\n");
  EXPECT_TRUE(refusal([&] { read_matrix<float>(whole); }).starts_with(whole + ":3:5: expected a value that fits"));
  const std::string most = files.write("most.txt", "1 2 3.4028235e38\n2 1 -3.4028235e38\n");
  constexpr float kMost = std::numeric_limits<float>::max();
  EXPECT_EQ(column_sums(read_matrix<float>(most)), (std::vector<float>{-kMost, kMost}));
  const std::string infinite = files.write("infinite.txt", "1 2 inf\n2 1 3\n");
  EXPECT_EQ(column_sums(read_matrix<float>(infinite, {.allow_non_finite = true})),
            (std::vector<float>{3, std::numeric_limits<float>::infinity()}));

  const std::string banner = "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n";
  const std::string three = files.write("three.mtx", banner + "2 1 3\n");
  EXPECT_EQ(refusal([&] { read_matrix<std::uint32_t>(three); }),
            three + ":3:5: expected a value from 0 to 0, found '3'");
  const auto bytes = read_matrix<std::int8_t>(three);
  const auto product = [](int x, std::int8_t m) { return x * m; };
  EXPECT_EQ(mxv(product, plus, bytes, constant(bytes.rows(), 1)).get(), (std::vector<int>{3, -3}));
  const std::string least = files.write("least.mtx", banner + "2 1 -128\n");
  EXPECT_EQ(refusal([&] { read_matrix<std::int8_t>(least); }),
            least + ":3:5: expected a value from -127 to 127, found '-128'");
}

/// One step of least squares: X'(X w - y).
TEST_P(EndToEnd, SamplesFromFiles) {
  const Files files;
  std::string text;
  Sparse<double> m{23, 7, {}};
  std::vector<double> labels;
  for (GlobalIndex i = 0; i < 23; ++i) {
    labels.push_back(static_cast<double>(i % 5) - 2);
    text += std::to_string(i % 5 - 2);
    for (GlobalIndex j = i % 3; j < 7; j += 2) {
      m.entries.push_back({i, j, static_cast<double>(i + j) / 2});
      text += " " + std::to_string(j + 1) + ":" + std::to_string(static_cast<double>(i + j) / 2);
    }
    text += "\n";
  }
  const auto samples = read_samples<double>(files.write("a.svm", text));
  ASSERT_TRUE(samples.labelled);
  EXPECT_EQ(samples.X.rows().length(), 23u);
  EXPECT_EQ(samples.X.columns().length(), 7u);
  EXPECT_EQ(samples.labels.get(), labels);
  const std::vector<double> w = exact_numbers(7, 4);
  auto residual = zip_with(minus, mxvt(times, plus, samples.X, exact_vector(samples.X.columns(), 4)), samples.labels);
  Vector<double> gradient = mxv(times, plus, samples.X, residual);
  auto expected = serial_mxvt(m, kMultiply, kAdd, 0.0, w);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] -= labels[i];
  EXPECT_EQ(gradient.get(), serial_mxv(m, kMultiply, kAdd, 0.0, expected));

  const auto unlabelled =
      read_samples<float>(files.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 1\n2 3 0.5\n"));
  EXPECT_FALSE(unlabelled.labelled);
  EXPECT_EQ(column_sums(unlabelled.X), (std::vector<float>{0, 0, 0.5f}));
}

TEST_P(EndToEnd, TablesFromFiles) {
  const Files files;
  std::string text = "x,y,x\n";
  std::vector<double> x, y;
  for (int i = 0; i < 19; ++i) {
    x.push_back(i / 4.0), y.push_back(7 - i);
    text += std::to_string(x.back()) + "," + std::to_string(y.back()) + ",0\n";
  }
  const Table table = read_table(files.write("t.csv", text));
  EXPECT_EQ(table.names(), (std::vector<std::string>{"x", "y", "x"}));
  EXPECT_EQ(table.rows().length(), 19u);
  EXPECT_EQ(table.column(0).get(), x);
  EXPECT_EQ(dot(table.column(0), table.column("y")).get(), dot(x, y));
  const Matrix<double> M = table.matrix();
  EXPECT_EQ(M.columns().length(), 3u);
  EXPECT_EQ(column_sums(M)[0], dot(x, std::vector<double>(19, 1.0)));
  EXPECT_EQ(table.column(1).get(), y);  // after the matrix has assigned the space

  const auto error_of = [](auto read) {
    try {
      read();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(error_of([&] { table.column("z"); }), "expected a column named 'z', found only x, y, x");
  EXPECT_EQ(error_of([&] { table.column("x"); }), "expected one column named 'x', found several");
  EXPECT_NE(error_of([&] { table.column(3); }).find("there is no column 3, the table has 3"), std::string::npos);
}

}  // namespace
}  // namespace kasen::tests
