/// @file
/// Class InputFile: a file open for reading.
#pragma once

#include <string>

#include "kasen/io/bytes/byte_source.h"

namespace kasen::io {

/// A regular file. Local. Errors are InputErrors "FILE: reason".
class InputFile final : public ByteSource {
 public:
  /// @throws InputError if there is no such file, it may not be read, or it is not a regular file.
  explicit InputFile(std::string path);
  ~InputFile() override;
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return _path; }
  std::uint64_t size() const { return _size; }  ///< when it was opened
  std::uint64_t read(std::uint64_t offset, char* into, std::uint64_t bytes) override;

 private:
  std::string _path;
  int _descriptor = -1;
  std::uint64_t _size = 0;
};

/// The content of a small regular file. Local. @throws InputError
std::string content(const std::string& path);

}  // namespace kasen::io
