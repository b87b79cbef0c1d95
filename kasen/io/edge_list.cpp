/// @file
/// Reading edge lists: agree where the edges begin and what ids are, parse byte ranges, rank the ids, drop duplicates.
#include "kasen/io/edge_list.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/io/byte_range.h"
#include "kasen/io/edge_line.h"
#include "kasen/io/id_ranking.h"
#include "kasen/io/id_table.h"
#include "partition/assignment.h"

namespace kasen::io {

namespace {

/// What all workers must know before they read; worker 0 finds out.
struct Head {
  LineFormat format;
  std::uint64_t size = 0;
  bool any_data = false;
  bool ends_with_line = true;  ///< the file's last byte is LF
};

Head read_head(const InputFile& file, const EdgeListOptions& options) {
  Head head;
  head.size = file.size();
  char bytes[8];
  const std::string_view first_bytes(bytes, file.read(0, bytes, sizeof bytes));
  if (const std::string_view method = compression(first_bytes); !method.empty()) {
    throw InputError(file.path() + ": is compressed with " + std::string(method) + "; unpack it first");
  }
  const std::uint64_t start = first_bytes.starts_with("\xef\xbb\xbf") ? 3 : 0;  // a byte order mark is no id
  head.format.words = options.ids == EdgeListOptions::IdKind::word;
  head.format.by_first_line = options.ids == EdgeListOptions::IdKind::automatic;
  char last = '\n';
  if (head.size > 0) file.read(head.size - 1, &last, 1);
  head.ends_with_line = last == '\n' || head.size == start;

  LineReader reader(file, start, start, head.size);
  std::string_view line;
  for (std::uint64_t skipped = 0; skipped < options.skip_lines; ++skipped) {
    if (!reader.next(line)) return head;
  }
  bool first = true;
  while (reader.next(line)) {
    if (std::exchange(first, false)) head.format.origin = reader.line_offset();
    std::string_view source, target;
    const bool too_long = reader.cut_off() && trimmed(line).empty();
    if (read_line(line, source, target) == LineKind::empty && !too_long) continue;
    head.any_data = true;
    head.format.first_data = reader.line_offset();
    if (head.format.by_first_line) head.format.words = !looks_like_integers(line);
    break;
  }
  return head;
}

/// What one worker read; until the ids are ranked, `entries` hold the numbers that the table gave them.
struct ReadEdges {
  partition::Entries entries;
  std::uint64_t line_ends = 0;
  std::uint64_t self_loops_dropped = 0;
  struct Wrong {
    std::uint64_t line;  ///< line ends before it in this worker's range
    std::string message;
  };
  std::optional<Wrong> wrong;
};

template <class Field, class Keys, class Hash>
void read_range(LineReader& reader, const LineFormat& format, bool drop_self_loops, IdTable<Keys, Hash>& table,
                ReadEdges& edges) {
  Keys batch;  // source, target, source, target, ...
  std::array<std::uint32_t, 512> numbers;
  const auto number_batch = [&] {
    table.number(batch, numbers);
    for (std::size_t k = 0; k < batch.size(); k += 2) {
      if (drop_self_loops && numbers[k] == numbers[k + 1]) {
        ++edges.self_loops_dropped;
      } else {
        edges.entries.row.push_back(numbers[k]);
        edges.entries.column.push_back(numbers[k + 1]);
      }
    }
    batch.clear();
  };
  std::string_view line;
  Field source{}, target{};
  while (reader.next(line)) {
    LineKind kind = read_line(line, source, target);
    const std::string_view text = reader.cut_off() ? trimmed(line) : std::string_view();
    if (reader.cut_off() && (text.empty() || !is_empty_or_comment(text))) kind = LineKind::wrong;
    if (kind == LineKind::empty) continue;
    if (kind == LineKind::wrong) {
      const bool first_data_line = reader.line_offset() == format.first_data;
      edges.wrong = {reader.line_number(), explain(line, format, first_data_line, reader.cut_off())};
      return;
    }
    batch.push_back(source);
    batch.push_back(target);
    if (batch.size() == numbers.size()) number_batch();
  }
  number_batch();
  edges.line_ends = reader.line_ends();
}

struct Edge {
  GlobalIndex source, target;
  auto operator<=>(const Edge&) const = default;
};

/// Collective. Brings edges to the owner of their source, sorts them and keeps one of each.
/// @return the number of edges this worker dropped
std::uint64_t drop_duplicates(const comm::Communicator& communicator, std::uint64_t vertices,
                              partition::Entries& entries) {
  const auto blocks = partition::Assignment::block(vertices, communicator.size());
  std::vector<std::uint64_t> offsets(static_cast<std::size_t>(communicator.size()) + 1);
  for (const GlobalIndex row : entries.row) ++offsets[static_cast<std::size_t>(blocks.owner(row)) + 1];
  for (std::size_t w = 1; w < offsets.size(); ++w) offsets[w] += offsets[w - 1];
  std::vector<Edge> edges(entries.row.size());
  std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    edges[next[static_cast<std::size_t>(blocks.owner(entries.row[k]))]++] = {entries.row[k], entries.column[k]};
  }
  entries = {};

  edges = communicator.all_to_all(std::span<const Edge>(edges), std::span<const std::uint64_t>(offsets)).values;
  const std::uint64_t received = edges.size();
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  entries.row.reserve(edges.size());
  entries.column.reserve(edges.size());
  for (const Edge& edge : edges) {
    entries.row.push_back(edge.source);
    entries.column.push_back(edge.target);
  }
  return received - edges.size();
}

VertexIds make_vertex_ids(const comm::Communicator&, std::uint64_t length, std::vector<std::int64_t> block) {
  return {length, std::move(block)};
}
VertexIds make_vertex_ids(const comm::Communicator& communicator, std::uint64_t length, Words block) {
  return {communicator, length, std::move(block)};
}

/// Collective. Everything after the head, for one kind of ids.
template <class Field, class Table>
EdgeList read_edges(const comm::Communicator& communicator, const InputFile& file, const Head& head,
                    const EdgeListOptions& options) {
  Table table;
  ReadEdges edges;
  comm::agree(communicator, [&] {
    const std::uint64_t origin = head.format.origin;
    const auto ranges = partition::Assignment::block(head.size - origin, communicator.size());
    const auto range_begin = [&](Rank worker) {
      return origin + static_cast<std::uint64_t>(ranges.block_begin(worker));
    };
    LineReader reader(file, origin, range_begin(communicator.rank()), range_begin(communicator.rank() + 1));
    read_range<Field>(reader, head.format, options.drop_self_loops, table, edges);
  });
  // Of several wrong lines the lowest worker's is the first in the file, and the workers before it know their lines.
  const std::uint64_t lines_before = options.skip_lines + communicator.exclusive_sum(edges.line_ends);
  comm::agree(communicator, [&] {
    if (!edges.wrong) return;
    const std::uint64_t line = lines_before + edges.wrong->line + 1;
    throw InputError(file.path() + ":" + std::to_string(line) + ": " + edges.wrong->message);
  });

  EdgeList list;
  list.lines = options.skip_lines + communicator.sum(edges.line_ends) + (head.ends_with_line ? 0 : 1);
  list.self_loops_dropped = communicator.sum(edges.self_loops_dropped);
  auto ranked = rank_ids(communicator, table.keys());
  table = Table();
  list.vertices = ranked.length;
  list.entries = std::move(edges.entries);
  for (auto* side : {&list.entries.row, &list.entries.column}) {
    for (GlobalIndex& id : *side) id = ranked.index[static_cast<std::size_t>(id)];
  }
  list.ids = make_vertex_ids(communicator, ranked.length, std::move(ranked.block));
  if (options.drop_duplicates) {
    list.duplicates_dropped = communicator.sum(drop_duplicates(communicator, list.vertices, list.entries));
  }
  list.edges = communicator.sum<std::uint64_t>(list.entries.row.size());
  return list;
}

}  // namespace

EdgeList read_edge_list(const comm::Communicator& communicator, const std::string& path,
                        const EdgeListOptions& options) {
  std::optional<InputFile> file;
  Head head;
  comm::agree(communicator, [&] {
    file.emplace(path);
    if (communicator.rank() == 0) head = read_head(*file, options);
  });
  communicator.broadcast(std::span<Head>(&head, 1), 0);
  if (!head.any_data) throw InputError(path + (head.size == 0 ? ": the file is empty" : ": no edges found"));
  return head.format.words ? read_edges<std::string_view, WordTable>(communicator, *file, head, options)
                           : read_edges<std::int64_t, IntegerTable>(communicator, *file, head, options);
}

}  // namespace kasen::io
