/// @file
/// A law that a user declares and that does not hold: in programs that link kasen::checked an error on all workers.
#include <gtest/gtest.h>

#include <algorithm>

#include "kasen/base/error.h"
#include "kasen/kasen.h"

namespace kasen::tests {
namespace {

/// A matrix whose columns have non-zeros on many workers.
Matrix<double> matrix() {
  std::vector<Entry<double>> mine;
  for (std::int64_t k = Session::current().rank(); k < 200; k += Session::current().workers()) {
    mine.push_back({(k * 7) % 40, (k * 11) % 40, 1.0 + static_cast<double>(k % 5)});
  }
  return make_matrix<double>(Space(40), Space(40), std::span<const Entry<double>>(mine));
}

/// The message, if computing `value` fails.
template <class T>
std::string failure_of(const Shared<T>& value) {
  try {
    value.get();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_status(), 1);
    return error.what();
  }
  return "";
}

class BrokenLaw : public testing::Test {
 protected:
  void SetUp() override {
    Options options;
    options.quiet = true;
    options.sync = Sync::lazy;  // uses every law it can
    session.emplace(options);
  }
  std::optional<Session> session;
};

TEST_F(BrokenLaw, IsAnErrorThatNamesFunctionLineLawAndCounterExample) {
  const auto M = matrix();
  const auto sums = mxv(times, plus, M, constant(M.rows(), 1.0));
  const auto wrong = laws([](double x) { return x + 1; }, exchanges_with(plus));
  const int line = __LINE__ + 1;
  const auto moved = map(wrong, sums);
  const std::string message = failure_of(reduce(plus, moved));
  for (const std::string& part : {std::string("broken_law_test.cpp:") + std::to_string(line), std::string("map("),
                                  std::string("exchange law over plus"), std::string("for a = ")}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
  }
}

TEST_F(BrokenLaw, OfSeveralVectors) {
  const auto M = matrix();
  const auto sums = mxv(times, plus, M, constant(M.rows(), 1.0));
  const auto wrong = laws([](double x, double y) { return x - y * x; }, pushes_down_into(plus));
  const std::string message = failure_of(reduce(plus, zip_with(wrong, sums, constant(M.columns(), 3.0))));
  EXPECT_NE(message.find("pushdown law over plus"), std::string::npos) << message;
}

TEST_F(BrokenLaw, IsNotSeenWhereLawsHold) {
  const auto M = matrix();
  const auto sums = mxv(times, plus, M, constant(M.rows(), 1.0));
  EXPECT_EQ(failure_of(reduce(plus, map(laws([](double x) { return x / 3; }, exchanges_with(plus)), sums))), "");
  EXPECT_EQ(failure_of(reduce(plus, map(KASEN_FN((auto x, auto d), x * d / 7), sums, 0.1))), "");
}

TEST_F(BrokenLaw, OfBlackBoxesThatReduceNothing) {
  const auto M = matrix();
  const auto x = [] { return map([](GlobalIndex i) { return static_cast<double>(i % 7); }, iota(40)); };
  const auto difference = [](double a, double b) { return a - b; };
  const auto mean = [](double a, double b) { return (a + b) / 2; };
  const auto sum = [](double a, double b) { return a + b; };
  const std::string message = failure_of(reduce(difference, x()));
  EXPECT_NE(message.find("broken_law_test.cpp:" + std::to_string(__LINE__ - 1)), std::string::npos) << message;
  EXPECT_NE(message.find("not commutative"), std::string::npos) << message;
  EXPECT_NE(failure_of(reduce(mean, x())).find("not associative"), std::string::npos);
  EXPECT_NE(failure_of(reduce(plus, mxv(times, with_identity(sum, 1.0), M, x()))).find("not its identity"),
            std::string::npos);
  EXPECT_NE(failure_of(reduce(plus, mxvt(times, with_identity(difference, 0.0), M, x()))).find("does not reduce"),
            std::string::npos);
  const auto claimed = with_identity(laws(sum, idempotent), 0.0);
  EXPECT_NE(failure_of(reduce(plus, mxv(times, claimed, M, x()))).find("not idempotent"), std::string::npos);
  EXPECT_EQ(failure_of(reduce(sum, x())), "");
  EXPECT_EQ(failure_of(reduce(plus, mxv(times, with_identity(sum, 0.0), M, x()))), "");
}

TEST_F(BrokenLaw, OfFoldsWhoseStepsDoNotMerge) {
  const auto x = [] { return map([](GlobalIndex i) { return static_cast<double>(i % 7); }, iota(400)); };
  const auto add = [](double sum, double a) { return sum + a; };
  const auto running_mean = [](double mean, double a) { return 0.9 * mean + 0.1 * a; };
  const std::string message = failure_of(fold(0.0, running_mean, plus, x()));
  EXPECT_NE(message.find("broken_law_test.cpp:" + std::to_string(__LINE__ - 1)), std::string::npos) << message;
  EXPECT_NE(message.find("does not merge what steps make"), std::string::npos) << message;
  const std::string difference = failure_of(fold(
      0.0, add, [](double a, double b) { return a - b; }, x()));
  EXPECT_NE(difference.find("not its identity"), std::string::npos) << difference;
  EXPECT_EQ(failure_of(fold(0.0, add, plus, x())), "");
  EXPECT_EQ(failure_of(fold(
                0.0, [](double sum, double a, double b) { return sum + a * b; }, plus, x(), x())),
            "");
}

/// Lengths from vertex 0 on, by products of a frontier with `follow`.
template <class Follow>
Shared<double> spread(const Matrix<double>& M, const Follow& follow) {
  Vector<double> length = map(KASEN_FN((auto v), select(v == GlobalIndex{0}, 0.0, infinity)), iota(40));
  Vector<double> frontier = length;
  Shared<GlobalIndex> round = 0;
  while_(likely([&] { return round < GlobalIndex{3}; }), [&] {
    const auto found = mxv(follow, min, M, frontier);
    frontier = zip_with(KASEN_FN((auto l, auto f), select(f < l, f, infinity)), length, found);
    length = zip_with(min, length, found);
    round = round + 1;
  });
  return reduce(min, length);
}

TEST_F(BrokenLaw, OfAFunctionThatDoesNotKeepTheIdentity) {
  const auto M = matrix();
  const auto add = laws([](double length, double weight) { return length + weight; }, keeps_identity);
  const auto at_most = laws([](double length, double weight) { return std::min(length, weight); }, keeps_identity);
  EXPECT_EQ(failure_of(spread(M, add)), "");
  const std::string message = failure_of(spread(M, at_most));
  EXPECT_NE(message.find("broken_law_test.cpp:"), std::string::npos) << message;
  EXPECT_NE(message.find("does not keep the identity"), std::string::npos) << message;
}

}  // namespace
}  // namespace kasen::tests
