/// @file
/// Tables whose columns have several types: whole numbers, numbers, dates, and words as codes with a dictionary.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kasen/arrays.h"
#include "kasen/base/source_location.h"
#include "kasen/io/data/column_data.h"
#include "kasen/io/data/read_options.h"

namespace kasen {

using io::ColumnType;
using io::TableNames;
using io::WantedColumn;

/// The words of a column, each once, in ascending order of their bytes; every worker has all of them. Copies are cheap.
class Dictionary {
 public:
  Dictionary() : Dictionary(io::Words()) {}
  /// @pre words ascend, each once, and are the same on every worker
  explicit Dictionary(io::Words words) : _words(std::make_shared<const io::Words>(std::move(words))) {}

  std::uint64_t size() const { return _words->size(); }
  /// The word of a code; valid while a copy of the dictionary is. @pre 0 <= code < size()
  std::string_view operator[](std::int32_t code) const { return (*_words)[static_cast<std::uint64_t>(code)]; }
  /// The code of a word; -1 if it is none of the column's.
  std::int32_t code_of(std::string_view word) const {
    const std::int32_t code = first_from(word);
    return static_cast<std::uint64_t>(code) < size() && (*this)[code] == word ? code : -1;
  }
  /// The code of the first word that is not less, or size(): words before "N" have codes below first_from("N").
  std::int32_t first_from(std::string_view word) const { return static_cast<std::int32_t>(_words->lower_bound(word)); }

 private:
  std::shared_ptr<const io::Words> _words;
};

/// A column of words: elements are codes, whose order is that of the words.
struct WordColumn {
  Vector<std::int32_t> code;
  Dictionary dictionary;
};

/// Columns as a file holds them, a block of rows on each worker, until they are asked for as vectors. Copies are cheap.
/// Every call of a column is collective. @throws ProgramError if there is no such column, or it is of another type
class Columns {
 public:
  /// Local, in the same order on all workers.
  explicit Columns(io::ColumnsData data);

  Space rows() const { return _rows; }
  Vector<std::int64_t> integers(std::string_view name, SourceLocation where = SourceLocation::current()) const;
  Vector<double> numbers(std::string_view name, SourceLocation where = SourceLocation::current()) const;
  /// Days since 1970-01-01: day_of(1998, 9, 2) is one.
  Vector<std::int32_t> dates(std::string_view name, SourceLocation where = SourceLocation::current()) const;
  WordColumn words(std::string_view name, SourceLocation where = SourceLocation::current()) const;

 private:
  const io::ColumnData& column(std::string_view name, ColumnType type, SourceLocation where) const;

  std::shared_ptr<const io::ColumnsData> _data;
  Space _rows;
  std::uint64_t _number;  ///< among the tables of its session
};

/// Collective. Some columns of a table in text (docs/tables.md), read in parallel; others are passed over. The first
/// line names the columns. Fields of the column types are: whole numbers of 64 bits; decimal numbers, as the nearest
/// double; dates as 1998-09-02; any words, which become codes by a dictionary that all workers share. A table may have
/// no rows. @throws AgreedError "FILE: ..." or "FILE:LINE:COLUMN: ..." @throws ProgramError if no column is
/// wanted, or one twice
/// @param table of a file without a line of names: how its fields are separated, and how its columns are called, as
///        {'|', {"o_orderkey", "o_comment", ""}}, with an empty name for what a separator at the end of lines begins
/// Memory: an element's bytes for each row and column, twice while rows are dealt out in blocks, and again for vectors
/// while the Columns are there; of words, all distinct ones on every worker.
/// @code
/// Columns items = read_columns("items.csv", {{"quantity", ColumnType::number}, {"mode", ColumnType::word}});
/// Vector<double> quantity = items.numbers("quantity");
/// auto [mode, modes] = items.words("mode");
/// auto by_mail = KASEN_FN((auto q, auto code, auto mail), kasen::select(code == mail, q, 0.0));
/// Vector<double> mailed = zip_with(by_mail, quantity, mode, modes.code_of("MAIL"));
/// @endcode
Columns read_columns(const std::string& path, const std::vector<WantedColumn>& wanted,
                     const io::ReadOptions& options = {}, const TableNames& table = {},
                     SourceLocation where = SourceLocation::current());

}  // namespace kasen
