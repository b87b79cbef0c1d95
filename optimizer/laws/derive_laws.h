/// @file
/// Pass `derive-laws`: finds the laws that white-box functions obey, from their expressions.
#pragma once

#include "kasen/base/program.h"

namespace kasen::optimizer {

/// Adds to every element statement with an expression the laws that its function obeys at each of its vectors (of the
/// result's type) over each built-in reducer that occurs in the program. Laws that are there already stay.
/// Before: any program; the reducers that occur are those that will run. After: Statement::laws say all that
/// states may be chosen by.
void derive_laws(Program& program);

}  // namespace kasen::optimizer
