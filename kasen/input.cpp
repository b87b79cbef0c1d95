#include "kasen/input.h"

#include "kasen/engine.h"
#include "kasen/session.h"

namespace kasen::detail {

Matrix<Pattern> read_pattern(const std::string& path, const io::EdgeListOptions& options) {
  Engine& engine = Session::current().engine();
  io::EdgeList list = io::read_edge_list(engine.control(), path, options);
  const Space vertices(list.vertices);
  const MatrixId id =
      engine.add_matrix(vertices.id(), vertices.id(), std::move(list.entries), {path.c_str(), 0}, &list.ids);
  return {id, vertices, vertices, std::make_shared<const io::VertexIds>(std::move(list.ids))};
}

MatrixId add_matrix(Space rows, Space columns, partition::Entries entries, std::source_location where) {
  return Session::current().engine().add_matrix(rows.id(), columns.id(), std::move(entries),
                                                recording::source_line(where));
}

}  // namespace kasen::detail
