/// @file
/// Entries of a matrix that a function makes: of those that are stored, and of what belongs to their row and column.
/// They are made where they are read, in the walk over the non-zeros that reads them, and never stored. All is local.
#pragma once

#include <cstdint>
#include <tuple>
#include <utility>

#include "kasen/arrays.h"
#include "kasen/detail/record_entries.h"
#include "kasen/ends.h"
#include "kasen/primitives.h"

namespace kasen {

/// A matrix of the non-zeros of another one, whose entries are F's; made by `entries`. Cheap to copy: it holds handles
/// of the values that its vectors had. It is no variable of the recorded program, and so not assigned: a loop makes its
/// own of what it carries. `mxv`, `mxvt`, `multiply`, `multiply_transposed`, `reduce_entries` and `entries` take it
/// where they take a Matrix.
template <class F, class E, class RowVectors, class ColumnVectors>
class MadeEntries {
 public:
  using Of = E;                                                        ///< the stored entries
  using Element = detail::MadeEntry<F, E, RowVectors, ColumnVectors>;  ///< those that are made
  using Function = F;
  using AtRows = RowVectors;
  using AtColumns = ColumnVectors;

  MadeEntries(F f, const Matrix<E>& matrix, AtRows at_rows, AtColumns at_columns)
      : _f(std::move(f)), _matrix(matrix), _at_rows(std::move(at_rows)), _at_columns(std::move(at_columns)) {}

  MadeEntries(const MadeEntries&) = default;
  MadeEntries& operator=(const MadeEntries&) = delete;

  Space rows() const { return _matrix.rows(); }
  Space columns() const { return _matrix.columns(); }
  const F& function() const { return _f; }
  const Matrix<E>& matrix() const { return _matrix; }
  const AtRows& at_rows() const { return _at_rows; }
  const AtColumns& at_columns() const { return _at_columns; }

 private:
  F _f;
  Matrix<E> _matrix;
  AtRows _at_rows;
  AtColumns _at_columns;
};

/// The matrix of f(v[i], M[i][j], w[j]) at the non-zeros of M; over a Pattern f gets v[i] and w[j]. v is of length H, w
/// of length W, as of functions of both ends (kasen/ends.h): each a Vector, Rows, several in a tuple, or std::tuple{}
/// for none. f is called in each walk over the non-zeros that reads an entry: nothing is stored or sent that the
/// products which read it would not, and of several that read it in one pass each calls it.
/// Cost: of a product, that of mxv of both ends with these vectors. @throws ProgramError, from the call that reads, for
/// lengths that do not fit
/// @code
/// auto weights = entries([](double x, double m, double y) { return m / (x * y); }, M, v, w);
/// Vector<double> product = multiply(weights, w);
/// @endcode
template <class F, class E, class V, class W>
requires(detail::kIsEndOrNone<V>&& detail::kIsEndOrNone<W>) auto entries(F f, const Matrix<E>& matrix, const V& v,
                                                                         const W& w, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::kEntryMistake<F, E, V, W>;
  KASEN_CHECK_ENDS("entries", mistake);
  if constexpr (mistake == detail::Mistake::none) {
    return MadeEntries<F, E, decltype(detail::held(v, where)), decltype(detail::held(w, where))>(
        std::move(f), matrix, detail::held(v, where), detail::held(w, where));
  } else {
    return detail::Refused();
  }
}
/// Of entries that are made: f gets those.
template <class F, detail::AnyEntries A, class V, class W>
requires(detail::kIsEndOrNone<V>&& detail::kIsEndOrNone<W>) auto entries(F f, const A& made, const V& v, const W& w,
                                                                         Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::kEntryMistake<F, typename A::Element, V, W>;
  KASEN_CHECK_ENDS("entries", mistake);
  if constexpr (mistake == detail::Mistake::none) {
    return detail::of_stored<kasen::Op::mxv, false>(
        std::move(f), made, v, w, [&](const auto& function, const auto& at_rows, const auto& at_columns) {
          return entries(function, made.matrix(), at_rows, at_columns, where);
        });
  } else {
    return detail::Refused();
  }
}
/// The matrix of f(M[i][j]).
/// @code
/// Vector<double> sums = multiply(entries(KASEN_FN((auto m), kasen::abs(m)), M), w);
/// @endcode
template <class F, class M>
requires(detail::kIsMatrix<M> || detail::AnyEntries<M>) auto entries(F f, const M& matrix,
                                                                     Where where = Where::current()) {
  return entries(std::move(f), matrix, std::tuple<>(), std::tuple<>(), where);
}
template <int..., class... A>
requires(!detail::kAreMade<A...>) detail::Refused entries(const A&...) {
  static_assert(detail::kNever<A...>,
                "[entries] it takes a function and a matrix, and may be what is at the rows and at the columns, where "
                "std::tuple{} is nothing: entries(f, M, v, std::tuple{})");
  return {};
}

/// The matrix of v[i] * M[i][j]: diag(v) M. Over a Pattern, of v[i].
/// @code
/// Vector<double> means = multiply(scale_rows(map(KASEN_FN((auto n), 1.0 / n), n), M), w);
/// @endcode
template <class M, class T>
requires(detail::kIsMatrix<M> || detail::AnyEntries<M>) auto scale_rows(const Vector<T>& v, const M& matrix,
                                                                        Where where = Where::current()) {
  return entries(detail::Multiplied<typename M::Element>(), matrix, v, std::tuple<>(), where);
}
template <int..., class... A>
requires(!detail::kAreScaled<false, A...>) detail::Refused scale_rows(const A&...) {
  static_assert(detail::kNever<A...>,
                "[scale_rows] it takes a vector and a matrix, whose rows it scales: scale_rows(v, M)");
  return {};
}
/// The matrix of M[i][j] * w[j]: M diag(w). Over a Pattern, of w[j].
template <class M, class T>
requires(detail::kIsMatrix<M> || detail::AnyEntries<M>) auto scale_columns(const M& matrix, const Vector<T>& w,
                                                                           Where where = Where::current()) {
  return entries(detail::Multiplied<typename M::Element>(), matrix, std::tuple<>(), w, where);
}
template <int..., class... A>
requires(!detail::kAreScaled<true, A...>) detail::Refused scale_columns(const A&...) {
  static_assert(detail::kNever<A...>,
                "[scale_columns] it takes a matrix and a vector, which scales its columns: scale_columns(M, w)");
  return {};
}

// ---- what reads them: as of matrices ----

template <class Fz, class Op, detail::AnyEntries A, detail::AnyVector V>
auto mxv(Fz f_z, Op op, const A& matrix, const V& v, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::kOneEndMistake<Fz, Op, typename A::Element, V>;
  KASEN_CHECK_PRODUCT("mxv", mistake);
  if constexpr (mistake == detail::Mistake::none)
    return detail::entries_product<kasen::Op::mxv>("mxv", std::move(f_z), std::move(op), matrix, v, where);
}
template <class Fz, class Op, detail::AnyEntries A, class V, class W>
requires(detail::kIsEnd<V>&& detail::kIsEnd<W>) auto mxv(Fz f_z, Op op, const A& matrix, const V& v, const W& w,
                                                         Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::kEndsMistake<Fz, Op, typename A::Element, V, W>;
  KASEN_CHECK_ENDS("mxv", mistake);
  if constexpr (mistake == detail::Mistake::none)
    return detail::entries_product<kasen::Op::mxv>("mxv", std::move(f_z), std::move(op), matrix, v, w, where);
}
template <class Fz, class Op, detail::AnyEntries A, class V, class W, class T>
requires(detail::kIsEnd<V>&& detail::kIsEnd<W>) Rows<T> mxv(Fz f_z, Op op, const A& matrix, const V& v, const W& w,
                                                            const Width<T>& width, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::kRowEndsMistake<T, Fz, Op, typename A::Element, V, W>;
  KASEN_CHECK_ENDS("mxv", mistake);
  return detail::entries_product<kasen::Op::mxv>("mxv", std::move(f_z), std::move(op), matrix, v, w, where, width);
}
template <class Fz, class Op, detail::AnyEntries A, detail::AnyVector V>
auto mxvt(Fz f_z, Op op, const A& matrix, const V& v, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::kOneEndMistake<Fz, Op, typename A::Element, V>;
  KASEN_CHECK_PRODUCT("mxvt", mistake);
  if constexpr (mistake == detail::Mistake::none)
    return detail::entries_product<kasen::Op::mxvt>("mxvt", std::move(f_z), std::move(op), matrix, v, where);
}
template <class Fz, class Op, detail::AnyEntries A, class W, class V>
requires(detail::kIsEnd<W>&& detail::kIsEnd<V>) auto mxvt(Fz f_z, Op op, const A& matrix, const W& w, const V& v,
                                                          Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::kEndsMistake<Fz, Op, typename A::Element, W, V>;
  KASEN_CHECK_ENDS("mxvt", mistake);
  if constexpr (mistake == detail::Mistake::none)
    return detail::entries_product<kasen::Op::mxvt>("mxvt", std::move(f_z), std::move(op), matrix, w, v, where);
}
template <class Fz, class Op, detail::AnyEntries A, class W, class V, class T>
requires(detail::kIsEnd<W>&& detail::kIsEnd<V>) Rows<T> mxvt(Fz f_z, Op op, const A& matrix, const W& w, const V& v,
                                                             const Width<T>& width, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::kRowEndsMistake<T, Fz, Op, typename A::Element, W, V>;
  KASEN_CHECK_ENDS("mxvt", mistake);
  return detail::entries_product<kasen::Op::mxvt>("mxvt", std::move(f_z), std::move(op), matrix, w, v, where, width);
}
template <detail::AnyEntries A, detail::AnyVector V>
auto multiply(const A& matrix, const V& x, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::kOneEndMistake<Times, Plus, typename A::Element, V>;
  KASEN_CHECK_FACTORS("multiply", mistake);
  if constexpr (mistake == detail::Mistake::none)
    return detail::entries_product<kasen::Op::mxvt>("multiply", times, plus, matrix, x, where);
}
template <detail::AnyEntries A, detail::AnyVector V>
auto multiply_transposed(const A& matrix, const V& x, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::kOneEndMistake<Times, Plus, typename A::Element, V>;
  KASEN_CHECK_FACTORS("multiply_transposed", mistake);
  if constexpr (mistake == detail::Mistake::none)
    return detail::entries_product<kasen::Op::mxv>("multiply_transposed", times, plus, matrix, x, where);
}

template <class F, class Op, detail::AnyEntries A, class V, class W>
requires(detail::kIsEndOrNone<V>&& detail::kIsEndOrNone<W>) auto reduce_entries(F f, Op op, const A& matrix, const V& v,
                                                                                const W& w,
                                                                                Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::kEndsMistake<F, Op, typename A::Element, V, W>;
  KASEN_CHECK_ENDS("reduce_entries", mistake);
  if constexpr (mistake == detail::Mistake::none) {
    return detail::reduction("reduce", where, op, detail::entries_to_reduce(std::move(f), op, matrix, v, w, where));
  }
}
template <class F, class Op, detail::AnyEntries A>
auto reduce_entries(F f, Op op, const A& matrix, Where where = Where::current()) {
  return reduce_entries(std::move(f), std::move(op), matrix, std::tuple<>(), std::tuple<>(), where);
}

}  // namespace kasen
