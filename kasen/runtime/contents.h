/// @file
/// Contents of a buffer as checked builds follow them: which of its elements have been written, and whether they are
/// values or partial results.
#pragma once

#include <cstdint>
#include <vector>

#include "kasen/base/ids.h"
#include "partition/replicas.h"

namespace kasen::runtime {

/// Runs of local indices, ascending and apart from each other.
using Ranges = std::vector<partition::Interval>;

/// The contents of one buffer.
struct Contents {
  enum class Kind : std::uint8_t {
    unknown,  ///< written by nothing that is checked
    whole,    ///< values
    partial   ///< partial results, of which `reducer` makes values, over masters and replicas
  };
  Kind kind = Kind::unknown;
  ReducerId reducer = kNone<ReducerId>;
  Ranges valid;  ///< elements that the last writer has written, or a transition since
};

/// The indices that are in any of them.
Ranges united(Ranges a, const Ranges& b);
/// The first index of `part` that `whole` lacks; `otherwise` if there is none.
LocalIndex first_missing(const Ranges& whole, const Ranges& part, LocalIndex otherwise);

}  // namespace kasen::runtime
