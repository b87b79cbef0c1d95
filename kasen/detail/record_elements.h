/// @file
/// How element work and sources are recorded: one statement each, with the kernel that they instantiate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasen/arrays.h"
#include "kasen/base/random.h"
#include "kasen/base/source_location.h"
#include "kasen/detail/call_checks.h"
#include "kasen/detail/operands.h"
#include "kasen/detail/record_reducers.h"
#include "kasen/function.h"
#include "kasen/recording/recorder.h"
#include "kasen/runtime/kernels.h"

namespace kasen::detail {

using recording::Result;

/// Statement::returns of a call of F with operands of elements First, Rest...
template <class F, class Out, class First, class... Rest>
constexpr int returned_operand() {
  return std::is_same_v<Out, First> && returns_first<F>(1 + sizeof...(Rest)) ? 0 : -1;
}

/// The handle that a call gives for elements of type Out.
template <class Out>
struct Made {
  using type = Vector<Out>;
  static type of(recording::SlotId slot) { return Result<Out>{slot}; }
};
template <class T>
struct Made<Rows<T>> {
  using type = Rows<T>;
  static type of(recording::SlotId slot) { return recording::RowsResult<T>{slot}; }
};

/// As is_total. What gets wholes may look behind their ends with numbers that a test would have stopped.
template <std::size_t wholes, class F, class... Types>
constexpr bool total_with() {
  return wholes == 0 ? is_total<F, Types...>() : kIsTotal<F>;
}

/// map and zip_with with rows or wholes among their operands: a black box.
template <class F, class... A>
auto element_of_rows(const char* primitive, Where at, F f, const A&... operands) {
  const SourceLine where = recording::source_line(at);
  constexpr std::size_t vectors = (std::size_t{kIsVector<A>} + ...), wholes = (std::size_t{kIsWhole<A>} + ...);
  static_assert(vectors + wholes < 256, "at most 255 vectors");
  Slots<sizeof...(A)> in, shared;
  (in.add_whole(operands), ...);
  (in.add_vector(operands), ...);
  (shared.add_shared(operands), ...);
  recording::Call call;
  call.op = wholes > 0 ? Op::with_wholes : Op::element;
  call.wholes = wholes;
  call.primitive = primitive;
  call.function = name_of(f);
  call.where = where;
  call.vectors = in.view();
  call.shareds = shared.view();
  call.user_types = recording::name_hash<F>();
  call.work = declared_work(f);
  (add_plain(call.plain, operands), ...);
  if constexpr ((kIsWidth<A> || ...)) {
    // The row to be made is the last operand.
    const auto all = std::tie(operands...);
    const auto& width = std::get<sizeof...(A) - 1>(all);
    using T = typename Operand<std::remove_cvref_t<decltype(width)>>::Element::value_type;
    require_width(width.numbers, primitive, where);
    call.out = recording::type_of_rows<T>(width.numbers);
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      const auto tags = std::tuple{Operand<std::tuple_element_t<K, std::tuple<A...>>>::tag(std::get<K>(all), where)...};
      call.key = recording::function_key<F, A...>(f, width.numbers, std::get<K>(tags)...);
      call.total = total_with<wholes, F, T, Element<std::tuple_element_t<K, std::tuple<A...>>>...>();
      call.kernel = runtime::make_row_kernel<T>(width.numbers, std::move(f), std::get<K>(tags)...);
    }
    (std::make_index_sequence<sizeof...(A) - 1>{});
    return Made<Rows<T>>::of(recording::record(std::move(call)));
  } else {
    using Out = std::decay_t<std::invoke_result_t<const F&, const Element<A>&...>>;
    call.out = recording::type_of<Out>();
    call.key = recording::function_key<Out, F, A...>(f, Operand<A>::tag(operands, where)...);
    call.total = total_with<wholes, F, Out, Element<A>...>();
    call.kernel = runtime::row_kernel<Out>(std::move(f), Operand<A>::tag(operands, where)...);
    return Made<Out>::of(recording::record(std::move(call)));
  }
}

/// map and zip_with of numbers and structs, whose types have been checked.
template <class Out, class F, class... A>
Vector<Out> element_of_vectors(const char* primitive, Where at, F f, const A&... operands) {
  const SourceLine where = recording::source_line(at);
  constexpr std::size_t vectors = (std::size_t{kIsVector<A>} + ...);
  static_assert(vectors < 256, "at most 255 vectors");
  Slots<sizeof...(A)> in, shared;
  (in.add_vector(operands), ...);
  (shared.add_shared(operands), ...);
  const LawList laws = laws_of<Out>(f, vectors);
  recording::Call call;
  call.op = Op::element;
  call.primitive = primitive;
  call.function = name_of(f);
  call.where = where;
  call.vectors = in.view();
  call.shareds = shared.view();
  call.out = recording::type_of<Out>();
  call.laws = laws.view();
  call.returns = returned_operand<F, Out, typename Operand<A>::Element...>();
  call.key = recording::function_key<Out, F, A...>(f, Operand<A>::tag(operands, where)...);
  call.user_types = recording::name_hash<F>();
  call.work = declared_work(f);
  call.expression = traced_expression<Out>(f, Traced<Operand<A>::kKind, typename Operand<A>::Element>{}...);
  call.total = call.expression || is_total<F, Out, typename Operand<A>::Element...>();
  if constexpr (sizeof...(A) == 2 && kIsReducer<F> && (std::is_same_v<A, Vector<Out>> && ...))
    call.combines = reducer_key<Out>(f);
  (add_plain(call.plain, operands), ...);
  call.kernel = runtime::element_kernel<Out>(std::move(f), Operand<A>::tag(operands, where)...);
  return Vector<Out>(Result<Out>{recording::record(std::move(call))});
}

// What most programs do with two vectors: compiled once, in record_elements.cpp.
extern template Vector<double> element_of_vectors<double>(const char*, Where, Plus, const Vector<double>&,
                                                          const Vector<double>&);
extern template Vector<double> element_of_vectors<double>(const char*, Where, Minus, const Vector<double>&,
                                                          const Vector<double>&);
extern template Vector<double> element_of_vectors<double>(const char*, Where, Times, const Vector<double>&,
                                                          const Vector<double>&);

template <class F, class... A>
auto element_of(const char* primitive, Where at, F f, const A&... operands) {
  if constexpr (((kIsRows<A> || kIsWhole<A> || kIsWidth<A>) || ...)) {
    return element_of_rows(primitive, at, std::move(f), operands...);
  } else {
    using Out = std::decay_t<std::invoke_result_t<const F&, const typename Operand<A>::Element&...>>;
    return element_of_vectors<Out>(primitive, at, std::move(f), operands...);
  }
}

/// Not part of element(): GCC before 14 copies what is returned from a block within a function.
template <class F, class... A>
auto element_of_forgotten(const char* primitive, Where at, F f, A&&... operands) {
  auto made = element_of(primitive, at, std::move(f), operands...);
  (forget_moved(std::forward<A>(operands)), ...);
  return made;
}

/// map and zip_with: the same statement, for one and for several vectors.
template <class F, class... A>
auto element(const char* primitive, Where at, F f, A&&... operands) {
  if constexpr (element_mistake_of_given<true, F, A...>() != Mistake::none) {
    return;  // its caller has said what is wrong
  } else {
    return element_of_forgotten(primitive, at, std::move(f), std::forward<A>(operands)...);
  }
}

/// `parameters` are what f has captured.
template <class T, class F, class... Parameters>
Vector<T> source(const char* name, Space space, F f, bool reads_global, Where where, const Parameters&... parameters) {
  recording::require_session(space.session(), name, recording::source_line(where));
  recording::Call call;
  call.op = Op::source;
  call.primitive = name;
  call.where = recording::source_line(where);
  call.space = space.id();
  call.out = recording::type_of<T>();
  call.reads_global = reads_global;
  call.key = recording::function_key<T, F>(parameters...);
  call.kernel = runtime::source_kernel<T>(std::move(f));
  return Vector<T>(Result<T>{recording::record(std::move(call))});
}

/// The random number of an index at a step: a white box.
struct RandomAt {
  static constexpr const char* name = "random";
  template <class I, class Step, class Seed>
  constexpr auto operator()(const I& index, const Step& step, const Seed& seed) const {
    const auto of_step = random_bits(seed, cast<std::uint64_t>(step));
    return cast<double>(random_bits(of_step, cast<std::uint64_t>(index)) >> 11) * 0x1.0p-53;
  }
};
template <>
inline constexpr bool kIsWhite<RandomAt> = true;

}  // namespace kasen::detail
