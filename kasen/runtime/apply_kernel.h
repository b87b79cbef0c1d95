/// @file
/// Functions of Shareds, and reducers: how partial results of a functor are folded by layers that know no types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "kasen/base/padding.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/unmasked.h"

namespace kasen::runtime {

namespace detail {

template <class Out, class F, class... In>
struct ApplyFunction {
  static void run(const void* context, const void* const* in, void* out) {
    call(*static_cast<const F*>(context), in, out, std::index_sequence_for<In...>{});
  }

 private:
  template <std::size_t... K>
  static void call(const F& f, [[maybe_unused]] const void* const* in, void* out, std::index_sequence<K...>) {
    ::new (out) Out(f(*static_cast<const In*>(in[K])...));
  }
};

template <class T, class Op>
struct FoldFunction {
  static void run(const void* context, void* into, const std::uint32_t* index, const void* from, std::size_t n) {
    const Op& op = *static_cast<const Op*>(context);
    T* to = static_cast<T*>(into);
    const T* partial = static_cast<const T*>(from);
    if (index == nullptr) {
      for (std::size_t k = 0; k < n; ++k) to[k] = op(to[k], partial[k]);
    } else {
      for (std::size_t k = 0; k < n; ++k) to[index[k]] = op(to[index[k]], partial[k]);
    }
  }
};

}  // namespace detail

/// A Shared computed from Shareds.
template <class Out, class F, class... In>
ApplyKernel apply_kernel(F f) {
  ApplyKernel kernel;
  kernel.context = std::make_shared<const F>(std::move(f));
  kernel.run = unmasked<&detail::ApplyFunction<Out, F, In...>::run, Out, In...>();
  return kernel;
}

/// How partial results of `op` over T are folded, and where a fold starts. The caller adds the type's hash and the
/// name.
template <class T, class Op>
Reducer reducer(Op op, const std::optional<T>& identity = std::nullopt) {
  static_assert(std::is_trivially_copyable_v<T>);
  Reducer result;
  result.type.bytes = sizeof(T);
  result.combine.fold = unmasked<&detail::FoldFunction<T, Op>::run, T>();
  result.combine.context = std::make_shared<const Op>(std::move(op));
  if (identity) {
    // Equal identities are equal bytes, on every worker: what lies between the members does not count.
    T element = *identity;
    clear_padding(element);
    result.identity.resize(sizeof(T));
    std::memcpy(result.identity.data(), &element, sizeof(T));
  }
  return result;
}

}  // namespace kasen::runtime
