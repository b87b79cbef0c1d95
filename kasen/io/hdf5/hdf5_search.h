/// @file
/// Search for the table, or the sparse matrix, that is asked for among an HDF5 file's objects. Local; the same on every
/// worker, as all read the same file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kasen/io/hdf5/hdf5_file.h"

namespace kasen::io {

/// A group that holds a sparse matrix, as SciPy, AnnData and Kasen store it. Its datasets fit each other in type and
/// length; their elements have not been looked at.
struct SparseGroup {
  /// by_row (CSR) and by_column (CSC): `indptr` says where each begins in `indices` and `data`; coordinates: `row`,
  /// `col` and `data`.
  enum class Format : std::uint8_t { by_row, by_column, coordinates };
  std::string name;
  Format format = Format::by_row;
  std::uint64_t rows = 0, columns = 0, nonzeros = 0;
  Hdf5Array indptr;               ///< of CSR and CSC
  Hdf5Array index;                ///< `indices`, or `row`
  Hdf5Array column;               ///< of coordinates: `col`
  std::optional<Hdf5Array> data;  ///< none: a pattern
};

/// Throws InputError "FILE:/name: found ..., expected ..."
[[noreturn]] void refuse(const Hdf5File& file, const std::string& name, const std::string& found,
                         const std::string& expected);

/// The dataset of this name, or the only one that fits: a vector or a matrix of numbers, in no sparse matrix.
/// @throws InputError "FILE:/dataset: found ..., expected ...", or with the names of what fits if that is not one.
Hdf5Array find_table(const Hdf5File& file, const std::string& name);

/// The group of this name, or the only one that fits. @throws InputError as above.
SparseGroup find_sparse(const Hdf5File& file, const std::string& name);

}  // namespace kasen::io
