/// @file
/// Lanes of reductions: a fixed number of partial results, so that a compiler may fold several elements at once
/// although floating point forbids it to reorder.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "kasen/runtime/access.h"

namespace kasen::runtime {

/// Number of lanes of a reduction: as many as hide the latency of an addition, in eight vector registers of 32 bytes,
/// or of 64 where structs are added member by member; a power of two, so that they fill vectors of any width.
template <class T>
inline constexpr std::uint32_t kLanes = std::bit_floor(std::is_arithmetic_v<T>
                                                           ? std::clamp<std::uint32_t>(256 / sizeof(T), 16, 64)
                                                           : std::clamp<std::uint32_t>(512 / sizeof(T), 4, 32));

namespace detail {

/// Lanes as an array of elements.
template <class T>
struct WholeLanes {
  using Element = T;
  static constexpr bool kOfNumbers = std::is_arithmetic_v<T>;
  alignas(64) T lane[kLanes<T>];
  const T& get(std::size_t at) const { return lane[at]; }
  void set(std::size_t at, const T& value) { lane[at] = value; }
};

/// Lanes as an array for each member of a struct: what is computed of all lanes takes its members from vectors as they
/// are, without permutations.
template <class T>
struct MemberLanes {
  using Element = T;
  static constexpr bool kOfNumbers = true;
  using Member = std::conditional_t<alignof(T) == 8, std::uint64_t, std::uint32_t>;
  static constexpr std::size_t kMembers = sizeof(T) / sizeof(Member);
  alignas(64) Member lane[kMembers][kLanes<T>];
  [[gnu::always_inline]] T get(std::size_t at) const { return joined(at, std::make_index_sequence<kMembers>{}); }
  [[gnu::always_inline]] void set(std::size_t at, const T& value) {
    split(at, value, std::make_index_sequence<kMembers>{});
  }

 private:
  // With loops or calls here, the loop over lanes would not be vectorised.
  template <std::size_t... M>
  [[gnu::always_inline]] T joined(std::size_t at, std::index_sequence<M...>) const {
    T value{};
    auto* bytes = reinterpret_cast<std::byte*>(&value);
    (std::memcpy(bytes + M * sizeof(Member), &lane[M][at], sizeof(Member)), ...);
    return value;
  }
  template <std::size_t... M>
  [[gnu::always_inline]] void split(std::size_t at, const T& value, std::index_sequence<M...>) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    (std::memcpy(&lane[M][at], bytes + M * sizeof(Member), sizeof(Member)), ...);
  }
};

/// A function of its own, as objects in the loops themselves would be arrays, one object for each of a vector. It is
/// inlined however large `value` is: what a loop calls it does not vectorise.
template <class Op, class Lanes, class Value>
[[gnu::always_inline]] inline void step_lane(const Op& op, Lanes& to, const Lanes& from, std::size_t at,
                                             const Value& value, std::size_t k) {
  to.set(at, op(from.get(at), value(k + at)));
}

/// Folds value(k) to value(end - 1), whole rounds over the lanes, at least two, in a local copy that a compiler can
/// keep in registers. Of numbers there is no copying: the first round reads the lanes, the last one writes them. Copies
/// are made in pieces of another size than the vectors', and a processor waits for what it cannot forward from stores
/// to such a load. `value` is by value, as its pointers might else change with every store.
template <class Op, class Lanes, class Value>
[[gnu::always_inline]] inline void fold_rounds(const Op& op, Lanes& lanes, Value value, std::size_t k,
                                               std::size_t end) {
  constexpr std::size_t kCount = kLanes<typename Lanes::Element>;
  Lanes part;
  if constexpr (Lanes::kOfNumbers) {
    KASEN_SIMD
    for (std::size_t at = 0; at < kCount; ++at) step_lane(op, part, lanes, at, value, k);
    for (k += kCount; k + kCount < end; k += kCount) {
      KASEN_SIMD
      for (std::size_t at = 0; at < kCount; ++at) step_lane(op, part, part, at, value, k);
    }
    KASEN_SIMD
    for (std::size_t at = 0; at < kCount; ++at) step_lane(op, lanes, part, at, value, k);
  } else {
    KASEN_SIMD
    for (std::size_t at = 0; at < kCount; ++at) part.lane[at] = lanes.lane[at];
    for (; k < end; k += kCount) {
      KASEN_SIMD
      for (std::size_t at = 0; at < kCount; ++at) part.lane[at] = op(part.lane[at], value(k + at));
    }
    KASEN_SIMD
    for (std::size_t at = 0; at < kCount; ++at) lanes.lane[at] = part.lane[at];
  }
}

/// The partial results. Element i of the walk belongs to lane i % kLanes, whatever tiles it comes in: the result
/// depends on the order of elements only. Lanes start with their first element, so that no identity is needed.
template <class Lanes>
struct Partial {
  using T = typename Lanes::Element;
  static constexpr std::size_t kCount = kLanes<T>;

  std::uint64_t seen = 0;
  Lanes lanes;

  /// Folds value(0) to value(n - 1).
  template <class Op, class Value>
  void fold(const Op& op, const Value& value, std::size_t n) {
    std::size_t k = 0;
    while (k < n) {
      const std::size_t at = seen % kCount;
      if (at == 0 && seen > 0 && k + 2 * kCount <= n) {
        const std::size_t end = n - (n - k) % kCount;
        fold_rounds(op, lanes, value, k, end);
        seen += end - k;
        k = end;
      } else {
        const T next = value(k);
        lanes.set(at, seen < kCount ? next : op(lanes.get(at), next));
        ++seen;
        ++k;
      }
    }
  }

  /// The result of at least one element.
  template <class Op>
  T result(const Op& op) const {
    const std::size_t used = std::min<std::uint64_t>(seen, kCount);
    T sum = lanes.get(0);
    for (std::size_t at = 1; at < used; ++at) sum = op(sum, lanes.get(at));
    return sum;
  }
};

}  // namespace detail

}  // namespace kasen::runtime
