/// @file
/// What every row of the table of formats must hold: what it writes it recognises, and reads as the same data but for
/// what it says it loses; the same bytes for any number of workers. A new row is tested without a new test.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/io/formats/formats.h"
#include "kasen/io/formats/read.h"
#include "kasen/io/formats/tell.h"
#include "kasen/io/formats/write.h"
#include "tests/io/all_data.h"
#include "tests/io/dealt_data.h"
#include "tests/io/temporary_directory.h"

namespace kasen::io {
namespace {

using comm::Communicator;
using Triples = std::vector<Triple>;

/// By sources, then targets, as files have them; with two edges in one place, and one from a vertex to itself.
const Triples kEdges{{0, 1, 0.1}, {0, 2, -3}, {0, 2, 5e-324}, {1, 1, 1e300}, {2, 4, 7}, {3, 0, 1}, {4, 3, -0.5}};
const Triples kSamples{{0, 0, 0.1}, {0, 3, -2}, {2, 1, 1e300}, {2, 2, 5e-324}, {4, 3, 8}};

enum class Ids { none, integers, words };

struct GraphCase {
  bool values;
  Ids ids;
  std::uint64_t vertices;  ///< 6: one without an edge
};
constexpr GraphCase kGraphs[] = {
    {true, Ids::words, 5}, {false, Ids::integers, 5}, {true, Ids::integers, 6}, {false, Ids::none, 6}};

SparseData graph(const Communicator& communicator, bool values, Ids ids, std::uint64_t vertices) {
  SparseData data = sparse_of(communicator, vertices, vertices, kEdges, values);
  data.graph = true;
  if (ids == Ids::integers) {
    std::vector<std::int64_t> all{-7, 0, 5, 8, std::int64_t{1} << 60, (std::int64_t{1} << 60) + 2};
    all.resize(vertices);
    data.ids = VertexIds(vertices, block_of(communicator, all));
  } else if (ids == Ids::words) {
    std::vector<std::string> all{"Apple", "apple", "b", "fig", "pear", "quince"};
    all.resize(vertices);
    Words words;
    for (const std::string& name : block_of(communicator, all)) words.push_back(name);
    data.ids = VertexIds(communicator, vertices, words);
  }
  return data;
}

SparseData samples(const Communicator& communicator, bool values, bool labelled) {
  SparseData data = sparse_of(communicator, 5, 4, kSamples, values);
  data.labelled = labelled;
  if (labelled) data.labels = block_of(communicator, std::vector<double>{1, -1, 2.5, 0, 1});
  return data;
}

DenseData table(const Communicator& communicator) {
  DenseData data;
  data.rows = 3;
  data.columns = 4;  // two or three would look like edges
  data.values = block_of(communicator, std::vector<double>{1, 2, 3, -0.5, 5e-324, 6, 7, 1e300, 9, 10, 0.1, 12}, 4);
  data.names = {"first", "the other", "c", "d"};
  return data;
}

class FormatTableTest : public testing::Test {
 protected:
  std::string file_of(const Format& format) const { return _directory.path("a") + std::string(format.endings.front()); }

  /// Collective. Writes with all workers, and with the first alone: the bytes are the same.
  template <class Make>
  void write(const Format& format, const std::string& path, Make&& make) {
    write_matrix(_communicator, path, format, make(_communicator));
    const std::string alone = _directory.path("alone") + path.substr(path.rfind('.'));
    if (_communicator.rank() == 0) {
      const Communicator self(MPI_COMM_SELF);
      write_matrix(self, alone, format, make(self));
      EXPECT_EQ(contents(path), contents(alone));
    }
    _communicator.barrier();
  }
  static std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// Collective. The row's file is told by itself, with the kind, and with the format's name.
  void expect_told(const Format& format, const std::string& path, Kind kind, bool values) {
    const auto expect = [&](const std::string& name, std::optional<Kind> asked) {
      const Told told = tell(_communicator, path, {.format = name}, asked);
      EXPECT_EQ(told.format, &format) << told.format->name;
      EXPECT_EQ(told.content.kind, kind);
      EXPECT_EQ(told.content.values, values);
    };
    expect("auto", {});
    expect("auto", kind);
    expect(std::string(format.name), {});
  }
  void expect_entries(const SparseData& data, Triples expected, bool values) {
    if (!values) {
      for (Triple& entry : expected) std::get<2>(entry) = 1;
    }
    Triples found = all_entries(_communicator, data.entries);
    std::stable_sort(found.begin(), found.end(), [](const Triple& a, const Triple& b) {
      return std::pair(std::get<0>(a), std::get<1>(a)) < std::pair(std::get<0>(b), std::get<1>(b));
    });
    EXPECT_EQ(found, expected);
  }
  std::vector<std::string> names(const SparseData& data) {
    std::vector<GlobalIndex> all(data.ids.length());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<GlobalIndex>(i);
    return data.ids.names(_communicator, all);
  }

  Communicator _communicator;
  TemporaryDirectory _directory{_communicator};
};

TEST_F(FormatTableTest, RowsAreWhole) {
  std::set<std::string_view> names;
  for (const Format& format : formats()) {
    SCOPED_TRACE(format.name);
    EXPECT_TRUE(names.insert(format.name).second);
    EXPECT_EQ(find_format(format.name), &format);
    for (const std::string_view variant : format.variants) {
      EXPECT_EQ(find_format(std::string(format.name) + ":" + std::string(variant)), &format);
    }
    EXPECT_EQ(find_format(std::string(format.name) + ":none"), nullptr);
    EXPECT_TRUE(format.recognise != nullptr && format.look != nullptr && !format.expected.empty());
    EXPECT_TRUE(format.reads(Kind::graph) || format.reads(Kind::samples) || format.reads(Kind::dense));
    for (const bool dense : {false, true}) {
      if (!format.writes(dense)) continue;
      ASSERT_FALSE(format.endings.empty());
      for (const std::string_view ending : format.endings) {
        EXPECT_EQ(&format_for_output("a" + std::string(ending), dense), &format);
      }
    }
  }
  EXPECT_EQ(find_format("auto"), nullptr);
  EXPECT_EQ(find_format("none"), nullptr);
}

TEST_F(FormatTableTest, GraphsComeBack) {
  for (const Format& format : formats()) {
    if (!format.writes(false) || !format.reads(Kind::graph)) continue;
    SCOPED_TRACE(format.name);
    for (const auto& [values, ids, vertices] : kGraphs) {
      if ((!values && format.loses.patterns) || (vertices == 6 && format.loses.lone_vertices)) continue;
      const std::string path = file_of(format);
      const bool weights = values;  // for those who cannot capture what is bound
      const auto make = [&, ids = ids, vertices = vertices](const Communicator& workers) {
        return graph(workers, weights, ids, vertices);
      };
      write(format, path, make);
      expect_told(format, path, Kind::graph, values);
      const SparseData back = read_graph(_communicator, path, {}, {.stored = values});
      EXPECT_TRUE(back.graph);
      EXPECT_EQ(back.rows, vertices);
      EXPECT_EQ(back.columns, vertices);
      EXPECT_EQ(back.entries.value_bytes, values ? sizeof(double) : 0);
      expect_entries(back, kEdges, values);
      if (ids != Ids::none && !format.loses.vertex_ids) {
        EXPECT_EQ(names(back), names(make(_communicator)));
      }
      if (values) expect_entries(read_graph(_communicator, path, {.ignore_weights = true}), kEdges, false);
    }
  }
}

TEST_F(FormatTableTest, SamplesComeBack) {
  for (const Format& format : formats()) {
    if (!format.writes(false) || !format.reads(Kind::samples)) continue;
    SCOPED_TRACE(format.name);
    for (const bool both : {true, false}) {  // values and labels, or neither
      if (!both && (format.loses.patterns || format.loses.unlabelled)) continue;
      const std::string path = file_of(format);
      const auto make = [&](const Communicator& workers) { return samples(workers, both, both); };
      write(format, path, make);
      expect_told(format, path, Kind::samples, both);
      const SparseData back = read_samples(_communicator, path, {}, {.stored = both});
      EXPECT_FALSE(back.graph);
      EXPECT_EQ(back.rows, 5u);
      EXPECT_EQ(back.columns, 4u);
      expect_entries(back, kSamples, both);
      EXPECT_EQ(back.labelled, both && !format.loses.labels);
      if (back.labelled) {
        EXPECT_EQ(back.labels, make(_communicator).labels);
      }
    }
  }
}

TEST_F(FormatTableTest, TablesComeBack) {
  for (const Format& format : formats()) {
    if (!format.writes(true)) continue;
    SCOPED_TRACE(format.name);
    const std::string path = file_of(format);
    write(format, path, [&](const Communicator& workers) { return table(workers); });
    expect_told(format, path, Kind::dense, true);
    const DenseData back = read_dense(_communicator, path), expected = table(_communicator);
    EXPECT_EQ(back.rows, expected.rows);
    EXPECT_EQ(back.columns, expected.columns);
    EXPECT_EQ(back.values, expected.values);
    if (!format.loses.names_of_columns) {
      EXPECT_EQ(back.names, expected.names);
    }
  }
}

TEST_F(FormatTableTest, WrongPlacesLeaveNothing) {
  const std::string missing = _directory.path("missing");
  const auto refused = [&](const std::string& path, auto&& write) {
    std::string message;
    try {
      write();
    } catch (const Error& error) {
      message = error.what();
    }
    EXPECT_EQ(message, path + ": cannot be written: directory " + missing + ": No such file or directory");
  };
  for (const Format& format : formats()) {
    SCOPED_TRACE(format.name);
    const std::string path = missing + "/a";
    if (format.writes(false)) {
      SparseData data = sparse_of(_communicator, 5, 5, kSamples, true);  // no two in one place: LIBSVM refuses them
      data.graph = true;
      refused(path, [&] { write_matrix(_communicator, path, format, data); });
    }
    if (format.writes(true)) refused(path, [&] { write_matrix(_communicator, path, format, table(_communicator)); });
  }
}

}  // namespace
}  // namespace kasen::io
