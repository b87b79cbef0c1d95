/// @file
/// Telling formats apart: every row of the table says how much a file looks like one of its own.
#include "kasen/io/formats/tell.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/error.h"

namespace kasen::io {

namespace {

/// "a graph: an edge list, Matrix Market or HDF5"
std::string wanted(std::optional<Kind> kind) {
  if (!kind) return "a graph, samples or a table";
  const std::string formats = ": " + formats_that_read(*kind);
  return (*kind == Kind::graph ? "a graph" : *kind == Kind::samples ? "samples" : "numbers") + formats;
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
  static constexpr std::array<Signature, 15> kSignatures{{{"@relation", "ARFF"},
                                                          {"*vertices", "a Pajek graph"},
                                                          {"*network", "a Pajek graph"},
                                                          {"graph [", "GML"},
                                                          {"graph{", "Graphviz"},
                                                          {"graph {", "Graphviz"},
                                                          {"digraph ", "Graphviz"},
                                                          {"digraph{", "Graphviz"},
                                                          {"%matrixmarket", "Matrix Market with one % too few"},
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

/// The kind of a file that is none of the formats, in words; empty if nothing is known.
std::string_view lookalike(const Beginning& beginning) {
  const std::string_view binary = binary_lookalike(beginning.bytes());
  if (!binary.empty()) return binary;
  const std::string_view first = text_lookalike(beginning.line());
  return first.empty() ? text_lookalike(beginning.first_content()) : first;
}

/// Local. @throws InputError "FILE: looks like WHAT, expected ..."
const Format& recognise(const Beginning& beginning, std::optional<Kind> kind) {
  const Format* best = nullptr;
  const Format* other = nullptr;  // that is not read so
  Likeness most = Likeness::none, others = Likeness::none;
  for (const Format& format : formats()) {
    const Likeness likeness = format.recognise(beginning);
    if (!kind || format.reads(*kind)) {
      if (likeness > most) best = &format;
      most = std::max(most, likeness);
    } else if (likeness == Likeness::certain || (likeness > Likeness::none && other == nullptr)) {
      other = &format;
      others = likeness;
    }
  }
  if (most == Likeness::certain) return *best;
  std::string_view found = lookalike(beginning);
  if (others == Likeness::certain || (found.empty() && best == nullptr && other != nullptr)) {
    found = other->looks_like.empty() ? other->expected : other->looks_like;
  }
  if (found.empty() && best != nullptr) return *best;
  throw InputError(beginning.text().path() + ": looks like " + std::string(found.empty() ? "nothing known" : found) +
                   ", expected " + wanted(kind) + "; --format says what it is");
}

/// The format that is given, or null. @throws InputError if there is no such format
const Format* given_format(const Text& text, const ReadOptions& options) {
  if (options.format == "auto") return nullptr;
  const Format* const format = find_format(options.format);
  if (format == nullptr) {
    const std::vector<std::string> names = input_format_names(kAllKinds);
    throw InputError(text.path() + ": --format " + options.format + " was given, expected " +
                     one_of(std::vector<std::string_view>(names.begin(), names.end())));
  }
  return format;
}

void check(const Text& text, const Format& format, std::optional<Kind> kind, const ReadOptions& options) {
  if (kind && !format.reads(*kind)) {
    throw InputError(text.path() + ": --format " + options.format + " was given, expected " + wanted(kind));
  }
  const std::pair<std::string_view, bool> given[] = {{"--skip-lines", options.skip_lines > 0},
                                                     {"--ids", options.ids != ReadOptions::IdKind::automatic},
                                                     {"--columns", options.columns > 0},
                                                     {"--zero-based", options.zero_based},
                                                     {"--dataset", !options.dataset.empty()}};
  for (const auto& [option, is_given] : given) {
    const auto& heeded = format.options;
    if (!is_given || std::find(heeded.begin(), heeded.end(), option) != heeded.end()) continue;
    throw InputError(text.path() + ": is read as " + std::string(format.name) + ", to which " + std::string(option) +
                     " does not apply");
  }
}

/// Collective. The format that worker 0 finds, by its position in the table.
template <class Found, class Find>
Found found_by_first(const comm::Communicator& communicator, Find&& find) {
  Found found{};
  comm::agree(communicator, [&] {
    if (communicator.rank() == 0) found = find();
  });
  communicator.broadcast(std::span<Found>(&found, 1), 0);
  return found;
}

std::size_t place_of(const Format& format) { return static_cast<std::size_t>(&format - formats().data()); }

}  // namespace

const Format& format_of(const comm::Communicator& communicator, const Text& text, Kind kind,
                        const ReadOptions& options) {
  const Format* format = given_format(text, options);
  if (format == nullptr) {
    format = &formats()[found_by_first<std::size_t>(communicator,
                                                    [&] { return place_of(recognise(Beginning(text), kind)); })];
  }
  check(text, *format, kind, options);
  return *format;
}

Told tell(const comm::Communicator& communicator, const std::string& path, const ReadOptions& options,
          std::optional<Kind> asked) {
  return comm::alike([&]() -> Told {
    struct Found {
      std::size_t format;
      Content content;
    };
    const Text text(communicator, path, options.skip_lines);
    const Format* const given = given_format(text, options);
    const auto found = found_by_first<Found>(communicator, [&]() -> Found {
      const Beginning beginning(text);
      const Format& format = given != nullptr ? *given : recognise(beginning, asked);
      check(text, format, asked, options);
      Content content = format.look(beginning, options, asked);
      if (options.ignore_weights && content.kind == Kind::graph) content.values = false;
      return {place_of(format), content};
    });
    return {&formats()[found.format], found.content};
  });
}

}  // namespace kasen::io
