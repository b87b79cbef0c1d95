/// @file
/// Programs and plans as text for people.
#pragma once

#include <string>
#include <vector>

#include "kasen/base/program.h"
#include "optimizer/plan/plan.h"
#include "optimizer/text/names.h"

namespace kasen::optimizer {

/// One statement a line, nested blocks indented.
std::string print(const Program& program);

/// The steps of a plan, one operation a line, with rules, states and storage. The same on every worker: its hash is the
/// plan's fingerprint. Independent of sizes.
std::string print_steps(const Plan& plan);

/// The first line of a step ("sweep over elements of space 0: 3 operations, 3 in, 2 out"), and the lines of what is in
/// it; of loops and branches without their steps.
std::string headline(const Plan& plan, const Step& step, Names& names);
std::vector<std::string> details(const Plan& plan, const Step& step, Names& names);

/// How many operations, stored inputs and stored outputs a sweep has.
struct SweepSize {
  std::size_t operations = 0, inputs = 0, outputs = 0;
};
SweepSize size_of(const Sweep& sweep);

/// What a sweep walks: "matrix 0", "matrix 0 in blocks", "elements of space 0", or "matrix 0 and space 0" where both
/// kinds of work mix.
std::string range_name(const Sweep& sweep);

}  // namespace kasen::optimizer
