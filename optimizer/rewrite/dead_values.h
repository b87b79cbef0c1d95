/// @file
/// Pass `dead-values`: removes statements, loop arguments and branch results that nobody reads.
#pragma once

#include "kasen/base/program.h"

namespace kasen::optimizer {

/// Removes statements without a live result, loop arguments that are read by nobody but their own yield, and results
/// of branches that nobody reads; looks through back edges.
/// Before: loops in normal form or not. After: every statement has a live result or an effect.
void remove_dead_values(Program& program);

}  // namespace kasen::optimizer
