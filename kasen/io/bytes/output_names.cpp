/// @file
/// Files are told apart by device and inode where they exist, else by their paths.
#include "kasen/io/bytes/output_names.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/io/bytes/link_target.h"
#include "kasen/io/bytes/output_file.h"

namespace kasen::io {

namespace {

namespace fs = std::filesystem;

/// A file that will be replaced.
struct Replaced {
  std::string path;
  dev_t device;
  ino_t inode;
  timespec changed;
};

std::vector<Replaced>& replaced_files() {
  static std::vector<Replaced> files;
  return files;
}

}  // namespace

void require_outputs(const comm::Communicator& communicator, const std::vector<std::string>& paths) {
  std::vector<std::string> named;
  for (const std::string& path : paths) {
    if (!path.empty()) named.push_back(path);
  }
  for (const std::string& path : named) require_writable(communicator, path);
  comm::agree(communicator, [&] {
    std::vector<std::string> targets;
    for (const std::string& path : named) {
      targets.push_back(link_target(path));
      const bool twice = std::any_of(targets.begin(), targets.end() - 1, [&](const std::string& other) {
        std::error_code error;
        return other == targets.back() || fs::equivalent(other, targets.back(), error);
      });
      if (twice) throw UsageError(path + ": is named twice as a file to write");
    }
    for (const std::string& target : targets) {
      struct stat status {};
      if (::stat(target.c_str(), &status) == 0)
        replaced_files().push_back({target, status.st_dev, status.st_ino, status.st_ctim});
    }
  });
}

bool is_output(const struct stat& status) {
  const std::vector<Replaced>& files = replaced_files();
  return std::any_of(files.begin(), files.end(), [&](const Replaced& file) {
    if (file.device != status.st_dev || file.inode != status.st_ino) return false;
    struct stat now {};
    return ::stat(file.path.c_str(), &now) == 0 && now.st_dev == file.device && now.st_ino == file.inode;
  });
}

bool is_unwritten(const std::string& path) {
  struct stat now {};
  if (::stat(path.c_str(), &now) != 0) return true;
  const std::vector<Replaced>& files = replaced_files();
  return std::any_of(files.begin(), files.end(), [&](const Replaced& file) {
    return file.device == now.st_dev && file.inode == now.st_ino && file.changed.tv_sec == now.st_ctim.tv_sec &&
           file.changed.tv_nsec == now.st_ctim.tv_nsec;
  });
}

}  // namespace kasen::io
