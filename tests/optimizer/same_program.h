/// @file
/// Two programs member by member, and what a program becomes as JSON and back.
#pragma once

#include "kasen/base/placement_stats.h"
#include "kasen/base/program.h"

namespace kasen::optimizer::tests {

void expect_same(const Program& a, const Program& b);
void expect_same(const PlacementStats& a, const PlacementStats& b);

/// Writes and reads the program: the same in every member, and the same text again.
void expect_round_trip(const Program& program, const PlacementStats& stats);

}  // namespace kasen::optimizer::tests
