/// @file
/// Class BlockedMatrix: a local matrix stored in blocks whose parts of vectors stay in the second-level cache, for
/// matrices that are used often. Measured 0.5 to 0.6 of the compressed form's time (bench/matrix_sweep).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kasen/base/ids.h"
#include "kasen/base/large_pages.h"
#include "kasen/base/matrix_format.h"
#include "kasen/base/raw_vector.h"
#include "partition/compressed_view.h"

namespace kasen::partition {

/// A matrix in blocks of `edge` inputs by `edge` outputs: all blocks of the first inputs, then those of the next, ...
/// For several threads outputs are first cut into as many parts with about as many entries, each in blocks by itself.
/// A *run* is the entries of one output in one block. The runs of a block are grouped by their number of entries, 1 to
/// kLongestGroup, then all longer ones; within a group by output. Runs of a group stand kRunsAtOnce together, their
/// first entries first, then their second ones: what is left over, and long runs, stand one after the other. The
/// entries of a run keep the order they have in the compressed form.
class BlockedMatrix {
 public:
  static constexpr std::uint32_t kLongestGroup = MatrixFormat::kLongestGroup;
  static constexpr std::uint32_t kRunsAtOnce = MatrixFormat::kRunsAtOnce;

  struct Block {
    LocalIndex first_output = 0, first_input = 0;
    std::array<std::uint32_t, kLongestGroup + 1> runs{};  ///< how many have so many entries; [0]: how many are long
    std::uint64_t first_run = 0, first_long_run = 0, first_entry = 0;
  };
  /// Consecutive outputs, of which no other part has blocks.
  struct Part {
    LocalIndex first_output, end_output;
    std::size_t first_block, end_block;
  };
  struct Size {
    std::uint64_t runs = 0, long_runs = 0;
    std::uint64_t turns = 0;  ///< outputs with another number of entries than the one before; of the first, than none
    /// Entries whose input shares a line of 8 with one before, and is in a cache of 256 such lines, each with one
    /// place.
    std::uint64_t cached = 0;
    bool operator==(const Size&) const = default;
  };

  /// Entries by what they wait for: those in blocks whose inputs are all below `input_masters`; and of the others those
  /// in blocks whose outputs are all below `output_masters`.
  struct Waiting {
    std::uint64_t ahead = 0, behind = 0;
  };

  /// Local. Cost: linear in entries, and in outputs times blocks of inputs. @param inputs local size of their space.
  BlockedMatrix(const CompressedView& from, std::uint32_t value_bytes, LocalIndex inputs, std::uint32_t edge,
                std::uint32_t parts = 1);

  /// The compressed form, as it was made from. Local. Cost: linear in entries and outputs. @param outputs now
  Compressed compressed(std::uint32_t value_bytes, LocalIndex outputs) const;
  /// The compressed form by its inputs. Local. Cost: as above, and the edge for each block. @param inputs now
  Compressed transposed(std::uint32_t value_bytes, LocalIndex inputs) const;

  /// The numbers of runs that `from` would have in blocks, and what it is like itself. Local. Cost: linear in entries.
  static Size measure(const CompressedView& from, std::uint32_t edge);
  /// How many entries of `from` would wait, in blocks of one part. Local. Cost: a search for each output.
  static Waiting measure_waiting(const CompressedView& from, std::uint32_t edge, LocalIndex input_masters,
                                 LocalIndex output_masters);

  const std::vector<Block>& blocks() const { return _blocks; }
  /// In order; together they have all outputs and all blocks.
  const std::vector<Part>& parts() const { return _parts; }
  std::uint64_t entries() const { return _input.size(); }
  std::uint32_t edge() const { return _edge; }
  /// By run: its output, relative to the block's first.
  const std::uint16_t* output() const { return _output.data(); }
  /// By long run: its number of entries.
  const std::uint32_t* length() const { return _length.data(); }
  /// By entry: its input, relative to the block's first.
  const std::uint16_t* input() const { return _input.data(); }
  const std::byte* value() const { return _value.empty() ? nullptr : _value.data(); }

 private:
  class Builder;
  template <class Visit>
  void for_each_run(const Block& block, const Visit& visit) const;

  std::vector<Block> _blocks;
  std::vector<Part> _parts;
  LargeVector<std::uint16_t> _output, _input;
  LargeVector<std::uint32_t> _length;
  RawVector<std::byte> _value;
  std::uint32_t _edge;
};

}  // namespace kasen::partition
