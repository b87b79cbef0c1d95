/// @file
/// Telling formats apart.
#include "kasen/io/format.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/io/fields.h"
#include "kasen/io/text_lines.h"

namespace kasen::io {

namespace {

constexpr std::array<std::string_view, 7> kNames{"auto",   "edge-list", "matrix-market", "metis",
                                                 "libsvm", "table",     "hdf5"};
constexpr std::string_view kHdf5Magic = "\x89HDF\r\n\x1a\n";

std::string_view admitted(Kind kind) {
  switch (kind) {
    case Kind::graph:
      return "a graph: an edge list, Matrix Market, METIS or HDF5";
    case Kind::samples:
      return "samples: LIBSVM, Matrix Market or HDF5";
    case Kind::dense:
      return "numbers: a table with a row a line, Matrix Market or HDF5";
  }
  return "";
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

struct Signature {
  std::string_view start, name;  ///< `start` in small letters if it is one of a text
};

/// Of files that are no text, by their first bytes.
std::string_view binary_lookalike(std::string_view start) {
  static constexpr std::array<Signature, 7> kSignatures{{{"\x93NUMPY", "a NumPy array"},
                                                         {"PK\x03\x04", "a zip archive (or .npz, .xlsx)"},
                                                         {"PAR1", "Apache Parquet"},
                                                         {"MATLAB 5.0", "a MATLAB file"},
                                                         {"\x7f"
                                                          "ELF",
                                                          "a program"},
                                                         {"%PDF", "a PDF document"},
                                                         {"OBJ\x01", "an Avro file"}}};
  for (const Signature& s : kSignatures) {
    if (start.starts_with(s.start)) return s.name;
  }
  return {};
}

/// Of texts that are known and not read, by their first line that holds anything.
std::string_view text_lookalike(std::string_view line) {
  static constexpr std::array<Signature, 14> kSignatures{{{"@relation", "ARFF"},
                                                          {"*vertices", "a Pajek graph"},
                                                          {"*network", "a Pajek graph"},
                                                          {"graph [", "GML"},
                                                          {"graph{", "Graphviz"},
                                                          {"graph {", "Graphviz"},
                                                          {"digraph ", "Graphviz"},
                                                          {"digraph{", "Graphviz"},
                                                          {"<?xml", "XML"},
                                                          {"<!doctype", "HTML"},
                                                          {"<html", "HTML"},
                                                          {"//", "C source"},
                                                          {"/*", "C source"},
                                                          {"{\"", "JSON"}}};
  const std::string start = lower(line.substr(0, 16));
  for (const Signature& s : kSignatures) {
    if (start.starts_with(s.start)) return s.name;
  }
  return {};
}

/// "index:value" fields behind the first one, if there is nothing else on a line; else 0.
std::size_t libsvm_pairs(std::string_view line) {
  line = trimmed(line.substr(0, line.find('#')));
  take_word(line);
  std::size_t pairs = 0;
  for (take_blanks(line); !line.empty(); take_blanks(line)) {
    const std::string_view field = take_word(line);
    const std::size_t colon = field.find_first_not_of("0123456789");
    if (colon == 0 || colon == std::string_view::npos || field[colon] != ':') return 0;
    ++pairs;
  }
  return pairs;
}

/// Without the suffix of a compression.
std::string extension(const std::string& path) {
  std::filesystem::path file(lower(path));
  const std::string last = file.extension().string();
  if (last == ".gz" || last == ".bz2" || last == ".zst" || last == ".zstd") file = file.stem();
  return file.extension().string();
}

std::string first_bytes(const Text& text) {
  constexpr std::size_t kBytes = 16;
  char bytes[kBytes];
  return {bytes, text.open(0)->read(0, bytes, kBytes)};
}

/// The text's first line, and the first ones that hold anything: neither blank nor a comment.
struct Beginning {
  std::string line;
  std::vector<std::string> content;
};

Beginning look_at(const Text& text) {
  constexpr std::size_t kLines = 100, kKept = 4096;
  Beginning beginning;
  bool first = true;
  read_head(
      text,
      [&](const TextLine& line) {
        if (std::exchange(first, false)) beginning.line = line.text.substr(0, kKept);
        const std::string_view content = trimmed(line.text);
        if (!content.empty() && content.front() != '#' && content.front() != '%') {
          beginning.content.emplace_back(content.substr(0, kKept));
        }
        return beginning.content.size() < kLines;
      },
      LineReader::kBufferBytes);
  return beginning;
}

}  // namespace

std::string_view name_of(Format format) { return kNames[static_cast<std::size_t>(format)]; }

Format tell_format(const Text& text, Kind kind) {
  const auto refuse = [&](const std::string& looks_like) {
    throw InputError(text.path() + ": looks like " + looks_like + ", expected " + std::string(admitted(kind)) +
                     "; --format says what it is");
  };
  const std::string bytes = first_bytes(text);
  if (bytes.starts_with(kHdf5Magic)) return Format::hdf5;
  if (const std::string_view what = binary_lookalike(bytes); !what.empty()) refuse(std::string(what));
  const Beginning beginning = look_at(text);
  if (lower(beginning.line).starts_with("%%matrixmarket")) return Format::matrix_market;
  const std::string line = beginning.content.empty() ? "" : beginning.content.front();
  for (const std::string_view first : {std::string_view(beginning.line), std::string_view(line)}) {
    if (const std::string_view what = text_lookalike(first); !what.empty()) refuse(std::string(what));
  }
  const std::string name = extension(text.parts()[0].path);
  const bool is_metis = name == ".graph" || name == ".metis" || name == ".chaco";
  const auto libsvm = std::find_if(beginning.content.begin(), beginning.content.end(),
                                   [](const std::string& l) { return libsvm_pairs(l) > 0; });
  switch (kind) {
    case Kind::graph:
      if (libsvm_pairs(line) > 1) refuse("LIBSVM samples");  // one pair could be the name of a vertex
      return is_metis ? Format::metis : Format::edge_list;
    case Kind::samples:
      // A line with nothing but a label is a sample too, without non-zeros.
      if (libsvm == beginning.content.end() && line.find_first_of(" \t,;") != std::string::npos) {
        refuse("a table, every field of which is a number");
      }
      return Format::libsvm;
    case Kind::dense:
      if (libsvm == beginning.content.begin() && !beginning.content.empty()) refuse("LIBSVM samples");
      return Format::table;
  }
  return Format::automatic;
}

Format format_of(const comm::Communicator& communicator, const Text& text, Kind kind, const ReadOptions& options) {
  Format format = options.format;
  if (format == Format::automatic) {
    comm::agree(communicator, [&] {
      if (communicator.rank() == 0) format = tell_format(text, kind);
    });
    communicator.broadcast(std::span<Format>(&format, 1), 0);
  }
  const bool admits = format == Format::hdf5 || format == Format::matrix_market ||
                      (kind == Kind::graph && (format == Format::edge_list || format == Format::metis)) ||
                      (kind == Kind::samples && format == Format::libsvm) ||
                      (kind == Kind::dense && format == Format::table);
  if (!admits) {
    throw InputError(text.path() + ": --format " + std::string(name_of(format)) + " was given, expected " +
                     std::string(admitted(kind)));
  }
  if (!options.dataset.empty() && format != Format::hdf5) {
    throw InputError(text.path() + ": is read as " + std::string(name_of(format)) + ", which has no datasets, but '" +
                     options.dataset + "' of it is asked for");
  }
  return format;
}

}  // namespace kasen::io
