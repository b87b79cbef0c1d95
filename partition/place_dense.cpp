/// @file
/// Placement::add_matrix of dense rows, for a matrix without zeros that may be where it belongs already.
#include <array>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "partition/placement.h"

namespace kasen::partition {
namespace {

/// Columns of every row from their global to their local order, in place.
void reorder(RawVector<std::byte>& value, std::span<const LocalIndex> local, std::uint32_t bytes) {
  bool in_order = true;
  for (std::size_t j = 0; j < local.size() && in_order; ++j) in_order = local[j] == j;
  if (in_order) return;
  const std::size_t row_bytes = local.size() * bytes;
  std::vector<std::byte> row(row_bytes);
  for (std::size_t at = 0; at < value.size(); at += row_bytes) {
    std::memcpy(row.data(), value.data() + at, row_bytes);
    for (std::size_t j = 0; j < local.size(); ++j)
      std::memcpy(value.data() + at + std::size_t{local[j]} * bytes, row.data() + j * bytes, bytes);
  }
}

}  // namespace

MatrixId Placement::add_matrix(SpaceId rows, SpaceId columns, DenseRows block) {
  const Assignment in_blocks = Assignment::block(space(rows).length(), _communicator->size());
  const GlobalIndex first = in_blocks.block_begin(_communicator->rank());
  const auto here = static_cast<std::uint64_t>(in_blocks.block_begin(_communicator->rank() + 1) - first);
  const std::uint64_t width = space(columns).length();
  comm::agree(*_communicator, [&] {
    if (block.value_bytes == 0 || block.value.size() != here * width * block.value_bytes)
      throw InternalError("dense rows are not this worker's block of the rows");
  });
  if (!rows_stay(rows, columns)) return add_matrix(rows, columns, entries_of(std::move(block), first, width));

  _candidates.clear();
  _numberings.clear();
  _choosing_seconds = 0;
  for (const SpaceId id : {rows, columns}) {
    space(id).check_length(_communicator->size(), _limit);
    if (!space(id).assigned()) assign(id, Assignment::block(space(id).length(), _communicator->size()));
    _rules.try_emplace(id, EntryRule{EntryRule::Kind::row, 0});
  }
  std::vector<GlobalIndex> touched_rows(here), touched_columns(here == 0 ? 0 : width);
  std::iota(touched_rows.begin(), touched_rows.end(), first);
  std::iota(touched_columns.begin(), touched_columns.end(), GlobalIndex{0});
  const std::array<IndexSpace::Touched, 2> sides{IndexSpace::Touched{Role::Side::row, touched_rows},
                                                 IndexSpace::Touched{Role::Side::column, touched_columns}};
  const auto id = static_cast<MatrixId>(_matrices.size());
  space_of(rows).add_roles(*_communicator, id, std::span(sides).first(1), _limit);
  space_of(columns).add_roles(*_communicator, id, std::span(sides).last(1), _limit);
  reorder(block.value, space(columns).local(touched_columns), block.value_bytes);
  DenseBlock dense{static_cast<LocalIndex>(here), static_cast<LocalIndex>(touched_columns.size()),
                   std::move(block.value)};
  return keep(rows, columns,
              {space(rows).local_size(), space(columns).local_size(), std::move(dense), block.value_bytes}, false);
}

/// Whether a matrix without zeros over these spaces is cut into the blocks of rows that were read, and stored dense.
bool Placement::rows_stay(SpaceId rows, SpaceId columns) const {
  const bool as_asked = (_options.partition == Partition::automatic || _options.partition == Partition::block) &&
                        _options.storage != Storage::compressed && _options.numbering != Numbering::degree && !_owner;
  const IndexSpace &row_space = space(rows), &column_space = space(columns);
  if (!as_asked || rows == columns || row_space.length() == 0 || column_space.length() == 0) return false;
  const auto rule = _rules.find(rows);
  const bool by_row = rule == _rules.end() || !_rules.contains(columns) || rule->second.kind == EntryRule::Kind::row;
  const bool as_read = row_space.blocks() && row_space.assignment().begins().empty();
  return by_row && (!row_space.assigned() || as_read);
}

}  // namespace kasen::partition
