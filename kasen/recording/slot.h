/// @file
/// Slots, to which handles (Vector, Shared) refer: values are stored to them and read from them.
#pragma once

#include <memory>
#include <string>

#include "kasen/base/program.h"
#include "kasen/base/state.h"
#include "kasen/runtime/live_value.h"

namespace kasen::recording {

enum class SlotId : std::uint32_t {};
/// The slot of handles whose session has ended.
inline constexpr SlotId kEndedSlot{0xffffffffu};

/// A value that exists between plans, with its storage state.
struct Stored {
  runtime::LiveValue value;
  State state;
  Value about;         ///< kind, space, type
  bool given = false;  ///< whether it is a Shared that the user made from a plain value
  /// If not given, its number among all that were stored, from 1: the same on workers that have done the same.
  std::uint64_t number = 0;
  bool made = false;  ///< whether the program has made it of data, outside of runs, and so makes it again when resumed
};

struct Slot {
  bool used = false;
  bool escaped = false;                     ///< its block has ended
  std::size_t depth = 0;                    ///< number of blocks of statements around it; 0: none
  SourceLine where;                         ///< where it was made, as far as known
  ValueId value = kNone<ValueId>;           ///< recorded and not run yet (at depth 0)
  std::shared_ptr<Stored> stored;           ///< or computed already
  std::shared_ptr<const std::string> lost;  ///< or neither: the message of the run that was to compute it and failed
  bool moved = false;                       ///< or neither: Recorder::forget
};

}  // namespace kasen::recording
