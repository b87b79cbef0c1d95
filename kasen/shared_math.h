/// @file
/// The functions of kasen/math.h on Shareds, and members of Shareds of structs: calls of apply, white boxes over
/// numbers.
#pragma once

#include <type_traits>

#include "kasen/math.h"
#include "kasen/shared_functions.h"

namespace kasen {

/// exp(s), sqrt(s), ...: a Shared of what the function returns for the value of s.
/// @code
/// Shared<double> error = kasen::sqrt(s) / kasen::max(kasen::abs(t), 1e-12);
/// @endcode
#define KASEN_SHARED_MATH(name)                                                                                      \
  template <class A>                                                                                                 \
  requires std::is_arithmetic_v<A>                                                                                   \
  auto name(const Shared<A>& a, Where where = Where::current()) {                                                    \
    const auto g = [](const auto& x) -> std::decay_t<decltype(kasen::name(x))> { return kasen::name(x); };           \
    return detail::apply_function(where, NamedFunction{g, #name}, a);                                                \
  }                                                                                                                  \
  template <class A>                                                                                                 \
  requires(!std::is_arithmetic_v<A>) Shared<A> name(const Shared<A>& a) {                                            \
    static_assert(detail::kNever<A>, "[" #name "] it is of numbers: of a struct s, apply(f, s) is");                 \
    return a;                                                                                                        \
  }                                                                                                                  \
  template <class A>                                                                                                 \
  Vector<A> name(const Vector<A>& v) {                                                                               \
    static_assert(detail::kNever<A>, "[" #name "] of a Vector, map(KASEN_FN((auto x), kasen::" #name "(x)), v) is"); \
    return v;                                                                                                        \
  }
KASEN_SHARED_MATH(exp)
KASEN_SHARED_MATH(expm1)
KASEN_SHARED_MATH(log)
KASEN_SHARED_MATH(log1p)
KASEN_SHARED_MATH(sin)
KASEN_SHARED_MATH(cos)
KASEN_SHARED_MATH(tan)
KASEN_SHARED_MATH(asin)
KASEN_SHARED_MATH(acos)
KASEN_SHARED_MATH(atan)
KASEN_SHARED_MATH(tanh)
KASEN_SHARED_MATH(erf)
KASEN_SHARED_MATH(erfc)
KASEN_SHARED_MATH(sqrt)
KASEN_SHARED_MATH(floor)
KASEN_SHARED_MATH(ceil)
KASEN_SHARED_MATH(abs)
#undef KASEN_SHARED_MATH

/// x to the power y; at least one of them a Shared.
template <class A, class B>
requires detail::SharedOperands<A, B>
auto pow(const A& x, const B& y, Where where = Where::current()) {
  const auto g = [](const auto& base, const auto& exponent) -> std::decay_t<decltype(kasen::pow(base, exponent))> {
    return kasen::pow(base, exponent);
  };
  constexpr bool known = detail::kTakes<decltype(g), A, B>;
  static_assert(known, "[pow] it is of numbers: of structs s and t, apply(f, s, t) is");
  if constexpr (known) return detail::apply_function(where, NamedFunction{g, "pow"}, x, y);
}

/// The Shared x as T, as by static_cast.
/// @code
/// Shared<double> mean = s / kasen::cast<double>(k);
/// @endcode
template <class T, class A>
requires std::is_arithmetic_v<A>
auto cast(const Shared<A>& x, Where where = Where::current()) {
  const auto g = [](const auto& value) -> decltype(kasen::cast<T>(value)) { return kasen::cast<T>(value); };
  return detail::apply_function(where, NamedFunction{g, "cast"}, x);
}

/// condition ? a : b. Both are computed; if_ runs one of two blocks.
/// @code
/// s = kasen::select(t > 0, s / t, 0);
/// @endcode
template <class A, class B>
requires detail::SharedOperands<A, B> ||
    (detail::SharedOperands<Shared<bool>, A>&& detail::SharedOperands<Shared<bool>, B>)auto select(
        const Shared<bool>& condition, const A& a, const B& b, Where where = Where::current()) {
  const auto g = [](const auto& c, const auto& x, const auto& y) -> std::decay_t<decltype(kasen::select(c, x, y))> {
    return kasen::select(c, x, y);
  };
  constexpr bool known = detail::kTakes<decltype(g), Shared<bool>, A, B>;
  static_assert(known, "[select] it is of two numbers, or of two values of one type");
  if constexpr (known) return detail::apply_function(where, NamedFunction{g, "select"}, condition, a, b);
}

namespace detail {
/// Whether a functor takes two operands: numbers, or values of one type that it knows.
template <class Functor, class A, class B, class First = typename Operand<A>::Element,
          class Second = typename Operand<B>::Element>
inline constexpr bool kAreAlike = (std::is_arithmetic_v<First> && std::is_arithmetic_v<Second>) ||
                                  (std::is_same_v<First, Second> && kTakes<Functor, A, B>);

/// `functor` of two operands, numbers of two types as the common one.
template <class Functor, class A, class B>
auto alike(Where where, const A& a, const B& b) {
  using First = typename Operand<A>::Element;
  using Second = typename Operand<B>::Element;
  if constexpr (std::is_same_v<First, Second>) {
    return apply_function(where, Functor(), a, b);
  } else {
    using Common = std::common_type_t<First, Second>;
    const auto g = [](const auto& x, const auto& y) {
      return Functor()(kasen::cast<Common>(x), kasen::cast<Common>(y));
    };
    return apply_function(where, NamedFunction{g, Functor::name}, a, b);
  }
}
}  // namespace detail

#define KASEN_CHECK_ALIKE(Functor, A, B)                                                                   \
  static_assert(detail::kAreAlike<Functor, A, B>,                                                          \
                "[Shared] min and max are of numbers, and of structs of one type with a <: of Rows write " \
                "apply(elementwise(kasen::min), s, t)")
/// The smaller one of two Shareds, or of a Shared and a number: kasen::min(s, 1.0).
template <class A, class B>
requires detail::SharedOperands<A, B>
auto Min::operator()(const A& a, const B& b, SourceLocation where) const {
  KASEN_CHECK_ALIKE(Min, A, B);
  if constexpr (detail::kAreAlike<Min, A, B>) return detail::alike<Min>(where, a, b);
}
/// The larger one.
template <class A, class B>
requires detail::SharedOperands<A, B>
auto Max::operator()(const A& a, const B& b, SourceLocation where) const {
  KASEN_CHECK_ALIKE(Max, A, B);
  if constexpr (detail::kAreAlike<Max, A, B>) return detail::alike<Max>(where, a, b);
}
#undef KASEN_CHECK_ALIKE

namespace detail {
template <class Struct, class T>
struct MemberOf {
  static constexpr const char* name = "member";
  T Struct::*member;
  T operator()(const Struct& s) const { return s.*member; }
};
template <class Struct, class T>
inline constexpr bool kIsTotal<MemberOf<Struct, T>> = true;
}  // namespace detail

/// A member of a Shared's struct, as a Shared: member(best, &Nearest::distance). The value is not known while a program
/// is recorded, so that best.distance cannot be read, and of the members of a struct C++ tells a library nothing but
/// pointers to them.
/// @code
/// Shared<double> x = member(p, &Point::x);
/// @endcode
template <class Struct, class Of, class T>
auto member(const Shared<Struct>& s, T Of::*member, Where where = Where::current()) {
  constexpr bool has = std::is_base_of_v<Of, Struct>;
  static_assert(has, "[member] the pointer is to a member of another struct than the Shared's");
  static_assert(!std::is_array_v<T>, "an array is no element: kasen::Row or std::array is");
  static_assert(!std::is_function_v<T>, "a member function is called by apply([](const auto& x) { return x.f(); }, s)");
  if constexpr (has) return detail::apply_function(where, detail::MemberOf<Struct, T>{member}, s);
}
template <class Struct, class Of, class T>
detail::Refused member(const Vector<Struct>&, T Of::*) {
  static_assert(detail::kNever<Struct>, "[member] of a Vector, map([](const auto& x) { return x.y; }, v) is");
  return {};
}

}  // namespace kasen
