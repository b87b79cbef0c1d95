/// @file
/// The primitives (paper, section 3.2). All are local and lazy: a call records one statement; user functions are
/// compiled into tile kernels where they are called. `Where` arguments are never given: they are the call's line.
///
/// Vectors that map, zip_with, reduce, fold, reduce_by_key and take are given as temporaries, or by std::move, have no
/// value after the call, and are stored for nothing else (docs/vectors.md, What is stored).
///
/// Beside its overloads each call has one that takes what none of them does, and says what is wrong, where compilers
/// would list the overloads. (Its `int...` keeps it apart from calls with types in angle brackets.)
#pragma once

#include <concepts>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasen/arrays.h"
#include "kasen/base/random.h"
#include "kasen/detail/call_checks.h"
#include "kasen/detail/record_elements.h"
#include "kasen/detail/record_keys.h"
#include "kasen/detail/record_products.h"
#include "kasen/detail/record_reductions.h"
#include "kasen/function.h"

namespace kasen {

// ---- sources: vectors from nothing; stored only where they must be ----

/// The same value at every index.
/// @code
/// Vector<double> x = constant(M.columns(), 1.0), y = constant(100, 0.0);
/// @endcode
template <class T>
requires(!detail::kIsShared<T>) Vector<T> constant(Space space, T value, Where where = Where::current()) {
  return detail::source<T>(
      "constant", space, [value](GlobalIndex) { return value; }, false, where, value);
}
extern template Vector<double> constant(Space, double, Where);
template <int..., class S, class T>
requires(!std::convertible_to<S, Space> || detail::kIsShared<T>) detail::Refused constant(const S&, const T&) {
  static_assert(std::convertible_to<S, Space>,
                "[constant] the first argument is a space or a length, a whole number: constant(A.rows(), 1.0)");
  static_assert(!detail::kIsShared<T> || !std::convertible_to<S, Space>,
                "[constant] of a Shared s: map(KASEN_FN((auto i, auto x), x), iota(space), s)");
  return {};
}
template <int..., class S>
detail::Refused constant(const S&) {
  static_assert(detail::kNever<S>, "[constant] it takes a space and a value: constant(A.rows(), 1.0)");
  return {};
}

/// The global index.
/// @code
/// Vector<double> grid = map(KASEN_FN((auto i), 0.01 * kasen::cast<double>(i)), iota(101));
/// @endcode
Vector<GlobalIndex> iota(Space space, Where where = Where::current());
template <int..., class... A>
requires(!detail::kAreSpace<A...>) detail::Refused iota(const A&...) {
  static_assert(detail::kNever<A...>, "[iota] it takes a space or a length: iota(A.rows()) is 0, 1, 2, ...");
  return {};
}

/// Uniform in [0, 1), a function of seed and global index: the same numbers for any number of workers, and each time,
/// in a recorded loop as well. In a loop it takes a step.
/// @code
/// Vector<double> start = random(M.columns(), 42);
/// @endcode
Vector<double> random(Space space, std::uint64_t seed, Where where = Where::current());

/// Other numbers at each `step`, an integer or a Shared one, such as the number of an iteration; none of them
/// gives those without a step.
/// @code
/// while_([&] { return k < 10; }, [&] {
///   v = zip_with(plus, v, random(space, 42, k));
///   ++k;
/// });
/// @endcode
template <class Step>
requires detail::kIsStep<Step> Vector<double> random(Space space, std::uint64_t seed, const Step& step,
                                                     Where where = Where::current()) {
  return detail::element("random", where, detail::RandomAt(), iota(space, where), step, seed);
}
template <int..., class... A>
requires(!detail::kAreSeeds<A...>) detail::Refused random(const A&...) {
  static_assert(detail::kNever<A...>,
                "[random] it takes a space, a seed, and in a loop a step, all whole numbers: random(A.rows(), 1, k)");
  return {};
}

// ---- map ----

/// result[i] = f(v[i], args...): a function of elements, with up to four Shareds or plain values behind the vector. Of
/// Rows, and with whole vectors and rows to write behind it, as kasen/rows.h says.
/// States: rules 8 to 11 and 16 of docs/model.md: as v is, partitioned or consistent; and where laws of f allow it,
/// partial results to partial results. Cost: v is read and the result written once, unless a sweep makes and uses them.
/// @code
/// Vector<double> halves = map(divides, v, 2.0);
/// Vector<double> y = map(KASEN_FN((auto x, auto by), kasen::exp(-x) * by), v, s);
/// Vector<bool> large = map([](const Point& q) { return q.x > 1 && q.n > 0; }, points);
/// @endcode

template <class F, detail::AnyVector V>
auto map(F f, V&& v, Where where = Where::current()) {
  KASEN_CHECK_ELEMENTS("map", false, F, V);
  return detail::element("map", where, std::move(f), std::forward<V>(v));
}
template <class F, detail::AnyVector V, class A>
auto map(F f, V&& v, A&& a, Where where = Where::current()) {
  KASEN_CHECK_ELEMENTS("map", false, F, V, A);
  return detail::element("map", where, std::move(f), std::forward<V>(v), std::forward<A>(a));
}
template <class F, detail::AnyVector V, class A, class B>
auto map(F f, V&& v, A&& a, B&& b, Where where = Where::current()) {
  KASEN_CHECK_ELEMENTS("map", false, F, V, A, B);
  return detail::element("map", where, std::move(f), std::forward<V>(v), std::forward<A>(a), std::forward<B>(b));
}
template <class F, detail::AnyVector V, class A, class B, class C>
auto map(F f, V&& v, A&& a, B&& b, C&& c, Where where = Where::current()) {
  KASEN_CHECK_ELEMENTS("map", false, F, V, A, B, C);
  return detail::element("map", where, std::move(f), std::forward<V>(v), std::forward<A>(a), std::forward<B>(b),
                         std::forward<C>(c));
}
template <class F, detail::AnyVector V, class A, class B, class C, class D>
auto map(F f, V&& v, A&& a, B&& b, C&& c, D&& d, Where where = Where::current()) {
  KASEN_CHECK_ELEMENTS("map", false, F, V, A, B, C, D);
  return detail::element("map", where, std::move(f), std::forward<V>(v), std::forward<A>(a), std::forward<B>(b),
                         std::forward<C>(c), std::forward<D>(d));
}
template <class T>
auto map(T (*f)(T), const Vector<T>& v, Where where = Where::current()) {  // a set of functions of one name, too
  KASEN_CHECK_ELEMENTS("map", false, T(*)(T), Vector<T>);
  return detail::element("map", where, f, v);
}
template <int..., class F, class... A>
requires(!detail::kAreMapped<A...>) detail::Refused map(const F&, const A&...) {
  KASEN_REFUSE_MAPPED("map", 1, F, A...);
  return {};
}

// ---- zip_with ----

/// result[i] = f(v1[i], v2[i], ..., args...), of vectors of one space; behind two of them up to five more vectors,
/// Shareds or plain values. States: rules 12 to 15: as a map of all of them. Cost: each is read, and the result written
/// once, unless a sweep makes and uses them. @throws ProgramError for vectors of different spaces
/// @code
/// Vector<double> sum = zip_with(plus, v, w);
/// Vector<double> step = zip_with(KASEN_FN((auto x, auto y, auto by), x - by * y), v, w, s);
/// @endcode

template <class F, detail::AnyVector V, detail::AnyVector W>
auto zip_with(F f, V&& v, W&& w, Where where = Where::current()) {
  KASEN_CHECK_ELEMENTS("zip_with", true, F, V, W);
  return detail::element("zip_with", where, std::move(f), std::forward<V>(v), std::forward<W>(w));
}
template <class F, detail::AnyVector V, detail::AnyVector W, class A>
auto zip_with(F f, V&& v, W&& w, A&& a, Where where = Where::current()) {
  KASEN_CHECK_ELEMENTS("zip_with", true, F, V, W, A);
  return detail::element("zip_with", where, std::move(f), std::forward<V>(v), std::forward<W>(w), std::forward<A>(a));
}
template <class F, detail::AnyVector V, detail::AnyVector W, class A, class B>
auto zip_with(F f, V&& v, W&& w, A&& a, B&& b, Where where = Where::current()) {
  KASEN_CHECK_ELEMENTS("zip_with", true, F, V, W, A, B);
  return detail::element("zip_with", where, std::move(f), std::forward<V>(v), std::forward<W>(w), std::forward<A>(a),
                         std::forward<B>(b));
}
template <class F, detail::AnyVector V, detail::AnyVector W, class A, class B, class C>
auto zip_with(F f, V&& v, W&& w, A&& a, B&& b, C&& c, Where where = Where::current()) {
  KASEN_CHECK_ELEMENTS("zip_with", true, F, V, W, A, B, C);
  return detail::element("zip_with", where, std::move(f), std::forward<V>(v), std::forward<W>(w), std::forward<A>(a),
                         std::forward<B>(b), std::forward<C>(c));
}
template <class F, detail::AnyVector V, detail::AnyVector W, class A, class B, class C, class D>
auto zip_with(F f, V&& v, W&& w, A&& a, B&& b, C&& c, D&& d, Where where = Where::current()) {
  KASEN_CHECK_ELEMENTS("zip_with", true, F, V, W, A, B, C, D);
  return detail::element("zip_with", where, std::move(f), std::forward<V>(v), std::forward<W>(w), std::forward<A>(a),
                         std::forward<B>(b), std::forward<C>(c), std::forward<D>(d));
}
template <class F, detail::AnyVector V, detail::AnyVector W, class A, class B, class C, class D, class E>
auto zip_with(F f, V&& v, W&& w, A&& a, B&& b, C&& c, D&& d, E&& e, Where where = Where::current()) {
  KASEN_CHECK_ELEMENTS("zip_with", true, F, V, W, A, B, C, D, E);
  return detail::element("zip_with", where, std::move(f), std::forward<V>(v), std::forward<W>(w), std::forward<A>(a),
                         std::forward<B>(b), std::forward<C>(c), std::forward<D>(d), std::forward<E>(e));
}
/// Any number of operands, in a tuple.
/// @code
/// auto sum_of_four = KASEN_FN((auto a1, auto a2, auto a3, auto a4), a1 + a2 + a3 + a4);
/// Vector<double> sum = zip_with(sum_of_four, std::tie(v, w, v, w));
/// @endcode
template <class F, class... A>
requires detail::kAreZipped<std::tuple<A...>>
auto zip_with(F f, const std::tuple<A...>& operands, Where where = Where::current()) {
  KASEN_CHECK_ELEMENTS("zip_with", true, F, std::remove_cvref_t<A>...);
  return std::apply(
      [&](auto&... operand) {
        return detail::element("zip_with", where, std::move(f), detail::in_tuple<A>(operand)...);
      },
      operands);
}
template <class T>
auto zip_with(T (*f)(T, T), const Vector<T>& v, const Vector<T>& w, Where where = Where::current()) {
  KASEN_CHECK_ELEMENTS("zip_with", true, T(*)(T, T), Vector<T>, Vector<T>);
  return detail::element("zip_with", where, f, v, w);
}
template <int..., class F, class... A>
requires(!detail::kAreZipped<A...>) detail::Refused zip_with(const F&, const A&...) {
  KASEN_REFUSE_MAPPED("zip_with", 2, F, A...);
  return {};
}

// ---- reduce ----

/// op over all elements; op is associative, commutative and stateless. Of an empty vector the identity, and without
/// one an error on reading. States: v partitioned, or waiting for op itself, rules 4 and 5. Cost: v is read once, in
/// the sweep that makes it if it can be; the Shared from every worker to every other, with the others of the exchange.
/// @throws ProgramError for a white box that is seen to reduce nothing
/// @code
/// Shared<double> norm = kasen::sqrt(reduce(plus, zip_with(times, v, v)));
/// Shared<double> most = reduce(kasen::max, v);
/// @endcode
template <class Op, class V>
requires detail::kAreReduced<Op, std::remove_cvref_t<V>> Shared<detail::ElementOf<V>> reduce(
    Op op, V&& v, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::reducer_mistake<Op, detail::ElementOf<V>>();
  KASEN_CHECK_REDUCER("reduce", mistake);
  KASEN_CHECK_FUNCTION("reduce", mistake);
  auto result = detail::reduction("reduce", where, std::move(op), v);
  detail::forget_moved(std::forward<V>(v));
  return result;
}
template <int..., class... A>
requires(!detail::kAreReduced<A...>) detail::Refused reduce(const A&...) {
  static_assert(
      !(detail::kIsRows<A> || ...),
      "[reduce] Rows are reduced by key, to a row for each: reduce_by_key(plus, constant(n, 0), X, 1); or map "
      "each row to a number first");
  static_assert(!detail::kAreReducedSwapped<A...>, "[reduce] the function comes first: reduce(plus, v)");
  static_assert(sizeof...(A) != 1, "[reduce] it takes a function and a vector: reduce(plus, v)");
  static_assert(sizeof...(A) < 3,
                "[reduce] it takes a function and one vector, and no value to start from, which the function knows: "
                "reduce(with_identity(f, e), v), or reduce(plus, v) + 1.0");
  static_assert(sizeof...(A) != 2 || detail::kAreReducedSwapped<A...>,
                "[reduce] it takes a function and a vector, which is reduced to a Shared: reduce(plus, v)");
  return {};
}

// ---- fold ----

/// The elements of vectors of one space, taken up one by one by an accumulator of another type A: a histogram, moments,
/// sums of groups. `step(a, v[i]..., args...)` returns the next accumulator, or, better for large ones, takes it by
/// reference, changes it and returns nothing; `merge(a, b)` returns what two accumulators of different elements are
/// together. `init`, of type A, is merge's identity: of no elements it is the result. Behind one or more vectors
/// stand Shareds or plain values, up to five operands, or any number in a tuple.
///
/// Each part of the elements has an accumulator of its own, and merge joins them in order: so merge is associative,
/// commutative and stateless, and merge(step(a, x), b) is step(merge(a, b), x), up to rounding. The bits are the same
/// for one number of workers, on any number of threads. Numbers, and structs of up to 64 bytes that are aligned to
/// 4 or 8 and are no arrays, have several accumulators for each part, which elements go to in turn, so that a loop may
/// take up several at once.
/// @throws ProgramError if merge(init, init) is not init, or for a white box that is seen to merge nothing
/// Cost: the vectors are read once, partitioned, in the sweep that makes them if it can be; sizeof(A) bytes from every
/// worker to every other, with the other Shareds of the exchange.
/// @code
/// using Bins = std::array<std::int64_t, 64>;
/// const auto count = [](Bins& bins, std::int32_t x) { ++bins[static_cast<std::size_t>(x & 63)]; };
/// const auto add = [](Bins a, const Bins& b) {
///   for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
///   return a;
/// };
/// Bins histogram = fold(Bins{}, count, add, n).get();
/// Shared<double> squares = fold(0.0, KASEN_FN((auto sum, auto x), sum + x * x), plus, v);
/// @endcode
template <class A, class Step, class Merge, detail::AnyVector V>
requires detail::kIsAccumulator<A> Shared<A> fold(const A& init, Step step, Merge merge, V&& v,
                                                  Where where = Where::current()) {
  KASEN_CHECK_FOLD(A, Step, Merge, V);
  return detail::folded(where, init, std::move(step), std::move(merge), std::forward<V>(v));
}
template <class A, class Step, class Merge, detail::AnyVector V, class B>
requires detail::kIsAccumulator<A> Shared<A> fold(const A& init, Step step, Merge merge, V&& v, B&& b,
                                                  Where where = Where::current()) {
  KASEN_CHECK_FOLD(A, Step, Merge, V, B);
  return detail::folded(where, init, std::move(step), std::move(merge), std::forward<V>(v), std::forward<B>(b));
}
template <class A, class Step, class Merge, detail::AnyVector V, class B, class C>
requires detail::kIsAccumulator<A> Shared<A> fold(const A& init, Step step, Merge merge, V&& v, B&& b, C&& c,
                                                  Where where = Where::current()) {
  KASEN_CHECK_FOLD(A, Step, Merge, V, B, C);
  return detail::folded(where, init, std::move(step), std::move(merge), std::forward<V>(v), std::forward<B>(b),
                        std::forward<C>(c));
}
template <class A, class Step, class Merge, detail::AnyVector V, class B, class C, class D>
requires detail::kIsAccumulator<A> Shared<A> fold(const A& init, Step step, Merge merge, V&& v, B&& b, C&& c, D&& d,
                                                  Where where = Where::current()) {
  KASEN_CHECK_FOLD(A, Step, Merge, V, B, C, D);
  return detail::folded(where, init, std::move(step), std::move(merge), std::forward<V>(v), std::forward<B>(b),
                        std::forward<C>(c), std::forward<D>(d));
}
template <class A, class Step, class Merge, detail::AnyVector V, class B, class C, class D, class E>
requires detail::kIsAccumulator<A> Shared<A> fold(const A& init, Step step, Merge merge, V&& v, B&& b, C&& c, D&& d,
                                                  E&& e, Where where = Where::current()) {
  KASEN_CHECK_FOLD(A, Step, Merge, V, B, C, D, E);
  return detail::folded(where, init, std::move(step), std::move(merge), std::forward<V>(v), std::forward<B>(b),
                        std::forward<C>(c), std::forward<D>(d), std::forward<E>(e));
}
template <class A, class Step, class Merge, class... B>
requires(detail::kIsAccumulator<A>&& detail::kAreFolded<std::tuple<B...>>) Shared<A> fold(
    const A& init, Step step, Merge merge, const std::tuple<B...>& operands, Where where = Where::current()) {
  KASEN_CHECK_FOLD(A, Step, Merge, std::remove_cvref_t<B>...);
  return std::apply(
      [&](auto&... operand) {
        return detail::folded(where, init, std::move(step), std::move(merge), detail::in_tuple<B>(operand)...);
      },
      operands);
}
template <int..., class A, class Step, class Merge, class... B>
requires(!detail::kAreFolded<B...> || !detail::kIsAccumulator<A>) detail::Refused
    fold(const A&, const Step&, const Merge&, const B&...) {
  static_assert(
      detail::kIsAccumulator<A>,
      "[fold] the first argument is the accumulator to start from, a value of a trivially copyable type with a "
      "default constructor: a number, or a struct or std::array of numbers");
  static_assert(!detail::kIsAccumulator<A> || detail::kLeadingVectors<B...> == 0 || sizeof...(B) <= 5,
                "[fold] so many operands are given in a tuple: fold(init, step, merge, std::tie(v, w, a, b, c, d))");
  static_assert(!detail::kIsAccumulator<A> || detail::kLeadingVectors<B...> > 0,
                "[fold] it takes the accumulator to start from, the step, what merges two accumulators, and then "
                "vectors, behind which Shareds and plain values stand: fold(0.0, step, plus, v)");
  return {};
}
template <int..., class... A>
requires(sizeof...(A) < 3) detail::Refused fold(const A&...) {
  static_assert(detail::kNever<A...>,
                "[fold] it takes the accumulator to start from, the step, what merges two accumulators, and vectors: "
                "fold(0.0, step, plus, v)");
  return {};
}

// ---- keys ----

/// result[k] = op over all v[i] with key[i] = k, for each k of the space `keys`, or of 0 to a length less one; op's
/// identity where there are none. `key` and `v` are of one space. Elements of `key` are integers below that length;
/// negative ones are none, and take part in nothing. op is associative, commutative and stateless, and has an identity.
/// Every worker holds all of `keys`, and makes partial results for all of them: it is for as many keys as fit a cache,
/// rather than for as many as there are elements. States: partitioned, partitioned -> pre_reduced(op), rule 18; rule 19
/// where v waits for op. Cost: key and v are read once, in the sweep that makes them if it can be; a partial result of
/// every key from each worker to its owner. @throws ProgramError for lengths that differ; when it runs, with the
/// element, for a key that is too large: of several workers that ends the job
/// @code
/// Vector<double> sums = reduce_by_key(plus, n, v, 100);
/// Vector<std::int64_t> counts = reduce_by_key(plus, n, constant(space, std::int64_t{1}), 100);  // in the same pass
/// Rows<double> sums_of_rows = reduce_by_key(plus, n, X, 100);  // number by number: op reduces numbers
/// @endcode
template <class Op, class K, class V>
requires detail::kAreReducedByKey<Op, std::remove_cvref_t<K>, std::remove_cvref_t<V>, Space>
auto reduce_by_key(Op op, K&& key, V&& v, Space keys, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::reducer_mistake<Op, detail::PartOf<V>, true>();
  KASEN_CHECK_KEYS("reduce_by_key", detail::ElementOf<K>);
  KASEN_CHECK_KEYED_REDUCER(mistake);
  auto result = detail::keyed_reduction(where, std::move(op), key, v, keys);
  detail::forget_moved(std::forward<K>(key));
  detail::forget_moved(std::forward<V>(v));
  return result;
}
template <int..., class... A>
requires(!detail::kAreReducedByKey<A...>) detail::Refused reduce_by_key(const A&...) {
  static_assert(
      detail::kNever<A...>,
      "[reduce_by_key] it takes a function, a vector of keys, a vector, and the space or the number of keys, in "
      "this order: reduce_by_key(plus, key, v, 100)");
  return {};
}

/// result[i] = w[key[i]], of the space of `key`; `otherwise`, which is T{} if it is not given, where key[i] is
/// negative; of Rows all numbers are. Elements of `key` are integers below the length of w. Every worker gets all of w.
/// States: consistent everywhere (w), partitioned (key) -> partitioned, rule 20. Cost: w from its owners to every
/// worker; an element of it per key, at random. @throws ProgramError as reduce_by_key
/// @code
/// Vector<double> offsets = zip_with(minus, v, take(w, n));
/// Vector<double> factors = take(w, n, 1.0);
/// Rows<double> chosen = take(X, n);
/// @endcode
template <class W, class K>
requires detail::kAreTaken<std::remove_cvref_t<W>, std::remove_cvref_t<K>>
auto take(W&& w, K&& key, Where where = Where::current()) {
  KASEN_CHECK_KEYS("take", detail::ElementOf<K>);
  auto result = detail::taken(where, w, key, detail::PartOf<W>{});
  detail::forget_moved(std::forward<W>(w));
  detail::forget_moved(std::forward<K>(key));
  return result;
}
template <class W, class K, class U>
requires detail::kAreTaken<std::remove_cvref_t<W>, std::remove_cvref_t<K>, U>
auto take(W&& w, K&& key, const U& otherwise, Where where = Where::current()) {
  KASEN_CHECK_KEYS("take", detail::ElementOf<K>);
  auto result = detail::taken(where, w, key, static_cast<detail::PartOf<W>>(otherwise));
  detail::forget_moved(std::forward<W>(w));
  detail::forget_moved(std::forward<K>(key));
  return result;
}
template <int..., class... A>
requires(!detail::kAreTaken<A...>) detail::Refused take(const A&...) {
  static_assert(detail::kNever<A...>,
                "[take] it takes a vector and a vector of keys, and may be a plain value for elements without: "
                "take(w, key)");
  return {};
}

// ---- matrix-vector ----

/// x'M, a number for every column of M: M is [H x W], v of length H, the result of length W, and
/// result[j] = op over i of f_z(v[i], M[i][j]), over the non-zeros; op's identity where there are none. Over a Pattern
/// f_z is called with v[i] alone. With times and plus, this is multiply_transposed. Of a graph, whose row is an edge's
/// source, it carries what vertices have along their edges.
/// States: consistent for rows -> pre_reduced(op), rule 6. Cost: the matrix, and an element of v per non-zero; the
/// result is written once (docs/model.md, Costs); replicas of rows are sent before, those of columns after, unless what
/// is there already serves. @throws ProgramError for a v of another length or space than the rows
/// @code
/// Vector<double> received = mxv(first, plus, G, v);        // sums of what comes in along edges
/// Vector<double> nearest = mxv(plus, kasen::min, M, v);    // the shortest way, one edge further
/// @endcode
template <class Fz, class Op, class E, class T>
auto mxv(Fz f_z, Op op, const Matrix<E>& matrix, const Vector<T>& v, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::product_mistake<Fz, Op, E, T>();
  KASEN_CHECK_PRODUCT("mxv", mistake);
  return detail::matrix_product<kasen::Op::mxv>("mxv", std::move(f_z), std::move(op), matrix, v, where);
}
/// Of Rows, number by number: f_z gets each number of a row and the entry, op reduces numbers, and the result is Rows
/// of the same width. So with times and plus it is the product with a thin dense matrix. A function of whole rows is
/// one of both ends (kasen/ends.h).
/// @code
/// Rows<double> sums = mxv(times, plus, M, X);
/// @endcode
template <class Fz, class Op, class E, class T>
auto mxv(Fz f_z, Op op, const Matrix<E>& matrix, const Rows<T>& v, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::rows_product_mistake<Fz, Op, E, T>();
  KASEN_CHECK_ROWS_PRODUCT("mxv", mistake);
  return detail::matrix_product<kasen::Op::mxv>("mxv", std::move(f_z), std::move(op), matrix, v, where);
}
template <int..., class... A>
requires(!detail::kAreProduct<A...>) detail::Refused mxv(const A&...) {
  KASEN_REFUSE_PRODUCT("mxv", "multiply_transposed", A...);
  return {};
}
/// Mx, a number for every row of M: v is of length W, the result of length H, and
/// result[i] = op over j of f_z(v[j], M[i][j]). With times and plus, this is multiply. States, cost and errors are
/// mxv's, with columns for rows: rule 7.
/// @code
/// Vector<std::int32_t> degree = mxvt(kasen::count, plus, G, v);    // of non-zeros in each row
/// Vector<double> largest = mxvt(KASEN_FN((auto x, auto m), x * kasen::abs(m)), kasen::max, M, v);
/// @endcode
template <class Fz, class Op, class E, class T>
auto mxvt(Fz f_z, Op op, const Matrix<E>& matrix, const Vector<T>& v, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::product_mistake<Fz, Op, E, T>();
  KASEN_CHECK_PRODUCT("mxvt", mistake);
  return detail::matrix_product<kasen::Op::mxvt>("mxvt", std::move(f_z), std::move(op), matrix, v, where);
}
/// Of Rows, as mxv.
template <class Fz, class Op, class E, class T>
auto mxvt(Fz f_z, Op op, const Matrix<E>& matrix, const Rows<T>& v, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::rows_product_mistake<Fz, Op, E, T>();
  KASEN_CHECK_ROWS_PRODUCT("mxvt", mistake);
  return detail::matrix_product<kasen::Op::mxvt>("mxvt", std::move(f_z), std::move(op), matrix, v, where);
}
template <int..., class... A>
requires(!detail::kAreProduct<A...>) detail::Refused mxvt(const A&...) {
  KASEN_REFUSE_PRODUCT("mxvt", "multiply", A...);
  return {};
}

namespace detail {
/// What an entry of a matrix does to an element: those of a Pattern count as 1.
template <class E>
using Multiplied = std::conditional_t<std::is_same_v<E, Pattern>, First, Times>;
}  // namespace detail

/// A x as in textbooks: A is [H x W], x of length W, the result of length H. mxvt(times, plus, A, x), and over a
/// Pattern, whose entries count as 1, mxvt(first, plus, A, x). States, cost and errors are those.
/// @code
/// Vector<double> residual = zip_with(minus, w, multiply(M, v));
/// @endcode
template <class E, class T>
auto multiply(const Matrix<E>& A, const Vector<T>& x, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::product_mistake<detail::Multiplied<E>, Plus, E, T>();
  KASEN_CHECK_FACTORS("multiply", mistake);
  return detail::matrix_product<kasen::Op::mxvt>("multiply", detail::Multiplied<E>(), plus, A, x, where);
}
template <class E, class T>
auto multiply(const Matrix<E>& A, const Rows<T>& X, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::rows_product_mistake<detail::Multiplied<E>, Plus, E, T>();
  KASEN_CHECK_FACTORS("multiply", mistake);
  return detail::matrix_product<kasen::Op::mxvt>("multiply", detail::Multiplied<E>(), plus, A, X, where);
}
template <int..., class... A>
requires(!detail::kAreFactors<A...>) detail::Refused multiply(const A&...) {
  static_assert(detail::kNever<A...>,
                "[multiply] it takes a matrix and a vector: multiply(A, x); of matrices in batches, batch(all, b)");
  return {};
}
/// A' x, of the transpose: x is of length H, the result of length W. mxv(times, plus, A, x), with its states and cost.
/// @code
/// Vector<double> gradient = multiply_transposed(M, zip_with(minus, multiply(M, v), w));
/// @endcode
template <class E, class T>
auto multiply_transposed(const Matrix<E>& A, const Vector<T>& x, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::product_mistake<detail::Multiplied<E>, Plus, E, T>();
  KASEN_CHECK_FACTORS("multiply_transposed", mistake);
  return detail::matrix_product<kasen::Op::mxv>("multiply_transposed", detail::Multiplied<E>(), plus, A, x, where);
}
template <class E, class T>
auto multiply_transposed(const Matrix<E>& A, const Rows<T>& X, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::rows_product_mistake<detail::Multiplied<E>, Plus, E, T>();
  KASEN_CHECK_FACTORS("multiply_transposed", mistake);
  return detail::matrix_product<kasen::Op::mxv>("multiply_transposed", detail::Multiplied<E>(), plus, A, X, where);
}
template <int..., class... A>
requires(!detail::kAreFactors<A...>) detail::Refused multiply_transposed(const A&...) {
  static_assert(
      detail::kNever<A...>,
      "[multiply_transposed] it takes a matrix and a vector: multiply_transposed(A, x); of matrices in batches, "
      "batch(all, b)");
  return {};
}

}  // namespace kasen
