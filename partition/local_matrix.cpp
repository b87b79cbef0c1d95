/// @file
/// Compressed forms by stable counting sorts: the first from the entries by way of its transpose, further ones from
/// what there is then; all come out with ascending inputs.

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

constexpr std::array kSides{Role::Side::row, Role::Side::column};

Role::Side other(Role::Side side) { return side == Role::Side::row ? Role::Side::column : Role::Side::row; }

}  // namespace

LocalMatrix::LocalMatrix(LocalIndex rows, LocalIndex columns, RawVector<LocalIndex> row, RawVector<LocalIndex> column,
                         std::vector<std::byte> value, std::uint32_t value_bytes)
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
  for (const Role::Side outputs : kSides) {
    std::optional<Compressed>& compressed = storage(outputs, false).compressed;
    if (compressed) compressed->pointer.resize(std::size_t{extent(outputs)} + 1, _nonzeros);
  }
}

std::size_t LocalMatrix::position(const MatrixStorage& storage) {
  return (storage.outputs == Role::Side::column ? 1u : 0u) + (storage.in_blocks ? 2u : 0u);
}

/// The storage, which is about to be walked.
LocalMatrix::Storage& LocalMatrix::asked_for(Role::Side outputs, bool in_blocks) {
  if (_dense) throw InternalError("a dense matrix has no compressed form");
  Storage& wanted = storage(outputs, in_blocks);
  wanted.idle = 0;
  wanted.stays = wanted.stays || wanted.dropped;
  return wanted;
}

CompressedView LocalMatrix::by(Role::Side outputs) {
  asked_for(outputs, false);
  return compressed(outputs);
}

const BlockedMatrix& LocalMatrix::blocked(Role::Side outputs, std::uint32_t edge, std::uint32_t parts) {
  std::optional<BlockedMatrix>& blocked = asked_for(outputs, true).blocked;
  if (!blocked) blocked.emplace(compressed(outputs), _value_bytes, extent(other(outputs)), edge, parts);
  return *blocked;
}

bool LocalMatrix::walk(std::span<const MatrixStorage> walked, std::uint64_t walks,
                       std::span<const MatrixStorage> needed) {
  bool any = false;
  for (const Role::Side outputs : kSides) {
    for (const bool in_blocks : {false, true}) {
      const MatrixStorage name{outputs, in_blocks};
      Storage& one = storage(outputs, in_blocks);
      if (!one.exists()) continue;
      one.idle = std::find(walked.begin(), walked.end(), name) == walked.end() ? one.idle + walks : 0;
      if (one.stays || one.idle < kWalksOfStorage) continue;
      if (std::find(needed.begin(), needed.end(), name) != needed.end()) continue;
      one.compressed.reset();
      one.blocked.reset();
      any = one.dropped = true;
    }
  }
  return any;
}

std::vector<MatrixStorage> LocalMatrix::storages() const {
  std::vector<MatrixStorage> all;
  for (const Role::Side outputs : kSides) {
    for (const bool in_blocks : {false, true}) {
      if (_storages[position({outputs, in_blocks})].exists()) all.push_back({outputs, in_blocks});
    }
  }
  return all;
}

CompressedView LocalMatrix::compressed(Role::Side outputs) {
  if (_dense) throw InternalError("a dense matrix has no compressed form");
  std::optional<Compressed>& wanted = storage(outputs, false).compressed;
  if (!wanted) wanted = make_compressed(outputs);
  return {wanted->pointer, wanted->index, _value_bytes == 0 ? nullptr : wanted->value.data()};
}

/// From whatever there is.
Compressed LocalMatrix::make_compressed(Role::Side outputs) {
  const Role::Side inputs = other(outputs);
  if (const auto& blocked = storage(outputs, true).blocked) return blocked->compressed(_value_bytes, extent(outputs));
  if (const auto& by_input = storage(inputs, false).compressed) return transpose(*by_input, extent(outputs));
  if (const auto& blocked = storage(inputs, true).blocked)
    return transpose(blocked->compressed(_value_bytes, extent(inputs)), extent(outputs));
  const bool columns = outputs == Role::Side::column;
  return transpose(columns ? compress(_row, _column, _rows) : compress(_column, _row, _columns), extent(outputs));
}

/// Consumes the entries. Within an output they stay in the order in which they arrived.
Compressed LocalMatrix::compress(RawVector<LocalIndex>& output, RawVector<LocalIndex>& input, LocalIndex outputs) {
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
Compressed LocalMatrix::transpose(const Compressed& from, LocalIndex outputs) const {
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
