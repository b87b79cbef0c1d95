/// @file
/// Fold kernels: accumulators that the elements of tiles are added to by a step of the user's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasen/runtime/access.h"
#include "kasen/runtime/element_kernel.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/lanes.h"
#include "kasen/runtime/row_kernel.h"
#include "kasen/runtime/unmasked.h"

namespace kasen::runtime {

namespace detail {

/// Whether a step changes the accumulator where it is, instead of returning the next one.
template <class A, class Step, class... In>
inline constexpr bool changes_in_place = std::is_void_v<std::invoke_result_t<const Step&, A&, const In&...>>;

template <class A, class Step, class... In>
[[gnu::always_inline]] inline void take_step(const Step& step, A& accumulator, const In&... in) {
  if constexpr (changes_in_place<A, Step, In...>) {
    step(accumulator, in...);
  } else {
    accumulator = step(accumulator, in...);
  }
}

/// What a loop takes of an operand at each element. Small values are copied first, so that stores to the accumulator
/// cannot change them; copies of larger ones would be made in memory, and read from there.
template <class T>
inline constexpr bool is_copied = sizeof(T) <= 64;
template <class>
struct Taken;
template <class T>
struct Taken<VectorOperand<T>> {
  using type = std::conditional_t<is_copied<T>, T, const T&>;
  using Bound = TileElements<T>;
};
template <class T>
struct Taken<RowsOperand<T>> {
  using type = std::span<const T>;
  using Bound = RowAccess<const T>;
};
template <template <class> class Operand, class T>
struct Taken<Operand<T>> {
  using type = const T&;
  using Bound = std::conditional_t<is_copied<T>, Uniform<T>, Uniform<const T&>>;
};

/// Whether accumulators have lanes: numbers, and small structs whose members can be in vectors, but not arrays, of
/// which a step changes one element or another.
template <class A>
constexpr bool has_lanes() {
  constexpr bool is_array = requires(A & a) { a[0]; };
  if constexpr (std::is_class_v<A>) {
    return !is_array && std::is_default_constructible_v<A> && sizeof(A) <= 64 && (alignof(A) == 8 || alignof(A) == 4);
  } else {
    return std::is_arithmetic_v<A>;
  }
}

/// Lanes that each start with the initial accumulator. Element i of the walk is of lane i % kLanes, whatever tiles it
/// comes in; at the end they are merged in ascending order.
template <class A>
struct LaneAccumulators {
  using Lanes = std::conditional_t<std::is_arithmetic_v<A>, WholeLanes<A>, MemberLanes<A>>;
  static constexpr std::size_t kCount = kLanes<A>;

  std::uint64_t seen;
  Lanes lanes;

  void begin(const A& init) {
    seen = 0;
    for (std::size_t at = 0; at < kCount; ++at) lanes.set(at, init);
  }
  /// `value(k)` is a tuple of the elements at k.
  template <class Step, class Value>
  void fold(const Step& step, const Value& value, std::size_t n) {
    const auto op = [&step](A accumulator, const auto& elements) {
      std::apply([&](const auto&... in) { take_step(step, accumulator, in...); }, elements);
      return accumulator;
    };
    for (std::size_t k = 0; k < n;) {
      const std::size_t at = seen % kCount;
      if (at == 0 && k + 2 * kCount <= n) {
        const std::size_t end = n - (n - k) % kCount;
        fold_rounds(op, lanes, value, k, end);
        seen += end - k;
        k = end;
      } else {
        lanes.set(at, op(lanes.get(at), value(k)));
        ++seen;
        ++k;
      }
    }
  }
  template <class Merge>
  A result(const Merge& merge) const {
    const std::size_t used = std::min<std::uint64_t>(seen, kCount);
    A all = lanes.get(0);
    for (std::size_t at = 1; at < used; ++at) all = merge(all, lanes.get(at));
    return all;
  }
};

/// One accumulator, which takes the elements in the order of the walk. A small one is local to the loop, as one written
/// by hand is: then it is known that nothing else is changed through it.
template <class A>
struct OneAccumulator {
  static constexpr bool kIsLocal = sizeof(A) <= 2048;
  A accumulator;

  void begin(const A& init) { accumulator = init; }
  template <class Step, class Value>
  void fold(const Step& step, Value value, std::size_t n) {
    const auto take = [&](A& all) {
      for (std::size_t k = 0; k < n; ++k) {
        std::apply([&](const auto&... in) { take_step(step, all, in...); }, value(k));
      }
    };
    if constexpr (kIsLocal) {
      A local = accumulator;
      take(local);
      accumulator = local;
    } else {
      take(accumulator);
    }
  }
  template <class Merge>
  A result(const Merge&) const {
    return accumulator;
  }
};

template <class A, class Step, class Merge, class... Operands>
struct FoldContext {
  A init;
  Step step;
  Merge merge;
  std::tuple<Operands...> operands;
};

template <class A, class Step, class Merge, class... Operands>
struct StepFunction {
  using Context = FoldContext<A, Step, Merge, Operands...>;
  using State = std::conditional_t<has_lanes<A>(), LaneAccumulators<A>, OneAccumulator<A>>;

  static void begin(const void* context, void* lanes) {
    (::new (lanes) State)->begin(static_cast<const Context*>(context)->init);
  }
  static void fold(const void* context, void* lanes, const Tile& tile) {
    const auto& c = *static_cast<const Context*>(context);
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      constexpr auto position = positions<Operands...>();
      const auto loop = [&](const typename Taken<Operands>::Bound... in) {
        Local<Step> step = c.step;
        const auto value = [... in = lane_operand < has_lanes<A>() && alignof(A) == 8 > (in)](std::size_t k) {
          return std::tuple<typename Taken<Operands>::type...>(in[k]...);
        };
        static_cast<State*>(lanes)->fold(step, value, tile.n);
      };
      loop(bound<Operands>(std::get<K>(c.operands), tile, position[K])...);
    }
    (std::index_sequence_for<Operands...>{});
  }
  template <class Operand>
  static typename Taken<Operand>::Bound bound(const Operand& operand, const Tile& tile, std::size_t position) {
    using T = ElementOf<Operand>;
    if constexpr (is_vector<Operand>) {
      return bind_operand(operand, tile, position);
    } else if constexpr (is_shared<Operand>) {
      return {*static_cast<const T*>(tile.shared[position])};
    } else {
      return {operand.value};
    }
  }
  static bool finish(const void* context, void* lanes, void* out) {
    ::new (out) A(static_cast<const State*>(lanes)->result(static_cast<const Context*>(context)->merge));
    return true;
  }
};

}  // namespace detail

/// The kernel of step(accumulator, operands...) for every element, from `init` on, which is the identity of `merge`.
template <class A, class Step, class Merge, class... Operands>
FoldKernel fold_kernel(A init, Step step, Merge merge, Operands... operands) {
  using Function = detail::StepFunction<A, Step, Merge, Operands...>;
  using Context = typename Function::Context;
  FoldKernel kernel;
  kernel.context = context_of(Context{init, std::move(step), std::move(merge), {operands...}});
  kernel.lanes_bytes = sizeof(typename Function::State);
  kernel.begin = &Function::begin;
  // A loop over lanes steps through words, as that of SumFunction does.
  constexpr bool steps_through_words = detail::has_lanes<A>() && std::is_empty_v<Step>;
  using Accumulator = std::conditional_t<steps_through_words, void, A>;
  kernel.fold = unmasked<&Function::fold, Accumulator, typename detail::Stepped<Operands>::type...>();
  kernel.finish = unmasked<&Function::finish, A>();
  return kernel;
}

}  // namespace kasen::runtime
