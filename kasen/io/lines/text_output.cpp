/// @file
/// Two passes over what is written: one that measures, one that writes at the right places.
#include "kasen/io/lines/text_output.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/io/bytes/output_file.h"

namespace kasen::io {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

template <class T>
void append_shortest(std::string& text, T number) {
  char digits[128];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  text.append(digits, end);
}

template <class T>
void append_floating_point(std::string& text, T number) {
  if (std::isnan(number)) {
    text += "nan";
  } else {
    append_shortest(text, number);
  }
}

template <class T>
T load(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

}  // namespace

void write_sections(const comm::Communicator& communicator, const std::string& path, const std::string& header,
                    std::uint64_t sections, std::uint64_t items, const FormatItem& format) {
  OutputFile file(communicator, path);
  std::vector<std::uint64_t> bytes(sections);
  std::string text;
  text.reserve(2 * kBufferBytes);
  comm::agree(communicator, [&] {
    for (std::uint64_t section = 0; section < sections; ++section) {
      for (std::uint64_t item = 0; item < items; ++item) {
        text.clear();
        format(section, item, text);
        bytes[section] += text.size();
      }
    }
  });
  const auto all = communicator.all_gather(std::span<const std::uint64_t>(bytes)).values;
  std::uint64_t end = header.size();
  std::vector<std::uint64_t> begin(sections);
  for (std::uint64_t section = 0; section < sections; ++section) {
    for (std::uint64_t worker = 0; worker * sections < all.size(); ++worker) {
      if (worker == static_cast<std::uint64_t>(communicator.rank())) begin[section] = end;
      end += all[worker * sections + section];
    }
  }
  comm::agree(communicator, [&] {
    if (communicator.rank() == 0) file.reserve(end);
  });
  comm::agree(communicator, [&] {
    const OutputPart part(file);
    if (communicator.rank() == 0) part.write(0, header);
    for (std::uint64_t section = 0; section < sections; ++section) {
      std::uint64_t offset = begin[section];
      text.clear();
      for (std::uint64_t item = 0; item < items; ++item) {
        format(section, item, text);
        if (text.size() < kBufferBytes && item + 1 < items) continue;
        part.write(offset, text);
        offset += text.size();
        text.clear();
      }
    }
    part.flush();
  });
  file.commit();
}

void append(std::string& text, double number) { append_floating_point(text, number); }
void append(std::string& text, std::uint64_t number) { append_shortest(text, number); }
void append(std::string& text, std::int64_t number) { append_shortest(text, number); }

void append(std::string& text, const ElementType& type, const std::byte* element) {
  using Kind = ElementType::Kind;
  switch (type.kind) {
    case Kind::floating_point:
      if (type.bytes == sizeof(float)) return append_floating_point(text, load<float>(element));
      if (type.bytes == sizeof(double)) return append_floating_point(text, load<double>(element));
      return append_floating_point(text, load<long double>(element));
    case Kind::signed_integer:
      if (type.bytes == 1) return append_shortest(text, int{load<std::int8_t>(element)});
      if (type.bytes == 2) return append_shortest(text, load<std::int16_t>(element));
      if (type.bytes == 4) return append_shortest(text, load<std::int32_t>(element));
      return append_shortest(text, load<std::int64_t>(element));
    case Kind::unsigned_integer:
      if (type.bytes == 1) return append_shortest(text, int{load<std::uint8_t>(element)});
      if (type.bytes == 2) return append_shortest(text, load<std::uint16_t>(element));
      if (type.bytes == 4) return append_shortest(text, load<std::uint32_t>(element));
      return append_shortest(text, load<std::uint64_t>(element));
    case Kind::text: {
      const char* const characters = reinterpret_cast<const char*>(element);
      text.append(characters, strnlen(characters, type.bytes));
    }
  }
}

}  // namespace kasen::io
