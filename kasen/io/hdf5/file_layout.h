/// @file
/// Attributes by which Kasen's own HDF5 files describe themselves; docs/file_format.md describes the whole layout.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kasen/io/data/matrix_data.h"
#include "kasen/io/hdf5/hdf5_output.h"

namespace kasen::io {

/// Attribute of the root: the version of the layout. Readers refuse later ones.
inline constexpr const char* kVersionAttribute = "kasen_format";
inline constexpr std::int64_t kFormatVersion = 1;
/// Attribute of the root: "graph", "samples" or "table".
inline constexpr const char* kContentAttribute = "kasen_content";

inline void state_format(Hdf5Output& output, const std::string& content) {
  output.integer_attribute("/", kVersionAttribute, {kFormatVersion});
  output.text_attribute("/", kContentAttribute, content);
}

/// Adds all of a sparse file but the entries themselves: attributes, ids and labels. `data` must stay until the output
/// is committed. @param encoding "csr_matrix" or "coo_matrix"
inline void describe_sparse(Hdf5Output& output, const SparseData& data, const std::string& encoding) {
  state_format(output, data.graph ? "graph" : "samples");
  output.text_attribute("/matrix", "encoding-type", encoding);
  output.text_attribute("/matrix", "encoding-version", "0.1.0");
  output.integer_attribute("/matrix", "shape",
                           {static_cast<std::int64_t>(data.rows), static_cast<std::int64_t>(data.columns)});
  if (data.graph && data.ids.length() > 0) output.add("/vertex", data.ids);
  if (data.labelled) output.add("/labels", std::span<const double>(data.labels));
}

}  // namespace kasen::io
