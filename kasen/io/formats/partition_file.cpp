#include "kasen/io/formats/partition_file.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/io/bytes/byte_order_mark.h"
#include "kasen/io/bytes/input_file.h"
#include "kasen/io/lines/fields.h"
#include "kasen/io/lines/line_reader.h"
#include "partition/assignment.h"

namespace kasen::io {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr Rank kNoPart = -1;

/// A field and where in its line it begins.
struct Field {
  std::string_view text;
  std::size_t column = 0;
};

/// Takes the first field off `line`; its text is empty if there is none.
Field take_field(std::string_view line, std::size_t& position) {
  const std::size_t begin = line.find_first_not_of(kBlanks, position);
  if (begin == std::string_view::npos) return {{}, line.size()};
  position = std::min(line.find_first_of(kBlanks, begin), line.size());
  return {line.substr(begin, position - begin), begin};
}

/// The whole file as one worker reads it.
struct Lines {
  std::vector<Rank> parts;
  std::vector<std::uint64_t> line;  ///< where each stands; only with names
  Words names;                      ///< parallel to parts, if lines have two fields
  bool named = false;
};

class Parser {
 public:
  /// @param most elements that may have a part; one more line is read, and no further.
  Parser(const std::string& path, int parts, std::uint64_t most) : _path(path), _parts(parts), _most(most) {}

  Lines read() {
    InputFile file(_path);
    const std::uint64_t origin = byte_order_mark(file, _path);
    LineReader reader(file, origin, origin, file.size());
    std::string_view line;
    bool first = true;
    while (_lines.parts.size() <= _most && reader.next(line)) {
      const std::uint64_t number = reader.line_number() + 1;
      std::size_t position = 0;
      const Field one = take_field(line, position);
      if (one.text.empty() || one.text[0] == '#' || one.text[0] == '%') continue;
      if (reader.cut_off()) refuse(number, one, "a line of one or two fields");
      const Field two = take_field(line, position);
      const Field three = take_field(line, position);
      if (first) _lines.named = !two.text.empty();
      first = false;
      if (_lines.named && two.text.empty()) refuse(number, two, "a part after the name");
      if (!_lines.named && !two.text.empty()) refuse(number, two, "the end of the line, as in the first one");
      if (!three.text.empty()) refuse(number, three, "the end of the line");
      _lines.parts.push_back(part(number, _lines.named ? two : one));
      if (!_lines.named) continue;
      _lines.names.push_back(one.text);
      _lines.line.push_back(number);
    }
    return std::move(_lines);
  }

 private:
  [[noreturn]] void refuse(std::uint64_t line, const Field& found, const std::string& expected) const {
    throw InputError(_path + ":" + std::to_string(line) + ":" + std::to_string(found.column + 1) + ": found " +
                     (found.text.empty() ? "the end of the line" : quoted(found.text)) + ", expected " + expected);
  }
  Rank part(std::uint64_t line, const Field& field) const {
    Rank number = 0;
    const char* const end = field.text.data() + field.text.size();
    const auto [stopped, error] = std::from_chars(field.text.data(), end, number);
    if (error != std::errc() || stopped != end || number < 0 || number >= _parts)
      refuse(line, field, "a part from 0 to " + std::to_string(_parts - 1));
    return number;
  }

  const std::string& _path;
  int _parts;
  std::uint64_t _most;
  Lines _lines;
};

/// Positions of names in this worker's block of rows.
class Block {
 public:
  Block(const comm::Communicator& communicator, const PartitionedElements& elements) {
    const auto blocks = partition::Assignment::block(elements.rows, communicator.size());
    _first = blocks.block_begin(communicator.rank());
    _size = static_cast<std::uint64_t>(blocks.block_begin(communicator.rank() + 1) - _first);
    if (elements.ids != nullptr && elements.ids->length() != 0) _ids = elements.ids;
  }
  std::uint64_t size() const { return _size; }

  std::optional<std::uint64_t> find(std::string_view name) const {
    if (_ids != nullptr) return _ids->find(name);
    std::int64_t number = 0;
    const auto [stopped, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc() || stopped != name.data() + name.size()) return std::nullopt;
    if (number < _first || static_cast<std::uint64_t>(number - _first) >= _size) return std::nullopt;
    return static_cast<std::uint64_t>(number - _first);
  }
  std::string name(std::uint64_t position) const {
    if (_ids == nullptr) return std::to_string(_first + static_cast<GlobalIndex>(position));
    return _ids->words() ? std::string(_ids->word_block()[position]) : std::to_string(_ids->integer(position));
  }

 private:
  GlobalIndex _first = 0;
  std::uint64_t _size = 0;
  const VertexIds* _ids = nullptr;
};

/// Collective. Each worker finds the names of its block.
std::vector<Rank> by_name(const comm::Communicator& communicator, const std::string& path, const Lines& lines,
                          const PartitionedElements& elements) {
  const Block block(communicator, elements);
  std::vector<Rank> mine(block.size(), kNoPart);
  std::vector<std::uint64_t> given_in(block.size()), found(lines.parts.size());
  std::uint64_t twice = lines.parts.size();  // the first line whose row has a part already
  comm::agree(communicator, [&] {
    for (std::uint64_t k = 0; k < lines.parts.size(); ++k) {
      const std::optional<std::uint64_t> position = block.find(lines.names[k]);
      if (!position) continue;
      found[k] = 1;
      if (mine[*position] != kNoPart) {
        twice = std::min(twice, k);
        continue;
      }
      mine[*position] = lines.parts[k];
      given_in[*position] = lines.line[k];
    }
  });
  const std::uint64_t first_twice = communicator.min(twice);
  comm::agree(communicator, [&] {
    if (twice != first_twice || twice == lines.parts.size()) return;
    throw InputError(path + ":" + std::to_string(lines.line[twice]) + ":1: found " + quoted(lines.names[twice]) +
                     ", expected a row whose part line " +
                     std::to_string(given_in[block.find(lines.names[twice]).value()]) + " has not given already");
  });
  communicator.sum(std::span<std::uint64_t>(found));
  const auto unknown = static_cast<std::uint64_t>(std::find(found.begin(), found.end(), 0) - found.begin());
  if (unknown < found.size())
    throw InputError(path + ":" + std::to_string(lines.line[unknown]) + ":1: found " + quoted(lines.names[unknown]) +
                     ", expected the name of a row");
  comm::agree(communicator, [&] {
    const auto missing = static_cast<std::uint64_t>(std::find(mine.begin(), mine.end(), kNoPart) - mine.begin());
    if (missing < mine.size()) throw InputError(path + ": gives no part of row " + quoted(block.name(missing)));
  });
  return communicator.all_gather(std::span<const Rank>(mine)).values;
}

}  // namespace

std::vector<Rank> read_partition_file(const comm::Communicator& communicator, const std::string& path,
                                      const PartitionedElements& elements, int parts) {
  Lines lines;
  comm::agree(communicator, [&] {
    const std::uint64_t most = elements.rows + elements.columns;
    lines = Parser(path, parts, most).read();
    const std::uint64_t given = lines.parts.size();
    if (lines.named || given == elements.rows) return;
    if (elements.columns != 0 && given == elements.rows + elements.columns) return;
    throw InputError(
        path + ": found the parts of " + (given > most ? "more than " + std::to_string(most) : std::to_string(given)) +
        " elements, expected those of " + std::to_string(elements.rows) +
        (elements.columns == 0 ? "" : " rows, or of these and " + std::to_string(elements.columns) + " columns"));
  });
  if (lines.named) return by_name(communicator, path, lines, elements);
  return std::move(lines.parts);
}

}  // namespace kasen::io
