/// @file
/// Columns are counted where they are owned; only the high ones, few in practice, are sent back.

#include "partition/hybrid_cut.h"

#include <algorithm>
#include <numeric>

namespace kasen::partition {
namespace {

/// Columns are counted in rounds of about so many, which bounds what is on its way; and in no more rounds than this.
constexpr std::uint64_t kColumnsOfRound = std::uint64_t{1} << 17, kMostRounds = 64;

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

/// Collective. Those of the columns from `begin` to below `end`.
std::vector<GlobalIndex> high_columns(const comm::Communicator& communicator, const IndexCounts& counts,
                                      std::uint64_t begin, std::uint64_t end, const Assignment& owners,
                                      std::uint64_t threshold) {
  const auto workers = static_cast<std::size_t>(communicator.size());
  std::vector<std::uint64_t> offsets(workers + 1);
  counts.for_each(begin, end, [&](GlobalIndex index, std::uint64_t) {
    ++offsets[static_cast<std::size_t>(owners.owner(index)) + 1];
  });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<IndexCount> by_owner(offsets.back());
  std::vector<std::uint64_t> next = offsets;
  counts.for_each(begin, end, [&](GlobalIndex index, std::uint64_t count) {
    by_owner[next[static_cast<std::size_t>(owners.owner(index))]++] = {index, count};
  });
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

}  // namespace

std::vector<GlobalIndex> high_columns(const comm::Communicator& communicator, GlobalIndexView columns,
                                      const Assignment& owners, std::uint64_t threshold) {
  if (threshold == kNoThreshold) return {};
  if (threshold == 0) return distinct(columns, owners.length());

  const IndexCounts counts({&columns, 1}, owners.length());
  const std::uint64_t rounds = std::clamp<std::uint64_t>(owners.length() / kColumnsOfRound, 1, kMostRounds);
  const std::uint64_t width = owners.length() / rounds + 1;
  std::vector<GlobalIndex> high;
  for (std::uint64_t begin = 0; begin < owners.length(); begin += width) {
    const std::vector<GlobalIndex> found = high_columns(communicator, counts, begin, begin + width, owners, threshold);
    high.insert(high.end(), found.begin(), found.end());
  }
  return high;
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
