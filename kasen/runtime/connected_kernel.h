/// @file
/// Kernels of an MxV that passes elements on to all that is connected with them: best[set[i]] = op(best[set[i]],
/// f(x[i])), where f gives an element as it is or as one that equals it, and then y[i] = op(y[i], best[set[i]]).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "kasen/runtime/access.h"
#include "kasen/runtime/element_set.h"
#include "kasen/runtime/kernel.h"

namespace kasen::runtime {

namespace detail {

template <class T, class F, class Op>
struct ConnectedFunction {
  /// By their bits, so that nan is like itself.
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
  static bool differ(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) != 0; }

  static void collect(Spreading& spreading, LocalIndex first, LocalIndex n) {
    const F f{};
    const Op op{};
    const auto x = access(static_cast<const T*>(spreading.in), spreading.read);
    T* const best = static_cast<T*>(spreading.best);
    for (LocalIndex i = first; i < first + n; ++i) {
      const LocalIndex set = spreading.set[i];
      const T before = best[set], after = op(before, f(x[i]));
      if (!differ(before, after)) continue;
      best[set] = after;
      spreading.better->insert(set);
    }
  }

  static void spread(Spreading& spreading, LocalIndex first, LocalIndex n) {
    const Op op{};
    const auto so_far = access(static_cast<const T*>(spreading.out), spreading.read);
    const auto y = access(static_cast<T*>(spreading.out), spreading.written);
    const T* const best = static_cast<const T*>(spreading.best);
    const LocalIndex end = first + n;
    for (LocalIndex word = first; word < end;) {
      const LocalIndex next = word + std::min(end - word, static_cast<LocalIndex>(ElementSet::kBits));
      std::uint64_t told = 0, changed = 0;
      for (LocalIndex i = word; i < next; ++i) {
        const LocalIndex set = spreading.set[i];
        if (!spreading.better->contains(set)) continue;
        const T before = so_far[i], after = op(before, best[set]);
        y[i] = after;
        told |= std::uint64_t{1} << (i - word);
        changed |= std::uint64_t{differ(before, after)} << (i - word);
      }
      spreading.elements += static_cast<std::uint64_t>(std::popcount(told));
      if (word < spreading.masters) {
        spreading.settled->insert_word(word, told);
        spreading.reached->insert_word(word, changed);
      }
      word = next;
    }
  }
};

}  // namespace detail

/// Adds to the kernels of an MxV those that pass elements on as they are.
/// @tparam T what it reads and makes  @tparam F gives of an element the one to pass on; without state, as Op
template <class T, class F, class Op>
void add_connected(MatrixKernel& kernel) {
  kernel.collect = &detail::ConnectedFunction<T, F, Op>::collect;
  kernel.spread = &detail::ConnectedFunction<T, F, Op>::spread;
}

}  // namespace kasen::runtime
