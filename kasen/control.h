/// @file
/// Recorded control flow: recorded once, planned as a whole. Native C++ control flow on get() works too, and plans
/// what lies between two reads.
#pragma once

#include <concepts>
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
/// must be total.
template <class F>
struct Likely {
  F condition;
};
template <class F>
Likely<F> likely(F condition) {
  return {std::move(condition)};
}

/// while (condition()) body(). Both lambdas run once, now, to be recorded. Variables that the body stores are carried
/// from one iteration to the next; each needs a value before the loop. Handles made in the body end with it; get() has
/// no place in it.
template <class Condition, class Body>
void while_(Likely<Condition> condition, Body body, SourceLocation where = SourceLocation::current()) {
  recording::record_while(recording::run_condition<Condition>, &condition.condition, recording::run_body<Body>, &body,
                          true, recording::source_line(where));
}
template <std::invocable Condition, class Body>
void while_(Condition condition, Body body, SourceLocation where = SourceLocation::current()) {
  recording::record_while(recording::run_condition<Condition>, &condition, recording::run_body<Body>, &body, false,
                          recording::source_line(where));
}

/// if (test) then() else otherwise(). Both are recorded; one runs. A variable stored in either needs a value before.
template <class Then, class Otherwise>
void if_(const Shared<bool>& test, Then then, Otherwise otherwise, SourceLocation where = SourceLocation::current()) {
  recording::record_if(test.slot(), recording::run_body<Then>, &then, recording::run_body<Otherwise>, &otherwise,
                       recording::source_line(where));
}
template <class Then>
void if_(const Shared<bool>& test, Then then, SourceLocation where = SourceLocation::current()) {
  const auto nothing = [] {};
  auto otherwise = nothing;
  recording::record_if(test.slot(), recording::run_body<Then>, &then, recording::run_body<decltype(otherwise)>,
                       &otherwise, recording::source_line(where));
}

}  // namespace kasen
