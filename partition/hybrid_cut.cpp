/// @file
/// Columns are counted where they are owned; only the high ones, few in practice, are sent back.

#include "partition/hybrid_cut.h"

#include <algorithm>
#include <numeric>

namespace kasen::partition {
namespace {

/// What every owner got, summed: its columns with more than `threshold` entries, ascending.
std::vector<GlobalIndex> exceeding(std::vector<IndexCount> counts, std::uint64_t threshold) {
  std::sort(counts.begin(), counts.end(), [](const IndexCount& a, const IndexCount& b) { return a.index < b.index; });
  std::vector<GlobalIndex> high;
  for (auto first = counts.begin(); first != counts.end();) {
    std::uint64_t sum = 0;
    auto last = first;
    for (; last != counts.end() && last->index == first->index; ++last) sum += last->count;
    if (sum > threshold) high.push_back(first->index);
    first = last;
  }
  return high;
}

}  // namespace

std::vector<GlobalIndex> high_columns(const comm::Communicator& communicator, GlobalIndexView columns,
                                      const Assignment& owners, std::uint64_t threshold) {
  if (threshold == kNoThreshold) return {};
  if (threshold == 0) return distinct(columns, owners.length());

  const auto workers = static_cast<std::size_t>(communicator.size());
  const std::vector<IndexCount> counts = count_distinct(columns, owners.length());
  std::vector<std::uint64_t> offsets(workers + 1);
  std::vector<Rank> owner(counts.size());
  for (std::size_t k = 0; k < counts.size(); ++k) {
    owner[k] = owners.owner(counts[k].index);
    ++offsets[static_cast<std::size_t>(owner[k]) + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<IndexCount> by_owner(counts.size());
  std::vector<std::uint64_t> next = offsets;
  for (std::size_t k = 0; k < counts.size(); ++k) by_owner[next[static_cast<std::size_t>(owner[k])]++] = counts[k];
  const comm::Received<IndexCount> asked =
      communicator.all_to_all(std::span<const IndexCount>(by_owner), std::span<const std::uint64_t>(offsets));

  const IndexSet high(exceeding(asked.values, threshold), owners.length(), 16 * asked.values.size());
  std::vector<GlobalIndex> answer;
  std::vector<std::uint64_t> answer_offsets(workers + 1);
  for (std::size_t worker = 0; worker < workers; ++worker) {
    for (std::uint64_t k = asked.offsets[worker]; k < asked.offsets[worker + 1]; ++k)
      if (high.contains(asked.values[k].index)) answer.push_back(asked.values[k].index);
    answer_offsets[worker + 1] = answer.size();
  }
  std::vector<GlobalIndex> result =
      communicator.all_to_all(std::span<const GlobalIndex>(answer), std::span<const std::uint64_t>(answer_offsets))
          .values;
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<Rank> hybrid_cut(GlobalIndexView rows, GlobalIndexView columns, const IndexSet& high,
                             const Assignment& row_owners, const Assignment& column_owners) {
  std::vector<Rank> part(columns.size());
  if (high.empty()) {
    for (std::size_t k = 0; k < part.size(); ++k) part[k] = column_owners.owner(columns[k]);
    return part;
  }
  for (std::size_t k = 0; k < part.size(); ++k)
    part[k] = high.contains(columns[k]) ? row_owners.owner(rows[k]) : column_owners.owner(columns[k]);
  return part;
}

std::vector<Rank> cut_by_row(GlobalIndexView rows, const Assignment& row_owners) {
  std::vector<Rank> part(rows.size());
  for (std::size_t k = 0; k < part.size(); ++k) part[k] = row_owners.owner(rows[k]);
  return part;
}

}  // namespace kasen::partition
