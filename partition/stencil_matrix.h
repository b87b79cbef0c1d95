/// @file
/// Class StencilMatrix: a local matrix stored as stencils, where neighbouring outputs have entries alike, as those of
/// grids with constant weights and of banded matrices do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "kasen/base/ids.h"
#include "kasen/base/matrix_format.h"
#include "kasen/base/raw_vector.h"
#include "partition/compressed_view.h"

namespace kasen::partition {

/// A stencil is the entries of an output: of each how far its input is from the output, in local indices, and its
/// value. A run is neighbouring outputs with the same stencil, in which entries keep the order that they have in the
/// compressed form. Different stencils are stored once (pattern-based representation: Belgin, Back, Ribbens 2009), so
/// that a product reads a few numbers for each run, and no index or value for each entry.
class StencilMatrix {
 public:
  /// Runs of outputs that have entries, and the entries of the stencils of these runs, each once a run.
  struct Size {
    std::uint64_t runs = 0, entries = 0;
    bool operator==(const Size&) const = default;
  };

  /// Local. Cost: linear in entries and outputs. @throws InternalError if different stencils have more than
  /// kMostEntries
  StencilMatrix(const CompressedView& from, std::uint32_t value_bytes);

  /// Local. Cost: linear in entries and outputs, until it has met more than `most_runs` runs: then it stops.
  static Size measure(const CompressedView& from, std::uint32_t value_bytes, std::uint64_t most_runs);
  static constexpr std::uint64_t kRunBytes = 32;  ///< of a run, and of what is known of those before it
  /// Entries of stencils that a worker can number.
  static constexpr std::uint64_t kMostEntries = std::numeric_limits<std::uint32_t>::max();

  /// The compressed form, as it was made from. Local. Cost: linear in entries and outputs. @param outputs now
  Compressed compressed(std::uint32_t value_bytes, LocalIndex outputs) const;

  /// Grows: further outputs have no entries.
  void covering(LocalIndex outputs);

  /// In order of outputs, which all have one; then one that begins where outputs end.
  const std::vector<StencilRun>& runs() const { return _runs; }
  /// The run that has this output.
  const StencilRun* run_of(LocalIndex output) const;
  /// By stencil: where its entries begin; then where the last one's end.
  const std::uint32_t* pointer() const { return _pointer.data(); }
  /// By entry: the local index of its input less that of the output.
  const std::int64_t* offset() const { return _offset.data(); }
  const std::byte* value() const { return _value.empty() ? nullptr : _value.data(); }
  /// What of the runs begins among the outputs [first, end): those without entries are none. Cost: two searches.
  Size begun(LocalIndex first, LocalIndex end) const;
  /// The number of entries of all outputs before this one. Cost: a search among runs.
  std::uint64_t entries_before(LocalIndex output) const;

 private:
  struct Before {
    std::uint64_t entries = 0;  ///< of all outputs before a run
    Size size;                  ///< of the runs before it
  };
  std::uint32_t length(std::uint32_t stencil) const { return _pointer[stencil + 1] - _pointer[stencil]; }
  const Before& before(const StencilRun* run) const { return _before[static_cast<std::size_t>(run - _runs.data())]; }
  /// The first run that begins at this output or later.
  const StencilRun* run_from(LocalIndex output) const;
  void add_run(LocalIndex first, std::uint32_t stencil);
  void end(LocalIndex outputs);

  std::vector<StencilRun> _runs;
  std::vector<Before> _before;  ///< by run
  static_assert(sizeof(StencilRun) + sizeof(Before) == kRunBytes);
  std::vector<std::uint32_t> _pointer;
  std::vector<std::int64_t> _offset;
  RawVector<std::byte> _value;
};

}  // namespace kasen::partition
