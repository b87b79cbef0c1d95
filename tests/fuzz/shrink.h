/// @file
/// Makes a program that goes wrong smaller.
#pragma once

#include <functional>

#include "tests/fuzz/program.h"

namespace kasen::tests::fuzz {

/// A smaller program for which `fails` holds still. Statements are dropped or replaced by constants, blocks put in the
/// place of their loops and branches, entries of matrices and elements of spaces left out. Calls `fails` a bounded
/// number of times; with a collective one that answers alike everywhere, all workers shrink alike.
Program shrink(Program program, const std::function<bool(const Program&)>& fails);

}  // namespace kasen::tests::fuzz
