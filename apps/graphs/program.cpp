#include "apps/graphs/program.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <span>
#include <tuple>

#include "kasen/base/error.h"
#include "kasen/input_options.h"
#include "kasen/option_values.h"
#include "kasen/workers.h"

namespace apps {

namespace {

using kasen::GlobalIndex;

double weight_of(const kasen::Entries& edges, std::size_t e) {
  double weight;
  std::memcpy(&weight, &edges.value[e * sizeof(double)], sizeof(double));
  return weight;
}

struct WeightedEdge {
  double weight;
  GlobalIndex source, target;

  /// Worse first: nan, then the least, ties by the edge's ends.
  bool operator<(const WeightedEdge& other) const {
    const auto key = [](const WeightedEdge& e) {
      return std::tuple(!std::isnan(e.weight), std::isnan(e.weight) ? 0 : e.weight, e.source, e.target);
    };
    return key(*this) < key(other);
  }
};

/// Collective. Of all workers' edges; of weight 0 if there is none.
WeightedEdge worst_edge(const kasen::Entries& edges) {
  WeightedEdge worst{0, -1, -1};
  for (std::size_t e = 0; e < edges.row.size(); ++e) {
    const WeightedEdge edge{weight_of(edges, e), edges.row[e], edges.column[e]};
    if (!(edge.weight >= 0) && edge < worst) worst = edge;
  }
  const std::vector<WeightedEdge> all = kasen::workers::all_gather(worst);
  return *std::min_element(all.begin(), all.end());
}

}  // namespace

void GraphFile::add_options(CLI::App& app, const std::string& what) {
  app.add_option("--graph", path, what + ": " + kasen::graph_formats() + "; also a directory of parts")
      ->check(kasen::given_name())
      ->type_name("FILE")
      ->required();
  kasen::add_graph_options(app, input);
}

void GraphFile::refuse_rectangle(std::uint64_t rows, std::uint64_t columns) const {
  throw kasen::InputError(
      fmt::format("{}: found a matrix of {} rows and {} columns, expected a square one: a graph", path, rows, columns));
}

kasen::Matrix<double> GraphFile::read_weights() const {
  kasen::detail::FileMatrix file = kasen::detail::read_file_matrix(path, input, kasen::detail::value_request<double>(),
                                                                   kasen::SourceLocation::current());
  if (!file.ids) refuse_rectangle(file.rows.length(), file.columns.length());
  const WeightedEdge worst = worst_edge(file.entries);
  if (!(worst.weight >= 0)) {
    const auto ends = kasen::names(*file.ids, std::vector<GlobalIndex>{worst.source, worst.target});
    throw kasen::InputError(fmt::format("{}: found an edge from '{}' to '{}' of weight {}, expected weights from 0",
                                        path, ends[0], ends[1], worst.weight));
  }
  const auto id = kasen::detail::add_matrix(file.rows, file.columns, std::move(file.entries),
                                            kasen::SourceLocation::current(), file.ids.get());
  return {id, file.rows, file.columns, std::move(file.ids)};
}

std::vector<GlobalIndex> GraphFile::vertices(const VertexNames& ids, const std::vector<std::string>& names,
                                             const std::string& option) const {
  std::vector<GlobalIndex> found = kasen::vertices(*ids, names);
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (found[k] < 0)
      throw kasen::InputError(fmt::format("{}: has no vertex '{}', which {} names", path, names[k], option));
  }
  return found;
}

std::optional<std::int64_t> as_integer(const std::string& word) {
  std::int64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [stopped, error] = std::from_chars(word.data(), end, number);
  return error == std::errc() && stopped == end ? std::optional(number) : std::nullopt;
}

std::string dataset_of(const std::string& prefix, const std::string& name) {
  std::string dataset = prefix;
  for (const char c : name) dataset += c == '/' ? "%2F" : c == '%' ? "%25" : std::string(1, c);
  return dataset;
}

Results::Results(VertexNames ids) : _ids(std::move(ids)) {
  const std::string& path = kasen::Session::current().options().output;
  if (!path.empty()) _output.emplace(path);
}

Results& Results::add_vertices(const std::string& dataset, const kasen::Vector<GlobalIndex>& v) {
  if (!_output) return *this;
  constexpr std::size_t kSlice = std::size_t{1} << 20;  // names are found so many at a time
  const std::vector<GlobalIndex> block = kasen::block_values(v);
  const std::uint64_t slices = kasen::workers::max<std::uint64_t>((block.size() + kSlice - 1) / kSlice);
  std::vector<std::int64_t> integers;
  kasen::io::Words words;
  for (std::uint64_t s = 0; s < slices; ++s) {
    const auto slice = std::span(block).subspan(std::min(block.size(), s * kSlice));
    std::vector<GlobalIndex> there;
    for (const GlobalIndex vertex : slice.first(std::min(slice.size(), kSlice))) {
      if (vertex >= 0) there.push_back(vertex);
    }
    const std::vector<std::string> names = kasen::names(*_ids, there);
    auto next = names.begin();
    for (const GlobalIndex vertex : slice.first(std::min(slice.size(), kSlice))) {
      if (_ids->words()) {
        words.push_back(vertex < 0 ? std::string() : *next++);
      } else {
        integers.push_back(vertex < 0 ? -1 : as_integer(*next++).value());
      }
    }
  }
  if (_ids->words()) {
    _names.emplace_back(kasen::workers::communicator(), v.length(), std::move(words));
  } else {
    _names.emplace_back(v.length(), std::move(integers));
  }
  _output->add(dataset, _names.back());
  return *this;
}

Results& Results::add_words(const std::string& dataset, const kasen::Vector<std::int32_t>& v,
                            const std::vector<std::string>& words) {
  if (!_output) return *this;
  const std::vector<std::int32_t> block = kasen::block_values(v);
  const bool integers = std::all_of(words.begin(), words.end(), [](const auto& word) { return as_integer(word); });
  std::vector<std::int64_t> numbers;
  kasen::io::Words texts;
  for (const std::int32_t place : block) {
    const std::string word = place < 0 ? integers ? "-1" : "" : words[static_cast<std::size_t>(place)];
    if (integers) {
      numbers.push_back(as_integer(word).value());
    } else {
      texts.push_back(word);
    }
  }
  if (integers) {
    _names.emplace_back(v.length(), std::move(numbers));
  } else {
    _names.emplace_back(kasen::workers::communicator(), v.length(), std::move(texts));
  }
  _output->add(dataset, _names.back());
  return *this;
}

void Results::commit() {
  if (!_output) return;
  _output->add("vertex", *_ids);
  _output->commit();
}

void print_summary(kasen::Space vertices, const std::string& findings) {
  const kasen::Session& session = kasen::Session::current();
  session.print(fmt::format("{} vertices, {} worker{}, {} iterations, {}\n", vertices.length(), session.workers(),
                            session.workers() == 1 ? "" : "s", session.counts().iterations, findings));
}

}  // namespace apps
