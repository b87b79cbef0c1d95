/// @file
/// The sample sort behind rank_ids, written once for integers and words.
#include "kasen/io/ids/id_ranking.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "kasen/base/release.h"
#include "partition/assignment.h"

namespace kasen::io {

namespace {

using Integers = std::vector<std::int64_t>;
constexpr std::uint64_t kSamples = 64;  // a worker: keeps the largest interval within a few per cent of the mean

struct ReceivedIntegers {
  Integers values;
  std::vector<std::uint64_t> offsets;
};

ReceivedIntegers all_to_all(const comm::Communicator& communicator, const Integers& ids,
                            std::span<const std::uint64_t> offsets) {
  auto received = communicator.all_to_all(std::span<const std::int64_t>(ids), offsets);
  return {std::move(received.values), std::move(received.offsets)};
}

ReceivedIntegers all_gather(const comm::Communicator& communicator, const Integers& ids) {
  auto received = communicator.all_gather(std::span<const std::int64_t>(ids));
  return {std::move(received.values), std::move(received.offsets)};
}

/// First position in [from, keys.size()) whose key is not less than `key`.
template <class Keys, class Key>
std::uint64_t lower_bound(const Keys& keys, std::uint64_t from, const Key& key) {
  std::uint64_t count = keys.size() - from;
  while (count > 0) {
    const std::uint64_t half = count / 2;
    if (keys[from + half] < key) {
      from += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return from;
}

/// An unsigned number that orders keys, except that different words may share one.
std::uint64_t leading_part(std::int64_t key) { return static_cast<std::uint64_t>(key) ^ (std::uint64_t{1} << 63); }
std::uint64_t leading_part(std::string_view key) {
  std::uint64_t part = 0;
  for (std::size_t k = 0; k < 8; ++k) part = part << 8 | (k < key.size() ? static_cast<unsigned char>(key[k]) : 0u);
  return part;
}

/// Positions of `keys` in ascending order of the keys. Most comparisons need no look at the keys themselves.
template <class Keys>
std::vector<std::uint64_t> ascending(const Keys& keys) {
  struct Item {
    std::uint64_t leading, position;
  };
  std::vector<Item> items(keys.size());
  for (std::uint64_t i = 0; i < keys.size(); ++i) items[i] = {leading_part(keys[i]), i};
  std::sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
    if constexpr (std::is_same_v<Keys, Words>) {
      if (a.leading == b.leading) return keys[a.position] < keys[b.position];
    }
    return a.leading < b.leading;
  });
  std::vector<std::uint64_t> order(items.size());
  std::transform(items.begin(), items.end(), order.begin(), [](const Item& item) { return item.position; });
  return order;
}

/// The keys in ascending order, each once.
template <class Keys>
Keys distinct(const Keys& keys) {
  Keys result;
  for (const std::uint64_t i : ascending(keys)) {
    if (result.size() == 0 || result[result.size() - 1] != keys[i]) result.push_back(keys[i]);
  }
  return result;
}

/// Cuts sorted ids into one interval per worker, in the order of workers; the same bounds on every worker.
template <class Keys>
std::vector<std::uint64_t> cut_by_samples(const comm::Communicator& communicator, const Keys& sorted) {
  Keys mine;
  const std::uint64_t count = std::min<std::uint64_t>(kSamples, sorted.size());
  for (std::uint64_t s = 0; s < count; ++s) mine.push_back(sorted[s * sorted.size() / count]);
  const Keys samples = distinct(all_gather(communicator, mine).values);

  const auto workers = static_cast<std::uint64_t>(communicator.size());
  std::vector<std::uint64_t> offsets(workers + 1, sorted.size());
  offsets[0] = 0;
  for (std::uint64_t w = 1; w < workers && samples.size() > 0; ++w) {
    offsets[w] = lower_bound(sorted, offsets[w - 1], samples[w * samples.size() / workers]);
  }
  return offsets;
}

template <class Keys>
RankedIds<Keys> rank(const comm::Communicator& communicator, Keys ids) {
  const std::vector<std::uint64_t> order = ascending(ids);
  Keys sorted;
  for (const std::uint64_t i : order) sorted.push_back(ids[i]);
  ids = Keys();

  auto received = all_to_all(communicator, sorted, cut_by_samples(communicator, sorted));
  sorted = Keys();
  const Keys interval = distinct(received.values);
  const std::uint64_t first = communicator.exclusive_sum(interval.size());
  RankedIds<Keys> result;
  result.length = communicator.sum<std::uint64_t>(interval.size());

  // Each worker's ids came sorted, so one walk over the interval answers them.
  std::vector<GlobalIndex> answers(received.values.size());
  for (std::size_t w = 0; w + 1 < received.offsets.size(); ++w) {
    std::uint64_t at = 0;
    for (std::uint64_t k = received.offsets[w]; k < received.offsets[w + 1]; ++k) {
      at = lower_bound(interval, at, received.values[k]);
      answers[k] = static_cast<GlobalIndex>(first + at);
    }
  }
  received.values = Keys();
  const auto sorted_index =
      communicator.all_to_all(std::span<const GlobalIndex>(answers), std::span<const std::uint64_t>(received.offsets));
  release(answers);
  result.index.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) result.index[order[k]] = sorted_index.values[k];

  const auto blocks = partition::Assignment::block(result.length, communicator.size());
  std::vector<std::uint64_t> offsets(received.offsets.size());
  for (std::size_t w = 0; w < offsets.size(); ++w) {
    const auto begin = static_cast<std::uint64_t>(blocks.block_begin(static_cast<Rank>(w)));
    offsets[w] = std::clamp(begin, first, first + interval.size()) - first;
  }
  result.block = std::move(all_to_all(communicator, interval, offsets).values);
  return result;
}

}  // namespace

RankedIds<Integers> rank_ids(const comm::Communicator& communicator, Integers ids) {
  return rank(communicator, std::move(ids));
}

RankedIds<Words> rank_ids(const comm::Communicator& communicator, Words ids) {
  return rank(communicator, std::move(ids));
}

}  // namespace kasen::io
