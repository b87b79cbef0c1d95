/// @file
/// Functions of both ends of non-zeros: of what belongs to the row, the entry, and what belongs to the column. No more
/// is stored than their results, so that memory and time grow with the non-zeros, however large the vectors' product
/// would be. All are local and lazy, as the primitives are.
#pragma once

#include <cstdint>
#include <tuple>
#include <utility>

#include "kasen/detail/call_checks.h"
#include "kasen/detail/record_ends.h"
#include "kasen/primitives.h"

namespace kasen {

/// mxv of both ends: M is [H x W], v of length H, w of length W, the result of length W, and
/// result[j] = op over i of f_z(v[i], M[i][j], w[j]), over the non-zeros; op's identity where there are none. Over a
/// Pattern f_z is called with v[i] and w[j]. Either end may have several vectors, in a tuple, whose elements f_z gets
/// in their order; the index of a row is iota(M.rows()), of a column iota(M.columns()).
/// Consistent for rows (v) and columns (w) -> pre_reduced(op), rule 6. Cost: that of mxv, and an element of w per
/// column, or, in blocks, per run. @throws ProgramError for lengths that do not fit
/// Of Rows f_z gets the row, as std::span<const T>.
/// @code
/// auto miss = [](double x, double m, double y) { return (m - x * y) * (m - x * y); };
/// Vector<double> errors = mxv(miss, plus, M, v, w);                                // of each column
/// auto apart = KASEN_FN((auto i, auto m, auto j), m * kasen::cast<double>(kasen::abs(i - j)));
/// Vector<double> distant = mxv(apart, plus, M, iota(M.rows()), iota(M.columns()));
/// @endcode
template <class Fz, class Op, class E, class V, class W>
requires(detail::kIsEnd<V>&& detail::kIsEnd<W>) auto mxv(Fz f_z, Op op, const Matrix<E>& matrix, const V& v, const W& w,
                                                         Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::kEndsMistake<Fz, Op, E, V, W>;
  KASEN_CHECK_ENDS("mxv", mistake);
  return detail::ends_product<kasen::Op::mxv>("mxv", std::move(f_z), std::move(op), matrix, v, w, where);
}
/// The same, with results that are rows: f_z gets a std::span<T> of `width` numbers behind all else, writes all of
/// them, and returns nothing, and op reduces numbers: result[j][k] = op over i of what f_z writes to number k.
/// @throws ProgramError for a width of 0 or of more than 2^24
/// @code
/// using Point = std::span<const double>;
/// auto pull = [](Point u, double m, Point w, std::span<double> out) {
///   const double miss = m - dot(u, w);
///   for (std::size_t k = 0; k < out.size(); ++k) out[k] = miss * u[k];
/// };
/// Rows<double> gradient = mxv(pull, plus, M, X, multiply_transposed(M, X), width(X.width()));
/// @endcode
template <class Fz, class Op, class E, class V, class W, class T>
requires(detail::kIsEnd<V>&& detail::kIsEnd<W>) Rows<T> mxv(Fz f_z, Op op, const Matrix<E>& matrix, const V& v,
                                                            const W& w, const Width<T>& width,
                                                            Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::kRowEndsMistake<T, Fz, Op, E, V, W>;
  KASEN_CHECK_ENDS("mxv", mistake);
  return detail::ends_product<kasen::Op::mxv>("mxv", std::move(f_z), std::move(op), matrix, v, w, width, where);
}

/// mxvt of both ends: w is of length W, v of length H, the result of length H, and
/// result[i] = op over j of f_z(w[j], M[i][j], v[i]). As mxv, with the ends exchanged; rule 7.
/// @code
/// Vector<double> misses = mxvt([](double y, double m, double x) { return m - x * y; }, plus, M, w, v);
/// @endcode
template <class Fz, class Op, class E, class W, class V>
requires(detail::kIsEnd<W>&& detail::kIsEnd<V>) auto mxvt(Fz f_z, Op op, const Matrix<E>& matrix, const W& w,
                                                          const V& v, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::kEndsMistake<Fz, Op, E, W, V>;
  KASEN_CHECK_ENDS("mxvt", mistake);
  return detail::ends_product<kasen::Op::mxvt>("mxvt", std::move(f_z), std::move(op), matrix, w, v, where);
}
/// With results that are rows, as mxv.
template <class Fz, class Op, class E, class W, class V, class T>
requires(detail::kIsEnd<W>&& detail::kIsEnd<V>) Rows<T> mxvt(Fz f_z, Op op, const Matrix<E>& matrix, const W& w,
                                                             const V& v, const Width<T>& width,
                                                             Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::kRowEndsMistake<T, Fz, Op, E, W, V>;
  KASEN_CHECK_ENDS("mxvt", mistake);
  return detail::ends_product<kasen::Op::mxvt>("mxvt", std::move(f_z), std::move(op), matrix, w, v, width, where);
}

/// op over all non-zeros of f(v[i], M[i][j], w[j]), or of f(M[i][j]) without vectors; op's identity if there are none.
/// It walks rows: reduce(op, mxvt(...)), whose partial results are reduced as they are, rules 7 and 5. Of a matrix that
/// is much wider than high, reduce(op, mxv(...)) is as good; of one end, reduce(op, mxv(f, op, M, v)).
/// @code
/// auto miss = [](double x, double m, double y) { return (m - x * y) * (m - x * y); };
/// Shared<double> error = reduce_entries(miss, plus, M, v, w);
/// Shared<double> largest = reduce_entries(KASEN_FN((auto m), kasen::abs(m)), kasen::max, M);
/// @endcode
template <class F, class Op, class E, class V, class W>
requires(detail::kIsEnd<V>&& detail::kIsEnd<W>) auto reduce_entries(F f, Op op, const Matrix<E>& matrix, const V& v,
                                                                    const W& w, Where where = Where::current()) {
  constexpr detail::Mistake mistake = detail::kEndsMistake<F, Op, E, V, W>;
  KASEN_CHECK_ENDS("reduce_entries", mistake);
  if constexpr (mistake == detail::Mistake::none) {
    constexpr std::size_t columns = std::tuple_size_v<decltype(detail::End<W>::vectors(w))>;
    const detail::ColumnsFirst<F, columns, !std::is_same_v<E, Pattern>> columns_first{std::move(f)};
    return detail::reduction(
        "reduce", where, op,
        detail::ends_product<kasen::Op::mxvt>("reduce_entries", columns_first, op, matrix, w, v, where));
  }
}
template <class F, class Op, class E>
auto reduce_entries(F f, Op op, const Matrix<E>& matrix, Where where = Where::current()) {
  static_assert(!std::is_same_v<E, Pattern>,
                "[reduce_entries] a Matrix<Pattern> has no entries to reduce: give a vector of each end, or count the "
                "non-zeros, reduce(plus, mxvt(kasen::count, plus, G, v))");
  if constexpr (!std::is_same_v<E, Pattern>) {
    constexpr detail::Mistake mistake = detail::inputs_mistake<Op, F, detail::Traced<Operator::entry, E>>();
    KASEN_REFUSE(mistake, not_callable,
                 "[reduce_entries] without vectors the function is called with the entry alone, of its type");
    KASEN_CHECK_PRODUCT("reduce_entries", mistake);
    if constexpr (mistake == detail::Mistake::none) {
      return detail::reduction(
          "reduce", where, op,
          detail::matrix_product<kasen::Op::mxvt>("reduce_entries", detail::OfEntry<F>{std::move(f)}, op, matrix,
                                                  constant(matrix.columns(), std::uint8_t{1}, where), where));
    }
  }
}
template <int..., class... A>
requires(!detail::kAreEntries<A...>) detail::Refused reduce_entries(const A&...) {
  static_assert(detail::kNever<A...>,
                "[reduce_entries] it takes two functions, one of entries and one that reduces, a matrix, and may be a "
                "vector of the rows and one of the columns: reduce_entries(f, plus, M, v, w)");
  return {};
}

}  // namespace kasen
