/// @file
/// Reduction kernels: lanes that the elements of tiles are folded into.
#pragma once

#include <cstddef>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "kasen/runtime/access.h"
#include "kasen/runtime/element_kernel.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/lanes.h"
#include "kasen/runtime/unmasked.h"

namespace kasen::runtime {

namespace detail {

template <class T, class Op>
struct ReduceContext {
  Op op;
  std::optional<T> identity;
};

template <class T, class Op>
struct ReduceFunction {
  using Context = ReduceContext<T, Op>;
  using State = Partial<WholeLanes<T>>;

  static void begin(const void*, void* lanes) { static_cast<State*>(lanes)->seen = 0; }

  static void fold(const void* context, void* lanes, const Tile& tile) {
    Local<Op> op = static_cast<const Context*>(context)->op;
    const auto in = access(static_cast<const T*>(tile.in[0]), counter(tile.read, 0));
    static_cast<State*>(lanes)->fold(
        op, [in](std::size_t k) -> const T& { return in[k]; }, tile.n);
  }

  static bool finish(const void* context, void* lanes, void* out) {
    const auto& c = *static_cast<const Context*>(context);
    const auto& state = *static_cast<const State*>(lanes);
    if (state.seen == 0) {
      if (c.identity) ::new (out) T(*c.identity);
      return c.identity.has_value();
    }
    ::new (out) T(state.result(c.op));
    return true;
  }
};

}  // namespace detail

/// The kernel that reduces a vector by `op`; without identity the reduction of nothing has no value.
template <class T, class Op>
ReduceKernel reduce_kernel(Op op, std::optional<T> identity = std::nullopt) {
  using Function = detail::ReduceFunction<T, Op>;
  ReduceKernel kernel;
  kernel.context = context_of(detail::ReduceContext<T, Op>{std::move(op), std::move(identity)});
  kernel.lanes_bytes = sizeof(typename Function::State);
  kernel.begin = &Function::begin;
  kernel.fold = unmasked<&Function::fold, T>();
  kernel.finish = unmasked<&Function::finish, T>();
  return kernel;
}

}  // namespace kasen::runtime
