/// @file
/// Math for functions of elements: kasen::exp, kasen::abs, kasen::select, ... They vectorise in kernels, and can be
/// traced. (An unqualified `abs` of doubles can silently be the integer one.)
///
/// With GCC, and where glibc has vector variants (its libmvec, on x86-64), functions are declared with those, so that
/// `omp simd` loops call them: within 4 units in the last place, against about 1 of the scalar ones. An element's
/// result may therefore differ in the last bits with its position in a tile, but with --reproducible. Integers are
/// converted to double.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <type_traits>

#include "kasen/base/vector_math.h"
#include "kasen/symbolic.h"

namespace kasen {

namespace detail {

#ifdef KASEN_VECTOR_MATH
// Functions of kasen/base/vector_math.cpp: a variant's name is made of that of the scalar function.
#define KASEN_DECLARE_MATH(name, ...) \
  extern "C" double kasen_##name(__VA_ARGS__) noexcept __attribute__((const, simd("notinbranch")));
#define KASEN_DECLARE_MATH_FLOAT(name, ...) \
  extern "C" float kasen_##name##f(__VA_ARGS__) noexcept __attribute__((const, simd("notinbranch")));
#define KASEN_DECLARE_MATH_1(name) \
  KASEN_DECLARE_MATH(name, double) \
  KASEN_DECLARE_MATH_FLOAT(name, float)
KASEN_DECLARE_MATH_1(exp)
KASEN_DECLARE_MATH_1(expm1)
KASEN_DECLARE_MATH_1(log)
KASEN_DECLARE_MATH_1(log1p)
KASEN_DECLARE_MATH_1(sin)
KASEN_DECLARE_MATH_1(cos)
KASEN_DECLARE_MATH_1(tan)
KASEN_DECLARE_MATH_1(asin)
KASEN_DECLARE_MATH_1(acos)
KASEN_DECLARE_MATH_1(atan)
KASEN_DECLARE_MATH_1(tanh)
KASEN_DECLARE_MATH_1(erf)
KASEN_DECLARE_MATH_1(erfc)
KASEN_DECLARE_MATH(pow, double, double)
KASEN_DECLARE_MATH_FLOAT(pow, float, float)
#undef KASEN_DECLARE_MATH_1
#undef KASEN_DECLARE_MATH_FLOAT
#undef KASEN_DECLARE_MATH
#define KASEN_VECTOR_CALL(name, suffix, ...) detail::kasen_##name##suffix(__VA_ARGS__)
#else
#define KASEN_VECTOR_CALL(name, suffix, ...) std::name(__VA_ARGS__)
#endif

/// What a math function of T returns.
template <class T>
using MathResult = std::conditional_t<std::is_same_v<T, float>, float, double>;

}  // namespace detail

#define KASEN_SCALAR_CALL(name, suffix, ...) std::name(__VA_ARGS__)
#define KASEN_MATH_FUNCTION(name, op, call)                         \
  inline double name(double x) { return call(name, , x); }          \
  inline float name(float x) { return call(name, f, x); }           \
  template <std::integral T>                                        \
  double name(T x) {                                                \
    return kasen::name(static_cast<double>(x));                     \
  }                                                                 \
  template <class T>                                                \
  auto name(const Symbolic<T>& x) {                                 \
    using Result = detail::MathResult<T>;                           \
    return detail::symbolic_apply<Result, Result>(Operator::op, x); \
  }
KASEN_MATH_FUNCTION(exp, exp, KASEN_VECTOR_CALL)
KASEN_MATH_FUNCTION(expm1, expm1, KASEN_VECTOR_CALL)
KASEN_MATH_FUNCTION(log, log, KASEN_VECTOR_CALL)
KASEN_MATH_FUNCTION(log1p, log1p, KASEN_VECTOR_CALL)
KASEN_MATH_FUNCTION(sin, sin, KASEN_VECTOR_CALL)
KASEN_MATH_FUNCTION(cos, cos, KASEN_VECTOR_CALL)
KASEN_MATH_FUNCTION(tan, tan, KASEN_VECTOR_CALL)
KASEN_MATH_FUNCTION(asin, asin, KASEN_VECTOR_CALL)
KASEN_MATH_FUNCTION(acos, acos, KASEN_VECTOR_CALL)
KASEN_MATH_FUNCTION(atan, atan, KASEN_VECTOR_CALL)
KASEN_MATH_FUNCTION(tanh, tanh, KASEN_VECTOR_CALL)
KASEN_MATH_FUNCTION(erf, erf, KASEN_VECTOR_CALL)
KASEN_MATH_FUNCTION(erfc, erfc, KASEN_VECTOR_CALL)
KASEN_MATH_FUNCTION(sqrt, square_root, KASEN_SCALAR_CALL)  // an instruction each
KASEN_MATH_FUNCTION(floor, floor, KASEN_SCALAR_CALL)
KASEN_MATH_FUNCTION(ceil, ceil, KASEN_SCALAR_CALL)
#undef KASEN_MATH_FUNCTION
#undef KASEN_SCALAR_CALL

namespace detail {

/// Of powers that are products or roots: true if the compiler knows y, and it is this one.
#define KASEN_IS_POWER(y, value) (__builtin_constant_p((y) == (value)) && (y) == (value))

/// x to the power of y by few instructions, in place of some forty. For others it gives `otherwise()`.
template <class T, class Otherwise>
[[gnu::always_inline]] inline T power(T x, T y, const Otherwise& otherwise) {
  if (KASEN_IS_POWER(y, 1)) return x;
  if (KASEN_IS_POWER(y, 2)) return x * x;
  if (KASEN_IS_POWER(y, 3)) return x * x * x;
  if (KASEN_IS_POWER(y, 4)) return (x * x) * (x * x);
  if (KASEN_IS_POWER(y, -1)) return 1 / x;
  // Of -0 it is 0, and of minus infinity infinity.
  if (KASEN_IS_POWER(y, 0.5)) return x == -std::numeric_limits<T>::infinity() ? -x : std::sqrt(x + T{0});
  return otherwise();
}
#undef KASEN_IS_POWER

}  // namespace detail

/// x to the power of y. What the compiler knows to be 1, 2, 3, 4, -1 or 0.5 costs products, a quotient or a root.
[[gnu::always_inline]] inline double pow(double x, double y) {
  return detail::power(x, y, [=] { return KASEN_VECTOR_CALL(pow, , x, y); });
}
[[gnu::always_inline]] inline float pow(float x, float y) {
  return detail::power(x, y, [=] { return KASEN_VECTOR_CALL(pow, f, x, y); });
}
template <class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B> && !std::is_same_v<A, B>) || std::integral<A> double pow(
                                                                                            A x, B y) {
  return kasen::pow(static_cast<double>(x), static_cast<double>(y));
}
template <class A, class B>
requires detail::SymbolicOperands<A, B>
auto pow(const A& x, const B& y) {
  using NativeA = detail::Native<A>;
  using Result = std::conditional_t<std::is_same_v<NativeA, detail::Native<B>>, detail::MathResult<NativeA>, double>;
  return detail::symbolic_apply<Result, Result>(Operator::power, x, y);
}
#undef KASEN_VECTOR_CALL

/// |x|, of x's own type.
template <detail::NotSymbolic T>
constexpr T abs(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fabs(x);  // of -0.0 too
  } else {
    return x < T{} ? static_cast<T>(-x) : x;
  }
}
template <class T>
Symbolic<T> abs(const Symbolic<T>& x) {
  return detail::symbolic_apply<T, T>(Operator::absolute, x);
}

/// condition ? a : b, without a branch. Numbers of two types are converted to one, as there: select(c, x, 0).
template <detail::NotSymbolic A, detail::NotSymbolic B>
constexpr std::common_type_t<A, B> select(bool condition, A a, B b) {
  return condition ? static_cast<std::common_type_t<A, B>>(a) : static_cast<std::common_type_t<A, B>>(b);
}
template <class C, class A, class B>
requires detail::SymbolicOperands<C, A, B>
auto select(const C& condition, const A& a, const B& b) {
  using T = std::common_type_t<detail::Native<A>, detail::Native<B>>;
  return Symbolic<T>::of(recording::Trace::current().select(detail::node_as<bool>(condition), detail::node_as<T>(a),
                                                            detail::node_as<T>(b)));
}

/// x as T, as by static_cast.
template <class T, detail::NotSymbolic A>
requires requires(const A& x) { static_cast<T>(x); }
constexpr T cast(const A& x) {
  if constexpr (std::is_same_v<A, bool> && std::is_floating_point_v<T>) {
    return x ? T{1} : T{0};  // which GCC 12 vectorises
  } else {
    return static_cast<T>(x);
  }
}
template <detail::HasSymbol T, class A>
Symbolic<T> cast(const Symbolic<A>& x) {
  return Symbolic<T>::of(detail::node_as<T>(x));
}

namespace detail {

/// Of one type, as the functors min and max ask.
template <class A, class B>
concept SymbolicAlike = SymbolicOperands<A, B> && std::is_same_v<Native<A>, Native<B>>;

template <class A, class B>
auto symbolic_alike(Operator op, const A& a, const B& b) {
  return symbolic_apply<Native<A>, Native<A>>(op, a, b);
}

}  // namespace detail

}  // namespace kasen
