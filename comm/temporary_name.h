/// @file
/// Class TemporaryName: the name of a file that is removed if an error or a signal ends the job.
#pragma once

#include <string>

namespace kasen::comm {

/// While it lives, the file of this name is removed when this process fails or is ended by a signal that can be caught.
/// Every worker may hold the same name. Local.
class TemporaryName {
 public:
  TemporaryName() = default;
  /// `path` is absolute. Beyond 16 names at a time, and if they are too long, files are not removed.
  explicit TemporaryName(const std::string& path) noexcept;
  ~TemporaryName() { forget(); }
  TemporaryName(TemporaryName&& other) noexcept;
  TemporaryName& operator=(TemporaryName&& other) noexcept;
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

  /// To be called when the file is to stay, or is gone.
  void forget() noexcept;

 private:
  int _slot = -1;
};

/// Whether any name lives. Local.
bool has_temporary_files() noexcept;

/// Removes the files of all names that live. Safe in signal handlers.
void remove_temporary_files() noexcept;

}  // namespace kasen::comm
