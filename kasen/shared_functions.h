/// @file
/// Work on Shareds (paper, rule 3): apply, and operators that are calls of it.
#pragma once

#include "kasen/primitives.h"

namespace kasen {

namespace detail {

/// A plain operand of an operator.
template <class A>
std::vector<Scalar> plain_operand(const A& operand) {
  std::vector<Scalar> plain;
  add_plain(plain, operand);
  return plain;
}

/// @param key as Call::key. @param total f is defined for every argument. @param plain what f holds, if it is numbers.
template <class F, class... T>
auto apply_to(SourceLine where, F f, recording::FunctionKey key, bool total, std::vector<Scalar> plain,
              const Shared<T>&... in) {
  using Out = std::decay_t<std::invoke_result_t<const F&, const T&...>>;
  const std::array<SlotId, sizeof...(T)> slots{in.slot()...};
  recording::Call call;
  call.op = Op::apply;
  call.primitive = "apply";
  call.function = name_of(f);
  call.where = where;
  call.shareds = slots;
  call.out = recording::type_of<Out>();
  call.returns = returned_operand<F, Out, T...>();
  call.key = std::move(key);
  call.user_types = recording::name_hash<F>();
  call.plain = std::move(plain);
  call.expression = traced_expression<Out>(f, Traced<Operator::shared, T>{}...);
  call.total = call.expression || total;
  call.kernel = runtime::apply_kernel<Out, F, T...>(std::move(f));
  return Shared<Out>(Result<Out>{recording::record(std::move(call))});
}

template <class F, class... T>
auto apply_function(Where where, F f, const Shared<T>&... in) {
  using Out = std::decay_t<std::invoke_result_t<const F&, const T&...>>;
  return apply_to(recording::source_line(where), f, recording::function_key<F, T...>(f), is_total<F, Out, T...>(), {},
                  in...);
}

}  // namespace detail

/// f of Shareds, on every worker alike; any pure function.
template <class F, class A>
auto apply(F f, const Shared<A>& a, Where where = Where::current()) {
  return detail::apply_function(where, std::move(f), a);
}
template <class F, class A, class B>
auto apply(F f, const Shared<A>& a, const Shared<B>& b, Where where = Where::current()) {
  return detail::apply_function(where, std::move(f), a, b);
}
template <class F, class A, class B, class C>
auto apply(F f, const Shared<A>& a, const Shared<B>& b, const Shared<C>& c, Where where = Where::current()) {
  return detail::apply_function(where, std::move(f), a, b, c);
}
template <class F, class A, class B, class C, class D>
auto apply(F f, const Shared<A>& a, const Shared<B>& b, const Shared<C>& c, const Shared<D>& d,
           Where where = Where::current()) {
  return detail::apply_function(where, std::move(f), a, b, c, d);
}

// An operator cannot be told its caller's line: messages name the line where its operand was made. `total`, of what
// captures a plain value, may use the types A and B of the operands.
#define KASEN_SHARED_OPERATOR(symbol, total)                                                                          \
  template <class A, class B>                                                                                         \
  auto operator symbol(const Shared<A>& a, const Shared<B>& b) {                                                      \
    const auto g = [](const auto& x, const auto& y) -> std::decay_t<decltype(x symbol y)> { return x symbol y; };     \
    const NamedFunction f{g, #symbol};                                                                                \
    return detail::apply_to(a.made_at(), f, recording::function_key<decltype(f), A, B>(), total, {}, a, b);           \
  }                                                                                                                   \
  template <class A, class B>                                                                                         \
  requires std::is_arithmetic_v<B>                                                                                    \
  auto operator symbol(const Shared<A>& a, B b) {                                                                     \
    const NamedFunction f{[b](const A& x) { return x symbol b; }, #symbol};                                           \
    return detail::apply_to(a.made_at(), f, recording::function_key<decltype(f)>(b), total, detail::plain_operand(b), \
                            a);                                                                                       \
  }                                                                                                                   \
  template <class A, class B>                                                                                         \
  requires std::is_arithmetic_v<A>                                                                                    \
  auto operator symbol(A a, const Shared<B>& b) {                                                                     \
    const NamedFunction f{[a](const B& y) { return a symbol y; }, #symbol};                                           \
    return detail::apply_to(b.made_at(), f, recording::function_key<decltype(f)>(a), total, detail::plain_operand(a), \
                            b);                                                                                       \
  }
KASEN_SHARED_OPERATOR(+, true)
KASEN_SHARED_OPERATOR(-, true)
KASEN_SHARED_OPERATOR(*, true)
KASEN_SHARED_OPERATOR(/, !(std::is_integral_v<A> && std::is_integral_v<B>))
KASEN_SHARED_OPERATOR(<, true)
KASEN_SHARED_OPERATOR(>, true)
KASEN_SHARED_OPERATOR(<=, true)
KASEN_SHARED_OPERATOR(>=, true)
KASEN_SHARED_OPERATOR(==, true)
KASEN_SHARED_OPERATOR(!=, true)
KASEN_SHARED_OPERATOR(&&, true)
KASEN_SHARED_OPERATOR(||, true)
#undef KASEN_SHARED_OPERATOR

template <class A>
auto operator-(const Shared<A>& a) {
  const NamedFunction f{[](const auto& x) -> std::decay_t<decltype(-x)> { return -x; }, "-"};
  return detail::apply_to(a.made_at(), f, recording::function_key<decltype(f), A>(), true, {}, a);
}
template <std::same_as<bool> A>  // no conversions: !v[i] of a vector of bool is none of ours
auto operator!(const Shared<A>& a) {
  const NamedFunction f{[](const auto& x) -> std::decay_t<decltype(!x)> { return !x; }, "!"};
  return detail::apply_to(a.made_at(), f, recording::function_key<decltype(f)>(), true, {}, a);
}

}  // namespace kasen
