/// @file
/// The vectors that matrix kernels of several vectors, or of rows, read: bound to a tile, and called by element.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasen/runtime/access.h"
#include "kasen/runtime/element_kernel.h"
#include "kasen/runtime/operand.h"
#include "kasen/runtime/row_kernel.h"

namespace kasen::runtime::detail {

/// An element that a loop keeps: small ones in registers, large ones where they are.
template <class T>
using Kept = std::conditional_t<sizeof(T) <= 16, const T, const T&>;

/// The first lines of an element: those behind them are followed by the hardware. A call that is not inlined would be
/// left out, as it changes nothing.
template <class T>
[[gnu::always_inline]] inline void prefetch_lines(const T* element, std::size_t bytes) {
  constexpr std::size_t kLine = 64, kMostLines = 4;
  for (std::size_t line = 0; line < kMostLines && line * kLine < bytes; ++line)
    __builtin_prefetch(reinterpret_cast<const std::byte*>(element) + line * kLine);
}

/// `Width` of rows, where a loop knows it; 0: it does not.
template <class Operand, std::size_t Width>
class BoundVector;
template <class T, std::size_t Width>
class BoundVector<VectorOperand<T>, Width> {
 public:
  using Element = Kept<T>;
  BoundVector(const VectorOperand<T>&, const void* vector, AccessCount* count)
      : _elements(access(static_cast<const T*>(vector), count)) {}
  Element operator[](std::size_t k) const { return _elements[k]; }
  [[gnu::always_inline]] void prefetch([[maybe_unused]] std::size_t k) const {
    if constexpr (!kCountAccesses) prefetch_lines(_elements + k, sizeof(T));
  }

 private:
  Access<const T> _elements;
};
template <class T, std::size_t Width>
class BoundVector<RowsOperand<T>, Width> {
 public:
  using Element = const std::span<const T>;
  BoundVector(const RowsOperand<T>& rows, const void* vector, AccessCount* count)
      : _rows{static_cast<const T*>(vector), rows.width, count} {}
  Element operator[](std::size_t k) const { return _rows[k]; }
  [[gnu::always_inline]] void prefetch(std::size_t k) const {
    const std::size_t width = Width > 0 ? Width : _rows.width();
    prefetch_lines(_rows.numbers + k * width, width * sizeof(T));
  }

 private:
  RowAccess<const T, Width> _rows;
};

/// Vectors of a tile, from the one at `first` on; `Operands` is a tuple of VectorOperands and RowsOperands.
template <class Operands, std::size_t Width = 0>
class BoundVectors;
template <class... Operand, std::size_t Width>
class BoundVectors<std::tuple<Operand...>, Width> {
 public:
  using Elements = std::tuple<typename BoundVector<Operand, Width>::Element...>;

  BoundVectors(const std::tuple<Operand...>& operands, const void* const* vectors, AccessCount* const* counters,
               std::size_t first)
      : _vectors(bind(operands, vectors, counters, first, Each{})) {}

  Elements operator[](std::size_t k) const { return elements(k, Each{}); }

  [[gnu::always_inline]] void prefetch(std::size_t k) const { prefetch(k, Each{}); }

 private:
  using Each = std::index_sequence_for<Operand...>;

  template <std::size_t... K>
  static std::tuple<BoundVector<Operand, Width>...> bind(const std::tuple<Operand...>& operands,
                                                         const void* const* vectors,
                                                         [[maybe_unused]] AccessCount* const* counters,
                                                         [[maybe_unused]] std::size_t first,
                                                         std::index_sequence<K...>) {
    return {BoundVector<Operand, Width>(std::get<K>(operands), vectors[first + K], counter(counters, first + K))...};
  }
  template <std::size_t... K>
  [[gnu::always_inline]] void prefetch([[maybe_unused]] std::size_t k, std::index_sequence<K...>) const {
    (std::get<K>(_vectors).prefetch(k), ...);
  }
  template <std::size_t... K>
  Elements elements([[maybe_unused]] std::size_t k, std::index_sequence<K...>) const {
    return Elements(std::get<K>(_vectors)[k]...);
  }

  std::tuple<BoundVector<Operand, Width>...> _vectors;
};

/// f of what belongs to a non-zero: elements of its input, the entry unless over a Pattern (Element = void), elements
/// of its output, and whatever is behind them. Where f returns a reference to one of them, a copy is returned: they may
/// be gone by then.
template <class Element, class F, class In, class Value, class At, class... Behind>
auto at_non_zero(const F& f, const In& in, [[maybe_unused]] const Value& value, const At& at, Behind... behind) {
  return std::apply(
      [&](const auto&... x) -> decltype(auto) {
        return std::apply(
            [&](const auto&... y) -> decltype(auto) {
              if constexpr (std::is_void_v<Element>) {
                return f(x..., y..., behind...);
              } else {
                return f(x..., value, y..., behind...);
              }
            },
            at);
      },
      in);
}

}  // namespace kasen::runtime::detail
