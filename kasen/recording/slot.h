/// @file
/// What a handle (Vector, Shared) refers to: a slot that values are stored to and read from.
#pragma once

#include <memory>
#include <string>

#include "kasen/base/program.h"
#include "kasen/base/state.h"
#include "kasen/runtime/live_value.h"

namespace kasen::recording {

enum class SlotId : std::uint32_t {};
/// What is left of a handle whose session has ended.
inline constexpr SlotId kEndedSlot{0xffffffffu};

/// A value that exists between plans.
struct Stored {
  runtime::LiveValue value;
  State state;
  Value about;         ///< kind, space, type
  bool given = false;  ///< a Shared that the program made from a plain value
  /// Else its number among all that were stored, from 1: the same on workers that have done the same.
  std::uint64_t number = 0;
};

struct Slot {
  bool used = false;
  bool escaped = false;                     ///< its block has ended
  std::size_t depth = 0;                    ///< the block it was made in; 0: none
  SourceLine where;                         ///< where it was made, as far as known
  ValueId value = kNone<ValueId>;           ///< recorded and not run yet (at depth 0)
  std::shared_ptr<Stored> stored;           ///< or computed already
  std::shared_ptr<const std::string> lost;  ///< or neither, because the run that was to compute it failed: its message
};

}  // namespace kasen::recording
