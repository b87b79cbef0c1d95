/// @file
/// Names of files that must not outlive the job: whatever ends it, an error or a signal, they are removed.
#pragma once

#include <string>

namespace kasen::comm {

/// While it lives, the file of this name is removed when this process fails or is ended by a signal that can be caught.
/// Every worker may hold the same name. Local.
class TemporaryName {
 public:
  TemporaryName() = default;
  /// `path` is absolute. Names that are too many (more than 16) or too long are not looked after.
  explicit TemporaryName(const std::string& path) noexcept;
  ~TemporaryName() { forget(); }
  TemporaryName(TemporaryName&& other) noexcept;
  TemporaryName& operator=(TemporaryName&& other) noexcept;
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

  /// The file stays, or is gone.
  void forget() noexcept;

 private:
  int _slot = -1;
};

/// Whether any name lives. Local.
bool has_temporary_files() noexcept;

/// Removes the files of all names that live. Safe in signal handlers.
void remove_temporary_files() noexcept;

}  // namespace kasen::comm
