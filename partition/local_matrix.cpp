/// @file
/// Compressed forms by stable counting sorts: the first from the entries by way of its transpose, the second from the
/// first; both come out with ascending inputs.

#include "partition/local_matrix.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "kasen/base/error.h"
#include "kasen/base/release.h"

namespace kasen::partition {
namespace {

/// The outputs + 1 offsets of the entries of each output.
std::vector<std::uint64_t> count_outputs(std::span<const LocalIndex> output, LocalIndex outputs) {
  std::vector<std::uint64_t> pointer(std::size_t{outputs} + 1);
  for (LocalIndex j : output) ++pointer[std::size_t{j} + 1];
  std::partial_sum(pointer.begin(), pointer.end(), pointer.begin());
  return pointer;
}

template <std::size_t bytes>
void scatter_fixed(std::span<const std::uint64_t> position, const std::byte* from, std::byte* into) {
  for (std::size_t k = 0; k < position.size(); ++k) std::memcpy(into + position[k] * bytes, from + k * bytes, bytes);
}

/// Does into[position[k]] = from[k]. Sizes known to the compiler are moved by one instruction.
void scatter(std::span<const std::uint64_t> position, const std::byte* from, std::byte* into, std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return scatter_fixed<1>(position, from, into);
    case 4:
      return scatter_fixed<4>(position, from, into);
    case 8:
      return scatter_fixed<8>(position, from, into);
    case 16:
      return scatter_fixed<16>(position, from, into);
    default:
      for (std::size_t k = 0; k < position.size(); ++k)
        std::memcpy(into + position[k] * bytes, from + k * bytes, bytes);
  }
}

}  // namespace

LocalMatrix::LocalMatrix(LocalIndex rows, LocalIndex columns, std::vector<LocalIndex> row,
                         std::vector<LocalIndex> column, std::vector<std::byte> value, std::uint32_t value_bytes)
    : _rows(rows),
      _columns(columns),
      _nonzeros(row.size()),
      _value_bytes(value_bytes),
      _row(std::move(row)),
      _column(std::move(column)),
      _value(std::move(value)) {}

LocalMatrix::LocalMatrix(LocalIndex rows, LocalIndex columns, DenseBlock block, std::uint32_t value_bytes)
    : _rows(rows),
      _columns(columns),
      _nonzeros(std::uint64_t{block.rows} * block.columns),
      _value_bytes(value_bytes),
      _dense(std::move(block)) {}

void LocalMatrix::covering(LocalIndex rows, LocalIndex columns) {
  _rows = rows;
  _columns = columns;
  if (!_by_row.pointer.empty()) _by_row.pointer.resize(std::size_t{rows} + 1, _nonzeros);
  if (!_by_column.pointer.empty()) _by_column.pointer.resize(std::size_t{columns} + 1, _nonzeros);
}

const BlockedMatrix& LocalMatrix::blocked(Role::Side outputs, std::uint32_t edge, std::uint32_t parts) {
  std::optional<BlockedMatrix>& blocked = outputs == Role::Side::column ? _blocked_by_column : _blocked_by_row;
  if (!blocked)
    blocked.emplace(by(outputs), _value_bytes, outputs == Role::Side::column ? _rows : _columns, edge, parts);
  return *blocked;
}

CompressedView LocalMatrix::view(Compressed& wanted, Compressed& other, LocalIndex outputs) {
  if (_dense) throw InternalError("a dense matrix has no compressed form");
  if (wanted.pointer.empty()) {
    if (other.pointer.empty()) {
      const bool columns = &wanted == &_by_column;
      const Compressed by_input = columns ? compress(_row, _column, _rows) : compress(_column, _row, _columns);
      wanted = transpose(by_input, outputs);
    } else {
      wanted = transpose(other, outputs);
    }
  }
  return {wanted.pointer, wanted.index, _value_bytes == 0 ? nullptr : wanted.value.data()};
}

/// Consumes the entries. Within an output they stay in the order in which they arrived.
LocalMatrix::Compressed LocalMatrix::compress(std::vector<LocalIndex>& output, std::vector<LocalIndex>& input,
                                              LocalIndex outputs) {
  Compressed result;
  result.pointer = count_outputs(output, outputs);
  if (std::is_sorted(output.begin(), output.end())) {  // an edge list in order of its sources, on one worker
    result.index = std::move(input);
    result.value = std::move(_value);
  } else {
    std::vector<std::uint64_t> next(result.pointer.begin(), result.pointer.end() - 1);
    result.index.resize(_nonzeros);
    if (_value_bytes == 0) {
      for (std::size_t k = 0; k < _nonzeros; ++k) result.index[next[output[k]]++] = input[k];
    } else {
      std::vector<std::uint64_t> position(_nonzeros);
      for (std::size_t k = 0; k < _nonzeros; ++k) {
        position[k] = next[output[k]]++;
        result.index[position[k]] = input[k];
      }
      result.value.resize(_value.size());
      scatter(position, _value.data(), result.value.data(), _value_bytes);
    }
  }
  release(output);
  release(input);
  release(_value);
  return result;
}

/// Entries are visited in order of their old outputs, which are the new inputs, and so come out ascending.
LocalMatrix::Compressed LocalMatrix::transpose(const Compressed& from, LocalIndex outputs) const {
  Compressed result;
  result.pointer = count_outputs(from.index, outputs);
  std::vector<std::uint64_t> next(result.pointer.begin(), result.pointer.end() - 1);
  result.index.resize(_nonzeros);
  std::vector<std::uint64_t> position(_value_bytes == 0 ? 0 : _nonzeros);
  for (std::size_t input = 0; input + 1 < from.pointer.size(); ++input)
    for (std::uint64_t k = from.pointer[input]; k < from.pointer[input + 1]; ++k) {
      const std::uint64_t at = next[from.index[k]]++;
      result.index[at] = static_cast<LocalIndex>(input);
      if (_value_bytes != 0) position[k] = at;
    }
  if (_value_bytes != 0) {
    result.value.resize(_nonzeros * _value_bytes);
    scatter(position, from.value.data(), result.value.data(), _value_bytes);
  }
  return result;
}

}  // namespace kasen::partition
