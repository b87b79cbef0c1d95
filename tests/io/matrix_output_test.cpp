/// @file
/// What every writer writes: the text itself, the same for any number of workers; HDF5 by reading it back.
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <tuple>

#include "kasen/base/error.h"
#include "kasen/io/formats/edge_list.h"
#include "kasen/io/formats/libsvm.h"
#include "kasen/io/formats/matrix_market.h"
#include "kasen/io/formats/read.h"
#include "kasen/io/formats/table.h"
#include "kasen/io/formats/table_output.h"
#include "kasen/io/hdf5/hdf5_input.h"
#include "kasen/io/hdf5/hdf5_matrix.h"
#include "tests/io/dealt_data.h"
#include "tests/io/temporary_directory.h"

namespace kasen::io {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class MatrixOutputTest : public testing::Test {
 protected:
  Rank rank() const { return _communicator.rank(); }
  template <class T>
  std::vector<T> block(const std::vector<T>& all, std::uint64_t width = 1) const {
    return block_of(_communicator, all, width);
  }
  SparseData sparse(std::uint64_t rows, std::uint64_t columns, const std::vector<Triple>& entries,
                    bool values = true) const {
    return sparse_of(_communicator, rows, columns, entries, values);
  }
  DenseData dense(std::uint64_t rows, std::uint64_t columns, const std::vector<double>& values) const {
    DenseData data;
    data.rows = rows;
    data.columns = columns;
    data.values = columns == 0 ? std::vector<double>() : block(values, columns);
    return data;
  }
  std::string contents(const std::string& path) const {
    _communicator.barrier();
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  template <class T, class Allocator>
  std::vector<T> all(const std::vector<T, Allocator>& mine) const {
    return _communicator.all_gather(std::span<const T>(mine)).values;
  }
  std::vector<Triple> entries(const SparseData& data) const {
    const auto rows = all(data.entries.row.copy()), columns = all(data.entries.column.copy());
    const auto bytes = all(data.entries.value);
    std::vector<Triple> triplets;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      double value = 1;
      if (data.entries.value_bytes > 0) std::memcpy(&value, &bytes[k * sizeof value], sizeof value);
      triplets.emplace_back(rows[k], columns[k], value);
    }
    return triplets;
  }
  template <class Write>
  std::string error_of(Write&& write) const {
    try {
      write();
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_status(), 1);
      return error.what();
    }
    return "";
  }
  std::size_t files() const {
    _communicator.barrier();
    const auto count = std::distance(std::filesystem::directory_iterator(_directory.path()), {});
    _communicator.barrier();
    return static_cast<std::size_t>(count);
  }

  comm::Communicator _communicator;
  TemporaryDirectory _directory{_communicator};
};

const std::vector<Triple> kEntries{{3, 0, 0.1}, {0, 2, -2}, {0, 2, 3}, {0, 0, kInfinity}, {1, 1, 5e-324}};
/// By rows, then columns; what is equal stays in order.
const std::vector<Triple> kSorted{{0, 0, kInfinity}, {0, 2, -2}, {0, 2, 3}, {1, 1, 5e-324}, {3, 0, 0.1}};

TEST_F(MatrixOutputTest, MatrixMarketCoordinates) {
  const std::string path = _directory.path("a.mtx");
  write_matrix_market(_communicator, path, sparse(4, 3, kEntries));
  EXPECT_EQ(contents(path),
            "%%MatrixMarket matrix coordinate real general\n4 3 5\n1 1 inf\n1 3 -2\n1 3 3\n2 2 5e-324\n4 1 0.1\n");
  write_matrix_market(_communicator, path, sparse(4, 3, kEntries, false));
  EXPECT_EQ(contents(path), "%%MatrixMarket matrix coordinate pattern general\n4 3 5\n1 1\n1 3\n1 3\n2 2\n4 1\n");
  write_matrix_market(_communicator, path, sparse(0, 3, {}));
  EXPECT_EQ(contents(path), "%%MatrixMarket matrix coordinate real general\n0 3 0\n");
  EXPECT_EQ(files(), 1u);
}

TEST_F(MatrixOutputTest, MatrixMarketArrayIsByColumns) {
  const std::string path = _directory.path("a.mtx");
  write_matrix_market(_communicator, path, dense(3, 2, {1, 2, 3, 4, 5, 0.5}));
  EXPECT_EQ(contents(path), "%%MatrixMarket matrix array real general\n3 2\n1\n3\n5\n2\n4\n0.5\n");
  write_matrix_market(_communicator, path, dense(0, 2, {}));
  EXPECT_EQ(contents(path), "%%MatrixMarket matrix array real general\n0 2\n");
}

TEST_F(MatrixOutputTest, Tables) {
  const std::string path = _directory.path("a.tsv");
  DenseData data = dense(3, 2, {1, -0.0, kInfinity, std::nan(""), 1e22, 0.1});
  data.names = {"x", "the other"};
  write_table(_communicator, path, data, '\t');
  EXPECT_EQ(contents(path), "x\tthe other\n1\t-0\ninf\tnan\n1e+22\t0.1\n");
  data.names.clear();
  write_table(_communicator, path, data, ',');
  EXPECT_EQ(contents(path), "1,-0\ninf,nan\n1e+22,0.1\n");
  data.names = {"x", "a\nb"};
  EXPECT_EQ(error_of([&] { write_table(_communicator, path, data, ','); }),
            path + ": cannot be written: a table in text cannot hold a column named 'a\\x0ab'");
  data.names = {"2019", "NA"};
  EXPECT_EQ(error_of([&] { write_table(_communicator, path, data, ','); }),
            path + ": cannot be written: the names of its columns would be read as numbers");
  const std::vector<std::vector<std::string>> odd_names{
      {"a,b", "2019"}, {"#x", "a;b"}, {"\"so\"", ""}, {"two words", "12"}, {"%", "1e999"}};
  for (const std::vector<std::string>& names : odd_names) {
    for (const char separator : {',', '\t'}) {
      data.names = names;
      write_table(_communicator, path, data, separator);
      EXPECT_EQ(read_dense(_communicator, path, {.allow_non_finite = true}).names, names);
    }
  }
  EXPECT_EQ(error_of([&] { write_table(_communicator, path, dense(0, 2, {}), ','); }),
            path + ": cannot be written: a table in text cannot hold 0 rows of 2 columns");
  EXPECT_EQ(error_of([&] { write_table(_communicator, path, dense(3, 0, {}), ','); }),
            path + ": cannot be written: a table in text cannot hold 3 rows of 0 columns");
  write_table(_communicator, path, label_table(3, block(std::vector<double>{1, -1, 2})), '\t');
  EXPECT_EQ(contents(path), "1\n-1\n2\n");
}

TEST_F(MatrixOutputTest, WordsThatNoLineHolds) {
  const std::string path = _directory.path("words.tsv");
  const auto write = [&](const std::string& word, const std::string& name) {
    Words words;
    for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(_communicator.rank() == 0 ? 2 : 0); ++k) {
      words.push_back(k == 0 ? "a" : word);
    }
    TableOutput output(_communicator, path, TableOutput::Format::tabs);
    output.add(name, VertexIds(_communicator, 2, std::move(words)));
    output.commit();
  };
  write("gr\xc3\xb6\xc3\x9f", "vertex");
  EXPECT_EQ(contents(path), "vertex\na\ngr\xc3\xb6\xc3\x9f\n");
  for (const auto& [word, shown] :
       {std::pair("x\ty", "x\\x09y"), std::pair("x\ny", "x\\x0ay"), std::pair("\x1b[31m", "\\x1b[31m")}) {
    EXPECT_EQ(error_of([&] { write(word, "vertex"); }), path + ": cannot be written: a line of text cannot hold '" +
                                                            std::string(shown) + "' of vertex; HDF5 can");
    EXPECT_EQ(error_of([&] { write("x", word); }),
              path + ": cannot be written: a line of text cannot hold the name '" + std::string(shown) + "'");
  }
}

TEST_F(MatrixOutputTest, NumbersReadBackAsTheSameBits) {
  std::vector<double> numbers;
  std::uint64_t bits = 88172645463325252u;
  for (int k = 0; k < 3000; ++k) {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    double number = 0;
    std::memcpy(&number, &bits, sizeof number);
    if (std::isfinite(number)) numbers.push_back(number);
  }
  const std::string path = _directory.path("a.tsv");
  write_table(_communicator, path, dense(numbers.size(), 1, numbers), '\t');
  std::istringstream lines(contents(path));
  std::string line;
  for (const double number : numbers) {
    ASSERT_TRUE(std::getline(lines, line));
    ASSERT_EQ(std::strtod(line.c_str(), nullptr), number) << line;
  }
}

TEST_F(MatrixOutputTest, EdgeLists) {
  const std::string path = _directory.path("a.txt");
  SparseData data = sparse(4, 4, kEntries);
  data.graph = true;
  const SparseData numbered = data;
  write_edge_list(_communicator, path, numbered);
  EXPECT_EQ(contents(path), "# 4 vertices, 5 edges\n0 0 inf\n0 2 -2\n0 2 3\n1 1 5e-324\n3 0 0.1\n");
  data.ids = VertexIds(4, block(std::vector<std::int64_t>{-7, 5, 8, std::int64_t{1} << 60}));
  write_edge_list(_communicator, path, data);
  EXPECT_EQ(contents(path),
            "# 4 vertices, 5 edges\n-7 -7 inf\n-7 8 -2\n-7 8 3\n5 5 5e-324\n1152921504606846976 -7 0.1\n");
  const auto named = [&](const std::vector<std::string>& names) {
    Words words;
    for (const std::string& name : block(names)) words.push_back(name);
    data.ids = VertexIds(_communicator, 4, std::move(words));
    data.entries = sparse(4, 4, kEntries, false).entries;
    return data;
  };
  write_edge_list(_communicator, path, named({"a", "b", "ä", "ü"}));
  EXPECT_EQ(contents(path), "# 4 vertices, 5 edges\na a\na ä\na ä\nb b\nü a\n");
  const SparseData commented = named({"#a", "b", "c", "d"});
  EXPECT_EQ(error_of([&] { write_edge_list(_communicator, path, commented); }),
            path + ": cannot be written: an edge list cannot hold a vertex named '#a'");
  const SparseData samples = sparse(4, 4, kEntries);
  EXPECT_EQ(error_of([&] { write_edge_list(_communicator, path, samples); }),
            path + ": cannot be written: an edge list holds graphs, and these are samples");
}

TEST_F(MatrixOutputTest, EdgeListsAreReadBack) {
  const std::string text = "pear apple\nfig apple\nGröße pear\npear apple\n";
  const std::string from = _directory.write("from.txt", text), path = _directory.path("to.txt");
  SparseData data = read_graph(_communicator, from);
  write_edge_list(_communicator, path, std::move(data));
  EXPECT_EQ(contents(path), "# 4 vertices, 4 edges\nGröße pear\nfig apple\npear apple\npear apple\n");
}

TEST_F(MatrixOutputTest, Libsvm) {
  const std::string path = _directory.path("a.svm");
  SparseData data = sparse(4, 3, {{3, 0, 0.1}, {0, 2, -2}, {0, 0, 1}, {1, 1, 5e-324}});
  write_libsvm(_communicator, path, data);
  EXPECT_EQ(contents(path), "0 1:1 3:-2\n0 2:5e-324\n0\n0 1:0.1\n");
  data.labelled = true;
  data.labels = block(std::vector<double>{1, -1, 2.5, 0});
  write_libsvm(_communicator, path, data);
  EXPECT_EQ(contents(path), "1 1:1 3:-2\n-1 2:5e-324\n2.5\n0 1:0.1\n");
  const SparseData twice = sparse(4, 3, kEntries);
  EXPECT_EQ(error_of([&] { write_libsvm(_communicator, path, twice); }),
            path + ": cannot be written: row 0 has two values in column 2, and LIBSVM holds one");
}

TEST_F(MatrixOutputTest, SparseHdf5ComesBack) {
  const std::string path = _directory.path("a.h5");
  for (const bool values : {true, false}) {
    for (const bool graph : {true, false}) {
      SparseData data = sparse(4, graph ? 4 : 3, kEntries, values);
      data.graph = graph;
      data.labelled = !graph;
      if (graph) data.ids = VertexIds(4, block(std::vector<std::int64_t>{-7, 5, 8, std::int64_t{1} << 60}));
      if (!graph) data.labels = block(std::vector<double>{1, -1, kInfinity, 0});
      const SparseData given = data;
      write_hdf5(_communicator, path, std::move(data));
      const SparseData back = read_hdf5_sparse(_communicator, path, "", graph);
      EXPECT_EQ(back.rows, given.rows);
      EXPECT_EQ(back.columns, given.columns);
      EXPECT_EQ(back.labelled, given.labelled);
      EXPECT_EQ(back.labels, given.labels);
      EXPECT_EQ(back.entries.value_bytes, given.entries.value_bytes);
      EXPECT_EQ(back.ids.integer_block(), given.ids.integer_block());
      auto expected = kSorted;
      if (!values) {
        for (Triple& entry : expected) std::get<2>(entry) = 1;
      }
      EXPECT_EQ(entries(back), expected);
    }
  }
  write_hdf5(_communicator, path, sparse(0, 0, {}));
  EXPECT_EQ(read_hdf5_sparse(_communicator, path, "", false).rows, 0u);
  write_hdf5(_communicator, path, sparse(1, std::uint64_t{1} << 40, {{0, (GlobalIndex{1} << 40) - 1, 2}}));
  EXPECT_EQ(entries(read_hdf5_sparse(_communicator, path, "", false)),
            (std::vector<Triple>{{0, (GlobalIndex{1} << 40) - 1, 2}}));
}

TEST_F(MatrixOutputTest, WordsInHdf5ComeBack) {
  const std::string path = _directory.path("a.h5");
  Words words;
  for (const std::string& name : block(std::vector<std::string>{"a", "bb", "ä", "üü"})) words.push_back(name);
  SparseData data = sparse(4, 4, kEntries);
  data.graph = true;
  data.ids = VertexIds(_communicator, 4, words);
  write_hdf5(_communicator, path, std::move(data));
  const SparseData back = read_hdf5_sparse(_communicator, path, "matrix", true);
  EXPECT_TRUE(back.ids.words());
  EXPECT_EQ(back.ids.word_block(), words);
}

TEST_F(MatrixOutputTest, DenseHdf5ComesBack) {
  const std::string path = _directory.path("a.h5");
  DenseData data = dense(7, 2, {1, 2, 3, -0.0, 5, 6, 7, kInfinity, 9, 10, 11, 12, 13, 0.1});
  data.names = {"first", "x"};
  write_hdf5(_communicator, path, data);
  const DenseData back = read_hdf5_dense(_communicator, path, "");
  EXPECT_EQ(back.rows, 7u);
  EXPECT_EQ(back.columns, 2u);
  EXPECT_EQ(back.values, data.values);
  EXPECT_EQ(back.names, data.names);
  for (const auto& [rows, columns] : {std::pair{0, 3}, {3, 0}, {1, 1}}) {
    const auto r = static_cast<std::uint64_t>(rows), c = static_cast<std::uint64_t>(columns);
    write_hdf5(_communicator, path, dense(r, c, std::vector<double>(r * c, 2)));
    const DenseData small = read_hdf5_dense(_communicator, path, "/values");
    EXPECT_EQ(small.rows, r);
    EXPECT_EQ(small.columns, c);
  }
}

TEST_F(MatrixOutputTest, WrongPlacesLeaveNothing) {
  const std::string missing = _directory.path("missing");
  const std::string reason = ": cannot be written: directory " + missing + ": No such file or directory";
  const SparseData data = sparse(4, 3, kEntries);
  const SparseData single = sparse(4, 3, {{1, 1, 1}});
  const DenseData table = dense(2, 1, {1, 2});
  const auto same = [&](const std::string& name, auto&& write) {
    EXPECT_EQ(error_of([&] { write(missing + name); }), missing + name + reason);
    EXPECT_EQ(error_of([&] { write("/dev/full"); }), "/dev/full: cannot be written: is not a regular file");
  };
  same("/a.h5", [&](const std::string& path) { write_hdf5(_communicator, path, data); });
  same("/b.h5", [&](const std::string& path) { write_hdf5(_communicator, path, table); });
  same("/a.mtx", [&](const std::string& path) { write_matrix_market(_communicator, path, data); });
  same("/b.mtx", [&](const std::string& path) { write_matrix_market(_communicator, path, table); });
  same("/a.svm", [&](const std::string& path) { write_libsvm(_communicator, path, single); });
  same("/a.tsv", [&](const std::string& path) { write_table(_communicator, path, table, '\t'); });
  EXPECT_EQ(files(), 0u);
}

/// A file system of 1 MiB in memory, where root may mount one.
TEST_F(MatrixOutputTest, FullDiskLeavesNothing) {
  const std::string disk = _directory.path("disk");
  int mounted = 0;
  if (rank() == 0) {
    std::filesystem::create_directory(disk);
    mounted = mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=1m") == 0 ? 1 : 0;
  }
  if (_communicator.max(mounted) == 0) GTEST_SKIP() << "no permission to mount a small file system";
  const DenseData table = dense(1 << 17, 1, std::vector<double>(1 << 17, 0.123456789));
  for (const std::string name : {"/a.tsv", "/a.h5"}) {
    const std::string message = error_of([&] {
      if (name == "/a.h5") {
        write_hdf5(_communicator, disk + name, table);
      } else {
        write_table(_communicator, disk + name, table, '\t');
      }
    });
    EXPECT_TRUE(message.starts_with(disk + name + ": cannot be written: No space left on device (")) << message;
    _communicator.barrier();
    EXPECT_TRUE(std::filesystem::is_empty(disk));
  }
  _communicator.barrier();
  if (rank() == 0) umount(disk.c_str());
}

}  // namespace
}  // namespace kasen::io
