/// @file
/// Where the values of a running plan are: vectors in buffers that are shared by reference count, Shareds in cache
/// lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kasen/base/ids.h"
#include "kasen/runtime/buffer_pool.h"
#include "kasen/runtime/cache.h"
#include "kasen/runtime/live_value.h"
#include "optimizer/plan/plan.h"
#include "partition/placement.h"

namespace kasen::runtime {

/// The values of one run of a plan. Buffers are obtained before the first step and passed on between values; while
/// steps run, nothing is allocated. Local.
class ValueStore {
 public:
  /// @param inputs parallel to plan.live_in. @param dying whether the storage of a live-in may be reused.
  ValueStore(const optimizer::Plan& plan, const partition::Placement& placement, BufferPool& pool);

  /// Takes over the live-ins and obtains the plan's buffers. Returns the bytes obtained.
  /// @throws InternalError for a live-in whose buffer is smaller than its class needs.
  std::uint64_t open(std::vector<LiveValue> inputs);

  /// The elements of a stored vector, masters first.
  std::byte* vector(ValueId value) const;
  bool stored(ValueId value) const { return _buffer[index_of(value)] != nullptr; }
  Buffer& buffer(ValueId value) const;
  long holders(ValueId value) const { return _buffer[index_of(value)].use_count(); }  ///< of its buffer, anywhere
  /// Gives an output a buffer: that of `replaces`, if it may be taken over, else a free one of its class.
  /// @param dies values that die with the step that writes `output`.
  void place_output(const optimizer::Place& place, std::span<const ValueId> dies);

  /// The bytes of a Shared, aligned to 64.
  std::byte* shared(ValueId value) { return _shared[_line[index_of(value)]].bytes; }
  bool has(ValueId value) const { return _has[index_of(value)] != 0; }
  void set_has(ValueId value, bool has) { _has[index_of(value)] = has; }

  /// `to` becomes another name of what `from` holds; of a Shared a copy.
  void alias(ValueId from, ValueId to);
  /// The same for many values at once: every `from` is read before any `to` is replaced.
  void alias(std::span<const ValueId> from, std::span<const ValueId> to);
  /// The value gives up its buffer; if it was the last holder, the buffer is free for its class.
  void release(ValueId value);
  void release(std::span<const ValueId> values);

  /// `value` has been gathered, in place.
  void note_gathered(ValueId value);
  /// Parallel to plan.live_in: its own buffer has been gathered.
  const std::vector<char>& gathered_inputs() const { return _gathered; }

  /// The value as it goes back to the session.
  LiveValue take(const optimizer::Result& result);

 private:
  bool is_shared(ValueId value) const { return _plan->values[index_of(value)].kind == Value::Kind::shared; }
  std::uint64_t elements(const optimizer::BufferClass& shape) const;
  BufferRef pop(ValueId value);

  const optimizer::Plan* _plan;
  const partition::Placement* _placement;
  BufferPool* _pool;
  std::vector<BufferRef> _buffer;             ///< by ValueId
  std::vector<std::vector<BufferRef>> _free;  ///< by class
  std::vector<CacheLine> _shared;
  std::vector<std::uint64_t> _line;   ///< of Shareds, into _shared, by ValueId
  std::vector<char> _has;             ///< by ValueId
  std::vector<const Buffer*> _input;  ///< of live-ins
  std::vector<char> _gathered;        ///< parallel to _input
  std::vector<BufferRef> _moving;     ///< scratch of alias
  std::vector<CacheLine> _moving_shared;
  std::vector<char> _moving_has;
};

}  // namespace kasen::runtime
