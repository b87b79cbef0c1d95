/// @file
/// Element kernels: map, zip_with and sources as one loop over a tile, instantiated where the primitive is called.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasen/runtime/access.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/unmasked.h"

namespace kasen::runtime {

/// The operands of an element kernel, in the order of the function's parameters.
template <class T>
struct VectorOperand {};  ///< one element per element of the tile: the next of Tile::in
template <class T>
struct SharedOperand {};  ///< one value per tile: the next of Tile::shared
template <class T>
struct PlainOperand {  ///< a value of the call
  T value;
};

namespace detail {

template <class>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<VectorOperand<T>> = true;
template <class>
inline constexpr bool is_shared = false;
template <class T>
inline constexpr bool is_shared<SharedOperand<T>> = true;

/// What a loop over operand k steps through; of others nothing.
template <class>
struct Stepped {
  using type = void;
};
template <class T>
struct Stepped<VectorOperand<T>> {
  using type = T;
};

/// What operand k is bound to: the number of operands of its kind before it.
template <class... Operands>
constexpr std::array<std::size_t, sizeof...(Operands) + 1> positions() {
  std::array<std::size_t, sizeof...(Operands) + 1> result{};
  std::size_t k = 0, vectors = 0, shareds = 0;
  ((result[k++] = is_vector<Operands> ? vectors : shareds, vectors += is_vector<Operands>,
    shareds += is_shared<Operands>),
   ...);
  return result;
}

/// The same value at every element.
template <class T>
struct Uniform {
  T value;
  const T& operator[](std::size_t) const { return value; }
};

template <class T>
Access<const T> bind(const VectorOperand<T>&, const Tile& tile, std::size_t k) {
  return access(static_cast<const T*>(tile.in[k]), counter(tile.read, k));
}
template <class T>
Uniform<T> bind(const SharedOperand<T>&, const Tile& tile, std::size_t k) {
  return {*static_cast<const T*>(tile.shared[k])};
}
template <class T>
Uniform<T> bind(const PlainOperand<T>& operand, const Tile&, std::size_t) {
  return {operand.value};
}

/// A function as a loop uses it: a copy if that is free of side effects, so that what it captured stays in registers.
template <class F>
using Local = std::conditional_t<std::is_trivially_copyable_v<F>, const F, const F&>;

template <class F, class... Operands>
struct ElementContext {
  F f;
  std::tuple<Operands...> operands;
};

template <class Out, class F, class... Bound>
void element_loop(const F& function, Access<Out> out, std::uint32_t n, Bound... in) {
  Local<F> f = function;
  KASEN_SIMD
  for (std::uint32_t k = 0; k < n; ++k) out[k] = f(in[k]...);
}

template <class Out, class F, class... Operands>
struct ElementFunction {
  static void run(const void* context, const Tile& tile) {
    loop(*static_cast<const ElementContext<F, Operands...>*>(context), tile, std::index_sequence_for<Operands...>{});
  }

 private:
  template <std::size_t... K>
  static void loop(const ElementContext<F, Operands...>& context, const Tile& tile, std::index_sequence<K...>) {
    constexpr auto position = positions<Operands...>();
    element_loop<Out>(context.f, access(static_cast<Out*>(tile.out), tile.written), tile.n,
                      bind(std::get<K>(context.operands), tile, position[K])...);
  }
};

template <class T, class F>
struct SourceFunction {
  static void run(const void* context, const Tile& tile) {
    Local<F> f = *static_cast<const F*>(context);
    const auto out = access(static_cast<T*>(tile.out), tile.written);
    const std::uint32_t n = tile.n;
    if (tile.global == nullptr) {
      const GlobalIndex first = tile.first_global;
      KASEN_SIMD
      for (std::uint32_t k = 0; k < n; ++k) out[k] = f(first + static_cast<GlobalIndex>(k));
    } else {
      const auto global = access(tile.global, counter(tile.read, 0));
      KASEN_SIMD
      for (std::uint32_t k = 0; k < n; ++k) out[k] = f(global[k]);
    }
  }
};

}  // namespace detail

/// out[i] = f(operands...) over a tile. `f` is pure and callable through a const reference; a function with side
/// effects runs once per element, but in no particular order and possibly several at a time.
template <class Out, class F, class... Operands>
Kernel element_kernel(F f, Operands... operands) {
  Kernel kernel;
  kernel.context = std::make_shared<const detail::ElementContext<F, Operands...>>(
      detail::ElementContext<F, Operands...>{std::move(f), {operands...}});
  kernel.element =
      unmasked<&detail::ElementFunction<Out, F, Operands...>::run, Out, typename detail::Stepped<Operands>::type...>();
  return kernel;
}

/// out[i] = f(global index of i): constant, iota, random.
template <class T, class F>
Kernel source_kernel(F f) {
  Kernel kernel;
  kernel.context = std::make_shared<const F>(std::move(f));
  kernel.element = unmasked<&detail::SourceFunction<T, F>::run, T>();
  return kernel;
}

}  // namespace kasen::runtime
