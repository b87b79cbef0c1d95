/// @file
/// Class Sample: a part of a matrix that says enough about all of it.
#pragma once

#include <cstdint>

#include "kasen/base/ids.h"
#include "partition/assignment.h"

namespace kasen::partition {

/// One row, one column and one non-zero in so many, each by a hash of its indices: the same on all workers, wherever
/// the non-zeros are. Local.
class Sample {
 public:
  /// @param one_in a power of two up to 2^32; 1: all there is
  explicit Sample(std::uint64_t one_in) : _mask(one_in - 1) {}
  bool all() const { return _mask == 0; }
  std::uint64_t one_in() const { return _mask + 1; }
  bool row(GlobalIndex row) const { return (of_row(row) & _mask) == 0; }
  bool column(GlobalIndex column) const { return (of_column(column) & _mask) == 0; }
  /// Any two entries that are not in one place are taken independently of each other.
  bool entry(GlobalIndex row, GlobalIndex column) const {
    return ((of_row(row) ^ of_column(column)) >> 32 & _mask) == 0;
  }

 private:
  // Salts keep the sample apart from owners by hash.
  static std::uint64_t of_row(GlobalIndex row) { return mix(static_cast<std::uint64_t>(row) ^ 0x5851f42d4c957f2du); }
  static std::uint64_t of_column(GlobalIndex column) {
    return mix(static_cast<std::uint64_t>(column) ^ 0x14057b7ef767814fu);
  }
  std::uint64_t _mask;
};

}  // namespace kasen::partition
