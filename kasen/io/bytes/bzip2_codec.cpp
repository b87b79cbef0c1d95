/// @file
/// bzip2, by libbz2.
#include <bzlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "kasen/io/bytes/decompressor.h"

namespace kasen::io {

namespace {

class Bzip2Codec final : public Codec {
 public:
  Bzip2Codec() { open(); }
  ~Bzip2Codec() override { BZ2_bzDecompressEnd(&_stream); }
  Bzip2Codec(const Bzip2Codec&) = delete;
  Bzip2Codec& operator=(const Bzip2Codec&) = delete;

  Result advance(std::span<const char>& in, std::span<char>& out) override {
    constexpr std::size_t kMost = std::numeric_limits<unsigned>::max();
    const auto in_bytes = static_cast<unsigned>(std::min(in.size(), kMost));
    const auto out_bytes = static_cast<unsigned>(std::min(out.size(), kMost));
    _stream.next_in = const_cast<char*>(in.data());  // libbz2's type; it only reads
    _stream.avail_in = in_bytes;
    _stream.next_out = out.data();
    _stream.avail_out = out_bytes;
    const int status = BZ2_bzDecompress(&_stream);
    in = in.subspan(in_bytes - _stream.avail_in);
    out = out.subspan(out_bytes - _stream.avail_out);
    if (status == BZ_MEM_ERROR) throw std::bad_alloc();
    if (status == BZ_STREAM_END) return Result::end;
    return status == BZ_OK ? Result::more : Result::damaged;
  }
  void restart() override {
    BZ2_bzDecompressEnd(&_stream);
    open();
  }

 private:
  void open() {
    _stream = {};
    if (BZ2_bzDecompressInit(&_stream, 0, 0) != BZ_OK) throw std::bad_alloc();
  }

  bz_stream _stream{};
};

}  // namespace

std::unique_ptr<Codec> bzip2_codec() { return std::make_unique<Bzip2Codec>(); }

}  // namespace kasen::io
