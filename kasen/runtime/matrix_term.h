/// @file
/// Parts that all matrix kernels have in common: their context, and f_z at one entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kasen/runtime/access.h"
#include "kasen/runtime/element_kernel.h"

namespace kasen::runtime::detail {

/// The value, of which a compiler does not know any more how it was made. Where products and sums are contracted (fused
/// multiply-add) it otherwise may do so in one loop and not in the next: if one makes products in vectors and adds them
/// one by one, or has the sum in both branches of a condition.
template <class T>
[[gnu::always_inline]] inline T settled(T value) {
#if defined(__GNUC__) && defined(__x86_64__)
  if constexpr (std::is_floating_point_v<T> && sizeof(T) <= sizeof(double)) {
    asm("" : "+x"(value));
    return value;
  }
#endif
#if defined(__GNUC__)
  if constexpr (!std::is_integral_v<T>) asm("" : "+m"(value));
#endif
  return value;
}

template <class Out, class Fz, class Op>
struct MatrixContext {
  Fz f_z;
  Op op;
  Out identity;
};

/// The values of entries; over a Pattern (Element = void), which has none, one that says nothing.
template <class Element>
class EntryValues {
 public:
  using Value = std::conditional_t<std::is_void_v<Element>, std::byte, Element>;

  explicit EntryValues(const void* values) : _values(static_cast<const Value*>(values)) {}
  decltype(auto) operator[]([[maybe_unused]] std::uint64_t entry) const {
    if constexpr (std::is_void_v<Element>) {
      return Value();
    } else {
      return (_values[entry]);
    }
  }

 private:
  const Value* _values;
};

/// Computes f_z at one entry from the vector's element and the entry.
template <class Out, class In, class Element, class Fz>
struct MatrixTerm {
  using Value = std::conditional_t<std::is_void_v<Element>, std::byte, Element>;

  Local<Fz> f_z;
  const Value* value;

  Out of(const In& x, [[maybe_unused]] std::uint64_t entry) const {
    if constexpr (std::is_void_v<Element>) {
      return f_z(x);
    } else {
      return f_z(x, value[entry]);
    }
  }
  Out operator()(const Access<const In>& in, std::uint32_t index, std::uint64_t entry) const {
    return of(in[index], entry);
  }
  /// The same for sums that have to be rounded alike wherever they are made. What a function takes as it is needs no
  /// settling.
  [[gnu::always_inline]] Out settled(const Access<const In>& in, std::uint32_t index, std::uint64_t entry) const {
    return kComputes ? detail::settled<Out>(of(in[index], entry)) : of(in[index], entry);
  }

 private:
  static constexpr bool kComputes = [] {
    if constexpr (requires { Fz::returns_first(std::size_t{2}); }) {
      return !Fz::returns_first(std::is_void_v<Element> ? 1 : 2);
    } else {
      return true;
    }
  }();
};

/// Four partial results of a row, so that additions need not wait for each other.
template <class Out>
struct Partials {
  Out a, b, c, d;
};

}  // namespace kasen::runtime::detail
