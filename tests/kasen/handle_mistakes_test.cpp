/// @file
/// Handles that outlive what they stand for, or stand for something else: refused with the line, or done right.
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/kasen/program_mistakes.h"

namespace kasen::tests {
namespace {

using HandleMistakes = ProgramMistakes;

// ---- handles ----

/// Containers copy them within the standard library, whose lines nobody wants to see.
TEST_F(HandleMistakes, HandlesInContainers) {
  std::vector<Vector<double>> kept;
  Shared<int> k = 0;
  unsigned made = 0;
  const auto body = [&] {
    made = __LINE__ + 1;
    const auto y = map(plus, x, 1.0);
    kept.push_back(y);
    k = k + 1;
  };
  const std::string message = refusal([&] { while_([&] { return k < 2; }, body); });
  const std::string line = "(at line " + std::to_string(made) + ")";
  expect_at(__LINE__ - 2, line, message);
  expect_at(__LINE__, line, refusal([&] { reduce(plus, kept[0]).get(); }));
  expect_at(__LINE__, line, refusal([&] { kept[0] = map(plus, x, 2.0); }));
}

TEST_F(HandleMistakes, HandlesThatWereMovedIntoCalls) {
  const std::string why = "because it was moved into a call";
  auto v = map(plus, x, 1.0), w = map(plus, x, 2.0);
  const auto sum = reduce(plus, std::move(v));
  expect_at(__LINE__, why, refusal([&] { v.get(); }));
  expect_at(__LINE__, why, refusal([&] { zip_with(plus, w, v); }));
  expect_refused([&] { Vector<double>(v).get(); }, why);
  expect_refused([&] { sort(v); }, "has no value, " + why);
  Shared<int> k = 0;
  const auto body = [&] {
    auto y = map(plus, w, 1.0);
    w = zip_with(plus, std::move(y), x);
    y = map(plus, w, 1.0);
    w = zip_with(plus, w, std::move(y));
    w = zip_with(plus, w, y);  // NOLINT: it has no value any more
    k = k + 1;
  };
  expect_at(__LINE__ - 3, why, refusal([&] { while_([&] { return k < 2; }, body); }));
  EXPECT_EQ(sum.get(), 12 * 13 / 2 + 12);
  v = w;
  EXPECT_EQ(v.get().front(), 3);
}

/// Which handle a container holds is not recorded: the next iteration would read the old one.
TEST_F(HandleMistakes, HandlesThatAreExchangedForOthers) {
  Shared<int> k = 0;
  Vector<double> sum = map(times, x, 0.0);
  const auto again = [&] { return k < 3; };
  const auto next = [&] { return map(plus, x, 1.0); };
  const std::string lives = "lives on after it: the block is recorded once";
  std::deque<Vector<double>> queue{x, x, x};
  const auto shift = [&] {
    sum = zip_with(plus, sum, queue.front());
    const auto last = zip_with(plus, queue.back(), sum);
    queue.pop_front();
    queue.push_back(last);
    k = k + 1;
  };
  expect_at(__LINE__, lives, refusal([&] { while_(again, shift); }));
  std::optional<Vector<double>> maybe;
  const auto fill = [&] {
    if (maybe) sum = zip_with(plus, sum, *maybe);
    maybe = next();
    k = k + 1;
  };
  expect_at(__LINE__, lives, refusal([&] { while_(again, fill); }));
  maybe.emplace(x);
  const auto emplace = [&] {
    sum = zip_with(plus, sum, *maybe);
    maybe.emplace(next());
    k = k + 1;
  };
  expect_at(__LINE__, lives, refusal([&] { while_(again, emplace); }));
  auto owned = std::make_unique<Vector<double>>(x);
  const auto replace = [&] {
    sum = zip_with(plus, sum, *owned);
    owned = std::make_unique<Vector<double>>(next());
    k = k + 1;
  };
  expect_at(__LINE__, lives, refusal([&] { while_(again, replace); }));
  std::vector<Vector<double>> list{x, x};
  const auto rebuild = [&] {
    sum = zip_with(plus, sum, list[0]);
    list.clear();
    list.push_back(next());
    k = k + 1;
  };
  expect_at(__LINE__, lives, refusal([&] { while_(again, rebuild); }));
  list.assign(3, x);
  const auto erase = [&] {
    sum = zip_with(plus, sum, list[0]);
    list.erase(list.begin());
    list.push_back(next());
    k = k + 1;
  };
  expect_at(__LINE__, lives, refusal([&] { while_(again, erase); }));
  list.assign(1, x);
  list.shrink_to_fit();
  const auto grow = [&] {  // copies a handle that was there
    list.reserve(list.capacity() + 1);
    sum = zip_with(plus, sum, list[0]);
    k = k + 1;
  };
  expect_at(__LINE__, lives, refusal([&] { while_(again, grow); }));
  const auto in_condition = [&] {
    maybe.emplace(next());
    return again();
  };
  expect_at(__LINE__, lives, refusal([&] { while_(in_condition, [&] { k = k + 1; }); }));
  maybe.reset();
  expect_at(__LINE__, lives, refusal([&] { if_(k < 1, [&] { maybe = next(); }); }));
  EXPECT_EQ(reduce(plus, sum).get(), 0.0) << "nothing was recorded";
}

/// The same without a new one.
TEST_F(HandleMistakes, HandlesThatEndInALoop) {
  Shared<int> k = 0;
  Vector<double> sum = map(times, x, 0.0);
  std::deque<Vector<double>> queue{x, x, x};
  const auto take = [&] {
    sum = zip_with(plus, sum, queue.front());
    queue.pop_front();
    k = k + 1;
  };
  expect_at(__LINE__, "is used in it ends in it", refusal([&] { while_([&] { return k < 3; }, take); }));
  EXPECT_EQ(reduce(plus, sum).get(), 0.0) << "nothing was recorded";
}

/// How to write it.
TEST_F(HandleMistakes, HandlesThatExchangeTheirValues) {
  Shared<int> k = 0;
  Vector<double> sum = map(times, x, 0.0);
  std::deque<Vector<double>> queue{x, map(times, x, 2.0), map(times, x, 3.0)};
  std::optional<Vector<double>> twice = sum;
  while_([&] { return k < 3; },
         [&] {
           sum = zip_with(plus, sum, queue.front());
           queue.front() = zip_with(plus, queue.back(), sum);
           std::rotate(queue.begin(), queue.begin() + 1, queue.end());
           std::optional<Vector<double>> ends = map(times, sum, 2.0);
           twice = ends;
           ends.reset();
           std::swap(*twice, *twice);
           std::vector<Vector<double>> of_the_block;
           for (int i = 0; i < 5; ++i) of_the_block.push_back(sum);
           k = k + 1;
         });
  EXPECT_EQ(reduce(plus, sum).get(), 6 * 78.0);
  EXPECT_EQ(reduce(plus, *twice).get(), 12 * 78.0);
  EXPECT_EQ(reduce(plus, queue[0]).get(), 4 * 78.0);   // 3 + 1
  EXPECT_EQ(reduce(plus, queue[1]).get(), 7 * 78.0);   // 4 + 3
  EXPECT_EQ(reduce(plus, queue[2]).get(), 13 * 78.0);  // 7 + 6
}

/// A line of another file comes with its name.
TEST_F(HandleMistakes, HandlesMadeInAnotherFile) {
  std::tuple<Shared<double>> empty;  // the standard library's line is that of its constructor
  const std::string file = std::get<0>(empty).made_at().file;
  if (file == __FILE__) GTEST_SKIP() << "this library's constructor takes the line of its caller";
  EXPECT_NE(refusal([&] { map(plus, x, std::get<0>(empty)); }).find("(made at " + file + ":"), std::string::npos);
  EXPECT_NE(refusal([&] { std::get<0>(empty).get(); }).find("made at " + file + ":"), std::string::npos);
}

}  // namespace
}  // namespace kasen::tests
