#include "kasen/table.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

#include "kasen/base/error.h"
#include "kasen/base/hash.h"
#include "kasen/io/data/reading_hash.h"
#include "kasen/io/formats/read.h"
#include "kasen/make_vector.h"
#include "kasen/session.h"
#include "kasen/session/engine.h"

namespace kasen {

Table::Table(io::DenseData data)
    : _data(std::make_shared<const io::DenseData>(std::move(data))),
      _rows(Space(_data->rows)),
      _number(Session::current().engine().next_table()) {}

Vector<double> Table::column(std::uint64_t number, SourceLocation where) const {
  if (number >= columns()) {
    recording::refuse(recording::source_line(where), "column",
                      "there is no column " + std::to_string(number) + ", the table has " + std::to_string(columns()));
  }
  const SourceLine line = recording::source_line(where);
  recording::require_session(_rows.session(), "column", line);
  Session::current(where).engine().meet(Meeting::column, line, {_number, number});
  return recording::Result<double>{detail::fill_vector(
      "column", _rows, recording::type_of<double>(), where, detail::Origin::data, [&](std::span<std::byte> into) {
        const std::vector<double>& rows = _data->values;
        for (std::uint64_t at = number, k = 0; at < rows.size(); at += columns(), k += sizeof(double))
          std::memcpy(&into[k], &rows[at], sizeof(double));
      })};
}

Vector<double> Table::column(const std::string& name, SourceLocation where) const {
  const auto found = std::find(names().begin(), names().end(), name);
  if (found == names().end()) {
    std::string known;
    for (const std::string& n : names()) known += (known.empty() ? "" : ", ") + n;
    throw InputError("expected a column named '" + name + "', found " +
                     (known.empty() ? "a table without names" : "only " + known));
  }
  if (std::find(found + 1, names().end(), name) != names().end()) {
    throw InputError("expected one column named '" + name + "', found several");
  }
  return column(static_cast<std::uint64_t>(found - names().begin()), where);
}

Rows<double> Table::as_rows(SourceLocation where) const {
  const SourceLine line = recording::source_line(where);
  recording::require_session(_rows.session(), "as_rows", line);
  return make_rows(_rows, columns(), _data->values, where);
}

Matrix<double> Table::matrix(SourceLocation where) const {
  const auto values = std::as_bytes(std::span<const double>(_data->values));
  partition::DenseRows block{{values.begin(), values.end()}, sizeof(double)};
  const SourceLine line = recording::source_line(where);
  recording::require_session(_rows.session(), "matrix", line);
  Engine& engine = Session::current(where).engine();
  engine.meet(Meeting::matrix, line, {_number});
  const Space wide(columns());
  const MatrixId id = engine.add_matrix(_rows.id(), wide.id(), std::move(block), line);
  return {id, _rows, wide};
}

Table read_table(const std::string& path, const io::ReadOptions& options, SourceLocation where) {
  const Engine& engine = Session::current(where).engine();
  engine.meet(Meeting::file, recording::source_line(where), {hash_of(path), hash_of("table"), io::hash_of(options)});
  const TimelineScope scope(engine.timeline(), Timeline::Kind::read);
  return Table(io::read_dense(engine.control(), path, options));
}

}  // namespace kasen
