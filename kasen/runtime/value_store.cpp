/// @file
/// Buffers passed between the values of a running plan.
#include "kasen/runtime/value_store.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "kasen/base/error.h"

namespace kasen::runtime {
namespace {

std::string name(ValueId value) { return "value " + std::to_string(index_of(value)); }

}  // namespace

ValueStore::ValueStore(const optimizer::Plan& plan, const partition::Placement& placement, BufferPool& pool)
    : _plan(&plan),
      _placement(&placement),
      _pool(&pool),
      _buffer(plan.values.size()),
      _free(plan.classes.size()),
      _line(plan.values.size()),
      _has(plan.values.size(), 0) {
  std::uint64_t lines = 0;
  for (std::size_t v = 0; v < plan.values.size(); ++v) {
    if (plan.values[v].kind != Value::Kind::shared) continue;
    _line[v] = lines;
    lines += lines_of(plan.values[v].type.bytes);
  }
  _shared.resize(lines);
  _moving_shared.resize(lines);
  _moving.reserve(plan.values.size());
  _moving_has.reserve(plan.values.size());
}

std::uint64_t ValueStore::elements(const optimizer::BufferClass& shape) const {
  const auto& space = _placement->space(shape.space);
  return shape.replicas ? space.local_size() : space.masters();
}

std::uint64_t ValueStore::open(std::vector<LiveValue> inputs, bool resumes) {
  if (inputs.size() != _plan->live_in.size()) throw InternalError("live values do not match the plan");
  _input.assign(inputs.size(), nullptr);
  _gathered.assign(inputs.size(), 0);
  std::uint64_t obtained = 0;
  for (std::size_t c = 0; c < _plan->classes.size(); ++c) {
    const auto& shape = _plan->classes[c];
    _free[c].reserve(shape.count + inputs.size());  // dying live-ins join their class
    for (std::uint64_t k = 0; k < shape.count; ++k) {
      _free[c].push_back(_pool->obtain(elements(shape), shape.element_bytes));
      obtained += _free[c].back()->bytes();
    }
    std::reverse(_free[c].begin(), _free[c].end());  // the first one obtained is the first one used
  }
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const ValueId value = _plan->live_in[k].value;
    if (is_shared(value)) {
      const auto& bytes = inputs[k].shared;
      if (inputs[k].has && bytes.size() != _plan->values[index_of(value)].type.bytes) {
        throw InternalError(name(value) + " has the wrong size");
      }
      std::copy(bytes.begin(), bytes.end(), shared(value));
      set_has(value, inputs[k].has);
      continue;
    }
    BufferRef buffer = std::move(inputs[k].buffer);
    _input[k] = buffer.get();
    const std::uint32_t c = _plan->class_of[index_of(value)];
    if (buffer == nullptr && resumes && _plan->live_in[k].dies) {
      // What the class would have got when the live-in died.
      if (c != optimizer::kNotStored)
        _free[c].push_back(_pool->obtain(elements(_plan->classes[c]), _plan->classes[c].element_bytes));
      continue;
    }
    if (buffer == nullptr) throw InternalError(name(value) + " is alive but has no buffer");
    if (c != optimizer::kNotStored) {
      const auto& shape = _plan->classes[c];
      if (buffer->bytes() < elements(shape) * shape.element_bytes) {
        throw InternalError(name(value) + " has no room for the replicas of its space");
      }
    }
    _buffer[index_of(value)] = std::move(buffer);
  }
  return obtained;
}

/// A buffer of the pool, not of the class: those of a class are as many as a run needs beside the buffers that it is
/// given, and which of these a value would have taken over is not known.
std::byte* ValueStore::restore(ValueId value) {
  BufferRef& buffer = _buffer[index_of(value)];
  if (buffer != nullptr) return nullptr;
  const Value& about = _plan->values[index_of(value)];
  buffer = _pool->obtain(_placement->space(about.space).local_size(), about.type.bytes);
  return buffer->data();
}

std::byte* ValueStore::vector(ValueId value) const { return buffer(value).data(); }

Buffer& ValueStore::buffer(ValueId value) const {
  const BufferRef& buffer = _buffer[index_of(value)];
  if (buffer == nullptr) throw InternalError(name(value) + " is used but not stored");
  return *buffer;
}

BufferRef ValueStore::pop(ValueId value) {
  const std::uint32_t c = _plan->class_of[index_of(value)];
  if (c == optimizer::kNotStored) throw InternalError(name(value) + " is an output without a buffer class");
  if (_free[c].empty()) throw InternalError("no free buffer for " + name(value));
  BufferRef buffer = std::move(_free[c].back());
  _free[c].pop_back();
  return buffer;
}

void ValueStore::place_output(const optimizer::Place& place, std::span<const ValueId> dies) {
  BufferRef& to = _buffer[index_of(place.value)];
  if (place.replaces == kNone<ValueId>) {
    to = pop(place.value);
    return;
  }
  if (takes_over(place, dies)) {
    to = _buffer[index_of(place.replaces)];
  } else if (place.exclusive) {
    throw InternalError(name(place.replaces) + " is written in place but held elsewhere");
  } else {
    to = pop(place.value);
  }
}

void ValueStore::place_outputs(const optimizer::Sweep& sweep, std::span<const ValueId> dies) {
  for (const optimizer::Place& place : sweep.places) {
    if (place.kind == optimizer::Place::Kind::output) place_output(place, dies);
  }
}

bool ValueStore::takes_over(const optimizer::Place& place, std::span<const ValueId> dies) const {
  if (place.replaces == kNone<ValueId>) return false;
  const BufferRef& from = _buffer[index_of(place.replaces)];
  if (from == nullptr) throw InternalError(name(place.replaces) + " is to be replaced but not stored");
  // With a late copy all reads of a tile precede the write, so other names of the buffer that die here do no harm.
  long holders = 1;
  if (place.late_copy) {
    holders = std::count_if(dies.begin(), dies.end(), [&](ValueId v) { return _buffer[index_of(v)] == from; });
  }
  return from.use_count() == holders;
}

void ValueStore::alias(ValueId from, ValueId to) {
  if (is_shared(from)) {
    std::memcpy(shared(to), shared(from), _plan->values[index_of(from)].type.bytes);
    _has[index_of(to)] = _has[index_of(from)];
  } else {
    vector(from);
    BufferRef buffer = _buffer[index_of(from)];
    release(to);
    _buffer[index_of(to)] = std::move(buffer);
  }
}

void ValueStore::alias(std::span<const ValueId> from, std::span<const ValueId> to) {
  // All values first go to a scratch area, as later ones may be replaced by earlier moves.
  _moving.clear();
  std::uint64_t line = 0;
  _moving_has.assign(from.size(), 0);
  for (std::size_t k = 0; k < from.size(); ++k) {
    if (is_shared(from[k])) {
      const std::uint32_t bytes = _plan->values[index_of(from[k])].type.bytes;
      if (line + lines_of(bytes) > _moving_shared.size()) _moving_shared.resize(line + lines_of(bytes));
      std::memcpy(&_moving_shared[line], shared(from[k]), bytes);
      line += lines_of(bytes);
      _moving_has[k] = _has[index_of(from[k])];
    } else {
      vector(from[k]);
      _moving.push_back(_buffer[index_of(from[k])]);
    }
  }
  line = 0;
  std::size_t buffer = 0;
  for (std::size_t k = 0; k < to.size(); ++k) {
    if (is_shared(from[k])) {
      const std::uint32_t bytes = _plan->values[index_of(from[k])].type.bytes;
      std::memcpy(shared(to[k]), &_moving_shared[line], bytes);
      line += lines_of(bytes);
      _has[index_of(to[k])] = _moving_has[k];
    } else {
      release(to[k]);
      _buffer[index_of(to[k])] = std::move(_moving[buffer++]);
    }
  }
}

void ValueStore::release(ValueId value) { free_buffer(value, take_buffer(value)); }

void ValueStore::free_buffer(ValueId value, BufferRef buffer) {
  if (buffer == nullptr || buffer.use_count() > 1) return;
  const std::uint32_t c = _plan->class_of[index_of(value)];
  if (c == optimizer::kNotStored) return;
  const auto& shape = _plan->classes[c];
  if (buffer->bytes() >= elements(shape) * shape.element_bytes) _free[c].push_back(std::move(buffer));
}

void ValueStore::release(std::span<const ValueId> values) {
  for (const ValueId value : values) release(value);
}

void ValueStore::note_gathered(ValueId value) {
  const Buffer* const buffer = _buffer[index_of(value)].get();
  for (std::size_t k = 0; k < _input.size(); ++k) {
    if (_input[k] == buffer) _gathered[k] = 1;
  }
}

LiveValue ValueStore::take(const optimizer::Result& result) {
  LiveValue live;
  if (is_shared(result.held)) {
    const std::byte* bytes = shared(result.held);
    live.shared.assign(bytes, bytes + _plan->values[index_of(result.held)].type.bytes);
    live.has = has(result.held);
  } else {
    vector(result.held);
    live.buffer = _buffer[index_of(result.held)];
  }
  return live;
}

}  // namespace kasen::runtime
