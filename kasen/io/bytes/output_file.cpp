/// @file
/// Temporary names, room on the disk, and the final rename. Worker 0 does it, all agree.
#include "kasen/io/bytes/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "comm/agreement.h"
#include "comm/failure.h"
#include "kasen/base/error.h"
#include "kasen/io/bytes/link_target.h"

namespace kasen::io {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw InputError(path + ": cannot be written: " + reason);
}

[[noreturn]] void refuse(const std::string& path, int error) { refuse(path, std::strerror(error)); }

std::string directory_of(const std::string& target) {
  const fs::path parent = fs::path(target).parent_path();
  return parent.empty() ? "." : parent.string();
}

/// Local. @return `path` with symbolic links followed. @throws InputError
std::string checked_target(const std::string& path) {
  if (path.empty()) throw InputError("the name of the output file is empty");
  std::string target = link_target(path);
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

/// The beginning of the temporary names of `target` that processes of this host make. It is short enough for the rest.
std::string temporary_prefix(const std::string& target) {
  char host[32] = "";
  ::gethostname(host, sizeof host - 1);
  std::string name = fs::path(target).filename().string();
  name.resize(std::min<std::size_t>(name.size(), 160));
  return "." + name + "." + host + "-";
}

constexpr std::string_view kTemporarySuffix = ".partial";

/// Temporary files are locked by who writes them, so one that can be locked was left by a process that was killed.
void remove_what_killed_runs_left(const std::string& target) {
  const std::string prefix = temporary_prefix(target);
  std::error_code ignored;
  for (auto entry = fs::directory_iterator(directory_of(target), ignored); entry != fs::directory_iterator();
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(kTemporarySuffix)) continue;
    const Descriptor file(::open(entry->path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (file.number() >= 0 && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0) ::unlink(entry->path().c_str());
  }
}

/// A name beside `target` that no process of any host has.
std::string temporary_name(const std::string& target) {
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return (fs::path(directory_of(target)) / (temporary_prefix(target) + std::to_string(::getpid()) + "-" +
                                            std::to_string(now) + std::string(kTemporarySuffix)))
      .string();
}

/// An empty file that is to replace `target`, locked.
Descriptor create_temporary(const std::string& path, const std::string& temporary, const std::string& target) {
  for (;;) {
    struct stat replaced {};
    const bool replaces = ::stat(target.c_str(), &replaced) == 0;
    Descriptor file(::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? 0600 : 0666));
    if (file.number() < 0) refuse(path, errno);
    if (replaces) keep_access(file.number(), replaced);
    // Another run may have found it before it is locked, and hold the lock until it has removed it. Where files cannot
    // be locked, nobody removes unlocked ones.
    ::flock(file.number(), LOCK_EX);
    struct stat status {};
    if (::fstat(file.number(), &status) != 0 || status.st_nlink > 0) return file;
  }
}

/// A library that calls exit, as HDF5 does when it is at a loss, says nothing; other workers may be waiting.
void end_on_exit() {
  if (comm::has_temporary_files()) comm::fail("the process has ended while it was writing a file", 1);
}

}  // namespace

Descriptor::~Descriptor() {
  if (_number >= 0) ::close(_number);
}

Descriptor::Descriptor(Descriptor&& other) noexcept : _number(std::exchange(other._number, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(_number, other._number);
  return *this;
}

void require_writable(const comm::Communicator& communicator, const std::string& path) {
  comm::agree(communicator, [&] {
    if (communicator.rank() == 0) checked_target(path);
  });
}

OutputFile::OutputFile(const comm::Communicator& communicator, std::string path)
    : _communicator(&communicator), _path(std::move(path)) {
  try {
    comm::agree(communicator, [&] {
      if (communicator.rank() != 0) return;
      _target = checked_target(_path);
      remove_what_killed_runs_left(_target);
      _temporary = temporary_name(_target);
    });
    communicator.broadcast(_temporary, 0);
    [[maybe_unused]] static const int registered = std::atexit(end_on_exit);
    _name = comm::TemporaryName(_temporary);
    communicator.barrier();  // from here on every worker looks after the name
    comm::agree(communicator, [&] {
      if (communicator.rank() == 0) _file = create_temporary(_path, _temporary, _target);
    });
    comm::agree(communicator, [&] {
      if (::access(_temporary.c_str(), R_OK | W_OK) != 0) {
        refuse(_path, "every worker must reach it, but on " + std::to_string(communicator.rank()) + ": " +
                          std::strerror(errno));
      }
    });
  } catch (...) {
    if (_file.number() >= 0) ::unlink(_temporary.c_str());
    throw;
  }
}

OutputFile::~OutputFile() {
  if (_file.number() >= 0) ::unlink(_temporary.c_str());
}

void OutputFile::reserve(std::uint64_t bytes) const {
  struct stat status {};
  if (::fstat(_file.number(), &status) != 0) refuse(_path, errno);
  const auto size = std::max(bytes, static_cast<std::uint64_t>(status.st_size));
  if (size == 0) return;
  int error = EINTR;
  while (error == EINTR) error = ::posix_fallocate(_file.number(), 0, static_cast<off_t>(size));
  if (error != 0) refuse(_path, std::string(std::strerror(error)) + " (" + std::to_string(size) + " bytes needed)");
}

void OutputFile::commit() {
  comm::agree(*_communicator, [&] {
    if (_communicator->rank() != 0) return;
    if (::fsync(_file.number()) != 0) refuse(_path, errno);
    if (::rename(_temporary.c_str(), _target.c_str()) != 0) refuse(_path, errno);
    _file = Descriptor();
    // The new name, too, survives a power failure where the file system can promise that; it is no error if not.
    const Descriptor directory(::open(directory_of(_target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.number() >= 0) ::fsync(directory.number());
  });
  _name.forget();
}

OutputPart::OutputPart(const OutputFile& file)
    : _path(file.path()), _file(::open(file.temporary().c_str(), O_WRONLY | O_CLOEXEC)) {
  if (_file.number() < 0) refuse(_path, errno);
}

void OutputPart::write(std::uint64_t offset, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(_file.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno != EINTR) refuse(_path, errno);
    if (count <= 0) continue;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

void OutputPart::flush() const {
  if (::fsync(_file.number()) != 0) refuse(_path, errno);
}

void write_text(const comm::Communicator& communicator, const std::string& path, const std::string& text) {
  OutputFile file(communicator, path);
  comm::agree(communicator, [&] {
    if (communicator.rank() != 0) return;
    file.reserve(text.size());
    OutputPart(file).write(0, text);
  });
  file.commit();
}

}  // namespace kasen::io
