/// @file
/// What the functions of ends.h do: record an MxV of both ends with its kernel.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasen/detail/record_calls.h"

namespace kasen {

namespace detail {

/// The vectors at one end of non-zeros: one, or those of a tuple.
template <class A>
struct End;
template <class T>
struct End<Vector<T>> {
  using Types = runtime::ElementTypes<T>;
  static std::tuple<const Vector<T>&> vectors(const Vector<T>& v) { return {v}; }
};
template <class... A>
struct End<std::tuple<A...>> {
  using Types = runtime::ElementTypes<Element<std::remove_cvref_t<A>>...>;
  static std::tuple<const std::remove_cvref_t<A>&...> vectors(const std::tuple<A...>& v) {
    return std::apply([](const auto&... each) { return std::tie(each...); }, v);
  }
};

template <class Fz, class Op, class E, class Inputs, class Outputs>
inline constexpr Mistake kEndsMistake =
    EndsMistake<Fz, Op, E, typename End<Inputs>::Types, typename End<Outputs>::Types>::value;

/// f of what belongs to a non-zero's row, its entry, and what belongs to its column, called with the column's first:
/// `Columns` elements, then the entry if there is one, then the row's.
template <class F, std::size_t Columns, bool has_entry>
struct ColumnsFirst {
  F f;

  template <class... A>
  requires(sizeof...(A) > Columns) constexpr auto operator()(const A&... operands) const {
    constexpr std::size_t entries = has_entry ? 1 : 0, rows = sizeof...(A) - Columns - entries;
    const auto all = std::tie(operands...);
    return [&]<std::size_t... R, std::size_t... E, std::size_t... C>(
        std::index_sequence<R...>, std::index_sequence<E...>, std::index_sequence<C...>) {
      return f(std::get<Columns + entries + R>(all)..., std::get<Columns + E>(all)..., std::get<C>(all)...);
    }
    (std::make_index_sequence<rows>{}, std::make_index_sequence<entries>{}, std::make_index_sequence<Columns>{});
  }
};
template <class F, std::size_t Columns, bool has_entry>
inline constexpr bool kIsWhite<ColumnsFirst<F, Columns, has_entry>> = kIsWhite<F>;
template <class F, std::size_t Columns, bool has_entry>
inline constexpr bool kIsTotal<ColumnsFirst<F, Columns, has_entry>> = kIsTotal<F>;

/// f of the entry alone, called with an element too.
template <class F>
struct OfEntry {
  F f;

  template <class X, class E>
  constexpr auto operator()(const X&, const E& entry) const {
    return f(entry);
  }
};
template <class F>
inline constexpr bool kIsWhite<OfEntry<F>> = kIsWhite<F>;
template <class F>
inline constexpr bool kIsTotal<OfEntry<F>> = kIsTotal<F>;

/// What a function of both ends makes, of these elements and of entries of type E.
template <class Fz, class E, class Inputs, class Outputs>
struct OfEnds;
template <class Fz, class E, class... In, class... At>
struct OfEnds<Fz, E, runtime::ElementTypes<In...>, runtime::ElementTypes<At...>> {
  using Out = std::decay_t<std::invoke_result_t<const Fz&, const In&..., const E&, const At&...>>;
  static ExpressionRef expression(const Fz& f_z) {
    return traced_expression<Out>(f_z, Traced<Operator::element, In>{}..., Traced<Operator::entry, E>{},
                                  Traced<Operator::element, At>{}...);
  }
  static constexpr bool total = is_total<Fz, Out, In..., E, At...>();
};
template <class Fz, class... In, class... At>
struct OfEnds<Fz, Pattern, runtime::ElementTypes<In...>, runtime::ElementTypes<At...>> {
  using Out = std::decay_t<std::invoke_result_t<const Fz&, const In&..., const At&...>>;
  static ExpressionRef expression(const Fz& f_z) {
    return traced_expression<Out>(f_z, Traced<Operator::element, In>{}..., Traced<Operator::element, At>{}...);
  }
  static constexpr bool total = is_total<Fz, Out, In..., At...>();
};

template <kasen::Op direction, class Fz, class Op, class E, class Inputs, class Outputs>
auto ends_product(const char* written, Fz f_z, Op op, const Matrix<E>& matrix, const Inputs& inputs,
                  const Outputs& outputs, Where where) {
  if constexpr (kEndsMistake<Fz, Op, E, Inputs, Outputs> == Mistake::none) {  // else its caller has said what is wrong
    using In = typename End<Inputs>::Types;
    using At = typename End<Outputs>::Types;
    using Product = OfEnds<Fz, E, In, At>;
    using Out = typename Product::Out;
    constexpr bool by_columns = direction == kasen::Op::mxv;
    recording::require_session(matrix.session(), written, recording::source_line(where));
    const auto vectors = std::tuple_cat(End<Inputs>::vectors(inputs), End<Outputs>::vectors(outputs));
    Slots<std::tuple_size_v<decltype(vectors)>> in;
    std::apply([&](const auto&... vector) { (in.add_vector(vector), ...); }, vectors);
    const std::string function = std::string(name_of(f_z)) + ", " + std::string(name_of(op));
    recording::Call call;
    call.op = direction;
    call.primitive = by_columns ? "mxv" : "mxvt";
    call.written = written;
    call.function = function;
    call.where = recording::source_line(where);
    call.vectors = in.view();
    call.inputs = std::tuple_size_v<decltype(End<Inputs>::vectors(inputs))>;
    call.input_space = (by_columns ? matrix.rows() : matrix.columns()).id();
    call.space = (by_columns ? matrix.columns() : matrix.rows()).id();
    call.out = recording::type_of<Out>();
    call.matrix = matrix.id();
    call.reducer = reducer_of<Out>(written, where, op);
    call.expression = Product::expression(f_z);
    call.total = (call.expression || Product::total) && reducer_is_total<Out>(op);
    call.key = recording::function_key<Out, Fz, Op, E, In, At>(f_z, op);
    call.user_types = recording::name_hash<Fz, Op>();
    using Value = std::conditional_t<std::is_same_v<E, Pattern>, void, E>;
    const Out identity = *identity_of<Op, Out>(op);
    call.kernel = runtime::ends_kernel<direction, In, Value, At>(std::move(f_z), std::move(op), identity);
    return Vector<Out>(Result<Out>{recording::record(std::move(call))});
  }
}

}  // namespace detail

/// What a call holds beside its function: nothing.
template <class F, std::size_t Columns, bool has_entry>
struct recording::HeldBytes<detail::ColumnsFirst<F, Columns, has_entry>> {
  static bool append(std::string& to, const detail::ColumnsFirst<F, Columns, has_entry>& function) {
    return HeldBytes<F>::append(to, function.f);
  }
};
template <class F>
struct recording::HeldBytes<detail::OfEntry<F>> {
  static bool append(std::string& to, const detail::OfEntry<F>& function) {
    return HeldBytes<F>::append(to, function.f);
  }
};

}  // namespace kasen
