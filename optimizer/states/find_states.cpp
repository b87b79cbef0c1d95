#include "optimizer/states/find_states.h"

#include <algorithm>
#include <utility>

namespace kasen::optimizer {
namespace {

using Kind = State::Kind;

}  // namespace

StateFinder::StateFinder(const Program& program, const ValueFacts& facts, const PlacementStats& stats,
                         const Options& options)
    : _program(program),
      _facts(facts),
      _stats(stats),
      _options(options),
      _at_start(program.values.size()),
      _given(program.values.size()),
      _reads_by_handles(program.values.size()) {
  for (const RoleSet& roles : facts.demand) _demand.push_back(_role_sets.id_of(roles));
  for (const LiveIn& live : program.live_in) {
    _at_start[index_of(live.value)] = {live.state.kind, live.state.reducer, _role_sets.id_of(live.state.roles)};
    _given[index_of(live.value)] = 1;
    if (!live.dies) ++_reads_by_handles[index_of(live.value)];
  }
  list(program.top);
  list_uses(program.top, 0);
  for (const LiveOut& live : program.live_out) {
    if (live.partitioned) add_use({.by = Use::By::masters, .value = live.value});
    ++_reads_by_handles[index_of(live.value)];
  }
}

void StateFinder::list(const Block& block) {
  using By = Making::By;
  for (const Statement& statement : block.statements) {
    const ValueId out = statement.out.empty() ? kNone<ValueId> : statement.out[0];
    switch (statement.op) {
      case Op::source:
        _makings.push_back({By::source, out});
        break;
      case Op::element:
        _makings.push_back({.by = By::element, .value = out, .statement = &statement});
        _on_masters.push_back({out, on_masters(statement)});
        break;
      case Op::take:
      case Op::with_wholes:
        _makings.push_back({.by = By::product, .value = out});
        break;
      case Op::reduce:
      case Op::fold:
      case Op::reduce_by_key:
        _makings.push_back(
            {.by = By::reduce,
             .value = out,
             .statement = &statement,
             .product = {Kind::pre_reduced, statement.reducer, _role_sets.id_of(_facts.partials[index_of(out)])}});
        break;
      case Op::mxv:
      case Op::mxvt:
        _makings.push_back(
            {.by = By::product,
             .value = out,
             .product = {Kind::pre_reduced, statement.reducer, _role_sets.id_of(_facts.partials[index_of(out)])}});
        break;
      case Op::while_: {
        const Block& body = statement.regions[0];
        for (std::size_t k = 0; k < body.arguments.size(); ++k) {
          if (is_vector(body.arguments[k]))
            _makings.push_back({.by = By::argument, .value = body.arguments[k], .like = statement.in[k]});
        }
        list(body);
        for (std::size_t k = 0; k < body.arguments.size(); ++k) {
          if (!is_vector(body.arguments[k])) continue;
          _makings.push_back(
              {.by = By::loop, .value = statement.out[k], .like = body.arguments[k], .other = body.yields[k]});
          _kept.push_back({body.arguments[k], statement.out[k]});
        }
        break;
      }
      case Op::if_:
        for (const Block& region : statement.regions) list(region);
        for (std::size_t k = 0; k < statement.out.size(); ++k) {
          if (!is_vector(statement.out[k])) continue;
          _makings.push_back({.by = By::branch,
                              .value = statement.out[k],
                              .like = statement.regions[0].yields[k],
                              .other = statement.regions[1].yields[k]});
        }
        break;
      default:
        break;
    }
  }
}

void StateFinder::add_use(const Use& use) {
  if (is_vector(use.value)) _uses.push_back(use);
}

void StateFinder::list_uses(const Block& block, int depth) {
  using By = Use::By;
  for (const Statement& statement : block.statements) {
    switch (statement.op) {
      case Op::element:
      case Op::reduce:
      case Op::fold:
      case Op::reduce_by_key:
        for (std::size_t k = 0; k < statement.in.size(); ++k) {
          add_use({.by = By::rule,
                   .position = static_cast<std::uint32_t>(k),
                   .value = statement.in[k],
                   .as = statement.out[0],
                   .beside = is_any_reduction(statement.op) ? statement.in.back() : statement.out[0],
                   .depth = depth});
        }
        break;
      case Op::take:
      case Op::with_wholes:
        for (std::size_t k = 0; k < statement.in.size(); ++k) {
          const ValueId value = statement.in[k];
          if (!reads_whole(statement, k)) {
            add_use({.by = By::masters, .value = value, .depth = depth});
            continue;
          }
          const SpaceId space = _program.values[index_of(value)].space;
          const RoleSetId roles = _role_sets.id_of(widened({kEverywhere}, space, _stats, _options));
          add_use({.by = By::product, .value = value, .product = roles, .depth = depth});
        }
        break;
      case Op::mxv:
      case Op::mxvt: {
        for (std::size_t k = 0; k < statement.in.size(); ++k) {
          const ValueId value = statement.in[k];
          const SpaceId space = _program.values[index_of(value)].space;
          const RoleSet roles = widened({Role{statement.matrix, side_of(statement, k)}}, space, _stats, _options);
          add_use({.by = By::product, .value = value, .product = _role_sets.id_of(roles), .depth = depth});
        }
        break;
      }
      case Op::while_: {
        const Block& body = statement.regions[0];
        for (std::size_t k = 0; k < body.arguments.size(); ++k) {
          add_use({.by = By::handed_on, .value = statement.in[k], .as = body.arguments[k], .depth = depth});
          add_use({.by = By::handed_on, .value = body.yields[k], .as = body.arguments[k], .depth = depth + 1});
        }
        list_uses(body, depth + 1);
        break;
      }
      case Op::if_:
        for (const Block& region : statement.regions) {
          for (std::size_t k = 0; k < statement.out.size(); ++k)
            add_use({.by = By::handed_on, .value = region.yields[k], .as = statement.out[k], .depth = depth + 1});
          list_uses(region, depth + 1);
        }
        break;
      default:
        break;
    }
  }
}

std::optional<FoundStates> StateFinder::find(const Decisions& decisions, bool keep_consistent) {
  _found.states = _at_start;
  _found.choice = decisions.choice;
  if (!make(decisions) || !ask(decisions)) return std::nullopt;
  _need.assign(_demand.size(), kNoRoles);
  for (const LiveIn& live : _program.live_in) {
    if (live.state.kind != Kind::consistent) need(live.value) = demand(live.value);
  }
  if (keep_consistent) {
    keep_roles(_program.top);
  } else {
    find_needed_roles();
  }
  set_roles();
  if (!carried_partials_are_single()) return std::nullopt;
  _found.gathered.assign(_demand.size(), 0);
  _found.scattered.assign(_demand.size(), kNoRoles);
  if (!decide_transitions(keep_consistent)) return std::nullopt;
  _found.role_sets = &_role_sets;
  return std::move(_found);
}

// ---- how values are made: the kind of every state, and the reducer and roles of pre-reduced ones ----

bool StateFinder::make(const Decisions& decisions) {
  return std::all_of(_makings.begin(), _makings.end(), [&](const Making& making) { return make(making, decisions); });
}

/// @return whether it can be made so.
bool StateFinder::make(const Making& making, const Decisions& decisions) {
  Made& made = state(making.value);
  const auto decided = [&] {
    made.kind = decisions.kind[index_of(making.value)];
    if (made.kind != Kind::pre_reduced) return true;
    made = state(making.like);
    return made.kind == Kind::pre_reduced;
  };
  switch (making.by) {
    case Making::By::source:
      made.kind = decisions.kind[index_of(making.value)];
      return true;
    case Making::By::element: {
      const RuleChoice& choice = decisions.choice[index_of(making.value)];
      made.kind = rule(choice.rule).out;
      if (made.kind != Kind::pre_reduced) return true;
      made = state(making.statement->in[choice.argument]);
      return made.kind == Kind::pre_reduced && law_holds(*making.statement, choice, made.reducer);
    }
    case Making::By::reduce: {
      made = making.product;
      const RuleChoice& choice = decisions.choice[index_of(making.value)];
      const Made& input = state(making.statement->in.back());
      return !rule(choice.rule).same_reducer ||
             (input.kind == Kind::pre_reduced && law_holds(*making.statement, choice, input.reducer));
    }
    case Making::By::product:
      made = making.product;
      return true;
    case Making::By::argument:
      return decided();
    case Making::By::loop:
      made = state(making.like);
      // A pre-reduced carried value has the same reducer and roles at entry and at the back edge.
      return made.kind != Kind::pre_reduced || state(making.other) == made;
    case Making::By::branch:
      return decided() && (made.kind != Kind::pre_reduced || state(making.other) == made);
  }
  return false;
}

// ---- what every use asks for ----

/// @return whether all can have it.
bool StateFinder::ask(const Decisions& decisions) {
  _asked.resize(_uses.size());
  for (std::size_t u = 0; u < _uses.size(); ++u) {
    const Use& use = _uses[u];
    Asked asked{Kind::partitioned, use.product, false};
    switch (use.by) {
      case Use::By::rule: {
        const RuleChoice& choice = decisions.choice[index_of(use.as)];
        const Made& made = state(use.as);
        asked.kind = input_kind(choice, use.position);
        if (asked.kind == Kind::consistent && rule(choice.rule).out == Kind::pre_reduced)
          asked.roles = state(use.beside).roles;
        asked.as_made = made.kind == Kind::consistent;
        break;
      }
      case Use::By::product:
        asked.kind = Kind::consistent;
        break;
      case Use::By::handed_on:
        asked.kind = state(use.as).kind;
        asked.as_made = asked.kind == Kind::consistent;
        break;
      case Use::By::masters:
        break;
    }
    if (asked.kind == Kind::pre_reduced && state(use.value).kind != Kind::pre_reduced) return false;
    _asked[u] = asked;
  }
  return true;
}

// ---- roles ----

/// Hybrid: a value is consistent for just the roles it is read for; backwards, to the fixed point.
void StateFinder::find_needed_roles() {
  bool changed = true;
  const auto grow = [&](ValueId value, RoleSetId roles) {
    const RoleSetId grown = _role_sets.joined(need(value), roles);
    changed |= grown != need(value);
    need(value) = grown;
  };
  while (changed) {
    changed = false;
    for (std::size_t u = _uses.size(); u-- > 0;) {
      if (_asked[u].kind != Kind::consistent) continue;
      grow(_uses[u].value, _asked[u].roles);
      if (_asked[u].as_made) grow(_uses[u].value, need(_uses[u].as));
    }
    for (const Kept& kept : _kept) {
      if (state(kept.argument).kind != Kind::consistent) continue;
      grow(kept.argument, need(kept.result));
      grow(kept.result, need(kept.argument));
    }
  }
}

/// Eager and lazy: a value is consistent for all roles its inputs have; scatters go wherever demand is.
void StateFinder::keep_roles(const Block& block) {
  for (const Statement& statement : block.statements) {
    for (ValueId out : statement.out) need(out) = demand(out);
    if (statement.op == Op::element && state(statement.out[0]).kind == Kind::consistent) {
      RoleSetId common = kNoRoles;
      for (std::size_t k = 0; k < statement.in.size(); ++k) {
        const Made& input = state(statement.in[k]);
        // What is not made consistent is scattered for what is asked of it, which of a loop's result may be less than
        // of the argument whose roles it keeps.
        const RoleSetId needed = input.kind == Kind::consistent ? need(statement.in[k]) : demand(statement.in[k]);
        const bool as_made = input.kind == Kind::consistent && needed == kNoRoles;
        const RoleSetId roles = as_made ? input.roles : needed;
        common = k == 0 ? roles : _role_sets.common(common, roles);
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
void StateFinder::set_roles() {
  for (std::size_t v = 0; v < _need.size(); ++v) {
    Made& made = _found.states[v];
    if (made.kind != Kind::consistent || _given[v] != 0) continue;
    made = _need[v] == kNoRoles ? Made{} : Made{Kind::consistent, kNone<ReducerId>, _need[v]};
  }
  for (const OnMasters& element : _on_masters) {
    if (state(element.value).kind == Kind::partitioned) _found.choice[index_of(element.value)] = element.choice;
  }
}

// ---- transitions ----

/// A carried partial result may live in one buffer only, as a gather there would be seen by all who hold it: nothing
/// else reads what it is made from, in this program or by a handle after it.
bool StateFinder::carried_partials_are_single() {
  const auto carries = [&](std::size_t u) {
    return _uses[u].by == Use::By::handed_on && _asked[u].kind == Kind::pre_reduced;
  };
  std::size_t first = 0;
  while (first < _uses.size() && !carries(first)) ++first;
  if (first == _uses.size()) return true;
  std::vector<int> reads = _reads_by_handles;
  for (const Use& use : _uses) ++reads[index_of(use.value)];
  for (std::size_t u = first; u < _uses.size(); ++u) {
    if (carries(u) && reads[index_of(_uses[u].value)] > 1) return false;
  }
  return true;
}

/// @return whether all that is read as it was made can be.
bool StateFinder::decide_transitions(bool keep_consistent) {
  for (std::size_t u = 0; u < _uses.size(); ++u) {
    const Use& use = _uses[u];
    const Asked& asked = _asked[u];
    const Made& made = state(use.value);
    if (asked.kind == Kind::pre_reduced) {
      // Inside a nested block it would be read after the gather, which stays in the defining block.
      if (use.depth != _facts.depth[index_of(use.value)]) return false;
      continue;
    }
    if (made.kind == Kind::pre_reduced) _found.gathered[index_of(use.value)] = 1;
    if (asked.kind != Kind::consistent) continue;
    RoleSetId roles = asked.as_made ? _role_sets.joined(asked.roles, need(use.as)) : asked.roles;
    if (keep_consistent && made.kind != Kind::consistent) roles = demand(use.value);
    if (made.kind == Kind::consistent && _role_sets.includes(made.roles, roles)) continue;
    RoleSetId& scattered = _found.scattered[index_of(use.value)];
    scattered = _role_sets.joined(scattered, roles);
  }
  return true;
}

}  // namespace kasen::optimizer
