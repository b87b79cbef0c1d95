/// @file
/// Worker 0 looks, all know.
#include "apps/convert/tell.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <vector>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/io/file_layout.h"
#include "kasen/io/hdf5_search.h"
#include "kasen/io/text.h"
#include "kasen/io/text_lines.h"

namespace apps::convert {

namespace {

using kasen::InputError;
using kasen::io::Format;
using kasen::io::Hdf5File;
using kasen::io::Kind;
using kasen::io::Text;

struct Line {
  std::vector<std::string> fields;
  bool commas = false;
};

Line split(std::string_view text) {
  Line line;
  std::string field;
  for (const char c : text) {
    line.commas = line.commas || c == ',' || c == ';';
    if (c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r') {
      if (!field.empty()) line.fields.push_back(field);
      field.clear();
    } else {
      field += c;
    }
  }
  if (!field.empty()) line.fields.push_back(field);
  return line;
}

/// Lines that hold anything but a comment; `head`: the first line of all, whatever it is.
struct Beginning {
  std::string head;
  std::vector<Line> lines;
};

Beginning look_at(const Text& text) {
  constexpr std::size_t kLines = 100;
  Beginning beginning;
  bool first = true;
  kasen::io::read_head(text, [&](const kasen::io::TextLine& line) {
    if (first) beginning.head = line.text.substr(0, 200);
    first = false;
    Line fields = split(line.text);
    const bool comment = !fields.fields.empty() && (fields.fields[0][0] == '#' || fields.fields[0][0] == '%');
    if (!fields.fields.empty() && !comment) beginning.lines.push_back(std::move(fields));
    return beginning.lines.size() < kLines;
  });
  return beginning;
}

Told tell_hdf5(const std::string& path, const std::string& dataset, const Kind* kind) {
  const Hdf5File file(path);
  const auto content = file.text_attribute("/", kasen::io::kContentAttribute);
  if (kind != nullptr) return {*kind, Format::hdf5, true};
  if (content == "graph") return {Kind::graph, Format::hdf5, true};
  if (content == "samples") return {Kind::samples, Format::hdf5, true};
  const std::string name = dataset.empty() ? "" : kasen::io::absolute_name(dataset);
  const bool table = !name.empty() && file.object(name) == Hdf5File::Object::dataset;
  if (content == "table" || table) return {Kind::dense, Format::hdf5, true};
  try {
    const kasen::io::SparseGroup group = kasen::io::find_sparse(file, dataset);
    return {group.rows == group.columns ? Kind::graph : Kind::samples, Format::hdf5, true};
  } catch (const InputError&) {
    if (!name.empty()) throw;
    return {Kind::dense, Format::hdf5, true};  // or nothing: its reader says why
  }
}

Told tell_matrix_market(const Beginning& beginning, const Kind* kind) {
  std::string header = beginning.head;
  std::transform(header.begin(), header.end(), header.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  const bool array = header.find(" array") != std::string::npos;
  const bool values = header.find(" pattern") == std::string::npos;
  if (kind != nullptr) return {*kind, Format::matrix_market, values};
  if (array) return {Kind::dense, Format::matrix_market, true};
  const bool square = !beginning.lines.empty() && beginning.lines[0].fields.size() >= 2 &&
                      beginning.lines[0].fields[0] == beginning.lines[0].fields[1];
  return {square ? Kind::graph : Kind::samples, Format::matrix_market, values};
}

bool has_pairs(const Beginning& beginning) {
  return std::any_of(beginning.lines.begin(), beginning.lines.end(), [](const Line& line) {
    return std::any_of(line.fields.begin(), line.fields.end(), [](const std::string& field) {
      const std::size_t colon = field.find_first_not_of("0123456789");
      return colon != 0 && colon != std::string::npos && field[colon] == ':';
    });
  });
}

/// A table, or an edge list, from what its lines look like.
Kind kind_of_lines(const std::string& path, const Beginning& beginning) {
  std::filesystem::path name(path);
  for (const char* compressed : {".gz", ".bz2", ".zst", ".zstd"}) {
    if (name.extension() == compressed) name = name.stem();
  }
  for (const char* table : {".csv", ".tsv", ".dat", ".data"}) {
    if (name.extension() == table) return Kind::dense;
  }
  if (beginning.lines.empty()) return Kind::graph;
  // Most lines decide: one that is not like them is for the reader to refuse.
  const auto looks_like_edge = [](const Line& line) {
    return !line.commas && (line.fields.size() == 2 || line.fields.size() == 3);
  };
  const auto edges = std::count_if(beginning.lines.begin(), beginning.lines.end(), looks_like_edge);
  return 2 * static_cast<std::size_t>(edges) > beginning.lines.size() ? Kind::graph : Kind::dense;
}

/// As for a graph; but what is refused could have been anything.
Format tell_or_refuse(const Text& text) {
  try {
    return kasen::io::tell_format(text, Kind::graph);
  } catch (const InputError& error) {
    const std::string message = error.what();
    const std::size_t end = message.find(", expected a graph");
    if (end == std::string::npos) throw;
    throw InputError(message.substr(0, end) + ", expected a graph, samples or a table; --format says what it is");
  }
}

/// The format that the text's reader would find; LIBSVM before all that it may be mistaken for.
Format tell_text(const Text& text, const Beginning& beginning, const Kind* kind) {
  if (kind != nullptr) return kasen::io::tell_format(text, *kind);
  if (has_pairs(beginning)) {
    try {
      if (kasen::io::tell_format(text, Kind::samples) == Format::libsvm) return Format::libsvm;
    } catch (const InputError&) {
    }
  }
  const Format format = tell_or_refuse(text);
  if (format != Format::edge_list || kind_of_lines(text.parts()[0].path, beginning) == Kind::graph) return format;
  return Format::table;
}

Told tell_here(const Text& text, const kasen::io::ReadOptions& options, const Kind* kind) {
  const Beginning beginning = look_at(text);
  const Format format = options.format != Format::automatic ? options.format : tell_text(text, beginning, kind);
  const std::size_t fields = beginning.lines.empty() ? 0 : beginning.lines[0].fields.size();
  switch (format) {
    case Format::hdf5:
      return tell_hdf5(text.path(), options.dataset, kind);
    case Format::matrix_market:
      return tell_matrix_market(beginning, kind);
    case Format::metis:  // vertices, edges, and digits that say what else there is: the last one, weights of edges
      return {Kind::graph, format, fields >= 3 && beginning.lines[0].fields[2].ends_with('1')};
    case Format::libsvm:
      return {Kind::samples, format, true};
    case Format::table:
      return {Kind::dense, format, true};
    default:
      return {Kind::graph, format, fields == 3 && !options.ignore_weights};
  }
}

}  // namespace

Told tell(const kasen::comm::Communicator& communicator, const std::string& path, const kasen::io::ReadOptions& options,
          const Kind* kind) {
  const Text text(communicator, path, options.skip_lines);
  Told told;
  kasen::comm::agree(communicator, [&] {
    if (communicator.rank() == 0) told = tell_here(text, options, kind);
  });
  communicator.broadcast(std::span<Told>(&told, 1), 0);
  return told;
}

}  // namespace apps::convert
