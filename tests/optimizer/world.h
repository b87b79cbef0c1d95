/// @file
/// A small made-up placement for any number of workers: who owns which element, which worker has which non-zero, and
/// what the optimizer is told of it. Non-zeros lie anywhere, so every role has replicas.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "kasen/base/placement_stats.h"

namespace kasen::optimizer::tests {

struct World {
  struct Matrix {
    SpaceId rows{}, columns{};
    std::vector<std::pair<std::uint64_t, std::uint64_t>> entries;
    std::vector<std::uint32_t> worker;  ///< of each entry
    std::uint32_t value_bytes = 0;
    bool dense = false;
  };
  std::uint32_t workers = 1;
  std::vector<std::uint64_t> lengths;              ///< by SpaceId
  std::vector<std::vector<std::uint32_t>> owners;  ///< by SpaceId and element
  std::vector<Matrix> matrices;
  std::vector<SpaceId> everywhere;  ///< those that keys lead into
  std::uint64_t block_edge = 0;     ///< of matrices in blocks, in global indices; 0: blocks are not counted

  /// Outputs in a run, of matrices stored as stencils; 0: none are found. A run's stencil is as long as its first
  /// output.
  std::uint64_t stencil_run = 0;

  World(std::uint32_t worker_count, std::vector<std::uint64_t> space_lengths);
  /// Adds a matrix with `count` non-zeros at arbitrary places. @return its number.
  std::uint32_t add_matrix(std::uint32_t rows, std::uint32_t columns, std::uint64_t count,
                           std::uint32_t value_bytes = 0);

  /// Adds the mirror image of every non-zero that is not on the diagonal, on some worker.
  void mirror(std::uint32_t matrix);

  /// Moves every non-zero to the worker that owns its row, or its column: that side is whole, its role has no replicas.
  void keep_whole(std::uint32_t matrix, Role::Side side);

  /// Makes every element a non-zero of 8 bytes, on the worker that owns its row.
  void make_dense(std::uint32_t matrix);

  /// Worker w holds a replica of the element for one of the roles.
  bool is_replica(std::uint32_t worker, SpaceId space, std::uint64_t element, const RoleSet& roles) const;
  RoleSet roles_of(SpaceId space) const;

  /// A worker's non-zeros of one output in one block of inputs, as (row, column).
  using Run = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  std::vector<Run> runs(std::uint32_t matrix, Role::Side outputs, std::uint32_t worker) const;
  /// Whether a run of stencils begins at this output of a worker, which has non-zeros.
  bool begins_run(std::uint32_t matrix, Role::Side outputs, std::uint32_t worker, std::uint64_t output) const;
  PlacementStats stats() const;

 private:
  std::uint64_t next_random();
  std::uint64_t _random = 1;
};

/// Space 0 (40 elements) with the square matrix 0, space 1 (25 elements) with matrix 1 of 40 rows and 25 columns.
World small_world(std::uint32_t workers);
/// The same, with keys that lead into both spaces.
World world_of_keys(std::uint32_t workers);

inline constexpr SpaceId kSpace0{0}, kSpace1{1};
inline Role row_role(std::uint32_t matrix) { return {static_cast<MatrixId>(matrix), Role::Side::row}; }
inline Role column_role(std::uint32_t matrix) { return {static_cast<MatrixId>(matrix), Role::Side::column}; }

}  // namespace kasen::optimizer::tests
