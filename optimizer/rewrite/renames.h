/// @file
/// Pass `renames`: replaces what is another name for a value by that value.
#pragma once

#include "kasen/base/program.h"

namespace kasen::optimizer {

/// Replaces by the value they equal, wherever they are read, live-outs included:
/// - results of functions that return an operand (Statement::returns), whose statements go;
/// - loop arguments that no iteration changes, and their results; but a loop's own test stays an argument;
/// - loop arguments that begin and go on as an earlier one, and their results;
/// - results of branches that are one value of the enclosing block on both sides, or equal to an earlier result.
/// Nothing is computed or stored that was not before. Cost: a walk over the program for each level of loops that a
/// rename goes through.
/// Before: loops in normal form or not. After: none of these is left; several live-outs may name one value.
void rename_copies(Program& program);

}  // namespace kasen::optimizer
