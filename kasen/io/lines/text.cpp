/// @file
/// Search for the files of a text, with the sizes and first lines that must be known before they are read together.
#include "kasen/io/lines/text.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/io/bytes/byte_order_mark.h"
#include "kasen/io/bytes/input_file.h"
#include "kasen/io/lines/line_reader.h"

namespace kasen::io {

namespace {

namespace fs = std::filesystem;

/// Local. The files that a path stands for, each followed by NUL, in the order of their names.
std::string list_files(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return path + '\0';
  std::vector<std::string> files;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with('.') && !name.starts_with('_')) files.push_back(entry->path().string());
  }
  if (error) throw InputError(path + ": cannot be read: " + error.message());
  if (files.empty()) throw InputError(path + ": is a directory without files");
  std::sort(files.begin(), files.end());
  std::string list;
  for (const std::string& file : files) list += file + '\0';
  return list;
}

constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

std::unique_ptr<ByteSource> open_part(std::unique_ptr<ByteSource> file, const TextPart& part) {
  if (part.compression == Compression::none) return file;
  return std::make_unique<Decompressor>(std::move(file), part.path, part.compression);
}

std::uint64_t end_of_part(const TextPart& part) { return part.compression == Compression::none ? part.size : kUnknown; }

/// Local. Fills in all but the path.
void look_at(TextPart& part, std::uint64_t skip_lines) {
  auto file = std::make_unique<InputFile>(part.path);
  part.size = file->size();
  char bytes[kCompressionMagicBytes];
  part.compression = compression_of({bytes, file->read(0, bytes, sizeof bytes)});
  const std::unique_ptr<ByteSource> text = open_part(std::move(file), part);
  part.empty = text->read(0, bytes, 1) == 0;
  part.origin = byte_order_mark(*text, part.path);
  if (skip_lines == 0) return;
  LineReader reader(*text, part.origin, part.origin, end_of_part(part));  // of a long line the beginning is enough
  std::string_view line;
  while (part.skipped < skip_lines && reader.next(line)) ++part.skipped;
  part.origin = reader.next(line) ? reader.line_offset() : end_of_part(part);
}

struct Found {
  Compression compression;
  std::uint64_t size, origin, skipped;
  std::uint8_t empty;
};

}  // namespace

Text::Text(const comm::Communicator& communicator, const std::string& path, std::uint64_t skip_lines) : _path(path) {
  std::string files;
  comm::agree(communicator, [&] {
    if (communicator.rank() == 0) files = list_files(path);
  });
  communicator.broadcast(files, 0);
  for (std::size_t at = 0; at < files.size(); at = files.find('\0', at) + 1) {
    _parts.emplace_back().path = files.substr(at, files.find('\0', at) - at);
  }

  // Worker w looks at parts w, w + workers, ...
  const auto workers = static_cast<std::size_t>(communicator.size());
  std::vector<Found> mine;
  std::exception_ptr wrong;
  auto k = static_cast<std::size_t>(communicator.rank());
  try {
    for (; k < _parts.size(); k += workers) {
      look_at(_parts[k], skip_lines);
      mine.push_back({_parts[k].compression, _parts[k].size, _parts[k].origin, _parts[k].skipped, _parts[k].empty});
    }
  } catch (...) {
    wrong = std::current_exception();
  }
  const std::size_t first_wrong = communicator.min(wrong ? k : _parts.size());
  comm::agree(communicator, [&] {
    if (wrong && k == first_wrong) std::rethrow_exception(wrong);
  });
  const auto found = communicator.all_gather(std::span<const Found>(mine));
  _begin.push_back(0);
  for (std::size_t p = 0; p < _parts.size(); ++p) {
    const Found& part = found.values[found.offsets[p % workers] + p / workers];
    _parts[p].compression = part.compression;
    _parts[p].size = part.size;
    _parts[p].origin = part.origin;
    _parts[p].skipped = part.skipped;
    _parts[p].empty = part.empty != 0;
    _begin.push_back(_begin.back() + part.size);
  }
}

std::unique_ptr<ByteSource> Text::open(std::size_t part) const {
  return open_part(std::make_unique<InputFile>(_parts[part].path), _parts[part]);
}

std::unique_ptr<Decompressor> Text::open_compressed(std::size_t part) const {
  return std::make_unique<Decompressor>(std::make_unique<InputFile>(_parts[part].path), _parts[part].path,
                                        _parts[part].compression);
}

std::uint64_t Text::measure(std::size_t part) const {
  if (_parts[part].compression == Compression::none) return _parts[part].size;
  const std::unique_ptr<Decompressor> file = open_compressed(part);
  std::vector<char> scratch(LineReader::kBufferBytes);
  std::uint64_t bytes = 0;
  while (const std::uint64_t n = file->read(bytes, scratch.data(), scratch.size())) bytes += n;
  return bytes;
}

std::uint64_t Text::end_of(std::size_t part) const { return end_of_part(_parts[part]); }

bool Text::empty() const {
  return std::all_of(_parts.begin(), _parts.end(), [](const TextPart& part) { return part.empty; });
}

}  // namespace kasen::io
