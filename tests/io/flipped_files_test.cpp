/// @file
/// Files of Kasen's own, damaged: a byte that is not what was written is either one that says nothing, or an error that
/// names the file. What is read is never something else.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/io/formats/read.h"
#include "kasen/io/hdf5/hdf5_checksum.h"
#include "kasen/io/hdf5/hdf5_input.h"
#include "kasen/io/hdf5/hdf5_matrix.h"
#include "kasen/io/hdf5/hdf5_output.h"
#include "kasen/io/hdf5/prepared.h"
#include "tests/io/temporary_directory.h"

namespace kasen::io {
namespace {

__extension__ using Wide = unsigned __int128;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class FlippedFilesTest : public testing::Test {
 protected:
  /// Collective. Everything that was read, by rank, so that any difference shows.
  template <class T>
  void append(std::string& all, std::span<const T> values) const {
    const auto received = _communicator.all_gather(values);
    all.append(reinterpret_cast<const char*>(received.values.data()), received.values.size() * sizeof(T));
    all += ';';
  }
  std::string all_of(const SparseData& data) const {
    std::string all = std::to_string(data.rows) + " " + std::to_string(data.columns) +
                      (data.labelled ? " labels " : " ") + std::to_string(data.ids.length());
    append(all, std::span<const GlobalIndex>(data.entries.row.copy()));
    append(all, std::span<const GlobalIndex>(data.entries.column.copy()));
    append(all, std::span<const std::byte>(data.entries.value));
    append(all, std::span<const double>(data.labels));
    append(all, std::span<const std::int64_t>(data.ids.integer_block()));
    for (std::uint64_t k = 0; k < data.ids.word_block().size(); ++k) all += std::string(data.ids.word_block()[k]) + ",";
    if (data.entries.prepared) append(all, data.entries.prepared->rows.packed());
    return all;
  }
  std::string all_of(const DenseData& data) const {
    std::string all = std::to_string(data.rows) + " " + std::to_string(data.columns);
    for (const std::string& name : data.names) all += " " + name;
    append(all, std::span<const double>(data.values));
    return all;
  }
  SparseData sparse(bool graph, bool values) const {
    SparseData data;
    data.graph = graph;
    data.rows = 90;
    data.columns = graph ? 90 : 40;
    data.entries.value_bytes = values ? sizeof(double) : 0;
    for (std::uint64_t k = 0; k < 300; ++k) {
      if (k % static_cast<std::uint64_t>(_communicator.size()) != static_cast<std::uint64_t>(_communicator.rank())) {
        continue;
      }
      data.entries.row.push_back(static_cast<GlobalIndex>(k * k % data.rows));
      data.entries.column.push_back(static_cast<GlobalIndex>(k * 7 % data.columns));
      const double value = static_cast<double>(k) / 3;
      const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
      if (values) data.entries.value.insert(data.entries.value.end(), bytes, bytes + sizeof value);
    }
    return data;
  }
  std::vector<GlobalIndex> block(std::uint64_t length) const {
    const auto blocks = partition::Assignment::block(length, _communicator.size());
    std::vector<GlobalIndex> indices;
    for (GlobalIndex i = blocks.block_begin(_communicator.rank()); i < blocks.block_begin(_communicator.rank() + 1);
         ++i) {
      indices.push_back(i);
    }
    return indices;
  }

  /// Collective. Changes one byte at a time and reads.
  void flip(const std::string& kind, const std::string& path, const std::function<std::string()>& read) {
    const std::string right = read(), bytes = contents(path);
    std::mt19937_64 random(20);
    const int flips = _communicator.size() == 1 ? 400 : 40;
    int refused = 0, changed = 0;
    for (int k = 0; k < flips; ++k) {
      const auto at = static_cast<std::size_t>(random() % bytes.size());
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ static_cast<char>(1 + random() % 255));
      _directory.write("flipped.h5", damaged);
      try {
        if (read() != right) {
          ++changed;
          ADD_FAILURE() << kind << ": byte " << at << " of " << bytes.size() << " changes what is read";
        }
      } catch (const AgreedError& error) {
        ++refused;
        EXPECT_EQ(std::string(error.what()).find(path), 0u) << error.what();
      }
    }
    EXPECT_GT(refused, flips / 10) << kind;
    if (_communicator.rank() == 0) {
      RecordProperty(kind, std::to_string(refused) + " of " + std::to_string(flips) + " refused");
      std::printf("%s: %d flips of %zu bytes, %d refused, %d changed\n", kind.c_str(), flips, bytes.size(), refused,
                  changed);
    }
  }

  comm::Communicator _communicator;
  TemporaryDirectory _directory{_communicator};
  std::string _path = _directory.path("flipped.h5");
};

TEST_F(FlippedFilesTest, Graphs) {
  SparseData data = sparse(true, true);
  std::vector<std::int64_t> ids;
  for (const GlobalIndex i : block(90)) ids.push_back(10 * i - 7);
  data.ids = VertexIds(90, std::move(ids));
  write_hdf5(_communicator, _path, std::move(data));
  flip("graph", _path, [&] { return all_of(read_hdf5_sparse(_communicator, _path, "", true)); });
}

TEST_F(FlippedFilesTest, PatternsWithWords) {
  SparseData data = sparse(true, false);
  Words words;
  for (const GlobalIndex i : block(90)) words.push_back("word" + std::to_string(1000 + i));
  data.ids = VertexIds(_communicator, 90, std::move(words));
  write_hdf5(_communicator, _path, std::move(data));
  flip("pattern", _path, [&] { return all_of(read_hdf5_sparse(_communicator, _path, "", true)); });
}

TEST_F(FlippedFilesTest, Samples) {
  SparseData data = sparse(false, true);
  data.labelled = true;
  for (const GlobalIndex i : block(90)) data.labels.push_back(static_cast<double>(i % 3));
  write_hdf5(_communicator, _path, std::move(data));
  flip("samples", _path, [&] { return all_of(read_hdf5_sparse(_communicator, _path, "", false)); });
}

TEST_F(FlippedFilesTest, Tables) {
  DenseData data;
  data.rows = 90;
  data.columns = 3;
  data.names = {"spot", "strike", "a long name of a column"};
  for (const GlobalIndex i : block(90)) {
    for (int c = 0; c < 3; ++c) data.values.push_back(static_cast<double>(3 * i + c) / 7);
  }
  write_hdf5(_communicator, _path, data);
  flip("table", _path, [&] { return all_of(read_hdf5_dense(_communicator, _path, "")); });
}

TEST_F(FlippedFilesTest, PreparedFiles) {
  using partition::Assignment;
  const int parts = _communicator.size();
  std::vector<Rank> owners;
  for (int i = 0; i < 90; ++i) owners.push_back(i * i % 7 % parts);
  const Assignment table = Assignment::table(owners, parts);
  write_prepared(_communicator, _path, sparse(true, true), {table, table, {partition::EntryRule::Kind::row, 0}});
  flip("prepared", _path, [&] { return all_of(read_hdf5_sparse(_communicator, _path, "", true)); });
}

/// Where the blocks of workers begin: other numbers that ascend say another partition, which nothing else contradicts.
TEST_F(FlippedFilesTest, PreparedFilesWithBlocks) {
  using partition::Assignment;
  const auto parts = static_cast<std::uint64_t>(_communicator.size());
  if (parts == 1) GTEST_SKIP() << "one worker has all elements";
  std::vector<std::uint64_t> begins{0};
  for (std::uint64_t p = 1; p < parts; ++p) begins.push_back(90 * p / parts + 1);
  begins.push_back(90);
  const Assignment blocks = Assignment::block(begins);
  write_prepared(_communicator, _path, sparse(true, true), {blocks, blocks, {partition::EntryRule::Kind::row, 0}});
  const auto read = [&] { return all_of(read_hdf5_sparse(_communicator, _path, "", true)); };
  const std::string right = read(), bytes = contents(_path);
  const std::string stored(reinterpret_cast<const char*>(begins.data()), begins.size() * sizeof begins[0]);
  const std::size_t at = bytes.find(stored);
  ASSERT_NE(at, std::string::npos);
  std::string damaged = bytes;
  ++damaged[at + sizeof begins[0]];
  _directory.write("flipped.h5", damaged);
  EXPECT_THROW(read(), AgreedError);
  _directory.write("flipped.h5", bytes);
  EXPECT_EQ(read(), right);
}

TEST_F(FlippedFilesTest, Results) {
  std::vector<double> ranks;
  std::vector<std::int32_t> levels;
  for (const GlobalIndex i : block(200)) {
    ranks.push_back(static_cast<double>(i) / 3);
    levels.push_back(static_cast<std::int32_t>(i));
  }
  Hdf5Output output(_communicator, _path);
  output.add("rank", std::span<const double>(ranks));
  output.add("level", std::span<const std::int32_t>(levels));
  output.number_attribute("/", "inertia", 0.5);
  output.commit();
  flip("result", _path, [&] {
    return all_of(read_hdf5_dense(_communicator, _path, "rank")) +
           all_of(read_hdf5_dense(_communicator, _path, "level"));
  });
}

/// The definition, word by word, and any cuts of the bytes.
TEST_F(FlippedFilesTest, ChecksumsOfAnyParts) {
  constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1, kPoint = 0x0b5ad4eceda1ce2a;
  std::mt19937_64 random(3);
  for (const std::size_t length : {0, 1, 3, 4, 5, 15, 16, 17, 63, 64, 100, 1001}) {
    std::vector<std::byte> bytes(length);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    Wide expected = 0;
    for (std::size_t at = 0; at < length; at += 4) {
      std::uint32_t word = 0;
      for (std::size_t k = at; k < std::min(at + 4, length); ++k) {
        word |= std::to_integer<std::uint32_t>(bytes[k]) << (8 * (k - at));
      }
      expected = (expected * kPoint + word) % kPrime;
    }
    for (int cuts = 0; cuts < 20; ++cuts) {
      Wide sum = 0;
      for (std::size_t from = 0; from < length;) {
        const std::size_t count = cuts == 0 ? length : std::min<std::size_t>(random() % 40, length - from);
        sum += checksum_of(std::span(bytes).subspan(from, count), from, length);
        from += count;
      }
      EXPECT_EQ(static_cast<std::uint64_t>(sum % kPrime), static_cast<std::uint64_t>(expected)) << length;
    }
  }
}

}  // namespace
}  // namespace kasen::io
