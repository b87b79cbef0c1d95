/// @file
/// Parser of one line of a LIBSVM file: a label, then index:value for every non-zero.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "kasen/io/lines/fields.h"
#include "kasen/io/lines/line_error.h"

namespace kasen::io {

struct LibsvmFormat {
  NumberRule rule = {};  ///< of values; labels need not be whole
  std::uint64_t first_index = 1;
  std::uint64_t columns = 0;  ///< 0: any
  /// Bytes of memory there are: an index is refused if a vector of so many columns would not fit.
  std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();
};

struct LibsvmSample {
  double label = 0;
  std::vector<std::uint64_t> columns;  ///< from 0, ascending
  std::vector<double> values;
};

/// Reads one line. @return false for a line without a sample: blank, or only a comment, which begins with #
/// @throws LineError, also for lines of several labels and of queries, which are not read
bool parse_libsvm_line(std::string_view line, const LibsvmFormat& format, LibsvmSample& sample);

}  // namespace kasen::io
