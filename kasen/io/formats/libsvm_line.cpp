#include "kasen/io/formats/libsvm_line.h"

#include <limits>
#include <string>

namespace kasen::io {

namespace {

/// The rest of a line, for messages.
struct Rest {
  std::string_view line, text;

  [[noreturn]] void fail(const std::string& message) const {
    ControlByte control{};
    if (find_control_byte(line, control)) throw LineError{control.position, control.message};
    throw LineError{static_cast<std::size_t>(text.data() - line.data()), message};
  }
  bool at_field_end() const { return text.empty() || is_blank(text.front()); }
};

void take_label(Rest& rest, const LibsvmFormat& format, double& label) {
  Rest after = rest;
  const NumberRule rule{.finite = format.rule.finite};
  const NumberFault fault = take_number(after.text, label, rule);
  if (fault == NumberFault::none && after.at_field_end()) {
    rest = after;
    return;
  }
  const std::string_view word = next_word(rest.text);
  if (fault == NumberFault::none && after.text.front() == ',') {
    rest.fail("expected one label, found several in " + quoted(word) + ": samples of several labels are not read");
  }
  if (fault == NumberFault::none && after.text.front() == ':') {
    rest.fail("expected a label, found " + quoted(word) + ": every line begins with its label");
  }
  rest.fail(number_fault(fault == NumberFault::none ? NumberFault::no_number : fault, "a label", word, rule));
}

void take_pair(Rest& rest, const LibsvmFormat& format, LibsvmSample& sample) {
  const auto word = [&] { return quoted(next_word(rest.text)); };
  if (rest.text.starts_with("qid:")) rest.fail("expected index:value, found " + word() + ": queries are not read");
  Rest after = rest;
  std::uint64_t index = 0;
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!take_whole(after.text, index) || index >= kMost || after.text.empty() || after.text.front() != ':') {
    rest.fail("expected index:value, found " + word());
  }
  if (index < format.first_index) {
    rest.fail("expected an index from 1, found " + word() + "; --zero-based takes indices from 0");
  }
  const std::uint64_t column = index - format.first_index;
  if (format.columns > 0 && column >= format.columns) {
    rest.fail("expected an index up to " + std::to_string(format.columns - 1 + format.first_index) + ", found " +
              word());
  }
  if (!sample.columns.empty() && column <= sample.columns.back()) {
    rest.fail("expected an index above " + std::to_string(sample.columns.back() + format.first_index) + ", found " +
              word() + ": indices ascend");
  }
  if (column >= format.memory / sizeof(double)) {
    rest.fail("expected columns that fit into memory, found " + word() + ": for one vector at least " +
              std::to_string(index) + " numbers of 8 bytes are needed, " + std::to_string(format.memory) +
              " bytes are available");
  }
  rest = after;
  rest.text.remove_prefix(1);
  after = rest;
  double value = 0;
  NumberFault fault = take_number(after.text, value, format.rule);
  if (fault == NumberFault::none && !after.at_field_end()) fault = NumberFault::no_number;
  if (fault != NumberFault::none) {
    rest.fail(number_fault(fault, "a value", next_word(rest.text), format.rule));
  }
  rest = after;
  sample.columns.push_back(column);
  sample.values.push_back(value);
}

}  // namespace

bool parse_libsvm_line(std::string_view line, const LibsvmFormat& format, LibsvmSample& sample) {
  Rest rest{line, line};
  if (line.find('\0') != std::string_view::npos) rest.fail("");
  rest.text = trimmed(line.substr(0, line.find('#')));
  if (rest.text.empty()) return false;
  sample.columns.clear();
  sample.values.clear();
  take_label(rest, format, sample.label);
  for (take_blanks(rest.text); !rest.text.empty(); take_blanks(rest.text)) take_pair(rest, format, sample);
  return true;
}

}  // namespace kasen::io
