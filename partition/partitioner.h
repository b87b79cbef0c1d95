/// @file
/// Interface Partitioner of all ways to partition a matrix: who owns which row and column, and to which part a non-zero
/// goes. It takes a number of parts, not a communicator: any number of workers can be planned for on one machine.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/entries.h"
#include "kasen/base/ids.h"
#include "partition/assignment.h"
#include "partition/sorted_indices.h"

namespace kasen::partition {

/// The rule by which non-zeros go to parts, once rows and columns have owners. By all of them what owns both ends of a
/// non-zero has it.
struct EntryRule {
  enum class Kind : std::uint8_t {
    row,     ///< beside its row: no replicas of rows
    column,  ///< beside its column: no replicas of columns
    hybrid,  ///< beside its row if its column has more than `threshold` non-zeros, else beside its column
    grid,    ///< in the row of the grid of parts that its row is in, and in the column that its column is in
  };
  Kind kind = Kind::row;
  std::uint64_t threshold = 0;

  /// The rule of hybrid-cut; it is `row` or `column` where the threshold leaves no choice.
  static EntryRule hybrid(std::uint64_t threshold);
  bool operator==(const EntryRule&) const = default;
};

/// The number of columns of the grid of parts, as square as it can be: the largest divisor up to the root. Part p is in
/// column p mod columns and row p / columns. A prime number of parts has one column: the grid is then the cut by row.
int grid_columns(int parts);
/// The part of a non-zero whose row and column these parts own. @param across grid_columns(parts)
constexpr Rank part_in_grid(Rank of_row, Rank of_column, int across) {
  return of_row / across * across + of_column % across;
}

/// The numbers of non-zeros of rows or of columns, in runs of `width` neighbours; the last run may be shorter.
struct Lengths {
  std::uint64_t width = 1;
  std::vector<std::uint64_t> nonzeros;
};

/// The load of an element, in non-zeros: an iteration of PageRank reaches one number at random per non-zero, and passes
/// some five times over the elements in order.
inline constexpr std::uint64_t kElementLoad = 2;

/// The matrix that is to be partitioned.
struct Shape {
  std::uint64_t rows = 0, columns = 0;
  bool one_space = false;                     ///< whether rows and columns are the same elements
  std::uint64_t column_salt = 0;              ///< columns that are other elements than rows are hashed apart from them
  const Assignment* row_owners = nullptr;     ///< of a space that is assigned already; else null
  const Assignment* column_owners = nullptr;  ///< the same
  const Lengths* row_lengths = nullptr;       ///< for partitioners that need them; else null
  const Lengths* column_lengths = nullptr;    ///< the same

  /// Of rows and columns together, as vertices of a graph: the rows, then the columns if they are others.
  std::uint64_t elements() const { return first_column() + columns; }
  /// The place of column 0 among them.
  std::uint64_t first_column() const { return one_space ? 0 : rows; }
};

/// The decision of a partitioner.
struct Partitioning {
  Assignment rows, columns;
  EntryRule rule;

  /// The part of a non-zero; `high`: whether its column has more than `rule.threshold` non-zeros, for hybrid only.
  Rank part(GlobalIndex row, GlobalIndex column, bool high) const;
};

/// Local. The part of each non-zero. `high`: the high columns for hybrid, else empty.
std::vector<Rank> parts_of(GlobalIndexView rows, GlobalIndexView columns, const IndexSet& high,
                           const Partitioning& partitioning);

class Partitioner {
 public:
  virtual ~Partitioner() = default;
  /// The name that --partition takes, with the threshold if there is one: "hybrid-cut 30".
  virtual std::string name() const = 0;
  /// Whether the shape must have its lengths.
  virtual bool needs_lengths() const { return false; }
  /// Whether partition() reads the pattern, and must be given all of it.
  virtual bool needs_pattern() const { return false; }
  /// Whether the workers find it out together, each with its own share of the pattern.
  virtual bool on_all_workers() const { return false; }
  /// Local; a pure function. Keeps owners that are fixed. @param pattern all rows and columns; empty if not needed.
  virtual Partitioning partition(const Shape& shape, int parts, const Entries& pattern) const = 0;
  /// Collective, for those that work on all workers; local if `communicator` is null, and `share` then is all there is.
  /// The same for any number of workers and any spread.
  virtual Partitioning partition_together(const comm::Communicator* communicator, const Shape& shape, int parts,
                                          const Entries& share) const;
};

/// The partitioner by contiguous blocks of indices; a non-zero goes with its row.
std::unique_ptr<Partitioner> block_partitioner();
/// The partitioner by a hash of the index, and the given rule.
std::unique_ptr<Partitioner> hash_partitioner(std::string name, EntryRule rule);
std::unique_ptr<Partitioner> hybrid_cut_partitioner(std::uint64_t threshold);
}  // namespace kasen::partition
