/// @file
/// What Kasen's own HDF5 files say about themselves; docs/file_format.md describes the whole layout.
#pragma once

#include <cstdint>
#include <string>

#include "kasen/io/hdf5_output.h"

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

}  // namespace kasen::io
