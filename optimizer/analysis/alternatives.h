/// @file
/// Alternatives to a plan's storage states: for every free decision, the cheapest plan found with each of its options,
/// chosen or rejected.
#pragma once

#include <optional>
#include <vector>

#include "optimizer/cost/plan_cost.h"
#include "optimizer/plan/plan.h"
#include "optimizer/states/place_transitions.h"

namespace kasen::optimizer {

/// A gather or a scatter in a plan.
struct Transition {
  bool gather = false;
  ValueId value{};  ///< as the program made it, before any transition
  RoleSet roles;    ///< whose replicas send or receive
  int loops = 0;    ///< how many loops are around it
  bool operator==(const Transition&) const = default;
};
std::vector<Transition> transitions_of(const Plan& plan);  ///< all gathers and scatters, in the order of the steps

/// One way to decide: the rule of a statement, or the state of a source, loop argument or branch result.
struct Alternative {
  RuleChoice choice;
  State::Kind kind = State::Kind::partitioned;
  bool chosen = false;
  std::optional<PlanCost> cost;  ///< of the cheapest plan with it; none: no plan tried with it can be executed
  std::vector<Transition> transitions;
};

struct Decision {     // one free decision with its options
  ValueId value{};    ///< whose state or rule is decided
  bool rule = false;  ///< else the state
  std::vector<Alternative> options;
};

/// Collects attempts while a program is planned.
class AttemptLog {
 public:
  /// An observer for optimize(). It refers to the log, which has to outlive it.
  AttemptObserver observer();
  /// The decisions of which more than one option was tried, ordered by value, their options by rule or state.
  std::vector<Decision> decisions() const;
  std::size_t size() const { return _attempts.size(); }

 private:
  struct Attempt {
    Decisions decisions;
    std::optional<PlanCost> cost;
    std::vector<Transition> transitions;
  };
  std::vector<Attempt> _attempts;
};

}  // namespace kasen::optimizer
