#include "kasen/io/formats/formats.h"

#include <algorithm>

#include "kasen/io/formats/edge_list.h"
#include "kasen/io/formats/gr_graph.h"
#include "kasen/io/formats/libsvm.h"
#include "kasen/io/formats/matrix_market.h"
#include "kasen/io/formats/metis_graph.h"
#include "kasen/io/formats/table.h"
#include "kasen/io/hdf5/hdf5_matrix.h"
#include "kasen/io/hdf5/prepared.h"

namespace kasen::io {

std::span<const Format> formats() {
  static const std::vector<Format> table{
      {.name = "table",
       .expected = "a table with a row a line",
       .looks_like = "a table, every field of which is a number",
       .endings = {".tsv", ".csv", ".txt"},
       .options = {"--skip-lines"},
       .recognise = recognise_table,
       .look = look_at_table,
       .read_dense = read_table,
       .write_dense = write_table},
      {.name = "libsvm",
       .expected = "LIBSVM",
       .looks_like = "LIBSVM samples",
       .endings = {".svm", ".libsvm"},
       .options = {"--skip-lines", "--columns", "--zero-based"},
       .recognise = recognise_libsvm,
       .look = look_at_libsvm,
       .read_samples = read_libsvm,
       .write_sparse = write_libsvm,
       .loses = {.vertex_ids = true, .unlabelled = true, .patterns = true, .last_columns = true}},
      {.name = "edge-list",
       .expected = "an edge list",
       .endings = {".txt", ".tsv", ".el", ".edges"},
       .options = {"--skip-lines", "--ids"},
       .recognise = recognise_edge_list,
       .look = look_at_edge_list,
       .read_graph = read_edge_list,
       .write_sparse = write_edge_list,
       .loses = {.labels = true, .lone_vertices = true}},
      {.name = "matrix-market",
       .expected = "Matrix Market",
       .endings = {".mtx"},
       .options = {"--skip-lines"},
       .recognise = recognise_matrix_market,
       .look = look_at_matrix_market,
       .read_graph = read_matrix_market_graph,
       .read_samples = read_matrix_market_samples,
       .read_dense = read_matrix_market_array,
       .write_sparse = write_matrix_market,
       .write_dense = write_matrix_market,
       .loses = {.vertex_ids = true, .labels = true, .names_of_columns = true}},
      {.name = "metis",
       .expected = "METIS",
       .options = {"--skip-lines"},
       .recognise = recognise_metis,
       .look = look_at_metis,
       .read_graph = read_metis_graph},
      {.name = "hdf5",
       .expected = "HDF5",
       .endings = {".h5", ".hdf5"},
       .binary = true,
       .options = {"--dataset"},
       .recognise = recognise_hdf5,
       .look = look_at_hdf5,
       .read_graph = read_hdf5_graph,
       .read_samples = read_hdf5_samples,
       .read_dense = read_hdf5_table,
       .write_sparse = write_hdf5,
       .write_dense = write_hdf5,
       .write_prepared = write_prepared},
      {.name = "gr",
       .expected = "a Galois graph",
       .endings = {".gr"},
       .variants = {"float32", "float64", "int32", "uint32", "int64", "uint64"},
       .binary = true,
       .recognise = recognise_gr,
       .look = look_at_gr,
       .read_graph = read_gr_graph,
       .write_sparse = write_gr_graph,
       .loses = {.vertex_ids = true}},
  };
  return table;
}

bool Format::reads(Kind kind) const {
  switch (kind) {
    case Kind::graph:
      return read_graph != nullptr;
    case Kind::samples:
      return read_samples != nullptr;
    case Kind::dense:
      return read_dense != nullptr;
  }
  return false;
}

const Format* find_format(std::string_view name) {
  const std::size_t colon = name.find(':');
  for (const Format& format : formats()) {
    if (format.name != name.substr(0, colon)) continue;
    const auto& variants = format.variants;
    const bool known = colon == std::string_view::npos ||
                       std::find(variants.begin(), variants.end(), name.substr(colon + 1)) != variants.end();
    return known ? &format : nullptr;
  }
  return nullptr;
}

std::vector<std::string> input_format_names(std::span<const Kind> kinds) {
  std::vector<std::string> names{"auto"};
  for (const Format& format : formats()) {
    if (std::none_of(kinds.begin(), kinds.end(), [&](Kind kind) { return format.reads(kind); })) continue;
    names.emplace_back(format.name);
    for (const std::string_view variant : format.variants) {
      names.push_back(std::string(format.name) + ":" + std::string(variant));
    }
  }
  return names;
}

std::vector<std::string> output_format_names() {
  std::vector<std::string> names{"auto"};
  for (const Format& format : formats()) {
    if (format.writes(false) || format.writes(true)) names.emplace_back(format.name);
  }
  return names;
}

std::string formats_that_read(Kind kind) {
  std::vector<std::string_view> names;
  for (const Format& format : formats()) {
    if (format.reads(kind)) names.push_back(format.expected);
  }
  return one_of(names);
}

std::string one_of(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (k > 0) text += k + 1 < words.size() ? ", " : " or ";
    text += words[k];
  }
  return text;
}

}  // namespace kasen::io
