/// @file
/// HDF5 files as other software writes them: every kind of matrix that is read, and what is refused, with its reason.
#include "kasen/io/hdf5/hdf5_input.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <tuple>

#include "kasen/base/error.h"
#include "kasen/io/formats/read.h"
#include "tests/io/hdf5_writer.h"
#include "tests/io/temporary_directory.h"

namespace kasen::io {
namespace {

using Doubles = std::vector<double>;
using Triplet = std::tuple<GlobalIndex, GlobalIndex, double>;

class Hdf5InputTest : public testing::Test {
 protected:
  /// Collective. A file made by worker 0. @return its path
  std::string make(const std::function<void(Hdf5Writer&)>& fill, hsize_t block = 0) {
    const std::string path = _directory.path("file.h5");
    _communicator.barrier();
    if (_communicator.rank() == 0) {
      Hdf5Writer writer(path, block);
      fill(writer);
    }
    _communicator.barrier();
    return path;
  }
  /// Collective. What all workers hold, in order.
  template <class T, class Allocator>
  std::vector<T> all(const std::vector<T, Allocator>& mine) const {
    return _communicator.all_gather(std::span<const T>(mine)).values;
  }
  std::vector<Triplet> entries(const SparseData& data) const {
    const auto rows = all(data.entries.row.copy()), columns = all(data.entries.column.copy());
    const auto bytes = all(data.entries.value);
    std::vector<Triplet> triplets;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      double value = 1;
      if (data.entries.value_bytes > 0) std::memcpy(&value, &bytes[k * sizeof value], sizeof value);
      triplets.emplace_back(rows[k], columns[k], value);
    }
    return triplets;
  }
  std::string sparse_error(const std::string& path, const std::string& dataset = "", bool graph = false) const {
    try {
      read_hdf5_sparse(_communicator, path, dataset, graph);
    } catch (const AgreedError& error) {
      EXPECT_EQ(error.exit_status(), 1);
      return without(error.what(), path);
    }
    return "";
  }
  std::string dense_error(const std::string& path, const std::string& dataset = "") const {
    try {
      read_hdf5_dense(_communicator, path, dataset);
    } catch (const AgreedError& error) {
      EXPECT_EQ(error.exit_status(), 1);
      return without(error.what(), path);
    }
    return "";
  }
  static std::string without(const std::string& message, const std::string& path) {
    return message.starts_with(path + ":") ? message.substr(path.size() + 1) : "another file: " + message;
  }

  comm::Communicator _communicator;
  TemporaryDirectory _directory{_communicator};
};

// A 4 x 3 matrix with an empty row and a duplicate.
const std::vector<long> kIndptr{0, 2, 2, 5, 6}, kIndices{0, 2, 1, 1, 0, 2};
const Doubles kData{1.5, -2, 3, 4, 0, 1e300};
const std::vector<Triplet> kTriplets{{0, 0, 1.5}, {0, 2, -2}, {2, 1, 3}, {2, 1, 4}, {2, 0, 0}, {3, 2, 1e300}};
const std::vector<Triplet> kTransposed{{0, 0, 1.5}, {2, 0, -2}, {1, 2, 3}, {1, 2, 4}, {0, 2, 0}, {2, 3, 1e300}};

void write_compressed(Hdf5Writer& file, const std::string& group, bool with_data = true) {
  if (group != "") file.group(group);
  file.integers(group + "/indptr", kIndptr);
  file.integers(group + "/indices", kIndices);
  if (with_data) file.doubles(group + "/data", kData);
}

TEST_F(Hdf5InputTest, EveryTypeOfNumberInEitherByteOrder) {
  const std::vector<std::pair<hid_t, Doubles>> types{
      {H5T_STD_I8LE, {-128, 127, 0}},       {H5T_STD_U8LE, {0, 255, 7}},         {H5T_STD_I16BE, {-32768, 1, 2}},
      {H5T_STD_U32BE, {4294967295., 0, 1}}, {H5T_STD_I64BE, {-9e15, 1, 2}},      {H5T_STD_U64LE, {1e15, 3, 4}},
      {H5T_IEEE_F32BE, {0.5, -1.25, 1e10}}, {H5T_IEEE_F64BE, {1e-300, 0.1, -0.}}};
  for (const auto& [type, values] : types) {
    const std::string path =
        make([&, t = type, &v = values](Hdf5Writer& file) { file.dataset("x", t, H5T_NATIVE_DOUBLE, v); });
    const DenseData data = read_hdf5_dense(_communicator, path, "");
    EXPECT_EQ(data.rows, 3u);
    EXPECT_EQ(data.columns, 1u);
    EXPECT_EQ(all(data.values), values);
  }
}

TEST_F(Hdf5InputTest, InfinitiesAndNan) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::string path = make([&](Hdf5Writer& file) { file.doubles("x", {infinity, -infinity, std::nan("")}); });
  const auto values = all(read_hdf5_dense(_communicator, path, "x").values);
  EXPECT_EQ(values[0], infinity);
  EXPECT_EQ(values[1], -infinity);
  EXPECT_TRUE(std::isnan(values[2]));
}

TEST_F(Hdf5InputTest, BooleansAreNumbers) {
  const std::string path = make([](Hdf5Writer& file) {
    const hid_t type = H5Tenum_create(H5T_NATIVE_INT8);
    for (signed char value : {0, 1}) H5Tenum_insert(type, value == 0 ? "FALSE" : "TRUE", &value);
    file.dataset("x", type, type, std::vector<signed char>{1, 0, 1});
    H5Tclose(type);
  });
  EXPECT_EQ(all(read_hdf5_dense(_communicator, path, "").values), (Doubles{1, 0, 1}));
}

TEST_F(Hdf5InputTest, MatricesByRowsAlsoCompressedWithNames) {
  Doubles values(7 * 3);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<double>(k) / 8;
  const std::string path = make([&](Hdf5Writer& file) {
    file.group("/g");
    file.dataset("/g/x", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, {7, 3}, true);
    file.text("/g/column_names", 3, std::string("a\0\0bcdef\0", 9));
  });
  const DenseData data = read_hdf5_dense(_communicator, path, "g/x");
  EXPECT_EQ(data.rows, 7u);
  EXPECT_EQ(data.columns, 3u);
  EXPECT_EQ(all(data.values), values);
  EXPECT_EQ(data.names, (std::vector<std::string>{"a", "bcd", "ef"}));
  EXPECT_EQ(dense_error(path), "");  // text does not fit, so the other is the only one
}

/// As in files of MATLAB.
TEST_F(Hdf5InputTest, ABlockInFrontIsSkipped) {
  for (const hsize_t block : {512, 1024, 2048}) {
    const std::string path = make([](Hdf5Writer& file) { file.doubles("x", {1, 2, 3}); }, block);
    if (_communicator.rank() == 0) std::fstream(path, std::ios::in | std::ios::out) << "MATLAB 7.3 MAT-file\n";
    _communicator.barrier();
    EXPECT_EQ(all(read_dense(_communicator, path).values), (Doubles{1, 2, 3}));
  }
}

TEST_F(Hdf5InputTest, NoRowsAndNoColumns) {
  const std::string path = make([](Hdf5Writer& file) {
    file.doubles("rows", {}, {0, 3});
    file.doubles("columns", {}, {3, 0});
  });
  EXPECT_EQ(read_hdf5_dense(_communicator, path, "/rows").columns, 3u);
  EXPECT_EQ(read_hdf5_dense(_communicator, path, "/columns").rows, 3u);
}

TEST_F(Hdf5InputTest, CompressedByRowAndByColumn) {
  struct Case {
    const char *name, *encoding;
    std::vector<long> shape;
    const std::vector<Triplet>* expected;
  };
  const std::vector<Case> cases{{"encoding-type", "csr_matrix", {4, 3}, &kTriplets},
                                {"encoding-type", "csc_matrix", {3, 4}, &kTransposed},
                                {"h5sparse_format", "csc", {3, 4}, &kTransposed},
                                {"", "", {4, 3}, &kTriplets},
                                {"", "", {3, 4}, &kTransposed}};
  for (const Case& c : cases) {
    for (const char* shape_name : {"shape", "h5sparse_shape"}) {
      for (const bool variable : {false, true}) {
        const std::string path = make([&](Hdf5Writer& file) {
          write_compressed(file, "/X");
          file.attribute("/X", shape_name, c.shape);
          if (*c.name != '\0') file.attribute("/X", c.name, c.encoding, variable);
        });
        const SparseData data = read_hdf5_sparse(_communicator, path, "", false);
        EXPECT_EQ(data.rows, static_cast<std::uint64_t>(c.shape[0]));
        EXPECT_EQ(data.columns, static_cast<std::uint64_t>(c.shape[1]));
        EXPECT_EQ(entries(data), *c.expected) << c.name << c.encoding;
        EXPECT_FALSE(data.graph || data.labelled);
      }
    }
  }
}

TEST_F(Hdf5InputTest, ShapeAsADatasetInTheRootAndNoData) {
  const std::string path = make([](Hdf5Writer& file) {
    write_compressed(file, "", false);
    file.integers("shape", {4, 3});
  });
  const SparseData data = read_hdf5_sparse(_communicator, path, "", false);
  EXPECT_EQ(data.entries.value_bytes, 0u);
  auto expected = kTriplets;
  for (Triplet& entry : expected) std::get<2>(entry) = 1;
  EXPECT_EQ(entries(data), expected);
}

/// Values that nobody asks for are not read, nor is what is wrong with them.
TEST_F(Hdf5InputTest, ValuesAreLeftInTheFile) {
  const std::string path = make([](Hdf5Writer& file) {
    write_compressed(file, "/X");
    file.attribute("/X", "shape", {4, 3});
    file.attribute("/X/data", "kasen_checksum", {5});
  });
  const SparseData pattern = read_hdf5_sparse(_communicator, path, "", false, false);
  EXPECT_EQ(pattern.entries.value_bytes, 0u);
  EXPECT_TRUE(pattern.entries.value.empty());
  auto expected = kTriplets;
  for (Triplet& entry : expected) std::get<2>(entry) = 1;
  EXPECT_EQ(entries(pattern), expected);
  EXPECT_NE(sparse_error(path).find("/X/data: found other bytes than were written"), std::string::npos);
}

TEST_F(Hdf5InputTest, Coordinates) {
  const std::string path = make([](Hdf5Writer& file) {
    file.group("/m");
    file.integers("/m/row", {3, 0, 0});
    file.integers("/m/col", {1, 2, 2});
    file.doubles("/m/data", {1, 2, 3});
    file.attribute("/m", "shape", {4, 3});
  });
  EXPECT_EQ(entries(read_hdf5_sparse(_communicator, path, "m", false)),
            (std::vector<Triplet>{{3, 1, 1}, {0, 2, 2}, {0, 2, 3}}));
}

TEST_F(Hdf5InputTest, ManyEmptyRowsAndOneLongOne) {
  const long rows = 200000, length = 1000;
  const std::string path = make([&](Hdf5Writer& file) {
    std::vector<long> indptr(static_cast<std::size_t>(rows) + 1), indices(static_cast<std::size_t>(length));
    for (long r = 0; r <= rows; ++r) indptr[static_cast<std::size_t>(r)] = r > 150000 ? length : r > 3 ? 1 : 0;
    for (long k = 0; k < length; ++k) indices[static_cast<std::size_t>(k)] = k;
    file.group("X");
    file.integers("X/indptr", indptr);
    file.integers("X/indices", indices);
    file.attribute("X", "shape", {rows, 2000});
  });
  const auto found = entries(read_hdf5_sparse(_communicator, path, "", false));
  ASSERT_EQ(found.size(), static_cast<std::size_t>(length));
  EXPECT_EQ(found[0], (Triplet{3, 0, 1}));
  for (std::size_t k = 1; k < found.size(); ++k) {
    ASSERT_EQ(found[k], (Triplet{150000, static_cast<GlobalIndex>(k), 1}));
  }
}

TEST_F(Hdf5InputTest, LabelsAndIdsBesideTheMatrix) {
  const std::string labelled = make([](Hdf5Writer& file) {
    write_compressed(file, "/X");
    file.attribute("/X", "shape", {4, 3});
    file.integers("labels", {1, -1, 1, 2});
  });
  const SparseData samples = read_hdf5_sparse(_communicator, labelled, "", false);
  EXPECT_TRUE(samples.labelled);
  EXPECT_EQ(all(samples.labels), (Doubles{1, -1, 1, 2}));

  const auto graph = [&](const std::string& words) {
    return make([&](Hdf5Writer& file) {
      write_compressed(file, "/X");
      file.attribute("/X", "shape", {4, 4});
      file.text("vertex", 2, words);
    });
  };
  const std::string named = graph(std::string("a\0aab\0cc", 8));
  const SparseData data = read_hdf5_sparse(_communicator, named, "", true);
  EXPECT_TRUE(data.graph);
  const std::vector<GlobalIndex> every{0, 1, 2, 3};
  EXPECT_EQ(data.ids.names(_communicator, every), (std::vector<std::string>{"a", "aa", "b", "cc"}));
  EXPECT_EQ(sparse_error(graph(std::string("b\0aac\0dd", 8)), "", true),
            "/vertex: found an id that is not above the one before it at position 1, expected ids in ascending order");
}

TEST_F(Hdf5InputTest, WrongSparseMatrices) {
  struct Case {
    std::vector<long> indptr, indices;
    std::vector<double> data;
    std::vector<long> shape;
    std::string message;
  };
  const std::vector<Case> cases{
      {{1, 2}, {0, 0}, {1, 1}, {1, 3}, "/X/indptr: found 1 at position 0, expected 0"},
      {{0, 3, 2, 4},
       {0, 0, 0, 0},
       {1, 1, 1, 1},
       {3, 3},
       "/X/indptr: found 2 at position 2, expected ascending numbers, here at least 3"},
      {{0, 1, 3}, {0, 0}, {1, 1}, {2, 3}, "/X/indptr: found 3 at position 2, expected 2, the number of entries"},
      {{0, 9, 2},
       {0, 0},
       {1, 1},
       {2, 3},
       "/X/indptr: found 2 at position 2, expected ascending numbers, here at least 9"},
      {{0, 2}, {0, 3}, {1, 1}, {1, 3}, "/X/indices: found 3 at position 1, expected an index from 0 to below 3"},
      {{0, 2}, {-1, 0}, {1, 1}, {1, 3}, "/X/indices: found -1 at position 0, expected an index from 0 to below 3"},
      {{0, 2},
       {0, 1},
       {1},
       {1, 3},
       "/X/data: found 1 64-bit floating-point numbers, expected 2 of them, as many as indices"},
      {{0, 2, 2},
       {0, 1},
       {1, 1},
       {5, 7},
       "/X/indptr: found 3 64-bit integers, expected 8 of them, one more than columns"},
      {{0}, {}, {}, {1, 2, 3}, "/X: found a sparse matrix whose shape is not two sizes, expected rows and columns"},
  };
  for (const Case& c : cases) {
    const std::string path = make([&](Hdf5Writer& file) {
      file.group("X");
      file.integers("X/indptr", c.indptr);
      file.integers("X/indices", c.indices);
      file.doubles("X/data", c.data);
      file.attribute("X", "shape", c.shape);
    });
    EXPECT_EQ(sparse_error(path), c.message);
  }
  const std::string path = make([](Hdf5Writer& file) {
    write_compressed(file, "/X");
    write_compressed(file, "/Y");
    file.attribute("/Y", "shape", {4, 3});
    file.attribute("/Y", "encoding-type", "dense", false);
    file.doubles("/z", {1, 2});
  });
  EXPECT_EQ(sparse_error(path),
            " found 2 datasets that fit (/X, /Y), expected the name of one: a sparse matrix: a group with indptr, "
            "indices and data, or with row, col and data");
  EXPECT_EQ(sparse_error(path, "X"),
            "/X: found a sparse matrix without its shape, expected an attribute `shape` or `h5sparse_shape`, or a "
            "dataset `shape`");
  EXPECT_EQ(sparse_error(path, "Y"),
            "/Y: found a sparse matrix stored as dense, expected csr_matrix, csc_matrix or coo_matrix");
  EXPECT_TRUE(
      sparse_error(path, "z").starts_with("/z: found 2 64-bit floating-point numbers, expected a sparse matrix"));
  EXPECT_TRUE(sparse_error(path, "/none").starts_with("/none: found nothing of this name"));
  EXPECT_TRUE(dense_error(path, "X").starts_with("/X: found a sparse matrix, expected integers or"));
  EXPECT_EQ(dense_error(path), "");  // z alone: what is in a sparse matrix does not count
}

TEST_F(Hdf5InputTest, AMatrixThatIsNotSquareIsNoGraph) {
  const std::string path = make([](Hdf5Writer& file) {
    write_compressed(file, "/X");
    file.attribute("/X", "shape", {4, 3});
  });
  const SparseData data = read_hdf5_sparse(_communicator, path, "", true);
  EXPECT_FALSE(data.graph);
  EXPECT_EQ(data.rows, 4u);
  EXPECT_EQ(data.columns, 3u);
  const SparseData samples = read_hdf5_sparse(_communicator, path, "", false);
  EXPECT_GT(_communicator.sum(data.entries.row.size()), 0u);
  EXPECT_EQ(data.entries.row, samples.entries.row);
  EXPECT_EQ(data.entries.column, samples.entries.column);
}

TEST_F(Hdf5InputTest, TypesThatAreRefused) {
  const std::string numbers = ", expected integers or floating-point numbers in one or two dimensions";
  struct Case {
    std::function<hid_t()> type;
    std::string found;
  };
  const auto compound = [](const char* a, const char* b) {
    return [a, b] {
      const hid_t type = H5Tcreate(H5T_COMPOUND, 16);
      H5Tinsert(type, a, 0, H5T_NATIVE_DOUBLE);
      H5Tinsert(type, b, 8, H5T_NATIVE_DOUBLE);
      return type;
    };
  };
  const std::vector<Case> cases{
      {compound("r", "i"), "complex numbers"},
      {compound("x", "y"), "a compound type of x, y"},
      {[] {
         const hid_t type = H5Tcopy(H5T_C_S1);
         H5Tset_size(type, H5T_VARIABLE);
         return type;
       },
       "variable-length strings"},
      {[] {
         const hid_t type = H5Tcopy(H5T_C_S1);
         H5Tset_size(type, 5);
         return type;
       },
       "strings of 5 bytes"},
      {[] { return H5Tvlen_create(H5T_NATIVE_INT); }, "variable-length arrays"},
      {[] { return H5Tcopy(H5T_STD_REF_OBJ); }, "references"},
      {[] { return H5Tcopy(H5T_STD_B8LE); }, "bit fields"},
      {[] { return H5Tcreate(H5T_OPAQUE, 3); }, "opaque bytes"},
      {[] { return H5Tenum_create(H5T_NATIVE_INT); }, "an enumeration"},
  };
  const hsize_t three = 3;
  for (const Case& c : cases) {
    const std::string path = make([&](Hdf5Writer& file) {
      const hid_t type = c.type();
      int red = 1;
      if (H5Tget_class(type) == H5T_ENUM) H5Tenum_insert(type, "red", &red);
      file.empty("x", type, H5Screate_simple(1, &three, nullptr));
      H5Tclose(type);
    });
    EXPECT_EQ(dense_error(path), "/x: found 3 " + c.found + numbers);
    EXPECT_EQ(dense_error(path, "x"), "/x: found 3 " + c.found + numbers);
  }
  const std::string path = make([](Hdf5Writer& file) {
    file.doubles("cube", Doubles(8), {2, 2, 2});
    file.empty("null", H5T_NATIVE_DOUBLE, H5Screate(H5S_NULL));
    file.empty("scalar", H5T_NATIVE_DOUBLE, H5Screate(H5S_SCALAR));
    file.group("group");
  });
  EXPECT_EQ(dense_error(path),
            "/cube: found 2 x 2 x 2 64-bit floating-point numbers (and 2 more datasets that do not "
            "fit)" +
                numbers);
  EXPECT_EQ(dense_error(path, "null"), "/null: found no value" + numbers);
  EXPECT_EQ(dense_error(path, "scalar"), "/scalar: found a single value of 64-bit floating-point numbers" + numbers);
  EXPECT_EQ(dense_error(path, "group"), "/group: found a group" + numbers);
}

TEST_F(Hdf5InputTest, SeveralThatFitMustBeNamed) {
  const std::string path = make([](Hdf5Writer& file) {
    file.doubles("b", {1});
    file.group("a");
    file.doubles("a/c", {2});
  });
  EXPECT_EQ(dense_error(path),
            " found 2 datasets that fit (/a/c, /b), expected the name of one: integers or "
            "floating-point numbers in one or two dimensions");
  EXPECT_EQ(dense_error(path, "a/c/"), "");
}

TEST_F(Hdf5InputTest, WrongFiles) {
  EXPECT_EQ(dense_error(_directory.path("missing.h5")), " cannot be read: No such file or directory");
  EXPECT_EQ(dense_error(_directory.path()), " is not a regular file");
  EXPECT_EQ(dense_error(_directory.write("text.h5", "1 2\n")), " is not an HDF5 file");
  EXPECT_EQ(dense_error(_directory.write("empty.h5", "")), " is not an HDF5 file");
  const std::string nothing = make([](Hdf5Writer&) {});
  EXPECT_TRUE(dense_error(nothing).starts_with(" found no dataset, expected integers or"));
  EXPECT_TRUE(sparse_error(nothing).starts_with(" found no dataset, expected a sparse matrix"));
  const std::string path = make([](Hdf5Writer& file) { file.doubles("x", Doubles(1000)); });
  _communicator.barrier();
  if (_communicator.rank() == 0) std::filesystem::resize_file(path, 3000);
  _communicator.barrier();
  EXPECT_TRUE(dense_error(path).starts_with(" cannot be read: ")) << dense_error(path);
}

TEST_F(Hdf5InputTest, FilesOfLaterVersions) {
  const std::string path = make([](Hdf5Writer& file) {
    write_compressed(file, "/matrix");
    file.attribute("/matrix", "shape", {4, 3});
    file.doubles("values", {1});
    file.attribute("/", "kasen_format", {2});
  });
  const std::string message = " found version 2 of Kasen's file format, expected at most 1";
  EXPECT_EQ(sparse_error(path), message);
  EXPECT_EQ(dense_error(path), message);
}

TEST_F(Hdf5InputTest, MoreThanAnyMemoryHolds) {
  const std::string path = make([](Hdf5Writer& file) { file.unstored("x", {hsize_t{1} << 40, hsize_t{1} << 22}); });
  const std::string table = dense_error(path);
  EXPECT_EQ(
      table.find("/x: found 1099511627776 x 4194304 64-bit floating-point numbers, expected a table that fits into "
                 "memory: at least 18446744073709551615 bytes of memory are needed, "),
      0u)
      << table;
  const std::string coordinates = make([](Hdf5Writer& file) {
    file.group("matrix");
    file.integers("matrix/row", {0, 1});
    file.integers("matrix/col", {1, 0});
    file.attribute("matrix", "shape", {1'000'000'000'000, 1'000'000'000'000});
  });
  const std::string matrix = sparse_error(coordinates, "", true);
  EXPECT_EQ(
      matrix.find("/matrix: found a matrix of 1000000000000 x 1000000000000 with 2 entries, expected one that fits "
                  "into memory: at least 16000000000032 bytes of memory are needed, "),
      0u)
      << matrix;
  const std::string words = make([](Hdf5Writer& file) {
    const hsize_t length = hsize_t{1} << 16;
    file.unstored("values", {16, length});
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, std::size_t{1} << 31);
    file.empty("column_names", type, H5Screate_simple(1, &length, nullptr));
    H5Tclose(type);
  });
  const std::string names = dense_error(words, "values");
  EXPECT_EQ(
      names.find("/column_names: found 65536 strings of 2147483648 bytes, expected what fits into memory: at least "
                 "140737488355328 bytes of memory are needed, "),
      0u)
      << names;
}

/// Only what is in the file is read, and nothing is waited for.
TEST_F(Hdf5InputTest, WhatIsInOtherFiles) {
  const std::string numbers = ", expected integers or floating-point numbers in one or two dimensions";
  const std::string other = _directory.write("other.bin", std::string(64, 'x')), pipe = _directory.path("pipe");
  if (_communicator.rank() == 0) {
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  }
  for (const std::string& file_name : {other, pipe, _directory.path("missing")}) {
    const std::string path = make([&](Hdf5Writer& file) {
      file.external("far", file_name, 8);
      file.virtual_view("seen", file_name, 8);
      file.doubles("near", {1, 2});
      file.link_to_file("there", file_name, "/near");
      file.link("nowhere", "/nothing");
      file.link("here", "near");
      file.link("round", "/round");
      file.group("group");
      file.link("group/out", "./../there");
      file.link("out", "./there");
    });
    EXPECT_EQ(all(read_hdf5_dense(_communicator, path, "").values), (Doubles{1, 2}));
    EXPECT_EQ(all(read_hdf5_dense(_communicator, path, "here").values), (Doubles{1, 2}));
    const std::string far = dense_error(path, "far");
    EXPECT_EQ(far.find("/far: found a dataset whose elements are in the file '"), 0u) << far;
    EXPECT_EQ(dense_error(path, "seen"), "/seen: found a virtual dataset, whose elements are in other files" + numbers);
    for (const char* name : {"there", "./there", "//there", "out"}) {
      const std::string message = dense_error(path, name);
      EXPECT_TRUE(message.ends_with("/there: found a link to another file, expected what this file holds")) << message;
    }
    EXPECT_EQ(dense_error(path, "nowhere"), "/nowhere: found a link to '/nothing', which is not there");
    EXPECT_EQ(dense_error(path, "round"), "/round: found a link to '/round', which is not there");
    EXPECT_EQ(dense_error(path, "group/out"), "/group/out: found a link to './../there', which is not there");
    const std::string sparse = make([&](Hdf5Writer& file) {
      file.group("matrix");
      file.integers("matrix/indptr", {0, 1, 2});
      file.integers("matrix/indices", {1, 0});
      file.attribute("matrix", "shape", {2, 2});
      file.external("matrix/data", file_name, 2);
    });
    const std::string values = sparse_error(sparse);
    EXPECT_EQ(values.find("/matrix/data: found a dataset whose elements are in the file '"), 0u) << values;
    const std::string named = make([&](Hdf5Writer& file) {
      file.doubles("values", {1, 2}, {1, 2});
      file.virtual_view("column_names", file_name, 2);
    });
    EXPECT_EQ(dense_error(named, "values"),
              "/column_names: found a virtual dataset, whose elements are in other files, expected names of columns");
  }
}

TEST_F(Hdf5InputTest, RealFiles) {
  const char* folder = std::getenv("KASEN_DATA");
  const std::string data = std::string(folder == nullptr ? "" : folder) + "/hdf5/";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "KASEN_DATA has no folder hdf5";
  const std::string numbers = ", expected integers or floating-point numbers in one or two dimensions";
  EXPECT_EQ(dense_error(data + "compound-dtype-complex.h5"),
            "/<c16: found 100 complex numbers (and 5 more datasets that do not fit)" + numbers);
  EXPECT_EQ(dense_error(data + "vlen_string_dset.h5"), "/DS1: found 4 variable-length strings" + numbers);
  const std::string mixed = data + "vlen_string_s390x.h5";
  EXPECT_TRUE(
      dense_error(mixed).starts_with(" found 4 datasets that fit (/DSBEfloat, /DSBEint, /DSLEfloat, /DSLEint)"));
  EXPECT_EQ(all(read_hdf5_dense(_communicator, mixed, "DSBEfloat").values), (Doubles{3.14, 1.61, 2.71, 2.41, 1.2}));
  EXPECT_EQ(all(read_hdf5_dense(_communicator, mixed, "DSBEint").values), (Doubles{1, 2, 3, 4, 5}));
  EXPECT_EQ(dense_error(mixed, "DSvariable"), "/DSvariable: found 5 variable-length strings" + numbers);
}

}  // namespace
}  // namespace kasen::io
