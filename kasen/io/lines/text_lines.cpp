/// @file
/// Readers that go from part to part, and the place FILE:LINE:COLUMN of an error.
#include "kasen/io/lines/text_lines.h"

#include <algorithm>

#include "kasen/base/error.h"

namespace kasen::io {

namespace {

std::string located(const Text& text, std::size_t part, std::uint64_t line, const LineError& error) {
  return text.parts()[part].path + ":" + std::to_string(line) + ":" + std::to_string(error.column + 1) + ": " +
         error.message;
}

}  // namespace

TextReader::TextReader(const Text& text, const TextPosition& start, std::uint64_t begin, std::uint64_t end,
                       std::uint64_t longest_line)
    : _text(&text), _start(start), _begin(begin), _end(end), _longest_line(longest_line), _part(start.part) {}

/// Opens the next part that the range reaches into.
bool TextReader::open_next() {
  for (std::size_t part = _opened ? _part + 1 : _part; part < _text->parts().size(); ++part) {
    const std::uint64_t first = _text->part_begin(part);
    if (first >= _end) return false;
    const std::uint64_t origin = part == _start.part ? _start.offset : _text->parts()[part].origin;
    const std::uint64_t begin = std::max(_begin > first ? _begin - first : 0, origin);
    const std::uint64_t end = std::min(_end, _text->part_begin(part + 1)) - first;
    if (begin >= end) continue;
    _reader.reset();
    _source = _text->open(part);
    _reader.emplace(*_source, origin, begin, end, LineReader::kBufferBytes, _longest_line);
    _part = part;
    return _opened = true;
  }
  return false;
}

bool TextReader::next(TextLine& line) {
  while (!_reader || !_reader->next(line.text)) {
    if (!open_next()) return false;
  }
  line.cut_off = _reader->cut_off();
  line.part = _part;
  line.offset = _reader->line_offset();
  line.number = _reader->line_number();
  return true;
}

MemoryWatch::MemoryWatch(const comm::Communicator& communicator)
    : _available(communicator), _at_start(comm::memory_in_use()) {}

void MemoryWatch::look() {
  _bytes = 0;
  const std::uint64_t in_use = comm::memory_in_use(), left = _available.of_worker();
  const std::uint64_t taken = in_use > _at_start ? in_use - _at_start : 0;
  if (taken <= left) return;
  throw LineError{0, "there is not enough memory for what the file holds: what a worker has read takes " +
                         std::to_string(taken) + " bytes and will be needed twice, " + std::to_string(left) +
                         " are available to it"};
}

std::string located(const Text& text, const TextLine& line, const LineError& error) {
  return located(text, line.part, text.parts()[line.part].skipped + line.number + 1, error);
}

void agree_on_lines(const comm::Communicator& communicator, const Text& text, const TextPosition& start,
                    const TextReader& reader, const std::optional<WrongLine>& wrong) {
  // Of several wrong lines the lowest worker's is the first of the text, and the workers before it know their lines.
  // Of those, only the ends of what they read can lie in the same part.
  struct End {
    std::uint64_t part, lines;
  };
  const std::vector<End> ends = communicator.all_gather(End{reader.part(), reader.line_ends()});
  comm::agree(communicator, [&] {
    if (!wrong) return;
    const std::size_t part = wrong->line.part;
    std::uint64_t before = part == start.part ? start.line : text.parts()[part].skipped;
    for (std::size_t w = 0; w < static_cast<std::size_t>(communicator.rank()); ++w) {
      if (ends[w].part == part) before += ends[w].lines;
    }
    throw InputError(located(text, part, before + wrong->line.number + 1, wrong->error));
  });
}

TextPosition position_of(const Text& text, const TextLine& line) {
  return {line.part, line.offset, text.parts()[line.part].skipped + line.number};
}

TextPosition after(const Text& text, const TextLine& line) {
  TextPosition position = position_of(text, line);
  position.offset = std::min(position.offset + line.text.size() + 1, text.parts()[line.part].size);
  ++position.line;
  return position;
}

}  // namespace kasen::io
