#include "kasen/input.h"

#include "kasen/engine.h"
#include "kasen/io/matrix_rows.h"
#include "kasen/io/read.h"
#include "kasen/session.h"

namespace kasen::detail {

FileMatrix read_file_matrix(const std::string& path, const ReadOptions& options, const io::ValueRequest& values) {
  const comm::Communicator& workers = Session::current().engine().control();
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
                             std::optional<std::vector<double>>& labels) {
  io::SparseData data = io::read_samples(Session::current().engine().control(), path, options, values);
  if (data.labelled) labels = std::move(data.labels);
  return {std::move(data.entries), Space(data.rows), Space(data.columns), nullptr};
}

MatrixId add_matrix(Space rows, Space columns, partition::Entries entries, SourceLocation where,
                    const io::VertexIds* ids) {
  return Session::current().engine().add_matrix(rows.id(), columns.id(), std::move(entries),
                                                recording::source_line(where), ids);
}

}  // namespace kasen::detail
