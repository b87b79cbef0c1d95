/// @file
/// Mini-batches: the elements of a vector in batches of one size, of which a recorded loop takes one after another.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "kasen/arrays.h"
#include "kasen/base/source_location.h"
#include "kasen/detail/handles.h"
#include "kasen/rows.h"
#include "kasen/shared_math.h"

namespace kasen {

template <class V>
class Batches;

namespace detail {

recording::SlotId make_batches(const recording::Handle& v, std::uint64_t size, SourceLocation where);
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
inline constexpr bool kAreBatched<V, I> = kIsVector<V>&& kIsNumberOfBatch<I> && !kIsShared<I>;
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
template <int..., class... A>
requires(!detail::kAreBatched<A...>) detail::Refused batches(const A&...) {
  static_assert(detail::kNever<A...>,
                "[batches] it takes a Vector or Rows, and the number of elements of a batch: batches(X, 512)");
  return {};
}

/// Batch `number` of all, from 0: a Vector or Rows over a space of all.size(), of the elements that `batches` says. The
/// number is an integer or a Shared one, which in a recorded loop is another one each time: the body is planned once.
/// Element work, rules 8 and 9; it joins sweeps as a map does, and an element of one batch is what it reads. Local
/// and lazy. @throws ProgramError for a number that is none; of a Shared when it runs, and of several workers that ends
/// the job
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
  recording::SlotId slot;
  if constexpr (detail::kIsShared<I>) {
    slot = detail::one_batch(all, kasen::cast<std::int64_t>(number), where);
  } else {
    detail::require_batch(std::in_range<std::int64_t>(number) ? static_cast<std::int64_t>(number) : -1,
                          all.count(where), std::to_string(number), where);
    slot = detail::one_batch(all, Shared<std::int64_t>(static_cast<std::int64_t>(number), where), where);
  }
  return detail::vector_of(slot, static_cast<const V*>(nullptr));
}
template <int..., class... A>
requires(!detail::kAreOfBatches<A...>) detail::Refused batch(const A&...) {
  static_assert(detail::kNever<A...>,
                "[batch] it takes what batches(X, 512) makes, and the number of one, an integer or a Shared one: "
                "batch(all, step % all.count())");
  return {};
}

}  // namespace kasen
