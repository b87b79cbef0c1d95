/// @file
/// Kernels over rows, whose width is known when a program is recorded: element work that reads or writes rows, or reads
/// whole vectors; keyed reductions and takes of rows; and their reducers, number by number.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasen/base/rows_view.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/element_kernel.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/key_kernel.h"
#include "kasen/runtime/operand.h"
#include "kasen/runtime/unmasked.h"

namespace kasen::runtime {

/// A row for each element of the tile: the next of Tile::in, as a span.
template <class T>
struct RowsOperand {
  std::uint64_t width;
};
/// All elements of a vector: the next of the first of Tile::in, as a span.
template <class T>
struct WholeOperand {
  std::uint64_t length;
};
/// All rows, as a RowsView.
template <class T>
struct WholeRowsOperand {
  std::uint64_t length, width;
};

namespace detail {

template <class T>
inline constexpr bool is_vector<RowsOperand<T>> = true;

/// Operands that are no single values.
template <class>
inline constexpr bool is_of_rows = false;
template <class T>
inline constexpr bool is_of_rows<RowsOperand<T>> = true;
template <class T>
inline constexpr bool is_of_rows<WholeOperand<T>> = true;
template <class T>
inline constexpr bool is_of_rows<WholeRowsOperand<T>> = true;

template <class>
inline constexpr bool is_whole = false;
template <class T>
inline constexpr bool is_whole<WholeOperand<T>> = true;
template <class T>
inline constexpr bool is_whole<WholeRowsOperand<T>> = true;

/// Rows by element, each counted as one. Width: what a loop knows of `any_width`; 0: nothing.
template <class T, std::size_t Width = 0>
struct RowAccess {
  T* numbers;
  std::size_t any_width;
  AccessCount* count;
  constexpr std::size_t width() const { return Width > 0 ? Width : any_width; }
  std::span<T> operator[](std::size_t k) const {
    if (kCountAccesses && count != nullptr) ++*count;
    return {numbers + k * width(), width()};
  }
};

template <class T>
RowAccess<const T> bind_operand(const RowsOperand<T>& operand, const Tile& tile, std::size_t k) {
  return {static_cast<const T*>(tile.in[k]), operand.width, counter(tile.read, k)};
}
template <class T>
Uniform<std::span<const T>> bind_operand(const WholeOperand<T>& operand, const Tile& tile, std::size_t k) {
  return {{static_cast<const T*>(tile.in[k]), operand.length}};
}
template <class T>
Uniform<RowsView<T>> bind_operand(const WholeRowsOperand<T>& operand, const Tile& tile, std::size_t k) {
  return {{static_cast<const T*>(tile.in[k]), operand.length, operand.width}};
}

/// For each operand, to what it is bound: wholes come first in Tile::in.
template <class... Operands>
constexpr std::array<std::size_t, sizeof...(Operands) + 1> positions_behind_wholes() {
  std::array<std::size_t, sizeof...(Operands) + 1> result{};
  std::size_t k = 0, wholes = 0, vectors = (std::size_t{is_whole<Operands>} + ... + 0), shareds = 0;
  const auto next = [&](bool whole, bool vector) { return whole ? wholes++ : vector ? vectors++ : shareds++; };
  ((result[k++] = next(is_whole<Operands>, is_vector<Operands>)), ...);
  return result;
}

/// out[k] = f(operands...), where some operands are of rows.
template <class Out, class F, class... Operands>
struct RowFunction {
  static void run(const void* context, const Tile& tile) {
    const auto& c = *static_cast<const ElementContext<F, Operands...>*>(context);
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      constexpr auto position = positions_behind_wholes<Operands...>();
      loop(c.f, access(static_cast<Out*>(tile.out), tile.written), tile.n,
           bind_operand(std::get<K>(c.operands), tile, position[K])...);
    }
    (std::index_sequence_for<Operands...>{});
  }

 private:
  template <class... Bound>
  static void loop(const F& f, Access<Out> out, std::uint32_t n, const Bound... in) {
    for (std::uint32_t k = 0; k < n; ++k) out[k] = of_elements(f, in[k]...);
  }
};

/// Rows of so many numbers live on the stack, where the compiler sees who reads them. All of it is there whatever a
/// loop knows of the width: a function for rows of six numbers is compiled for rows of four, too.
inline constexpr std::size_t kFewNumbers = 64;

/// A row between what writes it and what combines it: wide ones on the heap, kept, as steps allocate nothing in later
/// iterations.
template <class T, std::size_t Width = 0>
class MadeRow {
 public:
  explicit MadeRow(std::uint64_t width) {
    if constexpr (Width == 0) _wide = width > kFewNumbers ? on_heap(width) : _few;
  }
  MadeRow(const MadeRow&) = delete;
  MadeRow& operator=(const MadeRow&) = delete;
  T* numbers() { return Width > 0 ? _few : _wide; }

 private:
  static T* on_heap(std::uint64_t width) {
    thread_local std::vector<T> numbers;
    if (numbers.size() < width) numbers.resize(width);
    return numbers.data();
  }

  alignas(64) T _few[kFewNumbers] = {};
  T* _wide = nullptr;
};

/// f(operands..., row), where the row is what is made. Where that takes the place of a row that is read, it is made
/// apart and copied, narrow rows several at a time.
template <class T, class F, class... Operands>
struct MakeRowFunction {
  struct Context {
    F f;
    std::tuple<Operands...> operands;
    std::uint64_t width;
  };

  static void run(const void* context, const Tile& tile) {
    const auto& c = *static_cast<const Context*>(context);
    const RowAccess<T> out{static_cast<T*>(tile.out), c.width, tile.written};
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      constexpr auto position = positions_behind_wholes<Operands...>();
      const bool in_place = ((is_vector<Operands> && tile.in[position[K]] == tile.out) || ... || false);
      (in_place
           ? &apart<Bound<Operands>...>
           : &loop<Bound<Operands>...>)(c.f, out, tile.n, bind_operand(std::get<K>(c.operands), tile, position[K])...);
    }
    (std::index_sequence_for<Operands...>{});
  }

 private:
  template <class Operand>
  using Bound = decltype(bind_operand(std::declval<const Operand&>(), std::declval<const Tile&>(), std::size_t{}));

  template <class... In>
  static void loop(const F& f, RowAccess<T> out, std::uint32_t n, const In... in) {
    for (std::uint32_t k = 0; k < n; ++k) of_elements(f, in[k]..., out[k]);
  }
  template <class... In>
  static void apart(const F& f, RowAccess<T> out, std::uint32_t n, const In... in) {
    const std::size_t width = out.width();
    MadeRow<T> made(width);
    const auto at_once = static_cast<std::uint32_t>(std::max<std::size_t>(1, kFewNumbers / width));
    for (std::uint32_t first = 0; first < n; first += at_once) {
      const std::uint32_t end = std::min(n, first + at_once);
      T* numbers = made.numbers();
      for (std::uint32_t k = first; k < end; ++k, numbers += width) {
        of_elements(f, in[k]..., std::span<T>(numbers, width));
      }
      // Rows are next to each other; each is counted as written.
      for (std::uint32_t k = first + 1; kCountAccesses && k < end; ++k) static_cast<void>(out[k]);
      std::memcpy(out[first].data(), made.numbers(), (end - first) * width * sizeof(T));
    }
  }
};

template <class T, class Key, class Op>
struct ReduceRowsByKeyFunction {
  struct Context {
    Op op;
    std::uint64_t width;
  };

  static std::uint32_t run(const void* context, const KeyTile& tile) {
    if (const std::uint32_t wrong = first_too_large<Key>(tile); wrong < tile.n) return wrong;
    const auto& c = *static_cast<const Context*>(context);
    Local<Op> op = c.op;
    const std::uint64_t width = c.width;
    const auto key = access(static_cast<const Key*>(tile.key), tile.keys_read);
    const RowAccess<const T> in{static_cast<const T*>(tile.in), width, tile.elements_read};
    T* const table = static_cast<T*>(tile.table);
    for (std::uint32_t k = 0; k < tile.n; ++k) {
      const Key at = key[k];
      const T* const from = in[k].data();
      if (is_none(at)) continue;
      T* const to = table + static_cast<std::size_t>(at) * width;
      KASEN_SIMD
      for (std::uint64_t i = 0; i < width; ++i) to[i] = op(to[i], from[i]);
    }
    return tile.n;
  }
};

template <class T, class Key>
struct TakeRowsFunction {
  struct Context {
    T otherwise;
    std::uint64_t width;
  };

  /// One row of the vector is counted for each key, one that is none included.
  static std::uint32_t run(const void* context, const KeyTile& tile) {
    if (const std::uint32_t wrong = first_too_large<Key>(tile); wrong < tile.n) return wrong;
    const auto& c = *static_cast<const Context*>(context);
    const auto key = access(static_cast<const Key*>(tile.key), tile.keys_read);
    const T* const taken = static_cast<const T*>(tile.taken);
    const RowAccess<T> out{static_cast<T*>(tile.out), c.width, tile.written};
    for (std::uint32_t k = 0; k < tile.n; ++k) {
      const Key at = key[k];
      const std::span<T> to = out[k];
      if (is_none(at)) {
        for (T& number : to) number = c.otherwise;
      } else {
        const std::size_t place = tile.number == nullptr ? static_cast<std::size_t>(at) : tile.number[at];
        std::memcpy(to.data(), taken + place * c.width, c.width * sizeof(T));
      }
    }
    if (kCountAccesses && tile.elements_read != nullptr) *tile.elements_read += tile.n;
    return tile.n;
  }
};

template <class T, class Op>
struct FoldRowsFunction {
  struct Context {
    Op op;
    std::uint64_t width;
  };

  static void run(const void* context, void* into, const std::uint32_t* index, const void* from, std::size_t n) {
    const auto& c = *static_cast<const Context*>(context);
    Local<Op> op = c.op;
    const T* partial = static_cast<const T*>(from);
    for (std::size_t k = 0; k < n; ++k, partial += c.width) {
      T* const to = static_cast<T*>(into) + (index == nullptr ? k : index[k]) * c.width;
      KASEN_SIMD
      for (std::uint64_t i = 0; i < c.width; ++i) to[i] = op(to[i], partial[i]);
    }
  }
};

}  // namespace detail

/// The kernel of out[i] = f(operands...) over a tile, with rows or wholes among the operands.
template <class Out, class F, class... Operands>
ElementKernel row_kernel(F f, Operands... operands) {
  using Context = detail::ElementContext<F, Operands...>;
  ElementKernel kernel;
  kernel.context = context_of(Context{std::move(f), {operands...}});
  kernel.run =
      unmasked<&detail::RowFunction<Out, F, Operands...>::run, Out, typename detail::Stepped<Operands>::type...>();
  return kernel;
}

/// The kernel of f(operands..., row) over a tile, which writes rows of this width.
template <class T, class F, class... Operands>
ElementKernel make_row_kernel(std::uint64_t width, F f, Operands... operands) {
  using Function = detail::MakeRowFunction<T, F, Operands...>;
  using Context = typename Function::Context;
  ElementKernel kernel;
  kernel.context = context_of(Context{std::move(f), {operands...}, width});
  kernel.run = unmasked<&Function::run, typename detail::Stepped<Operands>::type...>();
  return kernel;
}

/// The kernel of table[key[k]] = op(table[key[k]], v[k]) number by number, in this order.
template <class T, class Key, class Op>
KeyKernel reduce_rows_by_key_kernel(Op op, std::uint64_t width) {
  using Function = detail::ReduceRowsByKeyFunction<T, Key, Op>;
  return detail::key_kernel<Key, T, Function>(typename Function::Context{std::move(op), width});
}

/// The kernel of out[k] = w[key[k]], or a row of `otherwise` where there is no key.
template <class T, class Key>
KeyKernel take_rows_kernel(T otherwise, std::uint64_t width) {
  using Function = detail::TakeRowsFunction<T, Key>;
  return detail::key_kernel<Key, T, Function>(typename Function::Context{otherwise, width});
}

/// How rows of this width are reduced by `op`, which reduces numbers: number by number.
template <class T, class Op>
Combine combine_rows(Op op, std::uint64_t width) {
  using Function = detail::FoldRowsFunction<T, Op>;
  using Context = typename Function::Context;
  return {&Function::run, context_of(Context{std::move(op), width})};
}

}  // namespace kasen::runtime
