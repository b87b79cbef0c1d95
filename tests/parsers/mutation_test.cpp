/// @file
/// Some thousand random changes of good input for every parser; libFuzzer (KASEN_FUZZERS) goes on where this ends.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

#include "tests/parsers/targets.h"

namespace kasen::io::tests {
namespace {

using namespace std::string_view_literals;

TEST(ParserMutationTest, NothingBreaksThem) {
  constexpr std::string_view kBytes = " \t\r\n\0,;:\"'#%+-.0123456789eEinfax\xff\x80"sv;
  static_assert(kBytes.size() > 30);  // a zero does not end it
  for (const Target& target : targets()) {
    SCOPED_TRACE(target.name);
    std::mt19937 random(7);
    for (const std::string_view seed : target.seeds) {
      target.run(seed);
      for (int k = 0; k < 1000; ++k) {
        std::string text(seed);
        for (auto changes = random() % 4; changes > 0 || k % 7 == 0; --changes) {
          const std::size_t at = random() % (text.size() + 1);
          const char byte = random() % 4 == 0 ? static_cast<char>(random()) : kBytes[random() % kBytes.size()];
          switch (random() % 4) {
            case 0:
              text.insert(at, 1, byte);
              break;
            case 1:
              text.erase(at, random() % 3);
              break;
            case 2:
              text.insert(at, text.substr(0, random() % 8));
              break;
            default:
              if (at < text.size()) text[at] = byte;
          }
          if (changes == 0) break;
        }
        target.run(text);
      }
    }
  }
}

}  // namespace
}  // namespace kasen::io::tests
