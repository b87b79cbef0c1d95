/// @file
/// Built-in functors with what is known of them: their name, their identity, and the laws they obey.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace kasen {

/// A functor F distributes over R at an argument if F(R(a,b),c) = R(F(a,c),F(b,c)), and pushes down into R if
/// F(R(a,b),c) = R(F(a,c),b). With a vector at that argument and Shareds or plain values elsewhere, the first is the
/// paper's exchange law (rule 10), with further vectors the distributive law (rule 14); the second is the pushdown law
/// (rules 11 and 15). Laws hold in real arithmetic; rounding may differ in the last bits.
enum class Obeys : std::uint8_t { nothing, distributes, pushes_down };

namespace detail {

/// Types for which "plus over min" and the like cannot overflow at the identity.
template <class T>
inline constexpr bool kHasInfinity = std::numeric_limits<T>::has_infinity;

template <class T>
constexpr T highest() {
  return kHasInfinity<T> ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
}
template <class T>
constexpr T lowest() {
  return kHasInfinity<T> ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
}

}  // namespace detail

struct Plus;
struct Times;
struct Min;
struct Max;
struct LogicalOr;
struct LogicalAnd;
struct BitOr;
struct BitAnd;
struct BitXor;

// Each functor: `name`; `identity<T>()` if it may reduce; `obeys<R, T>(argument)`; `returns_first(n)` if it may return
// the first of n arguments as it is. Called with one argument, as the f_z of a Pattern matrix, a functor of two returns
// it.

struct Plus {
  static constexpr const char* name = "plus";
  static constexpr bool returns_first(std::size_t arguments) { return arguments == 1; }
  template <class T>
  static constexpr T identity() {
    return T{};
  }
  template <class A, class B>
  constexpr auto operator()(const A& a, const B& b) const {
    return a + b;
  }
  template <class A>
  constexpr A operator()(const A& a) const {
    return a;
  }
  template <class R, class T>
  static constexpr Obeys obeys(int) {
    if constexpr (std::is_same_v<R, Plus>) return Obeys::pushes_down;
    if constexpr (std::is_same_v<R, Min> || std::is_same_v<R, Max>) {
      return detail::kHasInfinity<T> ? Obeys::distributes : Obeys::nothing;
    }
    return Obeys::nothing;
  }
};

struct Times {
  static constexpr const char* name = "times";
  static constexpr bool returns_first(std::size_t arguments) { return arguments == 1; }
  template <class T>
  static constexpr T identity() {
    return T{1};
  }
  template <class A, class B>
  constexpr auto operator()(const A& a, const B& b) const {
    return a * b;
  }
  template <class A>
  constexpr A operator()(const A& a) const {
    return a;
  }
  template <class R, class T>
  static constexpr Obeys obeys(int) {
    if constexpr (std::is_same_v<R, Plus>) return Obeys::distributes;
    if constexpr (std::is_same_v<R, Times>) return Obeys::pushes_down;
    return Obeys::nothing;
  }
};

struct Minus {
  static constexpr const char* name = "minus";
  template <class A, class B>
  constexpr auto operator()(const A& a, const B& b) const {
    return a - b;
  }
  template <class R, class T>
  static constexpr Obeys obeys(int argument) {
    if (argument != 0) return Obeys::nothing;
    if constexpr (std::is_same_v<R, Plus>) return Obeys::pushes_down;
    if constexpr (std::is_same_v<R, Min> || std::is_same_v<R, Max>) {
      return detail::kHasInfinity<T> ? Obeys::distributes : Obeys::nothing;
    }
    return Obeys::nothing;
  }
};

struct Divides {
  static constexpr const char* name = "divides";
  template <class A, class B>
  constexpr auto operator()(const A& a, const B& b) const {
    return a / b;
  }
  template <class R, class T>
  static constexpr Obeys obeys(int argument) {
    if (argument != 0 || !std::is_floating_point_v<T>) return Obeys::nothing;
    if constexpr (std::is_same_v<R, Plus>) return Obeys::distributes;
    if constexpr (std::is_same_v<R, Times>) return Obeys::pushes_down;
    return Obeys::nothing;
  }
};

struct Min {
  static constexpr const char* name = "min";
  template <class T>
  static constexpr T identity() {
    return detail::highest<T>();
  }
  template <class A>
  constexpr A operator()(const A& a, const A& b) const {
    return b < a ? b : a;
  }
  template <class R, class T>
  static constexpr Obeys obeys(int) {
    if constexpr (std::is_same_v<R, Min>) return Obeys::pushes_down;
    if constexpr (std::is_same_v<R, Max>) return Obeys::distributes;
    return Obeys::nothing;
  }
};

struct Max {
  static constexpr const char* name = "max";
  template <class T>
  static constexpr T identity() {
    return detail::lowest<T>();
  }
  template <class A>
  constexpr A operator()(const A& a, const A& b) const {
    return a < b ? b : a;
  }
  template <class R, class T>
  static constexpr Obeys obeys(int) {
    if constexpr (std::is_same_v<R, Max>) return Obeys::pushes_down;
    if constexpr (std::is_same_v<R, Min>) return Obeys::distributes;
    return Obeys::nothing;
  }
};

struct LogicalOr {
  static constexpr const char* name = "logical_or";
  template <class T>
  static constexpr T identity() {
    return T{false};
  }
  template <class A, class B>
  constexpr bool operator()(const A& a, const B& b) const {
    return static_cast<bool>(a) | static_cast<bool>(b);
  }
  template <class R, class T>
  static constexpr Obeys obeys(int) {
    if constexpr (std::is_same_v<R, LogicalOr>) return Obeys::pushes_down;
    if constexpr (std::is_same_v<R, LogicalAnd>) return Obeys::distributes;
    return Obeys::nothing;
  }
};

struct LogicalAnd {
  static constexpr const char* name = "logical_and";
  template <class T>
  static constexpr T identity() {
    return T{true};
  }
  template <class A, class B>
  constexpr bool operator()(const A& a, const B& b) const {
    return static_cast<bool>(a) & static_cast<bool>(b);
  }
  template <class R, class T>
  static constexpr Obeys obeys(int) {
    if constexpr (std::is_same_v<R, LogicalAnd>) return Obeys::pushes_down;
    if constexpr (std::is_same_v<R, LogicalOr>) return Obeys::distributes;
    return Obeys::nothing;
  }
};

struct BitOr {
  static constexpr const char* name = "bit_or";
  template <std::integral T>
  static constexpr T identity() {
    return T{0};
  }
  template <std::integral A>
  constexpr A operator()(const A& a, const A& b) const {
    return static_cast<A>(a | b);
  }
  template <class R, class T>
  static constexpr Obeys obeys(int) {
    if constexpr (std::is_same_v<R, BitOr>) return Obeys::pushes_down;
    if constexpr (std::is_same_v<R, BitAnd>) return Obeys::distributes;
    return Obeys::nothing;
  }
};

struct BitAnd {
  static constexpr const char* name = "bit_and";
  template <std::integral T>
  static constexpr T identity() {
    return static_cast<T>(~T{0});
  }
  template <std::integral A>
  constexpr A operator()(const A& a, const A& b) const {
    return static_cast<A>(a & b);
  }
  template <class R, class T>
  static constexpr Obeys obeys(int) {
    if constexpr (std::is_same_v<R, BitAnd>) return Obeys::pushes_down;
    if constexpr (std::is_same_v<R, BitOr> || std::is_same_v<R, BitXor>) return Obeys::distributes;
    return Obeys::nothing;
  }
};

struct BitXor {
  static constexpr const char* name = "bit_xor";
  template <std::integral T>
  static constexpr T identity() {
    return T{0};
  }
  template <std::integral A>
  constexpr A operator()(const A& a, const A& b) const {
    return static_cast<A>(a ^ b);
  }
  template <class R, class T>
  static constexpr Obeys obeys(int) {
    return std::is_same_v<R, BitXor> ? Obeys::pushes_down : Obeys::nothing;
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

/// Math for functions of elements. std::abs of an unqualified call can silently be the integer one.
template <class T>
constexpr T abs(T x) {
  return x < T{} ? static_cast<T>(-x) : x;
}
using std::exp;
using std::log;
using std::sqrt;
/// condition ? a : b, without a branch.
template <class T>
constexpr T select(bool condition, T a, T b) {
  return condition ? a : b;
}

}  // namespace kasen
