/// @file
/// Numbers as strtod reads them, bit by bit, however they are written.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "kasen/io/lines/fields.h"

namespace kasen::io::tests {
namespace {

void expect_as_strtod(const std::string& text) {
  std::string_view rest = text;
  double number = 0;
  char* end = nullptr;
  const double expected = std::strtod(text.c_str(), &end);
  const NumberFault fault = take_number(rest, number, {.finite = false});
  if (end == text.c_str()) {
    EXPECT_EQ(fault, NumberFault::no_number) << text;
  } else if (std::isinf(expected) && text.find('n') == std::string::npos) {
    EXPECT_EQ(fault, NumberFault::too_large) << text;
  } else {
    ASSERT_EQ(fault, NumberFault::none) << text;
    EXPECT_EQ(rest.size(), text.size() - static_cast<std::size_t>(end - text.c_str())) << text;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(number), std::bit_cast<std::uint64_t>(expected)) << text;
  }
}

TEST(NumbersTest, AsStrtod) {
  for (const char* text : {"0",
                           "-0",
                           "+1",
                           "1.",
                           ".5",
                           "-.5e1",
                           "1e",
                           "1e+",
                           "1.2.3",
                           "12abc",
                           "1e5x",
                           "x",
                           "",
                           "-",
                           ".",
                           "9007199254740993",
                           "999999999999999",
                           "0.1",
                           "0.000000000000001",
                           "123456789012345.6",
                           "1e308",
                           "1e309",
                           "-1e999",
                           "4.9e-324",
                           "1e-320",
                           "1e-400",
                           "-1e-400",
                           "inf",
                           "-infinity",
                           "0000000000000000000001",
                           "0.00000000000000000000000000001",
                           "100000000000000000000000"}) {
    expect_as_strtod(text);
  }
  std::mt19937_64 random(5);
  for (int k = 0; k < 30000; ++k) {
    std::string text = random() % 3 == 0 ? "-" : "";
    for (auto digits = random() % 12; digits > 0; --digits) text += static_cast<char>('0' + random() % 10);
    if (random() % 2 == 0) text += '.';
    for (auto digits = random() % 12; digits > 0; --digits) text += static_cast<char>('0' + random() % 10);
    if (random() % 4 == 0) text += "e" + std::to_string(static_cast<int>(random() % 660) - 330);
    expect_as_strtod(text);
  }
}

}  // namespace
}  // namespace kasen::io::tests
