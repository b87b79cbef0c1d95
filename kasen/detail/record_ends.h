/// @file
/// What the functions of ends.h do: record an MxV of both ends with its kernel.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasen/detail/record_products.h"
#include "kasen/detail/record_reducers.h"

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
template <class T>
struct End<Rows<T>> {
  using Types = runtime::ElementTypes<std::span<const T>>;
  static std::tuple<const Rows<T>&> vectors(const Rows<T>& v) { return {v}; }
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
template <class T, class Fz, class Op, class E, class Inputs, class Outputs>
inline constexpr Mistake kRowEndsMistake =
    RowEndsMistake<T, Fz, Op, E, typename End<Inputs>::Types, typename End<Outputs>::Types>::value;

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

template <class F, std::size_t Columns, bool has_entry>
constexpr Work declared_work(const ColumnsFirst<F, Columns, has_entry>& f) {
  return declared_work(f.f);
}

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
template <class F>
constexpr Work declared_work(const OfEntry<F>& f) {
  return declared_work(f.f);
}

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

/// Whether a function that writes rows is total.
template <class Fz, class E, class Inputs, class Outputs, class T>
struct RowsOfEnds;
template <class Fz, class E, class... In, class... At, class T>
struct RowsOfEnds<Fz, E, runtime::ElementTypes<In...>, runtime::ElementTypes<At...>, T> {
  static constexpr bool total = is_total<Fz, T, In..., E, At...>();
};

/// The operands of kernels, of the vectors at an end.
template <class... V>
auto operands_of(const std::tuple<V...>& vectors, SourceLine line) {
  return std::apply(
      [&](const auto&... vector) { return std::tuple{Operand<std::remove_cvref_t<V>>::tag(vector, line)...}; },
      vectors);
}

/// Records a call of both ends, to which `finish` adds what depends on the results, their type, reducer and kernel.
template <kasen::Op direction, class Fz, class Op, class E, class Inputs, class Outputs, class Finish>
recording::SlotId record_ends(const char* written, const Fz& f_z, const Op& op, const Matrix<E>& matrix,
                              const Inputs& inputs, const Outputs& outputs, Where where, const Finish& finish) {
  recording::Call call = product_call<direction>(written, matrix, where);
  const auto in_vectors = End<Inputs>::vectors(inputs);
  const auto at_vectors = End<Outputs>::vectors(outputs);
  constexpr std::size_t in_count = std::tuple_size_v<decltype(in_vectors)>;
  Slots<in_count + std::tuple_size_v<decltype(at_vectors)>> slots;
  std::apply([&](const auto&... vector) { (slots.add_vector(vector), ...); }, std::tuple_cat(in_vectors, at_vectors));
  const std::string function = std::string(name_of(f_z)) + ", " + std::string(name_of(op));
  call.function = function;
  call.vectors = slots.view();
  call.inputs = in_count;
  call.may_be_active = false;
  call.user_types = recording::name_hash<Fz, Op>();
  call.work = declared_work(f_z);
  return finish(call, operands_of(in_vectors, call.where), operands_of(at_vectors, call.where));
}

template <kasen::Op direction, class Fz, class Op, class E, class Inputs, class Outputs>
auto ends_product(const char* written, Fz f_z, Op op, const Matrix<E>& matrix, const Inputs& inputs,
                  const Outputs& outputs, Where where) {
  if constexpr (kEndsMistake<Fz, Op, E, Inputs, Outputs> == Mistake::none) {  // else its caller has said what is wrong
    using In = typename End<Inputs>::Types;
    using At = typename End<Outputs>::Types;
    using Product = OfEnds<Fz, E, In, At>;
    using Out = typename Product::Out;
    const auto finish = [&](recording::Call& call, const auto& in, const auto& at) {
      call.out = recording::type_of<Out>();
      call.reducer = reducer_of<Out>(written, where, op);
      call.expression = Product::expression(f_z);
      call.total = (call.expression || Product::total) && reducer_is_total<Out>(op);
      call.key = recording::function_key<Out, Fz, Op, E, In, At>(f_z, op);
      const bool reproduced = is_reproduced<Op, Out>(call.where, written, op);
      if constexpr (kReproduced<Op, Out> == Reproduced::in_bins) {
        if (reproduced) {
          using Number = typename NumbersOf<Out>::type;
          require_few(call.where, written, call.input_space);
          sum_in_bins(call, kNumbers<Out>);
          call.kernel = runtime::binned_ends_kernel<direction, Out, Number, StoredOf<E>>(in, at, kNumbers<Out>, f_z);
          return record_sums<Number>(std::move(call), recording::type_of<Out>());
        }
      }
      call.kernel = reproduced_kernel<Op, Out, In, E, At>(call.where, f_z, [&](const auto& f) {
        return runtime::ends_kernel<direction, StoredOf<E>>(in, at, f, known_reducer(op), *identity_of<Op, Out>(op));
      });
      return recording::record(std::move(call));
    };
    return Vector<Out>(Result<Out>{record_ends<direction>(written, f_z, op, matrix, inputs, outputs, where, finish)});
  }
}

/// Of a function that writes rows.
template <kasen::Op direction, class Fz, class Op, class E, class Inputs, class Outputs, class T>
Rows<T> ends_product(const char* written, Fz f_z, Op op, const Matrix<E>& matrix, const Inputs& inputs,
                     const Outputs& outputs, const Width<T>& width, Where where) {
  if constexpr (kRowEndsMistake<T, Fz, Op, E, Inputs, Outputs> == Mistake::none) {
    using In = typename End<Inputs>::Types;
    using At = typename End<Outputs>::Types;
    const std::uint64_t numbers = width.numbers;
    const auto finish = [&](recording::Call& call, const auto& in, const auto& at) {
      require_width(numbers, written, call.where);
      call.out = recording::type_of_rows<T>(numbers);
      call.reducer = reducer_of_rows<T>(written, call.where, where, op, numbers);
      call.total = RowsOfEnds<Fz, E, In, At, T>::total && reducer_is_total<T>(op);
      call.key = recording::function_key<recording::RowOf<T>, Fz, Op, E, In, At>(f_z, op, numbers);
      const bool reproduced = is_reproduced<Op, T>(call.where, written, op);
      if constexpr (kReproduced<Op, T> == Reproduced::in_bins) {
        if (reproduced) {
          require_few(call.where, written, call.input_space);
          sum_in_bins(call, numbers);
          call.kernel = runtime::binned_ends_to_rows_kernel<direction, T, StoredOf<E>>(in, at, numbers, f_z);
          return record_sums<T>(std::move(call), recording::type_of_rows<T>(numbers));
        }
      }
      call.kernel = reproduced_kernel<Op, T, In, E, At>(call.where, f_z, [&](const auto& f) {
        return runtime::ends_to_rows_kernel<direction, T, StoredOf<E>>(in, at, numbers, f, known_reducer(op),
                                                                       *identity_of<Op, T>(op));
      });
      return recording::record(std::move(call));
    };
    return recording::RowsResult<T>{record_ends<direction>(written, f_z, op, matrix, inputs, outputs, where, finish)};
  } else {
    return Rows<T>(where);
  }
}

}  // namespace detail

/// What tells one call of these from another is what its function holds.
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
