#include "kasen/runtime/whole_values.h"

#include <algorithm>
#include <cstring>

namespace kasen::runtime {

void WholeValues::add(ValueId value) {
  if (std::any_of(_copies.begin(), _copies.end(), [&](const Copy& copy) { return copy.value == value; })) return;
  const partition::IndexSpace& space = _context->placement.space(_context->plan.values[index_of(value)].space);
  Copy copy{value, {}};
  if (!space.numbers().empty()) copy.bytes.resize(lines_of(space.length() * _context->element_bytes(value)));
  _copies.push_back(std::move(copy));
}

void WholeValues::refresh() {
  for (Copy& copy : _copies) {
    if (copy.bytes.empty()) continue;
    const auto number = _context->placement.space(_context->plan.values[index_of(copy.value)].space).numbers();
    const std::size_t bytes = _context->element_bytes(copy.value);
    const std::byte* const from = _context->storage.vector(copy.value);
    std::byte* to = copy.bytes.data()->bytes;
    for (const LocalIndex at : number) {
      std::memcpy(to, from + at * bytes, bytes);
      to += bytes;
    }
  }
}

std::byte* WholeValues::at(ValueId value) {
  const auto copy = std::find_if(_copies.begin(), _copies.end(), [&](const Copy& c) { return c.value == value; });
  return copy->bytes.empty() ? _context->storage.vector(value) : copy->bytes.data()->bytes;
}

}  // namespace kasen::runtime
