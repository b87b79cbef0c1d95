/// @file
/// Compressed forms by stable counting sorts: the first from the entries by way of its transpose, unless they come in
/// its order or in that of its transpose, further ones from what there is then; all come out with ascending inputs.

#include "partition/local_matrix.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "comm/free_memory.h"
#include "kasen/base/error.h"
#include "kasen/base/release.h"

namespace kasen::partition {

using Form = MatrixStorage::Form;

namespace {

/// The parts of the entries that are sorted by output up to the end of each round: little of the first ones exists
/// twice, and once they have gone there is room for more.
constexpr std::array kRounds{0.125, 0.375, 1.0};

/// By output its first entry, behind a 0: place(output) moves it on, and turns all into offsets (outputs + 1).
class Places {
 public:
  Places(std::span<const LocalIndex> output, LocalIndex outputs) : _next(std::size_t{outputs} + 1) {
    for (const LocalIndex j : output) ++_next[std::size_t{j} + 1];
    std::exclusive_scan(_next.begin() + 1, _next.end(), _next.begin() + 1, std::uint64_t{0});
  }
  std::uint64_t place(LocalIndex output) { return _next[std::size_t{output} + 1]++; }
  void place_all(std::uint64_t entries) {
    std::move(_next.begin() + 1, _next.end(), _next.begin());
    _next.back() = entries;
  }
  /// The outputs that have about this part of `entries`: up to which one.
  LocalIndex outputs_with(double part, std::uint64_t entries) const {
    const auto first = static_cast<std::uint64_t>(part * static_cast<double>(entries));
    return static_cast<LocalIndex>(std::lower_bound(_next.begin() + 1, _next.end(), first) - _next.begin()) - 1;
  }
  LargeVector<std::uint64_t> take() { return std::move(_next); }

 private:
  LargeVector<std::uint64_t> _next;
};

template <std::size_t bytes>
void scatter_fixed(std::span<const LocalIndex> output, LargeVector<std::uint64_t> next, const std::byte* from,
                   std::byte* into) {
  for (std::size_t k = 0; k < output.size(); ++k)
    std::memcpy(into + next[output[k]]++ * bytes, from + k * bytes, bytes);
}

/// Values in the order of entries to values by output, which begin at `pointer`; those of an output stay in order.
/// Sizes known to the compiler are moved by one instruction.
void scatter(std::span<const LocalIndex> output, LargeVector<std::uint64_t> pointer, const std::byte* from,
             std::byte* into, std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return scatter_fixed<1>(output, std::move(pointer), from, into);
    case 4:
      return scatter_fixed<4>(output, std::move(pointer), from, into);
    case 8:
      return scatter_fixed<8>(output, std::move(pointer), from, into);
    case 16:
      return scatter_fixed<16>(output, std::move(pointer), from, into);
    default:
      for (std::size_t k = 0; k < output.size(); ++k)
        std::memcpy(into + pointer[output[k]]++ * bytes, from + k * bytes, bytes);
  }
}

/// Entries by output, of which one in so many may be in outputs whose inputs do not ascend: these are sorted alone.
constexpr std::uint64_t kFewUnsorted = 8;

/// Whether outputs ascend, and the inputs of most of them.
bool is_in_order(std::span<const LocalIndex> output, std::span<const LocalIndex> input) {
  std::uint64_t unsorted = 0;
  for (std::size_t begin = 0; begin < output.size();) {
    bool ascend = true;
    std::size_t k = begin + 1;
    for (; k < output.size() && output[k] == output[begin]; ++k) ascend = ascend && input[k - 1] <= input[k];
    if (k < output.size() && output[k] < output[begin]) return false;
    if (!ascend) unsorted += k - begin;
    begin = k;
  }
  return kFewUnsorted * unsorted <= output.size();
}

/// Sorts the inputs of each output that do not ascend; equal ones stay in their order.
void sort_inputs(Compressed& form, std::uint32_t value_bytes) {
  std::vector<std::uint64_t> order;
  std::vector<LocalIndex> index;
  std::vector<std::byte> value;
  for (std::size_t output = 0; output + 1 < form.pointer.size(); ++output) {
    const std::uint64_t first = form.pointer[output], count = form.pointer[output + 1] - first;
    const std::span<LocalIndex> inputs = std::span(form.index).subspan(first, count);
    if (std::is_sorted(inputs.begin(), inputs.end())) continue;
    order.resize(count);
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return inputs[a] < inputs[b]; });
    index.assign(inputs.begin(), inputs.end());
    const std::span<std::byte> values = value_bytes == 0
                                            ? std::span<std::byte>()
                                            : std::span(form.value).subspan(first * value_bytes, count * value_bytes);
    value.assign(values.begin(), values.end());
    for (std::size_t k = 0; k < count; ++k) {
      inputs[k] = index[order[k]];
      if (value_bytes > 0) std::memcpy(&values[k * value_bytes], &value[order[k] * value_bytes], value_bytes);
    }
  }
}

constexpr std::array kSides{Role::Side::row, Role::Side::column};

Role::Side other(Role::Side side) { return side == Role::Side::row ? Role::Side::column : Role::Side::row; }

}  // namespace

LocalMatrix::LocalMatrix(LocalIndex rows, LocalIndex columns, RawVector<LocalIndex> row, RawVector<LocalIndex> column,
                         RawVector<std::byte> value, std::uint32_t value_bytes)
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

void LocalMatrix::require_indices(LocalIndex rows, std::uint32_t batches) {
  constexpr std::uint64_t kMost = std::numeric_limits<LocalIndex>::max();
  if (std::uint64_t{rows} * batches <= kMost) return;
  throw InputError(std::to_string(batches) + " batches of " + std::to_string(rows) +
                   " rows on one worker, its own and those of others that it needs, are more than " +
                   std::to_string(kMost) + " rows");
}

/// Entries are numbered by batch and row, which covering() changes, so that the form is made at once.
LocalMatrix::LocalMatrix(LocalIndex rows, LocalIndex columns, RawVector<LocalIndex> row, RawVector<LocalIndex> column,
                         RawVector<std::byte> value, std::uint32_t value_bytes, std::span<const std::uint32_t> batch,
                         std::uint32_t batches)
    : LocalMatrix(rows, columns, std::move(row), std::move(column), std::move(value), value_bytes) {
  _batches = batches;
  for (std::size_t k = 0; k < batch.size(); ++k) _row[k] += batch[k] * rows;
  storage(Role::Side::row, Form::compressed).compressed = make_compressed(Role::Side::row);
  storage(Role::Side::column, Form::compressed).compressed.reset();  // which may have come into being on the way
}

void LocalMatrix::cover_batches(LocalIndex rows) {
  LargeVector<std::uint64_t>& pointer = storage(Role::Side::row, Form::compressed).compressed->pointer;
  LargeVector<std::uint64_t> wider;
  wider.reserve(std::size_t{rows} * _batches + 1);
  for (std::uint32_t b = 0; b < _batches; ++b) {
    const auto first = pointer.begin() + std::ptrdiff_t{b} * _rows;
    wider.insert(wider.end(), first, first + _rows);
    wider.resize(wider.size() + (rows - _rows), *(first + _rows));
  }
  wider.push_back(_nonzeros);
  pointer = std::move(wider);
}

void LocalMatrix::covering(LocalIndex rows, LocalIndex columns) {
  if (_batches > 0) {
    if (rows != _rows) cover_batches(rows);
    _rows = rows;
    _columns = columns;
    return;
  }
  _rows = rows;
  _columns = columns;
  for (const Role::Side outputs : kSides) {
    std::optional<Compressed>& compressed = storage(outputs, Form::compressed).compressed;
    if (compressed) compressed->pointer.resize(std::size_t{extent(outputs)} + 1, _nonzeros);
    std::optional<StencilMatrix>& stencils = storage(outputs, Form::stencils).stencils;
    if (stencils) stencils->covering(extent(outputs));
  }
}

std::size_t LocalMatrix::position(const MatrixStorage& storage) {
  return (storage.outputs == Role::Side::column ? 1u : 0u) + 2 * static_cast<std::size_t>(storage.form);
}

/// The storage, which is about to be walked.
LocalMatrix::Storage& LocalMatrix::asked_for(Role::Side outputs, Form form) {
  if (_dense) throw InternalError("a dense matrix has no compressed form");
  if (_batches > 0 && (form != Form::compressed || outputs == Role::Side::column))
    throw InternalError("a matrix in batches is compressed by rows alone");
  Storage& wanted = storage(outputs, form);
  wanted.idle = 0;
  wanted.asked = true;
  wanted.stays = wanted.stays || wanted.dropped;
  return wanted;
}

CompressedView LocalMatrix::by(Role::Side outputs) {
  asked_for(outputs, Form::compressed);
  return compressed(outputs);
}

CompressedView LocalMatrix::batch(std::uint32_t number) {
  CompressedView view = by_row();
  view.pointer = view.pointer.subspan(std::size_t{number} * _rows, std::size_t{_rows} + 1);
  return view;
}

const BlockedMatrix& LocalMatrix::blocked(Role::Side outputs, std::uint32_t edge, std::uint32_t parts) {
  std::optional<BlockedMatrix>& blocked = asked_for(outputs, Form::blocks).blocked;
  if (blocked) return *blocked;
  blocked.emplace(compressed(outputs), _value_bytes, extent(other(outputs)), edge, parts);
  drop_source(outputs);
  return *blocked;
}

const StencilMatrix& LocalMatrix::stencils(Role::Side outputs) {
  std::optional<StencilMatrix>& stencils = asked_for(outputs, Form::stencils).stencils;
  if (stencils) return *stencils;
  stencils.emplace(compressed(outputs), _value_bytes);
  drop_source(outputs);
  return *stencils;
}

/// The compressed form that another storage was made of, unless it was asked for itself.
void LocalMatrix::drop_source(Role::Side outputs) {
  Storage& made_of = storage(outputs, Form::compressed);
  if (!made_of.asked) made_of.compressed.reset();
}

bool LocalMatrix::walk(std::span<const MatrixStorage> walked, std::uint64_t walks,
                       std::span<const MatrixStorage> needed) {
  bool any = false;
  for (const Role::Side outputs : kSides) {
    for (const Form form : kMatrixForms) {
      const MatrixStorage name{outputs, form};
      Storage& one = storage(outputs, form);
      if (!one.exists()) continue;
      one.idle = std::find(walked.begin(), walked.end(), name) == walked.end() ? one.idle + walks : 0;
      if (one.stays || one.idle < kWalksOfStorage) continue;
      if (std::find(needed.begin(), needed.end(), name) != needed.end()) continue;
      one.compressed.reset();
      one.blocked.reset();
      one.stencils.reset();
      one.dropped = one.asked;  // what came into being on the way may not have on other workers
      any = true;
    }
  }
  return any;
}

bool LocalMatrix::drop_unasked(std::span<const MatrixStorage> needed) {
  bool any = false;
  std::size_t left = storages().size();
  for (const Role::Side outputs : kSides) {
    Storage& one = storage(outputs, Form::compressed);
    if (!one.compressed || one.asked || left == 1) continue;
    if (std::find(needed.begin(), needed.end(), MatrixStorage{outputs}) != needed.end()) continue;
    one.compressed.reset();
    any = true;
    --left;
  }
  return any;
}

std::vector<MatrixStorage> LocalMatrix::storages() const {
  std::vector<MatrixStorage> all;
  for (const Role::Side outputs : kSides) {
    for (const Form form : kMatrixForms) {
      if (_storages[position({outputs, form})].exists()) all.push_back({outputs, form});
    }
  }
  return all;
}

CompressedView LocalMatrix::compressed(Role::Side outputs) {
  if (_dense) throw InternalError("a dense matrix has no compressed form");
  std::optional<Compressed>& wanted = storage(outputs, Form::compressed).compressed;
  if (!wanted) wanted = make_compressed(outputs);
  return {wanted->pointer, wanted->index, _value_bytes == 0 ? nullptr : wanted->value.data()};
}

/// From whatever there is.
Compressed LocalMatrix::make_compressed(Role::Side outputs) {
  const Role::Side inputs = other(outputs);
  if (const auto& blocked = storage(outputs, Form::blocks).blocked)
    return blocked->compressed(_value_bytes, extent(outputs));
  if (const auto& stencils = storage(outputs, Form::stencils).stencils)
    return stencils->compressed(_value_bytes, extent(outputs));
  if (const auto& by_input = storage(inputs, Form::compressed).compressed) return transpose(*by_input, extent(outputs));
  if (const auto& blocked = storage(inputs, Form::blocks).blocked)
    return blocked->transposed(_value_bytes, extent(outputs));
  if (const auto& stencils = storage(inputs, Form::stencils).stencils)
    return transpose(stencils->compressed(_value_bytes, extent(inputs)), extent(outputs));
  const bool columns = outputs == Role::Side::column;
  RawVector<LocalIndex>&output = columns ? _column : _row, &input = columns ? _row : _column;
  if (is_in_order(output, input)) {
    Compressed made = compress(output, input, extent(outputs));
    sort_inputs(made, _value_bytes);
    return made;
  }
  if (!is_in_order(input, output)) return transpose_consumed(compress(input, output, extent(inputs)), extent(outputs));
  Compressed made = compress(input, output, extent(inputs));
  sort_inputs(made, _value_bytes);
  // It has cost nothing, and so is worth keeping until it is known what is walked.
  const Compressed& by_input = storage(inputs, Form::compressed).compressed.emplace(std::move(made));
  return transpose(by_input, extent(outputs));
}

/// Consumes the entries. Within an output they stay in the order in which they arrived.
Compressed LocalMatrix::compress(RawVector<LocalIndex>& output, RawVector<LocalIndex>& input, LocalIndex outputs) {
  Compressed result;
  Places places(output, outputs);
  if (std::is_sorted(output.begin(), output.end())) {  // an edge list in order of its sources, on one worker
    result.index = std::move(input);
    result.value = std::move(_value);
    comm::move_to_large_pages(std::as_writable_bytes(std::span(result.index)));
    comm::move_to_large_pages(result.value);
    places.place_all(_nonzeros);
  } else {
    result.index.resize(_nonzeros);
    std::size_t left = _nonzeros;
    for (const double part : kRounds) {
      if (part < 1 && _value_bytes != 0) continue;  // values follow in the order of all entries
      const LocalIndex end = part < 1 ? places.outputs_with(part, _nonzeros) : outputs;
      std::size_t kept = 0;
      for (std::size_t k = 0; k < left; ++k) {
        if (output[k] < end) {
          result.index[places.place(output[k])] = input[k];
        } else {
          output[kept] = output[k];
          input[kept++] = input[k];
        }
      }
      left = kept;
      if (part < 1) {
        for (RawVector<LocalIndex>* const side : {&output, &input})
          comm::discard(std::as_writable_bytes(std::span(*side).subspan(left)));
      }
    }
  }
  result.pointer = places.take();
  release(input);
  if (_value_bytes != 0 && result.value.empty()) {
    result.value.resize(_value.size());
    scatter(output, result.pointer, _value.data(), result.value.data(), _value_bytes);
  }
  release(output);
  release(_value);
  return result;
}

/// The same as transpose(), in rounds after which what has been visited is given back.
Compressed LocalMatrix::transpose_consumed(Compressed from, LocalIndex outputs) const {
  if (_value_bytes != 0) return transpose(from, outputs);
  Compressed result;
  Places places(from.index, outputs);
  result.index.resize(_nonzeros);
  for (const double part : kRounds) {
    const LocalIndex end = part < 1 ? places.outputs_with(part, _nonzeros) : outputs;
    std::uint64_t kept = 0, k = 0;
    for (std::size_t input = 0; input + 1 < from.pointer.size(); ++input) {
      for (; k < from.pointer[input + 1]; ++k) {
        if (from.index[k] < end) {
          result.index[places.place(from.index[k])] = static_cast<LocalIndex>(input);
        } else {
          from.index[kept++] = from.index[k];
        }
      }
      from.pointer[input + 1] = kept;
    }
    comm::discard(std::as_writable_bytes(std::span(from.index).subspan(kept)));
  }
  result.pointer = places.take();
  return result;
}

/// Entries are visited in order of their old outputs, which are the new inputs, and so come out ascending.
Compressed LocalMatrix::transpose(const Compressed& from, LocalIndex outputs) const {
  Compressed result;
  Places places(from.index, outputs);
  result.index.resize(_nonzeros);
  for (std::size_t input = 0; input + 1 < from.pointer.size(); ++input)
    for (std::uint64_t k = from.pointer[input]; k < from.pointer[input + 1]; ++k)
      result.index[places.place(from.index[k])] = static_cast<LocalIndex>(input);
  result.pointer = places.take();
  if (_value_bytes != 0) {
    result.value.resize(_nonzeros * _value_bytes);
    scatter(from.index, result.pointer, from.value.data(), result.value.data(), _value_bytes);
  }
  return result;
}

}  // namespace kasen::partition
