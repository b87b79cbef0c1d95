/// @file
/// Matrices of a session: their placement, and stored vectors that have to make room for what they bring.
#include <fmt/format.h>

#include <cstring>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "comm/agreement.h"
#include "comm/free_memory.h"
#include "kasen/base/error.h"
#include "kasen/base/partition_candidate.h"
#include "kasen/checkpoint/data_hash.h"
#include "kasen/io/formats/partition_file.h"
#include "kasen/runtime/fill.h"
#include "kasen/session/engine.h"
#include "partition/degrees.h"
#include "partition/estimate.h"
#include "partition/matrix_batches.h"

namespace kasen {

MatrixId Engine::add_matrix(SpaceId rows, SpaceId columns, Entries entries, SourceLine where,
                            const io::VertexIds* ids) {
  if (_recorder.in_block()) recording::refuse(where, "matrix", "not allowed in a recorded block");
  note_data(
      "matrix", [&] { return checkpoint::hash_of_entries(entries); }, where);
  Entries copy;
  if (!_options.record.empty()) copy = {entries.row, entries.column, {}, 0};
  if (_options.partition == Partition::file) assign_by_file(rows, columns, ids);
  const MatrixId id = place(rows, columns, std::move(entries));
  if (_options.explain && !_placement.candidates().empty())
    print(fmt::format("partition of matrix {}, for {} workers, compared in {:.3f} s\n{}\n", index_of(id),
                      _control.size(), _placement.choosing_seconds(), candidates_text(_placement.candidates())));
  for (const partition::NumberingChoice& choice : _placement.numberings()) {
    if (_options.explain)
      print(fmt::format("space {}: numbered by {}: {}\n", index_of(choice.space), choice.by_degree ? "degree" : "index",
                        choice.reason));
  }
  if (!_options.record.empty()) {
    const bool by_rows = partition::is_cut_by_rows(_placement.stats(), id);  // then no column is short
    _degrees.push_back(partition::measure_degrees(_control, copy, _placement.space(rows).length(),
                                                  _placement.space(columns).length(), rows == columns,
                                                  by_rows ? 0 : _options.threshold));
  }
  make_room();
  comm::return_free_memory();  // of entries on their way
  return id;
}

/// Dense rows become entries if degrees are recorded or a file gives the partition.
MatrixId Engine::add_matrix(SpaceId rows, SpaceId columns, partition::DenseRows block, SourceLine where) {
  if (_recorder.in_block()) recording::refuse(where, "matrix", "not allowed in a recorded block");
  if (!_options.record.empty() || _options.partition == Partition::file) {
    const auto blocks = partition::Assignment::block(_placement.space(rows).length(), _control.size());
    return add_matrix(rows, columns,
                      partition::entries_of(std::move(block), blocks.block_begin(_control.rank()),
                                            _placement.space(columns).length()),
                      where);
  }
  note_data(
      "matrix",
      [&] {
        const auto blocks = partition::Assignment::block(_placement.space(rows).length(), _control.size());
        return checkpoint::hash_of_rows(block.value, block.value_bytes,
                                        static_cast<std::uint64_t>(blocks.block_begin(_control.rank())),
                                        _placement.space(columns).length());
      },
      where);
  const MatrixId id = place(rows, columns, std::move(block));
  make_room();
  return id;
}

/// --partition FILE is of the matrix, and says nothing of the rows of a batch.
MatrixId Engine::add_batches(MatrixId matrix, SpaceId rows, std::uint32_t batches, SourceLine where) {
  if (_options.partition == Partition::file && !_placement.space(rows).assigned()) _placement.assign(rows);
  const SpaceId columns = _placement.stats().matrices.at(index_of(matrix)).columns;
  Entries some = partition::in_batches(_placement.entries(matrix), batches, _placement.space(rows).length());
  return add_matrix(rows, columns, std::move(some), where);  // those of the matrix have gone
}

template <class Content>
MatrixId Engine::place(SpaceId rows, SpaceId columns, Content content) {
  const TimelineScope scope(timeline(), Timeline::Kind::place);
  return _placement.add_matrix(rows, columns, std::move(content));
}

/// What --partition FILE says of spaces that have no owners yet.
void Engine::assign_by_file(SpaceId rows, SpaceId columns, const io::VertexIds* ids) {
  if (_placement.owners_by_function())
    throw ProgramError("--partition " + _options.partition_file +
                       " gives owners, which this program gives by a function (partition_by)");
  const partition::IndexSpace &row_space = _placement.space(rows), &column_space = _placement.space(columns);
  if (row_space.assigned()) return;
  const int parts = _control.size();
  const std::vector<Rank> owners = io::read_partition_file(
      _control, _options.partition_file, {row_space.length(), rows == columns ? 0 : column_space.length(), ids}, parts);
  const std::span<const Rank> all(owners);
  _placement.assign(rows, partition::Assignment::table(all.first(row_space.length()), parts));
  if (all.size() > row_space.length() && !column_space.assigned())
    _placement.assign(columns, partition::Assignment::table(all.subspan(row_space.length()), parts));
}

/// A vector that is stored already must have room for the replicas that a matrix has brought to its space, and be in a
/// state of roles that are told apart. Vectors that share a buffer go on to share one, whichever worker needs a larger
/// one: who else holds a vector is part of the programs that workers compare.
void Engine::make_room() {
  _has_room = false;
  comm::agree(_control, [&] {
    std::map<const runtime::Buffer*, runtime::BufferRef> larger;
    _recorder.for_each_stored([&](const recording::Stored& stored) {
      if (stored.about.kind != Value::Kind::vector || !stored.value.buffer) return;
      runtime::Buffer& now = *stored.value.buffer;
      const std::uint64_t elements = _placement.space(stored.about.space).local_size();
      if (now.bytes() >= elements * stored.about.type.bytes) return;
      runtime::BufferRef& buffer = larger[&now];
      if (buffer) return;
      buffer = _pool.obtain(elements, stored.about.type.bytes);
      std::memcpy(buffer->data(), now.data(), now.bytes());
      buffer->contents() = now.contents();
    });
    _recorder.for_each_stored([&](recording::Stored& stored) {
      const auto found = larger.find(stored.value.buffer.get());
      if (found != larger.end()) stored.value.buffer = found->second;
      make_room(stored);
    });
  });
  _has_room = true;
}

/// Widens the state of a stored vector to all roles, if those of its space are no longer told apart.
void Engine::make_room(recording::Stored& stored) {
  if (stored.about.kind != Value::Kind::vector || !stored.value.buffer) return;
  if (!_placement.stats().tells_roles_apart(stored.about.space)) widen_roles(stored);
}

/// To all roles of the space. A consistent vector is as good as partitioned; of a pre-reduced one the replicas that
/// hold no partial result get the reducer's identity.
void Engine::widen_roles(recording::Stored& stored) {
  const RoleSet& all = _placement.stats().all_roles(stored.about.space);
  if (stored.state.kind == State::Kind::partitioned || stored.state.roles == all) return;
  if (stored.state.kind == State::Kind::consistent) {
    stored.state = State::partitioned();
    return;
  }
  const partition::IndexSpace& space = _placement.space(stored.about.space);
  const std::vector<std::byte>& identity = _recorder.reducers()[index_of(stored.state.reducer)].identity;
  if (identity.size() != stored.about.type.bytes) throw InternalError("partial results of a reducer without identity");
  LocalIndex end = space.masters();
  for (const partition::Interval& partials : space.replicas(stored.state.roles)) {
    runtime::fill(stored.value.buffer->data(), identity, {end, partials.first - end});
    end = partials.first + partials.count;
  }
  runtime::fill(stored.value.buffer->data(), identity, {end, space.local_size() - end});
  stored.state.roles = all;
  if (_placement.stats().of(stored.about.space, all).replicas == 0) return;
  stored.value.buffer->contents() = {runtime::Contents::Kind::partial, stored.state.reducer, {{0, space.local_size()}}};
}

}  // namespace kasen
