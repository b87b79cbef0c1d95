/// @file
/// Programs that the model does not allow: each is refused with the line that is wrong, and the session goes on.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/kasen.h"

// clang-format off: lines count here

namespace kasen::tests {
namespace {

using Int = std::int64_t;

class ProgramErrors : public testing::Test {
 protected:
  /// `program` is refused: the message starts with this file and `line`, and says `what`. Programs run as before then.
  void expect_refused(unsigned line, std::string_view what, const std::function<void()>& program) {
    std::string message = "no error";
    try {
      program();
    } catch (const ProgramError& error) {
      message = error.what();
    } catch (const std::exception& error) {
      message = std::string("another error: ") + error.what();
    }
    const std::string start = std::string(__FILE__) + ":" + std::to_string(line) + ": ";
    EXPECT_TRUE(message.starts_with(start)) << message << "\nline " << line << " expected";
    EXPECT_NE(message.find(what), std::string::npos) << message;
    EXPECT_EQ(reduce(plus, map(plus, x, 1.0)).get(), 20.0);
  }

  static Options options() {
    Options quiet;
    quiet.quiet = true;
    return quiet;
  }

  Session session{options()};
  Vector<double> x = constant(10, 1.0);
  Shared<Int> k = 0;
};

TEST_F(ProgramErrors, GetInBlock) {
  expect_refused(__LINE__ + 1, "not allowed in a recorded block",
                 [&] { while_([&] { return k < Int{3}; }, [&] { k.get(); }); });
  expect_refused(__LINE__ + 1, "not allowed in a recorded block",
                 [&] { while_([&] { return Shared<bool>(k.get() < 3); }, [&] { k = k + Int{1}; }); });
  expect_refused(__LINE__, "not allowed in a recorded block", [&] { if_(k == Int{0}, [&] { x.get(); }); });
  expect_refused(__LINE__, "not allowed in a recorded block", [&] { if_(k == Int{0}, [&] { partition_by({}); }); });
  expect_refused(__LINE__ + 4, "not allowed in a recorded block", [&] {
    while_([&] { return k < Int{3}; },
           [&] {
             if_(
                 k == Int{0}, [&] {}, [&] { top(x, 1); });
           });
  });
}

TEST_F(ProgramErrors, ReadWithoutValue) {
  const Vector<double> empty;
  const Shared<double> nothing;
  expect_refused(__LINE__, "before it has a value", [&] { zip_with(plus, x, empty); });
  expect_refused(__LINE__, "before it has a value", [&] { map(plus, x, nothing); });
  expect_refused(__LINE__, "has no value", [&] { nothing.get(); });
  expect_refused(__LINE__, "before it has a value", [&] { apply([](double a) { return a; }, nothing); });
  const unsigned made = __LINE__ + 1;
  Vector<double> other;
  expect_refused(made, "before it has a value", [&] { other = empty; });
}

/// Each names its own line, and not that of the first program that was planned so.
TEST_F(ProgramErrors, OfRunsOfOneStructure) {
  const auto largest = [](double a, double b) { return a < b ? b : a; };
  const auto expect_line = [&](unsigned line, const std::function<void()>& program) {
    std::string message = "no error";
    try {
      program();
    } catch (const Error& error) {
      message = error.what();
    }
    EXPECT_TRUE(message.starts_with(std::string(__FILE__) + ":" + std::to_string(line) + ": ")) << message;
    EXPECT_NE(message.find("reads a Shared without value"), std::string::npos) << message;
  };
  x.get();  // so that a run that fails does not lose it
  expect_line(__LINE__, [&] { map(plus, x, reduce(largest, constant(0, 1.0))).get(); });
  expect_line(__LINE__, [&] { map(plus, x, reduce(largest, constant(0, 1.0))).get(); });
  if (session.workers() > 1) return;  // of what is wrong on one worker alone the others do not know
  const Vector<Int> late = map([](Int i) { return i + 10; }, iota(10));
  late.get();
  expect_refused(__LINE__, "element 0 has the key 10", [&] { take(x, late).get(); });
  expect_refused(__LINE__, "element 0 has the key 10", [&] { take(x, late).get(); });
}

TEST_F(ProgramErrors, StoredInBlockWithoutValueBefore) {
  Vector<double> late;
  Shared<Int> count;
  expect_refused(__LINE__ + 1, "no value before it",
                 [&] { while_([&] { return k < Int{3}; }, [&] { late = map(plus, x, 1.0); }); });
  expect_refused(__LINE__, "no value before it", [&] { if_(k == Int{0}, [&] { count = k; }); });
  expect_refused(__LINE__ + 1, "no value before it",
                 [&] { while_([&] { return k < Int{3}; }, [&] { if_(k == Int{0}, [&] { late = x; }); }); });
}

TEST_F(ProgramErrors, EscapedHandle) {
  std::vector<Vector<double>> kept;
  std::optional<Shared<Int>> last;
  expect_refused(__LINE__ + 1, "lives on after it", [&] {
    while_([&] { return k < Int{3}; },
           [&] {
             kept.push_back(map(plus, x, 1.0));
             k = k + Int{1};
             last.emplace(k + Int{1});
           });
  });
  x = constant(10, 1.0);
  expect_refused(__LINE__, "used after", [&] { zip_with(plus, x, kept[0]); });
  expect_refused(__LINE__, "used after", [&] { kept[0].get(); });
  expect_refused(__LINE__, "used after", [&] { last->get(); });
  expect_refused(__LINE__ + 1, "used after",
                 [&] { while_([&] { return k < Int{3}; }, [&] { map(plus, kept[0], 1.0); }); });
  EXPECT_THROW(kept[0] = x, ProgramError);
  expect_refused(__LINE__, "stored to a handle made in a recorded block", [&] { kept[0] = map(plus, x, 1.0); });
  EXPECT_THROW(x = kept[0], ProgramError);
}

/// From one side of a branch to the other.
TEST_F(ProgramErrors, EscapedFromBranch) {
  std::vector<Vector<double>> kept;
  expect_refused(__LINE__ + 1, "lives on after it", [&] {
    if_(
        k == Int{0}, [&] { kept.push_back(map(plus, x, 1.0)); }, [&] { x = map(plus, kept.at(0), 1.0); });
  });
  expect_refused(__LINE__ + 1, "lives on after it", [&] {
    if_(
        k == Int{0}, [&] { x = constant(10, 2.0); }, [&] { kept.push_back(x); });
  });
  EXPECT_EQ(reduce(plus, x).get(), 10.0);
}

TEST_F(ProgramErrors, DifferentLengths) {
  const auto y = constant(11, 1.0);
  const auto apart = constant(separate_space(10, "apart"), 1.0);
  expect_refused(__LINE__, "[zip_with]", [&] { zip_with(plus, x, y); });
  expect_refused(__LINE__, "[zip_with]", [&] { zip_with(plus, x, apart); });
  const std::vector<Entry<Pattern>> entries{{2, 3}, {9, 10}};
  const bool first_worker = session.rank() == 0;
  const auto M = make_matrix<Pattern>(10, 11, first_worker ? std::span(entries) : std::span<const Entry<Pattern>>());
  expect_refused(__LINE__, "[mxv]", [&] { mxv(first, plus, M, y); });
  expect_refused(__LINE__, "[mxvt]", [&] { mxvt(first, plus, M, x); });
  expect_refused(__LINE__, "index space", [&] { while_([&] { return k < Int{3}; }, [&] { x = y; }); });
  expect_refused(__LINE__ + 1, "index space", [&] {
    if_(
        k == Int{3}, [&] {}, [&] { x = apart; });
  });
  x = y;  // outside of blocks a variable may change its length
  EXPECT_EQ(x.length(), 11u);
  x = constant(10, 1.0);
}

TEST_F(ProgramErrors, ReductionOfNothing) {
  const auto largest = [](double a, double b) { return a < b ? b : a; };
  const auto none = reduce(largest, constant(0, 1.0));
  expect_refused(__LINE__, "empty vector", [&] { none.get(); });
}

/// The test of a loop or branch turns out to have no value when the program runs, which ends it.
class TestsOfNothing : public ProgramErrors {
 protected:
  void expect_line(unsigned line, const char* what) {
    std::string message = "no error";
    try {
      k.get();
    } catch (const Error& error) {
      message = error.what();
    }
    const std::string start = std::string(__FILE__) + ":" + std::to_string(line) + ": " + what;
    EXPECT_TRUE(message.starts_with(start)) << message << "\nline " << line << " expected";
  }
  Shared<bool> none =
      reduce([](bool a, bool b) { return a || b; }, map([](double a) { return a > 0; }, constant(0, 1.0)));
};

TEST_F(TestsOfNothing, OfALoop) {
  const unsigned line = __LINE__ + 1;
  while_([&] { return none; },
         [&] {
           none = k < Int{3};
           k = k + Int{1};
         });
  expect_line(line, "while_ reads a Shared without value");
}

TEST_F(TestsOfNothing, OfABranch) {
  if_(none, [&] { k = k + Int{1}; });
  expect_line(__LINE__ - 1, "if_ reads a Shared without value");
}

TEST_F(ProgramErrors, MatrixInBlock) {
  expect_refused(__LINE__, "recorded block", [&] { if_(k == Int{0}, [&] { make_matrix<Pattern>(4, 4, {}); }); });
}

TEST_F(ProgramErrors, OneSessionAtATime) { EXPECT_THROW(Session{options()}, ProgramError); }

}  // namespace
}  // namespace kasen::tests
