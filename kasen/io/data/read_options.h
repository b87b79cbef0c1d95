/// @file
/// How files are to be read, beyond what they say themselves.
#pragma once

#include <cstdint>
#include <string>

#include "kasen/io/lines/number_rule.h"

namespace kasen::io {

struct ReadOptions {
  /// What a file is, by the name of a format (kasen/io/formats/formats.h): "hdf5"; what its files do not say of
  /// themselves stands behind a colon. auto: told from the content, then from the name.
  std::string format = "auto";
  std::uint64_t skip_lines = 0;   ///< lines at the beginning of every file that are not read
  bool allow_non_finite = false;  ///< infinite numbers and nan are numbers too

  // Graphs
  /// Of an edge list. automatic: integers if both fields of the first data line are written as integers, else words.
  enum class IdKind : std::uint8_t { automatic, integer, word };
  IdKind ids = IdKind::automatic;
  bool ignore_weights = false;   ///< an edge list may have a third column where no weights are wanted
  bool drop_duplicates = false;  ///< of several edges with the same source and target, keep the first
  bool drop_self_loops = false;  ///< their vertices stay

  // Samples
  std::uint64_t columns = 0;  ///< of LIBSVM samples; 0: as many as the largest index says
  bool zero_based = false;    ///< LIBSVM indices count from 0
  /// More columns than numbers fit into memory are no error: for who makes no vector of so many.
  bool any_columns = false;

  std::string dataset = {};  ///< HDF5: the name of the group or dataset; empty: the only one that fits
};

/// The values that a program stores with a matrix's non-zeros.
struct ValueRequest {
  bool stored = false;  ///< else a pattern: values of the file are not kept
  NumberRule rule = {};
};

}  // namespace kasen::io
