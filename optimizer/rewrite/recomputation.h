/// @file
/// Comparison of doing element work again with reading its results, for passes that move it or do it once.
#pragma once

#include <cstddef>
#include <vector>

#include "kasen/base/program.h"

namespace kasen::optimizer {

/// By ValueId, whether a source makes the value, so that it is free to make again in every sweep that reads it.
std::vector<bool> find_sources(const Program& program);

/// Whether one run of the block moves at most as many bytes per element if the results of the element statements
/// `members` (positions) come from outside, as it does if they are computed in the block. Saved are the vectors from
/// outside that members alone read, and storing results that something else than element work reads; added is a read
/// of every result that element work of the block reads. At equal bytes the work itself is saved. Neither counts what
/// statements that leave the block read: `leaves`, by position.
bool cheaper_from_outside(const Program& program, const std::vector<bool>& is_source, const Block& block,
                          const std::vector<std::size_t>& members, const std::vector<bool>& leaves);

}  // namespace kasen::optimizer
