#include "kasen/io/bytes/byte_order_mark.h"

#include <array>
#include <string_view>

#include "kasen/base/error.h"

namespace kasen::io {

std::uint64_t byte_order_mark(ByteSource& text, const std::string& name) {
  using namespace std::string_view_literals;
  struct Mark {
    std::string_view bytes, encoding;
  };
  static constexpr std::array<Mark, 5> kMarks{{{"\xef\xbb\xbf"sv, "UTF-8"sv},
                                               {"\xff\xfe\0\0"sv, "UTF-32"sv},  // before the mark that it begins with
                                               {"\0\0\xfe\xff"sv, "UTF-32"sv},
                                               {"\xff\xfe"sv, "UTF-16"sv},
                                               {"\xfe\xff"sv, "UTF-16"sv}}};
  char bytes[4];
  const std::string_view start(bytes, text.read(0, bytes, sizeof bytes));
  for (const Mark& mark : kMarks) {
    if (!start.starts_with(mark.bytes)) continue;
    if (mark.encoding == "UTF-8") return mark.bytes.size();
    throw InputError(name + ": is a text in " + std::string(mark.encoding) + ", expected UTF-8; iconv -f " +
                     std::string(mark.encoding) + " -t UTF-8 makes it one");
  }
  return 0;
}

}  // namespace kasen::io
