/// @file
/// Parts that all matrix kernels have in common: their context, and f_z at one entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kasen/runtime/access.h"
#include "kasen/runtime/element_kernel.h"

namespace kasen::runtime::detail {

template <class Out, class Fz, class Op>
struct MatrixContext {
  Fz f_z;
  Op op;
  Out identity;
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
};

/// Four partial results of a row, so that additions need not wait for each other.
template <class Out>
struct Partials {
  Out a, b, c, d;
};

}  // namespace kasen::runtime::detail
