/// @file
/// The primitives (paper, section 3.2). All are local and lazy: a call records one statement; user functions are
/// compiled into tile kernels where they are called. `Where` arguments are never given: they are the call's line.
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
#include "kasen/function.h"
#include "kasen/operands.h"
#include "kasen/recording/recorder.h"
#include "kasen/recording/reducer_facts.h"
#include "kasen/runtime/kernels.h"

namespace kasen {

using Where = SourceLocation;

namespace detail {

using recording::Result;

template <class... A>
constexpr std::size_t leading_vectors() {
  std::size_t leading = 0;
  bool still = true;
  ((still = still && kIsVector<A>, leading += still), ...);
  return leading;
}

/// Statement::returns of a call of F with operands of elements First, Rest...
template <class F, class Out, class First, class... Rest>
constexpr int returned_operand() {
  return std::is_same_v<Out, First> && returns_first<F>(1 + sizeof...(Rest)) ? 0 : -1;
}

/// map and zip_with: the same statement, for one and for several vectors.
template <class F, class... A>
auto element(const char* primitive, Where where, F f, const A&... operands) {
  static_assert(std::is_invocable_v<const F&, const typename Operand<A>::Element&...>,
                "the function cannot be called with these elements; a mutable lambda cannot be at all");
  using Out = std::decay_t<std::invoke_result_t<const F&, const typename Operand<A>::Element&...>>;
  static_assert(std::is_trivially_copyable_v<Out>, "elements are trivially copyable types");
  constexpr std::size_t vectors = (std::size_t{kIsVector<A>} + ...);
  static_assert(vectors < 256, "at most 255 vectors");
  static_assert(leading_vectors<A...>() == vectors, "vectors come first, then Shareds and plain values");
  Slots<sizeof...(A)> in, shared;
  (in.add_vector(operands), ...);
  (shared.add_shared(operands), ...);
  const LawList laws = laws_of<Out>(f, vectors);
  recording::Call call;
  call.op = Op::element;
  call.primitive = primitive;
  call.function = name_of(f);
  call.where = recording::source_line(where);
  call.vectors = in.view();
  call.shareds = shared.view();
  call.out = recording::type_of<Out>();
  call.laws = laws.view();
  call.returns = returned_operand<F, Out, typename Operand<A>::Element...>();
  call.key = recording::function_key<Out, F, A...>(f, Operand<A>::tag(operands)...);
  call.user_types = recording::name_hash<F>();
  call.expression = traced_expression<Out>(f, Traced<Operand<A>::kKind, typename Operand<A>::Element>{}...);
  call.total = call.expression || is_total<F, Out, typename Operand<A>::Element...>();
  (add_plain(call.plain, operands), ...);
  call.kernel = runtime::element_kernel<Out>(std::move(f), Operand<A>::tag(operands)...);
  return Vector<Out>(Result<Out>{recording::record(std::move(call))});
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
  static_assert(kIsReducer<Op>, "reducing functions have no state: their type says which function they are");
  static_assert(
      !kIsBuiltIn<F> || reducer_kind<F>() != ReducerKind::other,
      "minus, divides, first and count reduce nothing: a reducing function is associative and commutative, as "
      "elements are taken in any order");
  static_assert(!std::is_same_v<F, Plus> || !std::is_same_v<T, bool>,
                "plus of bool is `or`, and counts nothing: map to an integer first, as by "
                "KASEN_FN((auto x), kasen::cast<std::int64_t>(x > 0)), or reduce by logical_or");
  static_assert(!kIsOneOf<F, LogicalOr, LogicalAnd> || std::is_same_v<T, bool>,
                "logical_or and logical_and reduce bools, and numbers to others than themselves: map first, as by "
                "KASEN_FN((auto x), x != 0), or use bit_or and bit_and");
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
  if constexpr (HasSymbol<T> && kIsWhite<F>) {
    static const recording::ReducerFacts facts(reducing_expression<T>(op));
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

template <class Fz, class T, class E>
struct ProductOf {
  using type = std::decay_t<std::invoke_result_t<const Fz&, const T&, const E&>>;
};
template <class Fz, class T>
struct ProductOf<Fz, T, Pattern> {
  using type = std::decay_t<std::invoke_result_t<const Fz&, const T&>>;
};

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

template <kasen::Op direction, class Fz, class Op, class E, class T>
auto matrix_product(Fz f_z, Op op, const Matrix<E>& matrix, const Vector<T>& v, Where where) {
  using Out = typename ProductOf<Fz, T, E>::type;
  static_assert(std::is_trivially_copyable_v<Out>, "elements are trivially copyable types");
  static_assert(std::is_convertible_v<std::invoke_result_t<const Op&, const Out&, const Out&>, Out>);
  const std::optional<Out> identity = identity_of<Op, Out>(op);
  static_assert(
      (requires { Op::template identity<Out>(); } && !kInherits<Op>) || requires { op.element; },
      "the reducing function of mxv and mxvt needs an identity: use with_identity(f, e), or a built-in over numbers");
  const recording::SlotId in = v.slot();
  constexpr bool by_columns = direction == kasen::Op::mxv;
  constexpr const char* primitive = by_columns ? "mxv" : "mxvt";
  recording::require_session(matrix.session(), primitive, recording::source_line(where));
  const std::string function = std::string(name_of(f_z)) + ", " + std::string(name_of(op));
  recording::Call call;
  call.op = direction;
  call.primitive = primitive;
  call.function = function;
  call.where = recording::source_line(where);
  call.vectors = {&in, 1};
  call.input_space = (by_columns ? matrix.rows() : matrix.columns()).id();
  call.space = (by_columns ? matrix.columns() : matrix.rows()).id();
  call.out = recording::type_of<Out>();
  call.matrix = matrix.id();
  call.reducer = reducer_of<Out>(primitive, where, op);
  if constexpr (std::is_same_v<E, Pattern>) {
    call.expression = traced_expression<Out>(f_z, Traced<Operator::element, T>{});
    call.total = call.expression || is_total<Fz, Out, T>();
  } else {
    call.expression = traced_expression<Out>(f_z, Traced<Operator::element, T>{}, Traced<Operator::entry, E>{});
    call.total = call.expression || is_total<Fz, Out, T, E>();
  }
  call.total = call.total && reducer_is_total<Out>(op);
  using Element = std::conditional_t<std::is_same_v<E, Pattern>, void, E>;
  if constexpr (std::is_empty_v<Fz> && std::is_empty_v<Op>) {
    call.family = &recording::type_mark<Fz, Op, E, T>;
  }
  call.key = recording::function_key<Out, Fz, Op, E, T>(f_z, op);
  call.user_types = recording::name_hash<Fz, Op>();
  auto kernel = runtime::matrix_kernel<Out, T, Element>(std::move(f_z), std::move(op), *identity);
  if constexpr (!std::is_same_v<E, Pattern>) kernel.dense = dense_kernel<direction, Out, T, E, Fz, Op>();
  call.kernel = std::move(kernel);
  return Vector<Out>(Result<Out>{recording::record(std::move(call))});
}

/// What `random` with a step is by.
template <class T>
inline constexpr bool kIsStep = std::is_integral_v<T>;
template <class T>
inline constexpr bool kIsStep<Shared<T>> = std::is_integral_v<T>;

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

// ---- sources: vectors from nothing; stored only where they must be ----

/// The same value at every index.
template <class T>
Vector<T> constant(Space space, T value, Where where = Where::current()) {
  return detail::source<T>(
      "constant", space, [value](GlobalIndex) { return value; }, false, where, value);
}

/// The global index.
inline Vector<GlobalIndex> iota(Space space, Where where = Where::current()) {
  return detail::source<GlobalIndex>(
      "iota", space, [](GlobalIndex i) { return i; }, true, where);
}

/// Uniform in [0, 1), a function of seed and global index: the same numbers for any number of workers, and each time,
/// in a recorded loop as well. In a loop it takes a step.
inline Vector<double> random(Space space, std::uint64_t seed, Where where = Where::current()) {
  return detail::source<double>(
      "random", space, [seed](GlobalIndex i) { return random_unit(seed, static_cast<std::uint64_t>(i)); }, true, where,
      seed);
}

/// Other numbers at each `step`, an integer or a Shared one, such as the number of an iteration.
template <class Step>
requires detail::kIsStep<Step> Vector<double> random(Space space, std::uint64_t seed, const Step& step,
                                                     Where where = Where::current()) {
  return detail::element("random", where, detail::RandomAt(), iota(space, where), step, seed);
}

// ---- map: result[i] = f(v[i], args...); args are Shareds or plain values ----

template <class F, class T>
auto map(F f, const Vector<T>& v, Where where = Where::current()) {
  return detail::element("map", where, std::move(f), v);
}
template <class F, class T, class A>
auto map(F f, const Vector<T>& v, const A& a, Where where = Where::current()) {
  return detail::element("map", where, std::move(f), v, a);
}
template <class F, class T, class A, class B>
auto map(F f, const Vector<T>& v, const A& a, const B& b, Where where = Where::current()) {
  return detail::element("map", where, std::move(f), v, a, b);
}
template <class F, class T, class A, class B, class C>
auto map(F f, const Vector<T>& v, const A& a, const B& b, const C& c, Where where = Where::current()) {
  return detail::element("map", where, std::move(f), v, a, b, c);
}
template <class F, class T, class A, class B, class C, class D>
auto map(F f, const Vector<T>& v, const A& a, const B& b, const C& c, const D& d, Where where = Where::current()) {
  return detail::element("map", where, std::move(f), v, a, b, c, d);
}

// ---- zip_with: result[i] = f(v1[i], v2[i], ..., args...); vectors of one space ----

template <class F, class T, class U>
auto zip_with(F f, const Vector<T>& v, const Vector<U>& w, Where where = Where::current()) {
  return detail::element("zip_with", where, std::move(f), v, w);
}
template <class F, class T, class U, class A>
auto zip_with(F f, const Vector<T>& v, const Vector<U>& w, const A& a, Where where = Where::current()) {
  return detail::element("zip_with", where, std::move(f), v, w, a);
}
template <class F, class T, class U, class A, class B>
auto zip_with(F f, const Vector<T>& v, const Vector<U>& w, const A& a, const B& b, Where where = Where::current()) {
  return detail::element("zip_with", where, std::move(f), v, w, a, b);
}
template <class F, class T, class U, class A, class B, class C>
auto zip_with(F f, const Vector<T>& v, const Vector<U>& w, const A& a, const B& b, const C& c,
              Where where = Where::current()) {
  return detail::element("zip_with", where, std::move(f), v, w, a, b, c);
}
template <class F, class T, class U, class A, class B, class C, class D>
auto zip_with(F f, const Vector<T>& v, const Vector<U>& w, const A& a, const B& b, const C& c, const D& d,
              Where where = Where::current()) {
  return detail::element("zip_with", where, std::move(f), v, w, a, b, c, d);
}
template <class F, class T, class U, class A, class B, class C, class D, class E>
auto zip_with(F f, const Vector<T>& v, const Vector<U>& w, const A& a, const B& b, const C& c, const D& d, const E& e,
              Where where = Where::current()) {
  return detail::element("zip_with", where, std::move(f), v, w, a, b, c, d, e);
}
/// Any number of operands, in a tuple: zip_with(f, std::tie(v1, v2, ..., args...)).
template <class F, class... A>
auto zip_with(F f, const std::tuple<A...>& operands, Where where = Where::current()) {
  return std::apply(
      [&](const auto&... operand) { return detail::element("zip_with", where, std::move(f), operand...); }, operands);
}

// ---- reduce ----

/// op over all elements; op is associative, commutative and stateless. Of an empty vector the identity, and without
/// one an error on reading. @throws ProgramError for a white box that is seen to reduce nothing
template <class Op, class T>
Shared<T> reduce(Op op, const Vector<T>& v, Where where = Where::current()) {
  static_assert(std::is_convertible_v<std::invoke_result_t<const Op&, const T&, const T&>, T>);
  const recording::SlotId in = v.slot();
  recording::Call call;
  call.op = kasen::Op::reduce;
  call.primitive = "reduce";
  call.function = detail::name_of(op);
  call.where = recording::source_line(where);
  call.vectors = {&in, 1};
  call.out = recording::type_of<T>();
  call.reducer = detail::reducer_of<T>("reduce", where, op);
  call.user_types = recording::name_hash<Op>();
  call.total = detail::reducer_is_total<T>(op);
  call.kernel = runtime::reduce_kernel<T>(op, detail::identity_of<Op, T>(op));
  return Shared<T>(recording::Result<T>{recording::record(std::move(call))});
}

// ---- matrix-vector ----

/// x'M, a number for every column of M: M is [H x W], v of length H, the result of length W, and
/// result[j] = op over i of f_z(v[i], M[i][j]), over the non-zeros; op's identity where there are none. Over a Pattern
/// f_z is called with v[i] alone. With times and plus, this is multiply_transposed. Of a graph, whose row is an edge's
/// source, it carries what vertices have along their edges.
template <class Fz, class Op, class E, class T>
auto mxv(Fz f_z, Op op, const Matrix<E>& matrix, const Vector<T>& v, Where where = Where::current()) {
  return detail::matrix_product<kasen::Op::mxv>(std::move(f_z), std::move(op), matrix, v, where);
}
/// Mx, a number for every row of M: v is of length W, the result of length H, and
/// result[i] = op over j of f_z(v[j], M[i][j]). With times and plus, this is multiply.
template <class Fz, class Op, class E, class T>
auto mxvt(Fz f_z, Op op, const Matrix<E>& matrix, const Vector<T>& v, Where where = Where::current()) {
  return detail::matrix_product<kasen::Op::mxvt>(std::move(f_z), std::move(op), matrix, v, where);
}

namespace detail {
/// What an entry of a matrix does to an element: those of a Pattern count as 1.
template <class E>
using Multiplied = std::conditional_t<std::is_same_v<E, Pattern>, First, Times>;
}  // namespace detail

/// A x as in textbooks: A is [H x W], x of length W, the result of length H. mxvt(times, plus, A, x), and over a
/// Pattern, whose entries count as 1, mxvt(first, plus, A, x).
template <class E, class T>
auto multiply(const Matrix<E>& A, const Vector<T>& x, Where where = Where::current()) {
  return mxvt(detail::Multiplied<E>(), plus, A, x, where);
}
/// A' x, of the transpose: x is of length H, the result of length W. mxv(times, plus, A, x).
template <class E, class T>
auto multiply_transposed(const Matrix<E>& A, const Vector<T>& x, Where where = Where::current()) {
  return mxv(detail::Multiplied<E>(), plus, A, x, where);
}

}  // namespace kasen
