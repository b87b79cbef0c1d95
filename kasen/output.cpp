#include "kasen/output.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/hash.h"
#include "kasen/io/formats/table_output.h"
#include "kasen/io/hdf5/hdf5_output.h"
#include "kasen/io/lines/blocks.h"
#include "kasen/session.h"
#include "kasen/session/engine.h"
#include "kasen/session/gather.h"

namespace kasen {

namespace {

/// Collective. This worker's part of the vector in the order of files.
std::vector<std::byte> to_block(Engine& engine, const recording::Stored& stored) {
  return io::to_blocks(engine.control(), engine.placement().space(stored.about.space), master_bytes(engine, stored),
                       stored.about.type.bytes);
}

/// The numbers at one place of every row.
std::vector<std::byte> column_of(std::span<const std::byte> rows, std::uint64_t column, std::uint64_t width,
                                 std::size_t bytes) {
  std::vector<std::byte> numbers(rows.size() / width);
  for (std::size_t k = 0; k < numbers.size() / bytes; ++k)
    std::memcpy(&numbers[k * bytes], &rows[(k * width + column) * bytes], bytes);
  return numbers;
}

}  // namespace

struct Output::Parts {
  std::optional<io::Hdf5Output> hdf5;  ///< neither with --analyze, which stops at the first vector
  std::optional<io::TableOutput> table;
  // What is written stays where it is until commit: whoever else would write into a buffer finds that it is held.
  std::vector<runtime::BufferRef> held;  ///< of vectors in the order of files
  /// The same vectors: on every worker somebody else has them, even if room for replicas has given one a new buffer.
  std::vector<std::shared_ptr<const recording::Stored>> held_vectors;
  std::deque<std::vector<std::byte>> blocks;  ///< of others
  Fnv1a added;                                ///< what is in it, for workers to compare
  bool committed = false;
};

Output::Output(const std::string& path, SourceLocation where) : _parts(std::make_unique<Parts>()) {
  const Engine& engine = Session::current().engine();
  if (engine.options().analyze) return;
  engine.meet(Meeting::write, recording::source_line(where), {hash_of(path)});
  if (path.ends_with(".tsv")) {
    _parts->table.emplace(engine.control(), path, io::TableOutput::Format::tabs);
  } else if (path.ends_with(".mtx")) {
    _parts->table.emplace(engine.control(), path, io::TableOutput::Format::matrix_market);
  } else {
    _parts->hdf5.emplace(engine.control(), path);
  }
}

Output::~Output() = default;

void Output::require_open(const char* call, SourceLine where) const {
  if (_parts->committed) recording::refuse(where, call, "commit has been called, which ends the output");
}

void Output::add_masters(const std::string& dataset, const recording::Handle& v, io::ElementType type, SourceLine where,
                         std::optional<std::uint64_t> width) {
  require_open("add", where);
  Engine& engine = Session::current().engine();
  const recording::Stored& stored = engine.compute(v.slot(), "write", where);
  engine.meet(Meeting::write, where, {stored.number, hash_of(dataset)});
  std::span<const std::byte> block;
  if (engine.placement().space(stored.about.space).even_blocks()) {
    _parts->held.push_back(stored.value.buffer);
    _parts->held_vectors.push_back(engine.recorder().stored(v.slot()));
    block = master_bytes(engine, stored);
  } else {
    block = _parts->blocks.emplace_back(to_block(engine, stored));
  }
  if (_parts->hdf5 && width) {
    _parts->hdf5->add_rows(dataset, block.size() / (*width * type.bytes), *width, type, block);
  } else if (_parts->hdf5) {
    _parts->hdf5->add(dataset, type, block);
  } else if (_parts->table && width) {
    for (std::uint64_t k = 0; k < *width; ++k) {
      _parts->blocks.push_back(column_of(block, k, *width, type.bytes));
      _parts->table->add(dataset + "_" + std::to_string(k), type, _parts->blocks.back());
    }
  } else if (_parts->table) {
    _parts->table->add(dataset, type, block);
  }
}

Output& Output::add(const std::string& dataset, const io::VertexIds& ids, SourceLocation where) {
  require_open("add", recording::source_line(where));
  _parts->added.add(dataset), _parts->added.add(ids.length());
  if (_parts->hdf5) _parts->hdf5->add(dataset, ids);
  if (_parts->table) _parts->table->add(dataset, ids);
  return *this;
}

Output& Output::add(const std::string& dataset, std::span<const double> values, std::optional<std::uint64_t> columns,
                    SourceLocation where) {
  require_open("add", recording::source_line(where));
  if (columns && (*columns == 0 ? !values.empty() : values.size() % *columns != 0)) {
    recording::refuse(recording::source_line(where), "write",
                      std::to_string(values.size()) + " values are no rows of " + std::to_string(*columns));
  }
  _parts->added.add(dataset), _parts->added.add(values.size()), _parts->added.add(columns.value_or(0));
  if (!_parts->hdf5) return *this;
  const bool writes = workers::communicator().rank() == 0;
  const auto bytes = std::as_bytes(writes ? values : std::span<const double>());
  _parts->blocks.emplace_back(bytes.begin(), bytes.end());
  const std::vector<std::byte>& kept = _parts->blocks.back();
  const std::span<const double> mine(reinterpret_cast<const double*>(kept.data()), kept.size() / sizeof(double));
  if (columns) {
    _parts->hdf5->add_rows(dataset, *columns == 0 ? 0 : mine.size() / *columns, *columns, io::ElementType::of<double>(),
                           std::as_bytes(mine));
  } else {
    _parts->hdf5->add(dataset, mine);
  }
  return *this;
}

Output& Output::attribute(const std::string& name, double value, SourceLocation where) {
  require_open("attribute", recording::source_line(where));
  _parts->added.add(name);
  if (_parts->hdf5) _parts->hdf5->number_attribute("/", name, value);
  return *this;
}

void Output::commit(SourceLocation where) {
  require_open("commit", recording::source_line(where));
  _parts->committed = true;
  if (_parts->hdf5 || _parts->table) {
    Session::current(where).engine().meet(Meeting::commit, recording::source_line(where), {_parts->added.value()});
  }
  const TimelineScope scope(Session::current().engine().timeline(), Timeline::Kind::write);
  if (_parts->hdf5) _parts->hdf5->commit();
  if (_parts->table) _parts->table->commit();
  _parts->held.clear(), _parts->held_vectors.clear();
}

namespace detail {

namespace {

/// Collective. The vector whose blocks workers take.
const recording::Stored& stored_for_block(const recording::Handle& v, SourceLine where, const char* call) {
  recording::recorder(where);  // refuses without a session
  Engine& engine = Session::current().engine();
  const recording::Stored& stored = engine.compute(v.slot(), call, where);
  engine.meet(Meeting::block, where, {stored.number});
  return stored;
}

}  // namespace

std::vector<std::byte> block_bytes(const recording::Handle& v, SourceLine where, const char* call) {
  return to_block(Session::current().engine(), stored_for_block(v, where, call));
}

void with_block(const recording::Handle& v, SourceLine where, const char* call,
                const std::function<void(std::span<const std::byte>)>& f) {
  const recording::Stored& stored = stored_for_block(v, where, call);
  Engine& engine = Session::current().engine();
  if (engine.placement().space(stored.about.space).even_blocks()) {
    f(master_bytes(engine, stored));
  } else {
    f(to_block(engine, stored));
  }
}

Masters masters_for_top(const recording::Handle& v, std::uint64_t most, SourceLine where) {
  recording::recorder(where);  // refuses without a session
  Engine& engine = Session::current().engine();
  const recording::Stored& stored = engine.compute(v.slot(), "top", where);
  engine.meet(Meeting::top, where, {stored.number, most});
  const partition::IndexSpace& space = engine.placement().space(stored.about.space);
  if (space.blocks()) return {space.first_master(), {}, master_bytes(engine, stored)};
  return {0, space.global().first(space.masters()), master_bytes(engine, stored)};
}

}  // namespace detail

const io::VertexIds& detail::ids_of(const std::shared_ptr<const io::VertexIds>& ids, const char* call,
                                    SourceLocation where) {
  if (ids == nullptr)
    recording::refuse(recording::source_line(where), call,
                      "the matrix has no names of vertices: whole graphs that are read from files have, where rows and "
                      "columns are the same elements");
  return *ids;
}

std::vector<std::string> names(const io::VertexIds& ids, std::span<const GlobalIndex> vertices, SourceLocation where) {
  Session::current(where).engine().meet(Meeting::names, recording::source_line(where));
  comm::agree(workers::communicator(), [&] {
    const auto known = [&](GlobalIndex v) { return std::in_range<std::uint64_t>(v) && std::cmp_less(v, ids.length()); };
    const auto wrong = std::find_if_not(vertices.begin(), vertices.end(), known);
    if (wrong == vertices.end()) return;
    recording::refuse(recording::source_line(where), "names",
                      "no vertex " + std::to_string(*wrong) + " among " + std::to_string(ids.length()));
  });
  return ids.names(workers::communicator(), vertices);
}

std::vector<GlobalIndex> vertices(const io::VertexIds& ids, std::span<const std::string> names, SourceLocation where) {
  std::string all;
  for (const std::string& name : names) all += std::to_string(name.size()) + ' ' + name;
  Session::current(where).engine().meet(Meeting::vertices, recording::source_line(where),
                                        {names.size(), hash_of(std::string_view(all))});
  return ids.vertices(workers::communicator(), names);
}

}  // namespace kasen
