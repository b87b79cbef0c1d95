/// @file
/// How work that follows keys is recorded: reduce_by_key and take, of vectors and of rows.
#pragma once

#include <cstdint>
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

/// What keys reduce and take: elements of vectors, numbers of rows.
template <class>
struct Part;
template <class T>
struct Part<Vector<T>> {
  using type = T;
};
template <class T>
struct Part<Rows<T>> {
  using type = T;
};
template <class V>
using PartOf = typename Part<std::remove_cvref_t<V>>::type;

template <class Op, class Key, class T>
Vector<T> keyed_reduction(Where where, Op op, const Vector<Key>& key, const Vector<T>& v, Space keys) {
  constexpr const char* primitive = "reduce_by_key";
  if constexpr (std::is_integral_v<Key> && reducer_mistake<Op, T, true>() == Mistake::none) {
    recording::require_session(keys.session(), primitive, recording::source_line(where));
    const recording::SlotId in[] = {key.slot(), v.slot()};
    recording::Call call;
    call.op = kasen::Op::reduce_by_key;
    call.primitive = primitive;
    call.function = name_of(op);
    call.where = recording::source_line(where);
    call.vectors = in;
    call.space = keys.id();
    call.out = recording::type_of<T>();
    call.reducer = reducer_of<T>(primitive, where, op);
    call.user_types = recording::name_hash<Op>();
    call.total = false;  // keys may be too large
    const bool reproduced = is_reproduced<Op, T>(call.where, primitive, op);
    if constexpr (kReproduced<Op, T> == Reproduced::in_bins) {
      if (reproduced) {
        using Number = typename NumbersOf<T>::type;
        require_few(call.where, primitive, recording::recorder(call.where).space_of(v.slot(), call.where));
        sum_in_bins(call, kNumbers<T>);
        call.kernel = runtime::binned_by_key_kernel<Number, Key>(kNumbers<T>);
        return Vector<T>(Result<T>{record_sums<Number>(std::move(call), recording::type_of<T>())});
      }
    }
    if constexpr (kReproduced<Op, T> == Reproduced::of_equal_bits) {
      if (reproduced) {
        call.kernel = runtime::reduce_by_key_kernel<T, Key>(OfEqualBits{known_reducer(op)});
        return Vector<T>(Result<T>{recording::record(std::move(call))});
      }
    }
    call.kernel = runtime::reduce_by_key_kernel<T, Key>(known_reducer(op));
    return Vector<T>(recording::Result<T>{recording::record(std::move(call))});
  } else {
    return Vector<T>(where);
  }
}

template <class T, class Key>
Vector<T> taken(Where where, const Vector<T>& w, const Vector<Key>& key, T otherwise) {
  if constexpr (std::is_integral_v<Key>) {
    const recording::SlotId in[] = {w.slot(), key.slot()};
    clear_padding(otherwise);
    recording::Call call;
    call.op = kasen::Op::take;
    call.wholes = 1;
    call.primitive = "take";
    call.where = recording::source_line(where);
    call.vectors = in;
    call.out = recording::type_of<T>();
    call.key = recording::function_key<T, Key>(otherwise);
    add_plain(call.plain, otherwise);
    call.total = false;  // keys may be too large
    call.kernel = runtime::take_kernel<T, Key>(otherwise);
    return Vector<T>(recording::Result<T>{recording::record(std::move(call))});
  } else {
    return Vector<T>(where);
  }
}

template <class Op, class Key, class T>
Rows<T> keyed_reduction(Where where, Op op, const Vector<Key>& key, const Rows<T>& v, Space keys) {
  constexpr const char* primitive = "reduce_by_key";
  if constexpr (std::is_integral_v<Key> && reducer_mistake<Op, T, true>() == Mistake::none) {
    const SourceLine line = recording::source_line(where);
    recording::require_session(keys.session(), primitive, line);
    const std::uint64_t width = width_of(v, line);
    const recording::SlotId in[] = {key.slot(), v.slot()};
    recording::Call call;
    call.op = kasen::Op::reduce_by_key;
    call.primitive = primitive;
    call.function = name_of(op);
    call.where = line;
    call.vectors = in;
    call.space = keys.id();
    call.out = recording::type_of_rows<T>(width);
    call.reducer = reducer_of_rows<T>(primitive, line, where, op, width);
    call.user_types = recording::name_hash<Op>();
    call.total = false;  // keys may be too large
    const bool reproduced = is_reproduced<Op, T>(line, primitive, op);
    if constexpr (kReproduced<Op, T> == Reproduced::in_bins) {
      if (reproduced) {
        require_few(line, primitive, recording::recorder(line).space_of(v.slot(), line));
        sum_in_bins(call, width);
        call.kernel = runtime::binned_by_key_kernel<T, Key>(width);
        return recording::RowsResult<T>{record_sums<T>(std::move(call), recording::type_of_rows<T>(width))};
      }
    }
    if constexpr (kReproduced<Op, T> == Reproduced::of_equal_bits) {
      if (reproduced) {
        call.kernel = runtime::reduce_rows_by_key_kernel<T, Key>(OfEqualBits{known_reducer(op)}, width);
        return recording::RowsResult<T>{recording::record(std::move(call))};
      }
    }
    call.kernel = runtime::reduce_rows_by_key_kernel<T, Key>(known_reducer(op), width);
    return recording::RowsResult<T>{recording::record(std::move(call))};
  } else {
    return Rows<T>(where);
  }
}

template <class T, class Key>
Rows<T> taken(Where where, const Rows<T>& w, const Vector<Key>& key, T otherwise) {
  if constexpr (std::is_integral_v<Key>) {
    const SourceLine line = recording::source_line(where);
    const std::uint64_t width = width_of(w, line);
    const recording::SlotId in[] = {w.slot(), key.slot()};
    recording::Call call;
    call.op = kasen::Op::take;
    call.wholes = 1;
    call.primitive = "take";
    call.where = line;
    call.vectors = in;
    call.out = recording::type_of_rows<T>(width);
    call.key = recording::function_key<recording::RowOf<T>, Key>(otherwise);
    add_plain(call.plain, otherwise);
    call.total = false;  // keys may be too large
    call.kernel = runtime::take_rows_kernel<T, Key>(otherwise, width);
    return recording::RowsResult<T>{recording::record(std::move(call))};
  } else {
    return Rows<T>(where);
  }
}

}  // namespace kasen::detail
