/// @file
/// Functions and element types of one name in several source files: never taken for one. A header's lambda is.
#include "tests/endtoend/homonyms.h"

#include <array>

namespace kasen::tests {
namespace {

struct Row {
  double first, second;
  Row operator+(const Row& other) const { return {first + other.first, second + other.second}; }
};

struct Pick {
  template <class T>
  static constexpr T identity() {
    return 0;
  }
  double operator()(double a, double b) const { return a + b; }
};

struct Weigh {
  double operator()(double a, double b) const { return a * b; }
};

}  // namespace

static auto combine() {
  return with_identity([](double a, double b) { return a + b; }, 0.0);
}

static auto move() {
  return [](double a) { return -a; };
}

static auto stretch() {
  return [](double a) { return 2 * a; };
}

namespace {

std::array<const Homonyms*, 3> all_files() {
  static const HomonymsOf here(Row{}, Pick{}, Weigh{}, combine(), move(), stretch());
  return {&homonyms_that_take_the_least(), &here, &homonyms_that_take_the_most()};
}

template <class F>
std::vector<double> each(std::vector<double> v, const F& f) {
  for (double& a : v) a = f(a);
  return v;
}
template <class F>
double fold(double from, const std::vector<double>& v, const F& f) {
  for (const double a : v) from = f(from, a);
  return from;
}

/// What was computed, and what it should be: read when all has been recorded, so that it is one program.
struct Expected {
  std::vector<std::pair<Vector<double>, std::vector<double>>> vectors;
  std::vector<std::pair<Shared<double>, double>> shareds;

  void read() const {
    for (std::size_t k = 0; k < vectors.size(); ++k) {
      EXPECT_EQ(vectors[k].first.get(), vectors[k].second) << "made at line " << vectors[k].first.made_at().line;
    }
    for (std::size_t k = 0; k < shareds.size(); ++k) {
      EXPECT_EQ(shareds[k].first.get(), shareds[k].second) << "made at line " << shareds[k].first.made_at().line;
    }
  }
};

TEST_P(EndToEnd, ReducersOfOneNameInSeveralFiles) {
  const auto m = small_matrix(24, 31, 130, 3);
  const auto M = m.distribute();
  const auto v = exact_numbers(24, 4), w = exact_numbers(31, 5);
  const auto V = exact_vector(M.rows(), 4), W = exact_vector(M.columns(), 5);
  Expected expected;
  for (const Homonyms* one : all_files()) {
    const auto weigh = [&](double a, double b) { return one->weigh(a, b); };
    const auto pick = [&](double a, double b) { return one->pick(a, b); };
    const auto combine = [&](double a, double b) { return one->combine(a, b); };
    const auto products = one->weigh_and_pick(M, V), back = one->weigh_and_combine(M, W);
    const auto want = serial_mxv(m, weigh, pick, one->pick_from(), v);
    const auto want_back = serial_mxvt(m, weigh, combine, 0.0, w);
    // Rule 5 and laws are for the reducer of the same file only.
    for (const Homonyms* other : all_files()) {
      const auto with = [&](auto which) { return [other, which](auto... a) { return (other->*which)(a...); }; };
      expected.shareds.emplace_back(other->picked(products), fold(other->pick_from(), want, with(&Homonyms::pick)));
      expected.shareds.emplace_back(other->combined(back), fold(0, want_back, with(&Homonyms::combine)));
      expected.vectors.emplace_back(other->moved(products), each(want, with(&Homonyms::move)));
      expected.vectors.emplace_back(other->stretched(back), each(want_back, with(&Homonyms::stretch)));
    }
  }
  expected.read();
}

TEST_P(EndToEnd, FunctionsOfOneNameInSeveralFiles) {
  const auto m = small_matrix(24, 31, 130, 3);
  const auto M = m.distribute();
  const auto v = exact_numbers(24, 4);
  const auto V = exact_vector(M.rows(), 4);
  const Shared<double> three = 3;
  Expected expected;
  for (const Homonyms* one : all_files()) {
    const auto weigh = [&](double a, double b) { return one->weigh(a, b); };
    const auto want = serial_mxv(m, weigh, kAdd, 0.0, v);
    const auto sums = one->weigh_and_sum(M, V);
    expected.vectors.emplace_back(sums, want);
    expected.shareds.emplace_back(reduce(header_sum(), sums), fold(0, want, kAdd));
    expected.vectors.emplace_back(one->weighed(V, three), each(v, [&](double a) { return weigh(a, 3); }));
    expected.shareds.emplace_back(one->weighed(three, three), weigh(3, 3));
    expected.shareds.emplace_back(one->row(V), one->in_rows(v));
    std::vector<double> rows;
    for (GlobalIndex j = 0; j < 31; ++j) {
      std::vector<double> terms;
      for (const auto& e : m.entries) {
        if (e.column == j) terms.push_back(v[static_cast<std::size_t>(e.row)] * e.value);
      }
      rows.push_back(one->in_rows(terms));
    }
    expected.vectors.emplace_back(one->rows(M, V), rows);
  }
  expected.read();
}

TEST_P(EndToEnd, TypesOfAHeaderAreOneInAllFiles) {
  const auto files = all_files();
  for (std::size_t k = 1; k < files.size(); ++k) {
    EXPECT_EQ(files[0]->header_sum_id(), files[k]->header_sum_id());
    for (std::size_t j = 0; j < k; ++j) {
      EXPECT_NE(files[j]->pick_id(), files[k]->pick_id());
      EXPECT_NE(files[j]->row_type(), files[k]->row_type());
    }
  }
}

}  // namespace
}  // namespace kasen::tests
