/// @file
/// Vectors that only the call that takes them reads: temporaries, and what is moved. Nothing is stored for them, and
/// what else a program can read stays as it is.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/session/engine.h"
#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

using Numbers = std::vector<double>;

const auto large = [](double a, double b) { return a * b > 0 ? a : b; };
const auto key_of = [](double a) { return static_cast<Int>(a) % 5 < 0 ? Int{0} : static_cast<Int>(a) % 5; };

/// Elements that the workers' own counters say were written meanwhile.
template <class Program>
std::uint64_t written(Session& session, const Program& program) {
  const std::uint64_t before = session.counts().measured.elements_written;
  program();
  return session.counts().measured.elements_written - before;
}

double shown(const Indexed<double>& extremum) { return extremum.value; }
template <class T>
T shown(const T& result) {
  return result;
}

/// Asked for in the expression that makes it, a result writes as much as in the next statement, before which the
/// expression's temporaries have ended: where all is fused on one worker, as many elements as are `stored`.
#define EXPECT_AS_IN_TWO(expression, want, stored)                                               \
  {                                                                                              \
    const auto in_one = written(session(), [&] { EXPECT_EQ(shown((expression).get()), want); }); \
    const auto in_two = written(session(), [&] {                                                 \
      const auto result = expression;                                                            \
      EXPECT_EQ(shown(result.get()), want);                                                      \
    });                                                                                          \
    EXPECT_EQ(in_one, in_two);                                                                   \
    if (fuses_all_on_one_worker(session())) {                                                    \
      EXPECT_EQ(in_one, stored);                                                                 \
    }                                                                                            \
  }

bool fuses_all_on_one_worker(Session& session) {
  const Options& options = session.engine().options();
  return options.fusion != Fusion::off && options.passes_off.empty() && session.workers() == 1;
}

TEST_P(EndToEnd, TemporariesAreNotStored) {
  const Numbers numbers = exact_numbers(kLength, 1), others = exact_numbers(kLength, 2);
  const auto x = exact_vector(kLength, 1), y = exact_vector(kLength, 2);
  EXPECT_EQ(x.get(), numbers);
  EXPECT_EQ(y.get(), others);
  double sum = 0, most = -infinity;
  Numbers sums(5);
  for (std::size_t i = 0; i < kLength; ++i) {
    const double a = numbers[i], b = others[i];
    sum += 2 * large(a, b);
    most = std::max(most, large(a, b));
    sums[static_cast<std::size_t>(key_of(a))] += large(a, b);
  }
  const auto twice = [&] { return map(times, zip_with(large, x, y), 2.0); };
  EXPECT_AS_IN_TWO(reduce(plus, map(times, zip_with(large, x, y), 2.0)), sum, 0u);
  EXPECT_AS_IN_TWO(reduce(plus, twice()), sum, 0u);
  const auto without_names = written(session(), [&] { EXPECT_EQ(reduce(plus, twice()).get(), sum); });
  const auto with_names = written(session(), [&] {
    const auto z = twice();
    EXPECT_EQ(reduce(plus, z).get(), sum);
    EXPECT_EQ(z.length(), kLength);
  });
  if (fuses_all_on_one_worker(session())) {
    EXPECT_EQ(with_names - without_names, kLength);
  }
  const auto add = [](double a, double b) { return a + b; };
  const auto add_three = [](double a, double b, double c) { return a + b + c; };
  EXPECT_AS_IN_TWO(fold(0.0, add, plus, zip_with(large, x, y)), sum / 2, 0u);
  EXPECT_AS_IN_TWO(argmax(zip_with(large, x, y)), most, 0u);
  EXPECT_AS_IN_TWO(reduce_by_key(plus, map(key_of, x), zip_with(large, x, y), 5), sums, 5u);
  EXPECT_AS_IN_TWO(reduce(plus, zip_with(add, std::forward_as_tuple(zip_with(large, x, y), map(times, x, 0.0)))),
                   sum / 2, 0u);
  EXPECT_AS_IN_TWO(fold(0.0, add_three, plus, std::forward_as_tuple(zip_with(large, x, y), map(times, x, 0.0))),
                   sum / 2, 0u);
  const Vector<double> of_keys = reduce_by_key(plus, map(key_of, x), zip_with(large, x, y), 5);
  EXPECT_EQ(of_keys.get(), sums);
  double taken = 0;
  for (const double a : numbers) taken += sums[static_cast<std::size_t>(key_of(a))];
  EXPECT_AS_IN_TWO(reduce(plus, take(of_keys, map(key_of, x))), taken, 0u);
  const auto two = [](double a, std::span<double> row) { row[0] = a, row[1] = 2 * a; };
  const auto added = [](std::span<const double> row) { return row[0] + row[1]; };
  EXPECT_AS_IN_TWO(reduce(plus, map(added, map(two, zip_with(large, x, y), width(2)))), sum / 2 * 3, 0u);
  EXPECT_EQ(x.get(), numbers);
  EXPECT_EQ(y.get(), others);
}

TEST_P(EndToEnd, WhatIsMovedIsReadByTheCallAlone) {
  const Numbers numbers = exact_numbers(kLength, 1);
  const auto x = exact_vector(kLength, 1);
  Vector<double> v = map(times, x, 2.0);
  const Vector<double> copy = v;
  v = zip_with(plus, std::move(v), x);  // and is a variable as before
  const Vector<double> constant_one = v;
  const auto half = map(divides, std::move(constant_one), 2.0);  // NOLINT: a constant is not moved
  Shared<Int> k = 0;
  Vector<double> carried = x;
  while_([&] { return k < Int{3}; },
         [&] {
           const auto shifted = map(plus, x, 1.0);
           carried = zip_with(plus, std::move(carried), shifted);  // of the next iteration, too
           if_(k == Int{1}, [&] { carried = map(times, std::move(carried), 2.0); });
           k = k + Int{1};
         });
  Numbers want_copy, want_v, want_half, want_carried;
  for (const double a : numbers) {
    want_copy.push_back(2 * a), want_v.push_back(3 * a), want_half.push_back(1.5 * a);
    want_carried.push_back(2 * (a + 2 * (a + 1)) + a + 1);
  }
  EXPECT_EQ(copy.get(), want_copy);
  EXPECT_EQ(v.get(), want_v);
  EXPECT_EQ(constant_one.get(), want_v);
  EXPECT_EQ(half.get(), want_half);
  EXPECT_EQ(carried.get(), want_carried);
  // The same vector twice, and one that a refused call was given.
  Vector<double> twice = map(times, x, 1.0), once = map(times, x, 1.0), kept = map(times, x, 1.0);
  const auto squares = zip_with(times, std::move(twice), std::move(twice)),
             same = zip_with(times, once, std::move(once));
  EXPECT_THROW(zip_with(plus, std::move(kept), constant(kLength + 1, 1.0)), ProgramError);
  EXPECT_EQ(kept.get(), numbers);
  EXPECT_EQ(squares.get(), same.get());
  const auto pair = [](double a, std::span<double> row) { row[0] = a, row[1] = 2 * a; };
  Rows<double> rows = map(pair, x, width(2));
  rows = map([](std::span<const double> in, std::span<double> out) { out[0] = in[1], out[1] = in[0]; }, std::move(rows),
             width(2));
  EXPECT_EQ(rows.get()[0], 2 * numbers[0]);
  // What is stored already, and read again.
  const auto sum = reduce(plus, std::move(v));
  double want = 0;
  for (const double a : want_v) want += a;
  EXPECT_EQ(sum.get(), want);
  v = copy;
  EXPECT_EQ(v.get(), want_copy);
}

}  // namespace
}  // namespace kasen::tests
