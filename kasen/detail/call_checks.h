/// @file
/// What is wrong with a call, said by the compiler in one sentence: mistakes that types show, and their messages. The
/// checks stand in the functions that programs call, so that a message is the first thing that a compiler prints.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>
#include <type_traits>

#include "kasen/detail/operands.h"
#include "kasen/function.h"

namespace kasen::detail {

template <class>
inline constexpr bool kIsMatrix = false;
template <class E>
inline constexpr bool kIsMatrix<Matrix<E>> = true;
template <class>
inline constexpr bool kIsStdArray = false;
template <class T, std::size_t N>
inline constexpr bool kIsStdArray<std::array<T, N>> = true;
/// Called through a pointer that is known when the program runs.
template <class F>
inline constexpr bool kIsCalledByPointer = std::is_function_v<std::remove_pointer_t<F>>;
template <class Result, class... A>
inline constexpr bool kIsCalledByPointer<std::function<Result(A...)>> = true;

template <class A>
using Element = typename Operand<A>::Element;

// ---- whether arguments are what a call takes, as far as their kinds go ----

template <class... A>
inline constexpr std::size_t kLeadingVectors = 0;
template <class First, class... Rest>
inline constexpr std::size_t kLeadingVectors<First, Rest...> = kIsVector<First> ? 1 + kLeadingVectors<Rest...> : 0;
/// Behind the function.
template <class... A>
inline constexpr bool kAreMapped = kLeadingVectors<A...> > 0 && sizeof...(A) <= 5;
template <class... A>
inline constexpr bool kAreZipped = kLeadingVectors<A...> > 1 && sizeof...(A) <= 7;
template <class... A>
inline constexpr bool kAreZipped<std::tuple<A...>> = kLeadingVectors<std::remove_cvref_t<A>...> > 0;

template <class... A>
inline constexpr bool kAreReduced = false;
template <class Op, class T>
inline constexpr bool kAreReduced<Op, Vector<T>> = !kIsVector<Op>;
template <class... A>
inline constexpr bool kAreReducedSwapped = false;
template <class Op, class T>
inline constexpr bool kAreReducedSwapped<Vector<T>, Op> = !kIsVector<Op>;

template <class A>
inline constexpr bool kIsAccumulator =
    std::is_trivially_copyable_v<A>&& std::is_default_constructible_v<A> && !kIsVector<A> && !kIsShared<A>;
/// Behind the initial accumulator and the two functions.
template <class... A>
inline constexpr bool kAreFolded = kLeadingVectors<A...> > 0 && sizeof...(A) <= 5;
template <class... A>
inline constexpr bool kAreFolded<std::tuple<A...>> = kLeadingVectors<std::remove_cvref_t<A>...> > 0;

template <class... A>
inline constexpr bool kAreReducedByKey = false;
template <class Op, class Key, class V, class S>
inline constexpr bool kAreReducedByKey<Op, Vector<Key>, V, S> =
    !kIsVector<Op> && kIsVector<V> && std::convertible_to<S, Space> && !kIsShared<S>;
template <class... A>
inline constexpr bool kAreTaken = false;
template <class T, class Key>
inline constexpr bool kAreTaken<Vector<T>, Vector<Key>> = true;
template <class T, class Key, class U>
inline constexpr bool kAreTaken<Vector<T>, Vector<Key>, U> = std::convertible_to<U, T>;
template <class T, class Key>
inline constexpr bool kAreTaken<Rows<T>, Vector<Key>> = true;
template <class T, class Key, class U>
inline constexpr bool kAreTaken<Rows<T>, Vector<Key>, U> = std::convertible_to<U, T>;

template <class... A>
inline constexpr bool kAreFactors = false;
template <class E, class T>
inline constexpr bool kAreFactors<Matrix<E>, Vector<T>> = true;
template <class... A>
inline constexpr bool kAreProduct = false;
template <class E, class T>
inline constexpr bool kAreFactors<Matrix<E>, Rows<T>> = true;
template <class Fz, class Op, class E, class T>
inline constexpr bool kAreProduct<Fz, Op, Matrix<E>, Vector<T>> = true;
template <class Fz, class Op, class E, class T>
inline constexpr bool kAreProduct<Fz, Op, Matrix<E>, Rows<T>> = true;

/// A vector or rows, or several in a tuple.
template <class>
inline constexpr bool kIsEnd = false;
template <class T>
inline constexpr bool kIsEnd<Vector<T>> = true;
template <class T>
inline constexpr bool kIsEnd<Rows<T>> = true;
template <class... A>
inline constexpr bool kIsEnd<std::tuple<A...>> = sizeof...(A) > 0 && (kIsEnd<std::remove_cvref_t<A>> && ...);
template <class Fz, class Op, class E, class Inputs, class Outputs>
inline constexpr bool kAreProduct<Fz, Op, Matrix<E>, Inputs, Outputs> = kIsEnd<Inputs>&& kIsEnd<Outputs>;
template <class Fz, class Op, class E, class Inputs, class Outputs, class T>
inline constexpr bool kAreProduct<Fz, Op, Matrix<E>, Inputs, Outputs, Width<T>> = kIsEnd<Inputs>&& kIsEnd<Outputs>;

template <class... A>
inline constexpr bool kAreEntries = false;
template <class F, class Op, class E>
inline constexpr bool kAreEntries<F, Op, Matrix<E>> = true;
template <class F, class Op, class E, class V, class W>
inline constexpr bool kAreEntries<F, Op, Matrix<E>, V, W> = kIsEnd<V>&& kIsEnd<W>;

template <class... A>
inline constexpr bool kAreOneFunctionProduct = kAreFactors<A...>;
template <class F, class E, class T>
inline constexpr bool kAreOneFunctionProduct<F, Matrix<E>, Vector<T>> = true;
template <class F, class E, class T>
inline constexpr bool kAreOneFunctionProduct<F, Matrix<E>, Rows<T>> = true;

/// An MxV of one end that would write rows.
template <class... A>
inline constexpr bool kIsWidthOfOneEnd = false;
template <class Fz, class Op, class E, class V, class T>
inline constexpr bool kIsWidthOfOneEnd<Fz, Op, Matrix<E>, V, Width<T>> = kIsEnd<V>;
template <class... A>
inline constexpr bool kLeadWithMatrix = false;
template <class E, class... Rest>
inline constexpr bool kLeadWithMatrix<Matrix<E>, Rest...> = true;

template <class... A>
inline constexpr bool kAreSpace = false;
template <class S>
inline constexpr bool kAreSpace<S> = std::convertible_to<S, Space>;
template <class T>
inline constexpr bool kIsStep = std::is_integral_v<Element<T>> && !kIsVector<T>;
template <class... A>
inline constexpr bool kAreSeeds = false;
template <class S, class Seed>
inline constexpr bool kAreSeeds<S, Seed> = std::convertible_to<S, Space>&& std::is_integral_v<Seed>;
template <class S, class Seed, class Step>
inline constexpr bool kAreSeeds<S, Seed, Step> = kAreSeeds<S, Seed>&& kIsStep<Step>;

// ---- what is wrong with them otherwise ----

enum class Mistake : std::uint8_t {
  none,
  // of functions of elements
  by_pointer,
  is_member,
  is_mutable,
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
inline constexpr bool kIsSpan = false;
template <class T, std::size_t N>
inline constexpr bool kIsSpan<std::span<T, N>> = true;

/// Of a function that is called with values of types A.
template <class F, class... A>
constexpr Mistake function_mistake() {
  if constexpr (!std::is_invocable_v<const F&, const A&...>) {
    return std::is_invocable_v<F&, const A&...> ? Mistake::is_mutable : Mistake::not_callable;
  } else {
    using Out = std::decay_t<std::invoke_result_t<const F&, const A&...>>;
    if (std::is_void_v<Out>) return Mistake::returns_nothing;
    if (kIsVector<Out> || kIsShared<Out>) return Mistake::returns_handle;
    return std::is_trivially_copyable_v<Out> && !kIsSpan<Out> ? Mistake::none : Mistake::returns_no_element;
  }
}

/// Of KASEN_FN, whose promise is that symbols know all of it; behind its laws too.
template <class F>
struct Lawless {
  using type = F;
};
template <class F, class... Laws>
struct Lawless<LawfulFunction<F, Laws...>> : Lawless<F> {};
template <class F, class Out, class... Operands>
constexpr bool lacks_symbols() {
  using Inner = typename Lawless<F>::type;
  if constexpr (kIsNamed<Inner> && kIsWhite<Inner> && HasSymbol<Out> && (HasSymbol<typename Operands::Element> && ...))
    return !kKnowsSymbols<Inner, Operands...>;
  return false;
}

/// Of a function that is called with values of types A, the last of them the row that it writes.
template <class F, class... A>
constexpr Mistake writer_mistake() {
  if constexpr (!std::is_invocable_v<const F&, const A&...>) {
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

/// Of a function that reduces elements of type T. `product`: of mxv, which needs an identity.
template <class Op, class T, bool product = false>
constexpr Mistake reducer_mistake() {
  using F = typename ReducingFunction<Op>::type;
  constexpr bool known = (requires { Op::template identity<T>(); } && !kInherits<Op>) || requires(const Op& op) {
    op.element;
  };
  if constexpr (kIsCalledByPointer<F>) {
    return Mistake::by_pointer;
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
  } else if constexpr (product && !known) {
    return Mistake::no_identity;
  } else {
    using Input = Traced<Operator::element, T>;
    return lacks_symbols<F, T, Input, Input>() ? Mistake::no_symbols : Mistake::none;
  }
}

/// Of fold's step, which is called with the accumulator of type A and these operands.
template <class A, class Step, class... Operands>
constexpr Mistake step_mistake() {
  if constexpr (!std::is_invocable_v<const Step&, A&, const Element<Operands>&...>) {
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

#define KASEN_REFUSE(mistake, which, message) static_assert((mistake) != ::kasen::detail::Mistake::which, message)

/// What may be wrong with a function of elements.
#define KASEN_CHECK_FUNCTION(call, mistake)                                                                       \
  KASEN_REFUSE(mistake, by_pointer,                                                                               \
               "[" call                                                                                           \
               "] a pointer to a function, or a std::function, is called for each element and never compiled "    \
               "into the loop: write a lambda that calls it, [](auto x) { return f(x); }, or KASEN_FN((auto x), " \
               "kasen::sqrt(x))");                                                                                \
  KASEN_REFUSE(mistake, is_member,                                                                                \
               "[" call                                                                                           \
               "] a pointer to a member is no function: write [](const auto& x) { return x.y; }; of a Shared, "   \
               "member(s, &Point::x)");                                                                           \
  KASEN_REFUSE(mistake, is_mutable,                                                                               \
               "[" call                                                                                           \
               "] a mutable lambda cannot be recorded, as it is copied, and called for elements in any order: "   \
               "give what changes as an argument, and leave `mutable` out");                                      \
  KASEN_REFUSE(mistake, not_callable,                                                                             \
               "[" call                                                                                           \
               "] the function cannot be called with these elements: it takes one argument for each operand, "    \
               "in their order and of their types");                                                              \
  KASEN_REFUSE(mistake, returns_nothing,                                                                          \
               "[" call "] the function returns nothing: it returns an element of the result");                   \
  KASEN_REFUSE(mistake, returns_handle,                                                                           \
               "[" call                                                                                           \
               "] the function returns a Shared or a Vector, which are no elements: do not use them in it, but "  \
               "give a Shared as an argument behind the vectors, zip_with(f, v, w, s)");                          \
  KASEN_REFUSE(                                                                                                   \
      mistake, returns_no_element,                                                                                \
      "[" call                                                                                                    \
      "] the function returns what is no element, such as a std::string, a std::vector or a row: elements are "   \
      "trivially copyable types, that is numbers, and structs and arrays of them; a row is written, by width");   \
  KASEN_REFUSE(                                                                                                   \
      mistake, no_symbols,                                                                                        \
      "[" call                                                                                                    \
      "] KASEN_FN has something that symbols do not know: a function of std:: (kasen/math.h has "                 \
      "kasen::abs, kasen::exp, ...), a parameter that is not `auto`, a choice between two types (kasen::cast). "  \
      "A plain lambda may have all of it, and is a black box")

/// What may be wrong with functions and operands of map and zip_with, and of apply.
#define KASEN_CHECK_OPERANDS(call, mistake)                                                                            \
  KASEN_REFUSE(mistake, late_vector, "[" call "] vectors come first, then Shareds and plain values");                  \
  KASEN_REFUSE(mistake, several_vectors, "[" call "] map is of one vector: zip_with(f, v, w, ...) is of several");     \
  KASEN_REFUSE(mistake, has_matrix,                                                                                    \
               "[" call "] a Matrix is no operand here: functions of its entries are given to mxv and mxvt");          \
  KASEN_REFUSE(mistake, early_width,                                                                                   \
               "[" call                                                                                                \
               "] width comes last, once, as the function's last parameter is the row that it writes: map(f, "         \
               "X, s, width(8))");                                                                                     \
  KASEN_REFUSE(mistake, laws_of_rows,                                                                                  \
               "[" call "] functions of rows, or of whole vectors, obey no law that could be declared: leave it out"); \
  KASEN_REFUSE(mistake, returns_beside_row,                                                                            \
               "[" call                                                                                                \
               "] the function is given a row to write, by width, and returns something beside it: it returns "        \
               "nothing");                                                                                             \
  KASEN_REFUSE(mistake, has_whole,                                                                                     \
               "[" call "] whole and width are of map and zip_with: map first, and fold what that makes");             \
  KASEN_REFUSE(mistake, no_plain_value,                                                                                \
               "[" call                                                                                                \
               "] a plain value is of a type that is not trivially copyable, such as std::string or std::vector: "     \
               "numbers, and structs and arrays of them, can be given");                                               \
  KASEN_CHECK_FUNCTION(call, mistake)

/// In map and zip_with: of a function F and operands A...
#define KASEN_CHECK_ELEMENTS(call, several, ...)                                                          \
  constexpr ::kasen::detail::Mistake kMistake = ::kasen::detail::element_mistake<several, __VA_ARGS__>(); \
  KASEN_CHECK_OPERANDS(call, kMistake)

/// In apply.
#define KASEN_CHECK_APPLY(...)                                                                                \
  constexpr ::kasen::detail::Mistake kMistake = ::kasen::detail::apply_mistake<__VA_ARGS__>();                \
  KASEN_REFUSE(kMistake, function_first, "[apply] the function comes first: apply(f, s)");                    \
  KASEN_REFUSE(kMistake, has_vector, "[apply] apply is of Shareds: of vectors map, zip_with and reduce are"); \
  KASEN_REFUSE(kMistake, no_shared, "[apply] none of the operands is a Shared: call the function itself");    \
  KASEN_CHECK_OPERANDS("apply", kMistake)

/// What may be wrong with a reducing function.
#define KASEN_CHECK_REDUCER(call, mistake)                                                                           \
  KASEN_REFUSE(mistake, has_state,                                                                                   \
               "[" call                                                                                              \
               "] the reducing function has state: it captures nothing, as its type says which function it is");     \
  KASEN_REFUSE(mistake, reduces_nothing,                                                                             \
               "[" call                                                                                              \
               "] minus, divides, first and count reduce nothing: a reducing function is associative and "           \
               "commutative, as elements are taken in any order");                                                   \
  KASEN_REFUSE(mistake, plus_of_bool,                                                                                \
               "[" call                                                                                              \
               "] plus of bool is `or`, and counts nothing: map to an integer first, as by "                         \
               "KASEN_FN((auto x), kasen::cast<std::int64_t>(x > 0)), or reduce by logical_or");                     \
  KASEN_REFUSE(mistake, logical_of_numbers,                                                                          \
               "[" call                                                                                              \
               "] logical_or and logical_and reduce bools, and numbers to others than themselves: map first, as "    \
               "by KASEN_FN((auto x), x != 0), or use bit_or and bit_and");                                          \
  KASEN_REFUSE(mistake, plus_of_array,                                                                               \
               "[" call "] std::array has no +, so that plus cannot add it: kasen::Row<T, K> is an array that has"); \
  KASEN_REFUSE(mistake, not_of_rows,                                                                                 \
               "[" call "] this function is of numbers, and of Rows elementwise(kasen::min) is, for example");       \
  KASEN_REFUSE(mistake, not_of_two,                                                                                  \
               "[" call                                                                                              \
               "] the reducing function cannot be called with two elements: it takes two of them, of their type");   \
  KASEN_REFUSE(mistake, reduces_to_another_type,                                                                     \
               "[" call                                                                                              \
               "] the reducing function takes two elements and returns a third of their type, and this one "         \
               "returns another: map to the result's type first")

/// In fold: of the types of the accumulator, of step and merge, and of operands.
#define KASEN_CHECK_FOLD(...)                                                                                         \
  constexpr ::kasen::detail::Mistake kMistake = ::kasen::detail::fold_mistake<__VA_ARGS__>();                         \
  KASEN_REFUSE(kMistake, not_a_step,                                                                                  \
               "[fold] the step cannot be called with the accumulator and these elements: it takes the accumulator, " \
               "of the type of the first argument, and then one argument for each operand, in their order and of "    \
               "their types");                                                                                        \
  KASEN_REFUSE(                                                                                                       \
      kMistake, steps_to_another_type,                                                                                \
      "[fold] the step returns another type than that of the accumulator to start from: convert one of both, "        \
      "fold(0.0, ...) has a double");                                                                                 \
  KASEN_REFUSE(kMistake, steps_on_a_copy,                                                                             \
               "[fold] the step returns nothing, and what it changes is a copy of the accumulator: take that by "     \
               "reference, as auto&, or return it");                                                                  \
  KASEN_CHECK_REDUCER("fold", kMistake);                                                                              \
  KASEN_CHECK_OPERANDS("fold", kMistake)

/// What may be wrong with a vector of keys.
#define KASEN_CHECK_KEYS(call, Key)                                                                   \
  static_assert(std::is_integral_v<Key> && !std::is_same_v<Key, bool>,                                \
                "[" call                                                                              \
                "] keys are whole numbers: map the vector to std::int32_t or another integer, as by " \
                "KASEN_FN((auto x), kasen::cast<std::int32_t>(x))")

/// What may be wrong with the function of reduce_by_key.
#define KASEN_CHECK_KEYED_REDUCER(mistake)                                                                         \
  KASEN_REFUSE(mistake, no_identity,                                                                               \
               "[reduce_by_key] the reducing function needs an identity, the result of keys that no element has: " \
               "use with_identity(f, e), or a built-in over numbers");                                             \
  KASEN_CHECK_REDUCER("reduce_by_key", mistake);                                                                   \
  KASEN_CHECK_FUNCTION("reduce_by_key", mistake)

/// What may be wrong with mxv and mxvt.
#define KASEN_CHECK_PRODUCT(call, mistake)                                                                      \
  KASEN_REFUSE(mistake, not_of_pattern,                                                                         \
               "[" call                                                                                         \
               "] over a Matrix<Pattern>, which has no values, f_z is called with the vector's element alone: " \
               "write first, or a function of one argument");                                                   \
  KASEN_REFUSE(mistake, not_of_entries,                                                                         \
               "[" call                                                                                         \
               "] over a matrix with values f_z is called with the vector's element and the entry: write "      \
               "times, or a function of two arguments");                                                        \
  KASEN_REFUSE(mistake, no_identity,                                                                            \
               "[" call                                                                                         \
               "] the reducing function needs an identity, the result where a matrix has no entries: use "      \
               "with_identity(f, e), or a built-in over numbers");                                              \
  KASEN_CHECK_REDUCER(call, mistake);                                                                           \
  KASEN_CHECK_FUNCTION(call, mistake)

/// What may be wrong with mxv and mxvt of Rows.
#define KASEN_CHECK_ROWS_PRODUCT(call, mistake)                                                                       \
  KASEN_REFUSE(mistake, not_of_numbers,                                                                               \
               "[" call                                                                                               \
               "] of Rows f_z is called with each number of a row, and the entry if there are any, as with the "      \
               "element of a vector; a function of whole rows is one of both ends: " call "(f_z, op, M, V, W)");      \
  KASEN_REFUSE(mistake, makes_no_numbers,                                                                             \
               "[" call                                                                                               \
               "] of Rows f_z makes a number of each number of a row; a function that makes something else of whole " \
               "rows is one of both ends: " call "(f_z, op, M, V, W)");                                               \
  KASEN_CHECK_PRODUCT(call, mistake)

/// What may be wrong with mxv and mxvt of both ends.
#define KASEN_CHECK_ENDS(call, mistake)                                                                              \
  KASEN_REFUSE(mistake, not_of_ends,                                                                                 \
               "[" call                                                                                              \
               "] f_z cannot be called with these elements: it takes the element of each vector in their order, "    \
               "and the entry between those of one end and those of the other, or over a Matrix<Pattern> no entry; " \
               "last, with width, the row that it writes");                                                          \
  KASEN_REFUSE(mistake, returns_beside_row,                                                                          \
               "[" call                                                                                              \
               "] f_z is given a row to write, by width, and returns something beside it: it returns nothing");      \
  KASEN_CHECK_PRODUCT(call, mistake)

/// What may be wrong with multiply and multiply_transposed, which choose the functions.
#define KASEN_CHECK_FACTORS(call, mistake)                                                                   \
  KASEN_REFUSE(mistake, not_of_entries,                                                                      \
               "[" call                                                                                      \
               "] these elements have no * with the matrix's entries: write mxvt(f_z, op, A, x), with what " \
               "is computed of both, and what adds the results");                                            \
  KASEN_REFUSE(mistake, not_of_two,                                                                          \
               "[" call "] these elements have no +: write mxvt(f_z, op, A, x), with an op that adds them"); \
  KASEN_CHECK_PRODUCT(call, mistake)

/// What is wrong with the arguments of map (of 1) and zip_with (of 2), which are none that it takes.
#define KASEN_REFUSE_MAPPED(call, vectors, F, ...)                                                                   \
  using kasen::detail::kLeadingVectors;                                                                              \
  constexpr bool kSwapped = kasen::detail::kIsVector<F>;                                                             \
  constexpr bool kMatrix = !kSwapped && kasen::detail::kLeadWithMatrix<__VA_ARGS__>;                                 \
  constexpr bool kMany = !kSwapped && kLeadingVectors<__VA_ARGS__> >= (vectors);                                     \
  constexpr bool kOne = !kSwapped && (vectors) == 2 && kLeadingVectors<__VA_ARGS__> == 1;                            \
  static_assert(!kSwapped, "[" call "] the function comes first: " call "(f, v)");                                   \
  static_assert(!kMatrix,                                                                                            \
                "[" call "] a Matrix is no operand here: functions of its entries are given to mxv and mxvt");       \
  static_assert(!kMany, "[" call "] so many operands are given in a tuple: zip_with(f, std::tie(v, w, a, b, ...))"); \
  static_assert(!kOne, "[zip_with] it is of two vectors and more, which come first: of one map(f, v, a) is");        \
  static_assert(kSwapped || kMatrix || kMany || kOne,                                                                \
                "[" call                                                                                             \
                "] vectors come first behind the function, then Shareds and plain values: map(f, v, s) and "         \
                "zip_with(f, v, w, s) are of Vectors, apply(f, s, 1.0) is of Shareds")

/// What is wrong with the arguments of mxv and mxvt, which are none that it takes.
#define KASEN_REFUSE_PRODUCT(call, textbook, ...)                                                                 \
  constexpr bool kOneFunction = kasen::detail::kAreOneFunctionProduct<__VA_ARGS__>;                               \
  constexpr bool kWidthOfOneEnd = kasen::detail::kIsWidthOfOneEnd<__VA_ARGS__>;                                   \
  static_assert(!kWidthOfOneEnd, "[" call "] a function writes rows of what is at both ends of a non-zero: " call \
                                 "(f_z, op, M, V, W, width(8))");                                                 \
  static_assert(!kOneFunction,                                                                                    \
                "[" call "] it takes two functions, one of elements and entries and one that reduces: " call      \
                "(times, plus, M, v), which is " textbook "(M, v)");                                              \
  static_assert(kOneFunction || kWidthOfOneEnd,                                                                   \
                "[" call "] it takes two functions, a matrix and a vector, in this order: " call "(f_z, op, M, v)")
