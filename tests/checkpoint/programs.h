/// @file
/// Small programs whose every boundary is a place to go on from. What they return is exact: the same for any number of
/// workers, unless the name says otherwise.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kasen/session.h"

namespace kasen::tests {

using Numbers = std::vector<double>;
using SmallProgram = Numbers (*)();

/// Shortest ways along lanes, in whole numbers, by a product over roads in both directions, and by two, each along them
/// in one. What is not among the nearest waits over many boundaries, if workers stop for each other soon.
Numbers ways();
Numbers ways_by_two();

/// Asks itself to end, by SIGTERM, if it writes checkpoints, and goes on after errors.
Numbers asked();

/// Name and function of the others.
const std::vector<std::pair<std::string, SmallProgram>>& small_programs();

}  // namespace kasen::tests
