#include "kasen/input.h"

#include <cmath>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/engine.h"
#include "kasen/io/read.h"
#include "kasen/session.h"
#include "partition/assignment.h"

namespace kasen::detail {

namespace {

/// Names 0, 1, 2, ... for vertices that have none.
io::VertexIds numbered(const comm::Communicator& workers, std::uint64_t vertices) {
  const auto blocks = partition::Assignment::block(vertices, workers.size());
  std::vector<std::int64_t> block;
  for (GlobalIndex i = blocks.block_begin(workers.rank()); i < blocks.block_begin(workers.rank() + 1); ++i) {
    block.push_back(i);
  }
  return {vertices, std::move(block)};
}

}  // namespace

FileMatrix read_file_matrix(const std::string& path, const ReadOptions& options, const io::ValueRequest& values) {
  const comm::Communicator& workers = Session::current().engine().control();
  io::SparseData data = io::read_graph(workers, path, options, values);
  const Space rows(data.rows), columns(data.columns);
  std::shared_ptr<const io::VertexIds> ids;
  if (data.graph) {
    ids = std::make_shared<const io::VertexIds>(data.ids.length() > 0 ? std::move(data.ids)
                                                                      : numbered(workers, data.rows));
  }
  return {std::move(data.entries), rows, columns, std::move(ids)};
}

MatrixId add_matrix(Space rows, Space columns, partition::Entries entries, std::source_location where) {
  return Session::current().engine().add_matrix(rows.id(), columns.id(), std::move(entries),
                                                recording::source_line(where));
}

}  // namespace kasen::detail
