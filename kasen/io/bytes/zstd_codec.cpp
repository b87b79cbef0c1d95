/// @file
/// Zstandard, by libzstd.
#include <zstd.h>
#include <zstd_errors.h>

#include <new>

#include "kasen/io/bytes/decompressor.h"

namespace kasen::io {

namespace {

class ZstdCodec final : public Codec {
 public:
  ZstdCodec() : _stream(ZSTD_createDStream()) {
    if (_stream == nullptr) throw std::bad_alloc();
  }
  ~ZstdCodec() override { ZSTD_freeDStream(_stream); }
  ZstdCodec(const ZstdCodec&) = delete;
  ZstdCodec& operator=(const ZstdCodec&) = delete;

  Result advance(std::span<const char>& in, std::span<char>& out) override {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t status = ZSTD_decompressStream(_stream, &output, &input);
    in = in.subspan(input.pos);
    out = out.subspan(output.pos);
    if (ZSTD_isError(status) != 0) {
      return ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge ? Result::too_large
                                                                                   : Result::damaged;
    }
    return status == 0 ? Result::end : Result::more;
  }
  void restart() override { ZSTD_DCtx_reset(_stream, ZSTD_reset_session_only); }

 private:
  ZSTD_DStream* _stream;
};

}  // namespace

std::unique_ptr<Codec> zstd_codec() { return std::make_unique<ZstdCodec>(); }

}  // namespace kasen::io
