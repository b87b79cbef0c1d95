/// @file
/// Type of the user's functions that say who owns an element.
#pragma once

#include <functional>

#include "kasen/base/ids.h"

namespace kasen {

/// Gives the part of an element, from 0 to parts - 1. It is a pure function, the same on all workers.
using OwnerFunction = std::function<int(GlobalIndex index, int parts)>;

}  // namespace kasen
