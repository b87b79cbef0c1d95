/// @file
/// What files of each format hold, against lists written by hand: with the quirks that people's files have, and cut
/// into shares at every byte. Labels and rows must lie in blocks.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/io/formats/read.h"
#include "kasen/io/formats/tell.h"
#include "kasen/io/formats/write.h"
#include "partition/assignment.h"
#include "tests/io/all_data.h"
#include "tests/io/temporary_directory.h"

namespace kasen::io {
namespace {

using Triples = std::vector<Triple>;
using Numbers = std::vector<double>;
const ValueRequest kReal{.stored = true};

class FormatsTest : public testing::Test {
 protected:
  /// Comments of every length in front move the cuts between shares over every byte of what follows.
  void for_each_cut(const std::string& name, const std::string& head, const std::string& comment,
                    const std::string& rest, const std::function<void(const std::string& path)>& check) {
    for (int shift = 0; shift < 14; ++shift) {
      const std::string fill = shift == 0 ? "" : comment + std::string(static_cast<std::size_t>(shift), '-') + "\n";
      SCOPED_TRACE(shift);
      check(_directory.write(name, head + fill + rest));
    }
  }
  void expect_matrix(const SparseData& data, std::uint64_t rows, std::uint64_t columns, const Triples& entries) {
    EXPECT_EQ(data.rows, rows);
    EXPECT_EQ(data.columns, columns);
    EXPECT_EQ(all_entries(_communicator, data.entries), entries);
  }
  std::uint64_t block_of(std::uint64_t rows) {
    const auto blocks = partition::Assignment::block(rows, _communicator.size());
    return static_cast<std::uint64_t>(blocks.block_begin(_communicator.rank() + 1) -
                                      blocks.block_begin(_communicator.rank()));
  }
  void expect_table(const DenseData& table, std::uint64_t rows, std::uint64_t columns, const Numbers& values,
                    const std::vector<std::string>& names = {}) {
    EXPECT_EQ(table.rows, rows);
    EXPECT_EQ(table.columns, columns);
    EXPECT_EQ(table.names, names);
    EXPECT_EQ(table.values.size(), block_of(rows) * columns);
    EXPECT_EQ(all_values(_communicator, table.values), values);
  }

  comm::Communicator _communicator;
  TemporaryDirectory _directory{_communicator};
};

TEST_F(FormatsTest, MatrixMarketCoordinates) {
  const std::string banner = "%%MatrixMarket matrix coordinate ";
  for_each_cut("a.mtx", banner + "real general\n", "%", "\n3 4 4\r\n1 1 1.5\r\n3 2 -2e1\n% late\n\n 1  4\t.5 \n3 2 7",
               [&](const std::string& path) {
                 const Triples entries{{0, 0, 1.5}, {2, 1, -20}, {0, 3, 0.5}, {2, 1, 7}};
                 const SparseData data = read_samples(_communicator, path);
                 expect_matrix(data, 3, 4, entries);
                 EXPECT_FALSE(data.graph || data.labelled);
                 EXPECT_FALSE(read_graph(_communicator, path, {}, kReal).graph);
               });
  const std::string symmetric = _directory.write("s.mtx", banner + "integer symmetric\n3 3 3\n1 1 2\n2 1 3\n3 2 4\n");
  expect_matrix(read_graph(_communicator, symmetric, {}, kReal), 3, 3,
                {{0, 0, 2}, {1, 0, 3}, {0, 1, 3}, {2, 1, 4}, {1, 2, 4}});
  const std::string skew = _directory.write("k.mtx", banner + "REAL Skew-Symmetric\n2 2 1\n2 1 3\n");
  expect_matrix(read_graph(_communicator, skew, {}, kReal), 2, 2, {{1, 0, 3}, {0, 1, -3}});
  const std::string pattern = _directory.write("p.mtx", banner + "pattern general\n4 4 2\n1 4\n4 3\n");
  const SparseData graph = read_graph(_communicator, pattern);
  expect_matrix(graph, 4, 4, {{0, 3, 1}, {3, 2, 1}});
  EXPECT_TRUE(graph.graph);
  EXPECT_EQ(graph.ids.names(_communicator, std::vector<GlobalIndex>{0, 3}), (std::vector<std::string>{"1", "4"}));
  const SparseData left_out = read_graph(_communicator, symmetric);  // a graph's values where none are wanted
  EXPECT_EQ(left_out.entries.value_bytes, 0u);
  EXPECT_EQ(all_entries(_communicator, left_out.entries).size(), 5u);
  expect_matrix(read_samples(_communicator, _directory.write("n.mtx", banner + "real general\n0 3 0\n")), 0, 3, {});
}

TEST_F(FormatsTest, MatrixMarketArrays) {
  const std::string banner = "%%MatrixMarket matrix array ";
  for_each_cut("a.mtx", banner + "real general\n", "%", "3 2\n1\n2\n3\n4\n\n5\n-6e0\n", [&](const std::string& path) {
    expect_table(read_dense(_communicator, path), 3, 2, {1, 4, 2, 5, 3, -6});
    expect_matrix(read_samples(_communicator, path), 3, 2,
                  {{0, 0, 1}, {1, 0, 2}, {2, 0, 3}, {0, 1, 4}, {1, 1, 5}, {2, 1, -6}});
  });
  const std::string symmetric = banner + "integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n";
  expect_table(read_dense(_communicator, _directory.write("s.mtx", symmetric)), 3, 3, {1, 2, 3, 2, 4, 5, 3, 5, 6});
  const std::string skew = banner + "integer skew-symmetric\n3 3\n1\n2\n3\n";
  expect_table(read_dense(_communicator, _directory.write("k.mtx", skew)), 3, 3, {0, -1, -2, 1, 0, -3, 2, 3, 0});
}

TEST_F(FormatsTest, Libsvm) {
  for_each_cut("a.svm", "", "# ", "+1 1:0.5 4:2\r\n-1\n\n  2.5 2:-1e-3   3:4 # why\n7 1:1",
               [&](const std::string& path) {
                 const SparseData data = read_samples(_communicator, path);
                 expect_matrix(data, 4, 4, {{0, 0, 0.5}, {0, 3, 2}, {2, 1, -1e-3}, {2, 2, 4}, {3, 0, 1}});
                 EXPECT_TRUE(data.labelled);
                 EXPECT_EQ(data.labels.size(), block_of(4));
                 EXPECT_EQ(all_values(_communicator, data.labels), (Numbers{1, -1, 2.5, 7}));
               });
  const std::string path = _directory.write("b.svm", "1 0:1 2:0\n0 5:1\n");
  expect_matrix(read_samples(_communicator, path, {.zero_based = true}), 2, 6, {{0, 0, 1}, {0, 2, 0}, {1, 5, 1}});
  expect_matrix(read_samples(_communicator, path, {.columns = 9, .zero_based = true}), 2, 9,
                {{0, 0, 1}, {0, 2, 0}, {1, 5, 1}});
  EXPECT_EQ(read_samples(_communicator, path, {.zero_based = true}, {}).entries.value_bytes, 0u);
  expect_matrix(read_samples(_communicator, _directory.write("c.svm", "1\n2\n")), 2, 0, {});
  const std::string odd = _directory.write("d.svm", "nan 1:inf\n");
  const SparseData infinite = read_samples(_communicator, odd, {.allow_non_finite = true});
  expect_matrix(infinite, 1, 1, {{0, 0, INFINITY}});
}

TEST_F(FormatsTest, Tables) {
  const Numbers values{1, 2.5, -3, 4e2, 5, 0.5};
  for_each_cut("a.csv", "", "#", "x,\"the \"\"y\"\"\" , z\r\n1,2.5,-3\n\n\"4e2\", 5 ,.5\n",
               [&](const std::string& path) {
                 expect_table(read_dense(_communicator, path), 2, 3, values, {"x", "the \"y\"", "z"});
               });
  for_each_cut("a.txt", "", "% ", "  1   2.5\t-3 \n4e2 5 .5",
               [&](const std::string& path) { expect_table(read_dense(_communicator, path), 2, 3, values); });
  for (const std::string text :
       {"1,2.5,-3\n4e2,5,.5\n", "1;2.5;-3\n4e2;5;.5", "1\t2.5\t-3\n4e2 \t 5\t.5\n", "+1 2.5 -3\n400 5 5e-1\n",
        "\xef\xbb\xbf"
        "1,2.5,-3\n4e2,5,.5\n"}) {
    expect_table(read_dense(_communicator, _directory.write("t", text)), 2, 3, values);
  }
  expect_table(read_dense(_communicator, _directory.write("t.tsv", "a b\tc\n1\t2\n")), 1, 2, {1, 2}, {"a b", "c"});
  expect_table(read_dense(_communicator, _directory.write("t.tsv", "\tsize\n0\t5\n1\t6\n")), 2, 2, {0, 5, 1, 6},
               {"", "size"});
  expect_table(read_dense(_communicator, _directory.write("t.txt", "\tx y z\n1 2 3\n")), 1, 3, {1, 2, 3},
               {"x", "y", "z"});
  expect_table(read_dense(_communicator, _directory.write("t.tsv", "\tsize\tprice\n0\t1\t2\n3 \t 4\t5\r\n")), 2, 3,
               {0, 1, 2, 3, 4, 5}, {"", "size", "price"});
  // Quotes within a name are part of it, and separate nothing.
  expect_table(read_dense(_communicator, _directory.write("t.csv", "len 5\",price\n1,2\n")), 1, 2, {1, 2},
               {"len 5\"", "price"});
  expect_table(read_dense(_communicator, _directory.write("t.csv", "\"a \"\"b, c\"\"\";d\n1;2\n")), 1, 2, {1, 2},
               {"a \"b, c\"", "d"});
  expect_table(read_dense(_communicator, _directory.write("one", "1\n2\n3\n")), 3, 1, {1, 2, 3});
  expect_table(read_dense(_communicator, _directory.write("tiny", "1e-400\n5e-324\n-0.0000\n")), 3, 1, {0, 5e-324, 0});
  const std::string odd = _directory.write("odd", "1,inf\n-INF,2\n");
  expect_table(read_dense(_communicator, odd, {.allow_non_finite = true}), 2, 2, {1, INFINITY, -INFINITY, 2});
  const std::string wide(std::size_t{3} << 20, ' ');  // longer than the first buffer
  expect_table(read_dense(_communicator, _directory.write("wide", "1" + wide + "2\n3 4\n")), 2, 2, {1, 2, 3, 4});
}

TEST_F(FormatsTest, TablesInParts) {
  if (_communicator.rank() == 0) std::filesystem::create_directory(_directory.path("parts"));
  _communicator.barrier();
  _directory.write("parts/a", "");
  _directory.write("parts/b", "x,y\n1,2\n3,4");
  _directory.write("parts/c", "x,y\n5,6\n");
  _directory.write("parts/d", "7,8\n");
  expect_table(read_dense(_communicator, _directory.path("parts")), 4, 2, {1, 2, 3, 4, 5, 6, 7, 8}, {"x", "y"});
}

TEST_F(FormatsTest, MetisGraphs) {
  const Triples plain{{0, 1, 1}, {0, 2, 1}, {1, 0, 1}, {2, 0, 1}};
  for_each_cut("a.graph", "", "% ", "4 2\n2 3\n% in between\n 1 \r\n1\n\n", [&](const std::string& path) {
    const SparseData graph = read_graph(_communicator, path);
    expect_matrix(graph, 4, 4, plain);
    EXPECT_TRUE(graph.graph);
    EXPECT_EQ(graph.ids.names(_communicator, std::vector<GlobalIndex>{3}), std::vector<std::string>{"4"});
  });
  const Triples weighted{{0, 1, 0.5}, {0, 2, 7}, {1, 0, 0.5}, {2, 0, 7}};
  const auto read = [&](const std::string& text) {
    return read_graph(_communicator, _directory.write("g.metis", text), {}, kReal);
  };
  expect_matrix(read("3 2 1\n2 0.5 3 7\n1 .5\n1 7\n\n \n"), 3, 3, weighted);
  expect_matrix(read("3 2 011\n9 2 0.5 3 7\n9 1 .5\n9 1 7\n"), 3, 3, weighted);
  expect_matrix(read("3 2 111 2\n1 9 9 2 0.5 3 7\n1 9 9 1 .5\n1 9 9 1 7\n"), 3, 3, weighted);
  const std::string sizes = _directory.write("v.chaco", "4 2 100\n8 2 3\n8 1\n8 1\n8\n");
  expect_matrix(read_graph(_communicator, sizes), 4, 4, plain);
  const std::string unnamed = _directory.write("graph.txt", "4 2 010\n8 2 3\n8 1\n8 1\n8\n");
  expect_matrix(read_graph(_communicator, unnamed, {.format = "metis"}), 4, 4, plain);
}

TEST_F(FormatsTest, WeightedEdgeLists) {
  const std::string path = _directory.write("g.txt", "3 1 0.5\n1 2 -4\n\n3 1 9\n2 2 1e3\n");
  expect_matrix(read_graph(_communicator, path, {}, kReal), 3, 3, {{2, 0, 0.5}, {0, 1, -4}, {2, 0, 9}, {1, 1, 1000}});
  expect_matrix(read_graph(_communicator, path, {.drop_duplicates = true, .drop_self_loops = true}, kReal), 3, 3,
                {{0, 1, -4}, {2, 0, 0.5}});
  expect_matrix(read_graph(_communicator, path, {.ignore_weights = true}), 3, 3,
                {{2, 0, 1}, {0, 1, 1}, {2, 0, 1}, {1, 1, 1}});
}

TEST_F(FormatsTest, ToldFromContentThenName) {
  const auto tell = [&](const std::string& name, const std::string& text, Kind kind) {
    return format_of(_communicator, Text(_communicator, _directory.write(name, text)), kind, {}).name;
  };
  EXPECT_EQ(tell("a.graph", "1 2\n", Kind::graph), "metis");
  EXPECT_EQ(tell("a.GRAPH.gz", "1 2\n", Kind::graph), "metis");
  EXPECT_EQ(tell("a.txt", "1 2\n", Kind::graph), "edge-list");
  EXPECT_EQ(tell("a.mtx", "1 2\n", Kind::graph), "edge-list");
  EXPECT_EQ(tell("a.txt", "%%matrixmarket matrix", Kind::dense), "matrix-market");
  EXPECT_EQ(tell("a.csv", "# c\n1 1:2\n", Kind::samples), "libsvm");
  EXPECT_EQ(tell("a", "1\n2 1:2\n", Kind::samples), "libsvm");
  EXPECT_EQ(tell("a", "std::a std::b\n", Kind::graph), "edge-list");
  EXPECT_EQ(tell("a.svm", "1,2\n", Kind::dense), "table");
  EXPECT_EQ(tell("a", "\x89HDF\r\n\x1a\n", Kind::dense), "hdf5");
  std::string wide = "1";  // longer than what is looked at
  for (int k = 1; k < 1000; ++k) wide += " " + std::to_string(k) + ":1";
  std::string rows;
  for (int k = 0; k < 20; ++k) rows += wide + "\n";
  EXPECT_EQ(tell("a", rows, Kind::samples), "libsvm");
}

TEST_F(FormatsTest, Hdf5) {
  const std::string dense = _directory.path("dense.h5"), sparse = _directory.path("sparse.h5");
  DenseData table{5, 2, {}, {"a", "b"}};
  const auto blocks = partition::Assignment::block(5, _communicator.size());
  for (auto i = blocks.block_begin(_communicator.rank()); i < blocks.block_begin(_communicator.rank() + 1); ++i) {
    table.values.insert(table.values.end(), {static_cast<double>(i), static_cast<double>(i) / 2});
  }
  write_matrix(_communicator, dense, *find_format("hdf5"), table);
  expect_table(read_dense(_communicator, dense), 5, 2, {0, 0, 1, 0.5, 2, 1, 3, 1.5, 4, 2}, {"a", "b"});
  write_matrix(_communicator, sparse, *find_format("hdf5"),
               read_graph(_communicator, _directory.write("g.txt", "10 30 2.5\n20 10 3\n"), {}, kReal));
  const SparseData graph = read_graph(_communicator, sparse, {}, kReal);
  expect_matrix(graph, 3, 3, {{0, 2, 2.5}, {1, 0, 3}});
  EXPECT_EQ(graph.ids.names(_communicator, std::vector<GlobalIndex>{2}), std::vector<std::string>{"30"});
  EXPECT_EQ(read_graph(_communicator, sparse).entries.value_bytes, 0u);
  std::string message;
  try {
    read_graph(_communicator, sparse, {}, {.stored = true, .rule = {.integral = true, .least = 0, .most = 9}});
  } catch (const AgreedError& error) {
    message = error.what();
  }
  EXPECT_EQ(message, sparse + ": expected whole numbers, found 2.500000 in row 0, column 2 (from 0)");
}

/// Public data, with the counts that are known of it.
class RealDataTest : public FormatsTest {
 protected:
  std::string find(const std::string& name) {
    const char* const data = std::getenv("KASEN_DATA");
    const std::string path = std::string(data == nullptr ? "../shared/data" : data) + "/" + name;
    return std::filesystem::exists(path) ? path : "";
  }
  void expect_samples(const std::string& name, std::uint64_t rows, std::uint64_t columns, std::uint64_t entries) {
    const SparseData data = read_samples(_communicator, find(name));
    EXPECT_EQ(data.rows, rows) << name;
    EXPECT_EQ(data.columns, columns) << name;
    EXPECT_EQ(_communicator.sum<std::uint64_t>(data.entries.row.size()), entries) << name;
    EXPECT_EQ(_communicator.sum<std::uint64_t>(data.labels.size()), rows) << name;
  }
  void expect_graph(const std::string& name, std::uint64_t vertices, std::uint64_t entries) {
    const SparseData graph = read_graph(_communicator, find(name));
    EXPECT_EQ(graph.rows, vertices) << name;
    EXPECT_EQ(_communicator.sum<std::uint64_t>(graph.entries.row.size()), entries) << name;
  }
  std::string error_of(const std::function<void()>& read) {
    try {
      read();
    } catch (const AgreedError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(RealDataTest, Graphs) {
  if (find("graphs/cnr-2000.txt.gz").empty()) GTEST_SKIP() << "no KASEN_DATA";
  expect_graph("graphs/cnr-2000.txt.gz", 325557, 3216152);
  expect_graph("graphs/PGPgiantcompo.graph", 10680, 2 * 24316);
  expect_graph("graphs/hep-th.mtx", 8361, 2 * 15751);
  const SparseData weighted = read_graph(_communicator, find("graphs/hep-th.mtx"), {}, kReal);
  EXPECT_EQ(weighted.entries.value_bytes, sizeof(double));
}

TEST_F(RealDataTest, Samples) {
  if (find("libsvm/a9a").empty()) GTEST_SKIP() << "no KASEN_DATA";
  expect_samples("libsvm/a9a", 32561, 123, 451592);
  expect_samples("libsvm/a9a.t", 16281, 123, 225732);
  expect_samples("libsvm/a1a", 1605, 119, 22249);
  expect_samples("libsvm/heart_scale", 270, 13, 3378);
  expect_samples("libsvm/news20.bz2", 15935, 62061, 1272569);
}

TEST_F(RealDataTest, Tables) {
  if (find("clusters/s1.data.gz").empty()) GTEST_SKIP() << "no KASEN_DATA";
  for (const auto& [name, rows, columns] :
       {std::tuple{"clusters/s1.data.gz", 5000u, 2u}, std::tuple{"clusters/s1.labels0.gz", 5000u, 1u},
        std::tuple{"clusters/birch1.data.gz", 100000u, 2u}}) {
    const DenseData table = read_dense(_communicator, find(name));
    EXPECT_EQ(table.rows, rows) << name;
    EXPECT_EQ(table.columns, columns) << name;
    EXPECT_TRUE(table.names.empty());
  }
}

TEST_F(RealDataTest, Refused) {
  if (find("clusters/iris.arff").empty()) GTEST_SKIP() << "no KASEN_DATA";
  const std::string iris = find("clusters/iris.arff"), prices = find("options/parsec_optionData.txt");
  EXPECT_EQ(error_of([&] { read_dense(_communicator, iris); }),
            iris +
                ": looks like ARFF, expected numbers: a table with a row a line, Matrix Market or HDF5; --format says "
                "what it is");
  EXPECT_NE(error_of([&] { read_dense(_communicator, prices); }).find(": looks like C source, expected"),
            std::string::npos);
  for (const char* name : {"compound-dtype-complex.h5", "vlen_string_dset.h5", "vlen_string_s390x.h5"}) {
    const std::string path = find(std::string("hdf5/") + name);
    EXPECT_EQ(error_of([&] { read_dense(_communicator, path); }).find(path), 0u) << name;
  }
}

}  // namespace
}  // namespace kasen::io
