/// @file
/// Sweeps over grids as loops written by hand: every cell within the edges is 0.6 of itself and the rest of its
/// neighbours in equal parts; those at the edges leave out what lies beyond.
#pragma once

#include <cstdint>

namespace bench {

/// Two neighbours each.
void sweep_line(const double* from, double* to, std::int64_t cells);
/// Four neighbours each, in `rows` of `columns`.
void sweep_plane(const double* from, double* to, std::int64_t rows, std::int64_t columns);
/// Six neighbours each, in a cube of this edge.
void sweep_cube(const double* from, double* to, std::int64_t edge);

}  // namespace bench
