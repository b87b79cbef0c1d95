#include "optimizer/states/sync_policy.h"

#include <algorithm>
#include <optional>

namespace kasen::optimizer {
namespace {

/// Walks a program in its order and decides every statement's rule from the states its inputs have by then.
class Policy {
 public:
  Policy(const Program& program, const ValueFacts& facts, Decisions& decisions, bool lazy)
      : _program(program), _facts(facts), _decisions(decisions), _lazy(lazy), _states(program.values.size()) {
    for (const LiveIn& live : program.live_in) state(live.value) = live.state;
  }

  void visit(const Block& block, int depth) {
    for (const Statement& statement : block.statements) visit(statement, depth);
  }

 private:
  State& state(ValueId value) { return _states[index_of(value)]; }
  const RoleSet& demand(ValueId value) const { return _facts.demand[index_of(value)]; }
  bool is_vector(ValueId value) const { return _program.values[index_of(value)].kind == Value::Kind::vector; }

  State consistent_on_demand(ValueId value) const {
    return demand(value).empty() ? State::partitioned() : State::consistent(demand(value));
  }

  /// Loop arguments and branch results: the state decided; what a pre-reduced one is reduced by is `like`'s.
  State decided(ValueId value, ValueId like) {
    switch (_decisions.kind[index_of(value)]) {
      case State::Kind::consistent:
        return consistent_on_demand(value);
      case State::Kind::pre_reduced:
        return state(like);
      default:
        return State::partitioned();
    }
  }

  /// Gives a value the state it has after a pair of gather and scatter.
  void synchronise(ValueId value) {
    if (state(value).kind == State::Kind::pre_reduced) state(value) = consistent_on_demand(value);
  }

  /// A value that a loop or branch takes up is gathered there, unless it is carried as it is: whoever reads it later
  /// finds it synchronised.
  void hand_on(ValueId value, ValueId as) {
    if (_decisions.kind[index_of(as)] != State::Kind::pre_reduced) synchronise(value);
  }

  void made(ValueId value, State made_in) {
    state(value) = std::move(made_in);
    if (!_lazy) synchronise(value);
  }

  std::optional<RuleChoice> pre_reduced_choice(const Statement& statement, int depth) {
    for (const RuleChoice& choice : choices(statement)) {
      const Rule& row = rule(choice.rule);
      if (row.one != State::Kind::pre_reduced) continue;
      const ValueId input = statement.in[choice.argument];
      if (state(input).kind != State::Kind::pre_reduced || _facts.depth[index_of(input)] != depth) continue;
      if (!law_holds(statement, choice, state(input).reducer)) continue;
      const bool others_fit = std::all_of(statement.in.begin(), statement.in.end(), [&](ValueId other) {
        if (other == input) return true;
        const State& has = state(other);
        if (row.others == State::Kind::partitioned) return has.kind != State::Kind::pre_reduced;
        return has.kind == State::Kind::consistent && includes_roles(has.roles, state(input).roles);
      });
      if (others_fit) return choice;
    }
    return std::nullopt;
  }

  void visit_element(const Statement& statement, int depth) {
    const ValueId out = statement.out[0];
    RuleChoice& chosen = _decisions.choice[index_of(out)];
    if (const auto choice = pre_reduced_choice(statement, depth)) {
      chosen = *choice;
      return made(out, state(statement.in[choice->argument]));
    }
    RoleSet common;
    for (std::size_t k = 0; k < statement.in.size(); ++k) {
      synchronise(statement.in[k]);
      const State& has = state(statement.in[k]);
      const RoleSet roles = has.kind == State::Kind::consistent ? has.roles : RoleSet{};
      RoleSet both;
      std::set_intersection(common.begin(), common.end(), roles.begin(), roles.end(), std::back_inserter(both));
      common = k == 0 ? roles : both;
    }
    if (statement.on_masters) common.clear();
    const auto kind = common.empty() ? State::Kind::partitioned : State::Kind::consistent;
    for (const RuleChoice& choice : choices(statement)) {
      if (rule(choice.rule).out == kind && !rule(choice.rule).law) chosen = choice;
    }
    made(out, common.empty() ? State::partitioned() : State::consistent(common));
  }

  void visit(const Statement& statement, int depth) {
    switch (statement.op) {
      case Op::source: {
        const State made_in = consistent_on_demand(statement.out[0]);
        _decisions.kind[index_of(statement.out[0])] = made_in.kind;
        return made(statement.out[0], made_in);
      }
      case Op::element:
        return visit_element(statement, depth);
      case Op::reduce: {
        const auto choice = pre_reduced_choice(statement, depth);
        if (!choice) synchronise(statement.in[0]);
        _decisions.choice[index_of(statement.out[0])] = choice.value_or(choices(statement).front());
        return;
      }
      case Op::fold:
        for (const ValueId value : statement.in) synchronise(value);
        _decisions.choice[index_of(statement.out[0])] = choices(statement).front();
        return;
      case Op::reduce_by_key: {
        const auto choice = pre_reduced_choice(statement, depth);
        if (!choice) std::for_each(statement.in.begin(), statement.in.end(), [&](ValueId in) { synchronise(in); });
        _decisions.choice[index_of(statement.out[0])] = choice.value_or(choices(statement).front());
        return made(statement.out[0],
                    State::pre_reduced(statement.reducer, _facts.partials[index_of(statement.out[0])]));
      }
      case Op::take:
      case Op::with_wholes:
        std::for_each(statement.in.begin(), statement.in.end(), [&](ValueId in) { synchronise(in); });
        return made(statement.out[0], State::partitioned());
      case Op::mxv:
      case Op::mxvt:
        for (std::size_t k = 0; k < statement.in.size() - (is_of_active(statement) ? 1 : 0); ++k)
          synchronise(statement.in[k]);
        return made(statement.out[0],
                    State::pre_reduced(statement.reducer, _facts.partials[index_of(statement.out[0])]));
      case Op::while_: {
        const Block& body = statement.regions[0];
        for (std::size_t k = 0; k < body.arguments.size(); ++k) {
          if (!is_vector(body.arguments[k])) continue;
          hand_on(statement.in[k], body.arguments[k]);
          state(body.arguments[k]) = decided(body.arguments[k], statement.in[k]);
        }
        visit(body, depth + 1);
        for (std::size_t k = 0; k < body.arguments.size(); ++k) {
          if (!is_vector(body.arguments[k])) continue;
          state(statement.out[k]) = state(body.arguments[k]);
          hand_on(body.yields[k], body.arguments[k]);
        }
        return;
      }
      case Op::if_:
        for (const Block& region : statement.regions) {
          visit(region, depth + 1);
          for (std::size_t k = 0; k < statement.out.size(); ++k) {
            if (is_vector(statement.out[k])) hand_on(region.yields[k], statement.out[k]);
          }
        }
        for (std::size_t k = 0; k < statement.out.size(); ++k) {
          if (is_vector(statement.out[k])) {
            state(statement.out[k]) = decided(statement.out[k], statement.regions[0].yields[k]);
          }
        }
        return;
      default:
        return;
    }
  }

  const Program& _program;
  const ValueFacts& _facts;
  Decisions& _decisions;
  const bool _lazy;
  std::vector<State> _states;
};

}  // namespace

Decisions follow_policy(const Program& program, const ValueFacts& facts, Decisions decisions, bool lazy) {
  Policy(program, facts, decisions, lazy).visit(program.top, 0);
  return decisions;
}

}  // namespace kasen::optimizer
