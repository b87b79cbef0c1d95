#include "optimizer/states/place_transitions.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/base/program_tools.h"
#include "optimizer/states/insert_transitions.h"
#include "optimizer/states/least_costs.h"
#include "optimizer/states/local_costs.h"
#include "optimizer/states/state_key.h"
#include "optimizer/states/sync_policy.h"
#include "optimizer/states/value_facts.h"

namespace kasen::optimizer {
namespace {

constexpr std::size_t kMostCombinations = 512;         // tried one by one; beyond, descent
constexpr std::size_t kMostCombinationsByTime = 4096;  // the same for the exact search, whose end means something
constexpr std::size_t kMostRounds = 4;                 // of descent, each over all decisions

/// One free decision: the state of a value, or the rule of the statement that makes it.
struct Free {
  ValueId value;
  std::vector<State::Kind> kinds;
  std::vector<RuleChoice> choices;
  std::size_t options() const { return kinds.empty() ? choices.size() : kinds.size(); }
  bool taken(std::size_t option, const Decisions& decisions) const {
    return kinds.empty() ? decisions.choice[index_of(value)] == choices[option]
                         : decisions.kind[index_of(value)] == kinds[option];
  }
  void take(std::size_t option, Decisions& decisions) const {
    if (kinds.empty()) {
      decisions.choice[index_of(value)] = choices[option];
    } else {
      decisions.kind[index_of(value)] = kinds[option];
    }
  }
};

class TransitionPlacer {
 public:
  TransitionPlacer(const Program& program, const PlacementStats& stats, const Options& options, const Lower& lower,
                   bool by_time, const AttemptObserver& attempts, const std::function<bool()>& enough)
      : _program(program),
        _options(options),
        _lower(lower),
        _by_time(by_time),
        _attempts(attempts),
        _enough(enough),
        _facts(find_facts(program, stats, options)),
        _finder(program, _facts, stats, options),
        _least(program, _facts, stats) {
    _start.choice.resize(program.values.size());
    _start.kind.resize(program.values.size());
  }

  Fastest run() {
    if (_options.sync == Sync::hybrid) {
      search_hybrid();
    } else {
      const bool lazy = _options.sync == Sync::lazy;
      const std::vector<Free> free = find_free(false);
      const Find followed = [&](const Decisions& open) {
        return find(follow_policy(_program, _facts, open, lazy), true);
      };
      search(free, synchronised(free), followed);
    }
    return {std::move(_best), _complete};
  }

 private:
  bool is_vector(ValueId value) const { return _program.values[index_of(value)].kind == Value::Kind::vector; }
  bool may_be_consistent(ValueId value) const {
    return !_facts.demand[index_of(value)].empty() || !_facts.beside[index_of(value)].empty();
  }

  bool worth_partial(ValueId value) const { return _facts.worth_partial[index_of(value)] != 0; }

  std::vector<State::Kind> possible_kinds(ValueId value) const {
    std::vector<State::Kind> kinds{State::Kind::partitioned};
    if (may_be_consistent(value)) kinds.push_back(State::Kind::consistent);
    return kinds;
  }
  /// Of what is carried or results from a branch. Policies move vectors by pairs of gather and scatter and keep C as C,
  /// so what a product reads later is carried consistent.
  std::vector<State::Kind> carried_kinds(ValueId value, bool by_policy, bool only_worth) const {
    std::vector<State::Kind> kinds = possible_kinds(value);
    if (by_policy)
      kinds = {_facts.demand[index_of(value)].empty() ? State::Kind::partitioned : State::Kind::consistent};
    if (!only_worth || worth_partial(value)) kinds.push_back(State::Kind::pre_reduced);
    return kinds;
  }

  /// Loop arguments and branch results: what policies leave open. `all` adds sources and the rules of statements;
  /// `only_worth` leaves out partial results that will be gathered anyway, just later.
  std::vector<Free> find_free(bool all, bool only_worth = false) const {
    std::vector<Free> free;
    const auto add = [&](Free decision) {
      if (decision.options() > 1) free.push_back(std::move(decision));
    };
    for_each_block(_program.top, [&](const Block& block) {
      for (const Statement& statement : block.statements) {
        if (statement.op == Op::while_) {
          for (ValueId argument : statement.regions[0].arguments) {
            if (is_vector(argument)) add({argument, carried_kinds(argument, !all, only_worth), {}});
          }
        } else if (statement.op == Op::if_) {
          for (ValueId result : statement.out) {
            if (is_vector(result)) add({result, carried_kinds(result, !all, only_worth), {}});
          }
        } else if (all && statement.op == Op::source) {
          add({statement.out[0], possible_kinds(statement.out[0]), {}});
        } else if (all && chooses_rule(statement.op)) {
          std::vector<RuleChoice> possible;
          for (const RuleChoice& choice : choices(statement)) {
            const Rule& row = rule(choice.rule);
            if (row.out == State::Kind::consistent && !may_be_consistent(statement.out[0])) continue;
            if (row.one == State::Kind::pre_reduced) {
              if (!any_partials(statement, choice)) continue;
              if (only_worth && statement.op == Op::element && !worth_partial(statement.out[0])) continue;
            }
            possible.push_back(choice);
          }
          add({statement.out[0], {}, possible});
        }
      }
    });
    return free;
  }

  /// Whether some vector of the program could be the rule's pre-reduced input.
  bool any_partials(const Statement& statement, const RuleChoice& choice) const {
    bool found = std::any_of(_program.live_in.begin(), _program.live_in.end(), [&](const LiveIn& live) {
      return live.state.kind == State::Kind::pre_reduced && law_holds(statement, choice, live.state.reducer);
    });
    for_each_block(_program.top, [&](const Block& block) {
      for (const Statement& other : block.statements) {
        found |=
            (is_matrix_op(other.op) || other.op == Op::reduce_by_key) && law_holds(statement, choice, other.reducer);
      }
    });
    return found;
  }

  /// What decisions come to, with those that the search leaves to a policy.
  struct Candidate {
    Decisions decisions;
    std::optional<FoundStates> found;  ///< none if they contradict each other or Table 1
    std::uint64_t bytes = 0;           ///< that they send, in loops if there are any
  };
  using Find = std::function<Candidate(const Decisions&)>;
  Candidate find(Decisions decisions, bool keep_consistent) {
    auto found = _finder.find(decisions, keep_consistent);
    const std::uint64_t bytes = found ? _least.bytes_sent(*found) : 0;
    return {std::move(decisions), std::move(found), bytes};
  }

  /// Plans by these decisions; keeps the plan if it is the cheapest so far. Decisions that come to the same are planned
  /// once, unless somebody wants to see them all.
  /// @return the cost, unless these decisions cannot be executed.
  std::optional<PlanCost> attempt(Candidate candidate) {
    if (_attempts) return show(candidate.decisions, std::move(candidate.found));
    if (!candidate.found) return std::nullopt;
    const auto [known, is_new] = _costs.try_emplace(key_of(*candidate.found));
    if (!is_new) return known->second;
    return known->second = take(std::move(*candidate.found));
  }

  std::optional<PlanCost> show(const Decisions& decisions, std::optional<FoundStates> found) {
    if (found) {
      StatedProgram stated = insert_transitions(_program, std::move(*found));
      if (auto plan = _lower(stated)) {
        const PlanCost cost = cost_of(*plan);
        _attempts(decisions, &*plan, &cost);
        keep_if_cheapest(std::move(stated), std::move(*plan), cost);
        return cost;
      }
    }
    _attempts(decisions, nullptr, nullptr);
    return std::nullopt;
  }

  std::optional<PlanCost> take(FoundStates found) {
    StatedProgram stated = insert_transitions(_program, std::move(found));
    auto plan = _lower(stated);
    if (!plan) return std::nullopt;
    PlanCost cost = cost_of(*plan);
    if (_by_time) cost.time = plan->time;
    keep_if_cheapest(std::move(stated), std::move(*plan), cost);
    return cost;
  }

  void keep_if_cheapest(StatedProgram stated, Plan plan, const PlanCost& cost) {
    if (_best && !(cost < _best_cost)) return;
    _best = Placed{std::move(stated), std::move(plan)};
    _best_cost = cost;
  }

  bool few(const std::vector<Free>& free) const {
    const std::size_t most = _by_time ? kMostCombinationsByTime : kMostCombinations;
    std::size_t combinations = 1;
    for (const Free& decision : free) combinations = std::min(combinations * decision.options(), most + 1);
    return combinations <= most;
  }

  void search(const std::vector<Free>& free, const Decisions& from, const Find& find) {
    if (few(free)) {
      enumerate_by_bytes(free, from, find);
    } else {
      _complete = false;
      descend(free, from, find);
    }
  }

  /// Whether nothing more is to be tried.
  bool ended() {
    if (!_enough || !_enough()) return false;
    _complete = false;
    return true;
  }

  /// Those that send least first: what comes first in the cost of a plan then ends the search.
  void enumerate_by_bytes(const std::vector<Free>& free, Decisions decisions, const Find& find) {
    std::vector<std::pair<std::uint64_t, FoundStates>> candidates;
    std::size_t combinations = 1;
    for (const Free& decision : free) combinations *= decision.options();
    for (std::size_t combination = 0; combination < combinations; ++combination) {
      std::size_t rest = combination;
      for (const Free& decision : free) {
        decision.take(rest % decision.options(), decisions);
        rest /= decision.options();
      }
      Candidate candidate = find(decisions);
      if (_attempts) {
        show(candidate.decisions, std::move(candidate.found));
      } else if (candidate.found && _costs.try_emplace(key_of(*candidate.found)).second) {
        candidates.emplace_back(candidate.bytes, std::move(*candidate.found));
      }
    }
    // By time, what is sent just once says little.
    if (!_by_time || _least.any_loops()) {
      std::stable_sort(candidates.begin(), candidates.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
    }
    for (auto& [bytes, found] : candidates) {
      if (ended()) return;
      if (!_by_time && _best) {
        if (bytes > _least.deciding(_best_cost).bytes_sent) return;
        if (_least.exceed(_best_cost, found)) continue;
      }
      take(std::move(found));
    }
  }

  /// Where a descent stands. Its cost is not known where it came by local costs, though it can be executed.
  struct Standing {
    Candidate candidate;
    std::optional<PlanCost> cost;
    std::optional<LocalCosts> local;
  };

  /// Ends where none of the decisions is better taken in another way.
  void descend(const std::vector<Free>& free, const Decisions& from, const Find& find) {
    if (!descend(free, from, find, !_by_time && !_attempts && LocalCosts::worthwhile(_program)))
      descend(free, from, find, false);
  }

  /// @return false if local costs have led to what cannot be executed.
  bool descend(const std::vector<Free>& free, Decisions decisions, const Find& find, bool locally) {
    Standing standing{find(decisions), {}, {}};
    standing.cost = attempt(standing.candidate);
    if (locally && standing.cost) {
      const auto plan = _lower(insert_transitions(_program, *standing.candidate.found));
      standing.local.emplace(_program, _lower, *plan);
    }
    std::size_t settled = 0;  // decisions in turn
    for (std::size_t turn = 0; settled < free.size() && turn < kMostRounds * free.size(); ++turn, ++settled) {
      const Free& decision = free[turn % free.size()];
      std::optional<std::size_t> best;
      Decisions changed = decisions;
      for (std::size_t option = 0; option < decision.options(); ++option) {
        if (decision.taken(option, decisions)) continue;
        if (ended()) return true;
        decision.take(option, changed);
        if (move_if_cheaper(standing, find(changed))) best = option;
      }
      if (!best) continue;
      decision.take(*best, decisions);
      settled = 0;
    }
    _ends.push_back(std::move(decisions));
    return !standing.local || standing.cost || attempt(standing.candidate);
  }

  bool move_if_cheaper(Standing& standing, Candidate candidate) {
    const std::optional<FoundStates>& found = candidate.found;
    if (!_attempts && !found) return false;
    if (!_attempts && !_by_time && (standing.cost || standing.local) && candidate.bytes > standing.candidate.bytes)
      return false;
    if (standing.local) {
      if (const auto cheaper = standing.local->cheaper(*found, *standing.candidate.found)) {
        if (!*cheaper) return false;
        standing.cost.reset();
        standing.candidate = std::move(candidate);
        return true;
      }
      if (!standing.cost) standing.cost = attempt(standing.candidate);
    }
    if (!_attempts && !_by_time && standing.cost && _least.exceed(*standing.cost, *found)) return false;
    const std::optional<PlanCost> cost = attempt(candidate);
    if (!cost || (standing.cost && !(*cost < *standing.cost))) return false;
    standing.cost = cost;
    standing.candidate = std::move(candidate);
    return true;
  }

  void search_hybrid() {
    std::vector<Free> free = find_free(true);
    if (!few(free)) {
      _complete = false;
      free = find_free(true, true);
    }
    const Find narrowed = [&](const Decisions& decisions) { return find(decisions, false); };
    search(free, all_partitioned(), narrowed);
    if (few(free)) return;
    for (const bool lazy : {true, false}) descend(free, follow_policy(_program, _facts, _start, lazy), narrowed);
    for (const Decisions& end : std::exchange(_ends, {})) {
      if (const auto decisions = with_consistent_frontiers(end)) attempt(narrowed(*decisions));
    }
  }

  /// Frontiers that a loop carries are consistent, and so are their masks, which travel with them: neither is worth it
  /// alone, so that no descent comes there. None if there are no frontiers.
  std::optional<Decisions> with_consistent_frontiers(Decisions decisions) const {
    bool any = false;
    for_each_block(_program.top, [&](const Block& block) {
      const auto is_carried = [&](ValueId value) {
        return std::find(block.arguments.begin(), block.arguments.end(), value) != block.arguments.end();
      };
      for (const Statement& statement : block.statements) {
        if (!statement.frontier || !is_carried(statement.in[0]) || !is_carried(statement.in[1])) continue;
        for (const std::size_t k : {0, 1}) decisions.kind[index_of(statement.in[k])] = State::Kind::consistent;
        any = true;
      }
    });
    return any ? std::optional(std::move(decisions)) : std::nullopt;
  }

  /// The decisions by which every statement runs on masters: gathers at the top, scatters at the bottom.
  Decisions all_partitioned() const {
    Decisions decisions = _start;
    for_each_block(_program.top, [&](const Block& block) {
      for (const Statement& statement : block.statements) {
        if (!chooses_rule(statement.op)) continue;
        decisions.choice[index_of(statement.out[0])] =
            statement.op == Op::element ? on_masters(statement) : choices(statement).front();
      }
    });
    return decisions;
  }

  /// Nothing is carried pre-reduced: where policies come to rest.
  Decisions synchronised(const std::vector<Free>& free) const {
    Decisions decisions = _start;
    for (const Free& decision : free) decision.take(0, decisions);
    return decisions;
  }

  const Program& _program;
  const Options& _options;
  const Lower& _lower;
  const bool _by_time;
  const AttemptObserver& _attempts;
  const std::function<bool()>& _enough;
  bool _complete = true;
  const ValueFacts _facts;
  StateFinder _finder;
  LeastCosts _least;
  Decisions _start;
  std::optional<Placed> _best;
  PlanCost _best_cost;
  std::vector<Decisions> _ends;                                          ///< where descents came to rest
  std::map<std::vector<std::uint32_t>, std::optional<PlanCost>> _costs;  ///< of what was planned, by state_key
};

}  // namespace

Placed place_transitions(const Program& program, const PlacementStats& stats, const Options& options,
                         const Lower& lower, const AttemptObserver& attempts) {
  Fastest cheapest = TransitionPlacer(program, stats, options, lower, false, attempts, {}).run();
  if (!cheapest.placed) throw InternalError("no assignment of storage states can be executed");
  return std::move(*cheapest.placed);
}

Fastest place_fastest(const Program& program, const PlacementStats& stats, const Options& options, const Lower& lower,
                      const std::function<bool()>& enough) {
  return TransitionPlacer(program, stats, options, lower, true, {}, enough).run();
}

}  // namespace kasen::optimizer
