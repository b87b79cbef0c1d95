#include "kasen/columns.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <span>
#include <utility>

#include "kasen/base/hash.h"
#include "kasen/io/data/reading_hash.h"
#include "kasen/io/formats/columns.h"
#include "kasen/make_vector.h"
#include "kasen/session.h"
#include "kasen/session/engine.h"

namespace kasen {

namespace {

const char* in_words(ColumnType type) {
  switch (type) {
    case ColumnType::integer:
      return "whole numbers: integers(\"...\")";
    case ColumnType::number:
      return "numbers: numbers(\"...\")";
    case ColumnType::date:
      return "dates: dates(\"...\")";
    case ColumnType::word:
      return "words: words(\"...\")";
  }
  return "";
}

template <class T>
Vector<T> vector_of(Space rows, const std::vector<T>& block, SourceLocation where) {
  return make_vector<T>(rows, std::span<const T>(block), where);
}

}  // namespace

Columns::Columns(io::ColumnsData data)
    : _data(std::make_shared<const io::ColumnsData>(std::move(data))),
      _rows(Space(_data->rows)),
      _number(Session::current().engine().next_table()) {}

const io::ColumnData& Columns::column(std::string_view name, ColumnType type, SourceLocation where) const {
  const SourceLine line = recording::source_line(where);
  recording::require_session(_rows.session(), "column", line);
  const auto found = std::find_if(_data->columns.begin(), _data->columns.end(),
                                  [&](const io::ColumnData& column) { return column.name == name; });
  if (found == _data->columns.end()) {
    std::string known;
    for (const io::ColumnData& column : _data->columns) known += (known.empty() ? "" : ", ") + column.name;
    recording::refuse(line, "column", "no column '" + std::string(name) + "' was read, only " + known);
  }
  if (found->type != type) {
    recording::refuse(line, "column", "the column '" + std::string(name) + "' is of " + in_words(found->type));
  }
  const auto number = static_cast<std::uint64_t>(found - _data->columns.begin());
  Session::current(where).engine().meet(Meeting::column, line, {_number, number});
  return *found;
}

Vector<std::int64_t> Columns::integers(std::string_view name, SourceLocation where) const {
  return vector_of(_rows, column(name, ColumnType::integer, where).integers, where);
}

Vector<double> Columns::numbers(std::string_view name, SourceLocation where) const {
  return vector_of(_rows, column(name, ColumnType::number, where).numbers, where);
}

Vector<std::int32_t> Columns::dates(std::string_view name, SourceLocation where) const {
  return vector_of(_rows, column(name, ColumnType::date, where).days, where);
}

WordColumn Columns::words(std::string_view name, SourceLocation where) const {
  const io::ColumnData& found = column(name, ColumnType::word, where);
  return {vector_of(_rows, found.codes, where), Dictionary(found.words)};
}

Columns read_columns(const std::string& path, const std::vector<WantedColumn>& wanted, const io::ReadOptions& options,
                     const TableNames& table, SourceLocation where) {
  const SourceLine line = recording::source_line(where);
  recording::recorder(line);  // refuses without a session
  if (wanted.empty()) recording::refuse(line, "read_columns", "no columns are wanted");
  Fnv1a columns;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const auto same = [&](const WantedColumn& other) { return other.name == wanted[k].name; };
    if (std::count_if(wanted.begin(), wanted.end(), same) > 1) {
      recording::refuse(line, "read_columns", "the column '" + wanted[k].name + "' is wanted twice");
    }
    columns.add(wanted[k].name), columns.add(static_cast<std::uint64_t>(wanted[k].type));
  }
  if (std::isalnum(static_cast<unsigned char>(table.separator)) != 0 || std::strchr("\"+-.\n\r", table.separator))
    recording::refuse(line, "read_columns", "fields cannot be separated by what they are made of");
  if (table.names.empty() && table.separator != TableNames().separator)
    recording::refuse(line, "read_columns", "a separator goes with the names of all columns");
  columns.add(static_cast<std::uint64_t>(table.separator));
  for (const std::string& name : table.names) columns.add(name);
  const Engine& engine = Session::current(where).engine();
  engine.meet(Meeting::file, line, {hash_of(path), hash_of("columns"), columns.value(), io::hash_of(options)});
  const TimelineScope scope(engine.timeline(), Timeline::Kind::read);
  return Columns(io::read_columns(engine.control(), path, wanted, options, table));
}

}  // namespace kasen
