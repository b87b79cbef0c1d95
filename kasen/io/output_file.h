/// @file
/// A file that appears under its name only when it is whole: written beside it under a temporary name, then renamed.
#pragma once

#include <cstdint>
#include <string>

#include "comm/communicator.h"

namespace kasen::io {

/// Collective. Finds out, before work is spent on what to write, whether `path` can be written: its directory is there
/// and may be written to, and `path` itself is not there or is a regular file that may be replaced.
/// @throws InputError (agreed) "PATH: reason".
void require_writable(const comm::Communicator& communicator, const std::string& path);

/// The temporary file. All failures are InputErrors (agreed) "PATH: reason" that name the final path.
class OutputFile {
 public:
  /// Collective. Checks as require_writable does, and creates the temporary file, empty.
  OutputFile(const comm::Communicator& communicator, std::string path);
  /// Local. Removes the temporary file, unless it was committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& path() const { return _path; }            ///< as it was given
  const std::string& temporary() const { return _temporary; }  ///< the same on every worker

  /// Local, on one worker. Reserves room on the disk for the first `bytes` bytes, at least the file's size, so that
  /// writing to them cannot find the disk full. @throws InputError, not agreed
  void reserve(std::uint64_t bytes) const;

  /// Collective. Brings the file to the disk and gives it its name. Whoever wrote must have closed it.
  void commit();

 private:
  const comm::Communicator* _communicator;
  std::string _path;
  std::string _target;  ///< `path` with symbolic links followed, so that a link stays a link
  std::string _temporary;
  bool _owner = false;  ///< this worker created the temporary file and it still exists
};

/// Collective. Writes a text as the file; that of worker 0 counts. @throws InputError (agreed) "PATH: reason"
void write_text(const comm::Communicator& communicator, const std::string& path, const std::string& text);

}  // namespace kasen::io
