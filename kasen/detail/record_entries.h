/// @file
/// What the functions of entries.h do: put a function of entries before the functions that get them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasen/detail/call_checks.h"
#include "kasen/detail/record_ends.h"
#include "kasen/primitives.h"

namespace kasen {

template <class F, class E, class AtRows, class AtColumns>
class MadeEntries;

namespace detail {

template <class>
inline constexpr bool kIsEntriesOf = false;
template <class F, class E, class R, class C>
inline constexpr bool kIsEntriesOf<MadeEntries<F, E, R, C>> = true;
/// What `entries` makes.
template <class A>
concept AnyEntries = kIsEntriesOf<A>;

template <class Fz, class Op, AnyEntries A, class V>
inline constexpr bool kAreProduct<Fz, Op, A, V> = kIsVector<V>;
template <class Fz, class Op, AnyEntries A, class V, class W>
inline constexpr bool kAreProduct<Fz, Op, A, V, W> = kIsEnd<V>&& kIsEnd<W>;
template <class Fz, class Op, AnyEntries A, class V, class W, class T>
inline constexpr bool kAreProduct<Fz, Op, A, V, W, Width<T>> = kIsEnd<V>&& kIsEnd<W>;
template <AnyEntries A, class V>
inline constexpr bool kAreFactors<A, V> = kIsVector<V>;
template <class F, class Op, AnyEntries A>
inline constexpr bool kAreEntries<F, Op, A> = true;

/// The vectors of an end, which may have none.
template <class V>
inline constexpr bool kIsEndOrNone = kIsEnd<V>;
template <>
inline constexpr bool kIsEndOrNone<std::tuple<>> = true;
template <class F, class Op, AnyEntries A, class V, class W>
inline constexpr bool kAreEntries<F, Op, A, V, W> = kIsEndOrNone<V>&& kIsEndOrNone<W>;

/// How many operands of each kind a function of a non-zero gets, in this order: `own` vectors of the inputs and `in` of
/// the entries', the matrix's entry if it has any, `own_at` vectors of the outputs and `at` of the entries', `unused`,
/// and, if it writes a row, that.
struct OperandsOfEntries {
  std::size_t own, in, entry, own_at, at, unused;
  bool by_columns;  ///< inputs are of the rows
};

/// f, which gets an entry that `entry` makes: f(own..., entry(of rows..., m, of columns...), own_at..., row).
template <class F, class Entry, OperandsOfEntries kCount>
struct OfMadeEntry {
  F f;
  Entry entry;

  template <class... A>
  constexpr auto operator()(const A&... operands) const {
    constexpr OperandsOfEntries n = kCount;
    constexpr std::size_t m = n.own + n.in, own_at = m + n.entry, rest = own_at + n.own_at + n.at + n.unused;
    const auto all = std::tie(operands...);
    const auto inputs = range<n.own, n.in>(all);
    const auto outputs = range<own_at + n.own_at, n.at>(all);
    const auto& rows = std::get < n.by_columns ? 0 : 1 > (std::tie(inputs, outputs));
    const auto& columns = std::get < n.by_columns ? 1 : 0 > (std::tie(inputs, outputs));
    const auto made = std::apply(entry, std::tuple_cat(rows, range<m, n.entry>(all), columns));
    return std::apply(f, std::tuple_cat(range<0, n.own>(all), std::tie(made), range<own_at, n.own_at>(all),
                                        range<rest, sizeof...(A) - rest>(all)));
  }

 private:
  /// References to `count` operands from `first` on.
  template <std::size_t first, std::size_t count, class All>
  static constexpr auto range(const All& all) {
    return [&all]<std::size_t... K>(std::index_sequence<K...>) { return std::tie(std::get<first + K>(all)...); }
    (std::make_index_sequence<count>{});
  }
};
template <class F, class Entry, OperandsOfEntries kCount>
inline constexpr bool kIsWhite<OfMadeEntry<F, Entry, kCount>> = kIsWhite<F>&& kIsWhite<Entry>;
template <class F, class Entry, OperandsOfEntries kCount>
inline constexpr bool kIsTotal<OfMadeEntry<F, Entry, kCount>> = kIsTotal<F>&& kIsTotal<Entry>;

/// What f and the function of entries are declared to compute, together.
template <class F, class Entry, OperandsOfEntries kCount>
constexpr Work declared_work(const OfMadeEntry<F, Entry, kCount>& f) {
  Work work = declared_work(f.f);
  const Work entry = declared_work(f.entry);
  work.known = work.known || entry.known;
  work.arithmetic += entry.arithmetic;
  work.divisions += entry.divisions;
  work.transcendentals += entry.transcendentals;
  work.once.arithmetic += entry.once.arithmetic;
  work.once.divisions += entry.once.divisions;
  work.once.transcendentals += entry.once.transcendentals;
  return work;
}

/// f of each number of a row and of the entry, as a function of both ends that writes a row.
template <class F>
struct OfNumbers {
  F f;

  template <class Row, class E, class Out>
  constexpr void operator()(const Row& row, const E& entry, const Out& out) const {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = f(row[k], entry);
  }
};
template <class F>
inline constexpr bool kIsTotal<OfNumbers<F>> = kIsTotal<F>;
template <class F>
constexpr Work declared_work(const OfNumbers<F>& f) {
  return declared_work(f.f);
}

/// Handles of the values that some vectors have now. @param where names the call if one has none
template <class V>
auto held(const V& vectors, Where where) {
  if constexpr (std::is_same_v<V, std::tuple<>>) {
    return vectors;
  } else {
    return std::apply(
        [&](const auto&... vector) {
          return std::tuple<std::remove_cvref_t<decltype(vector)>...>(
              std::remove_cvref_t<decltype(vector)>(vector, where)...);
        },
        End<V>::vectors(vectors));
  }
}

/// What is wrong with a function of entries of type E and of the elements of both ends.
template <class F, class E, class AtRows, class AtColumns>
struct EntryMistake;
template <class F, class E, class... R, class... C>
struct EntryMistake<F, E, runtime::ElementTypes<R...>, runtime::ElementTypes<C...>> {
  static constexpr Mistake of() {
    if constexpr (kIsCalledByPointer<F>) {
      return Mistake::by_pointer;
    } else if constexpr (std::is_same_v<E, Pattern>) {
      return traced_mistake<F, Traced<Operator::element, R>..., Traced<Operator::element, C>...>();
    } else {
      return traced_mistake<F, Traced<Operator::element, R>..., Traced<Operator::entry, E>,
                            Traced<Operator::element, C>...>();
    }
  }
  static constexpr Mistake value = of() == Mistake::not_callable ? Mistake::not_of_ends : of();
};
template <class F, class E, class AtRows, class AtColumns>
inline constexpr Mistake kEntryMistake =
    EntryMistake<F, E, typename End<AtRows>::Types, typename End<AtColumns>::Types>::value;
template <class F, class E, class AtRows, class AtColumns>
using MadeEntry = typename OfEnds<F, E, typename End<AtRows>::Types, typename End<AtColumns>::Types>::Out;

template <class... A>
inline constexpr bool kAreMade = false;
template <class F, class M>
inline constexpr bool kAreMade<F, M> = kIsMatrix<M> || AnyEntries<M>;
template <class F, class M, class V, class W>
inline constexpr bool kAreMade<F, M, V, W> = kAreMade<F, M>&& kIsEndOrNone<V>&& kIsEndOrNone<W>;

template <bool columns, class... A>
inline constexpr bool kAreScaled = false;
template <class T, class M>
inline constexpr bool kAreScaled<false, Vector<T>, M> = kIsMatrix<M> || AnyEntries<M>;
template <class T, class M>
inline constexpr bool kAreScaled<true, M, Vector<T>> = kIsMatrix<M> || AnyEntries<M>;

template <class V>
inline constexpr std::size_t kVectorsAt = std::tuple_size_v<decltype(End<V>::vectors(std::declval<const V&>()))>;

/// f of entries that are made, with v beside them at the inputs of an MxV and w at its outputs, as a function of the
/// entries that are stored. @param padded  whether the outputs have a further vector, which nothing reads
/// @return what `use` makes of it and of all vectors of either end
template <kasen::Op direction, bool padded, class F, AnyEntries A, class V, class W, class Use>
auto of_stored(F f, const A& made, const V& v, const W& w, const Use& use) {
  constexpr bool by_columns = direction == kasen::Op::mxv;
  const auto ends = std::tie(made.at_rows(), made.at_columns());
  const auto& in = std::get < by_columns ? 0 : 1 > (ends);
  const auto& at = std::get < by_columns ? 1 : 0 > (ends);
  using In = std::remove_cvref_t<decltype(in)>;
  using At = std::remove_cvref_t<decltype(at)>;
  constexpr OperandsOfEntries count{kVectorsAt<V>, kVectorsAt<In>, std::is_same_v<typename A::Of, Pattern> ? 0 : 1,
                                    kVectorsAt<W>, kVectorsAt<At>, padded ? 1 : 0,
                                    by_columns};
  return use(OfMadeEntry<F, typename A::Function, count>{std::move(f), made.function()},
             std::tuple_cat(End<V>::vectors(v), End<In>::vectors(in)),
             std::tuple_cat(End<W>::vectors(w), End<At>::vectors(at)));
}

/// An MxV of both ends, which may write rows of a width. Each end has a vector: where neither the call nor the entries
/// have one of the outputs, that is one of ones.
template <kasen::Op direction, class Fz, class Op, AnyEntries A, class V, class W, class... Wide>
auto entries_product(const char* written, Fz f_z, Op op, const A& made, const V& v, const W& w, Where where,
                     const Wide&... width) {
  constexpr bool by_columns = direction == kasen::Op::mxv;
  using At =
      std::remove_cvref_t<decltype(std::get < by_columns ? 1 : 0 > (std::tie(made.at_rows(), made.at_columns())))>;
  constexpr bool padded = kVectorsAt<W> + kVectorsAt<At> == 0;
  return of_stored<direction, padded>(
      std::move(f_z), made, v, w, [&](const auto& f, const auto& inputs, const auto& outputs) {
        if constexpr (padded) {
          const auto ones = constant(by_columns ? made.columns() : made.rows(), std::uint8_t{1}, where);
          return ends_product<direction>(written, f, op, made.matrix(), inputs, ones, width..., where);
        } else {
          return ends_product<direction>(written, f, op, made.matrix(), inputs, outputs, width..., where);
        }
      });
}

/// An MxV of one end.
template <kasen::Op direction, class Fz, class Op, AnyEntries A, class T>
auto entries_product(const char* written, Fz f_z, Op op, const A& made, const Vector<T>& v, Where where) {
  constexpr std::size_t vectors = std::tuple_size_v<typename A::AtRows> + std::tuple_size_v<typename A::AtColumns>;
  if constexpr (vectors == 0 && !std::is_same_v<typename A::Of, Pattern>) {
    constexpr OperandsOfEntries count{1, 0, 1, 0, 0, 0, direction == kasen::Op::mxv};
    return matrix_product<direction>(written, OfMadeEntry<Fz, typename A::Function, count>{f_z, made.function()}, op,
                                     made.matrix(), v, where);
  } else {
    return entries_product<direction>(written, std::move(f_z), std::move(op), made, v, std::tuple<>(), where);
  }
}
/// Of Rows, number by number.
template <kasen::Op direction, class Fz, class Op, AnyEntries A, class T>
auto entries_product(const char* written, Fz f_z, Op op, const A& made, const Rows<T>& v, Where where) {
  using Out = typename ProductOf<Fz, T, typename A::Element>::type;
  const Width<Out> width{width_of(v, recording::source_line(where))};
  return entries_product<direction>(written, OfNumbers<Fz>{std::move(f_z)}, std::move(op), made, v, std::tuple<>(),
                                    where, width);
}

/// A vector of partial results of all entries: of the rows where there is something at the columns, which are read
/// then, and of the columns otherwise.
template <class F, class Op, AnyEntries A, class V, class W>
auto entries_to_reduce(F f, Op op, const A& made, const V& v, const W& w, Where where) {
  constexpr const char* written = "reduce_entries";
  constexpr std::size_t columns = kVectorsAt<W> + std::tuple_size_v<typename A::AtColumns>;
  constexpr std::size_t rows = kVectorsAt<V> + std::tuple_size_v<typename A::AtRows>;
  if constexpr (columns > 0) {
    const ColumnsFirst<F, kVectorsAt<W>, true> columns_first{std::move(f)};
    return entries_product<kasen::Op::mxvt>(written, columns_first, std::move(op), made, w, v, where);
  } else if constexpr (rows > 0) {
    return entries_product<kasen::Op::mxv>(written, std::move(f), std::move(op), made, v, w, where);
  } else {
    const auto ones = constant(made.columns(), std::uint8_t{1}, where);
    return entries_product<kasen::Op::mxvt>(written, OfEntry<F>{std::move(f)}, std::move(op), made, ones, where);
  }
}

/// What is wrong with an MxV of one end over entries of type E.
template <class Fz, class Op, class E, class V>
inline constexpr Mistake kOneEndMistake = Mistake::none;
template <class Fz, class Op, class E, class T>
inline constexpr Mistake kOneEndMistake<Fz, Op, E, Vector<T>> = product_mistake<Fz, Op, E, T>();
template <class Fz, class Op, class E, class T>
inline constexpr Mistake kOneEndMistake<Fz, Op, E, Rows<T>> = rows_product_mistake<Fz, Op, E, T>();

}  // namespace detail

/// What tells one call of these from another is what its functions hold.
template <class F, class Entry, detail::OperandsOfEntries kCount>
struct recording::HeldBytes<detail::OfMadeEntry<F, Entry, kCount>> {
  static bool append(std::string& to, const detail::OfMadeEntry<F, Entry, kCount>& function) {
    return HeldBytes<F>::append(to, function.f) && HeldBytes<Entry>::append(to, function.entry);
  }
};
template <class F>
struct recording::HeldBytes<detail::OfNumbers<F>> {
  static bool append(std::string& to, const detail::OfNumbers<F>& function) {
    return HeldBytes<F>::append(to, function.f);
  }
};

}  // namespace kasen
