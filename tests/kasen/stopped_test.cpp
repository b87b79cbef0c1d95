/// @file
/// Programs that embed Kasen go on after the help or the analysis that ends others.
#include <gtest/gtest.h>

#include <string>

#include "tests/kasen/program_mistakes.h"

namespace kasen::tests {
namespace {

Options analyzing() {
  Options options = quiet();
  options.analyze = true;
  return options;
}

/// In a session of its own, which Stopped and errors leave.
double sum_of_twelve(const Options& options) {
  Session session(options);
  return reduce(plus, map([](GlobalIndex i) { return static_cast<double>(i); }, iota(12))).get();
}

TEST(Stopped, EndsAfterHelp) {
  std::string words[] = {"program", "--help"};
  char* argv[] = {words[0].data(), words[1].data(), nullptr};
  testing::internal::CaptureStdout();
  EXPECT_THROW(Session(2, argv), Stopped);
  const std::string help = testing::internal::GetCapturedStdout();
  EXPECT_EQ(sum_of_twelve(quiet()), 66);
  Session session(quiet());
  EXPECT_EQ(help.empty(), session.rank() != 0);
}

TEST(Stopped, LeavesTheSession) {
  EXPECT_THROW(sum_of_twelve(analyzing()), Stopped);
  EXPECT_EQ(sum_of_twelve(quiet()), 66);
}

TEST(Stopped, LeavesASessionThatGoesOn) {
  Session session(analyzing());
  const Shared<int> sum = reduce(plus, map([](GlobalIndex i) { return static_cast<int>(i); }, iota(12)));
  EXPECT_THROW(sum.get(), Stopped);
  EXPECT_NE(refusal([&] { sum.get(); }).find("has only been analyzed"), std::string::npos);
  EXPECT_THROW(reduce(plus, constant(5, 1)).get(), Stopped);
}

TEST(Stopped, IsNoExceptionOfTheStandardLibrary) {
  const auto deals_with_errors = [] {
    try {
      sum_of_twelve(analyzing());
    } catch (const std::exception&) {
    }
  };
  EXPECT_THROW(deals_with_errors(), Stopped);
}

}  // namespace
}  // namespace kasen::tests
