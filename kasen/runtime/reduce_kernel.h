/// @file
/// Reduction kernels: a fixed number of partial results ("lanes"), so that a compiler may fold several elements at once
/// although floating point forbids it to reorder.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "kasen/runtime/access.h"
#include "kasen/runtime/element_kernel.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/unmasked.h"

namespace kasen::runtime {

/// Number of lanes of a reduction: as many as hide the latency of an addition, in eight vector registers of 32 bytes,
/// or of 64 where structs are added member by member.
template <class T>
inline constexpr std::uint32_t kLanes = std::is_arithmetic_v<T> ? std::clamp<std::uint32_t>(256 / sizeof(T), 16, 64)
                                                                : std::clamp<std::uint32_t>(512 / sizeof(T), 4, 32);

namespace detail {

template <class T, class Op>
struct ReduceContext {
  Op op;
  std::optional<T> identity;
};

/// The partial results. Element i of the walk belongs to lane i % kLanes, whatever tiles it comes in: the result
/// depends on the order of elements only. Lanes start with their first element, so that no identity is needed.
template <class T>
struct Lanes {
  std::uint64_t seen;
  alignas(64) T lane[kLanes<T>];
};

template <class T, class Op>
struct ReduceFunction {
  using Context = ReduceContext<T, Op>;
  static constexpr std::size_t kCount = kLanes<T>;

  static void begin(const void*, void* lanes) { static_cast<Lanes<T>*>(lanes)->seen = 0; }

  static void fold(const void* context, void* lanes, const Tile& tile) {
    Local<Op> op = static_cast<const Context*>(context)->op;
    auto& state = *static_cast<Lanes<T>*>(lanes);
    const auto in = access(static_cast<const T*>(tile.in[0]), counter(tile.read, 0));
    const std::size_t n = tile.n;
    std::size_t k = 0;
    for (; k < n && state.seen < kCount; ++k) state.lane[state.seen++] = in[k];
    std::size_t at = state.seen % kCount;
    state.seen += n - k;
    for (; k < n && at % kCount != 0; ++k, ++at) state.lane[at] = op(state.lane[at], in[k]);
    if (k + kCount <= n) k = fold_blocks(op, state, in, k, n);
    for (at = 0; k < n; ++k, ++at) state.lane[at] = op(state.lane[at], in[k]);
  }

  static bool finish(const void* context, void* lanes, void* out) {
    const auto& c = *static_cast<const Context*>(context);
    const auto& state = *static_cast<const Lanes<T>*>(lanes);
    if (state.seen == 0) {
      if (c.identity) ::new (out) T(*c.identity);
      return c.identity.has_value();
    }
    const std::size_t used = std::min<std::uint64_t>(state.seen, kCount);
    T result = state.lane[0];
    for (std::size_t at = 1; at < used; ++at) result = c.op(result, state.lane[at]);
    ::new (out) T(result);
    return true;
  }

 private:
  /// Folds whole rounds over the lanes, at least one, in a local copy that a compiler can keep in registers.
  static std::size_t fold_blocks(const Op& op, Lanes<T>& state, Access<const T> in, std::size_t k, std::size_t n) {
    alignas(64) T lane[kCount];
    KASEN_SIMD
    for (std::size_t at = 0; at < kCount; ++at) lane[at] = state.lane[at];
    do {
      KASEN_SIMD
      for (std::size_t at = 0; at < kCount; ++at) lane[at] = op(lane[at], in[k + at]);
      k += kCount;
    } while (k + kCount <= n);
    KASEN_SIMD
    for (std::size_t at = 0; at < kCount; ++at) state.lane[at] = lane[at];
    return k;
  }
};

}  // namespace detail

/// The kernel that reduces a vector by `op`; without identity the reduction of nothing has no value.
template <class T, class Op>
ReduceKernel reduce_kernel(Op op, std::optional<T> identity = std::nullopt) {
  using Function = detail::ReduceFunction<T, Op>;
  ReduceKernel kernel;
  kernel.context = std::make_shared<const detail::ReduceContext<T, Op>>(
      detail::ReduceContext<T, Op>{std::move(op), std::move(identity)});
  kernel.lanes_bytes = sizeof(detail::Lanes<T>);
  kernel.begin = &Function::begin;
  kernel.fold = unmasked<&Function::fold, T>();
  kernel.finish = unmasked<&Function::finish, T>();
  return kernel;
}

}  // namespace kasen::runtime
