/// @file
/// Work on Shareds (paper, rule 3): apply, and operators that are calls of it.
#pragma once

#include "kasen/primitives.h"

namespace kasen {

namespace detail {

template <class F, class... T>
auto apply_to(SourceLine where, F f, const Shared<T>&... in) {
  using Out = std::decay_t<std::invoke_result_t<const F&, const T&...>>;
  const std::array<SlotId, sizeof...(T)> slots{in.slot()...};
  recording::Call call;
  call.op = Op::apply;
  call.primitive = "apply";
  call.function = name_of(f);
  call.where = where;
  call.shareds = slots;
  call.out = recording::type_of<Out>();
  call.expression = traced_expression<Out>(f, Traced<Operator::shared, T>{}...);
  call.kernel = runtime::apply_kernel<Out, F, T...>(std::move(f));
  return Shared<Out>(Result<Out>{recording::recorder().record(std::move(call))});
}

}  // namespace detail

/// f of Shareds, on every worker alike; any pure function.
template <class F, class A>
auto apply(F f, const Shared<A>& a, Where where = Where::current()) {
  return detail::apply_to(recording::source_line(where), std::move(f), a);
}
template <class F, class A, class B>
auto apply(F f, const Shared<A>& a, const Shared<B>& b, Where where = Where::current()) {
  return detail::apply_to(recording::source_line(where), std::move(f), a, b);
}
template <class F, class A, class B, class C>
auto apply(F f, const Shared<A>& a, const Shared<B>& b, const Shared<C>& c, Where where = Where::current()) {
  return detail::apply_to(recording::source_line(where), std::move(f), a, b, c);
}
template <class F, class A, class B, class C, class D>
auto apply(F f, const Shared<A>& a, const Shared<B>& b, const Shared<C>& c, const Shared<D>& d,
           Where where = Where::current()) {
  return detail::apply_to(recording::source_line(where), std::move(f), a, b, c, d);
}

// An operator cannot be told its caller's line: messages name the line where its operand was made.
#define KASEN_SHARED_OPERATOR(symbol)                                                                             \
  template <class A, class B>                                                                                     \
  auto operator symbol(const Shared<A>& a, const Shared<B>& b) {                                                  \
    const auto f = [](const auto& x, const auto& y) -> std::decay_t<decltype(x symbol y)> { return x symbol y; }; \
    return detail::apply_to(a.made_at(), NamedFunction{f, #symbol}, a, b);                                        \
  }                                                                                                               \
  template <class A, class B>                                                                                     \
  requires std::is_arithmetic_v<B>                                                                                \
  auto operator symbol(const Shared<A>& a, B b) {                                                                 \
    return detail::apply_to(a.made_at(), NamedFunction{[b](const A& x) { return x symbol b; }, #symbol}, a);      \
  }                                                                                                               \
  template <class A, class B>                                                                                     \
  requires std::is_arithmetic_v<A>                                                                                \
  auto operator symbol(A a, const Shared<B>& b) {                                                                 \
    return detail::apply_to(b.made_at(), NamedFunction{[a](const B& y) { return a symbol y; }, #symbol}, b);      \
  }
KASEN_SHARED_OPERATOR(+)
KASEN_SHARED_OPERATOR(-)
KASEN_SHARED_OPERATOR(*)
KASEN_SHARED_OPERATOR(/)
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
  return detail::apply_to(a.made_at(),
                          NamedFunction{[](const auto& x) -> std::decay_t<decltype(-x)> { return -x; }, "-"}, a);
}
inline auto operator!(const Shared<bool>& a) {
  return detail::apply_to(a.made_at(),
                          NamedFunction{[](const auto& x) -> std::decay_t<decltype(!x)> { return !x; }, "!"}, a);
}

}  // namespace kasen
