/// @file
/// How the calls of kasen/primitives.h are recorded: one statement each, with the kernels that they instantiate.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasen/arrays.h"
#include "kasen/base/random.h"
#include "kasen/base/source_location.h"
#include "kasen/detail/call_checks.h"
#include "kasen/detail/operands.h"
#include "kasen/detail/record_sums.h"
#include "kasen/function.h"
#include "kasen/recording/recorder.h"
#include "kasen/recording/reducer_facts.h"
#include "kasen/runtime/kernels.h"

namespace kasen {

using Where = SourceLocation;

namespace detail {

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

/// map and zip_with: the same statement, for one and for several vectors.
template <class F, class... A>
auto element(const char* primitive, Where at, F f, const A&... operands) {
  if constexpr (element_mistake<true, F, A...>() != Mistake::none) {
    return;  // its caller has said what is wrong
  } else if constexpr (((kIsRows<A> || kIsWhole<A> || kIsWidth<A>) || ...)) {
    return element_of_rows(primitive, at, std::move(f), operands...);
  } else {
    const SourceLine where = recording::source_line(at);
    using Out = std::decay_t<std::invoke_result_t<const F&, const typename Operand<A>::Element&...>>;
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
    call.expression = traced_expression<Out>(f, Traced<Operand<A>::kKind, typename Operand<A>::Element>{}...);
    call.total = call.expression || is_total<F, Out, typename Operand<A>::Element...>();
    if constexpr (sizeof...(A) == 2 && kIsReducer<F> && (std::is_same_v<A, Vector<Out>> && ...))
      call.combines = reducer_key<Out>(f);
    (add_plain(call.plain, operands), ...);
    call.kernel = runtime::element_kernel<Out>(std::move(f), Operand<A>::tag(operands, where)...);
    return Vector<Out>(Result<Out>{recording::record(std::move(call))});
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
  if constexpr (std::is_same_v<Op, Plus> && std::is_class_v<T>) {
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
  if constexpr (HasSymbol<T> && kIsWhite<typename Lawless<F>::type>) {
    static const recording::ReducerFacts facts(reducing_expression<T>(op));
    idempotent = idempotent || facts.selects();
    if constexpr (!kIsBuiltIn<F> || requires { op.element; }) {
      if (const char* wrong = facts.wrong(identity ? std::optional(Scalar::of(*identity)) : std::nullopt))
        recording::refuse(recording::source_line(where), primitive, std::string(name_of(op)) + wrong);
    }
  }
  runtime::Reducer content = runtime::reducer<T>(op, identity);
  content.type = recording::type_of<T>();
  content.name = name_of(op);
  content.kind = reducer_kind<Op>();
  content.scalar = scalar_type_of<T>();
  content.idempotent = idempotent;
  return recording::recorder(recording::source_line(where)).intern_reducer(reducer_key<T>(op), content);
}

template <class T, class Op>
bool reducer_is_total(const Op& op) {
  if constexpr (!is_total<Op, T>()) {
    const ExpressionRef expression = reducing_expression<T>(op);
    return expression && kasen::is_total(*expression);
  }
  return true;
}

/// What walks a dense matrix: Eigen's product where that is what is asked for.
template <kasen::Op direction, class Out, class T, class E, class Fz, class Op>
auto dense_kernel() {
  constexpr bool sum_of_products = std::is_same_v<Fz, Times> && std::is_same_v<Op, Plus>;
  constexpr bool one_type = std::is_same_v<T, E> && (std::is_same_v<E, double> || std::is_same_v<E, float>);
  if constexpr (sum_of_products && one_type && !runtime::kCountAccesses) {
    return direction == kasen::Op::mxv ? &runtime::dense_mxv<E> : &runtime::dense_mxvt<E>;
  } else {
    return runtime::dense_kernel<direction, Out, T, E, Fz, Op>();
  }
}

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
  return call;
}

template <kasen::Op direction, class Fz, class Op, class E, class T>
auto matrix_product(const char* written, Fz f_z, Op op, const Matrix<E>& matrix, const Vector<T>& v, Where where) {
  if constexpr (product_mistake<Fz, Op, E, T>() == Mistake::none) {  // else its caller has said what is wrong
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
    using Element = std::conditional_t<std::is_same_v<E, Pattern>, void, E>;
    if constexpr (std::is_empty_v<Fz> && std::is_empty_v<Op>) {
      call.family = &recording::type_mark<Fz, Op, E, T>;
    }
    call.key = recording::function_key<Out, Fz, Op, E, T>(f_z, op);
    call.user_types = recording::name_hash<Fz, Op>();
    if constexpr (kReproduced<Op, Out> == Reproduced::in_bins) {
      if (reproduced) {
        using Number = typename NumbersOf<Out>::type;
        require_few(call.where, written, call.input_space);
        sum_in_bins(call, kNumbers<Out>);
        call.kernel = runtime::binned_ends_kernel<direction, Out, Number, Element>(
            std::tuple{runtime::VectorOperand<T>{}}, std::tuple<>(), kNumbers<Out>, std::move(f_z),
            kKnownTerm<Fz, Out, T, E>);
        return Vector<Out>(Result<Out>{record_sums<Number>(std::move(call), recording::type_of<Out>())});
      }
    }
    const auto kernel_of = [&](auto f) {
      using F = decltype(f);
      auto kernel = runtime::matrix_kernel<Out, T, Element>(std::move(f), std::move(op), *identity);
      if constexpr (!std::is_same_v<E, Pattern>) kernel.dense = dense_kernel<direction, Out, T, E, F, Op>();
      return kernel;
    };
    if constexpr (kReproduced<Op, Out> == Reproduced::of_equal_bits) {
      if (reproduced) {
        call.family = nullptr;  // its functions are not known by their type alone
        call.kernel = kernel_of(OfEqualBits<Fz>{std::move(f_z)});
        return Vector<Out>(Result<Out>{recording::record(std::move(call))});
      }
    }
    call.kernel = kernel_of(std::move(f_z));
    return Vector<Out>(Result<Out>{recording::record(std::move(call))});
  }
}

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
    auto kernel = runtime::reduce_kernel<T>(op, identity_of<Op, T>(op));
    kernel.adds = std::is_same_v<Op, Plus>;
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
Shared<A> folded(Where where, const A& init, Step step, Merge merge, const Operands&... operands) {
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
        call.kernel = runtime::reduce_by_key_kernel<T, Key>(OfEqualBits<Op>{std::move(op)});
        return Vector<T>(Result<T>{recording::record(std::move(call))});
      }
    }
    call.kernel = runtime::reduce_by_key_kernel<T, Key>(std::move(op));
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

/// The reducer of rows by `op`, which reduces numbers of type T. @throws ProgramError as reducer_of
template <class T, class Op>
ReducerId reducer_of_rows(const char* primitive, SourceLine line, Where where, const Op& op, std::uint64_t width) {
  recording::Recorder& recorder = recording::recorder(line);
  const ReducerId of_numbers = reducer_of<T>(primitive, where, op);
  runtime::Reducer content = recorder.reducers()[index_of(of_numbers)];
  content.type = recording::type_of_rows<T>(width);
  content.combine = runtime::combine_rows<T>(op, width);
  content.scalar.reset();
  content.clear_padding = [](void*) {};
  const std::vector<std::byte> number = content.identity;
  for (std::uint64_t k = 1; k < width; ++k)
    content.identity.insert(content.identity.end(), number.begin(), number.end());
  recording::FunctionKey key{&recording::type_mark<Op, recording::RowOf<T>>, reducer_key<T>(op).bytes};
  recording::append_bytes(key.bytes, &width, sizeof width);
  return recorder.intern_reducer(std::move(key), content);
}

/// What walks a matrix with rows: sums of multiples are compiled once.
template <kasen::Op direction, class Out, class T, class E, class Fz, class Op>
runtime::MatrixKernel rows_product_kernel(std::uint64_t width, Fz f_z, Op op, Out identity) {
  using Element = std::conditional_t<std::is_same_v<E, Pattern>, void, E>;
  constexpr bool one_type = std::is_same_v<T, E> || std::is_same_v<E, Pattern>;
  if constexpr (runtime::SummedNumber<T> && one_type && kIsOneOf<Fz, Times, First> && std::is_same_v<Op, Plus>) {
    return runtime::rows_sum_kernel<direction, T, Element>(width, std::is_same_v<Fz, Times>);
  } else {
    return runtime::rows_by_number_kernel<direction, Out, T, Element>(width, std::move(f_z), std::move(op), identity);
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
    call.may_be_active = false;
    const Out identity = *identity_of<Op, Out>(op);
    const bool reproduced = is_reproduced<Op, Out>(call.where, written, op);
    if constexpr (kReproduced<Op, Out> == Reproduced::in_bins) {
      if (reproduced) {
        using Element = std::conditional_t<std::is_same_v<E, Pattern>, void, E>;
        require_few(call.where, written, call.input_space);
        sum_in_bins(call, width);
        call.kernel =
            runtime::binned_rows_kernel<direction, Out, T, Element>(width, std::move(f_z), kKnownTerm<Fz, Out, T, E>);
        return Rows<Out>(
            recording::RowsResult<Out>{record_sums<Out>(std::move(call), recording::type_of_rows<Out>(width))});
      }
    }
    if constexpr (kReproduced<Op, Out> == Reproduced::of_equal_bits) {
      if (reproduced) {
        call.kernel =
            rows_product_kernel<direction, Out, T, E>(width, OfEqualBits<Fz>{std::move(f_z)}, std::move(op), identity);
        return Rows<Out>(recording::RowsResult<Out>{recording::record(std::move(call))});
      }
    }
    call.kernel = rows_product_kernel<direction, Out, T, E>(width, std::move(f_z), std::move(op), identity);
    return Rows<Out>(recording::RowsResult<Out>{recording::record(std::move(call))});
  }
}

template <class Op, class Key, class T>
Rows<T> keyed_reduction_of_rows(Where where, Op op, const Vector<Key>& key, const Rows<T>& v, Space keys) {
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
        call.kernel = runtime::reduce_rows_by_key_kernel<T, Key>(OfEqualBits<Op>{std::move(op)}, width);
        return recording::RowsResult<T>{recording::record(std::move(call))};
      }
    }
    call.kernel = runtime::reduce_rows_by_key_kernel<T, Key>(std::move(op), width);
    return recording::RowsResult<T>{recording::record(std::move(call))};
  } else {
    return Rows<T>(where);
  }
}

template <class T, class Key>
Rows<T> taken_rows(Where where, const Rows<T>& w, const Vector<Key>& key, T otherwise) {
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

}  // namespace detail

}  // namespace kasen
