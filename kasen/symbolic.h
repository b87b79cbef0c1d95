/// @file
/// A symbol in place of an element: functions called with symbols write down what they compute
/// (kasen/recording/trace.h). Types follow C++: what promotes to int does so here, and what C++ refuses is refused.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "kasen/detail/handles.h"
#include "kasen/recording/trace.h"

namespace kasen {

template <class T>
class Symbolic;

namespace detail {

template <class>
inline constexpr bool kIsSymbolic = false;
template <class T>
inline constexpr bool kIsSymbolic<Symbolic<T>> = true;

template <class A>
struct NativeOf {
  using type = A;
};
template <class T>
struct NativeOf<Symbolic<T>> {
  using type = T;
};
/// The type that A, a symbol or a number, stands for.
template <class A>
using Native = typename NativeOf<std::remove_cvref_t<A>>::type;

/// A type that has symbols.
template <class T>
concept HasSymbol = scalar_type_of<T>()
.has_value();
/// No symbol, and no Shared: the compiled function.
template <class A>
concept NotSymbolic = !kIsSymbolic<std::remove_cvref_t<A>> && !kIsShared<std::remove_cvref_t<A>>;
/// Symbols and numbers, with at least one symbol among them.
template <class... A>
concept SymbolicOperands = (kIsSymbolic<std::remove_cvref_t<A>> || ...) && (HasSymbol<Native<A>> && ...);

/// The node of a symbol or of a number, in type T.
template <class T, class A>
std::uint32_t node_as(const A& a) {
  if constexpr (kIsSymbolic<A>) {
    return recording::Trace::current().cast(a.node(), *scalar_type_of<T>());
  } else {
    return recording::Trace::current().literal(Scalar::of(static_cast<T>(a)));
  }
}

}  // namespace detail

/// A value of type T that is known when the compiled function runs.
template <class T>
class Symbolic {
 public:
  static constexpr ScalarType kType = *scalar_type_of<T>();

  static Symbolic of(std::uint32_t node) {
    Symbolic symbol;
    symbol._node = node;
    return symbol;
  }
  /// Where C++ finds T the common type of both: c ? x : 0.
  template <detail::HasSymbol U>
  requires std::is_same_v<std::common_type_t<T, U>, T> Symbolic(U value)  // NOLINT: as numbers convert
      : _node(detail::node_as<T>(value)) {}
  template <class U>
  requires(!std::is_same_v<T, U> && std::is_same_v<std::common_type_t<T, U>, T>)
      Symbolic(const Symbolic<U>& other)  // NOLINT: as numbers convert
      : _node(detail::node_as<T>(other)) {}

  std::uint32_t node() const { return _node; }
  /// A branch on a symbol.
  explicit operator bool() const { return recording::Trace::current().decide(detail::node_as<bool>(*this)); }

#define KASEN_SYMBOLIC_ASSIGNMENT(symbol)                                \
  template <class B>                                                     \
  auto operator symbol##=(const B& b)->decltype(*this symbol b, *this) { \
    return *this = Symbolic::of(detail::node_as<T>(*this symbol b));     \
  }
  KASEN_SYMBOLIC_ASSIGNMENT(+)
  KASEN_SYMBOLIC_ASSIGNMENT(-)
  KASEN_SYMBOLIC_ASSIGNMENT(*)
  KASEN_SYMBOLIC_ASSIGNMENT(/)
  KASEN_SYMBOLIC_ASSIGNMENT(%)
  KASEN_SYMBOLIC_ASSIGNMENT(&)
  KASEN_SYMBOLIC_ASSIGNMENT(|)
  KASEN_SYMBOLIC_ASSIGNMENT(^)
  KASEN_SYMBOLIC_ASSIGNMENT(<<)
  KASEN_SYMBOLIC_ASSIGNMENT(>>)
#undef KASEN_SYMBOLIC_ASSIGNMENT

 private:
  Symbolic() = default;
  std::uint32_t _node = 0;
};

namespace detail {

/// One operator, on operands converted to T.
template <class T, class Result, class... A>
Symbolic<Result> symbolic_apply(Operator op, const A&... a) {
  return Symbolic<Result>::of(recording::Trace::current().apply(op, *scalar_type_of<Result>(), node_as<T>(a)...));
}

}  // namespace detail

// `result` is the type C++ gives the expression; operands are converted to `operands` first. The condition is one of a
// template's parameter, as Clang before 16 works the return type out before it looks at a constraint.
#define KASEN_SYMBOLIC_BINARY(symbol, op, operands, result)                                              \
  template <class A, class B, std::enable_if_t<(detail::SymbolicOperands<A, B>), int> = 0>               \
  auto operator symbol(const A& a, const B& b)                                                           \
      ->Symbolic<decltype(std::declval<detail::Native<A>>() symbol std::declval<detail::Native<B>>())> { \
    using NativeA [[maybe_unused]] = detail::Native<A>;                                                  \
    using NativeB [[maybe_unused]] = detail::Native<B>;                                                  \
    return detail::symbolic_apply<operands, result>(Operator::op, a, b);                                 \
  }
#define KASEN_SYMBOLIC_SUM decltype(std::declval<NativeA>() + std::declval<NativeB>())
KASEN_SYMBOLIC_BINARY(+, add, KASEN_SYMBOLIC_SUM, KASEN_SYMBOLIC_SUM)
KASEN_SYMBOLIC_BINARY(-, subtract, KASEN_SYMBOLIC_SUM, KASEN_SYMBOLIC_SUM)
KASEN_SYMBOLIC_BINARY(*, multiply, KASEN_SYMBOLIC_SUM, KASEN_SYMBOLIC_SUM)
KASEN_SYMBOLIC_BINARY(/, divide, KASEN_SYMBOLIC_SUM, KASEN_SYMBOLIC_SUM)
KASEN_SYMBOLIC_BINARY(%, remainder, KASEN_SYMBOLIC_SUM, KASEN_SYMBOLIC_SUM)
KASEN_SYMBOLIC_BINARY(&, bit_and, KASEN_SYMBOLIC_SUM, KASEN_SYMBOLIC_SUM)
KASEN_SYMBOLIC_BINARY(|, bit_or, KASEN_SYMBOLIC_SUM, KASEN_SYMBOLIC_SUM)
KASEN_SYMBOLIC_BINARY(^, bit_xor, KASEN_SYMBOLIC_SUM, KASEN_SYMBOLIC_SUM)
KASEN_SYMBOLIC_BINARY(<, less, KASEN_SYMBOLIC_SUM, bool)
KASEN_SYMBOLIC_BINARY(<=, less_equal, KASEN_SYMBOLIC_SUM, bool)
KASEN_SYMBOLIC_BINARY(==, equal, KASEN_SYMBOLIC_SUM, bool)
KASEN_SYMBOLIC_BINARY(!=, not_equal, KASEN_SYMBOLIC_SUM, bool)
// Functions have no side effects, so nothing is lost by computing both sides.
KASEN_SYMBOLIC_BINARY(&&, logical_and, bool, bool)
KASEN_SYMBOLIC_BINARY(||, logical_or, bool, bool)
#undef KASEN_SYMBOLIC_SUM
#undef KASEN_SYMBOLIC_BINARY

template <class A, class B>
requires detail::SymbolicOperands<A, B>
auto operator>(const A& a, const B& b) { return b < a; }
template <class A, class B>
requires detail::SymbolicOperands<A, B>
auto operator>=(const A& a, const B& b) { return b <= a; }

// A shift has the type of its left operand, and converts the right one on its own.
#define KASEN_SYMBOLIC_SHIFT(symbol, op)                                                                            \
  template <class A, class B, std::enable_if_t<(detail::SymbolicOperands<A, B>), int> = 0>                          \
  auto operator symbol(const A& a, const B& b)                                                                      \
      ->Symbolic<decltype(std::declval<detail::Native<A>>() symbol std::declval<detail::Native<B>>())> {            \
    using Result = decltype(std::declval<detail::Native<A>>() symbol std::declval<detail::Native<B>>());            \
    return Symbolic<Result>::of(recording::Trace::current().apply(                                                  \
        Operator::op, Symbolic<Result>::kType, detail::node_as<Result>(a), detail::node_as<detail::Native<B>>(b))); \
  }
KASEN_SYMBOLIC_SHIFT(<<, shift_left)
KASEN_SYMBOLIC_SHIFT(>>, shift_right)
#undef KASEN_SYMBOLIC_SHIFT

template <class T>
auto operator-(const Symbolic<T>& a) {
  using Result = decltype(-std::declval<T>());
  return detail::symbolic_apply<Result, Result>(Operator::negate, a);
}
template <class T>
auto operator+(const Symbolic<T>& a) {
  using Result = decltype(+std::declval<T>());
  return Symbolic<Result>::of(detail::node_as<Result>(a));
}
template <class T>
auto operator~(const Symbolic<T>& a) -> Symbolic<decltype(~std::declval<T>())> {
  using Result = decltype(~std::declval<T>());
  return detail::symbolic_apply<Result, Result>(Operator::bit_not, a);
}
template <class T>
auto operator!(const Symbolic<T>& a) {
  return detail::symbolic_apply<bool, bool>(Operator::logical_not, a);
}

}  // namespace kasen
