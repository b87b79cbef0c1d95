#include "optimizer/cost/formulas.h"

#include <utility>

#include "optimizer/cost/sums.h"
#include "optimizer/cost/sweep_formulas.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

constexpr std::uint32_t kListedBytes = 4;  // of a number of elements in a sparse exchange

/// Of a sparse exchange all elements, which is the most that it sends.
template <class Sum>
Costs<Sum> exchange_formulas(const Plan& plan, const Exchange& exchange, const PlacementStats& stats, Column column) {
  Costs<Sum> result;
  const bool sparse = exchange.sparse && column == Column::stream;
  WorkerPairs pairs;  // that send: holders to owners, or the other way round
  const Symbol one{Symbol::Kind::one, {}, {}, {}};
  const bool alone = exchange.gathers.size() + exchange.scatters.size() == 1;
  const auto move_by = [&](const Move& move, bool from_owner) {
    const Value& value = plan.values[index_of(move.from)];
    const RoleSet roles = column == Column::model ? stats.all_roles(value.space) : move.roles;
    if (roles.empty()) return;
    add(result.bytes_sent, value.type.bytes, replicas(value.space, roles), stats);
    if (sparse) {
      const std::uint64_t counts = kListedBytes * stats.of(value.space, roles).pairs.count();
      add(result.bytes_sent, counts, one, stats);
      add(result.buffer_bytes, 2 * counts, one, stats);
    }
    const bool in_place = !sparse && alone && stats.of(value.space, roles).contiguous;
    add(result.buffer_bytes, value.type.bytes * (in_place ? 1u : 2u), replicas(value.space, roles), stats);
    const WorkerPairs& moved = stats.of(value.space, roles).pairs;
    pairs.insert(from_owner ? moved.turned() : moved);
  };
  for (const Move& move : exchange.gathers) move_by(move, false);
  for (const Move& move : exchange.scatters) {
    if (!sparse || move.active != kNone<ValueId>) move_by(move, true);
  }
  add(result.messages, pairs.count(), one, stats);
  for (const Move& move : exchange.reductions) {
    add(result.bytes_sent, plan.values[index_of(move.from)].type.bytes, {Symbol::Kind::worker_pairs, {}, {}, {}},
        stats);
  }
  if (!exchange.reductions.empty()) add(result.messages, 1, {Symbol::Kind::worker_pairs, {}, {}, {}}, stats);
  return result;
}

template <class Sum>
Costs<Sum> costs_of(const Plan& plan, const Step& step, const PlacementStats& stats, Column column) {
  if (const auto* sweep = std::get_if<Sweep>(&step.what)) return sweep_formulas<Sum>(plan, *sweep, stats, column);
  if (const auto* exchange = std::get_if<Exchange>(&step.what))
    return exchange_formulas<Sum>(plan, *exchange, stats, column);
  return {};
}

/// Elements that are sent, and bytes that say how many and which they are.
StepFormulas sparse_formulas(const Plan& plan, const Exchange& exchange, const PlacementStats& stats) {
  StepFormulas result;
  result.messages = exchange_formulas<Formula>(plan, exchange, stats, Column::stream).messages;
  const Move& move = sent_sparsely(exchange);
  result.bytes_sent.add(plan.values[index_of(move.to)].type.bytes, {Symbol::Kind::active, {}, {}, {}});
  result.bytes_sent.add(1, {Symbol::Kind::active_entries, {}, {}, {}});
  for (const Move& shared : exchange.reductions)
    result.bytes_sent.add(plan.values[index_of(shared.from)].type.bytes, {Symbol::Kind::worker_pairs, {}, {}, {}});
  return result;
}

template <class Of>
StepFormulas of_sweep(const Of& of, const Plan& plan, const Step& step, const PlacementStats& stats) {
  const auto* sweep = std::get_if<Sweep>(&step.what);
  return sweep == nullptr ? StepFormulas{} : of(plan, *sweep, stats);
}

}  // namespace

StepFormulas formulas_of(const Plan& plan, const Step& step, const PlacementStats& stats, Column column) {
  return costs_of<Formula>(plan, step, stats, column);
}

Counts counts_of(const Plan& plan, const Step& step, const PlacementStats& stats, Column column) {
  Counts counts = costs_of<std::uint64_t>(plan, step, stats, column);
  counts.buffer_bytes = 0;
  return counts;
}

StepFormulas active_formulas_of(const Plan& plan, const Step& step, const PlacementStats& stats) {
  if (const auto* exchange = std::get_if<Exchange>(&step.what))
    return exchange->sparse ? sparse_formulas(plan, *exchange, stats) : StepFormulas{};
  return of_sweep(pushed_formulas, plan, step, stats);
}

StepFormulas batch_formulas_of(const Plan& plan, const Step& step, const PlacementStats& stats) {
  return of_sweep(batch_formulas, plan, step, stats);
}

StepFormulas delta_formulas_of(const Plan& plan, const Step& step, const PlacementStats& stats) {
  return of_sweep(delta_formulas, plan, step, stats);
}

StepFormulas settled_formulas_of(const Plan& plan, const Step& step, const PlacementStats& stats) {
  return of_sweep(settled_formulas, plan, step, stats);
}

StepFormulas known_formulas_of(const Plan& plan, const Step& step, const PlacementStats& stats) {
  return of_sweep(known_formulas, plan, step, stats);
}

namespace {

/// What the formulas say for each unit of a symbol that has no value.
Counts each(const StepFormulas& formulas, Symbol::Kind kind) {
  Counts counts;
  const auto formula_fields = StepFormulas::fields();
  for (std::size_t k = 0; k < formula_fields.size(); ++k) {
    for (const Formula::Term& term : (formulas.*formula_fields[k].member).terms()) {
      if (term.symbol.kind == kind) counts.*Counts::fields()[k].member = term.coefficient;
    }
  }
  return counts;
}

}  // namespace

Counts evaluate(const StepFormulas& formulas, const PlacementStats& stats) {
  Counts counts;
  const auto formula_fields = StepFormulas::fields();
  const auto fields = Counts::fields();
  for (std::size_t k = 0; k < fields.size(); ++k)
    counts.*fields[k].member = (formulas.*formula_fields[k].member).evaluate(stats);
  counts.buffer_bytes = 0;
  return counts;
}

namespace {

template <class Sum>
Sum bytes_of_classes(const Plan& plan, const PlacementStats& stats) {
  Sum bytes{};
  for (const BufferClass& cls : plan.classes) {
    add_range(bytes, cls.count * cls.element_bytes, cls.space, cls.replicas ? stats.all_roles(cls.space) : RoleSet{},
              stats);
  }
  return bytes;
}

template <class Sum>
Sum bytes_of_buffers(const Plan& plan, const PlacementStats& stats, Column column) {
  Sum bytes{};
  if (column == Column::stream) bytes = bytes_of_classes<Sum>(plan, stats);
  for_each_step(plan.steps, [&](const Step& step) {
    if (column == Column::stream) {
      bytes += costs_of<Sum>(plan, step, stats, column).buffer_bytes;
    } else if (const auto* sweep = std::get_if<Sweep>(&step.what)) {
      for (const Place& place : sweep->places) {
        if (place.kind != Place::Kind::output) continue;
        const bool partitioned = plan.states[index_of(place.value)].kind == State::Kind::partitioned;
        const Value& value = plan.values[index_of(place.value)];
        add_range(bytes, value.type.bytes, value.space, partitioned ? RoleSet{} : stats.all_roles(value.space), stats);
      }
    }
  });
  return bytes;
}

}  // namespace

Formula buffers_of(const Plan& plan, const PlacementStats& stats, Column column) {
  return bytes_of_buffers<Formula>(plan, stats, column);
}

namespace {

void set_counts(PartialCosts& costs, const StepFormulas& formulas, const PlacementStats& stats) {
  costs.run = evaluate(formulas, stats);
  costs.element = each(formulas, Symbol::Kind::active);
  costs.entry = each(formulas, Symbol::Kind::active_entries);
}

}  // namespace

void assign_stream_costs(Plan& plan, const PlacementStats& stats) {
  plan.buffer_bytes = bytes_of_classes<std::uint64_t>(plan, stats);
  for_each_step(plan.steps, [&](Step& step) {
    step.stream = costs_of<std::uint64_t>(plan, step, stats, Column::stream);
    plan.buffer_bytes += std::exchange(step.stream.buffer_bytes, 0);
  });
}

void assign_costs(Plan& plan, const PlacementStats& stats) {
  assign_stream_costs(plan, stats);
  for_each_step(plan.steps, [&](Step& step) {
    step.model = counts_of(plan, step, stats, Column::model);
    set_counts(step.active,
               is_of_batch(step) ? batch_formulas_of(plan, step, stats) : active_formulas_of(plan, step, stats), stats);
    set_counts(step.delta, delta_formulas_of(plan, step, stats), stats);
    set_counts(step.settled, settled_formulas_of(plan, step, stats), stats);
    step.known = evaluate(known_formulas_of(plan, step, stats), stats);
  });
  plan.model_buffer_bytes = bytes_of_buffers<std::uint64_t>(plan, stats, Column::model);
}

}  // namespace kasen::optimizer
