/// @file
/// Redistribution in rounds of a bounded size: each sorts some entries by destination, and what arrives goes to where
/// it stays. What was sent is given back round by round, so that little exists twice at any time.

#include "partition/distribute.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>

#include "comm/free_memory.h"
#include "kasen/base/raw_vector.h"
#include "kasen/base/release.h"

namespace kasen::partition {
namespace {

using Offsets = std::vector<std::uint64_t>;

/// The entries of a worker that are sent at once.
constexpr std::size_t kRound = std::size_t{1} << 18;

/// Workers' numbers, each in as few bytes as hold any.
class PackedRanks {
 public:
  PackedRanks(std::size_t size, int workers) : _size(size), _width(Assignment::table_width(workers)) {
    _bytes.resize(size * _width);
  }
  std::size_t size() const { return _size; }
  // The low bytes of a number come first, as in Assignment::table().
  void set(std::size_t begin, std::span<const Rank> ranks) {
    for (std::size_t k = 0; k < ranks.size(); ++k) std::memcpy(&_bytes[(begin + k) * _width], &ranks[k], _width);
  }
  void get(std::size_t begin, std::span<Rank> ranks) const {
    for (std::size_t k = 0; k < ranks.size(); ++k) {
      ranks[k] = 0;
      std::memcpy(&ranks[k], &_bytes[(begin + k) * _width], _width);
    }
  }

 private:
  std::size_t _size, _width;
  RawVector<std::byte> _bytes;
};

/// The workers + 1 offsets of the entries for each worker.
Offsets count_destinations(std::span<const Rank> destination, int workers) {
  Offsets offsets(static_cast<std::size_t>(workers) + 1);
  for (Rank worker : destination) ++offsets[static_cast<std::size_t>(worker) + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

/// Some entries in the order of their destinations, and where those that come from each worker go to.
class Round {
 public:
  /// Collective. @param first of this round's entries from each worker among all that arrive
  Round(const comm::Communicator& communicator, std::size_t begin, std::span<const Rank> destination,
        std::span<const std::uint64_t> first)
      : _communicator(&communicator),
        _begin(begin),
        _offsets(count_destinations(destination, communicator.size())),
        _place(destination.size()),
        _counts(communicator.incoming_counts(_offsets, destination.size())),
        _first(first) {
    Offsets next = _offsets;
    for (std::size_t k = 0; k < _place.size(); ++k)
      _place[k] = static_cast<std::uint32_t>(next[static_cast<std::size_t>(destination[k])]++);
  }

  std::span<const std::uint64_t> counts() const { return _counts; }

  /// Collective. Sends indices, which are lost then.
  template <class T>
  void send(GlobalIndices& indices, RawVector<T>& into) const {
    RawVector<T> ordered(_place.size());
    for (std::size_t k = 0; k < _place.size(); ++k) ordered[_place[k]] = static_cast<T>(indices[_begin + k]);
    comm::discard(indices.memory(_begin, _place.size()));
    _communicator->all_to_all(ordered.data(), _offsets, sizeof(T), into.data(), _counts, _first);
  }
  /// Collective. Sends values of so many bytes each, which are lost then.
  void send(RawVector<std::byte>& values, std::size_t bytes, RawVector<std::byte>& into) const {
    RawVector<std::byte> ordered(_place.size() * bytes);
    for (std::size_t k = 0; k < _place.size(); ++k)
      std::memcpy(&ordered[_place[k] * bytes], &values[(_begin + k) * bytes], bytes);
    comm::discard(std::span(values).subspan(_begin * bytes, _place.size() * bytes));
    _communicator->all_to_all(ordered.data(), _offsets, bytes, into.data(), _counts, _first);
  }

 private:
  const comm::Communicator* _communicator;
  std::size_t _begin;
  Offsets _offsets;
  std::vector<std::uint32_t> _place;  ///< of each entry among those that are sent
  std::vector<std::uint64_t> _counts;
  std::span<const std::uint64_t> _first;
};

/// Collective. @tparam Row, Column hold the indices of all workers
template <class Row, class Column>
Entries distribute_as(const comm::Communicator& communicator, Entries entries, const Destinations& destinations) {
  const std::size_t size = entries.row.size();
  PackedRanks packed(size, communicator.size());
  std::vector<Rank> some;
  Offsets outgoing(static_cast<std::size_t>(communicator.size()) + 1);
  for (std::size_t begin = 0; begin < size; begin += some.size()) {
    some.resize(std::min(kRound, size - begin));
    destinations(entries, begin, some);
    packed.set(begin, some);
    const Offsets counted = count_destinations(some, communicator.size());
    for (std::size_t w = 0; w < outgoing.size(); ++w) outgoing[w] += counted[w];
  }
  Offsets first = communicator.incoming_counts(outgoing, size);
  const std::uint64_t arriving = std::accumulate(first.begin(), first.end(), std::uint64_t{0});
  std::exclusive_scan(first.begin(), first.end(), first.begin(), std::uint64_t{0});
  RawVector<Row> row(arriving);
  RawVector<Column> column(arriving);
  RawVector<std::byte> value(arriving * entries.value_bytes);
  comm::keep_in_small_pages(std::as_writable_bytes(std::span(row)));  // each worker's entries have a place of their own
  comm::keep_in_small_pages(std::as_writable_bytes(std::span(column)));
  comm::keep_in_small_pages(value);
  const std::uint64_t rounds = communicator.max(std::uint64_t{(size + kRound - 1) / kRound});
  for (std::uint64_t k = 0; k < rounds; ++k) {
    const std::size_t begin = std::min(k * kRound, size);
    some.resize(std::min(kRound, size - begin));
    packed.get(begin, some);
    const Round round(communicator, begin, some, first);
    round.send(entries.row, row);
    round.send(entries.column, column);
    if (entries.value_bytes != 0) round.send(entries.value, entries.value_bytes, value);
    for (std::size_t w = 0; w < first.size(); ++w) first[w] += round.counts()[w];
  }
  return {GlobalIndices(std::move(row)), GlobalIndices(std::move(column)), std::move(value), entries.value_bytes};
}

}  // namespace

Entries distribute(const comm::Communicator& communicator, Entries entries, const Destinations& destinations) {
  if (communicator.size() == 1) return entries;
  const bool narrow_rows = communicator.min(entries.row.narrow() ? 1 : 0) == 1;
  const bool narrow_columns = communicator.min(entries.column.narrow() ? 1 : 0) == 1;
  const auto sent = narrow_rows      ? narrow_columns ? distribute_as<std::uint32_t, std::uint32_t>
                                                      : distribute_as<std::uint32_t, GlobalIndex>
                         : narrow_columns ? distribute_as<GlobalIndex, std::uint32_t>
                                     : distribute_as<GlobalIndex, GlobalIndex>;
  return sent(communicator, std::move(entries), destinations);
}

Entries distribute(const comm::Communicator& communicator, Entries entries, std::span<const Rank> destination) {
  return distribute(communicator, std::move(entries), [&](const Entries&, std::size_t begin, std::span<Rank> to) {
    std::copy_n(destination.begin() + static_cast<std::ptrdiff_t>(begin), to.size(), to.begin());
  });
}

std::vector<GlobalIndex> masters_of(const comm::Communicator& communicator, const Assignment& assignment) {
  const bool in_blocks = assignment.kind() == Assignment::Kind::block;
  const Assignment blocks = in_blocks ? assignment : Assignment::block(assignment.length(), communicator.size());
  const GlobalIndex begin = blocks.block_begin(communicator.rank()), end = blocks.block_begin(communicator.rank() + 1);
  std::vector<GlobalIndex> indices(static_cast<std::size_t>(end - begin));
  std::iota(indices.begin(), indices.end(), begin);
  if (in_blocks) return indices;
  std::vector<Rank> destination(indices.size());
  for (std::size_t k = 0; k < indices.size(); ++k) destination[k] = assignment.owner(indices[k]);
  const Offsets offsets = count_destinations(destination, communicator.size());
  Offsets next = offsets;
  for (std::size_t k = 0; k < indices.size(); ++k)
    indices[next[static_cast<std::size_t>(destination[k])]++] = begin + static_cast<GlobalIndex>(k);
  // The blocks ascend with the workers they come from, so what arrives is in order.
  return communicator.all_to_all(std::span<const GlobalIndex>(indices), std::span<const std::uint64_t>(offsets)).values;
}

}  // namespace kasen::partition
