#include "kasen/io/formats/matrix_market_line.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace kasen::io {

namespace {

constexpr std::uint64_t kMostIndices = std::numeric_limits<std::int64_t>::max();

bool equal_letters(std::string_view text, std::string_view small) {
  return std::equal(text.begin(), text.end(), small.begin(), small.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

/// A line that is read field by field, so that what is wrong has a column.
class Fields {
 public:
  explicit Fields(std::string_view line) : _line(line), _rest(trimmed(line)) {
    ControlByte control{};
    if (find_control_byte(line, control)) throw LineError{control.position, control.message};
  }
  std::size_t column() const { return static_cast<std::size_t>(_rest.data() - _line.data()); }
  std::string_view word() {
    take_blanks(_rest);
    return take_word(_rest);
  }
  std::string_view rest() {
    take_blanks(_rest);
    return _rest;
  }
  [[noreturn]] void fail(std::string_view what) {
    take_blanks(_rest);
    throw LineError{column(), expected_but_found(what, _rest)};
  }
  std::uint64_t whole(std::string_view what, std::uint64_t most) {
    take_blanks(_rest);
    std::string_view rest = _rest;
    std::uint64_t number = 0;
    if (!take_whole(rest, number) || !(rest.empty() || is_blank(rest.front())) || number > most) fail(what);
    _rest = rest;
    return number;
  }
  void end() {
    take_blanks(_rest);
    if (!_rest.empty()) fail("the end of the line");
  }

 private:
  std::string_view _line, _rest;
};

/// One of the words, as a number.
template <std::size_t N>
std::size_t choose(Fields& fields, const std::array<std::string_view, N>& words) {
  std::string list;
  for (const std::string_view word : words) list += (list.empty() ? "" : ", ") + std::string(word);
  const std::string_view found = next_word(fields.rest());
  for (std::size_t k = 0; k < N; ++k) {
    if (!equal_letters(found, words[k])) continue;
    fields.word();
    return k;
  }
  for (const std::string_view word : {"complex", "hermitian"}) {
    if (equal_letters(found, word)) {
      throw LineError{fields.column(),
                      "expected one of " + list + ", found '" + std::string(found) + "': complex numbers are not read"};
    }
  }
  fields.fail("one of " + list);
}

}  // namespace

MatrixMarketHeader parse_matrix_market_banner(std::string_view line) {
  using Header = MatrixMarketHeader;
  Fields fields(line);
  if (!equal_letters(next_word(fields.rest()), "%%matrixmarket")) fields.fail("'%%MatrixMarket'");
  fields.word();
  if (!equal_letters(next_word(fields.rest()), "matrix")) fields.fail("'matrix'");
  fields.word();
  Header header;
  header.array = choose(fields, std::array<std::string_view, 2>{"coordinate", "array"}) == 1;
  header.field =
      static_cast<Header::Field>(choose(fields, std::array<std::string_view, 3>{"real", "integer", "pattern"}));
  header.symmetry = static_cast<Header::Symmetry>(
      choose(fields, std::array<std::string_view, 3>{"general", "symmetric", "skew-symmetric"}));
  fields.end();
  const bool pattern = header.field == Header::Field::pattern;
  if (pattern && (header.array || header.symmetry == Header::Symmetry::skew_symmetric)) {
    throw LineError{0, std::string("expected values, found a pattern: ") +
                           (header.array ? "an array" : "a skew-symmetric matrix") + " has some"};
  }
  return header;
}

void parse_matrix_market_sizes(std::string_view line, MatrixMarketHeader& header) {
  using Symmetry = MatrixMarketHeader::Symmetry;
  Fields fields(line);
  header.rows = fields.whole("the number of rows", kMostIndices);
  header.columns = fields.whole("the number of columns", kMostIndices);
  if (header.symmetry != Symmetry::general && header.rows != header.columns) {
    throw LineError{0, "expected as many rows as columns, found " + std::to_string(header.rows) + " and " +
                           std::to_string(header.columns) + ": the matrix is symmetric"};
  }
  if (!header.array) {
    header.entries = fields.whole("the number of entries", kMostIndices);
  } else if (header.columns > 0 && header.rows > kMostIndices / header.columns) {
    throw LineError{0, "expected fewer elements, found more than a 64-bit integer can count"};
  } else if (header.symmetry == Symmetry::general || header.rows == 0) {
    header.entries = header.rows * header.columns;
  } else {
    const std::uint64_t diagonal = header.symmetry == Symmetry::symmetric ? header.rows : 0;
    header.entries = (header.rows * header.columns - header.rows) / 2 + diagonal;
  }
  fields.end();
}

MatrixMarketEntry parse_matrix_market_entry(std::string_view line, const MatrixMarketHeader& header,
                                            const NumberRule& rule) {
  MatrixMarketEntry entry;
  std::string_view rest = trimmed(line);
  const auto column = [&] { return static_cast<std::size_t>(rest.data() - line.data()); };
  const auto fail = [&](const std::string& message) {
    ControlByte control{};
    if (find_control_byte(line, control)) throw LineError{control.position, control.message};
    throw LineError{column(), message};
  };
  const auto index = [&](std::uint64_t& number, std::string_view what, std::uint64_t most) {
    std::string_view after = rest;
    if (!take_whole(after, number) || number == 0 || number > most || !(after.empty() || is_blank(after.front()))) {
      fail(expected_but_found(std::string(what) + " from 1 to " + std::to_string(most), rest));
    }
    --number;
    rest = after;
    take_blanks(rest);
  };
  if (!header.array) {
    index(entry.row, "a row", header.rows);
    index(entry.column, "a column", header.columns);
    if (header.symmetry == MatrixMarketHeader::Symmetry::skew_symmetric && entry.row == entry.column) {
      rest = trimmed(line);
      fail("expected no entry on the diagonal, found " + quoted(rest) + ": the matrix is skew-symmetric");
    }
  }
  if (header.field != MatrixMarketHeader::Field::pattern) {
    NumberRule of_field = rule;
    if (header.field == MatrixMarketHeader::Field::integer && !rule.integral) {
      constexpr double kMost = std::numeric_limits<double>::max();
      of_field.integral = true;
      of_field.most = std::min(rule.most, kMost);
      of_field.least = std::max(rule.least, -kMost);
    }
    if (header.symmetry == MatrixMarketHeader::Symmetry::skew_symmetric) {  // the entry's negative is one, too
      of_field.least = std::max(of_field.least, -of_field.most);
      of_field.most = 0 - of_field.least;
    }
    std::string_view after = rest;
    NumberFault fault = take_number(after, entry.value, of_field);
    if (fault == NumberFault::none && !(after.empty() || is_blank(after.front()))) fault = NumberFault::no_number;
    if (fault != NumberFault::none) fail(number_fault(fault, "a value", next_word(rest), of_field));
    rest = after;
    take_blanks(rest);
  }
  if (!rest.empty()) fail(expected_but_found("the end of the line", rest));
  return entry;
}

}  // namespace kasen::io
