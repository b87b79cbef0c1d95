/// @file
/// Keeping the numbers of a random program so small that every order of operations gives the same bits.
#pragma once

#include "tests/fuzz/program.h"

namespace kasen::tests::fuzz {

/// Changes statements until the program is within bounds. @return false if that takes too many changes.
bool keep_within_bounds(Program& program);

}  // namespace kasen::tests::fuzz
