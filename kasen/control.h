/// @file
/// Recorded control flow: recorded once, planned as a whole. Native C++ control flow on get() works too, and plans
/// what lies between two reads.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "kasen/arrays.h"
#include "kasen/base/source_location.h"
#include "kasen/recording/handle.h"

namespace kasen {

namespace recording {

using RecordCondition = SlotId (*)(void* context);
using RecordBody = void (*)(void* context);
/// The thin templates below erase their lambdas here; both run before the call returns.
void record_while(RecordCondition condition, void* condition_context, RecordBody body, void* body_context, bool likely,
                  SourceLine where);
void record_if(SlotId test, RecordBody then, void* then_context, RecordBody otherwise, void* otherwise_context,
               SourceLine where);
/// A slot of its own with the handle's value.
SlotId keep(const Handle& handle);

template <class F>
SlotId run_condition(void* context) {
  const Shared<bool> test = (*static_cast<F*>(context))();
  return keep(test);
}
template <class F>
void run_body(void* context) {
  (*static_cast<F*>(context))();
}

}  // namespace recording

/// A condition that mostly holds: the work that opens the next iteration may run before it is known, and is dropped
/// when it turns out false; work that is the same in every iteration may run once before the loop. Functions it runs
/// must be total; what may divide integers by zero stays where it is (docs/optimizer.md, "What may run early").
/// @code
/// while_(likely([&] { return s > 1e-6; }), [&] { s *= 0.5; });
/// @endcode
template <class F>
struct Likely {
  F condition;
};
template <class F>
Likely<F> likely(F condition) {
  static_assert(
      std::invocable<F&>,
      "[likely] it takes the condition of a loop as a lambda, which is recorded: likely([&] { return s > 0; })");
  return {std::move(condition)};
}

namespace detail {
template <class F>
inline constexpr bool kIsLikely = false;
template <class F>
inline constexpr bool kIsLikely<Likely<F>> = true;
template <class F>
inline constexpr bool kReturnsShared = false;
template <std::invocable F>
inline constexpr bool kReturnsShared<F> = std::is_same_v<std::decay_t<std::invoke_result_t<F>>, Shared<bool>>;
}  // namespace detail

#define KASEN_CHECK_LOOP(Condition, Body)                                                                             \
  static_assert(                                                                                                      \
      !std::invocable<Condition&> || detail::kReturnsShared<Condition&>,                                              \
      "[while_] the condition returns a Shared<bool>, such as s > 0 of a Shared s, or a && b of two, where a & b is " \
      "an int: what C++ knows while the loop is recorded does not change in it");                                     \
  static_assert(std::invocable<Body&>,                                                                                \
                "[while_] the body is a lambda without arguments, which is recorded: [&] { ... }")

/// while (condition()) body(). Both lambdas run once, now, to be recorded. Variables that the body stores are carried
/// from one iteration to the next; each needs a value before the loop. Handles made in the body end with it; get() has
/// no place in it. @throws ProgramError if the condition reads nothing that the loop stores: it could not change.
/// @code
/// while_([&] { return s > 1e-6 && k < 100; }, [&] {
///   auto next = multiply(M, v);
///   s = kasen::sqrt(reduce(plus, zip_with(KASEN_FN((auto a, auto b), (a - b) * (a - b)), v, next)));
///   v = next;
///   ++k;
/// });
/// @endcode
template <class Condition, class Body>
void while_(Likely<Condition> condition, Body body, SourceLocation where = SourceLocation::current()) {
  KASEN_CHECK_LOOP(Condition, Body);
  recording::record_while(recording::run_condition<Condition>, &condition.condition, recording::run_body<Body>, &body,
                          true, recording::source_line(where));
}
template <std::invocable Condition, class Body>
void while_(Condition condition, Body body, SourceLocation where = SourceLocation::current()) {
  KASEN_CHECK_LOOP(Condition, Body);
  recording::record_while(recording::run_condition<Condition>, &condition, recording::run_body<Body>, &body, false,
                          recording::source_line(where));
}
template <class Condition, class... Body>
requires(sizeof...(Body) != 1 ||
         (!std::invocable<Condition> && !detail::kIsLikely<Condition>)) void while_(const Condition&, const Body&...) {
  static_assert(sizeof...(Body) == 1,
                "[while_] it takes a condition and a body, two lambdas: while_([&] { return s > 0; }, [&] { ... })");
  static_assert(sizeof...(Body) != 1,
                "[while_] the condition is a lambda, which is recorded: while_([&] { return s > 0; }, [&] { ... })");
}
#undef KASEN_CHECK_LOOP

#define KASEN_CHECK_BRANCH(Test, Then, Otherwise)                                                                      \
  static_assert(std::is_same_v<Test, Shared<bool>>,                                                                    \
                "[if_] the test is a Shared<bool>, such as s > 0 of a Shared s: of what C++ knows while a program is " \
                "recorded, use its `if`");                                                                             \
  static_assert(std::invocable<Then&> && std::invocable<Otherwise&>,                                                   \
                "[if_] both blocks are lambdas without arguments, which are recorded: if_(s > 0, [&] { ... })")

/// if (test) then() else otherwise(). Both are recorded; one runs. A variable stored in either needs a value before.
/// @code
/// if_(s > t, [&] { s = t; }, [&] { v = map(times, v, 2.0); });
/// @endcode
template <class Test, class Then, class Otherwise>
void if_(const Test& test, Then then, Otherwise otherwise, SourceLocation where = SourceLocation::current()) {
  KASEN_CHECK_BRANCH(Test, Then, Otherwise);
  if constexpr (std::is_same_v<Test, Shared<bool>>) {
    recording::record_if(test.slot(), recording::run_body<Then>, &then, recording::run_body<Otherwise>, &otherwise,
                         recording::source_line(where));
  }
}
template <class Test, class Then>
void if_(const Test& test, Then then, SourceLocation where = SourceLocation::current()) {
  KASEN_CHECK_BRANCH(Test, Then, Then);
  auto otherwise = [] {};
  if constexpr (std::is_same_v<Test, Shared<bool>>) {
    recording::record_if(test.slot(), recording::run_body<Then>, &then, recording::run_body<decltype(otherwise)>,
                         &otherwise, recording::source_line(where));
  }
}
#undef KASEN_CHECK_BRANCH

}  // namespace kasen
