/// @file
/// Placement of a matrix, from global entries to local non-zeros, step by step in add_matrix.

#include "partition/placement.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>

#include "comm/agreement.h"
#include "comm/free_memory.h"
#include "kasen/base/error.h"
#include "kasen/base/raw_vector.h"
#include "kasen/base/release.h"
#include "partition/distribute.h"
#include "partition/hybrid_cut.h"
#include "partition/imbalance.h"
#include "partition/matrix_batches.h"
#include "partition/measure.h"
#include "partition/placing_memory.h"
#include "partition/sorted_indices.h"
#include "partition/symmetry.h"

namespace kasen::partition {
namespace {

/// What `number` says of each of `global`, in their memory, or else freeing them piece by piece.
template <class Number>
RawVector<LocalIndex> to_local(GlobalIndices& global, const Number& number) {
  RawVector<LocalIndex> local;
  if (global.narrow()) {
    local = global.take_narrow();
    for (LocalIndex& index : local) index = number(GlobalIndex{index});
    return local;
  }
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  local.resize(global.size());
  for (std::size_t done = 0; done < global.size(); done += kPiece) {
    const std::size_t end = std::min(done + kPiece, global.size());
    for (std::size_t k = done; k < end; ++k) local[k] = number(global[k]);
    comm::discard(global.memory(done, end - done));
  }
  release(global);
  return local;
}

/// The local indices of `global`; `touched` are its distinct values.
RawVector<LocalIndex> to_local(GlobalIndices& global, std::span<const GlobalIndex> touched, const IndexSpace& space) {
  const LocalNumbers numbers(touched, space.local(touched));
  return to_local(global, [&](GlobalIndex index) { return numbers[index]; });
}

/// Collective. @throws AgreedError if the matrix does not fit beside its entries, which are there.
/// @param searches whether a partitioner is asked: not both spaces have the rule of an earlier matrix
void require_memory(const comm::Communicator& communicator, const Entries& entries, MatrixSize size,
                    const Options& options, bool searches) {
  if (comm::memory_limit() == 0) return;
  size.entries = communicator.sum(std::uint64_t{entries.row.size()});
  comm::MemoryNeeds needs(communicator);
  add_placing(size, needs);
  if (entries.batches > 0) add_batches(size, entries.batches, needs);
  const bool metis = options.partition == Partition::metis, labels = options.partition == Partition::label_propagation;
  if (searches && metis) add_metis(size, needs);
  if (searches && labels) add_label_propagation(size, needs);
  if (searches && (metis || labels)) add_table(size, needs);
  const std::string in_batches = entries.batches > 0 ? " in " + std::to_string(entries.batches) + " batches" : "";
  needs.require("placing a matrix" + in_batches + " of " + std::to_string(size.rows) + " x " +
                std::to_string(size.columns) + " with " + std::to_string(size.entries) + " entries" +
                (entries.batches > 0 ? " in all" : ""));
}

/// On one worker every element is a master: unless there is another order, local and global indices are the same.
RawVector<LocalIndex> to_local(GlobalIndices& global, const IndexSpace& space) {
  const std::span<const LocalIndex> number = space.ascending_masters();
  return to_local(global, [&](GlobalIndex index) {
    return number.empty() ? static_cast<LocalIndex>(index) : number[static_cast<std::size_t>(index)];
  });
}

}  // namespace

Placement::Placement(const comm::Communicator& communicator, const Options& options, std::uint64_t limit,
                     std::uint64_t cache_bytes)
    : _communicator(&communicator), _options(options), _limit(limit), _cache_bytes(cache_bytes) {
  _stats.workers = static_cast<std::uint32_t>(communicator.size());
}

SpaceId Placement::space(std::uint64_t length) {
  const auto known = _by_length.find(length);
  if (known != _by_length.end()) return known->second;
  const SpaceId id = separate_space(length, "length " + std::to_string(length));
  _by_length.emplace(length, id);
  return id;
}

SpaceId Placement::separate_space(std::uint64_t length, std::string name) {
  const auto id = static_cast<SpaceId>(_spaces.size());
  PlacementStats::Space& stats = _stats.spaces.emplace_back();
  stats.name = name;
  stats.masters = length;
  _spaces.emplace_back(std::move(name), length, _communicator->size(), _communicator->rank());
  return id;
}

void Placement::assign(SpaceId id) {
  IndexSpace& space = space_of(id);
  if (!space.assigned()) {
    const auto blocks = Assignment::block(space.length(), _communicator->size());
    space.assign(*_communicator, blocks, _limit);
    _stats.spaces[index_of(id)].imbalance = imbalance_of(blocks.longest_block(), _stats.workers, space.length());
  }
  space.fix_numbers();
}

void Placement::assign(SpaceId id, const Assignment& assignment) {
  IndexSpace& space = space_of(id);
  if (space.assigned()) throw InternalError("index space '" + space.name() + "' is assigned already");
  space.assign(*_communicator, assignment, _limit);
  _stats.spaces[index_of(id)].blocks = space.blocks();
  _stats.spaces[index_of(id)].imbalance = imbalance_of(_communicator->all_gather(std::uint64_t{space.masters()}));
}

bool Placement::is_everywhere(SpaceId id) const {
  const RoleSet& roles = space(id).roles();
  return std::binary_search(roles.begin(), roles.end(), kEverywhere);
}

void Placement::hold_everywhere(SpaceId id) {
  if (is_everywhere(id)) return;
  IndexSpace& space = space_of(id);
  space.check_length(1, _limit);
  comm::MemoryNeeds needs(*_communicator);
  add_everywhere(space.length(), needs);
  needs.require("space '" + space.name() + "', of which every worker holds all elements");
  assign(id);
  std::vector<GlobalIndex> all;
  if (_communicator->size() > 1) {
    all.resize(space.length());
    std::iota(all.begin(), all.end(), GlobalIndex{0});
  }
  const IndexSpace::Touched everywhere{Role::Side::everywhere, all};
  space.add_roles(*_communicator, kEverywhere.matrix, {&everywhere, 1}, _limit);
  measure(*_communicator, {{&space, &_stats.spaces[index_of(id)]}}, std::nullopt);
  cover_spaces();
}

MatrixId Placement::add_matrix(SpaceId rows, SpaceId columns, Entries entries) {
  IndexSpace& row_space = space_of(rows);
  IndexSpace& column_space = space_of(columns);
  // A worker that read nothing may not know the size of what others read.
  const std::uint32_t value_bytes = _communicator->max(entries.value_bytes);
  if (entries.row.empty()) entries.value_bytes = value_bytes;
  comm::agree(*_communicator, [&] {
    if (entries.value_bytes != value_bytes) throw InternalError("workers read values of different sizes");
    check(entries, row_space.length(), column_space.length());
  });

  row_space.check_length(_communicator->size(), _limit);
  column_space.check_length(_communicator->size(), _limit);
  require_memory(*_communicator, entries, {row_space.length(), column_space.length(), 0, value_bytes, rows == columns},
                 _options, !_rules.contains(rows) || !_rules.contains(columns));
  const std::uint32_t batches = entries.batches;
  const bool symmetric = batches == 0 && is_symmetric(entries, rows, columns);
  const bool in_place = !_owner && stay(entries, rows, columns);
  if (_owner) {
    for (const SpaceId id : {rows, columns})
      if (!space(id).assigned()) assign(id, assignment_by(*_communicator, _owner, space(id).length()));
  }
  ChosenPartitioning choice =
      in_place ? ChosenPartitioning{*entries.prepared, {}, 0} : partitioning_for(rows, columns, entries);
  const Partitioning partitioning = std::move(choice.partitioning);
  _candidates = std::move(choice.candidates);
  _choosing_seconds = choice.seconds;
  if (!row_space.assigned()) assign(rows, partitioning.rows);
  if (!column_space.assigned()) assign(columns, partitioning.columns);
  _rules.try_emplace(rows, partitioning.rule);
  _rules.try_emplace(columns, partitioning.rule);
  if (!in_place) entries = send_to_owners(std::move(entries), partitioning);
  entries.batches = batches;
  const auto id = static_cast<MatrixId>(_matrices.size());
  const MatrixId kept = keep(rows, columns, localise(std::move(entries), id, rows, columns), symmetric);
  for (PartitionCandidate& candidate : _candidates) {
    if (!candidate.chosen || !candidate.sampled) continue;
    candidate.sampled = false;  // it is there now, and known exactly
    candidate.row_replicas = _stats.of(rows, {{kept, Role::Side::row}}).replicas;
    candidate.column_replicas = _stats.of(columns, {{kept, Role::Side::column}}).replicas;
  }
  return kept;
}

/// Collective. Keeps a matrix whose roles the spaces have, and measures it.
MatrixId Placement::keep(SpaceId rows, SpaceId columns, LocalMatrix matrix, bool symmetric) {
  PlacementStats::Matrix stats;
  stats.rows = rows;
  stats.columns = columns;
  stats.value_bytes = matrix.value_bytes();
  stats.dense = matrix.dense() != nullptr;
  stats.symmetric = symmetric && !stats.dense;
  std::vector<MeasuredSpace> spaces{{&space_of(rows), &_stats.spaces[index_of(rows)]}};
  if (rows != columns) spaces.push_back({&space_of(columns), &_stats.spaces[index_of(columns)]});
  measure(*_communicator, spaces, MeasuredMatrix{matrix.nonzeros(), &stats});
  stats.batches = matrix.batches();
  if (stats.in_batches()) stats.nonzeros = (stats.nonzeros + stats.batches - 1) / stats.batches;
  _stats.matrices.push_back(stats);
  _matrices.push_back(std::move(matrix));
  cover_spaces();
  return static_cast<MatrixId>(_matrices.size() - 1);
}

Entries Placement::entries(MatrixId id) {
  const PlacementStats::Matrix& stats = _stats.matrices.at(index_of(id));
  return entries_of(matrix(id), space(stats.rows), space(stats.columns));
}

/// Collective. Matrices go on to cover their spaces, which have got more replicas.
void Placement::cover_spaces() {
  const auto& all = _stats.matrices;
  if (std::any_of(all.begin(), all.end(), [](const PlacementStats::Matrix& one) { return one.in_batches(); })) {
    comm::agree(*_communicator, [&] {
      for (const PlacementStats::Matrix& one : all)
        LocalMatrix::require_indices(space(one.rows).local_size(), one.batches);
    });
  }
  for (std::size_t m = 0; m < _matrices.size(); ++m)
    _matrices[m].covering(space(_stats.matrices[m].rows).local_size(), space(_stats.matrices[m].columns).local_size());
}

bool Placement::blocks_counted(MatrixId id, Role::Side outputs) const {
  const PlacementStats::Matrix& stats = _stats.matrices.at(index_of(id));
  return stats.blocks(outputs).counted || stats.dense || stats.in_batches();
}

void Placement::count_blocks(MatrixId id, Role::Side outputs) {
  if (blocks_counted(id, outputs)) return;
  const BlockedMatrix::Size here = matrix(id).measure_blocks(outputs, _options.block_edge);
  PlacementStats::Matrix& stats = _stats.matrices.at(index_of(id));
  const LocalIndex rows = space(stats.rows).masters(), columns = space(stats.columns).masters();
  const bool by_column = outputs == Role::Side::column;
  const BlockedMatrix::Waiting waiting =
      matrix(id).measure_waiting(outputs, _options.block_edge, by_column ? rows : columns, by_column ? columns : rows);
  std::array<std::uint64_t, 6> all{here.runs, here.long_runs, here.turns, here.cached, waiting.ahead, waiting.behind};
  _communicator->sum(std::span<std::uint64_t>(all));
  using Blocks = PlacementStats::Matrix::Blocks;
  const auto part = [&](std::uint64_t some, std::uint64_t of) {
    return some * of / std::max<std::uint64_t>(stats.nonzeros, 1);
  };
  stats.stencils(outputs) = find_stencils(id, outputs);
  stats.blocks(outputs) = {true,
                           all[0],
                           all[1],
                           all[2],
                           part(all[3], Blocks::kCachedOf),
                           part(all[4], Blocks::kPartsOf),
                           part(all[5], Blocks::kPartsOf)};
}

/// Outputs of a run, and non-zeros for which an entry of a stencil stands, on average, for stencils to be worth
/// planning with.
constexpr std::uint64_t kLeastStencilRun = 4;

/// Collective. None where runs are too short, by outputs or by entries, or stencils too many to be numbered; where
/// another storage is asked for; and where sums are kept in bins, of which no two are added as vectors.
PlacementStats::Matrix::Stencils Placement::find_stencils(MatrixId id, Role::Side outputs) {
  const bool always = _options.storage == Storage::stencils;
  if (_options.reproducible || !(always || _options.storage == Storage::automatic)) return {};
  const PlacementStats::Matrix& matrix_stats = _stats.matrices.at(index_of(id));
  const SpaceId space = outputs == Role::Side::column ? matrix_stats.columns : matrix_stats.rows;
  const std::uint64_t shortest = always ? 1 : kLeastStencilRun;
  const std::uint64_t most_runs = _stats.range(space, {Role{id, outputs}}) / shortest;
  const StencilMatrix::Size here = matrix(id).measure_stencils(outputs, most_runs);
  const bool too_many = here.entries > StencilMatrix::kMostEntries;
  std::array<std::uint64_t, 3> all{here.runs, here.entries, too_many ? 1u : 0u};
  _communicator->sum(std::span<std::uint64_t>(all));
  const bool found = all[0] <= most_runs && all[1] <= matrix_stats.nonzeros / shortest && all[2] == 0;
  if (!found) return {};
  return {true, all[0], all[1]};
}

const BlockedMatrix& Placement::blocked(MatrixId id, Role::Side outputs) {
  const std::uint64_t parts = matrix(id).nonzeros() / std::max(_options.part_elements, 1u);
  return matrix(id).blocked(outputs, _options.block_edge,
                            static_cast<std::uint32_t>(std::clamp<std::uint64_t>(parts, 1, _options.threads)));
}

void Placement::check(const Entries& entries, std::uint64_t rows, std::uint64_t columns) const {
  const std::size_t size = entries.row.size();
  if (entries.column.size() != size || entries.value.size() != size * entries.value_bytes)
    throw InternalError("rows, columns and values of matrix entries differ in number");
  for (std::size_t k = 0; k < size; ++k) {
    // A negative index is a very large one when taken as unsigned.
    if (static_cast<std::uint64_t>(entries.row[k]) < rows && static_cast<std::uint64_t>(entries.column[k]) < columns)
      continue;
    throw InputError("matrix entry (" + std::to_string(entries.row[k]) + ", " + std::to_string(entries.column[k]) +
                     ") is outside a matrix of " + std::to_string(rows) + " rows and " + std::to_string(columns) +
                     " columns");
  }
}

/// Collective.
bool Placement::is_symmetric(const Entries& entries, SpaceId rows, SpaceId columns) const {
  if (rows != columns) return false;
  return _communicator->sum(asymmetry(entries)) == 0;
}

/// Collective. Whether prepared entries belong where they are.
bool Placement::stay(const Entries& entries, SpaceId rows, SpaceId columns) const {
  const auto fits = [&](const Assignment& owners, const IndexSpace& space) {
    return owners.parts() == _communicator->size() && owners.length() == space.length() &&
           (!space.assigned() || space.assignment() == owners);
  };
  const bool any = _options.partition == Partition::automatic && _options.threshold == Options().threshold;
  const bool here = entries.prepared != nullptr && any && fits(entries.prepared->rows, space(rows)) &&
                    fits(entries.prepared->columns, space(columns)) &&
                    (rows != columns || entries.prepared->rows == entries.prepared->columns);
  return _communicator->min(here ? 1 : 0) == 1;
}

ChosenPartitioning Placement::partitioning_for(SpaceId rows, SpaceId columns, const Entries& entries) const {
  const IndexSpace& row_space = space(rows);
  const IndexSpace& column_space = space(columns);
  if (entries.batches > 0 && _options.partition == Partition::automatic) {
    // Rows stay whole, so that both directions of a batch are one pass; its columns have owners of an earlier matrix.
    const auto owners = [&](const IndexSpace& of) {
      return of.assigned() ? of.assignment() : Assignment::block(of.length(), _communicator->size());
    };
    return {{owners(row_space), owners(column_space), {EntryRule::Kind::row, 0}}, {}, 0};
  }
  const auto known = _rules.find(rows);
  if (known != _rules.end() && _rules.contains(columns))
    return {{row_space.assignment(), column_space.assignment(), known->second}, {}, 0};
  Shape shape;
  shape.rows = row_space.length();
  shape.columns = column_space.length();
  shape.one_space = rows == columns;
  shape.column_salt = index_of(columns) + 1;
  if (row_space.assigned()) shape.row_owners = &row_space.assignment();
  if (column_space.assigned()) shape.column_owners = &column_space.assignment();
  return partition_as_asked(_communicator, _options, entries, shape, _communicator->size());
}

Entries Placement::send_to_owners(Entries entries, const Partitioning& partitioning) const {
  if (_communicator->size() == 1) return entries;
  std::vector<GlobalIndex> high;
  if (partitioning.rule.kind == EntryRule::Kind::hybrid)
    high = high_columns(*_communicator, entries.column, partitioning.columns, partitioning.rule.threshold);
  const std::uint64_t lookup_budget = 8 * entries.column.size();
  const IndexSet all_high(std::move(high), partitioning.columns.length(), lookup_budget);
  return distribute(*_communicator, std::move(entries), [&](const Entries& of, std::size_t begin, std::span<Rank> to) {
    const std::vector<Rank> parts =
        parts_of(of.row.view().part(begin, to.size()), of.column.view().part(begin, to.size()), all_high, partitioning);
    std::copy(parts.begin(), parts.end(), to.begin());
  });
}

/// Collective. Those that the matrix is the first over, before vectors.
void Placement::number_spaces(const Entries& entries, SpaceId rows, SpaceId columns,
                              const std::array<IndexSpace::Touched, 2>& sides) {
  _numberings.clear();
  const std::array<NumberedSide, 2> numbered{NumberedSide{entries.row, entries.column, sides[0].indices},
                                             NumberedSide{entries.column, entries.row, sides[1].indices}};
  const auto number_one = [&](SpaceId id, std::span<const NumberedSide> seen) {
    if (space(id).numbered()) return;
    _numberings.push_back(number(*_communicator, _options.numbering, _cache_bytes, space_of(id), seen));
    _numberings.back().space = id;
  };
  const std::span<const NumberedSide> both(numbered);
  if (rows == columns) return number_one(rows, both);
  number_one(rows, both.first(1));
  number_one(columns, both.last(1));
}

LocalMatrix Placement::localise(Entries entries, MatrixId id, SpaceId rows_id, SpaceId columns_id) {
  IndexSpace &rows = space_of(rows_id), &columns = space_of(columns_id);
  const bool alone = _communicator->size() == 1;
  std::vector<GlobalIndex> touched_rows, touched_columns;
  if (!alone) {
    touched_rows = distinct(entries.row, rows.length());
    touched_columns = distinct(entries.column, columns.length());
  }
  const std::array<IndexSpace::Touched, 2> sides{IndexSpace::Touched{Role::Side::row, touched_rows},
                                                 IndexSpace::Touched{Role::Side::column, touched_columns}};
  number_spaces(entries, rows_id, columns_id, sides);
  if (&rows == &columns) {
    rows.add_roles(*_communicator, id, sides, _limit);
  } else {
    rows.add_roles(*_communicator, id, std::span(sides).first(1), _limit);
    columns.add_roles(*_communicator, id, std::span(sides).last(1), _limit);
  }
  RawVector<LocalIndex> row = alone ? to_local(entries.row, rows) : to_local(entries.row, touched_rows, rows);
  RawVector<LocalIndex> column =
      alone ? to_local(entries.column, columns) : to_local(entries.column, touched_columns, columns);
  if (const std::uint32_t batches = entries.batches; batches > 0) {
    comm::agree(*_communicator, [&] { LocalMatrix::require_indices(rows.local_size(), batches); });
    const std::vector<BatchNumber> batch = take_numbers(entries);
    return {rows.local_size(),        columns.local_size(), std::move(row), std::move(column),
            std::move(entries.value), entries.value_bytes,  batch,          batches};
  }
  if (const std::optional<Rectangle> full = full_everywhere(row, column, entries.value_bytes, rows, columns)) {
    return {rows.local_size(), columns.local_size(),
            dense_block(*full, row, column, std::move(entries.value), entries.value_bytes), entries.value_bytes};
  }
  return {rows.local_size(), columns.local_size(),     std::move(row),
          std::move(column), std::move(entries.value), entries.value_bytes};
}

/// Collective. What the entries fill on this worker, if on all workers together they are every element of the matrix,
/// once.
std::optional<Rectangle> Placement::full_everywhere(std::span<const LocalIndex> row, std::span<const LocalIndex> column,
                                                    std::uint32_t value_bytes, const IndexSpace& rows,
                                                    const IndexSpace& columns) const {
  if (value_bytes == 0 || _options.storage == Storage::compressed) return std::nullopt;
  const std::uint64_t nonzeros = _communicator->sum(std::uint64_t{row.size()});
  if (nonzeros == 0 || nonzeros % rows.length() != 0 || nonzeros / rows.length() != columns.length())
    return std::nullopt;
  const std::optional<Rectangle> here = rectangle_filled(row, column);
  return _communicator->min(here ? 1 : 0) == 1 ? here : std::nullopt;
}

}  // namespace kasen::partition
