/// @file
/// Class LocalMatrix: the non-zeros of a matrix that one worker holds, in local indices, in each storage asked for.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kasen/base/ids.h"
#include "kasen/base/raw_vector.h"
#include "kasen/base/state.h"
#include "partition/blocked_matrix.h"
#include "partition/compressed_view.h"
#include "partition/dense_block.h"
#include "partition/matrix_storage.h"
#include "partition/stencil_matrix.h"

namespace kasen::partition {

class LocalMatrix {
 public:
  LocalMatrix() = default;
  /// Entry k is at (row[k], column[k]); its value, if value_bytes is not 0, at value[k * value_bytes].
  /// @param rows, columns local sizes of the two spaces.
  LocalMatrix(LocalIndex rows, LocalIndex columns, RawVector<LocalIndex> row, RawVector<LocalIndex> column,
              RawVector<std::byte> value, std::uint32_t value_bytes);
  /// A matrix in batches, which are over the same `rows`: entry k is of batch[k], of so many. It has a compressed form
  /// by rows, in which batches follow one another, and no other.
  /// @pre require_indices(rows, batches)
  LocalMatrix(LocalIndex rows, LocalIndex columns, RawVector<LocalIndex> row, RawVector<LocalIndex> column,
              RawVector<std::byte> value, std::uint32_t value_bytes, std::span<const std::uint32_t> batch,
              std::uint32_t batches);
  /// A dense matrix.
  LocalMatrix(LocalIndex rows, LocalIndex columns, DenseBlock block, std::uint32_t value_bytes);

  /// @throws InputError where so many batches of `rows` local rows are more than local indices can count
  static void require_indices(LocalIndex rows, std::uint32_t batches);

  /// All of the following are local.
  std::uint64_t nonzeros() const { return _nonzeros; }
  std::uint32_t value_bytes() const { return _value_bytes; }
  std::uint32_t batches() const { return _batches; }  ///< 0 if it is in none
  /// The dense storage; null if the matrix is not dense. A dense matrix has no other storage, and serves both
  /// directions; what covering() adds has no entries, so the pointer stays valid.
  const DenseBlock* dense() const { return _dense ? &*_dense : nullptr; }

  /// The compressed form for walks of mxv: outputs are columns, inputs rows. Built when first asked for, by counting
  /// sorts, unless entries have come in its order: linear in non-zeros and local indices. That of the other side may
  /// come into being on the way (drop_unasked). The view is valid until covering() or until it is dropped. Not for
  /// dense matrices.
  CompressedView by_column() { return by(Role::Side::column); }
  /// The same for mxvt: outputs are rows, inputs columns.
  CompressedView by_row() { return by(Role::Side::row); }
  /// by_column() or by_row(), by the side of the outputs.
  CompressedView by(Role::Side outputs);
  /// A batch by its rows, of a matrix in batches: entries are those of all batches, pointers its own.
  CompressedView batch(std::uint32_t number);

  /// The matrix in blocks of this edge, in so many parts. Built when first asked for, of the compressed form, which
  /// stays only if it was asked for itself; all calls have one edge and number of parts. What covering() adds has no
  /// entries, so the reference stays valid until it is dropped.
  const BlockedMatrix& blocked(Role::Side outputs, std::uint32_t edge, std::uint32_t parts = 1);
  /// The numbers of runs that blocked() would have; builds no more than the compressed form.
  BlockedMatrix::Size measure_blocks(Role::Side outputs, std::uint32_t edge) {
    return BlockedMatrix::measure(compressed(outputs), edge);
  }
  /// Which of its entries would wait for replicas, and be waited for; builds no more than that either.
  BlockedMatrix::Waiting measure_waiting(Role::Side outputs, std::uint32_t edge, LocalIndex input_masters,
                                         LocalIndex output_masters) {
    return BlockedMatrix::measure_waiting(compressed(outputs), edge, input_masters, output_masters);
  }

  /// The matrix as stencils. Built when first asked for, of the compressed form, which stays only if it was asked for
  /// itself; what covering() adds has no entries, so the reference stays valid until it is dropped.
  const StencilMatrix& stencils(Role::Side outputs);
  /// What stencils() would have, if that is no more than so many runs; builds no more than the compressed form.
  StencilMatrix::Size measure_stencils(Role::Side outputs, std::uint64_t most_runs) {
    return StencilMatrix::measure(compressed(outputs), _value_bytes, most_runs);
  }

  /// Says that the next products walk the matrix in the storages `walked` and no other, about so many times each, and
  /// drops others: those outside of `needed` that as many walks have gone by as making one costs (kWalksOfStorage).
  /// What is asked for after it was dropped is made again of a storage that is left, with the entries in the same
  /// order, and then stays: a program that alternates between storages pays for each no more than twice.
  /// @param walked, needed have been asked for, or will be; `needed` has all of `walked`.
  /// @return whether any was dropped
  bool walk(std::span<const MatrixStorage> walked, std::uint64_t walks, std::span<const MatrixStorage> needed);
  /// Drops compressed forms outside of `needed` that nobody has asked for, unless nothing else is there: others were
  /// made of them. @return whether any was dropped
  bool drop_unasked(std::span<const MatrixStorage> needed);
  /// The storages that there are; none before the first is asked for, and of a dense matrix. Those that nobody has
  /// asked for may differ between workers, as their entries have come in other orders.
  std::vector<MatrixStorage> storages() const;

  /// Grows with the spaces, to which another matrix has added replicas: they have no non-zeros here, but are walked.
  void covering(LocalIndex rows, LocalIndex columns);

 private:
  struct Storage {
    std::optional<Compressed> compressed;  ///< one of the three, by MatrixStorage::form
    std::optional<BlockedMatrix> blocked;
    std::optional<StencilMatrix> stencils;
    bool asked = false;      ///< for itself; else others are made of it
    std::uint64_t idle = 0;  ///< walks of other storages since its own latest
    bool dropped = false;    ///< once, so that it stays when it is made again
    bool stays = false;
    bool exists() const { return compressed || blocked || stencils; }
  };

  static std::size_t position(const MatrixStorage& storage);
  Storage& storage(Role::Side outputs, MatrixStorage::Form form) { return _storages[position({outputs, form})]; }
  Storage& asked_for(Role::Side outputs, MatrixStorage::Form form);
  void drop_source(Role::Side outputs);
  /// Of what compressed forms have pointers for.
  LocalIndex extent(Role::Side side) const {
    return side == Role::Side::column ? _columns : std::max(_batches, 1u) * _rows;
  }
  void cover_batches(LocalIndex rows);
  CompressedView compressed(Role::Side outputs);
  Compressed make_compressed(Role::Side outputs);
  Compressed compress(RawVector<LocalIndex>& output, RawVector<LocalIndex>& input, LocalIndex outputs);
  Compressed transpose(const Compressed& from, LocalIndex outputs) const;
  Compressed transpose_consumed(Compressed from, LocalIndex outputs) const;

  LocalIndex _rows = 0, _columns = 0;
  std::uint64_t _nonzeros = 0;
  std::uint32_t _value_bytes = 0, _batches = 0;
  RawVector<LocalIndex> _row, _column;  ///< as they arrived; freed when the first compressed form exists
  RawVector<std::byte> _value;
  std::array<Storage, 2 * kMatrixForms.size()> _storages;  ///< by position()
  std::optional<DenseBlock> _dense;
};

}  // namespace kasen::partition
