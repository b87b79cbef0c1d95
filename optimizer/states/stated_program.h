/// @file
/// A program whose values have storage states (a program in states), and the free decisions that lead to it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "kasen/base/program.h"
#include "kasen/base/state.h"
#include "optimizer/plan/plan.h"
#include "optimizer/states/rules.h"

namespace kasen::optimizer {

/// The free decisions, by ValueId: the rule each element and reduce statement runs by (at its result), and the state
/// of sources, loop arguments and results of branches.
struct Decisions {
  std::vector<RuleChoice> choice;
  std::vector<State::Kind> kind;
};

/// A program with its transitions as statements, and the state of every value.
struct StatedProgram {
  Program program;
  std::vector<State> states;
  std::vector<RuleChoice> choice;  ///< by ValueId of the statement's result
  std::vector<Result> results;
};

/// Turns a program in states into a plan with costs; nothing if it cannot be executed.
using Lower = std::function<std::optional<Plan>(const StatedProgram&)>;

}  // namespace kasen::optimizer
