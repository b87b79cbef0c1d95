/// @file
/// Class KeyTables: the private partial results of a keyed reduction, a table by key for each part of a sweep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kasen/base/raw_vector.h"
#include "kasen/base/thread_team.h"
#include "kasen/runtime/cache.h"
#include "kasen/runtime/kernel.h"

namespace kasen::runtime {

/// What parts make is folded in their order, so that the bits are the same whichever thread ran which part.
class KeyTables {
 public:
  /// @param reducer must outlive the tables. @param keys their number.
  KeyTables(const Reducer& reducer, std::uint64_t keys, std::size_t parts);

  /// Sets the table of a part to the identity.
  void begin(std::size_t part);
  void* table(std::size_t part) { return _bytes.data()->bytes + part * stride(); }
  /// Folds all tables, and writes the results to `out`: by key, or where `number`, if it is not empty, says.
  void finish(std::span<const LocalIndex> number, std::byte* out, ThreadTeam& team);

 private:
  std::uint64_t stride() const { return lines_of(_keys * _reducer->type.bytes) * sizeof(CacheLine); }

  const Reducer* _reducer;
  std::uint64_t _keys;
  std::size_t _parts;           ///< at least one
  RawVector<CacheLine> _bytes;  ///< of which each thread writes its tables first
};

}  // namespace kasen::runtime
