/// @file
/// Decompressing forward: input in pieces, streams one after the other, and what is wrong with a file.
#include "kasen/io/bytes/decompressor.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kasen/base/error.h"

namespace kasen::io {

namespace {

constexpr std::size_t kInputBytes = std::size_t{1} << 17;

std::unique_ptr<Codec> codec_of(Compression compression, const std::string& name) {
  switch (compression) {
    case Compression::gzip:
      return gzip_codec();
    case Compression::bzip2:
      return bzip2_codec();
    case Compression::zstd:
      return zstd_codec();
    default:
      break;
  }
  throw InputError(name + ": is compressed with " + std::string(name_of(compression)) +
                   ", expected gzip, bzip2 or zstd; unpack it first");
}

}  // namespace

Compression compression_of(std::string_view first_bytes) {
  struct Magic {
    std::string_view bytes;
    Compression compression;
  };
  static constexpr std::array<Magic, 4> kMagic{{{"\x1f\x8b", Compression::gzip},
                                                {"BZh", Compression::bzip2},
                                                {"\x28\xb5\x2f\xfd", Compression::zstd},
                                                {"\xfd"
                                                 "7zXZ",
                                                 Compression::xz}}};
  for (const Magic& magic : kMagic) {
    if (!first_bytes.starts_with(magic.bytes)) continue;
    if (magic.compression == Compression::bzip2) {
      // Three letters could begin a text; bzip2 goes on with a block size and the digits of pi, or at once of its root.
      const std::string_view digits = first_bytes.substr(std::min<std::size_t>(4, first_bytes.size()), 2);
      if (digits != "1A" && digits != "\x17r") continue;
    }
    return magic.compression;
  }
  // A zstd file may begin with frames that are skipped, of 16 magic numbers.
  if (first_bytes.size() >= 4 && (first_bytes[0] & '\xf0') == '\x50' && first_bytes.substr(1, 3) == "\x2a\x4d\x18") {
    return Compression::zstd;
  }
  return Compression::none;
}

std::string_view name_of(Compression compression) {
  constexpr std::array<std::string_view, 5> kNames{"none", "gzip", "bzip2", "zstd", "xz"};
  return kNames[static_cast<std::size_t>(compression)];
}

Decompressor::Decompressor(std::unique_ptr<ByteSource> file, std::string name, Compression compression)
    : _file(std::move(file)), _name(std::move(name)), _compression(compression), _compressed(kInputBytes) {
  start();
}

void Decompressor::start() {
  _codec = codec_of(_compression, _name);
  _in = {};
  _file_position = _position = 0;
  _in_stream = true;
  _any_stream = _done = false;
  _error = nullptr;
}

bool Decompressor::refill() {
  const std::uint64_t n = _file->read(_file_position, _compressed.data(), _compressed.size());
  _file_position += n;
  _in = std::span<const char>(_compressed.data(), n);
  return n > 0;
}

std::uint64_t Decompressor::produce(std::span<char> out) {
  if (_error) std::rethrow_exception(_error);
  const std::size_t wanted = out.size();
  try {
    decompress(out);
  } catch (const InputError&) {
    if (out.size() == wanted) throw;
    _error = std::current_exception();
  }
  const std::uint64_t produced = wanted - out.size();
  _position += produced;
  return produced;
}

/// Fills the front of `out`, which shrinks to what is left.
void Decompressor::decompress(std::span<char>& out) {
  const std::string what = _name + ": is compressed with " + std::string(name_of(_compression));
  while (!out.empty() && !_done) {
    const bool no_more = _in.empty() && !refill();
    if (!_in_stream) {
      if (no_more) {
        _done = true;
        break;
      }
      // gzip lets files be filled up with zeros; a further stream begins with the magic bytes again.
      if (_compression == Compression::gzip && _in.front() == '\0') {
        _in = _in.subspan(1);
        continue;
      }
      _codec->restart();
      _in_stream = true;
    }
    const std::size_t room = out.size();
    const Codec::Result result = _codec->advance(_in, out);
    if (no_more && result == Codec::Result::more && out.size() == room) {
      throw InputError(what + " and cut off: its end is missing" +
                       (_any_stream ? ", or something else follows it" : std::string()));
    }
    if (result == Codec::Result::too_large) {
      throw InputError(what + " so that a window of more than 128 MiB is needed to unpack it; unpack it first");
    }
    if (result == Codec::Result::damaged) {
      throw InputError(what + " and damaged" + (_any_stream ? ", or something else follows its end" : std::string()));
    }
    if (result == Codec::Result::end) {
      _in_stream = false;
      _any_stream = true;
    }
  }
}

std::uint64_t Decompressor::read(std::uint64_t offset, char* into, std::uint64_t bytes) {
  if (offset < _position) start();
  std::vector<char> skipped;
  while (_position < offset) {
    skipped.resize(std::min<std::uint64_t>(kInputBytes, offset - _position));
    if (produce(skipped) == 0) return 0;
  }
  return produce({into, bytes});
}

}  // namespace kasen::io
