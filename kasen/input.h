/// @file
/// How matrices come into a program.
#pragma once

#include <cstring>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "kasen/arrays.h"
#include "kasen/io/edge_list.h"

namespace kasen {

namespace detail {
Matrix<Pattern> read_pattern(const std::string& path, const io::EdgeListOptions& options);
MatrixId add_matrix(Space rows, Space columns, partition::Entries entries, std::source_location where);
}  // namespace detail

/// Collective. The matrix of a graph: an edge list as SNAP distributes them, read in parallel (format and errors: see
/// kasen/io/edge_list.h). Row = source, column = target; square; duplicate edges are separate non-zeros.
/// @throws InputError (agreed) "FILE:LINE: ..."
template <class T>
Matrix<T> read_matrix(const std::string& path, const io::EdgeListOptions& options = {}) {
  static_assert(std::is_same_v<T, Pattern>, "edge lists have no values: read_matrix<Pattern>");
  return detail::read_pattern(path, options);
}

/// One non-zero of a matrix.
template <class T>
struct Entry {
  GlobalIndex row, column;
  T value;
};
template <>
struct Entry<Pattern> {
  GlobalIndex row, column;
};

/// Collective. A matrix from entries, of which each worker gives any part; duplicates stay separate non-zeros.
/// @throws (agreed) if an index is out of range.
template <class T>
Matrix<T> make_matrix(Space rows, Space columns, std::span<const Entry<T>> entries,
                      std::source_location where = std::source_location::current()) {
  partition::Entries packed;
  if constexpr (!std::is_same_v<T, Pattern>) packed.value_bytes = sizeof(T);
  for (const Entry<T>& entry : entries) {
    packed.row.push_back(entry.row);
    packed.column.push_back(entry.column);
    if constexpr (!std::is_same_v<T, Pattern>) {
      const auto* bytes = reinterpret_cast<const std::byte*>(&entry.value);
      packed.value.insert(packed.value.end(), bytes, bytes + sizeof(T));
    }
  }
  return {detail::add_matrix(rows, columns, std::move(packed), where), rows, columns};
}

/// Collective. The same for entries that are packed already; for large matrices without values.
inline Matrix<Pattern> make_matrix(Space rows, Space columns, partition::Entries entries,
                                   std::source_location where = std::source_location::current()) {
  return {detail::add_matrix(rows, columns, std::move(entries), where), rows, columns};
}

}  // namespace kasen
