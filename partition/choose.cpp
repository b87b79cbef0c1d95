#include "partition/choose.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "comm/agreement.h"
#include "partition/label_propagation.h"
#include "partition/make_partitioner.h"
#include "partition/range_cut.h"
#include "partition/tally.h"

namespace kasen::partition {
namespace {

constexpr std::array<std::uint64_t, 5> kThresholds{10, 30, 100, 300, 1000};
using Thresholds = std::span<const std::uint64_t>;

std::uint64_t total(const comm::Communicator* communicator, std::uint64_t mine) {
  return communicator == nullptr ? mine : communicator->sum(mine);
}

/// Collective. The rows and columns of all entries, on worker 0.
Entries gathered(const comm::Communicator& communicator, const Entries& entries) {
  std::vector<std::uint64_t> offsets(static_cast<std::size_t>(communicator.size()) + 1, entries.row.size());
  offsets[0] = 0;
  const auto send = [&](const std::vector<GlobalIndex>& indices) {
    return communicator.all_to_all(std::span<const GlobalIndex>(indices), std::span<const std::uint64_t>(offsets))
        .values;
  };
  Entries all;
  all.row = send(entries.row);
  all.column = send(entries.column);
  return all;
}

/// The part of an assignment that is sent beside its table.
struct AssignmentHead {
  Assignment::Kind kind;
  std::uint64_t length, salt;
};

/// Collective if the partitioner needs lengths: the shape with them.
class KnownShape {
 public:
  KnownShape(const comm::Communicator* communicator, const Entries& entries, const Shape& shape, bool with_lengths)
      : _shape(shape) {
    if (!with_lengths) return;
    _rows = lengths_of(communicator, entries.row, shape.rows);
    _columns = lengths_of(communicator, entries.column, shape.columns);
    _shape.row_lengths = &_rows;
    _shape.column_lengths = &_columns;
  }
  KnownShape(const KnownShape&) = delete;
  KnownShape& operator=(const KnownShape&) = delete;
  const Shape& shape() const { return _shape; }

 private:
  Shape _shape;
  Lengths _rows, _columns;
};

/// Collective. Replaces `assignment` on all workers but 0.
void broadcast(const comm::Communicator& communicator, Assignment& assignment, int parts) {
  AssignmentHead head{assignment.kind(), assignment.length(), assignment.salt()};
  communicator.broadcast(std::span<AssignmentHead>(&head, 1), 0);
  std::vector<std::byte> table(assignment.packed().begin(), assignment.packed().end());
  if (head.kind == Assignment::Kind::table) {
    table.resize(head.length * Assignment::table_width(parts));
    communicator.broadcast(std::span<std::byte>(table), 0);
  }
  if (communicator.rank() == 0) return;
  assignment = head.kind == Assignment::Kind::block  ? Assignment::block(head.length, parts)
               : head.kind == Assignment::Kind::hash ? Assignment::hash(head.length, parts, head.salt)
                                                     : Assignment::table(head.length, parts, std::move(table));
}

/// Collective. The elements of each part, of both sides together.
std::vector<std::uint64_t> count_masters(const comm::Communicator* communicator, const Family& family, bool one_space) {
  const int parts = family.rows.parts(), workers = communicator == nullptr ? 1 : communicator->size();
  const Rank me = communicator == nullptr ? 0 : communicator->rank();
  std::vector<std::uint64_t> masters(static_cast<std::size_t>(parts));
  const auto add = [&](const Assignment& owners) {
    const Assignment shares = Assignment::block(owners.length(), workers);
    for (GlobalIndex i = shares.block_begin(me); i < shares.block_begin(me + 1); ++i)
      ++masters[static_cast<std::size_t>(owners.owner(i))];
  };
  add(family.rows);
  if (!one_space) add(family.columns);
  if (communicator != nullptr) communicator->sum(std::span<std::uint64_t>(masters));
  return masters;
}

/// The largest of all parts' numbers over the mean.
double imbalance_of(const std::vector<std::uint64_t>& of_parts) {
  const std::uint64_t sum = std::accumulate(of_parts.begin(), of_parts.end(), std::uint64_t{0});
  const std::uint64_t largest = *std::max_element(of_parts.begin(), of_parts.end());
  return sum == 0 ? 1 : static_cast<double>(largest) * static_cast<double>(of_parts.size()) / static_cast<double>(sum);
}

/// The candidate of a rule, of whose owners the parts have so many elements.
PartitionCandidate candidate_of(std::string name, const Tally& counted, const std::vector<std::uint64_t>& masters,
                                const Shape& shape) {
  PartitionCandidate candidate;
  candidate.name = std::move(name);
  candidate.row_replicas = counted.row_replicas;
  candidate.column_replicas = counted.column_replicas;
  candidate.nonzero_imbalance = imbalance_of(counted.nonzeros);
  candidate.master_imbalance = imbalance_of(masters);
  std::vector<std::uint64_t> load = counted.nonzeros;
  const bool elements_count = shape.row_owners == nullptr || shape.column_owners == nullptr;
  for (std::size_t p = 0; p < load.size() && elements_count; ++p) load[p] += kElementLoad * masters[p];
  candidate.load_imbalance = imbalance_of(load);
  return candidate;
}

/// Partitioners whose owners are the same are counted together.
std::vector<std::vector<std::unique_ptr<Partitioner>>> partitioners_to_try(const Shape& shape, int parts,
                                                                           Thresholds thresholds) {
  const bool fixed_rows = shape.row_owners != nullptr, fixed_columns = shape.column_owners != nullptr;
  std::vector<std::vector<std::unique_ptr<Partitioner>>> groups;
  if (!fixed_rows || !fixed_columns) {
    groups.emplace_back().push_back(block_partitioner());
    groups.emplace_back().push_back(range_partitioner("range", {EntryRule::Kind::row, 0}));
    groups.emplace_back().push_back(range_partitioner("range-column", {EntryRule::Kind::column, 0}));
    if (grid_columns(parts) > 1) {
      groups.emplace_back().push_back(range_partitioner("range-2d", {EntryRule::Kind::grid, 0}));
    }
  }
  std::vector<std::unique_ptr<Partitioner>>& hashed = groups.emplace_back();
  hashed.push_back(hash_partitioner("row", {EntryRule::Kind::row, 0}));
  hashed.push_back(hash_partitioner("column", {EntryRule::Kind::column, 0}));
  for (const std::uint64_t threshold : thresholds) hashed.push_back(hybrid_cut_partitioner(threshold));
  if (grid_columns(parts) > 1) hashed.push_back(hash_partitioner("2d", {EntryRule::Kind::grid, 0}));
  return groups;
}

/// Position of the best candidate. @return also whether any is balanced.
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

/// Collective. The candidate that is taken at once if so few non-zeros have their row and their column in different
/// parts that no other could save much: replicas are no more than those.
std::optional<ChosenPartitioning> choose_at_once(const comm::Communicator* communicator, const Entries& entries,
                                                 const Shape& shape, int parts, std::uint64_t nonzeros) {
  if (!shape.one_space || shape.row_owners != nullptr) return std::nullopt;
  const auto partitioner = range_partitioner("range", {EntryRule::Kind::row, 0});
  const Partitioning made = partitioner->partition(shape, parts, {});
  std::vector<std::uint64_t> load(static_cast<std::size_t>(parts));
  std::uint64_t apart = 0;
  for (std::size_t k = 0; k < entries.row.size(); ++k) {
    const Rank part = made.rows.owner(entries.row[k]);
    ++load[static_cast<std::size_t>(part)];
    apart += part != made.rows.owner(entries.column[k]);
  }
  if (communicator != nullptr) communicator->sum(std::span<std::uint64_t>(load));
  PartitionCandidate candidate;
  candidate.name = partitioner->name();
  candidate.counted = false;
  candidate.chosen = true;
  candidate.nonzero_imbalance = imbalance_of(load);
  for (Rank p = 0; p < parts; ++p) {
    const GlobalIndex masters = made.rows.block_begin(p + 1) - made.rows.block_begin(p);
    load[static_cast<std::size_t>(p)] += kElementLoad * static_cast<std::uint64_t>(masters);
  }
  candidate.load_imbalance = imbalance_of(load);
  apart = total(communicator, apart);
  if (apart > (nonzeros + kElementLoad * shape.rows) / kLoadPerNonzeroApart ||
      candidate.load_imbalance > kMostImbalance)
    return std::nullopt;
  candidate.reason = std::to_string(apart) + " of " + std::to_string(nonzeros) +
                     " non-zeros leave their range: no other was tried, as none could save much";
  return ChosenPartitioning{made, {candidate}, 0};
}

}  // namespace

Partitioning run_partitioner(const comm::Communicator* communicator, const Partitioner& partitioner,
                             const Entries& entries, const Shape& shape, int parts) {
  const bool alone = communicator == nullptr || communicator->size() == 1;
  if (partitioner.on_all_workers() && (alone || total(communicator, entries.row.size()) > kMostOnOneWorker))
    return partitioner.partition_together(communicator, shape, parts, entries);
  if (alone || !(partitioner.needs_pattern() || partitioner.on_all_workers())) {
    const bool lengths_missing = partitioner.needs_lengths() && shape.row_lengths == nullptr;
    const KnownShape known(communicator, entries, shape, lengths_missing);
    return partitioner.partition(known.shape(), parts, entries);
  }
  Partitioning result;
  const Entries all = gathered(*communicator, entries);
  comm::agree(*communicator, [&] {
    if (communicator->rank() == 0) result = partitioner.partition(shape, parts, all);
  });
  communicator->broadcast(std::span<EntryRule>(&result.rule, 1), 0);
  const auto share = [&](Assignment& owners, const Assignment* fixed) {
    if (fixed != nullptr) {
      owners = *fixed;
    } else {
      broadcast(*communicator, owners, parts);
    }
  };
  share(result.rows, shape.row_owners);
  if (shape.one_space)
    result.columns = result.rows;
  else
    share(result.columns, shape.column_owners);
  return result;
}

/// Small graphs take no time worth saving.
static std::optional<Partitioning> propagated(const comm::Communicator* communicator, const Entries& entries,
                                              const Shape& shape, int parts, std::uint64_t nonzeros) {
  if (nonzeros > kMostOnOneWorker) return partition_if_clustered(communicator, entries, shape, parts);
  return run_partitioner(communicator, *label_propagation_partitioner(), entries, shape, parts);
}

/// Collective as choose_partitioning(): hybrid-cut is tried with these thresholds. @param at_once whether ranges may be
/// taken without comparing
static ChosenPartitioning choose_among(const comm::Communicator* communicator, const Entries& entries,
                                       const Shape& shape, int parts, Thresholds thresholds, bool at_once) {
  const std::uint64_t nonzeros = total(communicator, entries.row.size());
  const bool full = shape.rows != 0 && nonzeros / shape.rows >= shape.columns;
  if (parts == 1 || full) return {block_partitioner()->partition(shape, parts, {}), {}, 0};

  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const KnownShape known(communicator, entries, shape, true);
  if (auto chosen = at_once ? choose_at_once(communicator, entries, known.shape(), parts, nonzeros) : std::nullopt) {
    chosen->seconds = seconds();
    return std::move(*chosen);
  }
  auto groups = partitioners_to_try(shape, parts, thresholds);
  std::vector<Family> families;
  for (const auto& group : groups) {
    Family& family = families.emplace_back();
    for (const auto& partitioner : group) {
      const Partitioning partitioning = run_partitioner(communicator, *partitioner, entries, known.shape(), parts);
      family.rows = partitioning.rows;
      family.columns = partitioning.columns;
      family.rules.push_back(partitioning.rule);
    }
  }
  std::string untried;
  if (shape.row_owners == nullptr && shape.column_owners == nullptr) {
    groups.emplace_back().push_back(label_propagation_partitioner());
    if (parts > kMostPropagationParts || shape.rows >= kMostPropagated / 2 || shape.columns >= kMostPropagated / 2)
      untried = "not tried beyond " + std::to_string(kMostPropagationParts) + " workers or " +
                std::to_string(kMostPropagated / 2) + " rows or columns";
    else if (const auto found = propagated(communicator, entries, shape, parts, nonzeros))
      families.push_back({found->rows, found->columns, {found->rule}});
    else
      untried = "not tried: there are no clusters";
  }
  const std::vector<std::vector<Tally>> tallies = tally(communicator, entries, families);

  ChosenPartitioning choice;
  std::vector<Partitioning> partitionings;
  for (std::size_t f = 0; f < families.size(); ++f) {
    const std::vector<std::uint64_t> masters = count_masters(communicator, families[f], shape.one_space);
    for (std::size_t r = 0; r < families[f].rules.size(); ++r) {
      choice.candidates.push_back(candidate_of(groups[f][r]->name(), tallies[f][r], masters, shape));
      partitionings.push_back({families[f].rows, families[f].columns, families[f].rules[r]});
    }
  }
  const auto [best, any_balanced] = best_of(choice.candidates);
  explain(choice.candidates, best, any_balanced);
  choice.partitioning = partitionings[best];
  if (!untried.empty()) {
    PartitionCandidate& candidate = choice.candidates.emplace_back();
    candidate.name = groups.back().front()->name();
    candidate.counted = false;
    candidate.reason = untried;
  }
  choice.seconds = seconds();
  return choice;
}

PartitionCandidate measured(const comm::Communicator* communicator, const Entries& entries, const Shape& shape,
                            std::string name, const Partitioning& partitioning) {
  const Family family{partitioning.rows, partitioning.columns, {partitioning.rule}};
  return candidate_of(std::move(name), tally(communicator, entries, {family})[0][0],
                      count_masters(communicator, family, shape.one_space), shape);
}

ChosenPartitioning choose_partitioning(const comm::Communicator* communicator, const Entries& entries,
                                       const Shape& shape, int parts) {
  return choose_among(communicator, entries, shape, parts, kThresholds, true);
}

ChosenPartitioning partition_as_asked(const comm::Communicator* communicator, const Options& options,
                                      const Entries& entries, const Shape& shape, int parts) {
  const std::unique_ptr<Partitioner> partitioner = make_partitioner(options);
  if (partitioner == nullptr) {
    const bool given = options.threshold != Options().threshold;
    return choose_among(communicator, entries, shape, parts,
                        given ? Thresholds(&options.threshold, 1) : Thresholds(kThresholds), !given);
  }
  return {run_partitioner(communicator, *partitioner, entries, shape, parts), {}, 0};
}

}  // namespace kasen::partition
