/// @file
/// Partitions from files, good and bad: the same owners, or the same one message, on every worker.
#include "kasen/io/formats/partition_file.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "kasen/base/error.h"
#include "partition/assignment.h"
#include "tests/io/temporary_directory.h"

namespace kasen::io {
namespace {

class PartitionFileTest : public testing::Test {
 protected:
  std::vector<Rank> read(std::string_view text, const PartitionedElements& elements, int parts = 4) {
    return read_partition_file(_communicator, _directory.write("parts.txt", text), elements, parts);
  }
  /// Collective. `message` follows the file's name.
  void expect_error(std::string_view text, const std::string& message, const PartitionedElements& elements,
                    int parts = 4) {
    const std::string path = _directory.write("parts.txt", text);
    try {
      read_partition_file(_communicator, path, elements, parts);
      ADD_FAILURE() << text << " was accepted";
    } catch (const AgreedError& error) {
      EXPECT_EQ(error.what(), path + message);
      EXPECT_EQ(error.exit_status(), 1);
    }
  }
  /// Ids 10, 20, ... of `length` vertices.
  VertexIds tens(std::uint64_t length) const {
    const auto blocks = partition::Assignment::block(length, _communicator.size());
    std::vector<std::int64_t> mine;
    for (GlobalIndex i = blocks.block_begin(_communicator.rank()); i < blocks.block_begin(_communicator.rank() + 1);
         ++i)
      mine.push_back(10 * (i + 1));
    return {length, mine};
  }
  VertexIds words(const std::vector<std::string>& all) const {
    const auto blocks = partition::Assignment::block(all.size(), _communicator.size());
    Words mine;
    for (GlobalIndex i = blocks.block_begin(_communicator.rank()); i < blocks.block_begin(_communicator.rank() + 1);
         ++i)
      mine.push_back(all[static_cast<std::size_t>(i)]);
    return {_communicator, all.size(), mine};
  }

  comm::Communicator _communicator;
  TemporaryDirectory _directory{_communicator};
};

TEST_F(PartitionFileTest, OnePartALine) {
  EXPECT_EQ(read("0\n3\n1\n", {3, 0, nullptr}), (std::vector<Rank>{0, 3, 1}));
  EXPECT_EQ(read("# by hand\r\n 2\r\n\r\n% more\n1\t\n0", {3, 0, nullptr}), (std::vector<Rank>{2, 1, 0}));
  EXPECT_EQ(read("0\n1\n2\n3\n1\n", {3, 2, nullptr}), (std::vector<Rank>{0, 1, 2, 3, 1}));
  EXPECT_EQ(read("0\n1\n2\n", {3, 2, nullptr}), (std::vector<Rank>{0, 1, 2}));
  EXPECT_EQ(read("", {0, 0, nullptr}), std::vector<Rank>{});
  const VertexIds ids = tens(3);
  EXPECT_EQ(read("0\n3\n1\n", {3, 0, &ids}), (std::vector<Rank>{0, 3, 1}));
}

TEST_F(PartitionFileTest, ByteOrderMark) {
  EXPECT_EQ(read("\xef\xbb\xbf"
                 "0\n1\n1\n",
                 {3, 0, nullptr}, 2),
            (std::vector<Rank>{0, 1, 1}));
}

TEST_F(PartitionFileTest, NamesInMoreLinesThanAreThereAtATime) {
  constexpr std::uint64_t kMany = 70'000;
  std::string text;
  std::vector<Rank> parts;
  for (std::uint64_t k = 0; k < kMany; ++k) {
    text += std::to_string(kMany - 1 - k) + " " + std::to_string((kMany - 1 - k) % 3) + "\n";
    parts.push_back(static_cast<Rank>(k % 3));
  }
  EXPECT_EQ(read(text, {kMany, 0, nullptr}), parts);
  expect_error(text + "69999 1\n", ":70001:1: found '69999', expected a row whose part line 1 has not given already",
               {kMany, 0, nullptr});
  expect_error(text, ": gives no part of row '70000'", {kMany + 1, 0, nullptr});
  expect_error(text, ":1:1: found '69999', expected the name of a row", {kMany - 1, 0, nullptr});
}

TEST_F(PartitionFileTest, NamesAndParts) {
  const VertexIds ids = tens(5), none;
  EXPECT_EQ(read("30 2\n10 0\n50 1\n20 3\n# the last\n40 0\n", {5, 0, &ids}), (std::vector<Rank>{0, 3, 2, 0, 1}));
  EXPECT_EQ(read("2 2\n0 0\n1 1\n", {3, 0, &none}), (std::vector<Rank>{0, 1, 2}));
  EXPECT_EQ(read("2 2\n0 0\n1 1\n", {3, 0, nullptr}), (std::vector<Rank>{0, 1, 2}));
  const VertexIds named = words({"ape", "bee", "cat", "dog", "eel", "fox"});
  EXPECT_EQ(read("dog 2\nape 0\nfox 1\nbee 3\ncat 0\neel 2\n", {6, 0, &named}), (std::vector<Rank>{0, 3, 0, 2, 2, 1}));
}

TEST_F(PartitionFileTest, BadLines) {
  const PartitionedElements three{3, 0, nullptr};
  expect_error("0\n4\n1\n", ":2:1: found '4', expected a part from 0 to 3", three);
  expect_error("0\n1\n -1\n", ":3:2: found '-1', expected a part from 0 to 3", three);
  expect_error("0\n\n# c\n1.5\n0\n", ":4:1: found '1.5', expected a part from 0 to 3", three);
  expect_error("0\n99999999999999999999\n0\n", ":2:1: found '99999999999999999999', expected a part from 0 to 3",
               three);
  expect_error("0\n1 1\n0\n", ":2:3: found '1', expected the end of the line, as in the first one", three);
  expect_error("0 1\n1\n2 0\n", ":2:2: found the end of the line, expected a part after the name", three);
  expect_error("0 1 2\n", ":1:5: found '2', expected the end of the line", three);
  expect_error("0\n1\n", ": found the parts of 2 elements, expected those of 3", three);
  expect_error("0\n1\n1\n1\n", ": found the parts of more than 3 elements, expected those of 3", three);
  expect_error("", ": found the parts of 0 elements, expected those of 3", three);
  expect_error("0\n1\n", ": found the parts of 2 elements, expected those of 3 rows, or of these and 4 columns",
               {3, 4, nullptr});
  expect_error("0\n" + std::string(2 << 20, '1') + "\n0\n",
               ":2:1: found '" + std::string(39, '1') + "...', expected a line of one or two fields", three);
}

TEST_F(PartitionFileTest, BadNames) {
  const VertexIds ids = tens(5);
  const PartitionedElements five{5, 0, &ids};
  expect_error("10 0\n20 1\n25 1\n40 0\n50 0\n", ":3:1: found '25', expected the name of a row", five);
  expect_error("10 0\n20 1\nx 1\n40 0\n50 0\n", ":3:1: found 'x', expected the name of a row", five);
  expect_error("10 0\n20 1\n40 0\n50 0\n", ": gives no part of row '30'", five);
  expect_error("50 0\n10 0\n20 1\n40 0\n30 1\n50 0\n",
               ":6:1: found '50', expected a row whose part line 1 has not given already", five);
  expect_error("0 0\n1 0\n3 0\n", ":3:1: found '3', expected the name of a row", {3, 0, nullptr});
}

TEST_F(PartitionFileTest, NoFile) {
  try {
    read_partition_file(_communicator, _directory.path("missing"), {3, 0, nullptr}, 2);
    ADD_FAILURE();
  } catch (const AgreedError& error) {
    EXPECT_EQ(error.what(), _directory.path("missing") + ": cannot be opened: No such file or directory");
  }
}

}  // namespace
}  // namespace kasen::io
