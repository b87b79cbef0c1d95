/// @file
/// A directory for the files of one test, the same on all workers.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "comm/communicator.h"

namespace kasen::io {

/// Collective. Made by worker 0, removed with everything in it by worker 0 after all are done with it.
class TemporaryDirectory {
 public:
  explicit TemporaryDirectory(const comm::Communicator& communicator) : _communicator(&communicator) {
    if (communicator.rank() == 0) {
      std::string pattern = (std::filesystem::temp_directory_path() / "kasen-io-XXXXXX").string();
      _path = mkdtemp(pattern.data());
    }
    communicator.broadcast(_path, 0);
  }
  ~TemporaryDirectory() {
    _communicator->barrier();
    if (_communicator->rank() == 0) std::filesystem::remove_all(_path);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::string path(const std::string& name) const { return _path + "/" + name; }
  const std::string& path() const { return _path; }

  /// Collective. A file with this text; there on return, and an earlier one of this name untouched until all came here.
  /// @return its path
  std::string write(const std::string& name, std::string_view text) const {
    _communicator->barrier();
    if (_communicator->rank() == 0) {
      std::ofstream file(path(name), std::ios::binary);
      file.write(text.data(), static_cast<std::streamsize>(text.size()));
    }
    _communicator->barrier();
    return path(name);
  }

 private:
  const comm::Communicator* _communicator;
  std::string _path;
};

}  // namespace kasen::io
