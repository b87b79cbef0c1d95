/// @file
/// Element kernels: map, zip_with and sources as one loop over a tile, instantiated where the primitive is called.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasen/runtime/access.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/lanes.h"
#include "kasen/runtime/operand.h"
#include "kasen/runtime/unmasked.h"

namespace kasen::runtime {

namespace detail {

/// The elements that a loop steps through for an operand; void for operands that are not vectors.
template <class>
struct Stepped {
  using type = void;
};
template <class T>
struct Stepped<VectorOperand<T>> {
  using type = T;
};

/// Whether a loop over the members is unrolled: then vectors can be found among them without the vectorizer of loops.
template <class T>
inline constexpr bool has_few_members = sizeof(T) <= 16 * alignof(T);
template <template <class> class Operand, class T>
constexpr bool has_few(const Operand<T>*) {
  return has_few_members<T>;
}

/// An operand that has the same value at every element.
template <class T>
struct Uniform {
  T value;
  const T& operator[](std::size_t) const { return value; }
};

/// Truth values as bytes: GCC 12 does not vectorise loops that load a bool and make something else of it, nor, as
/// element_loop() knows, some that store one.
struct Truths {
  const unsigned char* at;
  bool operator[](std::size_t k) const { return at[k] != 0; }
};

/// Truth values that are compared as numbers of 8 bytes where that matters. With a zero that it knows, the compiler
/// would compare bytes.
struct WideTruths {
  const unsigned char* at;
  std::uint64_t zero;
  bool operator[](std::size_t k) const {
#ifdef __AVX512F__
    return std::uint64_t{at[k]} != zero;
#else
    return at[k] != 0;
#endif
  }
};

/// An operand as loops over lanes read it, which are of numbers of 8 bytes or not. In vectors of 64 bytes GCC 12 does
/// not compare as few bytes as there are lanes of 8, and then vectorises nothing.
template <bool of_words, class Bound>
auto lane_operand(const Bound& bound) {
  if constexpr (std::is_same_v<Bound, Truths> && of_words) {
    return WideTruths{bound.at, opaque(std::uint64_t{0})};
  } else {
    return bound;
  }
}

/// The elements of a vector as loops read them.
template <class T>
using TileElements = std::conditional_t<std::is_same_v<T, bool> && !kCountAccesses, Truths, Access<const T>>;

template <class T>
TileElements<T> bind_operand(const VectorOperand<T>&, const Tile& tile, std::size_t k) {
  if constexpr (std::is_same_v<TileElements<T>, Truths>) {
    return {static_cast<const unsigned char*>(tile.in[k])};
  } else {
    return access(static_cast<const T*>(tile.in[k]), counter(tile.read, k));
  }
}
template <class T>
Uniform<T> bind_operand(const SharedOperand<T>&, const Tile& tile, std::size_t k) {
  return {*static_cast<const T*>(tile.shared[k])};
}
template <class T>
Uniform<T> bind_operand(const PlainOperand<T>& operand, const Tile&, std::size_t) {
  return {operand.value};
}

/// f(in...), of elements that may be of a function's own making: it may take them by `auto&`.
template <class F, class... In>
[[gnu::always_inline]] inline decltype(auto) of_elements(const F& f, const In&... in) {
  return f(in...);
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
  if constexpr (std::is_same_v<Out, bool> && !kCountAccesses) {
    // As bytes: GCC 12 does not vectorise conditions with both && and || whose result is a bool in memory.
    auto* bytes = reinterpret_cast<unsigned char*>(out);
    KASEN_SIMD
    for (std::uint32_t k = 0; k < n; ++k) bytes[k] = of_elements(f, in[k]...) ? 1 : 0;
  } else {
    KASEN_SIMD
    for (std::uint32_t k = 0; k < n; ++k) out[k] = of_elements(f, in[k]...);
  }
}

/// The number of structs that are computed together: as many as fill vectors of 64 bytes.
template <class Out>
inline constexpr std::size_t kAtOnce = sizeof(Out) % 64 == 0   ? 1
                                       : sizeof(Out) % 32 == 0 ? 2
                                       : sizeof(Out) % 16 == 0 ? 4
                                                               : 8;

template <class Out, class F, class... In>
Out of_copies(const F& f, const In... in) {
  return f(in...);
}

template <class Out, class... Results>
void store(Access<Out> out, std::size_t k, const Results... results) {
  ((out[k++] = results), ...);
}

/// The loop of element_loop over structs, for memberwise().
template <class Out, std::size_t... At, class F, class... Bound>
void struct_loop(std::index_sequence<At...>, const F& function, Access<Out> out, std::uint32_t n, Bound... in) {
  Local<F> f = function;
  const auto at = [&](std::size_t k) { return of_copies<Out>(f, in[k]...); };
  std::size_t k = 0;
  for (; k + sizeof...(At) <= n; k += sizeof...(At)) store<Out>(out, k, at(k + At)...);
  if constexpr (sizeof...(At) > 1) {
    for (; k < n; ++k) out[k] = at(k);
  }
}

template <class Out, class F, class... Operands>
struct ElementFunction {
  static void run(const void* context, const Tile& tile) {
    bound(context, tile, [](const auto&... bound) { element_loop<Out>(bound...); });
  }
  static void over_structs(const void* context, const Tile& tile) {
    bound(context, tile,
          [](const auto&... bound) { struct_loop<Out>(std::make_index_sequence<kAtOnce<Out>>{}, bound...); });
  }

  template <class Loop>
  static void bound(const void* context, const Tile& tile, const Loop& loop) {
    const auto& c = *static_cast<const ElementContext<F, Operands...>*>(context);
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      constexpr auto position = positions<Operands...>();
      loop(c.f, access(static_cast<Out*>(tile.out), tile.written), tile.n,
           bind_operand(std::get<K>(c.operands), tile, position[K])...);
    }
    (std::index_sequence_for<Operands...>{});
  }
};

template <class T>
concept Added = std::is_default_constructible_v<T> && requires(const T& a, const T& b) {
  { a + b } -> std::same_as<T>;
};

/// Whether what such a function makes can be added up as it is made: numbers of numbers, or small structs of numbers,
/// by a function that loops copy. The loop of the latter steps through no structs, and what the function has are no
/// pointers to any, so that loads under masks (unmasked.h) are of numbers.
template <class Out, class F, class... Operands>
constexpr bool has_sum() {
  constexpr bool steps_through_structs =
      ((!std::is_void_v<typename Stepped<Operands>::type> && !std::is_arithmetic_v<typename Stepped<Operands>::type>) ||
       ...);
  if constexpr (!std::is_trivially_copyable_v<F> || steps_through_structs) {
    return false;
  } else if constexpr (std::is_class_v<Out>) {
    return Added<Out> && std::is_empty_v<F> && sizeof(Out) <= 64 && (alignof(Out) == 8 || alignof(Out) == 4);
  } else {
    return std::is_arithmetic_v<Out> && !std::is_same_v<Out, bool>;
  }
}

/// The reduction by + of what an ElementFunction makes, without a buffer between.
template <class Out, class F, class... Operands>
struct SumFunction {
  using State = Partial<std::conditional_t<std::is_arithmetic_v<Out>, WholeLanes<Out>, MemberLanes<Out>>>;
  struct Add {
    Out operator()(const Out& a, const Out& b) const { return static_cast<Out>(a + b); }
  };

  static void begin(const void*, void* lanes) { static_cast<State*>(lanes)->seen = 0; }
  static void fold(const void* context, void* lanes, const Tile& tile) {
    auto& state = *static_cast<State*>(lanes);
    const auto loop = [&state](const F& f, auto, std::uint32_t n, const auto&... bound) {
      const auto value = [f, ... in = lane_operand<alignof(Out) == 8>(bound)](std::size_t k) -> Out {
        return of_elements(f, in[k]...);
      };
      state.fold(Add(), value, n);
    };
    ElementFunction<Out, F, Operands...>::bound(context, tile, loop);
  }
  static bool finish(const void*, void* lanes, void* out) {
    const auto& state = *static_cast<const State*>(lanes);
    ::new (out) Out(state.seen == 0 ? Out{} : state.result(Add()));
    return true;
  }
};

/// Global indices that follow each other, in place of a table.
struct Consecutive {
  GlobalIndex first;
  GlobalIndex operator[](std::size_t k) const { return first + static_cast<GlobalIndex>(k); }
};

template <class T, class F>
struct SourceFunction {
  static void over_structs(const void* context, const Tile& tile) {
    const F& f = *static_cast<const F*>(context);
    const auto out = access(static_cast<T*>(tile.out), tile.written);
    constexpr std::make_index_sequence<kAtOnce<T>> at_once{};
    if (tile.global == nullptr) {
      struct_loop<T>(at_once, f, out, tile.n, Consecutive{tile.first_global});
    } else {
      struct_loop<T>(at_once, f, out, tile.n, access(tile.global, counter(tile.read, 0)));
    }
  }

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

/// The kernel of out[i] = f(operands...) over a tile. `f` is pure and callable through a const reference; a function
/// with side effects runs once per element, but in no particular order and possibly several at a time.
template <class Out, class F, class... Operands>
ElementKernel element_kernel(F f, Operands... operands) {
  using Function = detail::ElementFunction<Out, F, Operands...>;
  ElementKernel kernel;
  kernel.context = context_of(detail::ElementContext<F, Operands...>{std::move(f), {operands...}});
  if constexpr (detail::has_few_members<Out> && (detail::has_few(static_cast<Operands*>(nullptr)) && ...)) {
    kernel.run =
        memberwise<&Function::run, &Function::over_structs, Out, typename detail::Stepped<Operands>::type...>();
  } else {
    kernel.run = unmasked<&Function::run, Out, typename detail::Stepped<Operands>::type...>();
  }
  if constexpr (detail::has_sum<Out, F, Operands...>()) {
    using Sum = detail::SumFunction<Out, F, Operands...>;
    kernel.sum = {sizeof(typename Sum::State), &Sum::begin, &Sum::fold, &Sum::finish};
  }
  return kernel;
}

/// The kernel of out[i] = f(global index of i): constant, iota, random.
template <class T, class F>
ElementKernel source_kernel(F f) {
  using Function = detail::SourceFunction<T, F>;
  ElementKernel kernel;
  kernel.context = context_of(std::move(f));
  if constexpr (detail::has_few_members<T>) {
    kernel.run = memberwise<&Function::run, &Function::over_structs, T>();
  } else {
    kernel.run = unmasked<&Function::run, T>();
  }
  return kernel;
}

}  // namespace kasen::runtime
