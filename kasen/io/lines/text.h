/// @file
/// Class Text: a text that is stored as one file, or as a directory of files that belong together, plain or compressed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "kasen/io/bytes/decompressor.h"

namespace kasen::io {

/// One file of a text.
struct TextPart {
  std::string path;
  Compression compression = Compression::none;
  std::uint64_t size = 0;     ///< bytes of the file
  bool empty = false;         ///< nothing is in it, decompressed
  std::uint64_t origin = 0;   ///< where the first line that is not skipped begins
  std::uint64_t skipped = 0;  ///< number of lines before it
};

/// A position in a text from which it is read on.
struct TextPosition {
  std::size_t part = 0;
  std::uint64_t offset = 0;  ///< in the part
  std::uint64_t line = 0;    ///< number of lines of the part before it
};

/// The parts of a text in order: its bytes are theirs, one after the other. How much a compressed part holds is not
/// known before it is read. A part's end ends a line.
class Text {
 public:
  /// Collective. Of compressed files the beginning is decompressed, by some worker.
  /// @param path a file, or a directory: its files in the order of their names, without those whose names begin with
  ///        '.' or '_' (such as _SUCCESS).
  /// @param skip_lines lines at the beginning of every file that are not read; a byte order mark never is.
  /// @throws AgreedError: nothing there, not a file, no permission, damaged where it begins.
  Text(const comm::Communicator& communicator, const std::string& path, std::uint64_t skip_lines = 0);

  const std::string& path() const { return _path; }
  const std::vector<TextPart>& parts() const { return _parts; }
  /// Bytes of the files.
  std::uint64_t size() const { return _begin.back(); }
  /// Whether there is nothing in them.
  bool empty() const;
  /// The byte of all files' where a part begins; for parts().size(), their size.
  std::uint64_t part_begin(std::size_t part) const { return _begin[part]; }
  /// The position where the first line that is not skipped begins.
  TextPosition start() const { return {0, _parts[0].origin, _parts[0].skipped}; }
  /// Local. Opens one part. @throws InputError
  std::unique_ptr<ByteSource> open(std::size_t part) const;
  /// The same of a compressed part.
  std::unique_ptr<Decompressor> open_compressed(std::size_t part) const;
  /// Local. The number of bytes in a part; a compressed one is decompressed for it. @throws InputError
  std::uint64_t measure(std::size_t part) const;
  /// The byte of what is in a part behind its last one, or a number that no byte has where that is not known.
  std::uint64_t end_of(std::size_t part) const;

 private:
  std::string _path;
  std::vector<TextPart> _parts;
  std::vector<std::uint64_t> _begin;
};

}  // namespace kasen::io
