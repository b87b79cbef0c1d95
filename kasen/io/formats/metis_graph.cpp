#include "kasen/io/formats/metis_graph.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <string>

#include "comm/agreement.h"
#include "comm/available_memory.h"
#include "kasen/base/error.h"
#include "kasen/base/random.h"
#include "kasen/io/data/matrix_rows.h"
#include "kasen/io/data/within_limit.h"
#include "kasen/io/formats/metis_line.h"
#include "kasen/io/lines/text_lines.h"

namespace kasen::io {

namespace {

constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

struct Head {
  MetisHeader header;
  TextPosition body;
  bool any = false;
};

/// The least that a graph takes, whatever is done with it: its edges in both directions, and a number for each vertex.
std::uint64_t least_bytes(const MetisHeader& header, bool values) {
  const std::uint64_t edge = 2 * (2 * bytes_of_index(header.vertices) + (values ? sizeof(double) : 0));
  return comm::bytes_and(comm::bytes_of(header.vertices, 16), comm::bytes_of(header.edges, edge));
}

/// Local. @param available bytes of memory of all workers together.
Head read_metis_head(const Text& text, bool values, std::uint64_t available) {
  Head head;
  read_head(text, [&](const TextLine& line) {
    if (is_metis_comment(line.text)) return true;
    head.header = parse_metis_header(line.text);
    const std::uint64_t needed = least_bytes(head.header, values);
    if (needed > available) {
      throw LineError{0, "expected a graph that fits into memory, found " + std::to_string(head.header.vertices) +
                             " vertices and " + std::to_string(head.header.edges) +
                             " edges: " + comm::too_little_memory(needed, available)};
    }
    head.body = after(text, line);
    head.any = true;
    return false;
  });
  if (!head.any) throw InputError(text.path() + ": the file is empty, expected a METIS graph");
  return head;
}

[[noreturn]] void wrong_count(const Text& text, std::uint64_t expected, const char* what, const std::string& found) {
  throw InputError(text.path() + ": expected " + std::to_string(expected) + " " + what +
                   ", as its first line says, found " + found);
}

/// 0, summed over all entries, where each neighbour of a vertex lists it too, with the same weight; anything else, but
/// for one in 2^64, where not.
std::uint64_t lopsidedness(const Entries& entries) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < entries.row.size(); ++k) {
    const auto [low, high] = std::minmax({entries.row[k], entries.column[k]});
    std::uint64_t weight = 0;
    if (entries.value_bytes > 0) std::memcpy(&weight, &entries.value[k * entries.value_bytes], entries.value_bytes);
    const std::uint64_t edge =
        random_bits(random_bits(weight, static_cast<std::uint64_t>(low)), static_cast<std::uint64_t>(high));
    sum += entries.row[k] == low ? edge : -edge;
  }
  return sum;
}

}  // namespace

Likeness recognise_metis(const Beginning& beginning) {
  if (index_value_pairs(beginning.first_content()) > 1) return Likeness::none;
  const std::string& ending = beginning.ending();
  return ending == ".graph" || ending == ".metis" || ending == ".chaco" ? Likeness::named : Likeness::none;
}

Content look_at_metis(const Beginning& beginning, const ReadOptions&, std::optional<Kind>) {
  // Vertices, edges, and digits that say what else there is: the last one, weights of edges.
  const std::vector<std::string_view> sizes = words_of(beginning.first_content());
  return {Kind::graph, sizes.size() >= 3 && sizes[2].ends_with('1')};
}

SparseData read_metis_graph(const comm::Communicator& communicator, const Text& text, const ReadOptions&,
                            const ValueRequest& values) {
  Head head;
  const std::uint64_t available = comm::available_memory(communicator);
  comm::agree(communicator, [&] {
    if (communicator.rank() == 0) head = read_metis_head(text, values.stored, available);
  });
  communicator.broadcast(std::span<Head>(&head, 1), 0);
  const MetisHeader& header = head.header;
  if (values.stored && !header.edge_weights) {
    throw InputError(text.path() + ": expected weights of edges, found a graph without them");
  }

  require_within_limit(communicator, text.path(),
                       {header.vertices, header.vertices, 2 * header.edges, values.stored ? sizeof(double) : 0, true},
                       true);
  SparseData graph;
  graph.graph = true;
  graph.rows = graph.columns = header.vertices;
  graph.entries = no_entries(values);
  MetisNeighbours neighbours;
  std::uint64_t lines = 0, filled = 0;  // lines up to the last one that is not blank
  std::uint64_t bare = kNone;           // the first that is blank and should have weights, if it is a vertex's
  read_lines(communicator, text, head.body, [&](const TextLine& line) {
    if (line.cut_off) throw LineError{0, "expected the neighbours of a vertex, found a line of more than 256 MiB"};
    if (is_metis_comment(line.text)) return;
    const bool blank = trimmed(line.text).empty();
    const auto vertex = static_cast<GlobalIndex>(lines++);
    if (blank) {
      if (header.vertex_numbers > 0) bare = std::min(bare, lines - 1);
      return;
    }
    filled = lines;
    parse_metis_line(line.text, header, values.rule, neighbours);
    for (std::size_t k = 0; k < neighbours.vertices.size(); ++k) {
      append(graph.entries, vertex, static_cast<GlobalIndex>(neighbours.vertices[k]),
             header.edge_weights ? neighbours.weights[k] : 0);
    }
  });
  const std::uint64_t first = communicator.exclusive_sum(lines);
  const std::uint64_t last = communicator.max(filled > 0 ? first + filled : 0), all = communicator.sum(lines);
  if (all < header.vertices) wrong_count(text, header.vertices, "lines of vertices", std::to_string(all));
  if (last > header.vertices) wrong_count(text, header.vertices, "lines of vertices", std::to_string(last));
  bare = communicator.min(bare == kNone ? kNone : first + bare);
  if (bare < header.vertices) {
    throw InputError(text.path() + ": expected the weights of vertex " + std::to_string(bare + 1) +
                     ", found a blank line");
  }
  std::uint64_t loops = 0;
  graph.entries.row.transform([&](GlobalIndex row) { return row + static_cast<GlobalIndex>(first); });
  for (std::size_t k = 0; k < graph.entries.row.size(); ++k) {
    loops += graph.entries.row[k] == graph.entries.column[k] ? 1 : 0;
  }
  if (communicator.sum(loops) > 0) {
    throw InputError(text.path() + ": expected no edges from a vertex to itself, found " +
                     std::to_string(communicator.sum(loops)));
  }
  const std::uint64_t entries = communicator.sum<std::uint64_t>(graph.entries.row.size());
  if (entries != 2 * header.edges) {
    wrong_count(text, header.edges, "edges, each listed by both of its vertices",
                std::to_string(entries) + " neighbours");
  }
  if (communicator.sum(lopsidedness(graph.entries)) != 0) {
    throw InputError(text.path() + ": expected each edge listed by both of its vertices" +
                     (values.stored ? ", with one weight" : "") + ", found one that is not");
  }
  graph.ids = numbered_vertices(communicator, header.vertices, 1);
  return graph;
}

}  // namespace kasen::io
