#include "optimizer/states/find_states.h"

#include <algorithm>
#include <utility>

namespace kasen::optimizer {
namespace {

using Kind = State::Kind;

/// One use of a vector: the state it asks for.
struct Use {
  ValueId value;
  Kind kind;
  RoleSet roles;                ///< of consistent: asked for by the statement itself
  ValueId as = kNone<ValueId>;  ///< of consistent: and those this value is made or kept consistent for
  int depth = 0;
};

/// Finds states in three steps: how each value is made, what each use asks for, and for which roles.
class StateFinder {
 public:
  StateFinder(const Program& program, const ValueFacts& facts, const Decisions& decisions, bool keep_consistent,
              const PlacementStats& stats, const Options& options)
      : _program(program),
        _facts(facts),
        _decisions(decisions),
        _keep(keep_consistent),
        _stats(stats),
        _options(options) {
    _out.states.resize(program.values.size());
    _out.choice = decisions.choice;
    _need.resize(program.values.size());
    _kept_by.assign(program.values.size(), kNone<ValueId>);
  }

  std::optional<FoundStates> run() {
    for (const LiveIn& live : _program.live_in) {
      state(live.value) = live.state;
      if (live.state.kind != Kind::consistent) need(live.value) = demand(live.value);
    }
    make(_program.top);
    if (!_possible) return std::nullopt;
    collect(_program.top, 0);
    for (const LiveOut& live : _program.live_out) {
      if (live.partitioned && is_vector(live.value))
        _uses.push_back({live.value, Kind::partitioned, {}, kNone<ValueId>, 0});
    }
    find_roles();
    name_rules(_program.top);
    if (!_possible || !carried_partials_are_single()) return std::nullopt;
    decide_transitions();
    if (!_possible) return std::nullopt;
    return std::move(_out);
  }

 private:
  State& state(ValueId value) { return _out.states[index_of(value)]; }
  const Value& value_of(ValueId value) const { return _program.values[index_of(value)]; }
  bool is_vector(ValueId value) const { return value_of(value).kind == Value::Kind::vector; }
  const RuleChoice& choice_of(const Statement& statement) const {
    return _decisions.choice[index_of(statement.out[0])];
  }
  Kind kind_of(ValueId value) const { return _decisions.kind[index_of(value)]; }
  const RoleSet& demand(ValueId value) const { return _facts.demand[index_of(value)]; }

  // ---- how values are made: the kind of every state, and the reducer and roles of pre-reduced ones ----

  void make(const Block& block) {
    for (const Statement& statement : block.statements) {
      if (!_possible) return;
      make(statement);
    }
  }

  void make_decided(ValueId value, ValueId like) {
    state(value).kind = kind_of(value);
    if (kind_of(value) == Kind::pre_reduced) state(value) = state(like);
    if (state(value).kind != kind_of(value)) _possible = false;
  }

  void make(const Statement& statement) {
    const ValueId out = statement.out.empty() ? kNone<ValueId> : statement.out[0];
    switch (statement.op) {
      case Op::source:
        state(out).kind = kind_of(out);
        return;
      case Op::element: {
        const Rule& row = rule(choice_of(statement).rule);
        state(out).kind = row.out;
        if (row.out == Kind::pre_reduced) {
          const State& partial = state(statement.in[choice_of(statement).argument]);
          if (partial.kind != Kind::pre_reduced || !law_holds(statement, choice_of(statement), partial.reducer)) {
            _possible = false;
          }
          state(out) = partial;
        }
        return;
      }
      case Op::reduce: {
        state(out) = State::pre_reduced(statement.reducer, {});
        const State& input = state(statement.in[0]);
        if (choice_of(statement).rule == 5 &&
            (input.kind != Kind::pre_reduced || !law_holds(statement, choice_of(statement), input.reducer))) {
          _possible = false;
        }
        return;
      }
      case Op::mxv:
      case Op::mxvt:
        state(out) = State::pre_reduced(statement.reducer, _facts.partials[index_of(out)]);
        return;
      case Op::while_: {
        const Block& body = statement.regions[0];
        for (std::size_t k = 0; k < body.arguments.size(); ++k) {
          if (is_vector(body.arguments[k])) make_decided(body.arguments[k], statement.in[k]);
        }
        make(body);
        for (std::size_t k = 0; k < body.arguments.size(); ++k) {
          const State& argument = state(body.arguments[k]);
          state(statement.out[k]) = argument;
          // A pre-reduced carried value has the same reducer and roles at entry and at the back edge.
          if (argument.kind == Kind::pre_reduced && state(body.yields[k]) != argument) _possible = false;
        }
        return;
      }
      case Op::if_:
        for (const Block& region : statement.regions) make(region);
        for (std::size_t k = 0; k < statement.out.size(); ++k) {
          if (!is_vector(statement.out[k])) continue;
          make_decided(statement.out[k], statement.regions[0].yields[k]);
          if (kind_of(statement.out[k]) == Kind::pre_reduced &&
              state(statement.regions[1].yields[k]) != state(statement.out[k])) {
            _possible = false;
          }
        }
        return;
      default:
        return;
    }
  }

  // ---- what every use asks for ----

  void use(ValueId value, Kind kind, int depth, RoleSet roles = {}, ValueId as = kNone<ValueId>) {
    if (!is_vector(value)) return;
    if (kind == Kind::pre_reduced && state(value).kind != Kind::pre_reduced) _possible = false;
    _uses.push_back({value, kind, std::move(roles), as, depth});
  }

  void use_as(ValueId value, ValueId as, int depth) { use(value, state(as).kind, depth, {}, as); }

  void collect(const Block& block, int depth) {
    for (const Statement& statement : block.statements) {
      switch (statement.op) {
        case Op::element:
        case Op::reduce:
          for (std::size_t k = 0; k < statement.in.size(); ++k) {
            const RuleChoice& choice = choice_of(statement);
            const Kind kind = input_kind(choice, k);
            const bool beside_partial = kind == Kind::consistent && rule(choice.rule).out == Kind::pre_reduced;
            use(statement.in[k], kind, depth, beside_partial ? state(statement.out[0]).roles : RoleSet{},
                statement.out[0]);
          }
          break;
        case Op::mxv:
        case Op::mxvt: {
          const auto side = statement.op == Op::mxv ? Role::Side::row : Role::Side::column;
          for (const ValueId value : statement.in)
            use(value, Kind::consistent, depth,
                widened({Role{statement.matrix, side}}, value_of(value).space, _stats, _options));
          break;
        }
        case Op::while_: {
          const Block& body = statement.regions[0];
          for (std::size_t k = 0; k < body.arguments.size(); ++k) {
            use_as(statement.in[k], body.arguments[k], depth);
            use_as(body.yields[k], body.arguments[k], depth + 1);
            _kept_by[index_of(body.arguments[k])] = statement.out[k];
          }
          collect(body, depth + 1);
          break;
        }
        case Op::if_:
          for (const Block& region : statement.regions) {
            for (std::size_t k = 0; k < statement.out.size(); ++k)
              use_as(region.yields[k], statement.out[k], depth + 1);
            collect(region, depth + 1);
          }
          break;
        default:
          break;
      }
    }
  }

  // ---- roles ----

  RoleSet asked_roles(const Use& use) {
    RoleSet roles = use.roles;
    if (asked_by_reader(use)) insert_roles(roles, need(use.as));
    return roles;
  }
  bool asked_by_reader(const Use& use) { return use.as != kNone<ValueId> && state(use.as).kind == Kind::consistent; }
  RoleSet& need(ValueId value) { return _need[index_of(value)]; }

  void find_roles() {
    if (_keep) {
      keep_roles(_program.top);
    } else {
      find_needed_roles();
    }
    std::vector<bool> given(_need.size());
    for (const LiveIn& live : _program.live_in) given[index_of(live.value)] = true;
    for (std::size_t v = 0; v < _need.size(); ++v) {
      const auto value = static_cast<ValueId>(v);
      if (!is_vector(value) || given[v] || state(value).kind != Kind::consistent) continue;
      state(value) = need(value).empty() ? State::partitioned() : State::consistent(need(value));
    }
  }

  /// Hybrid: a value is consistent for just the roles it is read for; backwards, to the fixed point.
  void find_needed_roles() {
    bool changed = true;
    while (changed) {
      changed = false;
      const auto grow = [&](ValueId value, const RoleSet& roles) {
        if (includes_roles(need(value), roles)) return;
        insert_roles(need(value), roles);
        changed = true;
      };
      for (const Use& use : _uses) {
        if (use.kind != Kind::consistent) continue;
        grow(use.value, use.roles);
        if (asked_by_reader(use)) grow(use.value, need(use.as));
      }
      for (std::size_t v = 0; v < _kept_by.size(); ++v) {
        const auto argument = static_cast<ValueId>(v);
        const ValueId result = _kept_by[v];
        if (result == kNone<ValueId> || state(argument).kind != Kind::consistent) continue;
        grow(argument, need(result));
        grow(result, need(argument));
      }
    }
  }

  /// Eager and lazy: a value is consistent for all roles its inputs have; scatters go wherever demand is.
  void keep_roles(const Block& block) {
    for (const Statement& statement : block.statements) {
      for (ValueId out : statement.out) need(out) = demand(out);
      if (statement.op == Op::element && state(statement.out[0]).kind == Kind::consistent) {
        RoleSet common;
        for (std::size_t k = 0; k < statement.in.size(); ++k) {
          const State& input = state(statement.in[k]);
          const bool as_made = input.kind == Kind::consistent && need(statement.in[k]).empty();
          const RoleSet& roles = as_made ? input.roles : need(statement.in[k]);
          RoleSet both;
          std::set_intersection(common.begin(), common.end(), roles.begin(), roles.end(), std::back_inserter(both));
          common = k == 0 ? roles : both;
        }
        need(statement.out[0]) = common;
      }
      for (const Block& region : statement.regions) {
        for (ValueId argument : region.arguments) need(argument) = demand(argument);
        keep_roles(region);
      }
      if (statement.op == Op::while_) {
        for (std::size_t k = 0; k < statement.out.size(); ++k)
          need(statement.out[k]) = need(statement.regions[0].arguments[k]);
      }
    }
  }

  /// Consistent for no roles is partitioned: such statements run by rules 8 and 12.
  void name_rules(const Block& block) {
    for (const Statement& statement : block.statements) {
      if (statement.op == Op::element && state(statement.out[0]).kind == Kind::partitioned) {
        _out.choice[index_of(statement.out[0])] = on_masters(statement);
      }
      for (const Block& region : statement.regions) name_rules(region);
    }
  }

  // ---- transitions ----

  /// A carried partial result may live in one buffer only, as a gather there would be seen by all who hold it: nothing
  /// else reads what it is made from, in this program or by a handle after it.
  bool carried_partials_are_single() {
    std::vector<int> reads(_need.size());
    for (const Use& use : _uses) ++reads[index_of(use.value)];
    for (const LiveOut& live : _program.live_out) ++reads[index_of(live.value)];
    for (const LiveIn& live : _program.live_in) {
      if (!live.dies) ++reads[index_of(live.value)];
    }
    return std::none_of(_uses.begin(), _uses.end(), [&](const Use& use) {
      const bool carries = use.kind == Kind::pre_reduced && use.as != kNone<ValueId> &&
                           (_kept_by[index_of(use.as)] != kNone<ValueId> || _facts.depth[index_of(use.as)] < use.depth);
      return carries && reads[index_of(use.value)] > 1;
    });
  }

  void decide_transitions() {
    for (const Use& use : _uses) {
      const State& made = state(use.value);
      if (use.kind == Kind::pre_reduced) {
        // Inside a nested block it would be read after the gather, which stays in the defining block.
        if (use.depth != _facts.depth[index_of(use.value)]) _possible = false;
        continue;
      }
      if (made.kind == Kind::pre_reduced) _out.gathered.insert(use.value);
      if (use.kind != Kind::consistent) continue;
      const RoleSet asked = _keep && made.kind != Kind::consistent ? demand(use.value) : asked_roles(use);
      if (made.kind == Kind::consistent && includes_roles(made.roles, asked)) continue;
      if (!asked.empty()) insert_roles(_out.scattered[use.value], asked);
    }
  }

  FoundStates _out;
  const Program& _program;
  const ValueFacts& _facts;
  const Decisions& _decisions;
  const bool _keep;
  const PlacementStats& _stats;
  const Options& _options;
  bool _possible = true;
  std::vector<Use> _uses;
  std::vector<ValueId> _kept_by;  ///< by loop argument: the loop's result
  std::vector<RoleSet> _need;
};

}  // namespace

std::optional<FoundStates> find_states(const Program& program, const ValueFacts& facts, const Decisions& decisions,
                                       bool keep_consistent, const PlacementStats& stats, const Options& options) {
  return StateFinder(program, facts, decisions, keep_consistent, stats, options).run();
}

}  // namespace kasen::optimizer
