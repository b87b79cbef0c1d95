/// @file
/// The choice of numbering by three questions, each answered from sums over all workers, the cheap ones first.

#include "partition/numbering.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "partition/assignment.h"
#include "partition/sorted_indices.h"

namespace kasen::partition {
namespace {

std::uint64_t percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<std::uint64_t>(100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

/// The number of times that each element is named.
IndexCounts degrees_of(std::span<const NumberedSide> sides, std::uint64_t length) {
  std::vector<GlobalIndexView> indices;
  for (const NumberedSide& side : sides) indices.push_back(side.index);
  return {indices, length};
}

/// The number of masters, and of other elements that the matrix touches.
std::uint64_t elements_here(const IndexSpace& space, std::span<const NumberedSide> sides, Rank rank) {
  const std::span<const GlobalIndex> one = sides.front().touched;
  const std::span<const GlobalIndex> other = sides.size() > 1 ? sides.back().touched : std::span<const GlobalIndex>();
  std::uint64_t elements = space.masters();
  for (auto a = one.begin(), b = other.begin(); a != one.end() || b != other.end();) {
    const bool of_one = b == other.end() || (a != one.end() && *a <= *b);
    const bool of_other = a == one.end() || (b != other.end() && *b <= *a);
    elements += space.owner(of_one ? *a : *b) != rank;
    if (of_one) ++a;
    if (of_other) ++b;
  }
  return elements;
}

/// Positions of `touched` if they were ordered by owner and, within an owner, by index: but for the order of roles the
/// numbering by index.
LocalNumbers positions_of(std::span<const GlobalIndex> touched, const IndexSpace& space, int workers) {
  std::vector<LocalIndex> next(static_cast<std::size_t>(workers) + 1);
  for (const GlobalIndex index : touched) ++next[static_cast<std::size_t>(space.owner(index)) + 1];
  for (std::size_t w = 1; w < next.size(); ++w) next[w] += next[w - 1];
  std::vector<LocalIndex> positions;
  positions.reserve(touched.size());
  for (const GlobalIndex index : touched) positions.push_back(next[static_cast<std::size_t>(space.owner(index))]++);
  return {touched, std::move(positions)};
}

struct Accesses {
  std::uint64_t all = 0, near = 0;
};

/// Of the lines that are looked at: the non-zeros that have one before them in their line, and those near it.
Accesses accesses(const NumberedSide& side, const IndexSpace& space, int workers, std::uint64_t every) {
  const LocalNumbers positions = positions_of(side.touched, space, workers);
  std::vector<std::pair<GlobalIndex, LocalIndex>> sample;
  for (std::size_t k = 0; k < side.index.size(); ++k) {
    if (every > 1 && mix(static_cast<std::uint64_t>(side.line[k])) % every != 0) continue;
    const GlobalIndex index = side.index[k];
    sample.emplace_back(side.line[k], workers == 1 ? static_cast<LocalIndex>(index) : positions[index]);
  }
  std::sort(sample.begin(), sample.end());
  Accesses found;
  for (std::size_t k = 1; k < sample.size(); ++k) {
    if (sample[k].first != sample[k - 1].first) continue;
    ++found.all;
    if (sample[k].second - sample[k - 1].second <= kNearElements) ++found.near;
  }
  return found;
}

/// The sum of the largest degrees, one in kHotShare.
std::uint64_t hot(const IndexCounts& degrees, std::uint64_t length) {
  std::size_t elements = 0;
  degrees.for_each(0, length, [&](GlobalIndex, std::uint64_t) { ++elements; });
  std::vector<std::uint64_t> counts;
  counts.reserve(elements);
  degrees.for_each(0, length, [&](GlobalIndex, std::uint64_t count) { counts.push_back(count); });
  const auto end = counts.begin() + static_cast<std::ptrdiff_t>(elements / kHotShare);
  std::nth_element(counts.begin(), end, counts.end(), std::greater<>());
  std::uint64_t sum = 0;
  for (auto count = counts.begin(); count != end; ++count) sum += *count;
  return sum;
}

}  // namespace

NumberingChoice number(const comm::Communicator& communicator, Numbering asked, std::uint64_t cache_bytes,
                       IndexSpace& space, std::span<const NumberedSide> sides) {
  if (asked == Numbering::index) return {{}, false, "as asked for"};
  if (asked == Numbering::degree) {
    space.number_by_degree(degrees_of(sides, space.length()));
    return {{}, true, "as asked for"};
  }
  const auto workers = static_cast<std::uint64_t>(communicator.size());
  const std::uint64_t bytes =
      communicator.sum(elements_here(space, sides, communicator.rank())) / workers * sizeof(double);
  std::string reason =
      "a vector takes " + std::to_string(bytes) + " bytes of a worker, the cache has " + std::to_string(cache_bytes);
  if (bytes <= 2 * cache_bytes) return {{}, false, std::move(reason)};

  const std::uint64_t nonzeros = communicator.sum(std::uint64_t{sides.front().index.size()});
  const std::uint64_t every = nonzeros / workers / kSampledAccesses + 1;
  std::uint64_t sums[2] = {};
  for (const NumberedSide& side : sides) {
    const Accesses found = accesses(side, space, communicator.size(), every);
    sums[0] += found.all;
    sums[1] += found.near;
  }
  communicator.sum(std::span<std::uint64_t>(sums));
  reason += "; " + std::to_string(percent(sums[1], sums[0])) + " % of accesses are near the one before";
  // Lines of one non-zero each say nothing of what is near.
  if (sums[0] == 0 || percent(sums[1], sums[0]) >= kLocalPercent) return {{}, false, std::move(reason)};

  IndexCounts degrees = degrees_of(sides, space.length());
  const std::uint64_t named = nonzeros * sides.size();
  const std::uint64_t reached = communicator.sum(hot(degrees, space.length()));
  reason += ", " + std::to_string(percent(reached, named)) + " % reach the one in " + std::to_string(kHotShare) +
            " elements of highest degree";
  if (percent(reached, named) < kHotPercent) return {{}, false, std::move(reason)};
  space.number_by_degree(std::move(degrees));
  return {{}, true, std::move(reason)};
}

}  // namespace kasen::partition
