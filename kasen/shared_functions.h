/// @file
/// Work on Shareds (paper, rule 3): apply, and operators that are calls of it.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "kasen/detail/operands.h"
#include "kasen/primitives.h"

namespace kasen {

namespace detail {

template <class F, class... A>
auto apply_to(SourceLine where, F f, const A&... operands) {
  using Out = std::decay_t<std::invoke_result_t<const F&, const typename Operand<A>::Element&...>>;
  Slots<sizeof...(A)> shared;
  (shared.add_shared(operands), ...);
  constexpr bool shared_first = std::array{kIsShared<A>...}[0];
  recording::Call call;
  call.op = Op::apply;
  call.primitive = "apply";
  call.function = name_of(f);
  call.where = where;
  call.shareds = shared.view();
  call.out = recording::type_of<Out>();
  call.returns = shared_first ? returned_operand<F, Out, typename Operand<A>::Element...>() : -1;
  call.key = recording::function_key<Out, F, A...>(f, Operand<A>::tag(operands, where)...);
  call.user_types = recording::name_hash<F>();
  (add_plain(call.plain, operands), ...);
  call.expression = traced_expression<Out>(f, Traced<Operand<A>::kKind, typename Operand<A>::Element>{}...);
  call.total = call.expression || is_total<F, Out, typename Operand<A>::Element...>();
  call.kernel = runtime::apply_kernel<Out>(std::move(f), Operand<A>::tag(operands, where)...);
  return Shared<Out>(Result<Out>{recording::record(std::move(call))});
}

template <class F, class... A>
auto apply_from(SourceLine where, F f, const A&... operands) {
  if constexpr (apply_mistake<F, A...>() == Mistake::none) {  // else its caller has said what is wrong
    return apply_to(where, std::move(f), operands...);
  }
}
template <class F, class... A>
auto apply_function(Where where, F f, const A&... operands) {
  return apply_from(recording::source_line(where), std::move(f), operands...);
}

/// Where the first Shared of some operands was made.
template <class A, class... Rest>
SourceLine made_at(const A& first, const Rest&... rest) {
  if constexpr (kIsShared<A>) {
    return first.made_at();
  } else {
    return made_at(rest...);
  }
}

}  // namespace detail

// ---- apply ----

/// f of Shareds and plain values, on every worker alike; any pure function. Local and lazy. Cost: a call of f, between
/// supersteps. @throws ProgramError for a Shared of another session or of a block that has ended
/// @code
/// Shared<double> rate = apply([](double x, int n, double by) { return n > 0 ? x * by / n : 0.0; }, s, k, 0.5);
/// @endcode

template <class F, class A>
auto apply(F f, const A& a, Where where = Where::current()) {
  KASEN_CHECK_APPLY(F, A);
  return detail::apply_function(where, std::move(f), a);
}
template <class F, class A, class B>
auto apply(F f, const A& a, const B& b, Where where = Where::current()) {
  KASEN_CHECK_APPLY(F, A, B);
  return detail::apply_function(where, std::move(f), a, b);
}
template <class F, class A, class B, class C>
auto apply(F f, const A& a, const B& b, const C& c, Where where = Where::current()) {
  KASEN_CHECK_APPLY(F, A, B, C);
  return detail::apply_function(where, std::move(f), a, b, c);
}
template <class F, class A, class B, class C, class D>
auto apply(F f, const A& a, const B& b, const C& c, const D& d, Where where = Where::current()) {
  KASEN_CHECK_APPLY(F, A, B, C, D);
  return detail::apply_function(where, std::move(f), a, b, c, d);
}
template <class F, class A, class B, class C, class D, class E>
auto apply(F f, const A& a, const B& b, const C& c, const D& d, const E& e, Where where = Where::current()) {
  KASEN_CHECK_APPLY(F, A, B, C, D, E);
  return detail::apply_function(where, std::move(f), a, b, c, d, e);
}
template <class F, class A, class B, class C, class D, class E, class G>
auto apply(F f, const A& a, const B& b, const C& c, const D& d, const E& e, const G& g,
           Where where = Where::current()) {
  KASEN_CHECK_APPLY(F, A, B, C, D, E, G);
  return detail::apply_function(where, std::move(f), a, b, c, d, e, g);
}
template <class T>
auto apply(T (*f)(T), const Shared<T>& a, Where where = Where::current()) {  // one of a set of functions of one name
  return detail::apply_function(where, f, a);
}
/// Any number of operands. Such a call cannot be told its caller's line: messages name that of its first Shared.
template <class F, class A, class B, class C, class D, class E, class G, class... More>
requires(sizeof...(More) > 0) auto apply(F f, const A& a, const B& b, const C& c, const D& d, const E& e, const G& g,
                                         const More&... more) {
  KASEN_CHECK_APPLY(F, A, B, C, D, E, G, More...);
  return detail::apply_from(detail::made_at(a, b, c, d, e, g, more...), std::move(f), a, b, c, d, e, g, more...);
}

// ---- operators ----

namespace detail {
/// Whether a function can be called with the values of these operands.
template <class F, class... A>
inline constexpr bool kTakes = std::is_invocable_v<const F&, const typename Operand<A>::Element&...>;
}  // namespace detail

// An operator cannot be told its caller's line: messages name the line where its operand was made.
#define KASEN_SHARED_OPERATOR(symbol)                                                                             \
  template <class A, class B>                                                                                     \
  requires detail::SharedOperands<A, B>                                                                           \
  auto operator symbol(const A& a, const B& b) {                                                                  \
    const auto g = [](const auto& x, const auto& y) -> std::decay_t<decltype(x symbol y)> { return x symbol y; }; \
    constexpr bool known = detail::kTakes<decltype(g), A, B>;                                                     \
    static_assert(known, "[Shared] these types have no " #symbol                                                  \
                         ": numbers can be converted, as by "                                                     \
                         "kasen::cast<int>(s), and functions called: apply(f, s, t)");                            \
    if constexpr (known) return detail::apply_to(detail::made_at(a, b), NamedFunction{g, #symbol}, a, b);         \
  }
KASEN_SHARED_OPERATOR(+)
KASEN_SHARED_OPERATOR(-)
KASEN_SHARED_OPERATOR(*)
KASEN_SHARED_OPERATOR(/)
KASEN_SHARED_OPERATOR(%)
KASEN_SHARED_OPERATOR(&)
KASEN_SHARED_OPERATOR(|)
KASEN_SHARED_OPERATOR(^)
KASEN_SHARED_OPERATOR(<)
KASEN_SHARED_OPERATOR(>)
KASEN_SHARED_OPERATOR(<=)
KASEN_SHARED_OPERATOR(>=)
KASEN_SHARED_OPERATOR(==)
KASEN_SHARED_OPERATOR(!=)
KASEN_SHARED_OPERATOR(&&)
KASEN_SHARED_OPERATOR(||)
#undef KASEN_SHARED_OPERATOR

template <class A>
auto operator-(const Shared<A>& a) {
  const NamedFunction f{[](const auto& x) -> std::decay_t<decltype(-x)> { return -x; }, "-"};
  constexpr bool known = detail::kTakes<decltype(f), Shared<A>>;
  static_assert(known, "[Shared] this type has no -: give it one, or write apply(f, s)");
  if constexpr (known) return detail::apply_to(a.made_at(), f, a);
}
template <std::same_as<bool> A>  // no conversions: !v[i] of a vector of bool is none of ours
auto operator!(const Shared<A>& a) {
  const NamedFunction f{[](const auto& x) -> std::decay_t<decltype(!x)> { return !x; }, "!"};
  return detail::apply_to(a.made_at(), f, a);
}

// Compound assignment keeps the variable's type, as for numbers.
#define KASEN_SHARED_ASSIGNMENT(symbol)                                                       \
  template <class A, class B>                                                                 \
  requires detail::SharedOperands<Shared<A>, B> Shared<A>                                     \
  &operator symbol##=(Shared<A>& a, const B& b) {                                             \
    const auto g = [](const auto& x, const auto& y) -> decltype(kasen::cast<A>(x symbol y)) { \
      return kasen::cast<A>(x symbol y);                                                      \
    };                                                                                        \
    constexpr bool known = detail::kTakes<decltype(g), Shared<A>, B>;                         \
    static_assert(known, "[Shared] these types have no " #symbol                              \
                         "=: numbers can be converted, as by "                                \
                         "kasen::cast<int>(s), and functions called: apply(f, s, t)");        \
    if constexpr (known) a = detail::apply_to(a.made_at(), NamedFunction{g, #symbol}, a, b);  \
    return a;                                                                                 \
  }
KASEN_SHARED_ASSIGNMENT(+)
KASEN_SHARED_ASSIGNMENT(-)
KASEN_SHARED_ASSIGNMENT(*)
KASEN_SHARED_ASSIGNMENT(/)
KASEN_SHARED_ASSIGNMENT(%)
KASEN_SHARED_ASSIGNMENT(&)
KASEN_SHARED_ASSIGNMENT(|)
KASEN_SHARED_ASSIGNMENT(^)
#undef KASEN_SHARED_ASSIGNMENT

// ++k counts; k++ does, too, and has no value.
#define KASEN_SHARED_STEP(symbol)                                      \
  template <class A>                                                   \
  requires std::is_arithmetic_v<A> Shared<A>                           \
  &operator symbol##symbol(Shared<A>& a) { return a symbol## = A{1}; } \
  template <class A>                                                   \
  requires std::is_arithmetic_v<A>                                     \
  void operator symbol##symbol(Shared<A>& a, int) { a symbol## = A{1}; }
KASEN_SHARED_STEP(+)
KASEN_SHARED_STEP(-)
#undef KASEN_SHARED_STEP

}  // namespace kasen
