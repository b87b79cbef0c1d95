/// @file
/// Pass `dead-values`: removes what nobody reads.
#pragma once

#include "kasen/base/program.h"

namespace kasen::optimizer {

/// Removes statements without a live result, loop arguments that are read by nobody but their own yield, and results
/// of branches that nobody reads; looks through back edges. Afterwards every statement has a live result.
void remove_dead_values(Program& program);

}  // namespace kasen::optimizer
