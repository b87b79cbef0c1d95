/// @file
/// Parsers of the lines of a Matrix Market file: banner, sizes, entries (math.nist.gov/MatrixMarket/formats.html).
#pragma once

#include <cstdint>
#include <string_view>

#include "kasen/io/lines/fields.h"
#include "kasen/io/lines/line_error.h"

namespace kasen::io {

struct MatrixMarketHeader {
  enum class Field : std::uint8_t { real, integer, pattern };
  enum class Symmetry : std::uint8_t { general, symmetric, skew_symmetric };
  bool array = false;  ///< lists every element, by columns; else coordinates
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  std::uint64_t rows = 0, columns = 0;
  std::uint64_t entries = 0;  ///< number of lines that follow
};

/// Whether a line holds nothing: it is blank or a comment.
inline bool is_matrix_market_comment(std::string_view line) {
  line = trimmed(line);
  return line.empty() || line.front() == '%';
}

/// Reads the first line: all but the sizes. @throws LineError, also for complex numbers, which are not read
MatrixMarketHeader parse_matrix_market_banner(std::string_view line);

/// Reads the first line behind the comments. @throws LineError
void parse_matrix_market_sizes(std::string_view line, MatrixMarketHeader& header);

struct MatrixMarketEntry {
  std::uint64_t row = 0, column = 0;  ///< from 0; of coordinates
  double value = 0;                   ///< unless a pattern
};
/// Reads a further line that is no comment. @throws LineError
MatrixMarketEntry parse_matrix_market_entry(std::string_view line, const MatrixMarketHeader& header,
                                            const NumberRule& rule);

}  // namespace kasen::io
