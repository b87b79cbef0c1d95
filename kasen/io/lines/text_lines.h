/// @file
/// Reading of a text line by line, each worker its share, with one message for the first wrong line.
#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "comm/agreement.h"
#include "comm/available_memory.h"
#include "kasen/base/error.h"
#include "kasen/io/lines/line_error.h"
#include "kasen/io/lines/line_reader.h"
#include "kasen/io/lines/text.h"

namespace kasen::io {

struct TextLine {
  std::string_view text;     ///< without LF; valid until the next line is read
  bool cut_off = false;      ///< longer than LineReader::kBufferBytes: `text` is its beginning
  std::size_t part = 0;      ///< which part of the text
  std::uint64_t offset = 0;  ///< where it begins in the part
  std::uint64_t number = 0;  ///< number of lines of the part before it that this reader has passed
};

/// Reads the lines of a text, all or a worker's share, that do not begin before `start`.
class TextReader {
 public:
  /// Of all lines; local. @param longest_line as in LineReader
  TextReader(const Text& text, const TextPosition& start, std::uint64_t longest_line);
  /// Of this worker's share (shares.h). Local but where a compressed part is shared: one of those who read it sends the
  /// others their lines, and all of them must read to the end or close().
  TextReader(const comm::Communicator& communicator, const Text& text, const TextPosition& start,
             std::uint64_t longest_line);

  /// Gives the next line; false if there is none. @throws InputError
  bool next(TextLine& line);
  /// Reads no further; nobody waits for this worker then.
  void close();

  std::size_t part() const { return _part; }
  /// The number of lines of this part that end in the range, from `start` on, as far as the reader has come.
  std::uint64_t line_ends() const { return _reader ? _reader->line_ends() : 0; }

 private:
  bool open_next();
  std::uint64_t first_byte() const;
  void open_compressed(std::size_t part);

  const comm::Communicator* _communicator = nullptr;  ///< none: there are no others
  const Text* _text;
  TextPosition _start;
  std::vector<std::uint64_t> _cuts;  ///< by worker
  std::uint64_t _longest_line;
  std::size_t _rank = 0;
  std::size_t _part = 0;  ///< the one that is being read, or that comes next
  bool _opened = false;
  std::unique_ptr<ByteSource> _source;
  std::optional<LineReader> _reader;
};

/// The message "FILE:LINE:COLUMN: message" for an error in a line that was read from the text's start on.
std::string located(const Text& text, const TextLine& line, const LineError& error);

/// A wrong line that one worker has met, before all workers agree on the first one.
struct WrongLine {
  TextLine line;
  LineError error;
};

/// Collective. Throws AgreedError for the first wrong line of the text, if any worker has met one, or for the
/// first file that cannot be read further, `unreadable`, whichever comes first.
void agree_on_lines(const comm::Communicator& communicator, const Text& text, const TextPosition& start,
                    const TextReader& reader, const std::optional<WrongLine>& wrong,
                    const std::exception_ptr& unreadable);

/// Watches whether what a worker keeps of the lines it reads will fit into its memory: how much a text holds shows only
/// while it is read, as it may be compressed.
class MemoryWatch {
 public:
  /// Collective. See comm::AvailableMemory.
  MemoryWatch(const comm::Communicator& communicator, const Text& text);
  /// Local. To be called after every line. @throws LineError if less memory is left, by the system or by
  /// comm::limit_memory, than what was read so far takes, as all of it is held twice on its way to the workers that it
  /// is for.
  void passed(std::string_view line) {
    _bytes += line.size() + 1;
    if (_bytes >= kBytes) look();
  }

 private:
  static constexpr std::uint64_t kBytes = std::uint64_t{1} << 24;
  static constexpr double kUsed = 0.9;  ///< of a limit, where a number of workers is named
  void look();
  std::string enough_workers(std::uint64_t taken, std::uint64_t limit) const;

  comm::AvailableMemory _available;
  std::uint64_t _at_start;  ///< bytes in use
  int _workers;
  std::uint64_t _share = 0;   ///< of the text's bytes; 0 if it is compressed
  std::uint64_t _passed = 0;  ///< bytes of lines up to the last look
  std::uint64_t _bytes = 0;   ///< and since then
};

/// Collective. Calls `parse` with every line from `start` on that begins in this worker's share of the bytes. Line
/// errors that it throws end the reading: the first one of the text is thrown by all workers.
template <std::invocable<const TextLine&> Parse>
void read_lines(const comm::Communicator& communicator, const Text& text, const TextPosition& start, Parse&& parse,
                std::uint64_t longest_line = LineReader::kLongestLine) {
  TextReader reader(communicator, text, start, longest_line);
  std::optional<WrongLine> wrong;
  std::exception_ptr unreadable;
  MemoryWatch memory(communicator, text);
  comm::agree(communicator, [&] {
    const struct Closing {
      TextReader& reader;
      ~Closing() { reader.close(); }
    } closing{reader};
    TextLine line;
    try {
      while (reader.next(line)) {
        parse(line);
        memory.passed(line.text);
      }
    } catch (const LineError& error) {
      wrong = {line, error};
    } catch (const InputError&) {
      unreadable = std::current_exception();
    } catch (const std::bad_alloc&) {
      wrong = {line, {0, "there is not enough memory for what the file holds"}};
    }
  });
  agree_on_lines(communicator, text, start, reader, wrong, unreadable);
}

/// Local, on one worker. Calls `parse` with the lines from the text's start on until it returns false.
/// @throws InputError, with the place of the line errors that `parse` throws
template <std::predicate<const TextLine&> Parse>
void read_head(const Text& text, Parse&& parse, std::uint64_t longest_line = LineReader::kLongestLine) {
  TextReader reader(text, text.start(), longest_line);
  TextLine line;
  try {
    while (reader.next(line) && parse(line)) {
    }
  } catch (const LineError& error) {
    throw InputError(located(text, line, error));
  }
}

/// The position behind a line that was read from the text's start on.
TextPosition after(const Text& text, const TextLine& line);
/// The position of a line that was read from the text's start on.
TextPosition position_of(const Text& text, const TextLine& line);

}  // namespace kasen::io
