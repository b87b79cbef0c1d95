/// @file
/// Lines of a compressed file that one worker decompresses for others, who read the lines before its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "comm/pieces.h"
#include "kasen/io/bytes/decompressor.h"

namespace kasen::io {

/// What the worker that decompresses has left for itself.
class DealtLines final : public ByteSource {
 public:
  /// A worker that gets lines, and where in the file, as it is stored, its share ends: it gets the line too that begins
  /// before what comes out from there on, and ends behind it.
  struct Receiver {
    Rank rank;
    std::uint64_t end;
  };

  /// Sends whole lines to each of the receivers, one after the other, who construct a ReceivedLines meanwhile.
  /// @param offset where the first line begins, decompressed.
  /// @throws InputError if the file cannot be opened, is cut off or damaged; no receiver waits then
  DealtLines(const comm::Communicator& communicator, const std::function<std::unique_ptr<Decompressor>()>& open,
             std::uint64_t offset, std::span<const Receiver> receivers);

  std::uint64_t begin() const { return _begin; }  ///< the decompressed byte at which its own lines begin
  std::uint64_t read(std::uint64_t offset, char* into, std::uint64_t bytes) override;

 private:
  void deal(const comm::Communicator& communicator, const Receiver& to);

  std::unique_ptr<Decompressor> _file;
  std::uint64_t _begin;     ///< of what has not been dealt out
  std::vector<char> _left;  ///< the first of it, which has been decompressed
};

/// The lines that another worker sends.
class ReceivedLines final : public ByteSource {
 public:
  /// Waits for the first message.
  ReceivedLines(const comm::Communicator& communicator, Rank from);
  /// Receives the rest, for which the sender may be waiting.
  ~ReceivedLines() override;
  ReceivedLines(const ReceivedLines&) = delete;
  ReceivedLines& operator=(const ReceivedLines&) = delete;

  std::uint64_t begin() const { return _begin; }  ///< as above
  /// @param offset of the byte behind those read so far
  std::uint64_t read(std::uint64_t offset, char* into, std::uint64_t bytes) override;

 private:
  comm::PieceReceiver _pieces;
  std::span<const char> _piece;
  std::uint64_t _begin = 0;
};

}  // namespace kasen::io
