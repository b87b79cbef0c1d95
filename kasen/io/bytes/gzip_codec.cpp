/// @file
/// gzip, by zlib.
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "kasen/io/bytes/decompressor.h"

namespace kasen::io {

namespace {

class GzipCodec final : public Codec {
 public:
  GzipCodec() {
    constexpr int kGzipHeader = 16;
    if (inflateInit2(&_stream, kGzipHeader + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~GzipCodec() override { inflateEnd(&_stream); }
  GzipCodec(const GzipCodec&) = delete;
  GzipCodec& operator=(const GzipCodec&) = delete;

  Result advance(std::span<const char>& in, std::span<char>& out) override {
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    const auto in_bytes = static_cast<uInt>(std::min(in.size(), kMost));
    const auto out_bytes = static_cast<uInt>(std::min(out.size(), kMost));
    _stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));  // zlib's type; it only reads
    _stream.avail_in = in_bytes;
    _stream.next_out = reinterpret_cast<Bytef*>(out.data());
    _stream.avail_out = out_bytes;
    const int status = inflate(&_stream, Z_NO_FLUSH);
    in = in.subspan(in_bytes - _stream.avail_in);
    out = out.subspan(out_bytes - _stream.avail_out);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_STREAM_END) return Result::end;
    return status == Z_OK || status == Z_BUF_ERROR ? Result::more : Result::damaged;
  }
  void restart() override { inflateReset(&_stream); }

 private:
  z_stream _stream{};
};

}  // namespace

std::unique_ptr<Codec> gzip_codec() { return std::make_unique<GzipCodec>(); }

}  // namespace kasen::io
