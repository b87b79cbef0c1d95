/// @file
/// The corpus of bad files: each is refused with one message, the same on every worker and for any number of them.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "kasen/base/error.h"
#include "kasen/io/formats/read.h"
#include "tests/io/temporary_directory.h"

namespace kasen::io {
namespace {

using namespace std::string_literals;

class BadFilesTest : public testing::Test {
 protected:
  template <class Read>
  void expect_refused(const std::string& name, std::string_view text, const std::string& message, Read read) {
    const std::string path = _directory.write(name, text);
    try {
      read(path);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const AgreedError& error) {
      EXPECT_EQ(error.what(), path + message);
      EXPECT_EQ(error.exit_status(), 1);
    }
  }
  void graph(const std::string& name, std::string_view text, const std::string& message,
             const ReadOptions& options = {}, const ValueRequest& values = {}) {
    expect_refused(name, text, message,
                   [&](const std::string& path) { read_graph(_communicator, path, options, values); });
  }
  void samples(std::string_view text, const std::string& message, const ReadOptions& options = {},
               const ValueRequest& values = {.stored = true}) {
    expect_refused("data", text, message,
                   [&](const std::string& path) { read_samples(_communicator, path, options, values); });
  }
  void table(std::string_view text, const std::string& message, const ReadOptions& options = {}) {
    expect_refused("table", text, message, [&](const std::string& path) { read_dense(_communicator, path, options); });
  }

  const std::string _graph = ", expected a graph: an edge list, Matrix Market, METIS, HDF5 or a Galois graph";
  const std::string _samples = ", expected samples: LIBSVM, Matrix Market or HDF5";
  const std::string _dense = ", expected numbers: a table with a row a line, Matrix Market or HDF5";
  const std::string _say = "; --format says what it is";
  const std::string _finite = "; --allow-non-finite takes infinite numbers and nan";
  comm::Communicator _communicator;
  TemporaryDirectory _directory{_communicator};
};

TEST_F(BadFilesTest, OtherFormats) {
  graph("g", "\x93NUMPY\1\0v\0{'descr'"s, ": looks like a NumPy array" + _graph + _say);
  graph("g", "PK\3\4\0\0"s, ": looks like a zip archive (or .npz, .xlsx)" + _graph + _say);
  graph("g", "*Vertices 4\n1 \"a\"\n", ": looks like a Pajek graph" + _graph + _say);
  graph("g", "%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n",
        ": looks like Matrix Market with one % too few" + _graph + _say);
  graph("g", "digraph web {\n  a -> b;\n}\n", ": looks like Graphviz" + _graph + _say);
  graph("g", "<?xml version=\"1.0\"?>\n<graphml/>\n", ": looks like XML" + _graph + _say);
  graph("g", "1 3:1 4:1\n-1 2:1\n", ": looks like LIBSVM samples" + _graph + _say);
  samples("% c\n@RELATION iris\n", ": looks like ARFF" + _samples + _say);
  samples("1,2,3\n", ": looks like a table, every field of which is a number" + _samples + _say);
  samples("1 2 3\n", ": looks like a table, every field of which is a number" + _samples + _say);
  table("1 3:1 4:1\n", ": looks like LIBSVM samples" + _dense + _say);
  table("PAR1\25\4", ": looks like Apache Parquet" + _dense + _say);
  table("{\"a\": 1}\n", ": looks like JSON" + _dense + _say);
  table("1 2\n", ": --format edge-list was given" + _dense, {.format = "edge-list"});
  graph("g", "1 2\n", ": --format table was given" + _graph, {.format = "table"});
}

TEST_F(BadFilesTest, MatrixMarket) {
  const std::string fields = "one of real, integer, pattern, found ";
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  const ValueRequest real{.stored = true};
  graph("m", "1 2\n", ":1:1: expected '%%MatrixMarket', found '1'", {.format = "matrix-market"});
  graph("m", "%%MatrixMarket vector", ":1:16: expected 'matrix', found 'vector'");
  graph("m", "%%MatrixMarket matrix coordinate complex hermitian\n",
        ":1:34: expected " + fields + "'complex': complex numbers are not read");
  graph("m", "%%MatrixMarket matrix coordinate\n", ":1:33: expected " + fields + "the end of the line");
  graph("m", "%%MatrixMarket matrix array pattern general\n",
        ":1:1: expected values, found a pattern: an array has some");
  graph("m", "%%MatrixMarket matrix coordinate real symmetric\n%\n2 3 1\n",
        ":3:1: expected as many rows as columns, found 2 and 3: the matrix is symmetric");
  graph("m", banner, ": expected a Matrix Market file, found no line with its sizes");
  graph("m", banner + "2 2\n", ":2:4: expected the number of entries, found the end of the line");
  graph("m", banner + "2 -2 1\n", ":2:3: expected the number of columns, found '-2'");
  graph("m", banner + "2 9223372036854775808 1\n", ":2:3: expected the number of columns, found '9223372036854775808'");
  graph("m", banner + "2 2 1 1\n", ":2:7: expected the end of the line, found '1'");
  graph("m", banner + "2 2 1\n3 1 1\n", ":3:1: expected a row from 1 to 2, found '3'");
  graph("m", banner + "2 2 1\n1 0 1\n", ":3:3: expected a column from 1 to 2, found '0'");
  graph("m", banner + "2 2 1\n1 1.5 1\n", ":3:3: expected a column from 1 to 2, found '1.5'");
  graph("m", banner + "2 2 1\n1 1\n", ":3:4: expected a value, found nothing");
  graph("m", banner + "2 2 1\n1 1 x\n", ":3:5: expected a value, found 'x'");
  graph("m", banner + "2 2 1\n1 1 1 1\n", ":3:7: expected the end of the line, found '1'");
  graph("m", banner + "2 2 1\n1 1 nan\n", ":3:5: expected a value that is finite, found 'nan'" + _finite);
  graph("m", banner + "2 2 1\n1 \0 1\n"s, ":3:3: not a text file: there is a byte 0x00");
  graph("m", banner + "2 2 3\n1 1 1\n2 2 1\n", ": expected 3 entries, as its sizes say, found 2");
  graph("m", banner + "2 2 1\n1 1 1\n2 2 1\n", ": expected 1 entries, as its sizes say, found 2");
  graph("m", "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 0.5\n",
        ":3:5: expected a value that is whole, found '0.5'");
  graph("m", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 1\n",
        ":3:1: expected no entry on the diagonal, found '2 2 1': the matrix is skew-symmetric");
  graph("m", "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n",
        ": expected entries with values, found a pattern", {}, real);
  table(banner + "2 2 1\n1 1 1\n",
        ": expected an array, found the coordinates of non-zeros, which are few of its "
        "elements; it can be read as samples or as a graph");
  table("%%MatrixMarket matrix array real general\n2 1\n1\n2 3\n", ":4:3: expected the end of the line, found '3'");
  table("%%MatrixMarket matrix array real general\n4294967296 4294967296\n",
        ":2:1: expected fewer elements, found more than a 64-bit integer can count");
}

TEST_F(BadFilesTest, Libsvm) {
  samples("", ": the file is empty");
  samples("# nothing\n\n", ": expected samples, found none");
  samples("1 1:1\nx 1:1\n", ":2:1: expected a label, found 'x'");
  samples("1 1:1\n1,2 1:1\n",
          ":2:1: expected one label, found several in '1,2': samples of several labels are not read");
  samples("1 1:1\n 3:1\n", ":2:2: expected a label, found '3:1': every line begins with its label");
  samples("1 1:1\n1 qid:3 1:1\n", ":2:3: expected index:value, found 'qid:3': queries are not read");
  samples("1 1:1\n1 1 2:3\n", ":2:3: expected index:value, found '1'");
  samples("1 1:1\n1 -1:3\n", ":2:3: expected index:value, found '-1:3'");
  samples("1 1:1\n1 0:3\n", ":2:3: expected an index from 1, found '0:3'; --zero-based takes indices from 0");
  samples("1 1:1\n1 2:3 2:4\n", ":2:7: expected an index above 2, found '2:4': indices ascend");
  samples("1 1:1\n1 9:3\n", ":2:3: expected an index up to 8, found '9:3'", {.columns = 8});
  samples("1 1:1\n1 9223372036854775807:3\n", ":2:3: expected index:value, found '9223372036854775807:3'");
  samples("1 1:1\n1 1:\n", ":2:5: expected a value, found nothing");
  samples("1 1:1\n1 1:2:3\n", ":2:5: expected a value, found '2:3'");
  samples("1 1:1\n1 1:-inf\n", ":2:5: expected a value that is finite, found '-inf'" + _finite);
  samples("1 1:1\n1 1:1e999\n", ":2:5: expected a value, found '1e999', which is too large for a double");
  samples("1 1:1\n1 1:1 # \0\n"s, ":2:9: not a text file: there is a byte 0x00");
  samples("1 1:1\n1 1:1\1\n", ":2:6: not a text file: there is a byte 0x01");
  samples("1 1:1\n1 1:0.5\n", ":2:5: expected a value that is whole, found '0.5'", {},
          {.stored = true, .rule = {.integral = true, .least = 0, .most = 255}});
}

TEST_F(BadFilesTest, Tables) {
  table("", ": the file is empty");
  table("\n# nothing\n", ": expected rows, found none");
  table("a,b\n", ": expected rows, found only the names of the columns");
  table("a,b\n1,2\nx,2\n", ":3:1: expected a number, found 'x'");
  table("1,2\n3\n", ":2:2: expected 2 fields, found 1");
  table("1,2\n3,4,5\n", ":2:5: expected 2 fields, found more: '5'");
  table("1,2\n3,\n", ":2:3: expected a number, found nothing");
  table("1,2\n,4\n", ":2:1: expected a number, found nothing");
  table("1,2\n3, ,4\n", ":2:4: expected a number, found nothing");
  table("1,2\n3,\"4\n", ":2:3: expected a quote that closes in its line, found '\"4'");
  table("1,2\n3,\"\"\n", ":2:3: expected a number, found '\"\"'");
  table("1,2\n3 4\n", ":2:1: expected a number, found '3 4'");
  table("a\tb\tc\n1\t\t2\t3\n", ":2:3: expected a number, found nothing");
  table("a\tb\n1\t2\n\t\n", ":3:1: expected a number, found nothing");
  table("a\tb\tc\n\t2\t3\n", ":2:1: expected a number, found nothing");
  table("a\tb\tc\n1\t2\t\r\n", ":2:5: expected a number, found nothing");
  table("a\tb\n1\t2\t\n", ":2:5: expected 2 fields, found more: ''");
  table("1 2\n3,4\n", ":2:1: expected a number, found '3,4'");
  table("1;2\n3;4,5\n", ":2:3: expected a number, found '4,5'");
  table("1,2\n3,0x10\n", ":2:3: expected a number, found '0x10'");
  table("1,2\n3,nan\n", ":2:3: expected a number that is finite, found 'nan'" + _finite);
  table("1,2\n3,+-4\n", ":2:3: expected a number, found '+-4'");
  table("1,2\n3,\0\n"s, ":2:3: not a text file: there is a byte 0x00");
  table("1,2\n# \0\n"s, ":2:3: not a text file: there is a byte 0x00");
  table("1 2\n" + std::string(2000, '9') + " 1\n",
        ":2:1: expected a number, found '" + std::string(39, '9') + "...', which is too large for a double");
}

TEST_F(BadFilesTest, FirstRowsOfTables) {
  const std::string hint = "; if the line names the columns, names that are numbers stand in quotes";
  table("1,NA\n2,3\n", ":1:3: expected a number, found 'NA'" + hint);
  table("NA,1\n2,3\n", ":1:1: expected a number, found 'NA'" + hint);
  table("1,1e999\n2,3\n", ":1:3: expected a number, found '1e999', which is too large for a double" + hint);
  table("1e999\n2\n", ":1:1: expected a number, found '1e999', which is too large for a double" + hint);
  table("NA,?\n2,3\n", ":1:1: expected a number, found 'NA'" + hint);
  table("1,\n2,3\n", ":1:3: expected a number, found nothing" + hint);
  table("name,2019\n2,3\n", ":1:1: expected a number, found 'name'" + hint);
  table("1\tx y\n2\t3\n", ":1:3: expected a number, found 'x y'" + hint);
  const auto names = [&](std::string_view text) {
    return read_dense(_communicator, _directory.write("t", text)).names;
  };
  EXPECT_EQ(names("name,\"2019\"\n2,3\n"), (std::vector<std::string>{"name", "2019"}));
  EXPECT_EQ(names(",x\n2,3\n"), (std::vector<std::string>{"", "x"}));
  EXPECT_EQ(names("NA,x\n2,3\n"), (std::vector<std::string>{"NA", "x"}));
  EXPECT_EQ(names("\"1\",\"2\"\n2,3\n"), std::vector<std::string>());
}

/// What is declared is compared with the memory that there is before anything is allocated.
TEST_F(BadFilesTest, MoreThanAnyMemoryHolds) {
  const auto begins = [&](const std::string& name, std::string_view text, const std::string& message, auto read) {
    const std::string path = _directory.write(name, text);
    try {
      read(path);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const AgreedError& error) {
      EXPECT_EQ(std::string(error.what()).find(path + message), 0u) << error.what();
      EXPECT_NE(std::string(error.what()).find("are available"), std::string::npos) << error.what();
    }
  };
  const auto graph_of = [&](const std::string& path) { read_graph(_communicator, path); };
  const auto samples_of = [&](const std::string& path) { read_samples(_communicator, path); };
  const auto table_of = [&](const std::string& path) { read_dense(_communicator, path); };
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  begins("huge.mtx", banner + "1000000000000 1000000000000 1\n1 1 1\n",
         ":2:1: expected a matrix that fits into memory, found 1000000000000 x 1000000000000 with 1 entries: at least "
         "16000000000016 bytes of memory are needed, ",
         graph_of);
  begins("huge.mtx", banner + "% c\n3 9000000000000000000 1\n1 1 1\n", ":3:1: expected a matrix that fits into memory",
         samples_of);
  begins("huge.mtx", "%%MatrixMarket matrix array real general\n4000000000 2000000000\n1\n",
         ":2:1: expected a matrix that fits into memory, found 4000000000 x 2000000000", table_of);
  begins("huge.graph", "1000000000000 1\n2\n1\n",
         ":1:1: expected a graph that fits into memory, found 1000000000000 vertices and 1 edges: at least ", graph_of);
  begins("huge.graph", "2 1000000000000\n2\n1\n", ":1:1: expected a graph that fits into memory", graph_of);
  begins("huge.svm", "1 1:1\n-1 2:1 300000000000000:1\n",
         ":2:8: expected columns that fit into memory, found '300000000000000:1': for one vector at least "
         "300000000000000 numbers of 8 bytes are needed, ",
         samples_of);
  begins("good.svm", "1 1:1\n",
         ": expected columns that fit into memory, found 300000000000000 by --columns: at least ",
         [&](const std::string& path) { read_samples(_communicator, path, {.columns = 300'000'000'000'000}); });
}

TEST_F(BadFilesTest, Metis) {
  const ValueRequest real{.stored = true};
  graph("m.graph", "", ": the file is empty, expected a METIS graph");
  graph("m.graph", "x\n", ":1:1: expected the number of vertices, found 'x'");
  graph("m.graph", "% c\n3\n", ":2:2: expected the number of edges, found the end of the line");
  graph("m.graph", "3 1 2\n", ":1:5: expected a format of up to three digits 0 or 1, found '2'");
  graph("m.graph", "3 1 0010\n", ":1:5: expected a format of up to three digits 0 or 1, found '0010'");
  graph("m.graph", "3 1 011 1 1\n", ":1:11: expected the end of the line, found '1'");
  graph("m.graph", "2 1\n3\n1\n", ":2:1: expected a vertex from 1 to 2, found '3'");
  graph("m.graph", "2 1\n2\n0\n", ":3:1: expected a vertex from 1 to 2, found '0'");
  graph("m.graph", "2 1\n2\n1.0\n", ":3:1: expected a vertex from 1 to 2, found '1.0'");
  graph("m.graph", "2 1\n2\n", ": expected 2 lines of vertices, as its first line says, found 1");
  graph("m.graph", "2 1\n2\n1\n\n1\n", ": expected 2 lines of vertices, as its first line says, found 4");
  graph("m.graph", "3 2\n2\n1\n\n",
        ": expected 2 edges, each listed by both of its vertices, as its first line says, found 2 neighbours");
  graph("m.graph", "2 1\n1\n2\n", ": expected no edges from a vertex to itself, found 2");
  graph("m.graph", "3 2\n2\n3\n1 2\n", ": expected each edge listed by both of its vertices, found one that is not");
  graph("m.graph", "3 2 1\n2 5 3 5\n1 5\n1 6\n",
        ": expected each edge listed by both of its vertices, with one weight, found one that is not", {}, real);
  graph("m.graph", "2 1 1\n2\n1 1\n", ":2:2: expected the edge's weight, found nothing");
  graph("m.graph", "2 1 10\n1.5 2\n1 1\n",
        ":2:1: expected a weight or size of the vertex, a whole number, found '1.5'");
  graph("m.graph", "2 1 10\n1 2\n\n", ": expected the weights of vertex 2, found a blank line");
  graph("m.graph", "2 1\n2\n1\n", ": expected weights of edges, found a graph without them", {}, real);
  graph("m.graph", "2 1\n2\n1\0\n"s, ":3:2: not a text file: there is a byte 0x00");
}

}  // namespace
}  // namespace kasen::io
