/// @file
/// The non-zeros of a matrix that one worker holds, in local indices, stored for whichever side and way is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kasen/base/ids.h"
#include "kasen/base/state.h"
#include "partition/blocked_matrix.h"
#include "partition/compressed_view.h"
#include "partition/dense_block.h"

namespace kasen::partition {

class LocalMatrix {
 public:
  LocalMatrix() = default;
  /// Entry k is at (row[k], column[k]); its value, if value_bytes is not 0, at value[k * value_bytes].
  /// @param rows, columns local sizes of the two spaces.
  LocalMatrix(LocalIndex rows, LocalIndex columns, std::vector<LocalIndex> row, std::vector<LocalIndex> column,
              std::vector<std::byte> value, std::uint32_t value_bytes);
  /// A dense one.
  LocalMatrix(LocalIndex rows, LocalIndex columns, DenseBlock block, std::uint32_t value_bytes);

  /// Local, as everything here.
  std::uint64_t nonzeros() const { return _nonzeros; }
  std::uint32_t value_bytes() const { return _value_bytes; }
  /// Null if it is not dense. A dense matrix has no other form, and serves both directions as it is; what covering()
  /// adds has no entries, so the pointer stays valid.
  const DenseBlock* dense() const { return _dense ? &*_dense : nullptr; }

  /// Outputs are columns, inputs rows: for mxv. Built when first asked for, by counting sorts: linear in non-zeros and
  /// local indices. The view is valid until covering() makes the matrix larger. Not of dense matrices.
  CompressedView by_column() { return view(_by_column, _by_row, _columns); }
  /// Outputs are rows, inputs columns: for mxvt. As by_column().
  CompressedView by_row() { return view(_by_row, _by_column, _rows); }

  /// As by_column() and by_row(), by the side of the outputs.
  CompressedView by(Role::Side outputs) { return outputs == Role::Side::column ? by_column() : by_row(); }

  /// In blocks of this edge. Built, with the compressed form, when first asked for; one edge for all calls. What
  /// covering() adds has no entries, so the reference stays valid.
  const BlockedMatrix& blocked(Role::Side outputs, std::uint32_t edge);
  /// What that would have; builds no more than the compressed form.
  BlockedMatrix::Size measure_blocks(Role::Side outputs, std::uint32_t edge) {
    return BlockedMatrix::measure(by(outputs), edge);
  }

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
  std::optional<DenseBlock> _dense;
  std::optional<BlockedMatrix> _blocked_by_column, _blocked_by_row;
};

}  // namespace kasen::partition
