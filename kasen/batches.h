/// @file
/// Mini-batches: the elements of a vector, or the rows of a matrix, in batches of one size, of which a recorded loop
/// takes one after another.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "kasen/arrays.h"
#include "kasen/base/source_location.h"
#include "kasen/detail/call_kinds.h"
#include "kasen/detail/handles.h"
#include "kasen/rows.h"
#include "kasen/shared_math.h"

namespace kasen {

template <class V>
class Batches;

namespace detail {

recording::SlotId make_batches(const recording::Handle& v, std::uint64_t size, SourceLocation where);
MatrixId make_batches(MatrixId matrix, bool of_batch, Space rows, std::uint64_t size, SourceLocation where);
recording::SlotId one_batch(const recording::Handle& all, const Shared<std::int64_t>& number, SourceLocation where);

/// @throws ProgramError if there is no batch of this number. @param as_given the number, for the message
void require_batch(std::int64_t number, std::uint64_t all, const std::string& as_given, SourceLocation where);

/// The number of a batch, as calls give it.
template <class I>
inline constexpr bool kIsNumberOfBatch = std::is_integral_v<I> && !std::is_same_v<I, bool>;
template <class I>
inline constexpr bool kIsNumberOfBatch<Shared<I>> = kIsNumberOfBatch<I>;

template <class... A>
inline constexpr bool kAreBatched = false;
template <class V, class I>
inline constexpr bool kAreBatched<V, I> = (kIsVector<V> || kIsMatrix<V>)&&kIsNumberOfBatch<I> && !kIsShared<I>;
template <class... A>
inline constexpr bool kAreOfBatches = false;
template <class V, class I>
inline constexpr bool kAreOfBatches<Batches<V>, I> = kIsNumberOfBatch<I>;

/// A vector of a primitive's result.
template <class T>
Vector<T> vector_of(recording::SlotId slot, const Vector<T>*) {
  return recording::Result<T>{slot};
}
template <class T>
Rows<T> vector_of(recording::SlotId slot, const Rows<T>*) {
  return recording::RowsResult<T>{slot};
}

/// As a Shared. @throws ProgramError if it is an integer and no number of a batch
template <class I>
Shared<std::int64_t> number_of_batch(const I& number, std::uint64_t all, SourceLocation where) {
  if constexpr (kIsShared<I>) {
    return kasen::cast<std::int64_t>(number, where);
  } else {
    require_batch(std::in_range<std::int64_t>(number) ? static_cast<std::int64_t>(number) : -1, all,
                  std::to_string(number), where);
    return Shared<std::int64_t>(static_cast<std::int64_t>(number), where);
  }
}

}  // namespace detail

/// The elements of a vector, a Vector<T> or Rows<T>, in batches; made by `batches`, read by `batch`. Copies have the
/// same value (no data is copied). It is no variable of the recorded program, and so not assigned.
template <class V>
class Batches : public recording::Handle {
 public:
  explicit Batches(recording::SlotId slot) : Handle(slot) {}
  Batches(const Batches& other, SourceLocation where = SourceLocation::current()) : Handle(other, where) {}
  Batches& operator=(const Batches&) = delete;

  /// How many batches there are; at least 1. Local.
  std::uint64_t count(SourceLocation where = SourceLocation::current()) const { return element_parts(where); }
  /// Elements of each, and the length of the space of what `batch` gives. Local.
  std::uint64_t size(SourceLocation where = SourceLocation::current()) const { return space_length(where); }
};

/// The rows of a matrix in batches; made by `batches`, read by `batch`. Copies are the same batches. It is no variable
/// of the recorded program, and so not assigned.
template <class E>
class Batches<Matrix<E>> {
 public:
  Batches(MatrixId id, Space rows, Space columns, std::uint64_t all)
      : _id(id), _rows(rows), _columns(columns), _count(all) {}
  Batches(const Batches&) = default;
  Batches& operator=(const Batches&) = delete;

  std::uint64_t count() const { return _count; }         ///< how many batches there are; at least 1
  std::uint64_t size() const { return _rows.length(); }  ///< rows of each
  MatrixId id() const { return _id; }                    ///< of all of them
  Space rows() const { return _rows; }                   ///< the space of the height of a batch
  Space columns() const { return _columns; }             ///< the space of its width

 private:
  MatrixId _id;
  Space _rows, _columns;
  std::uint64_t _count;
};

/// The elements of v in batches of `size`: as many as there are, B = n / size. Batch b has the elements b, b + B,
/// b + 2B, ... of v, in this order, on any number of workers; the last n - B * size elements of v are in none. So each
/// batch is spread over the whole of v, and over the workers; in files that are sorted, by label say, too. Batches of
/// one size of vectors of one space belong together: samples and their labels.
/// What belongs to all batches lies together, as one element of B parts, so that a worker has its share of each.
/// Collective: runs what is pending, as get() does, and is no part of a plan; not in a recorded block. Cost: elements
/// cross the network only if they lie beyond the edge of a worker's block, at most once; memory: as much as v, which
/// may go. @throws ProgramError for a size of 0 or above v's length, or where B elements together have 2^31 bytes
/// @code
/// const auto samples = batches(X, 3);
/// const auto targets = batches(v, 3);
/// Vector<double> few = batch(targets, samples.count() - 1);
/// @endcode
template <class V>
requires detail::AnyVector<V> Batches<V> batches(const V& v, std::uint64_t size,
                                                 SourceLocation where = SourceLocation::current()) {
  return Batches<V>(detail::make_batches(v, size, where));
}
/// The rows of M in batches of `size`: as of a vector, so that batches of samples and of their labels, of one size,
/// belong together. A batch is a matrix of `size` rows over the columns of M. It is stored by rows, whatever --storage
/// says, and those of all batches lie on the same worker if they have the same place in their batches. By default rows
/// are whole: in blocks, or with the owners that their space has; else the partitioner that is asked for cuts all
/// batches together. Of dense samples batches of Rows cost less.
/// Collective: no part of a plan; not in a recorded block. Cost: that of make_matrix, of M's non-zeros, and M by rows
/// if it is not stored so; memory: as much as a matrix compressed by rows, beside M, and while it is made its entries,
/// and M's. @throws ProgramError for a size of 0 or above the number of rows, for a batch, or if rows of all batches,
/// on one worker, are 2^32
/// @code
/// const auto rows = batches(M, 3);
/// Vector<double> of_rows = multiply(batch(rows, 0), w);
/// @endcode
template <class E>
Batches<Matrix<E>> batches(const Matrix<E>& M, std::uint64_t size, SourceLocation where = SourceLocation::current()) {
  recording::require_session(M.session(), "batches", recording::source_line(where));
  const MatrixId id = detail::make_batches(M.id(), M.batch() != nullptr, M.rows(), size, where);
  return {id, Space(size, where), M.columns(), M.rows().length() / size};
}
template <int..., class... A>
requires(!detail::kAreBatched<A...>) detail::Refused batches(const A&...) {
  static_assert(detail::kNever<A...>,
                "[batches] it takes a Vector, Rows or a stored Matrix, and the number of elements or rows of a batch: "
                "batches(X, 512); of entries that a function makes, entries(f, batch(all, b))");
  return {};
}

/// Batch `number` of all, from 0: a Vector or Rows over a space of all.size(), of the elements that `batches` says, or
/// a Matrix of so many rows. The number is an integer or a Shared one, which in a recorded loop is another one each
/// time: the body is planned once. Of vectors element work, rules 8 and 9; it joins sweeps as a map does, and an
/// element of one batch is what it reads. Of a matrix nothing by itself: products with it walk its rows, and its
/// non-zeros alone, which those of one batch that read each other do in one pass. Local and lazy. @throws ProgramError
/// for a number that is none; of a Shared an AgreedError when it runs, of a matrix with the line of the product
/// @code
/// const auto samples = batches(X, 3);
/// Shared<std::uint64_t> step = 0;
/// Shared<double> total = 0.0;
/// while_([&] { return step < 4 * samples.count(); }, [&] {
///   const Rows<double> some = batch(samples, step % samples.count());
///   total += reduce(plus, map([](std::span<const double> x) { return kasen::dot(x, x); }, some));
///   ++step;
/// });
/// @endcode
template <class V, class I>
requires detail::kIsNumberOfBatch<I> V batch(const Batches<V>& all, const I& number,
                                             SourceLocation where = SourceLocation::current()) {
  if constexpr (detail::kIsMatrix<V>) {
    const Shared<std::int64_t> one = detail::number_of_batch(number, all.count(), where);
    return V(all.id(), all.rows(), all.columns(), std::make_shared<const Shared<std::int64_t>>(one, where));
  } else {
    const Shared<std::int64_t> one = detail::number_of_batch(number, all.count(where), where);
    return detail::vector_of(detail::one_batch(all, one, where), static_cast<const V*>(nullptr));
  }
}
template <int..., class... A>
requires(!detail::kAreOfBatches<A...>) detail::Refused batch(const A&...) {
  static_assert(detail::kNever<A...>,
                "[batch] it takes what batches(X, 512) makes, and the number of one, an integer or a Shared one: "
                "batch(all, step % all.count())");
  return {};
}

}  // namespace kasen
