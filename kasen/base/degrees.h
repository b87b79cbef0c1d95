/// @file
/// Histograms of the degrees of a sparse matrix, from which its replicas are estimated for any number of workers.
#pragma once

#include <cstdint>
#include <vector>

namespace kasen {

/// Histograms of the degrees that decide, under hybrid-cut, on how many workers an element has replicas
/// (docs/analyzer.md). A
/// column is high if it has more than `threshold` non-zeros, duplicates counted, else low; degrees count distinct
/// neighbours, of an element that is row and column others than itself. Elements of degree 0 are not listed.
struct Degrees {
  struct Bin {
    std::uint64_t degree = 0, elements = 0;
    bool operator==(const Bin&) const = default;
  };
  using Histogram = std::vector<Bin>;  ///< ascending degrees
  std::uint64_t threshold = 0;
  Histogram rows;     ///< of rows, whose degree is the number of distinct low columns
  Histogram columns;  ///< of high columns, whose degree is the number of distinct rows
  Histogram both;     ///< of elements that are row and column, if both sides share an index space: the sum of the two
  bool operator==(const Degrees&) const = default;
};

}  // namespace kasen
