/// @file
/// Formatting of columns as fields of lines, or one below the other.
#include "kasen/io/formats/table_output.h"

#include <algorithm>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/base/printable.h"
#include "kasen/io/bytes/output_file.h"
#include "kasen/io/lines/fields.h"
#include "kasen/io/lines/text_output.h"

namespace kasen::io {

TableOutput::TableOutput(const comm::Communicator& communicator, std::string path, Format format)
    : _communicator(&communicator), _path(std::move(path)), _format(format) {
  require_writable(communicator, _path);
}

void TableOutput::add(std::string name, ElementType type, std::span<const std::byte> block) {
  _columns.push_back({std::move(name), type, block});
}

void TableOutput::add(std::string name, const VertexIds& ids) {
  if (_format == Format::matrix_market) return;
  if (!ids.words()) {
    const std::vector<std::int64_t> block = ids.integer_block();
    const auto bytes = std::as_bytes(std::span(block));
    _ids.emplace_back(bytes.begin(), bytes.end());
    add(std::move(name), ElementType::of<std::int64_t>(), _ids.back());
    return;
  }
  const std::uint64_t width = std::max<std::uint64_t>(ids.longest_word(), 1);
  _ids.push_back(ids.padded_word_block(width));
  add(std::move(name), ElementType::text(width), _ids.back());
}

std::string TableOutput::header(std::uint64_t length) const {
  if (_format == Format::matrix_market) {
    const bool integers = std::none_of(_columns.begin(), _columns.end(), [](const Column& column) {
      return column.type.kind == ElementType::Kind::floating_point;
    });
    return std::string("%%MatrixMarket matrix array ") + (integers ? "integer" : "real") + " general\n" +
           std::to_string(length) + " " + std::to_string(_columns.size()) + "\n";
  }
  std::string names;
  for (const Column& column : _columns) {
    if (has_control_character(column.name)) {
      throw AgreedError(_path + ": cannot be written: a line of text cannot hold the name " + quoted(column.name));
    }
    names += (names.empty() ? "" : "\t") + column.name;
  }
  return names + "\n";
}

void TableOutput::check_words() const {
  comm::agree(*_communicator, [&] {
    for (const Column& column : _columns) {
      if (column.type.kind != ElementType::Kind::text) continue;
      for (std::uint64_t k = 0; k < column.mine(); ++k) {
        std::string word;
        append(word, column.type, column.block.data() + k * column.type.bytes);
        if (!has_control_character(word)) continue;
        throw InputError(_path + ": cannot be written: a line of text cannot hold " + quoted(word) + " of " +
                         column.name + "; HDF5 can");
      }
    }
  });
}

void TableOutput::commit() {
  if (_format == Format::matrix_market && _columns.empty())
    throw AgreedError(_path + ": cannot be written: it has no vectors, and Matrix Market leaves out all else");
  check_words();
  std::uint64_t length = 0;
  for (const Column& column : _columns) {
    const std::uint64_t its = _communicator->sum(column.mine());
    if (&column != &_columns.front() && its != length) {
      throw AgreedError(_path + ": cannot be written: its columns must have one length, and " + _columns.front().name +
                        " has " + std::to_string(length) + ", " + column.name + " " + std::to_string(its));
    }
    length = its;
  }
  const bool lines = _format == Format::tabs;
  const std::uint64_t mine = _columns.empty() ? 0 : _columns.front().mine();
  write_sections(*_communicator, _path, header(length), lines ? 1 : _columns.size(), mine,
                 [&](std::uint64_t section, std::uint64_t item, std::string& text) {
                   const std::uint64_t end = lines ? _columns.size() : section + 1;
                   for (std::uint64_t c = section; c < end; ++c) {
                     const Column& column = _columns[c];
                     append(text, column.type, column.block.data() + item * column.type.bytes);
                     text += c + 1 < end ? '\t' : '\n';
                   }
                 });
}

}  // namespace kasen::io
