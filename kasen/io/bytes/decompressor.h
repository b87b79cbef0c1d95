/// @file
/// Decompression of files: gzip, bzip2 and zstd, recognised by their first bytes.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kasen/io/bytes/byte_source.h"

namespace kasen::io {

enum class Compression : std::uint8_t { none, gzip, bzip2, zstd, xz };

inline constexpr std::uint64_t kCompressionMagicBytes = 6;

/// The compression that a file's first bytes tell of. xz is recognised in order to be refused.
Compression compression_of(std::string_view first_bytes);
std::string_view name_of(Compression compression);

/// Interface to one library that decompresses from one span to another. A file may hold several compressed streams,
/// one after the other.
class Codec {
 public:
  enum class Result : std::uint8_t {
    more,      ///< all input is used, or all room for output
    end,       ///< a stream is over
    damaged,   ///< the input is not what the compressor wrote
    too_large  ///< it takes more memory to decompress than a stream may
  };
  virtual ~Codec() = default;
  /// Consumes the front of `in` and fills the front of `out`; both shrink to what is left.
  virtual Result advance(std::span<const char>& in, std::span<char>& out) = 0;
  /// Begins a further stream.
  virtual void restart() = 0;
};

std::unique_ptr<Codec> gzip_codec();
std::unique_ptr<Codec> bzip2_codec();
std::unique_ptr<Codec> zstd_codec();

/// The decompressed bytes of a file. Local. Reading backwards starts again at its beginning. Memory: two buffers.
class Decompressor final : public ByteSource {
 public:
  /// @param name of the file, for messages.
  /// @throws InputError for xz
  Decompressor(std::unique_ptr<ByteSource> file, std::string name, Compression compression);

  /// @throws InputError "FILE: reason" if the file is cut off or damaged, when what comes out before has been read
  std::uint64_t read(std::uint64_t offset, char* into, std::uint64_t bytes) override;
  /// The bytes of the file that have been used for what was read.
  std::uint64_t stored_position() const { return _file_position - _in.size(); }

 private:
  void start();
  std::uint64_t produce(std::span<char> out);
  void decompress(std::span<char>& out);
  bool refill();

  std::unique_ptr<ByteSource> _file;
  std::string _name;
  Compression _compression;
  std::unique_ptr<Codec> _codec;
  std::vector<char> _compressed;
  std::span<const char> _in;         ///< the part of _compressed that is not used yet
  std::uint64_t _file_position = 0;  ///< bytes of the file that have been read
  std::uint64_t _position = 0;       ///< bytes that have come out
  std::exception_ptr _error;         ///< what is wrong with what follows
  bool _in_stream = true, _any_stream = false, _done = false;
};

}  // namespace kasen::io
