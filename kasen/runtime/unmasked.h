/// @file
/// Compilation of kernels over structs without what compilers make wrong: loads under masks, and beyond the end.
///
/// GCC before version 14 makes one load under a mask of what neighbouring members load under conditions, when a loop
/// steps through structs; if that takes several vectors, all of them get the mask of the first (seen in 11.3 to 13.5).
/// Such loads come from one pass, if-conversion, which is left out of these kernels with all that is inlined there.
/// Loops over element functions keep it and lose the vectorizer of loops: for that one alone it makes such loads. Then
/// vectors are found among the members of elements, conditions included, if all of them are loaded first.
///
/// GCC 12 makes one vector of what several iterations of a loop load, where these load some neighbours each, at a
/// stride that is known at run time only; and so do the last ones, which have no more iterations after them. A loop
/// whose pointer is opaque() makes vectors within an iteration alone.
#pragma once

#include <type_traits>

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 14
#define KASEN_WITHOUT_MASKS [[gnu::optimize("no-tree-loop-if-convert"), gnu::flatten]]
#define KASEN_WITHOUT_LOOP_VECTORS [[gnu::optimize("tree-loop-if-convert", "no-tree-loop-vectorize"), gnu::flatten]]
#endif

namespace kasen::runtime {

/// The pointer or number, of which a compiler does not know where it comes from.
template <class T>
T opaque(T value) {
  asm("" : "+r"(value));
  return value;
}

namespace detail {

/// Whether T is a struct, so that a loop over T's loads several numbers an element.
template <class T>
inline constexpr bool is_struct = !std::is_void_v<T> && !std::is_scalar_v<T>;

}  // namespace detail

#ifdef KASEN_WITHOUT_MASKS

namespace detail {

template <auto function>
struct Unmasked;

template <class Result, class... Arguments, Result (*function)(Arguments...)>
struct Unmasked<function> {
  KASEN_WITHOUT_MASKS static Result run(Arguments... arguments) { return function(arguments...); }
};

template <auto function>
struct MemberWise;

template <class Result, class... Arguments, Result (*function)(Arguments...)>
struct MemberWise<function> {
  KASEN_WITHOUT_LOOP_VECTORS static Result run(Arguments... arguments) { return function(arguments...); }
};

}  // namespace detail

/// `function`, whose loops step through elements of these types, compiled without masks if any is a struct.
template <auto function, class... Elements>
constexpr auto unmasked() {
  if constexpr ((detail::is_struct<Elements> || ...)) {
    return &detail::Unmasked<function>::run;
  } else {
    return function;
  }
}

/// `over_numbers`, or if a loop steps through structs among these types, `over_structs`: that one loads all operands of
/// an element before it computes, and has no loop under KASEN_SIMD.
template <auto over_numbers, auto over_structs, class... Elements>
constexpr auto memberwise() {
  if constexpr ((detail::is_struct<Elements> || ...)) {
    return &detail::MemberWise<over_structs>::run;
  } else {
    return over_numbers;
  }
}

#else

template <auto function, class... Elements>
constexpr auto unmasked() {
  return function;
}

template <auto over_numbers, auto over_structs, class... Elements>
constexpr auto memberwise() {
  return over_numbers;
}

#endif

}  // namespace kasen::runtime
