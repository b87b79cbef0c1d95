/// @file
/// Writing edge lists: every line under the names of its vertices.
#include <algorithm>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/io/data/row_block.h"
#include "kasen/io/formats/edge_list.h"
#include "kasen/io/lines/fields.h"
#include "kasen/io/lines/text_output.h"

namespace kasen::io {

namespace {

/// The names of vertices as an edge list can hold them, each once.
class Names {
 public:
  /// Collective. @param used any vertices, in any order; replaced by their places among the names.
  Names(const comm::Communicator& communicator, const VertexIds& ids, std::vector<GlobalIndex>& used) {
    if (ids.length() == 0) return;
    std::vector<GlobalIndex> distinct(used);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (GlobalIndex& vertex : used) {
      vertex = std::lower_bound(distinct.begin(), distinct.end(), vertex) - distinct.begin();
    }
    _names = ids.names(communicator, distinct);
  }
  /// @throws InputError if a name would be read as something else.
  void check(const std::string& path) const {
    for (const std::string& name : _names) {
      const bool blank = std::any_of(name.begin(), name.end(), [](unsigned char c) { return c <= ' '; });
      if (name.empty() || blank || name[0] == '#' || name[0] == '%') {
        throw InputError(path + ": cannot be written: an edge list cannot hold a vertex named " + quoted(name));
      }
    }
  }
  void append_to(std::string& text, GlobalIndex vertex) const {
    if (_names.empty()) {
      append(text, vertex);
    } else {
      text += _names[static_cast<std::size_t>(vertex)];
    }
  }

 private:
  std::vector<std::string> _names;
};

}  // namespace

void write_edge_list(const comm::Communicator& communicator, const std::string& path, SparseData data) {
  if (!data.graph) throw InputError(path + ": cannot be written: an edge list holds graphs, and these are samples");
  const bool pattern = data.entries.value_bytes == 0;
  RowBlock block = to_row_block(communicator, std::move(data.entries), data.rows, data.columns);
  const std::uint64_t edges = communicator.sum<std::uint64_t>(block.column.size());
  std::vector<GlobalIndex> row = block.rows_of_entries();
  const Names sources(communicator, data.ids, row), targets(communicator, data.ids, block.column);
  comm::agree(communicator, [&] {
    sources.check(path);
    targets.check(path);
  });
  const std::string header = "# " + std::to_string(data.rows) + " vertices, " + std::to_string(edges) + " edges\n";
  write_sections(communicator, path, header, 1, row.size(), [&](std::uint64_t, std::uint64_t k, std::string& text) {
    sources.append_to(text, row[k]);
    targets.append_to(text += ' ', block.column[k]);
    if (!pattern) append(text += ' ', block.value[k]);
    text += '\n';
  });
}

}  // namespace kasen::io
