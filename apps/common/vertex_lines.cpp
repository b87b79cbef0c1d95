#include "apps/common/vertex_lines.h"

#include <fmt/format.h>

#include <string_view>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/io/bytes/byte_order_mark.h"
#include "kasen/io/bytes/input_file.h"
#include "kasen/io/lines/fields.h"
#include "kasen/io/lines/line_reader.h"
#include "kasen/output.h"

namespace apps {

namespace {

namespace io = kasen::io;

std::string found(std::string_view field) { return field.empty() ? "the end of the line" : io::quoted(field); }

std::vector<VertexLine> read(const std::string& path, int fields, const std::string& second) {
  io::InputFile file(path);
  const std::uint64_t origin = io::byte_order_mark(file, path);
  io::LineReader reader(file, origin, origin, file.size());
  std::vector<VertexLine> lines;
  for (std::string_view text; reader.next(text);) {
    const std::uint64_t number = reader.line_number() + 1;
    std::string_view rest = io::trimmed(text);
    if (rest.empty() || rest.front() == '#' || rest.front() == '%') continue;
    const auto refuse = [&](std::string_view field, const std::string& expected) {
      throw kasen::InputError(fmt::format("{}:{}:{}: found {}, expected {}", path, number,
                                          field.data() - text.data() + 1, found(field), expected));
    };
    if (reader.cut_off()) refuse(io::next_word(rest), "a short line");
    io::ControlByte byte;
    if (io::find_control_byte(rest, byte)) refuse(rest.substr(byte.position, 1), "a text: " + byte.message);
    const std::string_view vertex = io::take_word(rest);
    io::take_blanks(rest);
    const std::string_view value = fields == 2 ? io::take_word(rest) : std::string_view();
    if (fields == 2 && value.empty()) refuse(rest, second + " after the vertex");
    io::take_blanks(rest);
    if (!rest.empty()) refuse(io::next_word(rest), "the end of the line");
    lines.push_back({std::string(vertex), std::string(value), number});
  }
  return lines;
}

}  // namespace

std::vector<VertexLine> read_vertex_lines(const std::string& path, int fields, const std::string& second) {
  std::vector<VertexLine> lines;
  kasen::workers::agree([&] { lines = read(path, fields, second); });
  return lines;
}

}  // namespace apps
