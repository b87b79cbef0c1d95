/// @file
/// Values that a run still needs where it stands between two iterations of a loop (the paper's live values).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// A place between two iterations of a loop: the blocks around it, outermost first, by the numbers that Loop and Branch
/// give them. The last one is the body of the loop whose test comes next.
using LoopPosition = std::vector<std::uint32_t>;

/// The position in `steps` of the loop or branch that has this block. @throws InternalError if none has it
std::size_t step_around(const std::vector<Step>& steps, std::uint32_t block);

/// Whether the plan has such a place.
bool has_place(const Plan& plan, std::span<const std::uint32_t> position);

/// What is read after the place before it is written: what the loops around carry, what they read and do not change,
/// what is read after them, and the results of the plan. Ascending, each once.
/// @throws InternalError for a place that the plan does not have
std::vector<ValueId> live_at(const Plan& plan, std::span<const std::uint32_t> position);

/// By ValueId, the value that transitions have made it of; of most, itself. Values with one origin have equal elements,
/// wherever these are valid.
std::vector<ValueId> origins(const Plan& plan);

}  // namespace kasen::optimizer
