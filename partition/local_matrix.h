/// @file
/// The non-zeros of a matrix that one worker holds, in local indices, compressed along whichever side is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kasen/base/ids.h"

namespace kasen::partition {

/// Entries [pointer[j], pointer[j + 1]) belong to output j, in ascending order of the input's local index; entries of
/// one input keep the order in which they arrived.
struct CompressedView {
  std::span<const std::uint64_t> pointer;  ///< outputs + 1
  std::span<const LocalIndex> index;       ///< local index of the input
  const std::byte* value = nullptr;        ///< packed, parallel to index; null for Pattern
};

class LocalMatrix {
 public:
  LocalMatrix() = default;
  /// Entry k is at (row[k], column[k]); its value, if value_bytes is not 0, at value[k * value_bytes].
  /// @param rows, columns local sizes of the two spaces.
  LocalMatrix(LocalIndex rows, LocalIndex columns, std::vector<LocalIndex> row, std::vector<LocalIndex> column,
              std::vector<std::byte> value, std::uint32_t value_bytes);

  /// Local, as everything here.
  std::uint64_t nonzeros() const { return _nonzeros; }
  std::uint32_t value_bytes() const { return _value_bytes; }

  /// Outputs are columns, inputs rows: for mxv. Built when first asked for, by counting sorts: linear in non-zeros and
  /// local indices. The view is valid until covering() makes the matrix larger.
  CompressedView by_column() { return view(_by_column, _by_row, _columns); }
  /// Outputs are rows, inputs columns: for mxvt. As by_column().
  CompressedView by_row() { return view(_by_row, _by_column, _rows); }

  /// The spaces have grown by another matrix's replicas: these have no non-zeros here, but may be walked over.
  void covering(LocalIndex rows, LocalIndex columns);

 private:
  struct Compressed {
    std::vector<std::uint64_t> pointer;  ///< empty: not built
    std::vector<LocalIndex> index;
    std::vector<std::byte> value;
  };

  CompressedView view(Compressed& wanted, Compressed& other, LocalIndex outputs);
  Compressed compress(std::vector<LocalIndex>& output, std::vector<LocalIndex>& input, LocalIndex outputs);
  Compressed transpose(const Compressed& from, LocalIndex outputs) const;

  LocalIndex _rows = 0, _columns = 0;
  std::uint64_t _nonzeros = 0;
  std::uint32_t _value_bytes = 0;
  std::vector<LocalIndex> _row, _column;  ///< as they arrived; freed when the first compressed form exists
  std::vector<std::byte> _value;
  Compressed _by_column, _by_row;
};

}  // namespace kasen::partition
