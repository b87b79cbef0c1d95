/// @file
/// How reductions to a Shared are recorded: reduce and fold.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
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

/// The number that stands for all that are equal to a Shared one.
template <class T>
recording::SlotId record_equal_bits(const Shared<T>& number, SourceLine line) {
  const auto f = [](T x) { return of_equal_bits(x); };
  const recording::SlotId in = number.slot();
  recording::Call call;
  call.op = kasen::Op::apply;
  call.primitive = "apply";
  call.where = line;
  call.shareds = {&in, 1};
  call.out = recording::type_of<T>();
  call.key = recording::function_key<T, decltype(f)>(f);
  call.kernel = runtime::apply_kernel<T>(f, runtime::SharedOperand<T>{});
  return recording::record(std::move(call));
}

template <class Op, class T>
Shared<T> reduction(const char* primitive, Where where, Op op, const Vector<T>& v) {
  if constexpr (reducer_mistake<Op, T>() == Mistake::none) {
    const recording::SlotId in = v.slot();
    recording::Call call;
    call.op = kasen::Op::reduce;
    call.primitive = primitive;
    call.function = name_of(op);
    call.where = recording::source_line(where);
    call.vectors = {&in, 1};
    call.out = recording::type_of<T>();
    call.reducer = reducer_of<T>(primitive, where, op);
    call.user_types = recording::name_hash<Op>();
    call.total = reducer_is_total<T>(op);
    const bool reproduced = is_reproduced<Op, T>(call.where, primitive, op);
    if constexpr (kReproduced<Op, T> == Reproduced::in_bins) {
      if (reproduced) {
        using Number = typename NumbersOf<T>::type;
        require_few(call.where, primitive, recording::recorder(call.where).space_of(in, call.where));
        call.op = kasen::Op::fold;
        sum_in_bins(call, kNumbers<T>);
        call.key = recording::function_key<Number, BinnedSum>(kNumbers<T>);
        call.kernel = runtime::binned_fold_kernel<Number>(kNumbers<T>);
        return Shared<T>(Result<T>{record_sums<Number>(std::move(call), recording::type_of<T>())});
      }
    }
    auto kernel = runtime::reduce_kernel<T>(known_reducer(op), identity_of<Op, T>(op));
    kernel.adds = std::is_same_v<ReducerType<Op>, Plus>;
    call.kernel = std::move(kernel);
    const SourceLine line = call.where;
    const recording::SlotId result = recording::record(std::move(call));
    if constexpr (kReproduced<Op, T> == Reproduced::of_equal_bits) {
      if (reproduced) return Shared<T>(Result<T>{record_equal_bits(Shared<T>(Result<T>{result}), line)});
    }
    return Shared<T>(Result<T>{result});
  } else {
    return Shared<T>(where);
  }
}

// What most programs reduce: compiled once, in record_reductions.cpp.
extern template Shared<double> reduction(const char*, Where, Plus, const Vector<double>&);
extern template Shared<double> reduction(const char*, Where, Max, const Vector<double>&);
extern template Shared<double> reduction(const char*, Where, Min, const Vector<double>&);
extern template Shared<GlobalIndex> reduction(const char*, Where, Plus, const Vector<GlobalIndex>&);

/// `merge` with the initial accumulator for its identity, which it has to be: partial accumulators start from it. Of
/// what it makes of two of them, as seldom rounds, the bits are compared.
template <class A, class Merge>
void require_identity(Where where, A init, const Merge& merge) {
  A merged = merge(init, init);
  clear_padding(init);
  clear_padding(merged);
  if (std::memcmp(&init, &merged, sizeof(A)) == 0) return;  // NOLINT(bugprone-suspicious-memory-comparison): bits
  recording::refuse(recording::source_line(where), "fold",
                    "the accumulator to start from is no identity of merge: merge(init, init) is not init");
}

template <class A, class Step, class Merge, class... Operands>
Shared<A> fold_of(Where where, const A& init, Step step, Merge merge, const Operands&... operands) {
  if constexpr (fold_mistake<A, Step, Merge, Operands...>() == Mistake::none) {
    Slots<sizeof...(Operands)> in, shared;
    (in.add_vector(operands), ...);
    (shared.add_shared(operands), ...);
    const SourceLine line = recording::source_line(where);
    require_identity(where, init, merge);
    if constexpr (!kIsOfIntegers<A> && !kIsInAnyOrder<Merge>) {
      if (is_reproducible(line)) refuse_order(line, "fold", name_of(merge));
    }
    const auto reducing = with_identity(merge, init);
    recording::Call call;
    call.op = kasen::Op::fold;
    call.primitive = "fold";
    const std::string function = std::string(name_of(step)) + ", " + std::string(name_of(merge));
    call.function = function;
    call.where = line;
    call.vectors = in.view();
    call.shareds = shared.view();
    call.out = recording::type_of<A>();
    call.reducer = reducer_of<A>("fold", where, reducing);
    call.key = recording::function_key<A, Step, Merge, Operands...>(step, Operand<Operands>::tag(operands, line)...);
    call.user_types = recording::name_hash<Step, Merge>();
    call.work = declared_work(step);
    if constexpr (!std::is_void_v<std::invoke_result_t<const Step&, A&, const Element<Operands>&...>>) {
      call.expression = traced_expression<A>(step, Traced<Operator::entry, A>{},
                                             Traced<Operand<Operands>::kKind, Element<Operands>>{}...);
    }
    call.total = (call.expression || is_total<Step, A, Element<Operands>...>()) && reducer_is_total<A>(reducing);
    (add_plain(call.plain, operands), ...);
    call.kernel =
        runtime::fold_kernel<A>(init, std::move(step), std::move(merge), Operand<Operands>::tag(operands, line)...);
    return Shared<A>(recording::Result<A>{recording::record(std::move(call))});
  } else {
    return Shared<A>(where);
  }
}

template <class A, class Step, class Merge, class... Operands>
Shared<A> folded(Where where, const A& init, Step step, Merge merge, Operands&&... operands) {
  auto result = fold_of(where, init, std::move(step), std::move(merge), operands...);
  (forget_moved(std::forward<Operands>(operands)), ...);
  return result;
}

}  // namespace kasen::detail
