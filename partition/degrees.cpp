/// @file
/// Counting of degrees: all non-zeros of a column meet on one worker, then all low ones of a row.

#include "partition/degrees.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "kasen/base/release.h"
#include "partition/assignment.h"
#include "partition/distribute.h"
#include "partition/sorted_indices.h"

namespace kasen::partition {
namespace {

using Counts = std::map<std::uint64_t, std::uint64_t>;  ///< degree to elements

Degrees::Histogram summed(const comm::Communicator& communicator, const Counts& mine) {
  std::vector<Degrees::Bin> bins;
  for (const auto& [degree, elements] : mine) bins.push_back({degree, elements});
  Counts all;
  for (const Degrees::Bin& bin : communicator.all_gather(std::span<const Degrees::Bin>(bins)).values)
    all[bin.degree] += bin.elements;
  Degrees::Histogram histogram;
  for (const auto& [degree, elements] : all) histogram.push_back({degree, elements});
  return histogram;
}

std::vector<Rank> owners(GlobalIndexView indices, const Assignment& assignment) {
  std::vector<Rank> owner(indices.size());
  std::transform(indices.begin(), indices.end(), owner.begin(), [&](GlobalIndex i) { return assignment.owner(i); });
  return owner;
}

/// Adds up two lists of counts by index, both ascending.
std::vector<IndexCount> merged(const std::vector<IndexCount>& a, const std::vector<IndexCount>& b) {
  std::vector<IndexCount> sum;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(sum),
             [](const IndexCount& x, const IndexCount& y) { return x.index < y.index; });
  std::vector<IndexCount> result;
  for (const IndexCount& entry : sum) {
    if (!result.empty() && result.back().index == entry.index) {
      result.back().count += entry.count;
    } else {
      result.push_back(entry);
    }
  }
  return result;
}

Counts histogram(const std::vector<IndexCount>& degrees) {
  Counts counts;
  for (const IndexCount& entry : degrees) ++counts[entry.count];
  return counts;
}

}  // namespace

Degrees measure_degrees(const comm::Communicator& communicator, const Entries& entries, std::uint64_t rows,
                        std::uint64_t columns, bool one_space, std::uint64_t threshold) {
  // The same hash for both sides, so that an element that is row and column has one owner.
  const Assignment by_column = Assignment::hash(columns, communicator.size());
  const Assignment by_row = Assignment::hash(rows, communicator.size());
  Entries mine = distribute(communicator, {entries.row, entries.column, {}, 0}, owners(entries.column, by_column));
  std::vector<std::pair<GlobalIndex, GlobalIndex>> pairs(mine.row.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) pairs[k] = {mine.column[k], mine.row[k]};
  mine = {};
  std::sort(pairs.begin(), pairs.end());

  std::vector<IndexCount> high;
  Entries low;
  for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    while (end < pairs.size() && pairs[end].first == pairs[begin].first) ++end;
    const bool is_high = end - begin > threshold;
    std::uint64_t distinct_rows = 0;
    for (std::size_t k = begin; k < end; ++k) {
      if (k > begin && pairs[k] == pairs[k - 1]) continue;
      if (one_space && pairs[k].second == pairs[k].first) continue;  // beside its master, whatever the cut
      ++distinct_rows;
      if (!is_high) low.row.push_back(pairs[k].second);
    }
    if (is_high && distinct_rows > 0) high.push_back({pairs[begin].first, distinct_rows});
  }
  release(pairs);
  low.column = low.row;
  const std::vector<Rank> row_owner = owners(low.row, by_row);
  const GlobalIndices low_rows = distribute(communicator, std::move(low), row_owner).row;
  const std::vector<IndexCount> row_degrees = count_distinct(low_rows, rows);

  Degrees degrees;
  degrees.threshold = threshold;
  degrees.rows = summed(communicator, histogram(row_degrees));
  degrees.columns = summed(communicator, histogram(high));
  if (one_space) degrees.both = summed(communicator, histogram(merged(row_degrees, high)));
  return degrees;
}

}  // namespace kasen::partition
