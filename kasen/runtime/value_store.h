/// @file
/// Class ValueStore: the values of a running plan, vectors in buffers that are shared by reference count, Shareds in
/// cache lines.
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
  /// A store without values. All arguments must outlive it.
  ValueStore(const optimizer::Plan& plan, const partition::Placement& placement, BufferPool& pool);

  /// Takes over the live-ins, parallel to plan.live_in, and obtains the plan's buffers. Returns the bytes obtained.
  /// @throws InternalError for a live-in whose buffer is smaller than its class needs.
  /// @param resumes whether live-ins that die may be without buffer, as what is live follows by restore().
  std::uint64_t open(std::vector<LiveValue> inputs, bool resumes = false);
  /// Gives a vector a further buffer, which nothing else holds, unless it has one. @return its elements, with room for
  /// all replicas, not initialised; null if it was stored already. @throws Error without memory
  std::byte* restore(ValueId value);

  /// The elements of a stored vector, masters first.
  std::byte* vector(ValueId value) const;
  bool stored(ValueId value) const { return _buffer[index_of(value)] != nullptr; }
  Buffer& buffer(ValueId value) const;
  long holders(ValueId value) const { return _buffer[index_of(value)].use_count(); }  ///< of its buffer, anywhere
  /// Gives each output of a sweep a buffer: that of what it replaces, if it may be taken over, else a free one of its
  /// class.
  /// @param dies values that die with the sweep
  void place_outputs(const optimizer::Sweep& sweep, std::span<const ValueId> dies);

  /// Whether place_outputs would take over the buffer of `replaces`.
  bool takes_over(const optimizer::Place& place, std::span<const ValueId> dies) const;
  /// Takes the buffer away from a value that dies, to be given to one of its class later.
  BufferRef take_buffer(ValueId value) { return std::move(_buffer[index_of(value)]); }
  void give_buffer(ValueId value, BufferRef buffer) { _buffer[index_of(value)] = std::move(buffer); }
  /// Makes the buffer free for the class of the value.
  void free_buffer(ValueId value, BufferRef buffer);

  /// The bytes of a Shared, aligned to 64.
  std::byte* shared(ValueId value) { return _shared[_line[index_of(value)]].bytes; }
  bool has(ValueId value) const { return _has[index_of(value)] != 0; }
  void set_has(ValueId value, bool has) { _has[index_of(value)] = has; }

  /// Makes `to` another holder of the buffer of `from`; a Shared is copied.
  void alias(ValueId from, ValueId to);
  /// Does so for many values at once: every `from` is read before any `to` is replaced.
  void alias(std::span<const ValueId> from, std::span<const ValueId> to);
  /// Takes the buffer from the value; if that was the last holder, the buffer is free for its class.
  void release(ValueId value);
  void release(std::span<const ValueId> values);

  /// Notes that `value` has been gathered, in place.
  void note_gathered(ValueId value);
  /// Parallel to plan.live_in: whether its own buffer has been gathered.
  const std::vector<char>& gathered_inputs() const { return _gathered; }

  /// The value of a result, as it goes back to the session.
  LiveValue take(const optimizer::Result& result);

 private:
  void place_output(const optimizer::Place& place, std::span<const ValueId> dies);
  bool is_shared(ValueId value) const { return _plan->values[index_of(value)].kind == Value::Kind::shared; }
  std::uint64_t elements(const optimizer::BufferClass& shape) const;
  BufferRef pop(ValueId value);

  const optimizer::Plan* _plan;
  const partition::Placement* _placement;
  BufferPool* _pool;
  std::vector<BufferRef> _buffer;             ///< by ValueId
  std::vector<std::vector<BufferRef>> _free;  ///< by class
  std::vector<CacheLine> _shared;
  std::vector<std::uint64_t> _line;   ///< by ValueId: where a Shared is in _shared
  std::vector<char> _has;             ///< by ValueId
  std::vector<const Buffer*> _input;  ///< parallel to plan.live_in: its buffer
  std::vector<char> _gathered;        ///< parallel to _input
  std::vector<BufferRef> _moving;     ///< scratch memory of alias
  std::vector<CacheLine> _moving_shared;
  std::vector<char> _moving_has;
};

}  // namespace kasen::runtime
