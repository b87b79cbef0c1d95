/// @file
/// Reading edge lists: agree where the edges begin and what ids are, parse byte ranges, rank the ids.
#include "kasen/io/formats/edge_list.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/io/data/matrix_rows.h"
#include "kasen/io/formats/edge_line.h"
#include "kasen/io/ids/id_ranking.h"
#include "kasen/io/ids/id_table.h"
#include "kasen/io/lines/text_lines.h"

namespace kasen::io {

namespace {

/// What all workers must know before they read; worker 0 finds out.
struct Head {
  EdgeLineFormat format;
  TextPosition first_data;
  bool any_data = false;
};

Head read_edge_head(const Text& text, const ReadOptions& options, const ValueRequest& values) {
  using Weight = EdgeLineFormat::Weight;
  Head head;
  head.format.weight = values.stored ? Weight::number : options.ignore_weights ? Weight::ignored : Weight::none;
  head.format.weight_rule = values.rule;
  head.format.words = options.ids == ReadOptions::IdKind::word;
  head.format.by_first_line = options.ids == ReadOptions::IdKind::automatic;
  read_head(
      text,
      [&](const TextLine& line) {
        std::string_view source, target;
        double weight = 0;
        const bool too_long = line.cut_off && trimmed(line.text).empty();
        if (read_edge_line(line.text, head.format, source, target, weight) == LineKind::empty && !too_long) return true;
        head.any_data = true;
        head.first_data = position_of(text, line);
        if (head.format.by_first_line) head.format.words = !looks_like_integers(line.text);
        return false;
      },
      LineReader::kBufferBytes);
  return head;
}

/// Reads the lines into edges whose ids are still the numbers that a table gives them.
template <class Id, class Keys, class Hash>
class EdgeParser {
 public:
  explicit EdgeParser(const Head& head) : _head(&head) {
    entries.value_bytes = head.format.weight == EdgeLineFormat::Weight::number ? sizeof(double) : 0;
  }

  void operator()(const TextLine& line) {
    LineKind kind = read_edge_line(line.text, _head->format, _source, _target, _weight);
    if (line.cut_off) {
      const std::string_view text = trimmed(line.text);
      if (text.empty() || !is_empty_or_comment(text)) kind = LineKind::wrong;
    }
    if (kind == LineKind::empty) return;
    if (kind == LineKind::wrong) {
      const bool first = line.part == _head->first_data.part && line.offset == _head->first_data.offset;
      throw explain_edge_line(line.text, _head->format, first, line.cut_off);
    }
    _batch.push_back(_source);
    _batch.push_back(_target);
    _weights[_batch.size() / 2 - 1] = _weight;
    if (_batch.size() == _numbers.size()) number_batch();
  }
  void number_batch() {
    table.number(_batch, _numbers);
    for (std::size_t k = 0; k < _batch.size(); k += 2) {
      append(entries, _numbers[k], _numbers[k + 1], _weights[k / 2]);
    }
    _batch.clear();
  }

  IdTable<Keys, Hash> table;
  Entries entries;

 private:
  const Head* _head;
  Keys _batch;  ///< source, target, source, target, ...
  std::array<std::uint32_t, 512> _numbers{};
  std::array<double, 256> _weights{};
  Id _source{}, _target{};
  double _weight = 0;
};

VertexIds make_vertex_ids(const comm::Communicator&, std::uint64_t length, std::vector<std::int64_t> block) {
  return {length, std::move(block)};
}
VertexIds make_vertex_ids(const comm::Communicator& communicator, std::uint64_t length, Words block) {
  return {communicator, length, std::move(block)};
}

/// Collective. Everything after the head, for one kind of ids.
template <class Parser>
SparseData read_edges(const comm::Communicator& communicator, const Text& text, const Head& head) {
  Parser parser(head);
  read_lines(communicator, text, text.start(), parser, LineReader::kBufferBytes);
  comm::agree(communicator, [&] { parser.number_batch(); });

  SparseData graph;
  graph.graph = true;
  auto ranked = rank_ids(communicator, parser.table.take_keys());
  graph.rows = graph.columns = ranked.length;
  graph.entries = std::move(parser.entries);
  for (auto* side : {&graph.entries.row, &graph.entries.column}) {
    side->transform([&](GlobalIndex id) { return ranked.index[static_cast<std::size_t>(id)]; });
  }
  graph.ids = make_vertex_ids(communicator, ranked.length, std::move(ranked.block));
  return graph;
}

}  // namespace

Likeness recognise_edge_list(const Beginning& beginning) {
  if (index_value_pairs(beginning.first_content()) > 1) return Likeness::none;  // one could be the name of a vertex
  // Most lines decide: one that is not like them is for the reader to refuse.
  const std::vector<std::string>& lines = beginning.content();
  const auto edges = std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
    const std::size_t fields = words_of(line).size();
    return (fields == 2 || fields == 3) && line.find_first_of(",;") == std::string::npos;
  });
  return lines.empty() || 2 * static_cast<std::size_t>(edges) > lines.size() ? Likeness::likely : Likeness::possible;
}

Content look_at_edge_list(const Beginning& beginning, const ReadOptions&, std::optional<Kind>) {
  return {Kind::graph, words_of(beginning.first_content()).size() == 3};
}

SparseData read_edge_list(const comm::Communicator& communicator, const Text& text, const ReadOptions& options,
                          const ValueRequest& values) {
  Head head;
  comm::agree(communicator, [&] {
    if (communicator.rank() == 0) head = read_edge_head(text, options, values);
  });
  communicator.broadcast(std::span<Head>(&head, 1), 0);
  if (!head.any_data) throw InputError(text.path() + (text.empty() ? ": the file is empty" : ": no edges found"));
  if (head.format.words) {
    return read_edges<EdgeParser<std::string_view, Words, HashWord>>(communicator, text, head);
  }
  return read_edges<EdgeParser<std::int64_t, std::vector<std::int64_t>, HashInteger>>(communicator, text, head);
}

}  // namespace kasen::io
