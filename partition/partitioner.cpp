/// @file
/// The rules for non-zeros, and the partitioners that need nothing but the shape.

#include "partition/partitioner.h"

#include <utility>

#include "kasen/base/error.h"
#include "partition/hybrid_cut.h"

namespace kasen::partition {
namespace {

class Block : public Partitioner {
 public:
  std::string name() const override { return "block"; }
  Partitioning partition(const Shape& shape, int parts, const Entries&) const override {
    return {shape.row_owners != nullptr ? *shape.row_owners : Assignment::block(shape.rows, parts),
            shape.column_owners != nullptr ? *shape.column_owners : Assignment::block(shape.columns, parts),
            {}};
  }
};

class Hash : public Partitioner {
 public:
  Hash(std::string name, EntryRule rule) : _name(std::move(name)), _rule(rule) {}
  std::string name() const override { return _name; }
  Partitioning partition(const Shape& shape, int parts, const Entries&) const override {
    const std::uint64_t salt = shape.one_space ? 0 : shape.column_salt;
    return {shape.row_owners != nullptr ? *shape.row_owners : Assignment::hash(shape.rows, parts),
            shape.column_owners != nullptr ? *shape.column_owners : Assignment::hash(shape.columns, parts, salt),
            _rule};
  }

 private:
  std::string _name;
  EntryRule _rule;
};

}  // namespace

EntryRule EntryRule::hybrid(std::uint64_t threshold) {
  if (threshold == 0) return {Kind::row, 0};
  if (threshold == kNoThreshold) return {Kind::column, 0};
  return {Kind::hybrid, threshold};
}

Partitioning Partitioner::partition_together(const comm::Communicator*, const Shape&, int, const Entries&) const {
  throw InternalError("partitioner " + name() + " does not work on all workers");
}

int grid_columns(int parts) {
  int columns = 1;
  for (int divisor = 2; divisor <= parts / divisor; ++divisor)
    if (parts % divisor == 0) columns = divisor;
  return columns;
}

Rank Partitioning::part(GlobalIndex row, GlobalIndex column, bool high) const {
  switch (rule.kind) {
    case EntryRule::Kind::row:
      return rows.owner(row);
    case EntryRule::Kind::column:
      return columns.owner(column);
    case EntryRule::Kind::hybrid:
      return high ? rows.owner(row) : columns.owner(column);
    case EntryRule::Kind::grid:
      break;
  }
  return part_in_grid(rows.owner(row), columns.owner(column), grid_columns(rows.parts()));
}

std::vector<Rank> parts_of(GlobalIndexView rows, GlobalIndexView columns, const IndexSet& high,
                           const Partitioning& partitioning) {
  if (partitioning.rule.kind == EntryRule::Kind::row) return cut_by_row(rows, partitioning.rows);
  if (partitioning.rule.kind != EntryRule::Kind::grid)
    return hybrid_cut(rows, columns, high, partitioning.rows, partitioning.columns);
  std::vector<Rank> part(rows.size());
  const int across = grid_columns(partitioning.rows.parts());
  for (std::size_t k = 0; k < part.size(); ++k)
    part[k] = part_in_grid(partitioning.rows.owner(rows[k]), partitioning.columns.owner(columns[k]), across);
  return part;
}

std::unique_ptr<Partitioner> block_partitioner() { return std::make_unique<Block>(); }

std::unique_ptr<Partitioner> hash_partitioner(std::string name, EntryRule rule) {
  return std::make_unique<Hash>(std::move(name), rule);
}

std::unique_ptr<Partitioner> hybrid_cut_partitioner(std::uint64_t threshold) {
  return hash_partitioner("hybrid-cut " + std::to_string(threshold), EntryRule::hybrid(threshold));
}

}  // namespace kasen::partition
