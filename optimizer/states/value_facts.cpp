#include "optimizer/states/value_facts.h"

#include <algorithm>

#include "optimizer/states/rules.h"

namespace kasen::optimizer {
namespace {

class DemandFinder {
 public:
  DemandFinder(const Program& program, const PlacementStats& stats, const Options& options, ValueFacts& facts)
      : _program(program), _stats(stats), _options(options), _facts(facts) {}

  void run() {
    _facts.demand.resize(_program.values.size());
    _facts.beside.resize(_program.values.size());
    _facts.worth_partial.resize(_program.values.size());
    _possible.resize(_program.values.size());
    _facts.partials.resize(_program.values.size());
    _facts.depth.assign(_program.values.size(), 0);
    _facts.loops.assign(_program.values.size(), 0);
    for (const LiveIn& live : _program.live_in) {
      if (live.state.kind == State::Kind::pre_reduced) possible(live.value) = live.state.roles;
    }
    for (const LiveOut& live : _program.live_out) {
      if (!live.partitioned) mark_worth(live.value);
    }
    do {
      _changed = false;
      visit(_program.top, {});
    } while (_changed);
  }

 private:
  RoleSet& demand(ValueId value) { return _facts.demand[index_of(value)]; }
  RoleSet& beside(ValueId value) { return _facts.beside[index_of(value)]; }
  RoleSet& possible(ValueId value) { return _possible[index_of(value)]; }

  void grow(RoleSet& set, const RoleSet& by) {
    if (includes_roles(set, by)) return;
    insert_roles(set, by);
    _changed = true;
  }

  RoleSet everywhere(ValueId value) const {
    return widened({kEverywhere}, _program.values[index_of(value)].space, _stats, _options);
  }

  /// Adds the roles that are asked of `of` to those asked of `value`.
  void pass_on(ValueId of, ValueId value) {
    grow(demand(value), RoleSet(demand(of)));
    grow(beside(value), RoleSet(beside(of)));
  }
  void mark_worth(ValueId value) {
    char& worth = _facts.worth_partial[index_of(value)];
    _changed |= worth == 0;
    worth = 1;
  }
  void pass_worth(ValueId of, ValueId value) {
    if (_facts.worth_partial[index_of(of)] != 0) mark_worth(value);
  }

  /// `value` can be pre-reduced if `of` is.
  void pass_partials(ValueId of, ValueId value) { grow(possible(value), RoleSet(possible(of))); }

  struct Around {
    int blocks = 0, loops = 0;
  };

  void visit(const Block& block, Around around) {
    const auto define = [&](ValueId value) {
      _facts.depth[index_of(value)] = around.blocks;
      _facts.loops[index_of(value)] = around.loops;
    };
    std::for_each(block.arguments.begin(), block.arguments.end(), define);
    for (auto statement = block.statements.rbegin(); statement != block.statements.rend(); ++statement) {
      std::for_each(statement->out.begin(), statement->out.end(), define);
      visit(*statement, around);
    }
  }

  void visit(const Statement& statement, Around around) {
    switch (statement.op) {
      case Op::mxv:
      case Op::mxvt: {
        const auto roles = [&](ValueId value, Role::Side side) {
          return widened({Role{statement.matrix, side}}, _program.values[index_of(value)].space, _stats, _options);
        };
        for (std::size_t k = 0; k < statement.in.size(); ++k) {
          grow(demand(statement.in[k]), roles(statement.in[k], side_of(statement, k)));
        }
        _facts.partials[index_of(statement.out[0])] = roles(statement.out[0], output_side(statement.op));
        grow(possible(statement.out[0]), _facts.partials[index_of(statement.out[0])]);
        return;
      }
      case Op::element:
        for (ValueId value : statement.in) pass_on(statement.out[0], value);
        return visit_partials(statement);
      case Op::while_: {
        const Block& body = statement.regions[0];
        for (std::size_t k = 0; k < body.arguments.size(); ++k) {
          pass_on(statement.out[k], body.arguments[k]);
          pass_worth(statement.out[k], body.arguments[k]);
          pass_partials(body.arguments[k], statement.out[k]);
          pass_partials(statement.in[k], body.arguments[k]);
          pass_partials(body.yields[k], body.arguments[k]);
        }
        visit(body, {around.blocks + 1, around.loops + 1});
        for (std::size_t k = 0; k < body.arguments.size(); ++k) {
          for (const ValueId value : {statement.in[k], body.yields[k]}) {
            pass_on(body.arguments[k], value);
            pass_worth(body.arguments[k], value);
          }
        }
        return;
      }
      case Op::if_:
        for (const Block& region : statement.regions) {
          for (std::size_t k = 0; k < statement.out.size(); ++k) {
            pass_on(statement.out[k], region.yields[k]);
            pass_worth(statement.out[k], region.yields[k]);
            pass_partials(region.yields[k], statement.out[k]);
          }
          visit(region, {around.blocks + 1, around.loops});
        }
        return;
      case Op::take:
      case Op::with_wholes:
        for (std::size_t k = 0; k < statement.wholes; ++k) grow(demand(statement.in[k]), everywhere(statement.in[k]));
        return;
      case Op::reduce:
        return mark_worth(statement.in[0]);
      case Op::reduce_by_key: {
        const ValueId key = statement.in[0], reduced = statement.in[1], out = statement.out[0];
        _facts.partials[index_of(out)] = everywhere(out);
        grow(possible(out), _facts.partials[index_of(out)]);
        mark_worth(reduced);
        return grow(beside(key), RoleSet(possible(reduced)));
      }
      default:
        return;
    }
  }

  void visit_partials(const Statement& statement) {
    for (const RuleChoice& choice : choices(statement)) {
      const Rule& row = rule(choice.rule);
      if (row.one != State::Kind::pre_reduced) continue;
      const ValueId partial = statement.in[choice.argument];
      pass_partials(partial, statement.out[0]);
      pass_worth(statement.out[0], partial);
      if (row.others != State::Kind::consistent) continue;
      for (ValueId other : statement.in) {
        if (other != partial) grow(beside(other), RoleSet(possible(partial)));
      }
    }
  }

  const Program& _program;
  const PlacementStats& _stats;
  const Options& _options;
  ValueFacts& _facts;
  std::vector<RoleSet> _possible;  ///< roles a value would be pre-reduced for
  bool _changed = false;
};

}  // namespace

RoleSet widened(const RoleSet& roles, SpaceId space, const PlacementStats& stats, const Options& options) {
  return roles.empty() || (options.roles && stats.tells_roles_apart(space)) ? roles : stats.all_roles(space);
}

ValueFacts find_facts(const Program& program, const PlacementStats& stats, const Options& options) {
  ValueFacts facts;
  DemandFinder(program, stats, options, facts).run();
  return facts;
}

}  // namespace kasen::optimizer
