/// @file
/// Galois graphs against files that are put together here byte by byte, and what is wrong with files.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/io/formats/gr_graph.h"
#include "kasen/io/formats/read.h"
#include "kasen/io/formats/tell.h"
#include "tests/io/all_data.h"
#include "tests/io/dealt_data.h"
#include "tests/io/temporary_directory.h"

namespace kasen::io {
namespace {

using Triples = std::vector<Triple>;

template <class T>
std::string bytes_of(const std::vector<T>& numbers) {  // of a machine that is little-endian
  std::string bytes(numbers.size() * sizeof(T), '\0');
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

/// A file, field by field; tests change what they like.
struct File {
  std::uint64_t version = 1, edge_bytes = 0, vertices = 0, edges = 0;
  std::vector<std::uint64_t> ends, targets;
  std::string padding, data;

  template <class T>
  static File of(std::uint64_t version, std::uint64_t vertices, const Triples& edges, const T*) {
    File file;
    file.version = version;
    file.vertices = vertices;
    file.edges = edges.size();
    file.ends.resize(vertices);
    std::vector<T> data;
    for (const auto& [source, target, value] : edges) {
      for (auto v = static_cast<std::size_t>(source); v < vertices; ++v) ++file.ends[v];
      file.targets.push_back(static_cast<std::uint64_t>(target));
      data.push_back(static_cast<T>(value));
    }
    if (version == 1 && edges.size() % 2 == 1) file.padding.assign(4, '\0');
    file.edge_bytes = sizeof(T);
    file.data = bytes_of(data);
    return file;
  }
  static File pattern(std::uint64_t version, std::uint64_t vertices, const Triples& edges) {
    File file = of(version, vertices, edges, static_cast<const double*>(nullptr));
    file.edge_bytes = 0;
    file.data.clear();
    return file;
  }
  std::string bytes() const {
    const std::vector<std::uint32_t> narrow(targets.begin(), targets.end());
    return bytes_of(std::vector<std::uint64_t>{version, edge_bytes, vertices, edges}) + bytes_of(ends) +
           (version == 1 ? bytes_of(narrow) : bytes_of(targets)) + padding + data;
  }
};

/// Some vertices without an edge, one with most of them.
Triples random_edges(std::uint64_t vertices, std::size_t edges) {
  std::mt19937 random(3);
  Triples result;
  for (std::size_t k = 0; k < edges; ++k) {
    const auto source = random() % 3 == 0 ? random() % vertices : vertices / 2;
    result.emplace_back(source, random() % vertices, static_cast<double>(random() % 1000) / 8 - 40);
  }
  std::sort(result.begin(), result.end());
  return result;
}

class GrGraphTest : public testing::Test {
 protected:
  void expect_graph(const SparseData& graph, std::uint64_t vertices, const Triples& edges) {
    EXPECT_TRUE(graph.graph);
    EXPECT_EQ(graph.rows, vertices);
    EXPECT_EQ(graph.columns, vertices);
    EXPECT_EQ(graph.ids.length(), 0u);
    EXPECT_EQ(all_entries(_communicator, graph.entries), edges);
    // As many on each worker.
    const auto workers = static_cast<std::uint64_t>(_communicator.size());
    EXPECT_LE(graph.entries.row.size(), edges.size() / workers + 1);
  }
  void refused(const std::string& bytes, const std::string& message, const ReadOptions& options = {},
               const ValueRequest& values = {}) {
    const std::string path = _directory.write("bad.gr", bytes);
    std::string found;
    try {
      read_graph(_communicator, path, options, values);
    } catch (const Error& error) {
      found = error.what();
      EXPECT_EQ(error.exit_status(), 1);
    }
    if (message.empty()) {
      EXPECT_EQ(found.find(path + ":"), 0u) << found;
    } else {
      EXPECT_EQ(found, path + message);
    }
  }
  SparseData graph_of(std::uint64_t vertices, const Triples& edges, bool values) const {
    SparseData data = sparse_of(_communicator, vertices, vertices, edges, values);
    data.graph = true;
    return data;
  }
  std::string contents(const std::string& path) const {
    _communicator.barrier();
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const Triples _four{{0, 1, 0.5}, {0, 2, -3}, {2, 0, 8}};  // of 4 vertices
  const ValueRequest _stored{.stored = true};
  comm::Communicator _communicator;
  TemporaryDirectory _directory{_communicator};
};

TEST_F(GrGraphTest, ReadsBothVersions) {
  for (const std::size_t count : {0u, 1u, 6u, 101u}) {
    SCOPED_TRACE(count);
    const Triples edges = random_edges(23, count);
    Triples plain = edges;
    for (Triple& edge : plain) std::get<2>(edge) = 1;
    for (const std::uint64_t version : {1u, 2u}) {
      const File with = File::of(version, 23, edges, static_cast<const float*>(nullptr));
      const std::string path = _directory.write("a.gr", with.bytes());
      expect_graph(read_graph(_communicator, path, {}, _stored), 23, edges);
      expect_graph(read_graph(_communicator, path), 23, plain);
    }
    expect_graph(read_graph(_communicator, _directory.write("b", File::pattern(1, 23, edges).bytes())), 23, plain);
  }
  // Padding is there or not where Galois itself does not agree, and where no data follow.
  File wide = File::of(2, 4, _four, static_cast<const double*>(nullptr));
  wide.padding.assign(8, 'x');
  expect_graph(read_graph(_communicator, _directory.write("c.gr", wide.bytes()), {}, _stored), 4, _four);
  File bare = File::pattern(1, 4, _four);
  bare.padding.clear();
  EXPECT_EQ(read_graph(_communicator, _directory.write("d.gr", bare.bytes())).rows, 4u);
  EXPECT_EQ(read_graph(_communicator, _directory.write("e.gr", File().bytes())).rows, 0u);
}

TEST_F(GrGraphTest, TypesOfData) {
  const auto read = [&](const auto* type, const std::string& format, const Triples& edges) {
    const std::string path = _directory.write("a.gr", File::of(1, 4, edges, type).bytes());
    return all_entries(_communicator, read_graph(_communicator, path, {.format = format}, _stored).entries);
  };
  const Triples small{{0, 1, -7}, {3, 2, 2147483647}}, large{{0, 1, 4294967295}, {3, 2, 1}};
  const Triples wide{{0, 1, -9007199254740992}, {3, 2, 5}}, most{{0, 1, 9007199254740992}, {3, 2, 5}};
  EXPECT_EQ(read(static_cast<const float*>(nullptr), "auto", _four), _four);
  EXPECT_EQ(read(static_cast<const float*>(nullptr), "gr", _four), _four);
  EXPECT_EQ(read(static_cast<const double*>(nullptr), "auto", _four), _four);
  EXPECT_EQ(read(static_cast<const std::int32_t*>(nullptr), "gr:int32", small), small);
  EXPECT_EQ(read(static_cast<const std::uint32_t*>(nullptr), "gr:uint32", large), large);
  EXPECT_EQ(read(static_cast<const std::int64_t*>(nullptr), "gr:int64", wide), wide);
  EXPECT_EQ(read(static_cast<const std::uint64_t*>(nullptr), "gr:uint64", most), most);
}

TEST_F(GrGraphTest, ReadsCompressedFiles) {
  const Triples edges = random_edges(50, 301);
  const std::string bytes = File::of(1, 50, edges, static_cast<const double*>(nullptr)).bytes();
  const std::string path = _directory.path("a.gr.gz");
  if (_communicator.rank() == 0) {
    const gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
  }
  _communicator.barrier();
  expect_graph(read_graph(_communicator, path, {}, _stored), 50, edges);
}

TEST_F(GrGraphTest, WritesVersionOne) {
  for (const std::size_t count : {0u, 5u, 100u}) {
    const Triples edges = random_edges(23, count);
    const std::string path = _directory.path("a.gr");
    write_gr_graph(_communicator, path, graph_of(23, edges, true));
    const File file = File::of(1, 23, edges, static_cast<const double*>(nullptr));
    EXPECT_TRUE(contents(path) == file.bytes());
    write_gr_graph(_communicator, path, graph_of(23, edges, false));
    EXPECT_TRUE(contents(path) == File::pattern(1, 23, edges).bytes());
  }
  const std::string path = _directory.path("b.gr");
  SparseData samples = graph_of(4, _four, true);
  samples.graph = false;
  try {
    write_gr_graph(_communicator, path, samples);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), path + ": cannot be written: a Galois graph holds graphs, and these are samples");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(GrGraphTest, Told) {
  const File file = File::of(1, 4, _four, static_cast<const float*>(nullptr));
  const std::string named = _directory.write("a.gr", file.bytes()), unnamed = _directory.write("a", file.bytes());
  for (const std::string& path : {named, unnamed}) {
    EXPECT_EQ(tell(_communicator, path, {}, {}).format->name, "gr");
    EXPECT_TRUE(tell(_communicator, path, {}, {}).content.values);
    EXPECT_FALSE(tell(_communicator, path, {.ignore_weights = true}, {}).content.values);
  }
  try {
    read_dense(_communicator, unnamed);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find(unnamed + ": looks like a Galois graph, expected numbers: "), 0u);
  }
  // Text by this name is another format.
  const std::string text = _directory.write("text.gr", "1 2\n3 4\n");
  EXPECT_EQ(tell(_communicator, text, {}, {}).format->name, "edge-list");
}

TEST_F(GrGraphTest, DamagedFiles) {
  const File good = File::of(1, 4, _four, static_cast<const float*>(nullptr));
  const std::string whole = good.bytes();
  for (std::size_t length = 0; length < whole.size(); length += length < 8 ? 1 : 6)
    refused(whole.substr(0, length), "");
  refused(whole.substr(0, 24), ": expected a Galois graph, whose header has 32 bytes, found a file of 24");
  refused(whole.substr(0, whole.size() - 1),
          ": expected room for 4 vertices and 3 edges with 4 bytes of data each, found a file of 91 bytes");
  refused(whole + "x",
          ": expected the end of the file behind 4 vertices and 3 edges with 4 bytes of data each, "
          "found 1 more bytes");
  const auto changed = [&](auto&& change, const std::string& message) {
    File file = good;
    change(file);
    refused(file.bytes(), message);
  };
  const std::uint64_t most = ~std::uint64_t{0};
  changed(
      [](File& f) {
        f.version = 3;
        f.padding.assign(8, '\0');
      },
      ": expected version 1 or 2 of Galois graphs, found 3");
  for (const std::uint64_t huge : {most, most / 8 + 1, most / 4 + 1, most / 2 + 1, std::uint64_t{1} << 40}) {
    const std::string number = std::to_string(huge), found = ", found a file of 92 bytes";
    changed([&](File& f) { f.vertices = huge; },
            ": expected room for " + number + " vertices and 3 edges with 4 bytes of data each" + found);
    changed([&](File& f) { f.edges = huge; },
            ": expected room for 4 vertices and " + number + " edges with 4 bytes of data each" + found);
    changed([&](File& f) { f.edge_bytes = huge; },
            ": expected room for 4 vertices and 3 edges with " + number + " bytes of data each" + found);
  }
  changed([](File& f) { f.ends[1] = 1; }, ": expected edges of vertex 1 that end from 2 to 3, found 1");
  changed([&](File& f) { f.ends[2] = most; },
          ": expected edges of vertex 2 that end from 2 to 3, found " + std::to_string(most));
  changed([](File& f) { f.ends[2] = f.ends[3] = 2; }, ": expected edges of the last vertex that end at 3, found 2");
  changed([](File& f) { f.targets[1] = 4; }, ": expected targets below 4, found 4 at edge 1");
  changed([](File& f) { f.targets[2] = 0xffffffff; }, ": expected targets below 4, found 4294967295 at edge 2");
  File none;
  none.edges = 2;
  none.targets = {0, 0};
  refused(none.bytes(), ": expected no edges, as there are no vertices, found 2");
}

TEST_F(GrGraphTest, WeightsThatDoNotFit) {
  const ValueRequest bytes{.stored = true, .rule = {.integral = true, .least = 0, .most = 255}};
  const auto* const none = static_cast<const double*>(nullptr);
  const File good = File::of(1, 4, _four, none);
  refused(good.bytes(), ": expected data of type uint32, found 8 bytes an edge", {.format = "gr:uint32"}, _stored);
  refused(good.bytes(), ": expected whole numbers, found 0.500000 in row 0, column 1 (from 0)", {}, bytes);
  refused(File::pattern(1, 4, _four).bytes(), ": expected weights of edges, found a graph without them", {}, _stored);
  refused(File::of(1, 4, {{0, 1, INFINITY}}, none).bytes(),
          ": expected finite numbers, found inf in row 0, column 1 (from 0)", {}, _stored);
  refused(File::of(1, 4, {{0, 1, 9007199254740994}}, static_cast<const std::int64_t*>(nullptr)).bytes(),
          ": expected weights up to 2^53 in size, found about 9007199254740994.000000 at edge 0",
          {.format = "gr:int64"}, _stored);
  File next = File::of(1, 4, {{0, 1, 9007199254740992}}, static_cast<const std::uint64_t*>(nullptr));
  next.data[0] = 1;  // 2^53 + 1, which no double is
  refused(next.bytes(), ": expected weights up to 2^53 in size, found about 9007199254740992.000000 at edge 0",
          {.format = "gr:uint64"}, _stored);
  File odd = good;
  odd.edge_bytes = 2;
  odd.data.resize(6);
  refused(odd.bytes(), ": expected data of 4 or 8 bytes, found 2 bytes an edge", {}, _stored);
  EXPECT_EQ(read_graph(_communicator, _directory.write("odd.gr", odd.bytes())).rows, 4u);
  refused(good.bytes(), "", {.format = "gr:complex"}, _stored);
}

}  // namespace
}  // namespace kasen::io
