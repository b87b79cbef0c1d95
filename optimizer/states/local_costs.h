/// @file
/// Class LocalCosts: what a change of states costs, told from short pieces of the program around it.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "optimizer/cost/plan_cost.h"
#include "optimizer/states/find_states.h"
#include "optimizer/states/stated_program.h"
#include "optimizer/states/windows.h"

namespace kasen::optimizer {

/// Most changes of states concern few statements, and the steps around these cost what they cost whatever is far away.
/// So both states are compared by plans of the windows around all that differs. That takes no more time in a program of
/// many statements than in one of few.
class LocalCosts {
 public:
  /// Whether a program has so many statements that windows can be small beside it.
  static bool worthwhile(const Program& program);

  /// @param program, lower have to outlive this. @param plan of the whole program, by which windows are cut.
  LocalCosts(const Program& program, const Lower& lower, const Plan& plan);

  /// Whether `changed` costs less than `current`, which can be executed. Nothing if the windows around what differs
  /// would have most of the program's statements.
  std::optional<bool> cheaper(const FoundStates& changed, const FoundStates& current);

 private:
  std::optional<std::vector<Spot>> differing(const FoundStates& changed, const FoundStates& current) const;
  /// The cost of a window's plan, and what its first and last steps make.
  struct Cost {
    PlanCost cost;
    std::vector<ValueId> begin, end;
  };
  const std::optional<Cost>& cost_of(const Window& window, const FoundStates& found);

  const Program& _program;
  const Lower& _lower;
  Windows _windows;
  std::map<Window, Windows::Piece> _pieces;
  std::map<std::pair<Window, std::vector<std::uint32_t>>, std::optional<Cost>> _costs;  ///< by states of the piece
};

}  // namespace kasen::optimizer
