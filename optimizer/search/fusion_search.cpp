#include "optimizer/search/fusion_search.h"

#include <algorithm>

namespace kasen::optimizer {
namespace {

constexpr std::size_t kMostPoints = 20;  // whose combinations are tried; of more, each alone

PlanTime plus(PlanTime time, int depth, Ticks ticks) {
  Ticks& part = depth > 0 ? time.loops : time.rest;
  part = sum_of(part, product_of(ticks, weight_at(depth)));
  return time;
}

/// What the transitions of a block take at least: all bytes and their packing, and the longest chain of messages and of
/// reductions, since what waits for each other cannot travel together.
Ticks least_exchange(const FusionBlock& block, const StatedProgram& stated, const PlacementStats& stats,
                     const Profile& profile) {
  const std::vector<Statement>& statements = block.block->statements;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < statements.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return block.before[a].count() < block.before[b].count(); });
  std::vector<Ticks> messages(statements.size()), reductions(statements.size());
  Ticks bytes = 0, most_messages = 0, most_reductions = 0;
  for (std::size_t i : order) {
    for (std::size_t j : block.ddag.before[i]) {
      messages[i] = std::max(messages[i], messages[j]);
      reductions[i] = std::max(reductions[i], reductions[j]);
    }
    const Statement& statement = statements[i];
    if (statement.op == Op::all_reduce) {
      reductions[i] = sum_of(reductions[i], ticks_of_reduction(stats.workers, profile));
    } else if (is_transition(statement.op)) {
      const ValueId partial = statement.op == Op::gather ? statement.in[0] : statement.out[0];
      const Value& value = stated.program.values[index_of(partial)];
      const auto& moved = stats.of(value.space, stated.states[index_of(partial)].roles);
      messages[i] = sum_of(messages[i], ticks_of_messages(moved.pairs.count(), profile));
      bytes = sum_of(bytes, product_of(byte_rates(profile).send, moved.replicas * value.type.bytes));
      bytes = sum_of(bytes, ticks_of_packing(value, moved.replicas, stats, profile));
    }
    most_messages = std::max(most_messages, messages[i]);
    most_reductions = std::max(most_reductions, reductions[i]);
  }
  return sum_of(bytes, sum_of(most_messages, most_reductions));
}

/// The number of partitions of a set of n (Bell's number).
double bell(std::size_t n) {
  std::vector<double> row{1};
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<double> next{row.back()};
    for (double entry : row) next.push_back(next.back() + entry);
    row = std::move(next);
  }
  return row.front();
}

}  // namespace

/// The space of one program in states with its points decided, and the choice so far.
struct FusionSearch::Problem {
  Problem(const StatedProgram& program, const std::set<ValueId>& remade, const FusionOptions& options, bool mixed,
          const PlacementStats& stats, const Profile& profile)
      : stated(program),
        grouping{std::vector<std::uint32_t>(mixed ? program.program.values.size() : 0), remade},
        maker(stated, options, &grouping),
        space(make_fusion_space(stated, maker, mixed)),
        costs(stated, space, maker, options.storage, stats, profile),
        least(space.components.size()),
        chosen(space.components.size()) {
    for (const FusionBlock& block : space.blocks) {
      exchanges = plus(exchanges, block.depth, least_exchange(block, stated, stats, profile));
    }
  }
  int depth(std::size_t component) const { return space.blocks[space.components[component].block].depth; }

  const StatedProgram& stated;
  Grouping grouping;
  const SweepMaker maker;
  const FusionSpace space;
  SweepCosts costs;
  PlanTime exchanges;                           ///< at least
  std::vector<Ticks> least;                     ///< by component: a bound of its sweeps
  std::vector<ComponentSearch::Sweeps> chosen;  ///< by component
};

FusionSearch::FusionSearch(const PlacementStats& stats, const FusionOptions& options, const Profile& profile,
                           Lower lower, PlanTime best, std::uint64_t budget)
    : _stats(stats),
      _options(options),
      _profile(profile),
      _lower(std::move(lower)),
      _best(best),
      _whole_budget(budget) {}

std::optional<Plan> FusionSearch::improve(const StatedProgram& stated, std::uint64_t limit) {
  _found.reset();
  if (exhausted()) {
    _complete = false;
    return std::nullopt;
  }
  const SweepMaker maker(stated, _options, nullptr);
  const std::vector<FusionComponent> components = make_fusion_space(stated, maker, true).components;
  const bool mixed = std::any_of(components.begin(), components.end(),
                                 [](const FusionComponent& component) { return component.kind == Template::mixed; });
  const std::uint64_t spent = _budget.costed + _budget.skipped;
  const bool complete = _complete;
  const double plans = _plans;
  _budget.limit = std::min(_whole_budget, spent + (mixed ? limit / 2 : limit));
  const std::vector<ValueId> points = materialisation_points(stated);
  search_points(stated, points, false);
  if (mixed) {
    _complete = complete;
    _plans = plans;
    _budget.limit = std::min(_whole_budget, spent + limit);
    search_points(stated, points, true);
  }
  return std::move(_found);
}

void FusionSearch::search_points(const StatedProgram& stated, const std::vector<ValueId>& points, bool mixed) {
  const bool all = points.size() <= kMostPoints;
  const std::uint64_t combinations = all ? std::uint64_t{1} << points.size() : points.size() + 1;
  _complete &= all;
  for (std::uint64_t combination = 0; combination < combinations; ++combination) {
    if (_budget.spent()) {
      _complete = false;
      break;
    }
    std::set<ValueId> recomputed;
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (all ? (combination >> k & 1) != 0 : combination == k + 1) recomputed.insert(points[k]);
    }
    search(stated, recomputed, mixed);
  }
}

PlanTime FusionSearch::bound_of(const Problem& problem, std::size_t components_fixed, const PlanTime& fixed) const {
  PlanTime bound = fixed;
  for (std::size_t p = components_fixed; p < problem.least.size(); ++p) {
    bound = plus(bound, problem.depth(p), problem.least[p]);
  }
  return bound;
}

void FusionSearch::search(const StatedProgram& stated, const std::set<ValueId>& recomputed, bool mixed) {
  Problem problem(stated, recomputed, _options, mixed, _stats, _profile);
  const std::size_t n = problem.space.components.size();
  double plans = 1;
  for (std::size_t p = 0; p < n; ++p) {
    plans *= bell(problem.space.components[p].statements.size());
    problem.least[p] = ComponentSearch(problem.space, problem.costs, p, _budget).bound();
  }
  _plans += plans;
  const auto hopeless = [&] {
    if (bound_of(problem, 0, problem.exchanges) < _best) return false;
    ++_budget.skipped;
    return true;
  };
  if (hopeless()) return;
  // Each component alone; what its best sweeps cost bounds it from below from then on.
  for (std::size_t p = 0; p < n; ++p) {
    std::optional<Ticks> best;
    ComponentSearch alone(problem.space, problem.costs, p, _budget);
    const bool whole = alone.run([&](Ticks ticks) { return !best || ticks < *best; },
                                 [&](const ComponentSearch::Sweeps& sweeps, Ticks ticks) {
                                   best = ticks;
                                   problem.chosen[p] = sweeps;
                                 });
    if (!best) {
      _complete = false;
      return;
    }
    if (whole) problem.least[p] = *best;
    if (hopeless()) return;
  }
  consider(problem);
  if (bound_of(problem, 0, problem.exchanges) < _best) choose(problem, 0, problem.exchanges);
  if (_budget.spent()) _complete = false;
}

/// Considers all components together, as orders of sweeps and which transitions travel together depend on all.
void FusionSearch::choose(Problem& problem, std::size_t component, const PlanTime& fixed) {
  if (component == problem.space.components.size()) return consider(problem);
  const int depth = problem.depth(component);
  ComponentSearch search(problem.space, problem.costs, component, _budget);
  search.run(
      [&](Ticks ticks) {
        const Ticks least = std::max(ticks, problem.least[component]);
        return bound_of(problem, component + 1, plus(fixed, depth, least)) < _best;
      },
      [&](const ComponentSearch::Sweeps& sweeps, Ticks ticks) {
        problem.chosen[component] = sweeps;
        choose(problem, component + 1, plus(fixed, depth, ticks));
      });
}

/// Costs a whole plan, with what is not known of its parts.
void FusionSearch::consider(const Problem& problem) {
  ++_budget.costed;
  Grouping grouping = problem.grouping;
  grouping.sweeps.assign(problem.stated.program.values.size(), Grouping::kNoSweep);
  std::uint32_t number = 0;
  for (std::size_t p = 0; p < problem.chosen.size(); ++p) {
    const FusionComponent& component = problem.space.components[p];
    const std::vector<Statement>& statements = problem.space.blocks[component.block].block->statements;
    for (const BitSet& sweep : problem.chosen[p]) {
      for (std::size_t i : component.statements) {
        if (sweep.contains(i)) grouping.sweeps[index_of(statements[i].out[0])] = number;
      }
      ++number;
    }
  }
  std::optional<Plan> plan = _lower(problem.stated, grouping);
  if (!plan || !(plan->time < _best)) return;
  _best = plan->time;
  _found = std::move(plan);
  _winner = Winner{problem.stated, std::move(grouping)};
}

}  // namespace kasen::optimizer
