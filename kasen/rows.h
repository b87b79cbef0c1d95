/// @file
/// Rows: vectors whose elements are rows of numbers, of a width that is known when the program runs; and what functions
/// of elements may get beside elements: whole vectors, and a row to write.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasen/arrays.h"
#include "kasen/base/rows_view.h"
#include "kasen/base/source_location.h"
#include "kasen/detail/handles.h"
#include "kasen/recording/element_type.h"
#include "kasen/recording/handle.h"

namespace kasen {

namespace recording {
/// A primitive's result that is Rows, on its way into them.
template <class T>
struct RowsResult {
  SlotId slot;
};
}  // namespace recording

/// A vector whose elements are rows: points, embeddings, scores of classes. All rows have `width` numbers of type T.
/// map, zip_with, fold, reduce_by_key, take, batches, and products with matrices take Rows where they take Vectors; a
/// function gets a row as std::span<const T>. Copies are new variables with the same value (no data is copied);
/// assignment stores. A variable that a recorded block stores keeps its width. For a few numbers, of which programs
/// know how many, a Vector<Row<T, K>> does more: it has operators, laws that functions are declared to obey, and
/// members in vector registers.
/// @code
/// Vector<double> norm = map([](std::span<const double> x) { return kasen::dot(x, x); }, X);
/// std::vector<double> all = X.get();
/// @endcode
template <class T>
class Rows : public recording::Handle {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
                "[Rows] rows are of numbers: Rows<double>, Rows<std::int32_t>; of structs there are Vectors");

 public:
  using Number = T;
  using Element = std::span<const T>;
  explicit Rows(SourceLocation where = SourceLocation::current()) : Handle(where) {}
  Rows(const Rows& other, SourceLocation where = SourceLocation::current()) : Handle(other, where) {}
  Rows& operator=(const Rows& other) {
    store(other);
    return *this;
  }
  Rows(recording::RowsResult<T> result) : Handle(result.slot) {}  // NOLINT: from a primitive's result

  /// All rows, one behind the other, in global order, on every worker. Collective: runs what is pending. Memory: length
  /// times width.
  std::vector<T> get(SourceLocation where = SourceLocation::current()) const {
    std::vector<T> values(length(where) * width(where));
    read_vector(values.data(), width(where) * sizeof(T), where);
    return values;
  }
  std::uint64_t length(SourceLocation where = SourceLocation::current()) const { return space_length(where); }
  /// Of its rows. Local.
  Space space(SourceLocation where = SourceLocation::current()) const { return detail::space_of(*this, where); }
  /// Numbers of a row; at least 1. Local.
  std::uint64_t width(SourceLocation where = SourceLocation::current()) const {
    return element_bytes(where) / sizeof(T);
  }
};

/// All elements of a vector, for a function; made by whole(w).
template <class V>
struct Whole {
  V of;
};

/// Behind the vectors of map and zip_with: the function gets all of w, in global order, for each element; of a Vector a
/// std::span<const T>, of Rows a RowsView<T>. w may be of another space. Every worker gets all of it: it is for what
/// fits a cache rather than for what has as many elements as there are in the walk.
/// @code
/// const auto nearest = [](std::span<const double> x, const RowsView<double>& centres) {
///   std::int32_t best = 0;
///   for (std::size_t k = 1; k < centres.size(); ++k) {
///     if (squared_distance(x, centres[k]) < squared_distance(x, centres[best])) best = static_cast<std::int32_t>(k);
///   }
///   return best;
/// };
/// Vector<std::int32_t> group = map(nearest, X, whole(X));
/// @endcode
template <class V>
requires detail::AnyVector<V> Whole<V> whole(const V& w, SourceLocation where = SourceLocation::current()) {
  return {V(w, where)};
}
template <int..., class A>
requires(!detail::kIsVector<A>) detail::Refused whole(const A&) {
  static_assert(detail::kNever<A>, "[whole] it is of a Vector or of Rows: map(f, v, whole(w))");
  return {};
}

/// The width of rows that a function makes; made by width<T>(numbers).
template <class T>
struct Width {
  std::uint64_t numbers;
};

/// The last operand of map and zip_with whose results are Rows<T>: the function gets a std::span<T> of so many numbers,
/// writes all of them, and returns nothing. @throws ProgramError, from the call, for 0 or for more than 2^24
/// @code
/// Rows<double> scaled = map([](std::span<const double> x, std::span<double> out) {
///   for (std::size_t k = 0; k < x.size(); ++k) out[k] = 2 * x[k];
/// }, X, width(X.width()));
/// @endcode
template <class T = double>
Width<T> width(std::uint64_t numbers) {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>, "[width] rows are of numbers: width<float>(8)");
  return {numbers};
}

/// The sum of the products of the numbers of two rows of one width, in several lanes: the same bits each time, and not
/// those of a plain loop.
template <class T>
constexpr T dot(std::span<const T> a, std::span<const T> b);
/// The sum of the squares of the differences, as dot.
template <class T>
constexpr T squared_distance(std::span<const T> a, std::span<const T> b);

namespace detail {

/// The sum of term(k) for k < n.
template <class T, class Term>
constexpr T sum_in_lanes(std::size_t n, const Term& term) {
  constexpr std::size_t kLanes = 64 / sizeof(T);
  const std::size_t rest = n % kLanes, whole = n - rest;
  T lane[kLanes] = {};
  for (std::size_t k = 0; k < whole; k += kLanes) {
#pragma GCC unroll 1
    for (std::size_t at = 0; at < kLanes; ++at) lane[at] = static_cast<T>(lane[at] + term(k + at));
  }
  for (std::size_t at = 0; at < rest; ++at) lane[at] = static_cast<T>(lane[at] + term(whole + at));
  T sum{};
  for (const T part : lane) sum = static_cast<T>(sum + part);
  return sum;
}

recording::SlotId make_rows(Space space, std::span<const std::byte> block, Type type, std::size_t number_bytes,
                            SourceLocation where);
/// @throws ProgramError for a width that rows cannot have
void require_width(std::uint64_t width, const char* primitive, SourceLine where);

}  // namespace detail

template <class T>
constexpr T dot(std::span<const T> a, std::span<const T> b) {
  return detail::sum_in_lanes<T>(a.size(), [&](std::size_t k) { return static_cast<T>(a[k] * b[k]); });
}
template <class T>
constexpr T squared_distance(std::span<const T> a, std::span<const T> b) {
  return detail::sum_in_lanes<T>(a.size(), [&](std::size_t k) {
    const T apart = static_cast<T>(a[k] - b[k]);
    return static_cast<T>(apart * apart);
  });
}

/// Collective. Rows from values in global order, of which each worker gives its block, row by row: `width` numbers for
/// each of block_of(space).count rows. Not in a recorded block. @throws AgreedError for another number of
/// values. Cost: as of make_vector
/// @code
/// std::vector<double> mine(block_of(space).count * 3, 1.0);
/// Rows<double> X = make_rows(space, 3, mine);
/// @endcode
template <class T>
Rows<T> make_rows(Space space, std::uint64_t width, std::span<const T> block,
                  SourceLocation where = SourceLocation::current()) {
  const SourceLine line = recording::source_line(where);
  detail::require_width(width, "make_rows", line);
  const Type type = recording::type_of_rows<T>(width);
  return recording::RowsResult<T>{detail::make_rows(space, std::as_bytes(block), type, sizeof(T), where)};
}
/// Of a std::vector, or whatever else lies in a row.
template <std::ranges::contiguous_range Values>
Rows<std::ranges::range_value_t<Values>> make_rows(Space space, std::uint64_t width, const Values& block,
                                                   SourceLocation where = SourceLocation::current()) {
  using T = std::ranges::range_value_t<Values>;
  return make_rows<T>(space, width, std::span<const T>(std::ranges::data(block), std::ranges::size(block)), where);
}

}  // namespace kasen
