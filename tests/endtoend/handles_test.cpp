/// @file
/// Programs that keep handles: of vectors that wait pre-reduced, under several names, across stores, loops and
/// matrices that come later, read in any order and more than once.
#include <utility>

#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

using Numbers = std::vector<double>;

/// Two products that nothing has read yet, and what they are.
struct Products {
  explicit Products(std::uint64_t seed) : matrix(small_matrix(60, 60, 400, seed)), in_kasen(matrix.distribute()) {
    const Numbers x = exact_numbers(60, 5), y = exact_numbers(60, 6);
    u = product(x, in_kasen.rows(), 5);
    v = product(y, in_kasen.rows(), 6);
    want_u = serial_mxv(matrix, kMultiply, kAdd, 0.0, x);
    want_v = serial_mxv(matrix, kMultiply, kAdd, 0.0, y);
  }
  Vector<double> product(const Numbers&, Space space, std::uint64_t seed) const {
    return mxv(times, plus, in_kasen, exact_vector(space, seed));
  }
  double total(const Numbers& numbers) const {
    double sum = 0;
    for (double number : numbers) sum += number;
    return sum;
  }
  Sparse<double> matrix;
  Matrix<double> in_kasen;
  Vector<double> u, v;
  Numbers want_u, want_v;
};

void swap_in_a_loop(Vector<double>& a, Vector<double>& b, int rounds) {
  Shared<int> k = 0;
  const Shared<int> last = rounds;
  while_([&] { return k < last; },
         [&] {
           auto t = a;
           a = b;
           b = t;
           k = k + 1;
         });
}

TEST_P(EndToEnd, PartialResultsUnderTwoNamesAreGatheredOnce) {
  for (const int rounds : {0, 1, 2, 3}) {
    Products p(1);
    Vector<double> a = p.u, b = p.v;
    swap_in_a_loop(a, b, rounds);
    const bool swapped = rounds % 2 == 1;
    const Numbers &want_a = swapped ? p.want_v : p.want_u, &want_b = swapped ? p.want_u : p.want_v;
    EXPECT_EQ(reduce(plus, a).get(), p.total(want_a));
    EXPECT_EQ(p.u.get(), p.want_u) << rounds;
    EXPECT_EQ(p.v.get(), p.want_v) << rounds;
    EXPECT_EQ(a.get(), want_a) << rounds;
    EXPECT_EQ(b.get(), want_b) << rounds;
    EXPECT_EQ(p.u.get(), p.want_u) << rounds;
  }
}

/// The names are of a run before: the loop starts from vectors that are stored pre-reduced.
TEST_P(EndToEnd, PartialResultsThatAreStoredAreGatheredOnce) {
  Products p(2);
  EXPECT_EQ(reduce(plus, p.u).get(), p.total(p.want_u));
  Vector<double> a = p.u, b = p.v;
  swap_in_a_loop(a, b, 3);
  EXPECT_EQ(reduce(plus, b).get(), p.total(p.want_u));
  EXPECT_EQ(p.v.get(), p.want_v);
  EXPECT_EQ(a.get(), p.want_v);
  EXPECT_EQ(b.get(), p.want_u);
  EXPECT_EQ(p.u.get(), p.want_u);
}

TEST_P(EndToEnd, PartialResultsAreCarriedBesideOtherWork) {
  Products p(3);
  Vector<double> a = p.u, b = p.v, sum = constant(p.in_kasen.rows(), 0.0);
  Shared<int> k = 0;
  const Shared<int> last = 3;
  while_([&] { return k < last; },
         [&] {
           sum = zip_with(plus, sum, mxvt(times, plus, p.in_kasen, constant(p.in_kasen.columns(), 0.5)));
           std::swap(a, b);
           k = k + 1;
         });
  Numbers want = serial_mxvt(p.matrix, kMultiply, kAdd, 0.0, Numbers(60, 0.5));
  for (double& number : want) number *= 3;
  EXPECT_EQ(b.get(), p.want_u);
  EXPECT_EQ(p.v.get(), p.want_v);
  EXPECT_EQ(a.get(), p.want_v);
  EXPECT_EQ(sum.get(), want);
  EXPECT_EQ(p.u.get(), p.want_u);
}

TEST_P(EndToEnd, ABranchHandsPartialResultsOnUnderTwoNames) {
  for (const bool taken : {true, false}) {
    Products p(4);
    Vector<double> a = p.u;
    const Shared<bool> test = taken;
    if_(test, [&] { a = p.v; });
    EXPECT_EQ(reduce(plus, p.v).get(), p.total(p.want_v));
    EXPECT_EQ(a.get(), taken ? p.want_v : p.want_u);
    EXPECT_EQ(p.u.get(), p.want_u);
    EXPECT_EQ(p.v.get(), p.want_v);
    EXPECT_EQ(a.get(), taken ? p.want_v : p.want_u);
  }
}

/// Matrices bring roles to a space whose vectors wait: more than are told apart.
TEST_P(EndToEnd, PartialResultsWaitWhileMatricesAreAdded) {
  Products p(5);
  std::vector<Sparse<double>> more;
  std::vector<Matrix<double>> in_kasen;
  std::vector<Vector<double>> waiting{p.u};
  std::vector<Numbers> want{p.want_u};
  const Vector<double> consistent = exact_vector(p.in_kasen.rows(), 9);
  const Numbers numbers = exact_numbers(60, 9);
  for (std::uint64_t seed = 20; seed < 26; ++seed) {
    more.push_back(small_matrix(60, 60, 150, seed));
    in_kasen.push_back(more.back().distribute());
    waiting.push_back(mxv(times, plus, in_kasen.back(), consistent));
    want.push_back(serial_mxv(more.back(), kMultiply, kAdd, 0.0, numbers));
    // Without a gather of the vector itself: the sum of partial results is the sum.
    EXPECT_EQ(reduce(plus, waiting.back()).get(), p.total(want.back()));
  }
  const Vector<double> last = mxvt(times, plus, in_kasen[0], consistent);
  EXPECT_EQ(last.get(), serial_mxvt(more[0], kMultiply, kAdd, 0.0, numbers));
  for (std::size_t k = 0; k < waiting.size(); ++k) EXPECT_EQ(waiting[k].get(), want[k]) << k;
  EXPECT_EQ(p.v.get(), p.want_v);
}

}  // namespace
}  // namespace kasen::tests
