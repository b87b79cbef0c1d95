/// @file
/// Measuring: every worker writes its numbers in the same order, and every worker adds up all of them.

#include "partition/measure.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "partition/imbalance.h"

namespace kasen::partition {
namespace {

/// Reads one worker's words in the order they were written.
class Reader {
 public:
  explicit Reader(const std::uint64_t* words) : _words(words) {}
  std::uint64_t next() { return *_words++; }

 private:
  const std::uint64_t* _words;
};

/// Runs of the distances from this worker to owners.
std::vector<WorkerPairs::Run> distances_to(const std::vector<Rank>& owners, const comm::Communicator& communicator) {
  std::vector<WorkerPairs::Run> runs;
  const auto take = [&](Rank owner, int around) {
    const auto distance = static_cast<std::uint64_t>(owner - communicator.rank() + around);
    if (!runs.empty() && runs.back().end() == distance) {
      ++runs.back().count;
    } else {
      runs.push_back({distance, 1});
    }
  };
  const auto behind = std::upper_bound(owners.begin(), owners.end(), communicator.rank());
  std::for_each(behind, owners.end(), [&](Rank owner) { take(owner, 0); });
  std::for_each(owners.begin(), behind, [&](Rank owner) { take(owner, communicator.size()); });
  return runs;
}

}  // namespace

std::vector<RoleSet> measured_sets(const RoleSet& roles) {
  std::vector<RoleSet> sets;
  if (roles.size() > PlacementStats::kMostRolesToldApart) {
    for (const Role& role : roles) sets.push_back({role});
    sets.push_back(roles);
    return sets;
  }
  for (std::size_t mask = 1; mask < std::size_t{1} << roles.size(); ++mask) {
    RoleSet& set = sets.emplace_back();
    for (std::size_t r = 0; r < roles.size(); ++r)
      if (mask >> r & 1) set.push_back(roles[r]);
  }
  return sets;
}

void measure(const comm::Communicator& communicator, const std::vector<MeasuredSpace>& spaces,
             std::optional<MeasuredMatrix> matrix) {
  const auto workers = static_cast<std::uint64_t>(communicator.size());

  std::vector<std::uint64_t> words;
  if (matrix) words.push_back(matrix->nonzeros);
  for (const MeasuredSpace& measured : spaces) {
    words.push_back(measured.space->masters());
    for (const RoleSet& set : measured_sets(measured.space->roles())) {
      const Replicas::Measure mine = measured.space->measure(set);
      words.push_back(mine.count);
      words.push_back(mine.contiguous);
      const std::vector<WorkerPairs::Run> distances = distances_to(mine.owners, communicator);
      words.push_back(distances.size());
      for (const WorkerPairs::Run& run : distances) words.insert(words.end(), {run.first, run.count});
    }
  }
  const comm::Received<std::uint64_t> all = communicator.all_gather(std::span<const std::uint64_t>(words));
  std::vector<Reader> readers;
  for (std::uint64_t worker = 0; worker < workers; ++worker)
    readers.emplace_back(all.values.data() + all.offsets[worker]);

  // The sum over workers of what each of them reads next, and sets the largest over the mean.
  const auto next_of_all = [&](double& imbalance) {
    std::uint64_t sum = 0, largest = 0;
    for (Reader& reader : readers) {
      const std::uint64_t count = reader.next();
      sum += count;
      largest = std::max(largest, count);
    }
    imbalance = imbalance_of(largest, workers, sum);
    return sum;
  };
  if (matrix) matrix->stats->nonzeros = next_of_all(matrix->stats->imbalance);

  for (const MeasuredSpace& measured : spaces) {
    next_of_all(measured.stats->imbalance);
    measured.stats->blocks = measured.space->blocks();
    measured.stats->roles.clear();
    std::map<RoleSet, bool> listed;
    for (const RoleSet& set : measured_sets(measured.space->roles())) {
      PlacementStats::Roles& entry = measured.stats->roles.emplace_back();
      entry.roles = set;
      std::vector<std::vector<WorkerPairs::Run>> distances(workers);
      for (std::uint64_t holder = 0; holder < workers; ++holder) {
        Reader& reader = readers[holder];
        entry.replicas += reader.next();
        entry.contiguous = reader.next() != 0 && entry.contiguous;
        for (std::uint64_t left = reader.next(); left > 0; --left) {
          const std::uint64_t first = reader.next();
          distances[holder].push_back({first, reader.next()});
        }
      }
      entry.pairs = WorkerPairs::of_distances(distances);
      listed.emplace(set, entry.contiguous);
    }
    measured.space->list(std::move(listed));
    measured.stats->replicas = measured.stats->roles.empty() ? 0 : measured.stats->roles.back().replicas;
  }
}

}  // namespace kasen::partition
