/// @file
/// Whether Kasen does what a random program says.
#pragma once

#include <string>
#include <vector>

#include "tests/fuzz/combination.h"
#include "tests/fuzz/coverage.h"
#include "tests/fuzz/interpreter.h"
#include "tests/fuzz/machine.h"

namespace kasen::tests::fuzz {

/// Collective. Runs the program once under these options and checks its results against the interpreter's, and all
/// counts against each other. @return what is wrong; empty: nothing, on any worker.
/// @param got if not null, the results, of a run without error.
/// @param coverage if not null, gets what was met.
std::string check_run(const Program& program, const std::vector<Expected>& expected, const Combination& combination,
                      std::vector<Result>* got = nullptr, Coverage* coverage = nullptr);

/// What differs; empty: nothing. Same bits of exact programs; else errors relative to what sums were made of.
std::string differences(bool exact, const std::vector<Expected>& expected, const std::vector<Result>& got);

/// A program that went wrong, as small as it could be made.
struct Finding {
  Program program;
  Combination combination;
  std::string wrong;
};
/// Collective. Runs a program under `count` combinations drawn from its seed, the first of them twice, which gives the
/// same bits on two numbers of threads. What fails is shrunk, in step on all workers. @param defect for tests of this
/// test.
std::vector<Finding> check(const Program& program, int count, Defect defect = {}, Coverage* coverage = nullptr);

/// The seed, the options, what is wrong, and the program in C++.
std::string report(const Finding& finding);

}  // namespace kasen::tests::fuzz
