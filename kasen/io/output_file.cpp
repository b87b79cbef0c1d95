/// @file
/// Temporary names, room on the disk, and the final rename. Worker 0 does it, all agree.
#include "kasen/io/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/io/output_names.h"

namespace kasen::io {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw InputError(path + ": cannot be written: " + reason);
}

[[noreturn]] void refuse(const std::string& path, int error) { refuse(path, std::strerror(error)); }

/// A descriptor that closes itself.
struct Descriptor {
  int number;
  explicit Descriptor(int n) : number(n) {}
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

std::string directory_of(const std::string& target) {
  const fs::path parent = fs::path(target).parent_path();
  return parent.empty() ? "." : parent.string();
}

/// Local. @return `path` with symbolic links followed. @throws InputError
std::string checked_target(const std::string& path) {
  if (path.empty()) throw InputError("the name of the output file is empty");
  const std::string target = link_target(path);
  const std::string directory = directory_of(target);
  struct stat status {};
  if (::stat(directory.c_str(), &status) != 0) refuse(path, "directory " + directory + ": " + std::strerror(errno));
  if (!S_ISDIR(status.st_mode)) refuse(path, directory + " is not a directory");
  if (::faccessat(AT_FDCWD, directory.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
    refuse(path, "directory " + directory + ": " + std::strerror(errno));
  }
  if (::stat(target.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) refuse(path, "is a directory");
    if (!S_ISREG(status.st_mode)) refuse(path, "is not a regular file");  // renaming onto a device would replace it
    if (::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) refuse(path, errno);
  }
  return target;
}

/// Gives a new file owner, group and mode of the one that it will replace, as far as this process may: nobody may read
/// a result who could not read it before.
void keep_access(int file, const struct stat& replaced) {
  const bool same_owner = ::fchown(file, replaced.st_uid, replaced.st_gid) == 0;
  const bool same_group = same_owner || ::fchown(file, static_cast<uid_t>(-1), replaced.st_gid) == 0;
  mode_t mode = replaced.st_mode & 0777;
  if (!same_group) mode &= static_cast<mode_t>(~070);  // another group would get what was for that one
  ::fchmod(file, mode | 0600);
}

/// Creates an empty file beside `target` that nobody else has. @return its path
std::string create_temporary(const std::string& path, const std::string& target) {
  const std::string name = fs::path(target).filename().string();
  for (int attempt = 0;; ++attempt) {
    const std::string temporary = (fs::path(directory_of(target)) / ("." + name + "." + std::to_string(::getpid()) +
                                                                     "-" + std::to_string(attempt) + ".partial"))
                                      .string();
    struct stat replaced {};
    const bool replaces = ::stat(target.c_str(), &replaced) == 0;
    const Descriptor file(::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? 0600 : 0666));
    if (file.number >= 0 && replaces) keep_access(file.number, replaced);
    if (file.number >= 0) return temporary;
    if (errno != EEXIST) refuse(path, errno);
  }
}

}  // namespace

void require_writable(const comm::Communicator& communicator, const std::string& path) {
  comm::agree(communicator, [&] {
    if (communicator.rank() == 0) checked_target(path);
  });
}

OutputFile::OutputFile(const comm::Communicator& communicator, std::string path)
    : _communicator(&communicator), _path(std::move(path)) {
  comm::agree(communicator, [&] {
    if (communicator.rank() != 0) return;
    _target = checked_target(_path);
    _temporary = create_temporary(_path, _target);
    _owner = true;
  });
  communicator.broadcast(_temporary, 0);
  try {
    comm::agree(communicator, [&] {
      if (::access(_temporary.c_str(), R_OK | W_OK) != 0) {
        refuse(_path, "every worker must reach it, but on " + std::to_string(communicator.rank()) + ": " +
                          std::strerror(errno));
      }
    });
  } catch (...) {
    if (_owner) ::unlink(_temporary.c_str());
    throw;
  }
}

OutputFile::~OutputFile() {
  if (_owner) ::unlink(_temporary.c_str());
}

void OutputFile::reserve(std::uint64_t bytes) const {
  const Descriptor file(::open(_temporary.c_str(), O_RDWR | O_CLOEXEC));
  if (file.number < 0) refuse(_path, errno);
  struct stat status {};
  if (::fstat(file.number, &status) != 0) refuse(_path, errno);
  const auto size = std::max(bytes, static_cast<std::uint64_t>(status.st_size));
  if (size == 0) return;
  int error = EINTR;
  while (error == EINTR) error = ::posix_fallocate(file.number, 0, static_cast<off_t>(size));
  if (error != 0) refuse(_path, std::string(std::strerror(error)) + " (" + std::to_string(size) + " bytes needed)");
}

void OutputFile::commit() {
  comm::agree(*_communicator, [&] {
    if (_communicator->rank() != 0) return;
    {
      const Descriptor file(::open(_temporary.c_str(), O_RDWR | O_CLOEXEC));
      if (file.number < 0 || ::fsync(file.number) != 0) refuse(_path, errno);
    }
    if (::rename(_temporary.c_str(), _target.c_str()) != 0) refuse(_path, errno);
    _owner = false;
    // The new name, too, survives a power failure where the file system can promise that; it is no error if not.
    const Descriptor directory(::open(directory_of(_target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.number >= 0) ::fsync(directory.number);
  });
}

void write_text(const comm::Communicator& communicator, const std::string& path, const std::string& text) {
  try {
    OutputFile file(communicator, path);
    comm::agree(communicator, [&] {
      if (communicator.rank() != 0) return;
      std::ofstream out(file.temporary());
      out << text;
      out.close();
      if (!out) refuse(path, errno);
    });
    file.commit();
  } catch (...) {
    throw;  // see Hdf5Output::commit
  }
}

}  // namespace kasen::io
