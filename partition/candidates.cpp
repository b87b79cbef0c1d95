#include "partition/candidates.h"

#include <algorithm>
#include <span>

#include "partition/hybrid_cut.h"
#include "partition/imbalance.h"
#include "partition/sorted_indices.h"

namespace kasen::partition {
namespace {

/// Collective; local if `communicator` is null. The columns that the rule takes apart from others.
IndexSet high_ones(const comm::Communicator* communicator, const Entries& entries, const Partitioning& partitioning) {
  const std::uint64_t columns = partitioning.columns.length(), threshold = partitioning.rule.threshold;
  std::vector<GlobalIndex> high;
  if (partitioning.rule.kind == EntryRule::Kind::hybrid && communicator != nullptr) {
    // Parts need not be the workers: these are spread over the workers to be counted.
    high = high_columns(*communicator, entries.column, Assignment::hash(columns, communicator->size()), threshold);
  } else if (partitioning.rule.kind == EntryRule::Kind::hybrid) {
    for (const IndexCount& column : count_distinct(entries.column, columns))
      if (column.count > threshold) high.push_back(column.index);
  }
  return {std::move(high), columns, 8 * entries.column.size()};
}

}  // namespace

std::vector<std::uint64_t> count_masters(const comm::Communicator* communicator, const Assignment& rows,
                                         const Assignment& columns, bool one_space) {
  const int parts = rows.parts(), workers = communicator == nullptr ? 1 : communicator->size();
  const Rank me = communicator == nullptr ? 0 : communicator->rank();
  std::vector<std::uint64_t> masters(static_cast<std::size_t>(parts));
  const auto add = [&](const Assignment& owners) {
    const Assignment shares = Assignment::block(owners.length(), workers);
    for (GlobalIndex i = shares.block_begin(me); i < shares.block_begin(me + 1); ++i)
      ++masters[static_cast<std::size_t>(owners.owner(i))];
  };
  add(rows);
  if (!one_space) add(columns);
  if (communicator != nullptr) communicator->sum(std::span<std::uint64_t>(masters));
  return masters;
}

std::vector<std::uint64_t> count_nonzeros(const comm::Communicator* communicator, const Entries& entries,
                                          const Partitioning& partitioning) {
  const IndexSet high = high_ones(communicator, entries, partitioning);
  std::vector<std::uint64_t> nonzeros(static_cast<std::size_t>(partitioning.rows.parts()));
  for (std::size_t k = 0; k < entries.row.size(); ++k) {
    const Rank part =
        partitioning.part(entries.row[k], entries.column[k], !high.empty() && high.contains(entries.column[k]));
    ++nonzeros[static_cast<std::size_t>(part)];
  }
  if (communicator != nullptr) communicator->sum(std::span<std::uint64_t>(nonzeros));
  return nonzeros;
}

void set_balance(PartitionCandidate& candidate, const std::vector<std::uint64_t>& nonzeros,
                 const std::vector<std::uint64_t>& masters, const Shape& shape) {
  candidate.nonzero_imbalance = imbalance_of(nonzeros);
  candidate.master_imbalance = imbalance_of(masters);
  std::vector<std::uint64_t> load = nonzeros;
  const bool elements_count = shape.row_owners == nullptr || shape.column_owners == nullptr;
  for (std::size_t p = 0; p < load.size() && elements_count; ++p) load[p] += kElementLoad * masters[p];
  candidate.load_imbalance = imbalance_of(load);
}

PartitionCandidate candidate_of(std::string name, const Tally& counted, const std::vector<std::uint64_t>& masters,
                                const Shape& shape) {
  PartitionCandidate candidate;
  candidate.name = std::move(name);
  candidate.row_replicas = counted.row_replicas;
  candidate.column_replicas = counted.column_replicas;
  set_balance(candidate, counted.nonzeros, masters, shape);
  return candidate;
}

std::pair<std::size_t, bool> best_of(const std::vector<PartitionCandidate>& candidates) {
  const auto imbalance = [](const PartitionCandidate& c) { return c.load_imbalance; };
  std::size_t best = 0;
  bool any = false;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const bool balanced = imbalance(candidates[k]) <= kMostImbalance;
    const bool better = balanced && any ? candidates[k].replicas() < candidates[best].replicas()
                        : balanced      ? true
                        : any           ? false
                                        : std::pair(imbalance(candidates[k]), candidates[k].replicas()) <
                                    std::pair(imbalance(candidates[best]), candidates[best].replicas());
    if (better) best = k;
    any = any || balanced;
  }
  return {best, any};
}

void explain(std::vector<PartitionCandidate>& candidates, std::size_t best, bool any_balanced) {
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    PartitionCandidate& candidate = candidates[k];
    candidate.chosen = k == best;
    if (k == best)
      candidate.reason = any_balanced ? "fewest replicas" : "least imbalance, none is within 1.1";
    else if (any_balanced && candidate.load_imbalance > kMostImbalance)
      candidate.reason = "the load is imbalanced";
    else if (!any_balanced)
      candidate.reason = "more imbalanced";
    else
      candidate.reason = candidate.replicas() == candidates[best].replicas() ? "no fewer replicas" : "more replicas";
  }
}

}  // namespace kasen::partition
