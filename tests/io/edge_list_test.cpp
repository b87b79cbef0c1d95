/// @file
/// What edge lists may look like, against a serial reference: every quirk of format and id, at every position of the
/// byte ranges, whatever the number of workers.
#include "kasen/io/formats/read.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "kasen/base/error.h"
#include "tests/io/graph_reference.h"
#include "tests/io/temporary_directory.h"

namespace kasen::io {
namespace {

using IdKind = ReadOptions::IdKind;

class EdgeListTest : public testing::Test {
 protected:
  SparseData read(std::string_view text, const ReadOptions& options = {}) {
    return read_graph(_communicator, _directory.write("graph.txt", text), options);
  }
  void expect_integers(const SparseData& list, const std::vector<NamedEdge>& edges) {
    EXPECT_FALSE(list.ids.words());
    expect_equal(_communicator, list, index_graph(edges, less_integer));
  }
  void expect_words(const SparseData& list, const std::vector<NamedEdge>& edges) {
    EXPECT_TRUE(list.ids.words());
    expect_equal(_communicator, list, index_graph(edges, less_word));
  }

  comm::Communicator _communicator;
  TemporaryDirectory _directory{_communicator};
};

TEST_F(EdgeListTest, PlainIntegers) {
  const SparseData list = read("0 1\n1 2\n2 0\n");
  expect_integers(list, {{"0", "1"}, {"1", "2"}, {"2", "0"}});
}

TEST_F(EdgeListTest, CommentsBlanksTabsAndLineEnds) {
  const SparseData list =
      read("# a comment\r\n%another\n\n   \t\r\n  # behind blanks 1 2 3\n1\t2\r\n \t3 \t  4 \t\r\n# 5 6\n5 1");
  expect_integers(list, {{"1", "2"}, {"3", "4"}, {"5", "1"}});
}

TEST_F(EdgeListTest, LastLineNeedNotEnd) {
  expect_integers(read("1 2\n3 4"), {{"1", "2"}, {"3", "4"}});
  expect_integers(read("1 2\n3 4\r"), {{"1", "2"}, {"3", "4"}});
  expect_integers(read("1 2"), {{"1", "2"}});
  expect_integers(read("1 2\n#"), {{"1", "2"}});
}

TEST_F(EdgeListTest, ByteOrderMark) {
  expect_integers(read("\xef\xbb\xbf"
                       "7 8\n"),
                  {{"7", "8"}});
}

TEST_F(EdgeListTest, AnyIntegers) {
  expect_integers(read("9223372036854775807 -9223372036854775808\n-1 0\n1000000000000 -1\n"),
                  {{"9223372036854775807", "-9223372036854775808"}, {"-1", "0"}, {"1000000000000", "-1"}});
}

TEST_F(EdgeListTest, IntegersHaveOneSpelling) {
  const SparseData list = read("007 -0\n7 0\n");
  expect_integers(list, {{"7", "0"}, {"7", "0"}});
}

TEST_F(EdgeListTest, Words) {
  const std::vector<NamedEdge> edges{{"libc6", "gcc-12-base"}, {"zlib1g", "libc6"}, {"Größe", "日本"}, {"10", "9"},
                                     {"b", "\xff\xfe"},        {"a#b", "%%"}};
  std::string text;
  for (const auto& [source, target] : edges) text += source + " " + target + "\n";
  const SparseData list = read(text);
  expect_words(list, edges);
  EXPECT_EQ(list.ids.longest_word(), 11u);
}

TEST_F(EdgeListTest, FirstDataLineDecides) {
  expect_words(read("# 1 2\n1 b\n2 3\n"), {{"1", "b"}, {"2", "3"}});
  expect_words(read("1 2\n10 9\n", {.ids = IdKind::word}), {{"1", "2"}, {"10", "9"}});
  expect_integers(read("1 2\n10 9\n", {.ids = IdKind::integer}), {{"1", "2"}, {"10", "9"}});
}

TEST_F(EdgeListTest, DuplicatesAndSelfLoops) {
  const std::string text = "5 5\n1 2\n3 3\n2 1\n1 2\n5 5\n1 2\n3 1\n";
  const SparseData kept = read(text);
  expect_integers(kept,
                  {{"5", "5"}, {"1", "2"}, {"3", "3"}, {"2", "1"}, {"1", "2"}, {"5", "5"}, {"1", "2"}, {"3", "1"}});

  const SparseData unique = read(text, {.drop_duplicates = true});
  expect_integers(unique, {{"1", "2"}, {"2", "1"}, {"3", "1"}, {"3", "3"}, {"5", "5"}});

  const SparseData no_loops = read(text, {.drop_self_loops = true});
  EXPECT_EQ(no_loops.rows, 4u);  // 5 stays
  EXPECT_EQ(all_edges(_communicator, no_loops), (std::vector<IndexedEdge>{{0, 1}, {1, 0}, {0, 1}, {0, 1}, {2, 0}}));

  const SparseData neither = read(text, {.drop_duplicates = true, .drop_self_loops = true});
  EXPECT_EQ(all_edges(_communicator, neither), (std::vector<IndexedEdge>{{0, 1}, {1, 0}, {2, 0}}));
  EXPECT_EQ(all_edges(_communicator, neither).size(), 3u);
}

TEST_F(EdgeListTest, OnlySelfLoopsLeaveVertices) {
  const SparseData list = read("4 4\n2 2\n", {.drop_self_loops = true});
  EXPECT_EQ(list.rows, 2u);
  EXPECT_EQ(all_edges(_communicator, list).size(), 0u);
  EXPECT_EQ(all_names(_communicator, list), (std::vector<std::string>{"2", "4"}));
}

TEST_F(EdgeListTest, SkippedLines) {
  const SparseData list = read("source target weight\n\n1 2\n3 4\n", {.skip_lines = 1});
  expect_integers(list, {{"1", "2"}, {"3", "4"}});
  expect_integers(read("1 2\n3 4\n5 6", {.skip_lines = 2}), {{"5", "6"}});
}

/// Lines of every length in front move the cuts between ranges over every byte of what follows.
TEST_F(EdgeListTest, CutsAtEveryByte) {
  for (int shift = 0; shift < 12; ++shift) {
    const std::string text = std::string(static_cast<std::size_t>(shift), '#') + "\n10 -20\r\n\n30 40\n%\n5 10\n7 7";
    expect_integers(read(text), {{"10", "-20"}, {"30", "40"}, {"5", "10"}, {"7", "7"}});
  }
}

TEST_F(EdgeListTest, FewerBytesThanWorkers) { expect_words(read("a b", {.ids = IdKind::word}), {{"a", "b"}}); }

TEST_F(EdgeListTest, OneLineOverSeveralRanges) {
  const std::string source(30000, 's'), target(65535, 't');
  expect_words(read("a b\n" + source + " " + target + "\nc d\n"), {{"a", "b"}, {source, target}, {"c", "d"}});
}

TEST_F(EdgeListTest, CommentOfAnyLength) {
  const std::string comment = "# " + std::string(std::size_t{5} << 19, 'c');
  const SparseData list = read("1 2\n" + comment + "\n3 4\n" + comment);
  expect_integers(list, {{"1", "2"}, {"3", "4"}});
  expect_integers(read(comment + "\n3 4\n"), {{"3", "4"}});
}

TEST_F(EdgeListTest, RandomGraphs) {
  std::mt19937_64 random(7);
  for (const bool words : {false, true}) {
    for (int repeat = 0; repeat < 3; ++repeat) {
      std::vector<NamedEdge> edges;
      std::string text;
      const auto spread = std::uint64_t{1} << (4 + 22 * repeat);
      const auto name = [&] {
        const auto number = static_cast<std::int64_t>(random() % spread) - static_cast<std::int64_t>(spread / 3);
        return std::string(words ? "w" : "") + std::to_string(number);
      };
      for (int k = 0; k < 1000; ++k) {
        edges.emplace_back(name(), name());
        text += edges.back().first + (k % 3 == 0 ? "\t" : "  ") + edges.back().second + (k % 5 == 0 ? "\r\n" : "\n");
        if (k % 97 == 0) text += "# comment\n";
      }
      const ReferenceGraph graph = words ? index_graph(edges, less_word) : index_graph(edges, less_integer);
      const SparseData list = read(text);
      EXPECT_EQ(list.ids.words(), words);
      expect_equal(_communicator, list, graph);

      // The order after dropping is by source and target, for any number of workers.
      const SparseData dropped = read(text, {.drop_duplicates = true});
      const std::set<IndexedEdge> unique(graph.edges.begin(), graph.edges.end());
      EXPECT_EQ(all_edges(_communicator, dropped), std::vector<IndexedEdge>(unique.begin(), unique.end()));
    }
  }
}

TEST_F(EdgeListTest, IdsLieInBlocks) {
  const SparseData list = read("10 30\n20 50\n40 60\n70 10\n");
  const auto workers = static_cast<std::uint64_t>(_communicator.size());
  const auto rank = static_cast<std::uint64_t>(_communicator.rank());
  const std::vector<std::int64_t> block = list.ids.integer_block();
  EXPECT_EQ(block.size(), 7 / workers + (rank < 7 % workers ? 1 : 0));
  const auto whole = _communicator.all_gather(std::span<const std::int64_t>(block));
  EXPECT_EQ(whole.values, (std::vector<std::int64_t>{10, 20, 30, 40, 50, 60, 70}));
}

TEST_F(EdgeListTest, IdsThatFollowEachOtherAreFoundByNumber) {
  const SparseData list = read("-2 -1\n0 1\n2 3\n4 -2\n");
  std::vector<std::int64_t> block = list.ids.integer_block();
  const auto whole = _communicator.all_gather(std::span<const std::int64_t>(block));
  EXPECT_EQ(whole.values, (std::vector<std::int64_t>{-2, -1, 0, 1, 2, 3, 4}));
  const std::vector<GlobalIndex> all{0, 1, 2, 3, 4, 5, 6};
  EXPECT_EQ(list.ids.names(_communicator, all), (std::vector<std::string>{"-2", "-1", "0", "1", "2", "3", "4"}));
  const std::vector<std::string> names{"-3", "-2", "3", "4", "5", "x", "-9223372036854775808", "9223372036854775807"};
  EXPECT_EQ(list.ids.vertices(_communicator, names), (std::vector<GlobalIndex>{-1, 0, 5, 6, -1, -1, -1, -1}));
}

TEST_F(EdgeListTest, WorkersAskForDifferentNames) {
  const SparseData list = read("pear apple\nfig pear\n");
  std::vector<GlobalIndex> wanted;
  if (_communicator.rank() == 0) wanted = {2, 0, 2, 1};
  if (_communicator.rank() == 1) wanted = {1};
  const std::vector<std::string> names = list.ids.names(_communicator, wanted);
  const std::vector<std::string> sorted{"apple", "fig", "pear"};
  ASSERT_EQ(names.size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_EQ(names[k], sorted[static_cast<std::size_t>(wanted[k])]);
}

/// Real graphs, as they are distributed.
class RealGraphTest : public EdgeListTest {
 protected:
  std::string find(const std::string& name) {
    const char* const data = std::getenv("KASEN_DATA");
    const std::string path = std::string(data == nullptr ? "../shared/data" : data) + "/graphs/" + name;
    return std::filesystem::exists(path) ? path : "";
  }
  void expect_counts(const std::string& path, const ReadOptions& options, std::uint64_t vertices, std::uint64_t edges) {
    const SparseData list = read_graph(_communicator, path, options);
    EXPECT_EQ(list.rows, vertices);
    EXPECT_EQ(all_edges(_communicator, list).size(), edges);
    expect_integers(list, named_edges(path, static_cast<int>(options.skip_lines)));
  }
};

TEST_F(RealGraphTest, WikiVote) {
  const std::string path = find("wiki-Vote.txt");
  if (path.empty()) GTEST_SKIP() << "no KASEN_DATA";
  expect_counts(path, {}, 7115, 103689);
}

TEST_F(RealGraphTest, EmailEuCore) {
  const std::string path = find("email-Eu-core.txt");
  if (path.empty()) GTEST_SKIP() << "no KASEN_DATA";
  expect_counts(path, {}, 1005, 25571);
}

TEST_F(RealGraphTest, CaGrQcHasAStrayFirstLine) {
  const std::string path = find("ca-GrQc.txt");
  if (path.empty()) GTEST_SKIP() << "no KASEN_DATA";
  std::string message;
  try {
    read_graph(_communicator, path);
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_EQ(message, path +
                         ":1:1: expected source and target vertex, found only "
                         "'https://snap.stanford.edu/data/ca-GrQc....'; lines before the edges can be skipped with "
                         "--skip-lines");
  expect_counts(path, {.skip_lines = 1}, 5242, 28980);
}

}  // namespace
}  // namespace kasen::io
