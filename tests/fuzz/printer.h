/// @file
/// Random programs as C++ that compiles.
#pragma once

#include <string>
#include <vector>

#include "tests/fuzz/interpreter.h"
#include "tests/fuzz/program.h"

namespace kasen::tests::fuzz {

/// A whole source file with a main function, which prints what the program reads, one line each.
/// @param how lines to print at the top, as comments.
std::string cpp(const Program& program, const std::string& how);

/// What it should print.
std::string printed(const std::vector<Expected>& results);

/// A value of the interpreter as programs have it.
Plain plain(const Value& value);

}  // namespace kasen::tests::fuzz
