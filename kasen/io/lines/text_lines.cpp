/// @file
/// Readers that go from part to part, and the place FILE:LINE:COLUMN of an error.
#include "kasen/io/lines/text_lines.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "comm/memory_limit.h"
#include "kasen/base/error.h"
#include "kasen/io/lines/dealt_lines.h"
#include "kasen/io/lines/shares.h"

namespace kasen::io {

namespace {

std::string located(const Text& text, std::size_t part, std::uint64_t line, const LineError& error) {
  return text.parts()[part].path + ":" + std::to_string(line) + ":" + std::to_string(error.column + 1) + ": " +
         error.message;
}

}  // namespace

TextReader::TextReader(const Text& text, const TextPosition& start, std::uint64_t longest_line)
    : _text(&text), _start(start), _longest_line(longest_line), _part(start.part) {
  _cuts = {first_byte(), text.size()};
}

TextReader::TextReader(const comm::Communicator& communicator, const Text& text, const TextPosition& start,
                       std::uint64_t longest_line)
    : _communicator(&communicator),
      _text(&text),
      _start(start),
      _longest_line(longest_line),
      _rank(static_cast<std::size_t>(communicator.rank())),
      _part(start.part) {
  _cuts = cut_text(text, first_byte(), communicator.size());
}

/// The stored byte where it begins, or, of a compressed part, where the part does.
std::uint64_t TextReader::first_byte() const {
  const bool plain = _text->parts()[_start.part].compression == Compression::none;
  return _text->part_begin(_start.part) + (plain ? std::min(_start.offset, _text->end_of(_start.part)) : 0);
}

/// Opens the next part that the share reaches into.
bool TextReader::open_next() {
  for (std::size_t part = _opened ? _part + 1 : _part; part < _text->parts().size(); ++part) {
    const std::uint64_t first = _text->part_begin(part);
    if (first >= _cuts[_rank + 1]) return false;
    const std::uint64_t begin = std::max(_cuts[_rank], first) - first;
    const std::uint64_t end = std::min(_cuts[_rank + 1], _text->part_begin(part + 1)) - first;
    if (begin >= end) continue;
    _reader.reset();
    if (_text->parts()[part].compression == Compression::none) {
      const std::uint64_t origin = part == _start.part ? _start.offset : _text->parts()[part].origin;
      if (std::max(begin, origin) >= end) continue;
      _source = _text->open(part);
      _reader.emplace(*_source, origin, std::max(begin, origin), end, LineReader::kBufferBytes, _longest_line);
    } else {
      open_compressed(part);
    }
    _part = part;
    return _opened = true;
  }
  return false;
}

/// The last worker that reads of the part decompresses it: those before can read meanwhile, and it waits for none that
/// waits for it, as they come to the part with their shares' ends.
void TextReader::open_compressed(std::size_t part) {
  const std::uint64_t first = _text->part_begin(part), end = _text->part_begin(part + 1);
  const std::vector<Rank> readers = readers_of(_cuts, first, end);
  std::uint64_t origin = part == _start.part ? _start.offset : _text->parts()[part].origin;
  const auto rank = static_cast<Rank>(_rank);
  if (rank != readers.back()) {
    auto received = std::make_unique<ReceivedLines>(*_communicator, readers.back());
    origin = received->begin();
    _source = std::move(received);
  } else if (readers.size() > 1) {
    std::vector<DealtLines::Receiver> receivers;
    for (const Rank reader : readers) {
      if (reader != rank) receivers.push_back({reader, _cuts[static_cast<std::size_t>(reader) + 1] - first});
    }
    auto dealt = std::make_unique<DealtLines>(
        *_communicator, [&] { return _text->open_compressed(part); }, origin, receivers);
    origin = dealt->begin();
    _source = std::move(dealt);
  } else {
    _source = _text->open_compressed(part);
  }
  _reader.emplace(*_source, origin, origin, _text->end_of(part), LineReader::kBufferBytes, _longest_line);
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

/// Lines that another worker sends are received: of the part that is open, and of one that would have come later. What
/// this worker sends it has sent when it has opened its first part.
void TextReader::close() {
  _source.reset();
  for (std::size_t part = _opened ? _part + 1 : _part; _communicator != nullptr && part < _text->parts().size();
       ++part) {
    if (_text->parts()[part].compression == Compression::none) continue;
    const std::vector<Rank> readers = readers_of(_cuts, _text->part_begin(part), _text->part_begin(part + 1));
    const auto rank = static_cast<Rank>(_rank);
    if (std::binary_search(readers.begin(), readers.end(), rank) && rank != readers.back())
      ReceivedLines(*_communicator, readers.back());
  }
}

MemoryWatch::MemoryWatch(const comm::Communicator& communicator, const Text& text)
    : _available(communicator), _at_start(comm::memory_in_use()), _workers(communicator.size()) {
  const auto is_packed = [](const TextPart& part) { return part.compression != Compression::none; };
  if (std::none_of(text.parts().begin(), text.parts().end(), is_packed))
    _share = comm::share_of(text.size(), static_cast<std::uint64_t>(_workers));
}

void MemoryWatch::look() {
  _passed += std::exchange(_bytes, 0);
  const std::uint64_t in_use = comm::memory_in_use(), left = _available.of_worker();
  const std::uint64_t taken = in_use > _at_start ? in_use - _at_start : 0;
  const std::uint64_t limit = comm::memory_limit();
  if (limit != 0 && comm::bytes_and(in_use, taken) > limit) {
    throw LineError{0, "what a worker has read takes " + std::to_string(taken) +
                           " bytes up to here and will be needed twice, beside " + std::to_string(_at_start) +
                           " bytes for the program and what it had before, of the " + std::to_string(limit) +
                           " bytes of --memory; " + enough_workers(taken, limit)};
  }
  if (taken <= left) return;
  throw LineError{0, "there is not enough memory for what the file holds: what a worker has read takes " +
                         std::to_string(taken) + " bytes and will be needed twice, " + std::to_string(left) +
                         " are available to it"};
}

/// As many as are needed if all that is left to read takes as much as what was read so far.
std::string MemoryWatch::enough_workers(std::uint64_t taken, std::uint64_t limit) const {
  if (_share == 0 || limit <= _at_start) return "more workers would each have less";
  const double all = static_cast<double>(taken) * static_cast<double>(_share) / static_cast<double>(_passed) * _workers;
  const double of_each = kUsed * static_cast<double>(limit - _at_start);
  return "about " + std::to_string(static_cast<std::uint64_t>(std::ceil(2 * all / of_each))) + " workers would do";
}

std::string located(const Text& text, const TextLine& line, const LineError& error) {
  return located(text, line.part, text.parts()[line.part].skipped + line.number + 1, error);
}

void agree_on_lines(const comm::Communicator& communicator, const Text& text, const TextPosition& start,
                    const TextReader& reader, const std::optional<WrongLine>& wrong,
                    const std::exception_ptr& unreadable) {
  // Of several wrong lines the lowest worker's is the first of the text, and the workers before it know their lines.
  // Of those, only the ends of what they read can lie in the same part.
  struct End {
    std::uint64_t part, lines;
  };
  const std::vector<End> ends = communicator.all_gather(End{reader.part(), reader.line_ends()});
  comm::agree(communicator, [&] {
    if (unreadable) std::rethrow_exception(unreadable);
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
  position.offset = std::min(position.offset + line.text.size() + 1, text.end_of(line.part));
  ++position.line;
  return position;
}

}  // namespace kasen::io
