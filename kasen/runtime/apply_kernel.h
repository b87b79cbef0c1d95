/// @file
/// Apply kernels, which compute functions of Shareds, and Reducers, by which layers that know no types fold values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasen/base/padding.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/operand.h"
#include "kasen/runtime/unmasked.h"

namespace kasen::runtime {

namespace detail {

template <class F, class... Operands>
struct ApplyContext {
  F f;
  std::tuple<Operands...> operands;
};

template <class T>
const T& value_of(const SharedOperand<T>&, const void* const* in, std::size_t k) {
  return *static_cast<const T*>(in[k]);
}
template <class T>
const T& value_of(const PlainOperand<T>& operand, const void* const*, std::size_t) {
  return operand.value;
}

template <class Out, class F, class... Operands>
struct ApplyFunction {
  static void run(const void* context, const void* const* in, void* out) {
    call(*static_cast<const ApplyContext<F, Operands...>*>(context), in, out, std::index_sequence_for<Operands...>{});
  }

 private:
  template <std::size_t... K>
  static void call(const ApplyContext<F, Operands...>& c, const void* const* in, void* out, std::index_sequence<K...>) {
    constexpr auto position = positions<Operands...>();
    ::new (out) Out(c.f(value_of(std::get<K>(c.operands), in, position[K])...));
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

/// The kernel that computes a Shared from Shareds and plain values.
template <class Out, class F, class... Operands>
ApplyKernel apply_kernel(F f, Operands... operands) {
  using Context = detail::ApplyContext<F, Operands...>;
  ApplyKernel kernel;
  kernel.context = context_of(Context{std::move(f), {operands...}});
  kernel.run = unmasked<&detail::ApplyFunction<Out, F, Operands...>::run, Out, detail::ElementOf<Operands>...>();
  return kernel;
}

/// The Reducer of `op` over T: how partial results are folded, and where a fold starts. The caller adds the type's
/// hash and the name.
template <class T, class Op>
Reducer reducer(Op op, const std::optional<T>& identity = std::nullopt) {
  static_assert(std::is_trivially_copyable_v<T>);
  Reducer result;
  result.type.bytes = sizeof(T);
  result.combine.fold = unmasked<&detail::FoldFunction<T, Op>::run, T>();
  result.combine.context = context_of(std::move(op));
  result.clear_padding = [](void* element) { kasen::clear_padding(*static_cast<T*>(element)); };
  if (identity) {
    // Equal identities must be equal bytes, on every worker: padding is cleared.
    T element = *identity;
    clear_padding(element);
    result.identity.resize(sizeof(T));
    std::memcpy(result.identity.data(), &element, sizeof(T));
  }
  return result;
}

}  // namespace kasen::runtime
