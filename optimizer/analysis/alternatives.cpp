#include "optimizer/analysis/alternatives.h"

#include <map>
#include <tuple>

namespace kasen::optimizer {
namespace {

using Origins = std::map<ValueId, ValueId>;  ///< what moved to what it was made of

void collect(const std::vector<Step>& steps, int loops, Origins& origins, std::vector<Transition>& transitions) {
  const auto origin = [&](ValueId value) {
    const auto found = origins.find(value);
    return found == origins.end() ? value : found->second;
  };
  for (const Step& step : steps) {
    if (const auto* exchange = std::get_if<Exchange>(&step.what)) {
      for (const bool gather : {true, false}) {
        for (const Move& move : gather ? exchange->gathers : exchange->scatters) {
          transitions.push_back({gather, origin(move.from), move.roles, loops});
          origins[move.to] = origin(move.from);
        }
      }
    } else if (const auto* loop = std::get_if<Loop>(&step.what)) {
      collect(loop->body, loops + 1, origins, transitions);
    } else if (const auto* branch = std::get_if<Branch>(&step.what)) {
      collect(branch->then, loops, origins, transitions);
      collect(branch->otherwise, loops, origins, transitions);
    }
  }
}

}  // namespace

std::vector<Transition> transitions_of(const Plan& plan) {
  Origins origins;
  std::vector<Transition> transitions;
  collect(plan.steps, 0, origins, transitions);
  return transitions;
}

AttemptObserver AttemptLog::observer() {
  return [this](const Decisions& decisions, const Plan* plan, const PlanCost* cost) {
    Attempt& attempt = _attempts.emplace_back();
    attempt.decisions = decisions;
    if (plan == nullptr) return;
    attempt.cost = *cost;
    attempt.transitions = transitions_of(*plan);
  };
}

std::vector<Decision> AttemptLog::decisions() const {
  const Attempt* best = nullptr;
  for (const Attempt& attempt : _attempts) {
    if (attempt.cost && (best == nullptr || *attempt.cost < *best->cost)) best = &attempt;
  }
  std::vector<Decision> result;
  if (best == nullptr) return result;
  for (std::size_t v = 0; v < best->decisions.choice.size(); ++v) {
    std::map<std::tuple<int, std::uint8_t, State::Kind>, const Attempt*> cheapest;
    for (const Attempt& attempt : _attempts) {
      const RuleChoice& choice = attempt.decisions.choice[v];
      const Attempt*& entry = cheapest[{choice.rule, choice.argument, attempt.decisions.kind[v]}];
      if (entry == nullptr || (attempt.cost && (!entry->cost || *attempt.cost < *entry->cost))) entry = &attempt;
    }
    if (cheapest.size() < 2) continue;
    Decision& decision = result.emplace_back();
    decision.value = static_cast<ValueId>(v);
    for (const auto& [key, attempt] : cheapest) {
      const RuleChoice& choice = attempt->decisions.choice[v];
      const State::Kind kind = attempt->decisions.kind[v];
      const bool chosen = choice == best->decisions.choice[v] && kind == best->decisions.kind[v];
      decision.rule |= !(choice == best->decisions.choice[v]);
      decision.options.push_back({choice, kind, chosen, attempt->cost, attempt->transitions});
    }
  }
  return result;
}

}  // namespace kasen::optimizer
