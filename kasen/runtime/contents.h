/// @file
/// What checked builds know of a buffer: which of its elements hold numbers, and whether these are values or partial
/// results.
#pragma once

#include <cstdint>
#include <vector>

#include "kasen/base/ids.h"
#include "partition/replicas.h"

namespace kasen::runtime {

/// Runs of local indices, ascending, apart from each other.
using Ranges = std::vector<partition::Interval>;

/// Of one buffer.
struct Contents {
  enum class Kind : std::uint8_t {
    unknown,  ///< written by nothing that is checked
    whole,    ///< values
    partial   ///< what `reducer` makes values of, over masters and replicas
  };
  Kind kind = Kind::unknown;
  ReducerId reducer = kNone<ReducerId>;
  Ranges valid;  ///< where whoever wrote it last has written, or a transition since
};

/// What is in any of them.
Ranges united(Ranges a, const Ranges& b);
/// The first index of `part` that `whole` lacks; `otherwise` if there is none.
LocalIndex first_missing(const Ranges& whole, const Ranges& part, LocalIndex otherwise);

}  // namespace kasen::runtime
