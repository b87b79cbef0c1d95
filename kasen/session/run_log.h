/// @file
/// The log of a run: what it gave, from which a session that resumes answers it.
#pragma once

#include <span>
#include <vector>

#include "kasen/checkpoint/contents.h"
#include "kasen/runtime/live_value.h"
#include "optimizer/plan/plan.h"

namespace kasen {

/// Local. What a run has given. @param values parallel to the results
std::vector<checkpoint::SavedResult> log_of(std::span<const optimizer::Result> results,
                                            const std::vector<runtime::LiveValue>& values);

}  // namespace kasen
