/// @file
/// Programs that catch an error and go on: what handles held remains, what was pending is as before or lost, and says
/// so. Never a crash, a hang or a wrong number.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kasen/base/error.h"
#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

constexpr std::string_view kOfNothing = "the reduction of no elements by a function without identity";
constexpr std::string_view kLost = "the run that was to compute it failed: ";

std::string error_of(const std::function<void()>& program) {
  try {
    program();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

void expect_error(std::string_view what, const std::function<void()>& program) {
  const std::string message = error_of(program);
  EXPECT_NE(message.find(what), std::string::npos) << message;
}

/// Reading it is an error, and in whatever way.
void expect_lost(const Vector<double>& v) {
  const std::string why = std::string(kLost);
  EXPECT_NE(error_of([&] { v.get(); }).find(kOfNothing), std::string::npos);
  expect_error(why, [&] { v.get(); });
  expect_error(why, [&] { Vector<double>(v).get(); });
  expect_error(why, [&] { v.length(); });
  expect_error(why, [&] { map(plus, v, 1.0); });
  expect_error(why, [&] {
    Vector<double> other;
    other = v;
  });
  expect_error(why, [&] {
    Vector<double> stored = v;
    if_(Shared<bool>(true), [&] { stored = constant(Space(24), 1.0); });
  });
  expect_error(why, [&] {
    Shared<double> sum = 0.0;
    while_([&] { return sum < 1.0; }, [&] { sum = sum + reduce(plus, v); });
  });
}
void expect_lost(const Shared<double>& s) {
  expect_error(kLost, [&] { s.get(); });
  expect_error(kLost, [&] { s + 1.0; });
}

std::vector<double> twice(std::vector<double> v) {
  for (double& a : v) a *= 2;
  return v;
}

class CaughtErrors : public testing::TestWithParam<Combination> {
 protected:
  CaughtErrors() {
    waits = mxv(times, plus, M, a);  // pre-reduced, where that is allowed
    sum.get();
  }

  /// A Shared without value: whatever reads it ends the run.
  static Shared<double> nothing() {
    return reduce([](double x, double y) { return x < y ? y : x; }, constant(Space(0), 1.0));
  }

  void expect_stored() {
    EXPECT_EQ(a.get(), a_is);
    EXPECT_EQ(sum.get(), sum_is);
    EXPECT_EQ(waits.get(), waits_is);
    EXPECT_EQ(waits.get(), waits_is);
    EXPECT_EQ(reduce(plus, waits).get(), total(waits_is));
    EXPECT_EQ(mxv(times, plus, M, map(plus, a, 0.0)).get(), waits_is);
  }

  static double total(const std::vector<double>& v) {
    double all = 0;
    for (const double x : v) all += x;
    return all;
  }

  Session session{GetParam().options};
  const Sparse<double> m = small_matrix(24, 24, 130, 3);
  const Matrix<double> M = m.distribute(Space(24), Space(24));
  const std::vector<double> a_is = exact_numbers(24, 4);
  const std::vector<double> waits_is = serial_mxv(m, kMultiply, kAdd, 0.0, a_is);
  const double sum_is = total(a_is);
  const Vector<double> a = exact_vector(Space(24), 4);
  Vector<double> waits;
  const Shared<double> sum = reduce(plus, a);
};

TEST_P(CaughtErrors, OnTheWay) {
  using Failure = std::function<void(Vector<double>&)>;
  const std::vector<Failure> failures{
      [](Vector<double>& v) { if_(nothing() > 0.0, [&] { v = map(plus, v, 1.0); }); },
      [](Vector<double>& v) {
        Shared<double> k = 0.0;
        while_([&] { return nothing() > k; },
               [&] {
                 v = map(plus, v, 1.0);
                 k = k + 1.0;
               });
      },
      [](Vector<double>& v) { v = map(plus, v, nothing()); },
      [this](Vector<double>& v) {  // in the second iteration, when much has been overwritten
        Shared<double> k = 0.0;
        while_([&] { return k < 3.0; },
               [&] {
                 v = mxv(times, plus, M, map([](double x) { return x / 4; }, v));
                 if_(k == 1.0, [&] { v = map(plus, v, nothing()); });
                 k = k + 1.0;
               });
      },
      [this](Vector<double>& v) {  // what waits, as an argument of a loop
        Vector<double> w = waits;
        Shared<double> k = 0.0;
        while_([&] { return k < 2.0; },
               [&] {
                 w = zip_with(plus, w, mxv(times, plus, M, v));
                 v = map(plus, w, nothing());
                 k = k + 1.0;
               });
      },
  };
  for (const Failure& fail : failures) {
    Vector<double> dies = map([](double x) { return x + 1; }, a);
    dies.get();
    waits = mxv(times, plus, M, a);
    map(plus, a, 3.0).get();
    Vector<double> p = zip_with(plus, waits, a);
    const Vector<double> q = mxv(times, plus, M, dies);
    dies = map([](double x) { return 2 * x; }, dies);
    const Shared<double> t = reduce(plus, p);
    fail(p);
    expect_error(kOfNothing, [&] { p.get(); });
    expect_lost(p);
    expect_lost(q);
    expect_lost(dies);
    expect_lost(t);
    expect_stored();
    dies = a;
    p = map([](double x) { return 2 * x; }, dies);
    EXPECT_EQ(p.get(), twice(a_is));
    EXPECT_EQ(dies.get(), a_is);
  }
}

TEST_P(CaughtErrors, WhileABlockIsRecorded) {
  Vector<double> v = map(plus, a, 0.0);
  Shared<double> k = 0.0;
  const auto half_a_body = [&] {
    v = map(plus, zip_with(plus, v, waits), 1.0);
    k = k + 1.0;
    throw std::runtime_error("enough");
  };
  const auto holds = [&] { return k < 3.0; };
  EXPECT_THROW(while_(holds, half_a_body), std::runtime_error);
  EXPECT_THROW(if_(sum == sum_is, half_a_body), std::runtime_error);
  EXPECT_THROW(if_(
                   sum == sum_is, [&] { v = waits; }, half_a_body),
               std::runtime_error);
  EXPECT_THROW(while_(holds, [&] { if_(k == 1.0, half_a_body); }), std::runtime_error);
  EXPECT_THROW(while_([&]() -> Shared<bool> { throw std::runtime_error("enough"); }, [] {}), std::runtime_error);
  while_(holds, [&] {  // an error that the body itself catches
    k = k + 1.0;
    EXPECT_THROW(if_(k == 2.0, half_a_body), std::runtime_error);
    v = map([](double x) { return 2 * x; }, v);
  });
  EXPECT_EQ(v.get(), twice(twice(twice(a_is))));
  EXPECT_EQ(k.get(), 3.0);
  expect_stored();
}

TEST_P(CaughtErrors, ThatWorkersDisagree) {
  if (session.workers() == 1) GTEST_SKIP() << "there is nobody to disagree with";
  const auto doubled = [](double x) { return 2 * x; };
  Vector<double> dies = map(plus, a, 0.0);
  dies.get();
  const Vector<double> q = map(doubled, dies);
  dies = map(doubled, a);
  Vector<double> p = session.rank() == 0 ? map(doubled, a) : map(doubled, map(doubled, a));
  const auto different = "have recorded different programs";
  expect_error(different, [&] { p.get(); });
  for (const auto& lost : {p, q, dies}) expect_error(kLost, [&] { lost.get(); });
  expect_error(different, [&] { q.get(); });
  expect_stored();
  p = map(doubled, a);
  EXPECT_EQ(p.get(), twice(a_is));
}

TEST_P(CaughtErrors, OfASpaceThatIsTooLarge) {
  const Vector<double> p = map(plus, a, 1.0);
  const auto large = Space(std::uint64_t{1} << 40);
  expect_error("use more workers", [&] { reduce(plus, map(plus, iota(large), 1)).get(); });
  expect_error(kLost, [&] { p.get(); });
  expect_stored();
}

/// A worker without memory for what a run needs. Nothing has run, so all is as it was.
TEST_P(CaughtErrors, OfMemory) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "a sanitizer's own memory cannot be limited";
#endif
  using Wide = std::array<double, 1024>;
  Vector<double> dies = map(plus, a, 0.0);
  dies.get();
  Vector<double> q = map([](double x) { return 2 * x; }, dies);
  dies = a;
  std::optional<Vector<Wide>> wide = map([](Wide w) { return w; }, constant(Space(1 << 15), Wide{}));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  if (session.rank() == 0) {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit less = before;
    less.rlim_cur = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + (16u << 20);
    ASSERT_EQ(setrlimit(RLIMIT_AS, &less), 0);
  }
  expect_error("memory", [&] { q.get(); });
  expect_error("memory", [&] { q.get(); });
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  wide.reset();
  EXPECT_EQ(q.get(), twice(a_is));
  EXPECT_EQ(dies.get(), a_is);
  expect_stored();
}

TEST_P(CaughtErrors, OfInputAndOutput) {
  const Vector<double> pending = map([](double x) { return 2 * x; }, a);
  const std::vector<Entry<double>> outside{{24, 0, 1.0}};
  const auto mine = std::span(outside).first(session.rank() == 0 ? 1 : 0);
  expect_error("outside", [&] { make_matrix<double>(Space(24), Space(24), mine); });
  expect_error("values", [&] { make_vector<double>(Space(24), std::vector<double>(100)); });
  expect_error("/nowhere", [&] { read_matrix<double>("/nowhere/at/all.mtx"); });
  expect_error("/nowhere", [&] { Output("/nowhere/at/all.h5"); });
  EXPECT_EQ(pending.get(), twice(a_is));
  expect_stored();
  const auto transposed = m.distribute(Space(24), Space(24));
  EXPECT_EQ(mxv(times, plus, transposed, a).get(), waits_is);
}

TEST_P(CaughtErrors, OfAUsersFunction) {
  if (session.workers() > 1) GTEST_SKIP() << "ends the job: the others do not know of it";
  const Shared<double> p = apply([](double x) { return x != 0.5 ? throw std::runtime_error("positive") : x; }, sum);
  const Vector<double> q = map(plus, a, p);
  EXPECT_THROW(p.get(), std::exception);
  EXPECT_THROW(apply([](double x) { return x != 0.5 ? throw 7 : x; }, sum).get(), ProgramError);
  expect_error("positive", [&] { p.get(); });
  expect_error("positive", [&] { q.get(); });
  expect_stored();
}

/// A few of the spread, of all three kinds of fusion and of synchronisation.
std::vector<Combination> few() {
  const std::vector<Combination> all = spread();
  return {all.at(0), all.at(2), all.at(5), all.at(7), all.at(10)};
}

INSTANTIATE_TEST_SUITE_P(Few, CaughtErrors, testing::ValuesIn(few()),
                         [](const auto& tested) { return tested.param.name; });

TEST(CaughtErrors, HandlesOutliveTheirSession) {
  Options quiet;
  quiet.quiet = true;
  std::optional<Vector<double>> lost;
  {
    Session session(quiet);
    lost = map(plus, constant(Space(10), 1.0),
               reduce([](double x, double y) { return x < y ? y : x; }, constant(Space(0), 1.0)));
    expect_error(kOfNothing, [&] { lost->get(); });
  }
  Session session(quiet);
  EXPECT_EQ(reduce(plus, constant(Space(10), 1.0)).get(), 10.0);
  lost.reset();
  EXPECT_EQ(reduce(plus, constant(Space(10), 1.0)).get(), 10.0);
}

}  // namespace
}  // namespace kasen::tests
