/// @file
/// Keys of programs by structure, under which the plan cache keeps plans.
#pragma once

#include <cstdint>
#include <string>

#include "kasen/base/placement_stats.h"
#include "kasen/base/program.h"

namespace kasen {

/// A text that is equal for programs of equal structure: statements with their source lines, which messages of a plan
/// name, types, laws, placement, and the states of live values. Of captures and plain values it says only which
/// functions have equal ones.
std::string structure_key(const Program& program, const PlacementStats& stats);

/// A number that is equal for programs of equal statements, types and results, on any number of workers: without
/// placement and states.
std::uint64_t program_hash(const Program& program);

}  // namespace kasen
