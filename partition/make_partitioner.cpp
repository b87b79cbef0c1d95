#include "partition/make_partitioner.h"

#include "kasen/base/error.h"
#include "partition/label_propagation.h"
#include "partition/metis_partitioner.h"
#include "partition/range_cut.h"

namespace kasen::partition {

std::unique_ptr<Partitioner> make_partitioner(const Options& options) {
  switch (options.partition) {
    case Partition::automatic:
      return nullptr;
    case Partition::block:
      return block_partitioner();
    case Partition::range:
      return range_partitioner("range", {EntryRule::Kind::row, 0});
    case Partition::range_column:
      return range_partitioner("range-column", {EntryRule::Kind::column, 0});
    case Partition::range_grid:
      return range_partitioner("range-2d", {EntryRule::Kind::grid, 0});
    case Partition::row:
      return hash_partitioner("row", {EntryRule::Kind::row, 0});
    case Partition::column:
      return hash_partitioner("column", {EntryRule::Kind::column, 0});
    case Partition::hybrid_cut:
      return hybrid_cut_partitioner(options.threshold);
    case Partition::grid:
      return hash_partitioner("2d", {EntryRule::Kind::grid, 0});
    case Partition::metis:
      return metis_partitioner();
    case Partition::label_propagation:
      return label_propagation_partitioner();
    case Partition::file:
      return hash_partitioner("file", {EntryRule::Kind::row, 0});
  }
  throw InternalError("no such partitioner");
}

}  // namespace kasen::partition
