/// @file
/// Owners of elements as a function of the user's says.
#pragma once

#include <functional>

#include "kasen/base/ids.h"

namespace kasen {

/// The part of an element, from 0 to parts - 1; a pure function, the same on all workers.
using OwnerFunction = std::function<int(GlobalIndex index, int parts)>;

}  // namespace kasen
