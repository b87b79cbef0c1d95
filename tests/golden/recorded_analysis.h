/// @file
/// A program, run once and recorded, as kasen-analyze sees it.
#pragma once

#include <functional>
#include <string>

#include "kasen/base/options.h"
#include "optimizer/analysis/analysis.h"
#include "optimizer/record/program_file.h"

namespace kasen::tests {

/// Collective. Runs `program` in a session of its own; reads back what was recorded, and checks that it is planned as
/// it was when it ran. Of several programs the longest.
optimizer::RecordedProgram record(const std::function<void()>& program, Options options = {});

/// The first loop's body, or the top if there is no loop.
const optimizer::BlockReport& iteration(const optimizer::PlanReport& report);

/// Costs of an iteration in symbols.
struct Symbols {
  std::string read, written;
  bool operator==(const Symbols&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Symbols& symbols);
Symbols bytes(const optimizer::Analysis& analysis, const optimizer::PlanReport& report, optimizer::Column column);
Symbols elements(const optimizer::Analysis& analysis, const optimizer::PlanReport& report, optimizer::Column column);

}  // namespace kasen::tests
