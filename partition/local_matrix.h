/// @file
/// Class LocalMatrix: the non-zeros of a matrix that one worker holds, in local indices, in each storage asked for.
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
  /// A dense matrix.
  LocalMatrix(LocalIndex rows, LocalIndex columns, DenseBlock block, std::uint32_t value_bytes);

  /// All of the following are local.
  std::uint64_t nonzeros() const { return _nonzeros; }
  std::uint32_t value_bytes() const { return _value_bytes; }
  /// The dense storage; null if the matrix is not dense. A dense matrix has no other storage, and serves both
  /// directions; what covering() adds has no entries, so the pointer stays valid.
  const DenseBlock* dense() const { return _dense ? &*_dense : nullptr; }

  /// The compressed form for mxv: outputs are columns, inputs rows. Built when first asked for, by counting sorts:
  /// linear in non-zeros and local indices. The view is valid until covering(). Not for dense matrices.
  CompressedView by_column() { return view(_by_column, _by_row, _columns); }
  /// The same for mxvt: outputs are rows, inputs columns.
  CompressedView by_row() { return view(_by_row, _by_column, _rows); }

  /// by_column() or by_row(), by the side of the outputs.
  CompressedView by(Role::Side outputs) { return outputs == Role::Side::column ? by_column() : by_row(); }

  /// The matrix in blocks of this edge, in so many parts. Built, with the compressed form, when first asked for; all
  /// calls have one edge and number of parts. What covering() adds has no entries, so the reference stays valid.
  const BlockedMatrix& blocked(Role::Side outputs, std::uint32_t edge, std::uint32_t parts = 1);
  /// The numbers of runs that blocked() would have; builds no more than the compressed form.
  BlockedMatrix::Size measure_blocks(Role::Side outputs, std::uint32_t edge) {
    return BlockedMatrix::measure(by(outputs), edge);
  }
  /// Which of its entries would wait for replicas, and be waited for; builds no more than that either.
  BlockedMatrix::Waiting measure_waiting(Role::Side outputs, std::uint32_t edge, LocalIndex input_masters,
                                         LocalIndex output_masters) {
    return BlockedMatrix::measure_waiting(by(outputs), edge, input_masters, output_masters);
  }

  /// Grows with the spaces, to which another matrix has added replicas: they have no non-zeros here, but are walked.
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
