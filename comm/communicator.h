/// @file
/// Class Communicator: a duplicated MPI communicator that lives as long as the object, with typed collectives.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "kasen/base/ids.h"

namespace kasen::comm {

namespace detail {
template <class T>
inline constexpr bool is_span = false;
template <class T, std::size_t N>
inline constexpr bool is_span<std::span<T, N>> = true;
}  // namespace detail

/// Types that may be sent: their values mean the same everywhere. (bool has no contiguous vector: send std::uint8_t.)
template <class T>
concept Sendable =
    std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::same_as<T, bool> && !detail::is_span<T>;

template <class T>
concept Number = std::integral<T> || std::floating_point<T>;

/// The values that a worker has received from all others, by source worker.
template <class T>
struct Received {
  std::vector<T> values;
  std::vector<std::uint64_t> offsets;  ///< workers + 1: values of worker w are [offsets[w], offsets[w + 1])
};

/// An MPI communicator. Failed MPI calls throw kasen::Error with the call and MPI's text.
class Communicator {
 public:
  /// Collective. Makes a duplicate of `parent`; `name` is what MPI tools show.
  explicit Communicator(MPI_Comm parent = MPI_COMM_WORLD, const std::string& name = "kasen");
  ~Communicator();
  Communicator(Communicator&&) noexcept;
  Communicator& operator=(Communicator&&) noexcept;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  Rank rank() const { return _rank; }
  int size() const { return _size; }
  MPI_Comm native() const { return _native; }
  /// Whether any host has more workers than cores: waiting then yields the core. Equal on all workers.
  bool oversubscribed() const { return _oversubscribed; }

  /// This and all of the following are collective. T is trivially copyable. Counts may be of any size.
  void barrier() const;
  /// Sends the root's values to all; `values` has the same length on every worker.
  template <Sendable T>
  void broadcast(std::span<T> values, Rank root) const {
    broadcast_bytes(values.data(), values.size_bytes(), root);
  }
  /// Strings of any length; `text` is replaced on all but the root.
  void broadcast(std::string& text, Rank root) const;
  /// One value from each worker, by rank.
  template <Sendable T>
  std::vector<T> all_gather(const T& value) const {
    std::vector<T> all(static_cast<std::size_t>(_size));
    all_gather_bytes(&value, sizeof(T), all.data());
    return all;
  }
  /// Any number of values from each worker, by rank.
  template <Sendable T>
  Received<T> all_gather(std::span<const T> values) const {
    Received<T> all{{}, offsets_of_all(values.size())};
    all.values.resize(all.offsets.back());
    all_gather_bytes(values.data(), all.offsets, sizeof(T), all.values.data());
    return all;
  }
  /// Sends values to workers: `offsets` (workers + 1) cut `values` by receiver.
  template <Sendable T>
  Received<T> all_to_all(std::span<const T> values, std::span<const std::uint64_t> offsets) const {
    const std::vector<std::uint64_t> counts = incoming_counts(offsets, values.size());
    Received<T> received{{}, offsets_from(counts)};
    received.values.resize(received.offsets.back());
    const std::span<const std::uint64_t> first(received.offsets.data(), static_cast<std::size_t>(_size));
    all_to_all(values.data(), offsets, sizeof(T), received.values.data(), counts, first);
    return received;
  }
  /// How many values come from each worker if all send some, of which this one's `count` are cut by `offsets`.
  std::vector<std::uint64_t> incoming_counts(std::span<const std::uint64_t> offsets, std::uint64_t count) const;
  /// The same into memory that there is: counts[w] values, as incoming_counts() says, come from worker w to
  /// into[first[w]] and behind it. Elements of `element_bytes` bytes are values; data may be of any type.
  void all_to_all(const void* values, std::span<const std::uint64_t> offsets, std::uint64_t element_bytes, void* into,
                  std::span<const std::uint64_t> counts, std::span<const std::uint64_t> first) const;
  /// Sum, least and largest value. Same bits on every worker: floating point is folded by rank. Integers wrap around.
  template <Number T>
  T sum(T value) const {
    return reduce(value, MPI_SUM, [](T a, T b) { return static_cast<T>(a + b); });
  }
  template <Number T>
  T min(T value) const {
    return reduce(value, MPI_MIN, [](T a, T b) { return std::min(a, b); });
  }
  template <Number T>
  T max(T value) const {
    return reduce(value, MPI_MAX, [](T a, T b) { return std::max(a, b); });
  }
  /// Element-wise sum over workers, in place.
  void sum(std::span<std::uint64_t> values) const;
  /// Element-wise minimum over workers, in place.
  void min(std::span<std::uint64_t> values) const;
  /// The sum over workers of lower rank.
  std::uint64_t exclusive_sum(std::uint64_t value) const;

 private:
  void broadcast_bytes(void* data, std::uint64_t bytes, Rank root) const;
  void all_gather_bytes(const void* value, std::uint64_t bytes, void* all) const;
  void all_gather_bytes(const void* values, std::span<const std::uint64_t> offsets, std::uint64_t element_bytes,
                        void* all) const;
  std::vector<std::uint64_t> offsets_of_all(std::uint64_t count) const;
  static std::vector<std::uint64_t> offsets_from(const std::vector<std::uint64_t>& counts);
  std::int64_t reduce_integer(std::int64_t value, MPI_Op op) const;
  std::uint64_t reduce_integer(std::uint64_t value, MPI_Op op) const;

  template <class T, class Fold>
  T reduce(T value, MPI_Op op, Fold fold) const {
    if constexpr (std::signed_integral<T>) {
      return static_cast<T>(reduce_integer(static_cast<std::int64_t>(value), op));
    } else if constexpr (std::integral<T>) {
      return static_cast<T>(reduce_integer(static_cast<std::uint64_t>(value), op));
    } else {
      const std::vector<T> all = all_gather(value);
      T result = all[0];
      for (std::size_t w = 1; w < all.size(); ++w) result = fold(result, all[w]);
      return result;
    }
  }

  MPI_Comm _native = MPI_COMM_NULL;
  Rank _rank = 0;
  int _size = 1;
  bool _oversubscribed = false;
};

}  // namespace kasen::comm
