/// @file
/// Built-in functors with what is known of them: their name, and as reducers their kind and identity.
#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kasen/base/program.h"
#include "kasen/base/source_location.h"
#include "kasen/math.h"

namespace kasen {

namespace detail {

template <class T>
constexpr T highest() {
  return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
}
template <class T>
constexpr T lowest() {
  return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
}
/// Has a least and a greatest value that the language knows; of others numeric_limits gives zeros.
template <class T>
concept HasLimits = std::numeric_limits<T>::is_specialized;
template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<std::complex<T>> = true;
/// T{1} is the one of T, and not its first member.
template <class T>
concept HasOne = std::is_arithmetic_v<T> || kIsComplex<T>;

/// A number, or a value of the Shared's own type.
template <class B, class A>
inline constexpr bool kIsBeside = std::is_arithmetic_v<B>;
template <class T>
inline constexpr bool kIsBeside<T, Shared<T>> = true;
/// A Shared, and a Shared or a plain value.
template <class A, class B>
concept SharedOperands = (kIsShared<A> && (kIsShared<B> || kIsBeside<B, A>)) || (kIsShared<B> && kIsBeside<A, B>);

template <class T>
concept HasLess = NotSymbolic<T> && requires(const T& a, const T& b) {
  { a < b } -> std::convertible_to<bool>;
};

template <class T>
constexpr bool is_nan(const T& value) {
  if constexpr (std::is_floating_point_v<T>) return value != value;
  return false;
}

}  // namespace detail

// Each functor: `name`; `kind` if it may reduce, and `identity<T>()` for elements whose identity is known: numbers, and
// for plus also structs, whose zero T{} is; `returns_first(n)` if it may return the first of n arguments as it is.
// Called with one argument, as the f_z of a Pattern matrix, plus and times return it. All but Identity are white boxes:
// their laws are derived from what they do to symbols. Of Identity it is enough to know that it returns its argument.
// What derives from a functor is another function.

struct Plus {
  static constexpr const char* name = "plus";
  static constexpr ReducerKind kind = ReducerKind::plus;
  static constexpr bool returns_first(std::size_t arguments) { return arguments == 1; }
  template <class T>
  static constexpr T identity() {
    return T{};
  }
  template <class A, class B>
  constexpr auto operator()(const A& a, const B& b) const -> std::decay_t<decltype(a + b)> {
    return a + b;
  }
  template <class A>
  constexpr A operator()(const A& a) const {
    return a;
  }
};

struct Times {
  static constexpr const char* name = "times";
  static constexpr bool returns_first(std::size_t arguments) { return arguments == 1; }
  static constexpr ReducerKind kind = ReducerKind::times;
  template <detail::HasOne T>
  static constexpr T identity() {
    return T{1};
  }
  template <class A, class B>
  constexpr auto operator()(const A& a, const B& b) const -> std::decay_t<decltype(a * b)> {
    return a * b;
  }
  template <class A>
  constexpr A operator()(const A& a) const {
    return a;
  }
};

struct Minus {
  static constexpr const char* name = "minus";
  template <class A, class B>
  constexpr auto operator()(const A& a, const B& b) const -> std::decay_t<decltype(a - b)> {
    return a - b;
  }
};

struct Divides {
  static constexpr const char* name = "divides";
  template <class A, class B>
  constexpr auto operator()(const A& a, const B& b) const -> std::decay_t<decltype(a / b)> {
    return a / b;
  }
};

/// The smaller one; NaN if one is NaN. The order of elements matters for nothing but the sign of 0: 0 equals -0.
struct Min {
  static constexpr const char* name = "min";
  static constexpr ReducerKind kind = ReducerKind::minimum;
  template <detail::HasLimits T>
  static constexpr T identity() {
    return detail::highest<T>();
  }
  template <detail::HasLess A>
  constexpr A operator()(const A& a, const A& b) const {
    const A less = b < a ? b : a;  // one instruction, where a branch would not be foreseen
    return detail::is_nan(b) ? b : less;
  }
  template <class A, class B>
  requires detail::SymbolicAlike<A, B>
  auto operator()(const A& a, const B& b) const { return detail::symbolic_alike(Operator::minimum, a, b); }
  /// Of Shareds: see kasen/shared_math.h.
  template <class A, class B>
  requires detail::SharedOperands<A, B>
  auto operator()(const A& a, const B& b, SourceLocation where = SourceLocation::current()) const;
};

/// The larger one; NaN if one is NaN, and 0 or -0 as it comes.
struct Max {
  static constexpr const char* name = "max";
  static constexpr ReducerKind kind = ReducerKind::maximum;
  template <detail::HasLimits T>
  static constexpr T identity() {
    return detail::lowest<T>();
  }
  template <detail::HasLess A>
  constexpr A operator()(const A& a, const A& b) const {
    const A more = a < b ? b : a;
    return detail::is_nan(b) ? b : more;
  }
  template <class A, class B>
  requires detail::SymbolicAlike<A, B>
  auto operator()(const A& a, const B& b) const { return detail::symbolic_alike(Operator::maximum, a, b); }
  /// Of Shareds: see kasen/shared_math.h.
  template <class A, class B>
  requires detail::SharedOperands<A, B>
  auto operator()(const A& a, const B& b, SourceLocation where = SourceLocation::current()) const;
};

struct LogicalOr {
  static constexpr const char* name = "logical_or";
  static constexpr ReducerKind kind = ReducerKind::logical_or;
  template <class T>
  static constexpr T identity() {
    return T{false};
  }
  template <detail::NotSymbolic A, detail::NotSymbolic B>
  constexpr bool operator()(const A& a, const B& b) const {
    return static_cast<bool>(a) | static_cast<bool>(b);
  }
  template <class A, class B>
  requires detail::SymbolicOperands<A, B>
  auto operator()(const A& a, const B& b) const {
    return detail::symbolic_apply<bool, bool>(Operator::logical_or, a, b);
  }
};

struct LogicalAnd {
  static constexpr const char* name = "logical_and";
  static constexpr ReducerKind kind = ReducerKind::logical_and;
  template <class T>
  static constexpr T identity() {
    return T{true};
  }
  template <detail::NotSymbolic A, detail::NotSymbolic B>
  constexpr bool operator()(const A& a, const B& b) const {
    return static_cast<bool>(a) & static_cast<bool>(b);
  }
  template <class A, class B>
  requires detail::SymbolicOperands<A, B>
  auto operator()(const A& a, const B& b) const {
    return detail::symbolic_apply<bool, bool>(Operator::logical_and, a, b);
  }
};

struct BitOr {
  static constexpr const char* name = "bit_or";
  static constexpr ReducerKind kind = ReducerKind::bit_or;
  template <std::integral T>
  static constexpr T identity() {
    return T{0};
  }
  template <std::integral A>
  constexpr A operator()(const A& a, const A& b) const {
    return static_cast<A>(a | b);
  }
  template <class A, class B>
  requires(detail::SymbolicAlike<A, B>&& std::integral<detail::Native<A>>) auto operator()(const A& a,
                                                                                           const B& b) const {
    return detail::symbolic_alike(Operator::bit_or, a, b);
  }
};

struct BitAnd {
  static constexpr const char* name = "bit_and";
  static constexpr ReducerKind kind = ReducerKind::bit_and;
  template <std::integral T>
  static constexpr T identity() {
    return static_cast<T>(~T{0});
  }
  template <std::integral A>
  constexpr A operator()(const A& a, const A& b) const {
    return static_cast<A>(a & b);
  }
  template <class A, class B>
  requires(detail::SymbolicAlike<A, B>&& std::integral<detail::Native<A>>) auto operator()(const A& a,
                                                                                           const B& b) const {
    return detail::symbolic_alike(Operator::bit_and, a, b);
  }
};

struct BitXor {
  static constexpr const char* name = "bit_xor";
  static constexpr ReducerKind kind = ReducerKind::bit_xor;
  template <std::integral T>
  static constexpr T identity() {
    return T{0};
  }
  template <std::integral A>
  constexpr A operator()(const A& a, const A& b) const {
    return static_cast<A>(a ^ b);
  }
  template <class A, class B>
  requires(detail::SymbolicAlike<A, B>&& std::integral<detail::Native<A>>) auto operator()(const A& a,
                                                                                           const B& b) const {
    return detail::symbolic_alike(Operator::bit_xor, a, b);
  }
};

/// The first argument; as f_z the vector's element.
struct First {
  static constexpr const char* name = "first";
  static constexpr bool returns_first(std::size_t) { return true; }
  template <class A, class... Rest>
  constexpr A operator()(const A& a, const Rest&...) const {
    return a;
  }
};

/// The argument itself: map(identity, v) is another name for v.
struct Identity {
  static constexpr const char* name = "identity";
  static constexpr bool returns_first(std::size_t) { return true; }
  template <class A>
  constexpr A operator()(const A& a) const {
    return a;
  }
};

/// 1 as int32, whatever the arguments: with plus, mxvt(count, plus, M, v) counts the non-zeros of rows.
struct Count {
  static constexpr const char* name = "count";
  template <class... Any>
  constexpr std::int32_t operator()(const Any&...) const {
    return 1;
  }
};

inline constexpr Plus plus;
inline constexpr Times times;
inline constexpr Minus minus;
inline constexpr Divides divides;
inline constexpr Min min;
inline constexpr Max max;
inline constexpr LogicalOr logical_or;
inline constexpr LogicalAnd logical_and;
inline constexpr BitOr bit_or;
inline constexpr BitAnd bit_and;
inline constexpr BitXor bit_xor;
inline constexpr First first;
inline constexpr Identity identity;
inline constexpr Count count;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

namespace detail {

template <class F, class... Functors>
inline constexpr bool kIsOneOf = (std::is_same_v<F, Functors> || ...);
template <class... Functors>
struct FunctorList {
  template <class F>
  static constexpr bool kHas = kIsOneOf<F, Functors...>;
  /// F derives from one of them.
  template <class F>
  static constexpr bool kHasBaseOf = ((std::is_base_of_v<Functors, F> && !std::is_same_v<F, Functors>) || ...);
};
using BuiltInFunctors = FunctorList<Plus, Times, Minus, Divides, Min, Max, LogicalOr, LogicalAnd, BitOr, BitAnd, BitXor,
                                    First, Count, Identity>;
/// One of them that is looked into, which Identity is not.
template <class F>
inline constexpr bool kIsBuiltIn = BuiltInFunctors::kHas<F> && !std::is_same_v<F, Identity>;
/// Of a functor of the user's that derives from a built-in one, what it inherits says nothing.
template <class F>
inline constexpr bool kInherits = BuiltInFunctors::kHasBaseOf<F>;

}  // namespace detail

}  // namespace kasen
