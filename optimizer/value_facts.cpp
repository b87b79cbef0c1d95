#include <algorithm>

#include "optimizer/states.h"

namespace kasen::optimizer {
namespace {

class DemandFinder {
 public:
  DemandFinder(const Program& program, const PlacementStats& stats, const Options& options, ValueFacts& facts)
      : _program(program), _stats(stats), _options(options), _facts(facts) {}

  void run() {
    _facts.demand.resize(_program.values.size());
    _facts.partials.resize(_program.values.size());
    _facts.depth.assign(_program.values.size(), 0);
    do {
      _changed = false;
      visit(_program.top, 0);
    } while (_changed);
  }

 private:
  RoleSet& demand(ValueId value) { return _facts.demand[index_of(value)]; }

  void add(ValueId value, const RoleSet& roles) {
    if (includes_roles(demand(value), roles)) return;
    insert_roles(demand(value), roles);
    _changed = true;
  }

  void visit(const Block& block, int depth) {
    for (ValueId value : block.arguments) _facts.depth[index_of(value)] = depth;
    for (auto statement = block.statements.rbegin(); statement != block.statements.rend(); ++statement) {
      for (ValueId value : statement->out) _facts.depth[index_of(value)] = depth;
      visit(*statement, depth);
    }
  }

  void visit(const Statement& statement, int depth) {
    switch (statement.op) {
      case Op::mxv:
      case Op::mxvt: {
        const bool by_columns = statement.op == Op::mxv;
        const auto roles = [&](ValueId value, Role::Side side) {
          return widened({Role{statement.matrix, side}}, _program.values[index_of(value)].space, _stats, _options);
        };
        add(statement.in[0], roles(statement.in[0], by_columns ? Role::Side::row : Role::Side::column));
        _facts.partials[index_of(statement.out[0])] =
            roles(statement.out[0], by_columns ? Role::Side::column : Role::Side::row);
        return;
      }
      case Op::element:
        for (ValueId value : statement.in) add(value, RoleSet(demand(statement.out[0])));
        return;
      case Op::while_: {
        const Block& body = statement.regions[0];
        for (std::size_t k = 0; k < body.arguments.size(); ++k) {
          add(body.arguments[k], RoleSet(demand(statement.out[k])));
        }
        visit(body, depth + 1);
        for (std::size_t k = 0; k < body.arguments.size(); ++k) {
          const RoleSet roles = demand(body.arguments[k]);
          add(statement.in[k], roles);
          add(body.yields[k], roles);
        }
        return;
      }
      case Op::if_:
        for (const Block& region : statement.regions) {
          for (std::size_t k = 0; k < statement.out.size(); ++k)
            add(region.yields[k], RoleSet(demand(statement.out[k])));
          visit(region, depth + 1);
        }
        return;
      default:
        return;
    }
  }

  const Program& _program;
  const PlacementStats& _stats;
  const Options& _options;
  ValueFacts& _facts;
  bool _changed = false;
};

}  // namespace

RoleSet widened(const RoleSet& roles, SpaceId space, const PlacementStats& stats, const Options& options) {
  // Beyond the subsets that the statistics list, roles are not told apart.
  constexpr std::size_t kMostRoles = 6;
  RoleSet all;
  for (const auto& entry : stats.spaces.at(index_of(space)).roles) insert_roles(all, entry.roles);
  return roles.empty() || (options.roles && all.size() <= kMostRoles) ? roles : all;
}

ValueFacts find_facts(const Program& program, const PlacementStats& stats, const Options& options) {
  ValueFacts facts;
  DemandFinder(program, stats, options, facts).run();
  return facts;
}

}  // namespace kasen::optimizer
