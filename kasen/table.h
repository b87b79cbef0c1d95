/// @file
/// Tables of numbers: dense samples, points, columns of options.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kasen/arrays.h"
#include "kasen/base/source_location.h"
#include "kasen/io/data/matrix_data.h"
#include "kasen/io/data/read_options.h"
#include "kasen/rows.h"

namespace kasen {

/// A table as a file holds it, a block of rows on each worker, until columns are asked for. Copies are cheap.
class Table {
 public:
  /// Local, in the same order on all workers.
  explicit Table(io::DenseData data);

  Space rows() const { return _rows; }
  std::uint64_t columns() const { return _data->columns; }
  /// As the file's header gives them; empty without one.
  const std::vector<std::string>& names() const { return _data->names; }

  /// Local. This worker's rows, one after the other (block_of). Valid while the table is.
  std::span<const double> block() const { return _data->values; }
  /// Collective. A column, by number from 0. @throws ProgramError if there is none
  Vector<double> column(std::uint64_t number, SourceLocation where = SourceLocation::current()) const;
  /// Collective. By name, which must be the name of one column. @throws InputError if it is not
  Vector<double> column(const std::string& name, SourceLocation where = SourceLocation::current()) const;
  /// Collective. All columns as Rows, a row a line. @throws ProgramError for a table without columns
  Rows<double> as_rows(SourceLocation where = SourceLocation::current()) const;
  /// Collective. All columns as a matrix with every element an entry, zeros included: dense (docs/partition.md), 8
  /// bytes an element, the same again while the table is there. If another partition than blocks of rows is asked for,
  /// 16 bytes an element on the way.
  Matrix<double> matrix(SourceLocation where = SourceLocation::current()) const;

 private:
  std::shared_ptr<const io::DenseData> _data;
  Space _rows;
  std::uint64_t _number;  ///< among the tables of its session
};

/// Collective. A table of numbers, read in parallel: lines of numbers separated by commas, semicolons, tabs or blanks,
/// with or without names of the columns; an array of Matrix Market; HDF5.
/// @throws AgreedError "FILE: ..." or "FILE:LINE:COLUMN: ..."
/// @code
/// Table options = read_table("options.csv");
/// Vector<double> spot = options.column("spot");
/// Matrix<double> X = options.matrix();
/// @endcode
Table read_table(const std::string& path, const io::ReadOptions& options = {},
                 SourceLocation where = SourceLocation::current());

}  // namespace kasen
