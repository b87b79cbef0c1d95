#include "kasen/base/worker_pairs.h"

#include <algorithm>
#include <string>
#include <utility>

#include "kasen/base/bit_set.h"
#include "kasen/base/error.h"

namespace kasen {

WorkerPairs::WorkerPairs(std::uint32_t workers, std::span<const Pair> pairs) : _workers(workers) {
  std::vector<std::uint64_t> positions;
  positions.reserve(pairs.size());
  for (const Pair& pair : pairs) {
    const std::uint64_t distance = (std::uint64_t{pair.owner} + workers - pair.holder) % workers;
    positions.push_back(distance * workers + pair.holder);
  }
  std::sort(positions.begin(), positions.end());
  for (const std::uint64_t position : positions) append(position, position + 1);
}

WorkerPairs::WorkerPairs(std::uint32_t workers, std::vector<Run> runs) : _workers(workers), _runs(std::move(runs)) {
  const std::uint64_t all = std::uint64_t{workers} * workers;
  std::uint64_t least = workers;
  for (const Run& run : _runs) {
    if (run.first < least || run.first >= all || run.count == 0 || run.count > all - run.first)
      throw InputError("runs of pairs of " + std::to_string(workers) + " workers are expected, ascending and apart");
    least = run.end() + 1;
  }
}

/// Goes through the distances and keeps the holders with an owner at this one.
WorkerPairs WorkerPairs::of_distances(std::span<const std::vector<Run>> by_holder) {
  const std::size_t workers = by_holder.size();
  struct Change {
    std::uint64_t distance;
    std::uint32_t holder;
    bool begins;
  };
  std::vector<Change> changes;
  for (std::size_t holder = 0; holder < workers; ++holder) {
    for (const Run& run : by_holder[holder]) {
      changes.push_back({run.first, static_cast<std::uint32_t>(holder), true});
      changes.push_back({run.end(), static_cast<std::uint32_t>(holder), false});
    }
  }
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.distance < b.distance; });

  WorkerPairs pairs;
  pairs._workers = static_cast<std::uint32_t>(workers);
  BitSet holders(workers);
  std::size_t num_holders = 0;
  for (std::size_t k = 0; k < changes.size();) {
    const std::uint64_t distance = changes[k].distance;
    for (; k < changes.size() && changes[k].distance == distance; ++k) {
      if (changes[k].begins) {
        holders.insert(changes[k].holder), ++num_holders;
      } else {
        holders.erase(changes[k].holder), --num_holders;
      }
    }
    if (num_holders == 0) continue;
    const std::uint64_t next = changes[k].distance;  // there is one: runs that have begun end
    if (num_holders == workers) {
      pairs.append(distance * workers, next * workers);
      continue;
    }
    for (std::uint64_t at = distance; at < next; ++at)
      holders.for_each([&](std::size_t holder) { pairs.append(at * workers + holder, at * workers + holder + 1); });
  }
  return pairs;
}

WorkerPairs WorkerPairs::nearest(std::uint32_t workers, std::uint64_t count) {
  WorkerPairs pairs;
  pairs._workers = workers;
  pairs.append(workers, workers + count);
  return pairs;
}

std::uint64_t WorkerPairs::count() const {
  std::uint64_t count = 0;
  for (const Run& run : _runs) count += run.count;
  return count;
}

/// A pair of distance d and holder h becomes one of distance P - d and holder h + d. So distances are gone through from
/// the largest on, and those that a run has all pairs of together.
WorkerPairs WorkerPairs::turned() const {
  WorkerPairs result;
  result._workers = _workers;
  const std::uint64_t workers = _workers;
  std::vector<Run> same;  // of one distance, as numbers of holders after the turn
  std::uint64_t distance = 0;
  const auto flush = [&] {
    std::sort(same.begin(), same.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
    const std::uint64_t base = (workers - distance) * workers;
    for (const Run& run : same) result.append(base + run.first, base + run.end());
    same.clear();
  };
  const auto part_of_distance = [&](std::uint64_t first, std::uint64_t end) {
    if (first == end) return;
    if (const std::uint64_t of_these = first / workers; of_these != distance) {
      flush();
      distance = of_these;
    }
    const std::uint64_t begin = first % workers + distance, stop = begin + (end - first);
    if (begin < workers) same.push_back({begin, std::min(stop, workers) - begin});
    if (stop > workers) {
      const std::uint64_t over = std::max(begin, workers);
      same.push_back({over - workers, stop - over});
    }
  };
  for (auto run = _runs.rbegin(); run != _runs.rend(); ++run) {
    const std::uint64_t whole = (run->first + workers - 1) / workers, end = run->end() / workers;
    if (whole >= end) {  // none is whole: the run lies in one distance, or in two
      const std::uint64_t middle = std::clamp(whole * workers, run->first, run->end());
      part_of_distance(middle, run->end());
      part_of_distance(run->first, middle);
      continue;
    }
    part_of_distance(end * workers, run->end());
    flush();
    result.append((workers - end + 1) * workers, (workers - whole + 1) * workers);
    part_of_distance(run->first, whole * workers);
  }
  flush();
  return result;
}

void WorkerPairs::insert(const WorkerPairs& others) {
  if (others._runs.empty() || others == *this) return;
  if (_runs.empty()) {
    *this = others;
    return;
  }
  std::vector<Run> mine;
  mine.swap(_runs);
  auto a = mine.begin();
  auto b = others._runs.begin();
  while (a != mine.end() || b != others._runs.end()) {
    const bool from_a = b == others._runs.end() || (a != mine.end() && a->first < b->first);
    const Run& next = from_a ? *a++ : *b++;
    append(next.first, next.end());
  }
}

/// Adds positions, of which none is before the last run.
void WorkerPairs::append(std::uint64_t first, std::uint64_t end) {
  if (first == end) return;
  if (_runs.empty() || first > _runs.back().end()) {
    _runs.push_back({first, end - first});
  } else if (end > _runs.back().end()) {
    _runs.back().count = end - _runs.back().first;
  }
}

}  // namespace kasen
