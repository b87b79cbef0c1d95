/// @file
/// How products of a matrix with a vector or with rows are recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasen/arrays.h"
#include "kasen/base/source_location.h"
#include "kasen/detail/call_checks.h"
#include "kasen/detail/operands.h"
#include "kasen/detail/record_reducers.h"
#include "kasen/detail/record_sums.h"
#include "kasen/function.h"
#include "kasen/recording/recorder.h"
#include "kasen/runtime/kernels.h"

namespace kasen::detail {

using recording::Result;

/// Whether there are kernels that go on from what a product improves.
template <class Op, class Out, class T>
inline constexpr bool kSettles =
    std::is_same_v<Out, T>&& std::is_arithmetic_v<T>&& kIsOneOf<Op, Min, Max, LogicalOr, LogicalAnd, BitOr, BitAnd>;

/// What kernels are told of entries of type E: void, if none are stored.
template <class E>
using StoredOf = std::conditional_t<std::is_same_v<E, Pattern>, void, E>;

/// What the calls of all MxVs with a matrix in a direction have in common.
template <kasen::Op direction, class E>
recording::Call product_call(const char* written, const Matrix<E>& matrix, Where where) {
  constexpr bool by_columns = direction == kasen::Op::mxv;
  recording::Call call;
  call.op = direction;
  call.primitive = by_columns ? "mxv" : "mxvt";
  call.written = written;
  call.where = recording::source_line(where);
  recording::require_session(matrix.session(), written, call.where);
  call.input_space = (by_columns ? matrix.rows() : matrix.columns()).id();
  call.space = (by_columns ? matrix.columns() : matrix.rows()).id();
  call.matrix = matrix.id();
  if (const Shared<std::int64_t>* const number = matrix.batch()) call.batch = number->slot();
  return call;
}

/// A product of types that have been checked.
template <kasen::Op direction, class Fz, class Op, class E, class T>
Vector<typename ProductOf<Fz, T, E>::type> product_with_vector(const char* written, Fz f_z, Op op,
                                                               const Matrix<E>& matrix, const Vector<T>& v,
                                                               Where where) {
  using Out = typename ProductOf<Fz, T, E>::type;
  const std::optional<Out> identity = identity_of<Op, Out>(op);
  const recording::SlotId in = v.slot();
  recording::Call call = product_call<direction>(written, matrix, where);
  const std::string function = std::string(name_of(f_z)) + ", " + std::string(name_of(op));
  call.function = function;
  call.vectors = {&in, 1};
  call.out = recording::type_of<Out>();
  call.reducer = reducer_of<Out>(written, where, op);
  const bool reproduced = is_reproduced<Op, Out>(call.where, written, op);
  if constexpr (std::is_same_v<E, Pattern>) {
    call.expression = traced_expression<Out>(f_z, Traced<Operator::element, T>{});
    call.total = call.expression || is_total<Fz, Out, T>();
  } else {
    call.expression = traced_expression<Out>(f_z, Traced<Operator::element, T>{}, Traced<Operator::entry, E>{});
    call.total = call.expression || is_total<Fz, Out, T, E>();
  }
  call.total = call.total && reducer_is_total<Out>(op);
  call.keeps_identity = kKeepsIdentity<Fz>;
  using R = ReducerType<Op>;
  if constexpr (std::is_empty_v<Fz> && std::is_empty_v<R>) call.family = &recording::type_mark<Fz, R, E, T>;
  call.key = recording::function_key<Out, Fz, Op, E, T>(f_z, op);
  call.user_types = recording::name_hash<Fz, Op>();
  call.work = declared_work(f_z);
  if constexpr (kReproduced<Op, Out> == Reproduced::in_bins) {
    if (reproduced) {
      using Number = typename NumbersOf<Out>::type;
      require_few(call.where, written, call.input_space);
      sum_in_bins(call, kNumbers<Out>);
      call.kernel = runtime::binned_ends_kernel<direction, Out, Number, StoredOf<E>>(
          std::tuple{runtime::VectorOperand<T>{}}, std::tuple<>(), kNumbers<Out>, std::move(f_z),
          kKnownTerm<Fz, Out, T, E>);
      return Vector<Out>(Result<Out>{record_sums<Number>(std::move(call), recording::type_of<Out>())});
    }
  }
  const auto kernel_of = [&](auto f) {
    using F = decltype(f);
    auto kernel = runtime::matrix_kernel<Out, T, StoredOf<E>>(std::move(f), known_reducer(op), *identity);
    if constexpr (!std::is_same_v<E, Pattern>) kernel.dense = runtime::dense_kernel<direction, Out, T, E, F, R>();
    if constexpr (kSettles<R, Out, T>) {
      runtime::add_settling<Out, StoredOf<E>, F, R>(kernel);
      using PassedOn = std::conditional_t<kIsOfEqualBits<F>, OfEqualBits<First>, First>;
      runtime::add_connected<Out, PassedOn, R>(kernel);
    }
    return kernel;
  };
  call.kernel = reproduced_kernel<Op, Out, T, E>(call.where, std::move(f_z), kernel_of);
  return Vector<Out>(Result<Out>{recording::record(std::move(call))});
}

// What most programs multiply: compiled once, in record_products.cpp.
extern template Vector<double> product_with_vector<kasen::Op::mxv>(const char*, Times, Plus, const Matrix<double>&,
                                                                   const Vector<double>&, Where);
extern template Vector<double> product_with_vector<kasen::Op::mxvt>(const char*, Times, Plus, const Matrix<double>&,
                                                                    const Vector<double>&, Where);
extern template Vector<double> product_with_vector<kasen::Op::mxv>(const char*, First, Plus, const Matrix<Pattern>&,
                                                                   const Vector<double>&, Where);
extern template Vector<double> product_with_vector<kasen::Op::mxvt>(const char*, First, Plus, const Matrix<Pattern>&,
                                                                    const Vector<double>&, Where);

template <kasen::Op direction, class Fz, class Op, class E, class T>
auto matrix_product(const char* written, Fz f_z, Op op, const Matrix<E>& matrix, const Vector<T>& v, Where where) {
  if constexpr (product_mistake<Fz, Op, E, T>() == Mistake::none)  // else its caller has said what is wrong
    return product_with_vector<direction>(written, std::move(f_z), std::move(op), matrix, v, where);
}

/// What walks a matrix with rows: sums of multiples are compiled once.
template <kasen::Op direction, class Out, class T, class E, class Fz, class Op>
runtime::MatrixKernel rows_product_kernel(std::uint64_t width, Fz f_z, Op op, Out identity) {
  constexpr bool one_type = std::is_same_v<T, E> || std::is_same_v<E, Pattern>;
  if constexpr (runtime::SummedNumber<T> && one_type && kIsOneOf<Fz, Times, First> && std::is_same_v<Op, Plus>) {
    return runtime::rows_sum_kernel<direction, T, StoredOf<E>>(width, std::is_same_v<Fz, Times>);
  } else {
    return runtime::rows_by_number_kernel<direction, Out, T, StoredOf<E>>(width, std::move(f_z), std::move(op),
                                                                          identity);
  }
}

template <kasen::Op direction, class Fz, class Op, class E, class T>
auto matrix_product(const char* written, Fz f_z, Op op, const Matrix<E>& matrix, const Rows<T>& v, Where where) {
  if constexpr (rows_product_mistake<Fz, Op, E, T>() == Mistake::none) {  // else its caller has said what is wrong
    using Out = typename ProductOf<Fz, T, E>::type;
    recording::Call call = product_call<direction>(written, matrix, where);
    const std::uint64_t width = width_of(v, call.where);
    const recording::SlotId in = v.slot();
    const std::string function = std::string(name_of(f_z)) + ", " + std::string(name_of(op));
    call.function = function;
    call.vectors = {&in, 1};
    call.out = recording::type_of_rows<Out>(width);
    call.reducer = reducer_of_rows<Out>(written, call.where, where, op, width);
    ExpressionRef of_number;
    if constexpr (std::is_same_v<E, Pattern>) {
      of_number = traced_expression<Out>(f_z, Traced<Operator::element, T>{});
      call.total = is_total<Fz, Out, T>();
    } else {
      of_number = traced_expression<Out>(f_z, Traced<Operator::element, T>{}, Traced<Operator::entry, E>{});
      call.total = is_total<Fz, Out, T, E>();
    }
    if (of_number) call.total = kasen::is_total(*of_number);
    call.total = call.total && reducer_is_total<Out>(op);
    call.key = recording::function_key<recording::RowOf<Out>, Fz, Op, E, recording::RowOf<T>>(f_z, op);
    call.user_types = recording::name_hash<Fz, Op>();
    call.work = declared_work(f_z);
    call.may_be_active = false;
    const Out identity = *identity_of<Op, Out>(op);
    const bool reproduced = is_reproduced<Op, Out>(call.where, written, op);
    if constexpr (kReproduced<Op, Out> == Reproduced::in_bins) {
      if (reproduced) {
        require_few(call.where, written, call.input_space);
        sum_in_bins(call, width);
        call.kernel = runtime::binned_rows_kernel<direction, Out, T, StoredOf<E>>(width, std::move(f_z),
                                                                                  kKnownTerm<Fz, Out, T, E>);
        return Rows<Out>(
            recording::RowsResult<Out>{record_sums<Out>(std::move(call), recording::type_of_rows<Out>(width))});
      }
    }
    call.kernel = reproduced_kernel<Op, Out, T, E>(call.where, std::move(f_z), [&](auto f) {
      return rows_product_kernel<direction, Out, T, E>(width, std::move(f), known_reducer(op), identity);
    });
    return Rows<Out>(recording::RowsResult<Out>{recording::record(std::move(call))});
  }
}

}  // namespace kasen::detail
