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

/// Lines that are looked at together: names of so many are there at a time.
constexpr std::size_t kRound = std::size_t{1} << 16;

/// Some lines, the same on every worker.
struct Lines {
  std::vector<Rank> parts;
  std::vector<std::uint64_t> line;  ///< where each stands; only with names
  Words names;                      ///< parallel to parts, if lines have two fields
};

class Parser {
 public:
  /// @param most elements that may have a part; one more line is read, and no further.
  Parser(const std::string& path, int parts, std::uint64_t most)
      : _path(path),
        _parts(parts),
        _most(most),
        _file(path),
        _begin(byte_order_mark(_file, path)),
        _reader(_file, _begin, _begin, _file.size()) {}

  /// Whether lines have two fields, as far as they have been read.
  bool named() const { return _named; }

  /// The next lines with a part, up to kRound of them; none at the end.
  Lines read() {
    Lines lines;
    std::string_view line;
    while (_count <= _most && lines.parts.size() < kRound && _reader.next(line)) {
      const std::uint64_t number = _reader.line_number() + 1;
      std::size_t position = 0;
      const Field one = take_field(line, position);
      if (one.text.empty() || one.text[0] == '#' || one.text[0] == '%') continue;
      if (_reader.cut_off()) refuse(number, one, "a line of one or two fields");
      const Field two = take_field(line, position);
      const Field three = take_field(line, position);
      if (_count++ == 0) _named = !two.text.empty();
      if (_named && two.text.empty()) refuse(number, two, "a part after the name");
      if (!_named && !two.text.empty()) refuse(number, two, "the end of the line, as in the first one");
      if (!three.text.empty()) refuse(number, three, "the end of the line");
      lines.parts.push_back(part(number, _named ? two : one));
      if (!_named) continue;
      lines.names.push_back(one.text);
      lines.line.push_back(number);
    }
    return lines;
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
  InputFile _file;
  std::uint64_t _begin;  ///< behind a byte order mark
  LineReader _reader;
  std::uint64_t _count = 0;
  bool _named = false;
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

/// The parts of rows by their names, of which each worker finds those of its block.
class NamedParts {
 public:
  NamedParts(const comm::Communicator& communicator, const std::string& path, const PartitionedElements& elements)
      : _communicator(communicator),
        _path(path),
        _block(communicator, elements),
        _mine(_block.size(), kNoPart),
        _given_in(_block.size()) {}

  /// Collective.
  void take(const Lines& lines) {
    std::vector<std::uint64_t> found(lines.parts.size());
    std::uint64_t twice = lines.parts.size();  // the first line whose row has a part already
    comm::agree(_communicator, [&] {
      for (std::uint64_t k = 0; k < lines.parts.size(); ++k) {
        const std::optional<std::uint64_t> position = _block.find(lines.names[k]);
        if (!position) continue;
        found[k] = 1;
        if (_mine[*position] != kNoPart) {
          twice = std::min(twice, k);
          continue;
        }
        _mine[*position] = lines.parts[k];
        _given_in[*position] = lines.line[k];
      }
    });
    const std::uint64_t first_twice = _communicator.min(twice);
    comm::agree(_communicator, [&] {
      if (twice != first_twice || twice == lines.parts.size()) return;
      throw InputError(_path + ":" + std::to_string(lines.line[twice]) + ":1: found " + quoted(lines.names[twice]) +
                       ", expected a row whose part line " +
                       std::to_string(_given_in[_block.find(lines.names[twice]).value()]) + " has not given already");
    });
    _communicator.sum(std::span<std::uint64_t>(found));
    const auto unknown = static_cast<std::uint64_t>(std::find(found.begin(), found.end(), 0) - found.begin());
    if (unknown < found.size())
      throw InputError(_path + ":" + std::to_string(lines.line[unknown]) + ":1: found " + quoted(lines.names[unknown]) +
                       ", expected the name of a row");
  }

  /// Collective. The parts of all rows.
  std::vector<Rank> all() const {
    comm::agree(_communicator, [&] {
      const auto missing = static_cast<std::uint64_t>(std::find(_mine.begin(), _mine.end(), kNoPart) - _mine.begin());
      if (missing < _mine.size()) throw InputError(_path + ": gives no part of row " + quoted(_block.name(missing)));
    });
    return _communicator.all_gather(std::span<const Rank>(_mine)).values;
  }

 private:
  const comm::Communicator& _communicator;
  const std::string& _path;
  Block _block;
  std::vector<Rank> _mine;
  std::vector<std::uint64_t> _given_in;  ///< the lines that gave them
};

std::vector<Rank> read(const comm::Communicator& communicator, const std::string& path,
                       const PartitionedElements& elements, int parts) {
  const std::uint64_t most = elements.rows + elements.columns;
  std::optional<Parser> parser;
  Lines lines;
  const auto read_more = [&] {
    comm::agree(communicator, [&] {
      if (!parser) parser.emplace(path, parts, most);
      lines = parser->read();
    });
    return !lines.parts.empty();
  };
  std::vector<Rank> all;
  std::optional<NamedParts> named;
  while (read_more()) {
    if (!parser->named()) {
      comm::agree(communicator, [&] { all.insert(all.end(), lines.parts.begin(), lines.parts.end()); });
      continue;
    }
    comm::agree(communicator, [&] {
      if (!named) named.emplace(communicator, path, elements);
    });
    named->take(lines);
  }
  if (named) return named->all();
  const std::uint64_t given = all.size();
  if (given == elements.rows || (elements.columns != 0 && given == most)) return all;
  throw InputError(
      path + ": found the parts of " + (given > most ? "more than " + std::to_string(most) : std::to_string(given)) +
      " elements, expected those of " + std::to_string(elements.rows) +
      (elements.columns == 0 ? "" : " rows, or of these and " + std::to_string(elements.columns) + " columns"));
}

}  // namespace

std::vector<Rank> read_partition_file(const comm::Communicator& communicator, const std::string& path,
                                      const PartitionedElements& elements, int parts) {
  return comm::alike([&] { return read(communicator, path, elements, parts); });
}

}  // namespace kasen::io
