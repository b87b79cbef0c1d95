/// @file
/// Passes over programs under test, and questions that tests ask of a program.
#pragma once

#include <string>
#include <vector>

#include "tests/optimizer/program_builder.h"
#include "tests/optimizer/world.h"

namespace kasen::optimizer::tests {

using Pass = void (*)(Program&);

/// Pass `common-subexpressions`, with matrices of which none is symmetric.
void merge_equal(Program& program);

/// What the program computes from some live-ins.
std::vector<Numbers> results_of(const ProgramBuilder& b);
/// Runs passes; the program has to compute the same after each.
void rewrite(ProgramBuilder& b, const std::vector<Pass>& passes);

/// Statements of this label, in nested blocks too.
std::size_t count(const Block& block, const std::string& label);
/// The same of one block alone.
std::size_t count_here(const Block& block, const std::string& label);
/// The first loop of a block.
Statement& loop_in(Block& block);

/// All loops are in normal form.
void expect_normal(const Program& program);

}  // namespace kasen::optimizer::tests
