/// @file
/// Whether arguments are what a call takes, as far as their kinds go: vectors, matrices, Shareds, spaces, functions.
#pragma once

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include "kasen/detail/operands.h"

namespace kasen::detail {

template <class>
inline constexpr bool kIsMatrix = false;
template <class E>
inline constexpr bool kIsMatrix<Matrix<E>> = true;
template <class A>
using Element = typename Operand<A>::Element;

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

}  // namespace kasen::detail
