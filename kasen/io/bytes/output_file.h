/// @file
/// Output files that appear under their name only when they are whole: written under a temporary name, then renamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "comm/communicator.h"
#include "comm/temporary_name.h"

namespace kasen::io {

/// Collective. Checks, before work is spent on what to write, that `path` can be written: its directory is there and
/// may be written to, and `path` itself is not there or is a regular file that may be replaced.
/// @throws AgreedError "PATH: reason".
void require_writable(const comm::Communicator& communicator, const std::string& path);

/// An open file that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : _number(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return _number; }  ///< negative: not open

 private:
  int _number;
};

/// An output file under its temporary name. All failures are AgreedErrors "PATH: reason" that name the final
/// path. However the job ends, nothing is left under the temporary name, unless the first worker is killed outright:
/// what a killed one has left of the same output on the same host, the next run removes.
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

  /// Local, on the first worker. Reserves room on the disk for the first `bytes` bytes, at least the file's size, so
  /// that writing to them cannot find the disk full. @throws InputError, not agreed
  void reserve(std::uint64_t bytes) const;

  /// Collective. Flushes the file to the disk and gives it its name. All OutputParts of it must have been destroyed.
  void commit();

 private:
  const comm::Communicator* _communicator;
  std::string _path;
  std::string _target;  ///< `path` with symbolic links followed, so that a link stays a link
  std::string _temporary;
  comm::TemporaryName _name;  ///< on every worker, as whichever ends the job removes the file
  Descriptor _file;           ///< on the first worker alone: open, and locked as a sign of life
};

/// One worker's access to an output file, which writes at any place. Local. All failures are InputErrors, not agreed.
class OutputPart {
 public:
  /// Local. @throws InputError
  explicit OutputPart(const OutputFile& file);
  void write(std::uint64_t offset, std::span<const std::byte> bytes) const;
  void write(std::uint64_t offset, const std::string& text) const { write(offset, std::as_bytes(std::span(text))); }
  /// Flushes what was written to the disk.
  void flush() const;

 private:
  std::string _path;
  Descriptor _file;
};

/// Collective. Writes a small file of `text`, which only the first worker has to give.
/// @throws AgreedError "PATH: reason"
void write_text(const comm::Communicator& communicator, const std::string& path, const std::string& text);

}  // namespace kasen::io
