/// @file
/// Options of reading files, for what the files do not say themselves.
#pragma once

#include <cstdint>
#include <string>

#include "kasen/io/lines/number_rule.h"

namespace kasen::io {

struct ReadOptions {
  /// The name of the file's format (kasen/io/formats/formats.h), "hdf5", with a variant behind a colon, "gr:uint32".
  /// auto: told from the content, then from the name.
  std::string format = "auto";
  std::uint64_t skip_lines = 0;   ///< lines at the beginning of every file that are not read
  bool allow_non_finite = false;  ///< infinite numbers and nan are numbers too

  // Graphs
  /// The ids of an edge list. automatic: integers if both fields of the first data line are integers, else words.
  enum class IdKind : std::uint8_t { automatic, integer, word };
  IdKind ids = IdKind::automatic;
  bool ignore_weights = false;   ///< an edge list may have a third column where no weights are wanted
  bool drop_duplicates = false;  ///< of several edges with the same source and target, keep the first
  bool drop_self_loops = false;  ///< their vertices stay

  // Samples
  std::uint64_t columns = 0;  ///< of LIBSVM samples; 0: as many as the largest index says
  bool zero_based = false;    ///< LIBSVM indices count from 0
  /// More columns than numbers fit into memory are no error: for programs that make no vector of so many.
  bool any_columns = false;

  std::string dataset = {};  ///< HDF5: the name of the group or dataset; empty: the only one that fits
};

/// The values that a program stores with a matrix's non-zeros.
struct ValueRequest {
  bool stored = false;  ///< else a pattern: values of the file are not kept
  NumberRule rule = {};
};

}  // namespace kasen::io
