/// @file
/// The plan of PageRank as it has to be printed, literally.
#pragma once

namespace kasen::tests {

/// Greedy and hybrid, at any number of workers.
extern const char* const kPageRankPlan;

}  // namespace kasen::tests
