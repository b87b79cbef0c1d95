/// @file
/// Reading with pread, because it reports errors where a memory map would end the process.
#include "kasen/io/bytes/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "kasen/base/error.h"
#include "kasen/io/bytes/output_names.h"

namespace kasen::io {

InputFile::InputFile(std::string path) : _path(std::move(path)) {
  // Without O_NONBLOCK, opening a pipe that nobody writes would wait for ever.
  _descriptor = ::open(_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (_descriptor < 0) throw InputError(_path + ": cannot be opened: " + std::strerror(errno));
  struct stat status {};
  std::string reason;
  if (::fstat(_descriptor, &status) != 0) {
    reason = std::strerror(errno);
  } else if (S_ISDIR(status.st_mode)) {
    reason = "is a directory, a file was expected";
  } else if (!S_ISREG(status.st_mode)) {
    reason = "is not a regular file, which is needed to read it in parallel";
  } else if (is_output(status)) {
    reason = "is to be read and to be written, expected two files";
  }
  if (!reason.empty()) {
    ::close(_descriptor);
    throw InputError(_path + ": " + reason);
  }
  _size = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() { ::close(_descriptor); }

std::uint64_t InputFile::read(std::uint64_t offset, char* into, std::uint64_t bytes) {
  std::uint64_t done = 0;
  while (done < bytes) {
    const ssize_t n = ::pread(_descriptor, into + done, bytes - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw InputError(_path + ": cannot be read: " + std::strerror(errno));
    if (n == 0) break;
    done += static_cast<std::uint64_t>(n);
  }
  return done;
}

std::string content(const std::string& path) {
  InputFile file(path);
  std::string text(file.size(), '\0');
  text.resize(file.read(0, text.data(), text.size()));
  return text;
}

}  // namespace kasen::io
