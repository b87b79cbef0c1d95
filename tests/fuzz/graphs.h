/// @file
/// Graphs along which searches take many rounds: paths, cycles, grids, trees, stars with tails.
#pragma once

#include <utility>
#include <vector>

#include "tests/fuzz/draw.h"

namespace kasen::tests::fuzz {

/// Edges over so many vertices, which are numbered along the graph or here and there. Some are there twice, or lead to
/// where they begin; some vertices have none. @pre vertices > 0
std::vector<std::pair<int, int>> draw_graph(Draw& draw, int vertices);

}  // namespace kasen::tests::fuzz
