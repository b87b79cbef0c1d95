/// @file
/// Which element work had better wait for its readers, though it is ready.
#pragma once

#include "kasen/base/bit_set.h"
#include "optimizer/states/stated_program.h"
#include "optimizer/sweeps/pending.h"
#include "optimizer/sweeps/sweep_maker.h"

namespace kasen::optimizer {

/// Element work, as positions in the block, that a sweep of ready statements would do, and whose results nothing reads
/// but element work of the same space that waits for something else, as for an exchange. In the sweep of its readers
/// these results live in tiles, where the earlier sweep would write them all for others to read again. It waits if that
/// costs no bytes: vectors that the rest of the earlier sweep reads or makes are read once more.
BitSet waiting_work(const StatedProgram& stated, const Block& block, const Pending& pending, const SweepMaker& maker);

}  // namespace kasen::optimizer
