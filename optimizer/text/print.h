/// @file
/// Programs and plans as text for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kasen/base/program.h"
#include "optimizer/plan/plan.h"
#include "optimizer/text/names.h"

namespace kasen::optimizer {

/// The program with one statement a line, nested blocks of statements indented.
std::string print(const Program& program);

/// The steps of a plan, one operation a line, with rules, states and storage, without source lines. The same on every
/// worker: its hash is the plan's fingerprint. Independent of sizes.
std::string print_steps(const Plan& plan);

/// Whether a text names the user's source line behind each operation. Source lines make no plan a different one.
enum class SourceLines : std::uint8_t { hidden, shown };

/// The first line of a step ("sweep over elements of space 0: 3 operations, 3 in, 2 out"), and the lines of what is in
/// it; for loops and branches, without their steps.
std::string headline(const Step& step, Names& names, SourceLines lines);
std::vector<std::string> details(const Plan& plan, const Step& step, Names& names, SourceLines lines);

/// "pagerank.cpp:31"; empty if the line is not known, as in what the optimizer has inserted.
std::string place_of(SourceLine where);

/// How many operations, stored inputs and stored outputs a sweep has.
struct SweepSize {
  std::size_t operations = 0, inputs = 0, outputs = 0;
};
SweepSize size_of(const Sweep& sweep);

/// The name of what a sweep walks: "matrix 0", "matrix 0 in blocks", "elements of space 0", or "matrix 0 and space 0"
/// where both kinds of work mix.
std::string range_name(const Sweep& sweep);

}  // namespace kasen::optimizer
