/// @file
/// Hdf5Output: what is written is read back with HDF5's serial API, and what cannot be written leaves nothing behind.
#include "kasen/io/hdf5/hdf5_output.h"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <optional>

#include "kasen/base/error.h"
#include "kasen/io/formats/read.h"
#include "tests/io/temporary_directory.h"

namespace kasen::io {
namespace {

template <class T>
std::vector<T> read_dataset(const std::string& path, const char* name, hid_t type) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  EXPECT_EQ(H5Sget_simple_extent_ndims(space), 1);
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  return values;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Hdf5OutputTest : public testing::Test {
 protected:
  /// This worker's share of first, first + 1, ...; shares are uneven, worker 1 has none.
  template <class T>
  std::vector<T> share(T first) {
    const auto rank = static_cast<std::uint64_t>(_communicator.rank());
    std::vector<T> values(rank == 1 ? 0 : 3 + 2 * rank);
    const std::uint64_t before = _communicator.exclusive_sum(values.size());
    std::iota(values.begin(), values.end(), static_cast<T>(first + static_cast<T>(before)));
    return values;
  }
  template <class T>
  void expect_shares(const std::string& path, const char* name, hid_t type, T first, std::uint64_t length) {
    std::vector<T> expected(length);
    std::iota(expected.begin(), expected.end(), first);
    EXPECT_EQ(read_dataset<T>(path, name, type), expected) << name;
  }
  /// Collective. What writing `values` to `path` ends with.
  std::string error_of(const std::string& path, std::size_t values = 10) {
    const std::vector<double> block(values, 1.5);
    try {
      Hdf5Output output(_communicator, path);
      output.add("rank", std::span<const double>(block));
      output.commit();
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_status(), 1);
      return error.what();
    }
    return "";
  }

  /// Collective. Nothing changes there while anybody counts.
  std::size_t files_in(const std::string& directory) {
    _communicator.barrier();
    const auto files = std::distance(std::filesystem::directory_iterator(directory), {});
    _communicator.barrier();
    return static_cast<std::size_t>(files);
  }

  comm::Communicator _communicator;
  TemporaryDirectory _directory{_communicator};
};

TEST_F(Hdf5OutputTest, EveryTypeComesBack) {
  const std::string path = _directory.path("all:types.h5");
  const auto doubles = share<double>(0.5);
  const auto floats = share<float>(0.25f);
  const auto bytes = share<std::int8_t>(-3);
  const auto ints = share<std::int32_t>(-7);
  const auto longs = share<std::int64_t>(std::int64_t{1} << 40);
  const auto unsigned_longs = share<std::uint64_t>(std::uint64_t{1} << 63);
  Hdf5Output output(_communicator, path);
  output.add("rank", std::span<const double>(doubles));
  output.add("float", std::span<const float>(floats));
  output.add("int8", std::span<const std::int8_t>(bytes));
  output.add("/group/int32", std::span<const std::int32_t>(ints));
  output.add("int64", std::span<const std::int64_t>(longs));
  output.add("uint64", std::span<const std::uint64_t>(unsigned_longs));
  output.add("nothing", std::span<const double>());
  output.commit();

  const std::uint64_t length = _communicator.sum<std::uint64_t>(doubles.size());
  if (_communicator.rank() == 0) {
    expect_shares<double>(path, "/rank", H5T_NATIVE_DOUBLE, 0.5, length);
    expect_shares<float>(path, "/float", H5T_NATIVE_FLOAT, 0.25f, length);
    expect_shares<std::int8_t>(path, "/int8", H5T_NATIVE_INT8, -3, length);
    expect_shares<std::int32_t>(path, "/group/int32", H5T_NATIVE_INT32, -7, length);
    expect_shares<std::int64_t>(path, "/int64", H5T_NATIVE_INT64, std::int64_t{1} << 40, length);
    expect_shares<std::uint64_t>(path, "/uint64", H5T_NATIVE_UINT64, std::uint64_t{1} << 63, length);
    expect_shares<double>(path, "/nothing", H5T_NATIVE_DOUBLE, 0, 0);
  }
  EXPECT_EQ(files_in(_directory.path()), 1u);  // no temporary file
}

TEST_F(Hdf5OutputTest, VertexIds) {
  const std::string words = _directory.write("words.txt", "pear apple\nGröße pear\nfig a\n");
  const std::string integers = _directory.write("integers.txt", "5 -3\n9223372036854775807 5\n");
  const std::string path = _directory.path("ids.h5");
  const SparseData named = read_graph(_communicator, words);
  const SparseData numbered = read_graph(_communicator, integers);
  Hdf5Output output(_communicator, path);
  output.add("word", named.ids);
  output.add("integer", numbered.ids);
  output.commit();
  if (_communicator.rank() != 0) return;
  using Padded = std::array<char, 7>;
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, sizeof(Padded));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  std::vector<std::string> names;
  for (const Padded& word : read_dataset<Padded>(path, "word", type)) {
    names.emplace_back(word.data(), strnlen(word.data(), word.size()));
  }
  H5Tclose(type);
  EXPECT_EQ(names, (std::vector<std::string>{"Größe", "a", "apple", "fig", "pear"}));
  EXPECT_EQ(read_dataset<std::int64_t>(path, "integer", H5T_NATIVE_INT64),
            (std::vector<std::int64_t>{-3, 5, INT64_MAX}));
}

TEST_F(Hdf5OutputTest, SameBytesForAnyNumberOfWorkers) {
  const auto mine = share<double>(1.0);
  const auto all = _communicator.all_gather(std::span<const double>(mine)).values;
  const std::string together = _directory.path("together.h5"), alone = _directory.path("alone.h5");
  Hdf5Output output(_communicator, together);
  output.add("rank", std::span<const double>(mine));
  output.commit();
  if (_communicator.rank() == 0) {
    const comm::Communicator self(MPI_COMM_SELF);
    Hdf5Output single(self, alone);
    single.add("rank", std::span<const double>(all));
    single.commit();
    EXPECT_EQ(contents(together), contents(alone));
  }
}

TEST_F(Hdf5OutputTest, ReplacesAFileAndFollowsALink) {
  const std::string path = _directory.write("old.h5", "old"), link = _directory.path("link.h5");
  if (_communicator.rank() == 0) std::filesystem::create_symlink("old.h5", link);
  _communicator.barrier();
  EXPECT_EQ(error_of(link), "");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  const auto length = static_cast<std::size_t>(10 * _communicator.size());
  EXPECT_EQ(read_dataset<double>(path, "rank", H5T_NATIVE_DOUBLE), std::vector<double>(length, 1.5));
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  const mode_t mask = umask(0);
  umask(mask);
  EXPECT_EQ(status.st_mode & 0777, 0666 & ~mask);
}

TEST_F(Hdf5OutputTest, KeepsWhoMayRead) {
  for (const mode_t mode : {0600u, 0640u, 0664u}) {
    const std::string path = _directory.write("secret.h5", "old");
    if (_communicator.rank() == 0) {
      ASSERT_EQ(chmod(path.c_str(), mode), 0);
    }
    _communicator.barrier();
    EXPECT_EQ(error_of(path), "");
    struct stat status {};
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, mode);
    _communicator.barrier();
  }
}

/// A link to what is not there yet stays a link too.
TEST_F(Hdf5OutputTest, FollowsLinksToNothing) {
  const std::string first = _directory.path("first.h5"), target = _directory.path("target.h5");
  if (_communicator.rank() == 0) {
    std::filesystem::create_directory(_directory.path("folder"));
    std::filesystem::create_symlink("folder/second.h5", first);
    std::filesystem::create_symlink(target, _directory.path("folder/second.h5"));
  }
  _communicator.barrier();
  EXPECT_EQ(error_of(first), "");
  EXPECT_TRUE(std::filesystem::is_symlink(first));
  EXPECT_TRUE(std::filesystem::is_symlink(_directory.path("folder/second.h5")));
  EXPECT_TRUE(std::filesystem::is_regular_file(target));
}

TEST_F(Hdf5OutputTest, WrongPlaces) {
  const std::string file = _directory.write("file", "text");
  const std::string missing = _directory.path("missing");
  EXPECT_EQ(error_of(missing + "/ranks.h5"),
            missing + "/ranks.h5: cannot be written: directory " + missing + ": No such file or directory");
  EXPECT_EQ(error_of(file + "/ranks.h5"), file + "/ranks.h5: cannot be written: " + file + " is not a directory");
  EXPECT_EQ(error_of(_directory.path()), _directory.path() + ": cannot be written: is a directory");
  EXPECT_EQ(error_of("/dev/null"), "/dev/null: cannot be written: is not a regular file");
  EXPECT_EQ(error_of(""), "the name of the output file is empty");
  EXPECT_EQ(contents(file), "text");
}

TEST_F(Hdf5OutputTest, WrongNameOfADatasetLeavesNothing) {
  const std::vector<double> block(4);
  const std::string path = _directory.path("twice.h5");
  Hdf5Output output(_communicator, path);
  output.add("same", std::span<const double>(block));
  output.add("same", std::span<const double>(block));
  testing::internal::CaptureStderr();
  EXPECT_THROW(output.commit(), Error);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(files_in(_directory.path()), 0u);
}

TEST_F(Hdf5OutputTest, NoPermission) {
  if (_communicator.rank() == 0) {
    ASSERT_EQ(chmod(_directory.path().c_str(), 0555), 0);
  }
  _communicator.barrier();
  const bool root = _communicator.min(geteuid() == 0 ? 1 : 0) == 1;
  constexpr uid_t kNobody = 65534;
  if (root) {
    ASSERT_EQ(seteuid(kNobody), 0);
  }
  const std::string path = _directory.path("ranks.h5");
  const std::string message = error_of(path);
  if (root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  EXPECT_EQ(message, path + ": cannot be written: directory " + std::filesystem::canonical(_directory.path()).string() +
                         ": Permission denied");
  _communicator.barrier();
  if (_communicator.rank() == 0) {
    ASSERT_EQ(chmod(_directory.path().c_str(), 0755), 0);
  }
}

/// A file system of 1 MiB in memory, where root may mount one.
TEST_F(Hdf5OutputTest, FullDisk) {
  const std::string disk = _directory.path("disk");
  int mounted = 0;
  if (_communicator.rank() == 0) {
    std::filesystem::create_directory(disk);
    mounted = mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=1m") == 0 ? 1 : 0;
  }
  if (_communicator.max(mounted) == 0) GTEST_SKIP() << "no permission to mount a small file system";
  const std::string path = disk + "/ranks.h5";
  testing::internal::CaptureStderr();
  const std::string message = error_of(path, (std::size_t{1} << 18) / static_cast<std::size_t>(_communicator.size()));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(message.starts_with(path + ": cannot be written: No space left on device (")) << message;
  EXPECT_EQ(files_in(disk), 0u);
  EXPECT_EQ(error_of(path, 100), "");  // what fits is written
  EXPECT_EQ(files_in(disk), 1u);

  // Not even room for a byte.
  if (_communicator.rank() == 0) {
    std::ofstream filler(disk + "/filler");
    const std::string block(4096, 'x');
    while (filler.write(block.data(), 4096).flush()) {
    }
  }
  _communicator.barrier();
  const std::string before = contents(path);
  EXPECT_NE(error_of(path, 100), "");
  EXPECT_EQ(contents(path), before);
  EXPECT_EQ(files_in(disk), 2u);
  _communicator.barrier();
  if (_communicator.rank() == 0) umount(disk.c_str());
}

}  // namespace
}  // namespace kasen::io
