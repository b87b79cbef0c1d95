#include "kasen/io/formats/column_line.h"

#include <charconv>
#include <chrono>

#include "kasen/io/formats/table_line.h"
#include "kasen/io/lines/fields.h"

namespace kasen::io {

namespace {

/// A whole number at the front of `digits`, of digits only.
bool take_digits(std::string_view digits, unsigned& number) {
  number = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return false;
    number = number * 10 + static_cast<unsigned>(c - '0');
  }
  return true;
}

[[noreturn]] void refuse(std::string_view expected, std::string_view field) {
  throw LineError{
      0, "expected " + std::string(expected) + (field.empty() ? ", found nothing" : ", found " + quoted(field))};
}

std::int64_t integer_of(std::string_view field) {
  std::string_view digits = field;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  std::int64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error == std::errc::result_out_of_range) refuse("a whole number of 64 bits", field);
  if (error != std::errc() || stop != end) refuse("a whole number", field);
  return number;
}

double number_of(std::string_view field, const NumberRule& rule) {
  double number = 0;
  std::string_view rest = field;
  NumberFault fault = field.empty() ? NumberFault::no_number : take_number(rest, number, rule);
  if (fault == NumberFault::none && !rest.empty()) fault = NumberFault::no_number;
  if (fault != NumberFault::none) throw LineError{0, number_fault(fault, "a number", field, rule)};
  return number;
}

}  // namespace

bool parse_date(std::string_view text, std::int32_t& day) {
  unsigned year = 0, month = 0, of_month = 0;
  if (text.size() != 10 || text[4] != '-' || text[7] != '-' || !take_digits(text.substr(0, 4), year) ||
      !take_digits(text.substr(5, 2), month) || !take_digits(text.substr(8, 2), of_month)) {
    return false;
  }
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)), std::chrono::month(month),
                                         std::chrono::day(of_month)};
  if (!date.ok()) return false;
  day = static_cast<std::int32_t>(std::chrono::sys_days(date).time_since_epoch().count());
  return true;
}

void ColumnFields::add(std::string_view field, const NumberRule& rule) {
  switch (_type) {
    case ColumnType::integer:
      integers.push_back(integer_of(field));
      break;
    case ColumnType::number:
      numbers.push_back(number_of(field, rule));
      break;
    case ColumnType::date:
      if (std::int32_t day = 0; parse_date(field, day)) {
        days.push_back(day);
      } else {
        refuse("a date as 1998-09-02", field);
      }
      break;
    case ColumnType::word:
      _batch.push_back(field);
      if (_batch.size() == kBatch) number_words();
  }
}

void ColumnFields::number_words() {
  std::array<std::uint32_t, kBatch> number{};
  const std::span<std::uint32_t> numbered(number.data(), static_cast<std::size_t>(_batch.size()));
  _table.number(_batch, numbered);
  word_numbers.insert(word_numbers.end(), numbered.begin(), numbered.end());
  _batch.clear();
}

void parse_column_line(std::string_view line, const ColumnsFormat& format, std::vector<ColumnFields>& columns) {
  ControlByte control{};
  if (find_control_byte(line, control)) throw LineError{control.position, control.message};
  const std::string_view row = table_row_text(line, format.separator);
  std::string_view rest = row, field;
  const std::size_t fields = format.column_of.size();
  const auto column_at = [&](std::string_view at) { return static_cast<std::size_t>(at.data() - line.data()); };
  std::size_t count = 0;
  std::string room;
  for (bool more = true; more; ++count) {
    const std::string_view before = rest;
    if (count >= fields) {
      refuse_more_fields(fields, column_at(rest), rest);
    }
    if (!take_table_field(rest, format.separator, field, more)) {
      throw LineError{column_at(before), "expected a quote that closes in its line, found " + quoted(before)};
    }
    const std::size_t column = format.column_of[count];
    if (column == ColumnsFormat::kNone) continue;
    try {
      columns[column].add(table_field_text(field, room), format.rule);
    } catch (LineError& error) {
      error.column = column_at(field);
      throw;
    }
  }
  if (count < fields) {
    refuse_fewer_fields(fields, column_at(row) + row.size(), count);
  }
}

}  // namespace kasen::io
