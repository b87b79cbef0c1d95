#include "kasen/input.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "kasen/base/error.h"
#include "kasen/base/hash.h"
#include "kasen/base/random.h"
#include "kasen/io/data/matrix_rows.h"
#include "kasen/io/data/reading_hash.h"
#include "kasen/io/formats/read.h"
#include "kasen/session.h"
#include "kasen/session/engine.h"

namespace kasen::detail {
namespace {

/// Of entries in this order, which checkpoint::hash_of_entries does not go by; 0 if there are none.
std::uint64_t hash_in_order(const Entries& entries) {
  std::uint64_t hash = entries.row.size();
  for (std::size_t k = 0; k < entries.row.size(); ++k) {
    hash =
        random_bits(hash ^ static_cast<std::uint64_t>(entries.row[k]), static_cast<std::uint64_t>(entries.column[k]));
  }
  return random_bits_of(std::span<const std::byte>(entries.value), hash);
}

}  // namespace

void refuse_ignored_weights(SourceLocation where) {
  recording::refuse(
      recording::source_line(where), "read_matrix",
      "ignore_weights leaves out the values that a matrix of numbers needs: read_matrix<Pattern> has none");
}

FileMatrix read_file_matrix(const std::string& path, const ReadOptions& options, const io::ValueRequest& values,
                            SourceLocation where) {
  const Engine& engine = Session::current(where).engine();
  engine.meet(Meeting::file, recording::source_line(where),
              {hash_of(path), hash_of("matrix"), io::hash_of(options, values)});
  const TimelineScope scope(engine.timeline(), Timeline::Kind::read);
  const comm::Communicator& workers = engine.control();
  io::SparseData data = io::read_graph(workers, path, options, values);
  const Space rows(data.rows), columns(data.columns);
  std::shared_ptr<const io::VertexIds> ids;
  if (data.graph) {
    ids = std::make_shared<const io::VertexIds>(data.ids.length() > 0 ? std::move(data.ids)
                                                                      : io::numbered_vertices(workers, data.rows, 0));
  }
  return {std::move(data.entries), rows, columns, std::move(ids)};
}

FileMatrix read_file_samples(const std::string& path, const ReadOptions& options, const io::ValueRequest& values,
                             std::optional<std::vector<double>>& labels, SourceLocation where) {
  const Engine& engine = Session::current(where).engine();
  engine.meet(Meeting::file, recording::source_line(where),
              {hash_of(path), hash_of("samples"), io::hash_of(options, values)});
  const TimelineScope scope(engine.timeline(), Timeline::Kind::read);
  io::SparseData data = io::read_samples(engine.control(), path, options, values);
  if (data.labelled) labels = std::move(data.labels);
  return {std::move(data.entries), Space(data.rows), Space(data.columns), nullptr};
}

MatrixId add_matrix(Space rows, Space columns, Entries entries, SourceLocation where, const io::VertexIds* ids) {
  return Session::current().engine().add_matrix(rows.id(), columns.id(), std::move(entries),
                                                recording::source_line(where), ids);
}

MatrixId make_matrix(Space rows, Space columns, Entries entries, std::uint64_t type, bool may_repeat,
                     SourceLocation where) {
  const SourceLine line = recording::source_line(where);
  recording::require_session(rows.session(), "make_matrix", line);
  recording::require_session(columns.session(), "make_matrix", line);
  Engine& engine = Session::current().engine();
  if (engine.recorder().in_block()) recording::refuse(line, "make_matrix", "not allowed in a recorded block");
  engine.meet(Meeting::matrix, line,
              {index_of(rows.id()), rows.length(), index_of(columns.id()), columns.length(), entries.value_bytes, type,
               may_repeat ? 1u : 0u});
  if (!may_repeat && engine.control().size() > 1) {
    const std::vector<std::uint64_t> all = engine.control().all_gather(hash_in_order(entries));
    if (all[0] != 0 && std::all_of(all.begin(), all.end(), [&](std::uint64_t hash) { return hash == all[0]; })) {
      recording::refuse(line, "make_matrix",
                        "all workers give the same entries, which would count each of them once for every worker: give "
                        "an entry on one worker, as by `if (session.rank() == 0)`, or say EqualEntries::meant");
    }
  }
  return added("make_matrix", line,
               [&] { return engine.add_matrix(rows.id(), columns.id(), std::move(entries), line); });
}

MatrixId added(const char* call, SourceLine line, const std::function<MatrixId()>& add) {
  try {
    return add();
  } catch (const InternalError&) {
    throw;
  } catch (const Error& error) {  // the same on all workers
    recording::refuse(line, call, error.what());
  }
}

}  // namespace kasen::detail
