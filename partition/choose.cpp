#include "partition/choose.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <optional>
#include <span>
#include <utility>

#include "comm/agreement.h"
#include "partition/candidates.h"
#include "partition/distribute.h"
#include "partition/has_clusters.h"
#include "partition/label_propagation.h"
#include "partition/make_partitioner.h"
#include "partition/range_cut.h"
#include "partition/sample.h"
#include "partition/tally.h"
#include "partition/team.h"

namespace kasen::partition {
namespace {

constexpr std::array<std::uint64_t, 5> kThresholds{10, 30, 100, 300, 1000};
using Thresholds = std::span<const std::uint64_t>;
/// The non-zeros of a sample, at least, and so many a part: then loads of parts are known within a few per cent.
constexpr std::uint64_t kSampled = 1 << 16, kSampledOfPart = 1 << 13;
/// Rows and columns beyond which clusters are not looked for, as every worker needs 16 bytes for each element.
constexpr std::uint64_t kMostLookedAt = std::uint64_t{1} << 26;
constexpr std::uint64_t kMostSparse = std::uint64_t{1} << 31;

std::uint64_t total(const comm::Communicator* communicator, std::uint64_t mine) {
  return communicator == nullptr ? mine : communicator->sum(mine);
}

/// The load of all parts together.
std::uint64_t load_of(const Shape& shape, std::uint64_t nonzeros) { return nonzeros + kElementLoad * shape.elements(); }

/// Collective. The rows and columns of all entries, on worker 0.
Entries gathered(const comm::Communicator& communicator, const Entries& entries) {
  return distribute(communicator, {entries.row, entries.column, {}, 0},
                    [](const Entries&, std::size_t, std::span<Rank> to) { std::fill(to.begin(), to.end(), 0); });
}

/// The part of an assignment that is sent beside its table.
struct AssignmentHead {
  Assignment::Kind kind;
  std::uint64_t length, salt, begins;
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
  AssignmentHead head{assignment.kind(), assignment.length(), assignment.salt(), assignment.begins().size()};
  communicator.broadcast(std::span<AssignmentHead>(&head, 1), 0);
  std::vector<std::byte> table(assignment.packed().begin(), assignment.packed().end());
  if (head.kind == Assignment::Kind::table) {
    table.resize(head.length * Assignment::table_width(parts));
    communicator.broadcast(std::span<std::byte>(table), 0);
  }
  std::vector<std::uint64_t> begins(assignment.begins().begin(), assignment.begins().end());
  begins.resize(head.begins);
  if (!begins.empty()) communicator.broadcast(std::span<std::uint64_t>(begins), 0);
  if (communicator.rank() == 0) return;
  assignment = !begins.empty()                        ? Assignment::block(std::move(begins))
               : head.kind == Assignment::Kind::block ? Assignment::block(head.length, parts)
               : head.kind == Assignment::Kind::hash  ? Assignment::hash(head.length, parts, head.salt)
                                                      : Assignment::table(head.length, parts, std::move(table));
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

/// Collective. Ranges, or the owners that there are, with non-zeros of which row and column are in different parts, if
/// those are so few that no other could save much: replicas are no more than those.
std::optional<ChosenPartitioning> choose_at_once(const comm::Communicator* communicator, const Entries& entries,
                                                 const Shape& shape, int parts, std::uint64_t nonzeros,
                                                 const Sample& sample) {
  if (!shape.one_space) return std::nullopt;
  constexpr EntryRule kRule{EntryRule::Kind::row, 0};
  const bool fixed = shape.row_owners != nullptr;
  const auto partitioner = fixed ? hash_partitioner("row", kRule) : range_partitioner("range", kRule);
  const Partitioning made = partitioner->partition(shape, parts, {});
  const auto count_apart = [&](auto counts) {
    std::uint64_t apart = 0;
    for (std::size_t k = 0; k < entries.row.size(); ++k) {
      const GlobalIndex row = entries.row[k], column = entries.column[k];
      apart += counts(row, column) && made.rows.owner(row) != made.rows.owner(column);
    }
    return total(communicator, apart);
  };
  const std::uint64_t most = load_of(shape, nonzeros) / kLoadPerNonzeroApart;
  // Far more of a sample: all need not be counted.
  if (!sample.all() && count_apart([&](GlobalIndex row, GlobalIndex column) { return sample.entry(row, column); }) >
                           2 * most / sample.one_in())
    return std::nullopt;
  const std::uint64_t apart = count_apart([](GlobalIndex, GlobalIndex) { return true; });
  if (apart > most) return std::nullopt;
  PartitionCandidate candidate;
  set_balance(candidate, count_nonzeros(communicator, entries, made),
              count_masters(communicator, made.rows, made.columns, true), shape);
  if (candidate.load_imbalance > kMostImbalance) return std::nullopt;
  candidate.name = partitioner->name();
  candidate.counted = false;
  candidate.chosen = true;
  candidate.reason = std::to_string(apart) + " of " + std::to_string(nonzeros) + " non-zeros leave their " +
                     (fixed ? "part" : "range") + ": no other was tried, as none could save much";
  return ChosenPartitioning{made, {candidate}, 0};
}

/// What is known of candidates while they are compared.
class Comparison {
 public:
  Comparison(const comm::Communicator* communicator, const Entries& entries, const Shape& shape, const Sample& sample)
      : _communicator(communicator), _entries(&entries), _shape(&shape), _sample(sample) {}

  /// Collective. @param partitioners of families, in their order
  void add(const std::vector<std::vector<std::unique_ptr<Partitioner>>>& partitioners,
           const std::vector<Family>& families) {
    const std::vector<std::vector<Tally>> tallies = tally(_communicator, *_entries, families, _sample.one_in());
    for (std::size_t f = 0; f < families.size(); ++f) {
      const Family& family = families[f];
      const std::vector<std::uint64_t> masters =
          count_masters(_communicator, family.rows, family.columns, _shape->one_space);
      for (std::size_t r = 0; r < family.rules.size(); ++r) {
        _candidates.push_back(candidate_of(partitioners[f][r]->name(), tallies[f][r], masters, *_shape));
        _candidates.back().sampled = !_sample.all();
        _partitionings.push_back({family.rows, family.columns, family.rules[r]});
      }
    }
    _balance_known.resize(_candidates.size(), _sample.all());
  }

  /// Collective. The best, whose balance is then exact, and whether it is balanced.
  std::pair<std::size_t, bool> best() {
    while (true) {
      const auto [best, balanced] = best_of(_candidates);
      if (_balance_known[best]) return {best, balanced};
      _balance_known[best] = true;
      const Partitioning& made = _partitionings[best];
      set_balance(_candidates[best], count_nonzeros(_communicator, *_entries, made),
                  count_masters(_communicator, made.rows, made.columns, _shape->one_space), *_shape);
    }
  }

  const PartitionCandidate& candidate(std::size_t k) const { return _candidates[k]; }

  /// Collective.
  ChosenPartitioning choose() {
    const auto [best, balanced] = this->best();
    explain(_candidates, best, balanced);
    return {_partitionings[best], std::move(_candidates), 0};
  }

 private:
  const comm::Communicator* _communicator;
  const Entries* _entries;
  const Shape* _shape;
  Sample _sample;
  std::vector<PartitionCandidate> _candidates;
  std::vector<Partitioning> _partitionings;
  std::vector<bool> _balance_known;
};

/// A sample for the comparison.
Sample sample_for(std::uint64_t nonzeros, int parts) {
  const std::uint64_t enough = std::max(kSampled, kSampledOfPart * static_cast<std::uint64_t>(parts));
  return Sample(std::bit_floor(std::clamp<std::uint64_t>(nonzeros / enough, 1, kMostSparse)));
}

/// Collective. Why label propagation is not to be tried, beside a best one with so many replicas; empty if it is.
std::string against_propagation(const comm::Communicator* communicator, const Entries& entries, const Shape& shape,
                                int parts, std::uint64_t nonzeros, std::uint64_t replicas) {
  if (parts > kMostPropagationParts || shape.rows >= kMostPropagated / 2 || shape.columns >= kMostPropagated / 2)
    return "not tried beyond " + std::to_string(kMostPropagationParts) + " workers or " +
           std::to_string(kMostPropagated / 2) + " rows or columns";
  if (replicas <= load_of(shape, nonzeros) / kLoadPerReplica) return "not tried: it could not save its time";
  // Small graphs take no time worth saving; where elements have few non-zeros each, there are clusters.
  const std::uint64_t elements = shape.rows + shape.columns;
  if (nonzeros > kMostOnOneWorker && nonzeros > elements && elements <= kMostLookedAt &&
      !has_clusters(Team(communicator), entries, shape))
    return "not tried: there are no clusters";
  return {};
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
  const Sample sample = sample_for(nonzeros, parts);
  if (at_once) {
    if (auto chosen = choose_at_once(communicator, entries, known.shape(), parts, nonzeros, sample)) {
      chosen->seconds = seconds();
      return std::move(*chosen);
    }
  }
  const auto groups = partitioners_to_try(shape, parts, thresholds);
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
  Comparison comparison(communicator, entries, shape, sample);
  comparison.add(groups, families);
  std::string untried;
  std::vector<std::vector<std::unique_ptr<Partitioner>>> last(1);
  last[0].push_back(label_propagation_partitioner());
  const bool free = shape.row_owners == nullptr && shape.column_owners == nullptr;
  if (free) {
    const auto [best, balanced] = comparison.best();
    const std::uint64_t replicas = balanced ? comparison.candidate(best).replicas() : nonzeros;
    untried = against_propagation(communicator, entries, shape, parts, nonzeros, replicas);
    if (untried.empty()) {
      const Partitioning found = run_partitioner(communicator, *last[0][0], entries, shape, parts);
      comparison.add(last, {{found.rows, found.columns, {found.rule}}});
    }
  }
  ChosenPartitioning choice = comparison.choose();
  if (!untried.empty()) {
    PartitionCandidate& candidate = choice.candidates.emplace_back();
    candidate.name = last[0][0]->name();
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
                      count_masters(communicator, family.rows, family.columns, shape.one_space), shape);
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
