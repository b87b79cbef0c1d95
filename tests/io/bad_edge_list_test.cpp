/// @file
/// What is refused of edge lists: one message, the same on every worker and for any number of them, with the line's
/// true number.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "kasen/base/error.h"
#include "kasen/io/formats/read.h"
#include "tests/io/temporary_directory.h"

namespace kasen::io {
namespace {

using IdKind = ReadOptions::IdKind;

class BadEdgeListTest : public testing::Test {
 protected:
  /// Collective. What reading ends with; exit status 1.
  std::string error_of(const std::string& path, const ReadOptions& options = {}, const ValueRequest& values = {}) {
    try {
      read_graph(_communicator, path, options, values);
    } catch (const AgreedError& error) {
      EXPECT_EQ(error.exit_status(), 1);
      return error.what();
    }
    ADD_FAILURE() << path << " was accepted";
    return "";
  }
  void expect_error(std::string_view text, const std::string& message, const ReadOptions& options = {},
                    const ValueRequest& values = {}) {
    const std::string path = _directory.write("graph.txt", text);
    EXPECT_EQ(error_of(path, options, values), path + message);
  }

  const std::string _two = "expected source and target vertex, ";
  const std::string _integer = "expected a 64-bit integer, found ";
  const std::string _words_hint = "; the first data line has integers, use --ids word if vertices are named by words";
  const std::string _skip_hint = "; lines before the edges can be skipped with --skip-lines";
  comm::Communicator _communicator;
  TemporaryDirectory _directory{_communicator};
};

TEST_F(BadEdgeListTest, Files) {
  const std::string missing = _directory.path("missing.txt");
  EXPECT_EQ(error_of(missing), missing + ": cannot be opened: No such file or directory");
  const std::string pipe = _directory.path("pipe");
  if (_communicator.rank() == 0) {
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  }
  _communicator.barrier();
  EXPECT_EQ(error_of(pipe), pipe + ": is not a regular file, which is needed to read it in parallel");
}

TEST_F(BadEdgeListTest, NothingInIt) {
  expect_error("", ": the file is empty");
  expect_error("\n", ": no edges found");
  expect_error("# only\n% comments\n\n", ": no edges found");
  expect_error("# only a comment", ": no edges found");
  expect_error("1 2\n3 4\n", ": no edges found", {.skip_lines = 2});
  expect_error("1 2\n3 4", ": no edges found", {.skip_lines = 20});
}

TEST_F(BadEdgeListTest, NumberOfFields) {
  const std::string third = "; --ignore-weights leaves out a third";
  expect_error("1 2\n3\n4 5\n", ":2:1: " + _two + "found only '3'");
  expect_error("# c\n\n  1\n", ":3:3: " + _two + "found only '1'" + _skip_hint);
  expect_error("1 2\n3 4 0.5\n", ":2:5: " + _two + "found 3 fields, the third is '0.5'" + third);
  expect_error("a b\nc d\ne", ":3:1: " + _two + "found only 'e'");
  expect_error("a b\nc d e f\n", ":2:5: " + _two + "found 4 fields, the third is 'e'");
  expect_error("1 2 3\n", ":1:5: " + _two + "found 3 fields, the third is '3'" + third + _skip_hint);
  expect_error("x\n1 2\n3\n", ":3:1: " + _two + "found only '3'", {.skip_lines = 1});
  expect_error("1 2 3\n1 2 3 4\n", ":2:7: " + _two + "found 4 fields, the fourth is '4'", {.ignore_weights = true});
}

TEST_F(BadEdgeListTest, NoInteger) {
  expect_error("1 2\n\nabc 4\n", ":3:1: " + _integer + "'abc'" + _words_hint);
  expect_error("1 2\n3 4.5\n", ":2:3: " + _integer + "'4.5'" + _words_hint);
  expect_error("1 2\n3,4 5\n", ":2:1: " + _integer + "'3,4'" + _words_hint);
  expect_error("a b\n", ":1:1: " + _integer + "'a'; --ids integer asks for it", {.ids = IdKind::integer});
}

TEST_F(BadEdgeListTest, NumberThatDoesNotFit) {
  expect_error("1 2\n1 9223372036854775808\n",
               ":2:3: " + _integer + "'9223372036854775808', which does not fit" + _words_hint);
  expect_error("-9223372036854775809 2\n",
               ":1:1: " + _integer + "'-9223372036854775809', which does not fit" + _words_hint);
}

TEST_F(BadEdgeListTest, Weights) {
  const std::string three = "expected source and target vertex and a weight, ";
  const ValueRequest real{.stored = true};
  const ValueRequest small{.stored = true, .rule = {.integral = true, .least = -128, .most = 127}};
  expect_error("1 2 0.5\n3 4\n", ":2:1: " + three + "found only '3 4'", {}, real);
  expect_error("1 2 x\n", ":1:5: expected a weight, found 'x'" + _skip_hint, {}, real);
  expect_error("1 2 1\n1 2 1x\n", ":2:5: expected a weight, found '1x'", {}, real);
  expect_error("1 2 1\n1 2 1e999\n", ":2:5: expected a weight, found '1e999', which is too large for a double", {},
               real);
  expect_error("1 2 1\n1 2  nan\n",
               ":2:6: expected a weight that is finite, found 'nan'; --allow-non-finite takes infinite numbers and nan",
               {}, real);
  expect_error("1 2 1\n1 2 0.5\n", ":2:5: expected a weight that is whole, found '0.5'", {}, small);
  expect_error("1 2 1\n1 2 -129\n", ":2:5: expected a weight from -128 to 127, found '-129'", {}, small);
  expect_error("1 2 1 1\n", ":1:7: " + three + "found 4 fields, the fourth is '1'" + _skip_hint, {}, real);
}

TEST_F(BadEdgeListTest, NoText) {
  using std::string_literals::operator""s;
  expect_error("1 2\n3 \0 4\n"s, ":2:3: not a text file: there is a byte 0x00");
  expect_error("1 2\n# \0\n"s, ":2:3: not a text file: there is a byte 0x00");
  expect_error("\1\2\0\0"s, ":1:1: not a text file: there is a byte 0x01");
  expect_error("a b\nc\7 d\n"s, ":2:2: not a text file: there is a byte 0x07");
  expect_error(std::string(std::size_t{3} << 20, '\0'), ":1:1: not a text file: there is a byte 0x00");
}

TEST_F(BadEdgeListTest, LongLinesAndWords) {
  const std::string found = _two + "found a line of more than 1 MiB";
  expect_error("1 2\n3 4\n" + std::string(std::size_t{3} << 20, 'x') + "\n5 6\n", ":3:1: " + found);
  expect_error("1 2\n1 2" + std::string(std::size_t{2} << 20, ' ') + "\n", ":2:1: " + found);
  expect_error(std::string(std::size_t{2} << 20, ' ') + "1 2\n", ":1:1: " + found);
  expect_error("a b\nc " + std::string(65536, 'w') + "\n",
               ":2:3: expected a word of at most 65535 bytes, found '" + std::string(39, 'w') + "...' of 65536 bytes");
}

TEST_F(BadEdgeListTest, MessagesAreShortAndPrintable) {
  expect_error("1 2\nä\xff\x1b 3\n", ":2:4: not a text file: there is a byte 0x1b");
  expect_error("1 2\nä\xff 3\n", ":2:1: " + _integer + "'ä\\xff'" + _words_hint);
}

/// Wherever the lines lie in the ranges: the first of several errors, with its line.
TEST_F(BadEdgeListTest, FirstErrorWins) {
  for (int at = 1; at <= 14; ++at) {
    std::string text = "1 2\r\n";
    for (int line = 2; line <= 40; ++line) {
      text += line == at || line % 13 == 0 ? "wrong\n" : line % 3 == 0 ? "\n" : "3 4\n";
    }
    const int first = at > 1 && at < 13 ? at : 13;
    expect_error(text, std::string(":").append(std::to_string(first)) + ":1: " + _two + "found only 'wrong'");
  }
}

TEST_F(BadEdgeListTest, LineNumberAfterManyLines) {
  std::string text;
  for (int line = 1; line < 20000; ++line) text += line % 10 == 0 ? "# comment\n" : std::to_string(line) + " 0\n";
  expect_error(text + "x", ":20000:1: " + _two + "found only 'x'");
}

/// Reads as user nobody what root has locked away.
TEST_F(BadEdgeListTest, NoPermission) {
  const std::string path = _directory.write("locked.txt", "1 2\n");
  const bool root = _communicator.min(geteuid() == 0 ? 1 : 0) == 1;
  if (_communicator.rank() == 0) {
    ASSERT_EQ(chmod(path.c_str(), 0), 0);
    ASSERT_EQ(chmod(_directory.path().c_str(), 0755), 0);
  }
  _communicator.barrier();
  constexpr uid_t kNobody = 65534;
  if (root) {
    ASSERT_EQ(seteuid(kNobody), 0);
  }
  const std::string message = error_of(path);
  if (root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  EXPECT_EQ(message, path + ": cannot be opened: Permission denied");
}

}  // namespace
}  // namespace kasen::io
