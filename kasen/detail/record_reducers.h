/// @file
/// How reducers of elements and of rows are made known to the recorder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasen/base/source_location.h"
#include "kasen/detail/call_checks.h"
#include "kasen/detail/operands.h"
#include "kasen/function.h"
#include "kasen/recording/recorder.h"
#include "kasen/recording/reducer_facts.h"
#include "kasen/runtime/kernels.h"

namespace kasen::detail {

/// What a white box that reduces elements of type T computes.
template <class T, class Op>
ExpressionRef reducing_expression([[maybe_unused]] const Op& op) {
  using F = typename ReducingFunction<Op>::type;
  if constexpr (std::is_same_v<std::decay_t<std::invoke_result_t<const F&, const T&, const T&>>, T>) {
    constexpr Traced<Operator::element, T> element;
    return traced_expression<T>(ReducingFunction<Op>::of(op), element, element);
  }
  return {};
}

/// A struct's T{} may have members that are not zero.
template <class T>
bool is_zero(T zero) {
  T sum = static_cast<T>(zero + zero);
  clear_padding(zero);
  clear_padding(sum);
  return std::memcmp(&zero, &sum, sizeof(T)) == 0;  // NOLINT(bugprone-suspicious-memory-comparison): bits
}

/// The reducer is known to the recorder afterwards. @throws ProgramError if what it computes reduces nothing.
template <class T, class Op>
ReducerId reducer_of(const char* primitive, Where where, const Op& op) {
  using F = typename ReducingFunction<Op>::type;
  std::optional<T> identity = identity_of<Op, T>(op);
  if constexpr (std::is_same_v<ReducerType<Op>, Plus> && std::is_class_v<T>) {
    if (!is_zero(*identity))
      recording::refuse(recording::source_line(where), primitive,
                        "plus: T{} + T{} is not T{}, which therefore is no zero: use with_identity(plus, e)");
  }
  if constexpr (requires { op.element; }) {
    using Given = std::decay_t<decltype(op.element)>;
    if constexpr (HasSymbol<T> && HasSymbol<Given>) {
      if (!holds_value(Scalar::of(op.element), *scalar_type_of<T>()))
        recording::refuse(recording::source_line(where), primitive, "with_identity: the identity is no element");
    }
  }
  if (identity) clear_padding(*identity);
  bool idempotent = kIsIdempotent<F> || is_idempotent(reducer_kind<F>());
  if constexpr (HasSymbol<T> && kIsWhite<typename Bare<Op>::type>) {
    static const recording::ReducerFacts facts(reducing_expression<T>(op));
    idempotent = idempotent || facts.selects();
    if constexpr (!kIsBuiltIn<typename Bare<Op>::type> || requires { op.element; }) {
      if (const char* wrong = facts.wrong(identity ? std::optional(Scalar::of(*identity)) : std::nullopt))
        recording::refuse(recording::source_line(where), primitive, std::string(name_of(op)) + wrong);
    }
  }
  runtime::Reducer content = runtime::reducer<T>(known_reducer(op), identity);
  content.type = recording::type_of<T>();
  content.name = name_of(op);
  content.kind = reducer_kind<Op>();
  content.scalar = scalar_type_of<T>();
  content.idempotent = idempotent;
  return recording::recorder(recording::source_line(where)).intern_reducer(reducer_key<T>(op), content);
}

// Of most programs: compiled once, in record_reducers.cpp.
extern template ReducerId reducer_of<double>(const char*, Where, const Plus&);

template <class T, class Op>
bool reducer_is_total(const Op& op) {
  if constexpr (!is_total<Op, T>()) {
    const ExpressionRef expression = reducing_expression<T>(op);
    return expression && kasen::is_total(*expression);
  }
  return true;
}

/// The reducer of rows by `op`, which reduces numbers of type T. @throws ProgramError as reducer_of
template <class T, class Op>
ReducerId reducer_of_rows(const char* primitive, SourceLine line, Where where, const Op& op, std::uint64_t width) {
  recording::Recorder& recorder = recording::recorder(line);
  const ReducerId of_numbers = reducer_of<T>(primitive, where, op);
  runtime::Reducer content = recorder.reducers()[index_of(of_numbers)];
  content.type = recording::type_of_rows<T>(width);
  content.combine = runtime::combine_rows<T>(known_reducer(op), width);
  content.scalar.reset();
  content.clear_padding = [](void*) {};
  const std::vector<std::byte> number = content.identity;
  for (std::uint64_t k = 1; k < width; ++k)
    content.identity.insert(content.identity.end(), number.begin(), number.end());
  recording::FunctionKey key{&recording::type_mark<ReducerType<Op>, recording::RowOf<T>>, reducer_key<T>(op).bytes};
  recording::append_bytes(key.bytes, &width, sizeof width);
  return recorder.intern_reducer(std::move(key), content);
}

}  // namespace kasen::detail
