/// @file
/// LineReader alone: every split of small texts into two ranges, through buffers of every size.
#include "kasen/io/lines/line_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kasen/io/bytes/input_file.h"
#include "tests/io/temporary_directory.h"

namespace kasen::io {
namespace {

struct Line {
  std::string text;
  std::uint64_t offset, number;
  bool operator==(const Line&) const = default;
};

/// By the definition: lines, where they begin, how many end before.
std::vector<Line> split(const std::string& text, std::uint64_t origin) {
  std::vector<Line> lines;
  for (std::uint64_t begin = origin; begin < text.size();) {
    const std::uint64_t end = std::min<std::uint64_t>(text.find('\n', begin), text.size());
    lines.push_back({text.substr(begin, end - begin), begin, lines.size()});
    begin = end + 1;
  }
  return lines;
}

TEST(LineReaderTest, EverySplitAndBuffer) {
  const comm::Communicator communicator;
  const TemporaryDirectory directory(communicator);
  for (const std::string text : {"", "\n", "a", "ab\nc\n", "\n\nabc\n\nd", "abcdefgh\ni\n", "one\r\ntwo\nthree\n\n"}) {
    InputFile file(directory.write("text", text));
    EXPECT_EQ(file.size(), text.size());
    for (std::uint64_t origin = 0; origin <= std::min<std::uint64_t>(text.size(), 3); ++origin) {
      const std::vector<Line> expected = split(text, origin);
      for (std::uint64_t cut = origin; cut <= text.size(); ++cut) {
        for (std::uint64_t buffer = 1; buffer <= text.size() + 1; ++buffer) {
          std::vector<Line> lines;
          std::uint64_t ends = 0;
          for (const auto& [begin, end] : {std::pair(origin, cut), std::pair(cut, std::uint64_t{text.size()})}) {
            LineReader reader(file, origin, begin, end, buffer);
            std::string_view line;
            while (reader.next(line)) {
              lines.push_back({std::string(line), reader.line_offset(), ends + reader.line_number()});
              EXPECT_GE(reader.line_offset(), begin);
              EXPECT_LT(reader.line_offset(), end);
              if (reader.cut_off()) {
                EXPECT_EQ(line.size(), buffer);
                lines.back().text = expected.at(lines.size() - 1).text;
                EXPECT_TRUE(lines.back().text.starts_with(line));
              }
            }
            ends += reader.line_ends();
          }
          ASSERT_EQ(lines, expected) << "origin " << origin << " cut " << cut << " buffer " << buffer << "\n" << text;
          ASSERT_EQ(ends, static_cast<std::uint64_t>(
                              std::count(text.begin() + static_cast<std::ptrdiff_t>(origin), text.end(), '\n')));
        }
      }
    }
  }
}

}  // namespace
}  // namespace kasen::io
