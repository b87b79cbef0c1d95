/// @file
/// Matrix kernels that pull through a matrix of stencils: out[j] = op over the entries e of j's stencil of
/// f_z(in[j + offset[e]], value[e]).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kasen/runtime/access.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/matrix_term.h"
#include "kasen/runtime/unmasked.h"

namespace kasen::runtime::detail {

/// Computes one tile of any number of MxVs, one after the other: stencils stay in the nearest cache. Neighbouring
/// outputs of a run have neighbouring inputs, so that each pass over a run adds some entries to its outputs, in
/// vectors. An output starts at the identity, and its entries are taken in the order of the compressed form.
template <class Out, class In, class Element, class Fz, class Op>
class StencilFunction {
  using Context = MatrixContext<Out, Fz, Op>;
  using Term = MatrixTerm<Out, In, Element, Fz>;
  static constexpr std::uint32_t kAtOnce = 5;  ///< entries of a pass but the first, which has what is left over

 public:
  static void run(const void* context, const StencilTile& tile) {
    const auto& c = *static_cast<const Context*>(context);
    for (std::uint32_t k = 0; k < tile.vectors; ++k) {
      const StencilRun* run = tile.matrix.runs;
      for (std::uint32_t j = 0; j < tile.n; ++run) {
        const LocalIndex at = tile.first + j;
        const std::uint32_t n = std::min(run[1].first - at, tile.n - j);
        const std::uint32_t entry = tile.matrix.pointer[run->stencil], end = tile.matrix.pointer[run->stencil + 1];
        const bool counts = kCountAccesses && k == 0 && tile.entries != nullptr;
        if (counts && run->first == at && entry < end) *tile.entries += 1 + end - entry;
        StencilFunction(c, tile, k, j, n).sum(entry, end);
        j += n;
      }
    }
  }

 private:
  StencilFunction(const Context& context, const StencilTile& tile, std::uint32_t k, std::uint32_t j, std::uint32_t n)
      : _context(context),
        _value(tile.matrix.value),
        _in(static_cast<const In*>(tile.in[k]) + (std::ptrdiff_t{tile.first} + j)),
        _out(static_cast<Out*>(tile.out[k]) + j),
        _offset(tile.matrix.offset),
        _read(counter(tile.read, k)),
        _written(counter(tile.written, k)),
        _n(n) {}

  void sum(std::uint32_t entry, std::uint32_t end) const {
    if (entry == end) {
      const auto out = access(_out, _written);
      for (std::uint32_t i = 0; i < _n; ++i) out[i] = _context.identity;
      return;
    }
    const std::uint32_t first = (end - entry - 1) % kAtOnce + 1;
    if (first == 1) add<true>(entry, std::make_index_sequence<0>());
    if (first == 2) add<true>(entry, std::make_index_sequence<1>());
    if (first == 3) add<true>(entry, std::make_index_sequence<2>());
    if (first == 4) add<true>(entry, std::make_index_sequence<3>());
    if (first == 5) add<true>(entry, std::make_index_sequence<4>());
    for (entry += first; entry < end; entry += kAtOnce) add<false>(entry, std::make_index_sequence<kAtOnce - 1>());
  }

  /// Adds `entry` and the sizeof...(E) ones after it to the outputs, or if it is the first, makes them.
  template <bool IsFirst, std::size_t... E>
  void add(std::uint32_t entry, std::index_sequence<E...>) const {
    const Local<Op> op = _context.op;
    // Copies, which a compiler knows not to change as outputs do.
    const typename Term::Value values[] = {_value[entry], _value[entry + 1 + E]...};
    const Term term{_context.f_z, values};
    const auto input = [&](std::uint32_t e) { return access(_in + _offset[e], _read); };
    const Access<const In> x = input(entry);
    [[maybe_unused]] const Access<const In> next[] = {input(entry + 1 + E)..., x};
    const auto out = access(_out, IsFirst ? _written : nullptr);
    const Out identity = _context.identity;
    const auto sum_at = [&](std::uint32_t i) __attribute__((always_inline)) {
      Out sum = op(IsFirst ? identity : out[i], term(x, i, 0));
      ((sum = op(sum, term(next[E], i, E + 1))), ...);
      return sum;
    };
    const std::uint32_t n = _n;
    if constexpr (is_struct<Out> || is_struct<In> || is_struct<Element>) {  // which are not to have masks (unmasked.h)
      for (std::uint32_t i = 0; i < n; ++i) out[i] = sum_at(i);
    } else {
      KASEN_SIMD
      for (std::uint32_t i = 0; i < n; ++i) out[i] = sum_at(i);
    }
  }

  const Context& _context;
  EntryValues<Element> _value;
  const In* _in;
  Out* _out;
  const std::int64_t* _offset;
  AccessCount *_read, *_written;
  std::uint32_t _n;
};

}  // namespace kasen::runtime::detail
