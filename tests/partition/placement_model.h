/// @file
/// Placement as one machine that knows all edges would work it out: the reference for what the workers end up with.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/ids.h"
#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "kasen/base/state.h"
#include "partition/assignment.h"
#include "partition/placement.h"
#include "tests/support/graphs.h"

namespace kasen::partition {

/// Which rule puts non-zeros where; as Options::partition and threshold.
struct Cut {
  std::string name;
  Partition partition;
  std::uint64_t threshold;
};
std::vector<Cut> all_cuts();
Options options_of(const Cut& cut);

/// A space, for all workers.
struct SpaceModel {
  Assignment assignment;
  std::vector<std::vector<GlobalIndex>> local;                  ///< by worker, in local order
  std::map<Role, std::vector<std::set<GlobalIndex>>> replicas;  ///< by role and worker
  bool by_degree = false;                                       ///< numbered so; set before the first matrix

  explicit SpaceModel(Assignment owners);
  /// Replicas of any of the roles on a worker.
  std::set<GlobalIndex> replicas_of(const RoleSet& roles, Rank worker) const;
  RoleSet roles() const;
};

/// The worker of every edge, by the definition of the cut.
std::vector<Rank> parts_of(const tests::Edges& edges, const Cut& cut, const Assignment& rows,
                           const Assignment& columns);

/// Adds a matrix's roles and replicas. `columns` is `&rows` for a square matrix over one space.
void add_matrix(SpaceModel& rows, SpaceModel& columns, MatrixId matrix, const tests::Edges& edges,
                const std::vector<Rank>& parts);

/// What this worker read: a share of the edges of uneven size, the last worker nothing (if there are others), with the
/// position of the edge as value (uint32), or without values.
Entries entries_read(const tests::Edges& edges, const comm::Communicator& communicator, bool values);

/// Compares all that a worker knows of a space with the model: owners, local order, intervals, halos, statistics.
/// Collective.
void expect_space(const SpaceModel& model, const Placement& placement, SpaceId id,
                  const comm::Communicator& communicator);

/// Compares the non-zeros here, and their values if they have any, with the model's for this worker. Local.
void expect_matrix(const tests::Edges& edges, const std::vector<Rank>& parts, Placement& placement, MatrixId id,
                   Rank rank);

}  // namespace kasen::partition
