/// @file
/// What is wrong with the functions and operands of a call that takes arguments of their kinds: mistakes that types
/// show.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>

#include "kasen/detail/call_kinds.h"
#include "kasen/function.h"

namespace kasen::detail {

enum class Mistake : std::uint8_t {
  none,
  // of functions of elements
  by_pointer,
  is_member,
  is_mutable,
  is_move_only,
  not_callable,
  returns_nothing,
  returns_handle,
  returns_no_element,
  no_symbols,
  // of operands
  function_first,
  late_vector,
  several_vectors,
  has_matrix,
  has_vector,
  no_shared,
  no_plain_value,
  early_width,
  laws_of_rows,
  has_whole,
  returns_beside_row,
  // of products
  not_of_pattern,
  not_of_entries,
  not_of_ends,
  not_of_numbers,
  makes_no_numbers,
  no_identity,
  // of reducing functions
  has_state,
  reduces_nothing,
  plus_of_bool,
  logical_of_numbers,
  plus_of_array,
  not_of_rows,
  not_of_two,
  reduces_to_another_type,
  // of folds
  not_a_step,
  steps_to_another_type,
  steps_on_a_copy
};

template <class>
inline constexpr bool kIsStdArray = false;
template <class T, std::size_t N>
inline constexpr bool kIsStdArray<std::array<T, N>> = true;
/// Called through a pointer that is known when the program runs.
template <class F>
inline constexpr bool kIsCalledByPointer = std::is_function_v<std::remove_pointer_t<F>>;
template <class Result, class... A>
inline constexpr bool kIsCalledByPointer<std::function<Result(A...)>> = true;

template <class>
inline constexpr bool kIsSpan = false;
template <class T, std::size_t N>
inline constexpr bool kIsSpan<std::span<T, N>> = true;

/// Of a function that is called with values of types A.
template <class F, class... A>
constexpr Mistake function_mistake() {
  if constexpr (!std::is_copy_constructible_v<F>) {
    return Mistake::is_move_only;
  } else if constexpr (!std::is_invocable_v<const F&, const A&...>) {
    return std::is_invocable_v<F&, const A&...> ? Mistake::is_mutable : Mistake::not_callable;
  } else {
    using Out = std::decay_t<std::invoke_result_t<const F&, const A&...>>;
    if (std::is_void_v<Out>) return Mistake::returns_nothing;
    if (kIsVector<Out> || kIsShared<Out>) return Mistake::returns_handle;
    return std::is_trivially_copyable_v<Out> && !kIsSpan<Out> ? Mistake::none : Mistake::returns_no_element;
  }
}

/// Of KASEN_FN and traced, whose promise is that symbols know all of it; behind their laws too.
template <class F, class Out, class... Operands>
constexpr bool lacks_symbols() {
  using Inner = typename Lawless<F>::type;
  if constexpr (kIsSaidWhite<Inner> && kIsWhite<Inner> && HasSymbol<Out> &&
                (HasSymbol<typename Operands::Element> && ...))
    return !kKnowsSymbols<Inner, Operands...>;
  return false;
}

/// Of a function that is called with values of types A, the last of them the row that it writes.
template <class F, class... A>
constexpr Mistake writer_mistake() {
  if constexpr (!std::is_copy_constructible_v<F>) {
    return Mistake::is_move_only;
  } else if constexpr (!std::is_invocable_v<const F&, const A&...>) {
    return std::is_invocable_v<F&, const A&...> ? Mistake::is_mutable : Mistake::not_callable;
  } else {
    return std::is_void_v<std::invoke_result_t<const F&, const A&...>> ? Mistake::none : Mistake::returns_beside_row;
  }
}

/// Of a function that is called with these inputs, elements or entries.
template <class F, class... Operands>
constexpr Mistake traced_mistake() {
  constexpr Mistake mistake = function_mistake<F, typename Operands::Element...>();
  if constexpr (mistake == Mistake::none) {
    using Out = std::decay_t<std::invoke_result_t<const F&, const typename Operands::Element&...>>;
    if (lacks_symbols<F, Out, Operands...>()) return Mistake::no_symbols;
  }
  return mistake;
}

template <class F, class... A>
constexpr Mistake operand_mistake() {
  if constexpr (std::is_member_pointer_v<F>) {
    return Mistake::is_member;
  } else if constexpr ((kIsMatrix<A> || ...)) {
    return Mistake::has_matrix;
  } else if constexpr (!(std::is_trivially_copyable_v<Element<A>> && ...)) {
    return Mistake::no_plain_value;
  } else if constexpr ((kIsWidth<A> || ...)) {
    return writer_mistake<F, Element<A>...>();
  } else {
    return traced_mistake<F, Traced<Operand<A>::kKind, Element<A>>...>();
  }
}

/// Of map and zip_with; `several`: of more than one vector.
template <bool several, class F, class... A>
constexpr Mistake element_mistake() {
  bool lead = true, right = true;
  ((right = right && (lead || !kIsVector<A>), lead = lead && kIsVector<A>), ...);
  if (!right) return Mistake::late_vector;
  std::size_t k = 0;
  if (((++k < sizeof...(A) && kIsWidth<A>) || ...)) return Mistake::early_width;
  if (kDeclaresLaws<F> && ((kIsRows<A> || kIsWhole<A> || kIsWidth<A>) || ...)) return Mistake::laws_of_rows;
  if constexpr (kIsCalledByPointer<F>) {
    return Mistake::by_pointer;
  } else if constexpr (!several && (std::size_t{kIsVector<A>} + ...) > 1) {
    return Mistake::several_vectors;
  } else {
    return operand_mistake<F, A...>();
  }
}
/// Of operands as calls get them, which may be references.
template <bool several, class F, class... A>
constexpr Mistake element_mistake_of_given() {
  return element_mistake<several, F, std::remove_cvref_t<A>...>();
}

template <class F, class... A>
constexpr Mistake apply_mistake() {
  if constexpr (kIsShared<F>) {
    return Mistake::function_first;
  } else if constexpr (((kIsVector<A> || kIsWhole<A> || kIsWidth<A>) || ...)) {
    return Mistake::has_vector;
  } else if constexpr (!(kIsShared<A> || ...)) {
    return Mistake::no_shared;
  } else {
    return operand_mistake<F, A...>();
  }
}

/// elementwise(f) reduces no Rows if f reduces no numbers.
template <class F, class T>
constexpr Mistake mistake_of_members() {
  if constexpr (requires {
                  typename F::OfMembers;
                  typename T::Member;
                }) {
    using Inner = typename F::OfMembers;
    if (reducer_kind<Inner>() == ReducerKind::other) return Mistake::reduces_nothing;
    if (kIsOneOf<Inner, LogicalOr, LogicalAnd>) return Mistake::logical_of_numbers;
  }
  return Mistake::none;
}

/// Of a function that reduces elements of type T. `needs_identity`: of products and reductions by key, in which an
/// output may be of no elements.
template <class Op, class T, bool needs_identity = false>
constexpr Mistake reducer_mistake() {
  using F = typename Bare<Op>::type;
  using Known = typename Lawless<Op>::type;  // which has no identity but its own
  constexpr bool known = (requires { Known::template identity<T>(); } && !kInherits<Known>) || requires(const Op& op) {
    op.element;
  };
  if constexpr (kIsCalledByPointer<F>) {
    return Mistake::by_pointer;
  } else if constexpr (!std::is_copy_constructible_v<Op>) {
    return Mistake::is_move_only;
  } else if constexpr (!kIsReducer<Op>) {
    return Mistake::has_state;
  } else if constexpr (kIsBuiltIn<F> && reducer_kind<F>() == ReducerKind::other) {
    return Mistake::reduces_nothing;
  } else if constexpr (std::is_same_v<F, Plus> && std::is_same_v<T, bool>) {
    return Mistake::plus_of_bool;
  } else if constexpr (kIsOneOf<F, LogicalOr, LogicalAnd> && !std::is_same_v<T, bool>) {
    return Mistake::logical_of_numbers;
  } else if constexpr (mistake_of_members<F, T>() != Mistake::none) {
    return mistake_of_members<F, T>();
  } else if constexpr (!std::is_invocable_v<const Op&, const T&, const T&>) {
    if (kIsStdArray<T> && std::is_same_v<F, Plus>) return Mistake::plus_of_array;
    if (kIsBuiltIn<F> && requires { typename T::Member; }) return Mistake::not_of_rows;
    return std::is_invocable_v<Op&, const T&, const T&> ? Mistake::is_mutable : Mistake::not_of_two;
  } else if constexpr (!std::is_convertible_v<std::invoke_result_t<const Op&, const T&, const T&>, T>) {
    return Mistake::reduces_to_another_type;
  } else if constexpr (needs_identity && !known) {
    return Mistake::no_identity;
  } else {
    using Input = Traced<Operator::element, T>;
    return lacks_symbols<F, T, Input, Input>() ? Mistake::no_symbols : Mistake::none;
  }
}

/// Of fold's step, which is called with the accumulator of type A and these operands.
template <class A, class Step, class... Operands>
constexpr Mistake step_mistake() {
  if constexpr (!std::is_copy_constructible_v<Step>) {
    return Mistake::is_move_only;
  } else if constexpr (!std::is_invocable_v<const Step&, A&, const Element<Operands>&...>) {
    return std::is_invocable_v<Step&, A&, const Element<Operands>&...> ? Mistake::is_mutable : Mistake::not_a_step;
  } else {
    using Out = std::decay_t<std::invoke_result_t<const Step&, A&, const Element<Operands>&...>>;
    if constexpr (std::is_void_v<Out>) {
      return std::is_invocable_v<const Step&, A, const Element<Operands>&...> ? Mistake::steps_on_a_copy
                                                                              : Mistake::none;
    } else if constexpr (kIsVector<Out> || kIsShared<Out>) {
      return Mistake::returns_handle;
    } else if constexpr (!std::is_same_v<Out, A>) {
      return Mistake::steps_to_another_type;
    } else {
      using Accumulator = Traced<Operator::entry, A>;
      return lacks_symbols<Step, A, Accumulator, Traced<Operand<Operands>::kKind, Element<Operands>>...>()
                 ? Mistake::no_symbols
                 : Mistake::none;
    }
  }
}

/// Of fold; the first of step, merge and operands that something is wrong with.
template <class A, class Step, class Merge, class... Operands>
constexpr Mistake fold_mistake() {
  bool lead = true, right = true;
  ((right = right && (lead || !kIsVector<Operands>), lead = lead && kIsVector<Operands>), ...);
  if (!right) return Mistake::late_vector;
  if constexpr (((kIsWhole<Operands> || kIsWidth<Operands>) || ...)) {
    return Mistake::has_whole;
  } else if constexpr (kIsCalledByPointer<Step>) {
    return Mistake::by_pointer;
  } else if constexpr (std::is_member_pointer_v<Step>) {
    return Mistake::is_member;
  } else if constexpr ((kIsMatrix<Operands> || ...)) {
    return Mistake::has_matrix;
  } else if constexpr (!(std::is_trivially_copyable_v<Element<Operands>> && ...)) {
    return Mistake::no_plain_value;
  } else if constexpr (step_mistake<A, Step, Operands...>() != Mistake::none) {
    return step_mistake<A, Step, Operands...>();
  } else {
    return reducer_mistake<FunctionWithIdentity<Merge, A>, A>();
  }
}
template <class A, class Step, class Merge, class... Operands>
constexpr Mistake fold_mistake_of_given() {
  return fold_mistake<A, Step, Merge, std::remove_cvref_t<Operands>...>();
}

/// Of mxv and mxvt: f_z is called with these inputs.
template <class Op, class Fz, class... Inputs>
constexpr Mistake inputs_mistake() {
  if constexpr (kIsCalledByPointer<Fz>) {
    return Mistake::by_pointer;
  } else if constexpr (traced_mistake<Fz, Inputs...>() != Mistake::none) {
    return traced_mistake<Fz, Inputs...>();
  } else {
    using Out = std::decay_t<std::invoke_result_t<const Fz&, const typename Inputs::Element&...>>;
    return reducer_mistake<Op, Out, true>();
  }
}
/// Of mxv and mxvt of both ends, of the elements of vectors over inputs and over outputs.
template <class Fz, class Op, class E, class Inputs, class Outputs>
struct EndsMistake;
template <class Fz, class Op, class E, class... In, class... At>
struct EndsMistake<Fz, Op, E, runtime::ElementTypes<In...>, runtime::ElementTypes<At...>> {
  static constexpr Mistake of() {
    if constexpr (std::is_same_v<E, Pattern>) {
      return inputs_mistake<Op, Fz, Traced<Operator::element, In>..., Traced<Operator::element, At>...>();
    } else {
      return inputs_mistake<Op, Fz, Traced<Operator::element, In>..., Traced<Operator::entry, E>,
                            Traced<Operator::element, At>...>();
    }
  }
  static constexpr Mistake value = of() == Mistake::not_callable ? Mistake::not_of_ends : of();
};

/// The same, of a function that writes rows of numbers of type T.
template <class T, class Fz, class Op, class E, class Inputs, class Outputs>
struct RowEndsMistake;
template <class T, class Fz, class Op, class E, class... In, class... At>
struct RowEndsMistake<T, Fz, Op, E, runtime::ElementTypes<In...>, runtime::ElementTypes<At...>> {
  static constexpr Mistake of_function() {
    if constexpr (kIsCalledByPointer<Fz>) {
      return Mistake::by_pointer;
    } else if constexpr (std::is_same_v<E, Pattern>) {
      return writer_mistake<Fz, In..., At..., std::span<T>>();
    } else {
      return writer_mistake<Fz, In..., E, At..., std::span<T>>();
    }
  }
  static constexpr Mistake of() {
    if constexpr (of_function() == Mistake::not_callable) {
      return Mistake::not_of_ends;
    } else if constexpr (of_function() != Mistake::none) {
      return of_function();
    } else {
      return reducer_mistake<Op, T, true>();
    }
  }
  static constexpr Mistake value = of();
};

template <class Fz, class T, class E>
struct ProductOf {
  using type = std::decay_t<std::invoke_result_t<const Fz&, const T&, const E&>>;
};
template <class Fz, class T>
struct ProductOf<Fz, T, Pattern> {
  using type = std::decay_t<std::invoke_result_t<const Fz&, const T&>>;
};

template <class Fz, class Op, class E, class T>
constexpr Mistake product_mistake() {
  using Element = Traced<Operator::element, T>;
  if constexpr (std::is_same_v<E, Pattern>) {
    constexpr Mistake mistake = inputs_mistake<Op, Fz, Element>();
    return mistake == Mistake::not_callable ? Mistake::not_of_pattern : mistake;
  } else {
    constexpr Mistake mistake = inputs_mistake<Op, Fz, Element, Traced<Operator::entry, E>>();
    return mistake == Mistake::not_callable ? Mistake::not_of_entries : mistake;
  }
}
/// Of Rows, number by number.
template <class Fz, class Op, class E, class T>
constexpr Mistake rows_product_mistake() {
  constexpr Mistake mistake = product_mistake<Fz, Op, E, T>();
  if constexpr (mistake == Mistake::none) {
    using Out = typename ProductOf<Fz, T, E>::type;
    return std::is_arithmetic_v<Out> && !std::is_same_v<Out, bool> ? Mistake::none : Mistake::makes_no_numbers;
  }
  return mistake == Mistake::not_of_pattern || mistake == Mistake::not_of_entries ? Mistake::not_of_numbers : mistake;
}

}  // namespace kasen::detail
