#include "optimizer/cost/formulas.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

constexpr std::uint32_t kIndexBytes = 4, kPointerBytes = 8, kGlobalIndexBytes = 8;
constexpr std::uint32_t kListedBytes = 4;  // of a number of elements in a sparse exchange
constexpr std::uint32_t kBlockIndexBytes = 2, kRunLengthBytes = 4;

Symbol masters(SpaceId space) { return {Symbol::Kind::masters, space, kNone<MatrixId>, {}}; }
Symbol replicas(SpaceId space, RoleSet roles) {
  return {Symbol::Kind::replicas, space, kNone<MatrixId>, std::move(roles)};
}
Symbol nonzeros(MatrixId matrix) { return {Symbol::Kind::nonzeros, kNone<SpaceId>, matrix, {}}; }

/// Sums that are formulas, or their values right away: planning needs only these, again and again.
void add(Formula& sum, std::uint64_t coefficient, Symbol symbol, const PlacementStats& /*stats*/) {
  sum.add(coefficient, std::move(symbol));
}
void add(std::uint64_t& sum, std::uint64_t coefficient, const Symbol& symbol, const PlacementStats& stats) {
  sum += coefficient * value_of(symbol, stats);
}

/// Adds `coefficient` per master, and per replica of the roles.
void add_range(Formula& sum, std::uint64_t coefficient, SpaceId space, const RoleSet& roles,
               const PlacementStats& /*stats*/) {
  sum.add(coefficient, masters(space));
  if (!roles.empty()) sum.add(coefficient, replicas(space, roles));
}
void add_range(std::uint64_t& sum, std::uint64_t coefficient, SpaceId space, const RoleSet& roles,
               const PlacementStats& stats) {
  sum += coefficient * (stats.spaces.at(index_of(space)).masters + stats.of(space, roles).replicas);
}

void merge_roles(RoleSet& into, const RoleSet& roles) {
  if (!includes_roles(into, roles)) insert_roles(into, roles);
}

/// @tparam Sum Formula or std::uint64_t.
template <class Sum>
class SweepFormulas {
 public:
  SweepFormulas(const Plan& plan, const Sweep& sweep, const PlacementStats& stats, Column column)
      : _plan(plan), _sweep(sweep), _stats(stats), _model(column == Column::model) {}

  Costs<Sum> run() {
    if (!_model && active_of(_sweep) != kNone<ValueId>) find_active(1);
    walk();
    return std::move(_result);
  }

  /// A run that pushes active elements: they are found once more, and what they are added to starts at the identity.
  Costs<Sum> run_active() {
    find_active(2);
    add_range(_result.elements_initialised, 1, _sweep.space, _sweep.launches.at(0).roles);
    push_active();
    return std::move(_result);
  }

  /// A walk over all though it is known which masters are active.
  Costs<Sum> run_known() {
    const Launch& launch = _sweep.launches.at(0);
    read(1, {Symbol::Kind::replicas, _plan.values[index_of(launch.active)].space, kNone<MatrixId>,
             RoleSet{Role{_sweep.matrix, read_side(launch)}}});
    agree();
    walk();
    return std::move(_result);
  }

  /// In a delta iteration it is known which masters are active, and all masters of its output are where they start.
  Costs<Sum> run_delta_product() {
    const Launch& launch = _sweep.launches.at(0);
    const SpaceId space = _plan.values[index_of(launch.active)].space;
    const RoleSet inputs{Role{_sweep.matrix, read_side(launch)}};
    read(1, {Symbol::Kind::replicas, space, kNone<MatrixId>, inputs}, 2);
    if (!launch.roles.empty()) add(_result.elements_initialised, 1, replicas(_sweep.space, launch.roles));
    agree();
    push_active();
    return std::move(_result);
  }

  /// Each element that is looked at, with what has been added to it, and what is pushed of these.
  Costs<Sum> run_settled() {
    read(bytes(_sweep.launches.at(0).out[0]), of_kind(Symbol::Kind::active));
    push_active();
    return std::move(_result);
  }

  /// Each element that is visited - the active ones, or all masters -, and what masters have received, which may be
  /// more of these.
  Costs<Sum> run_delta_update(const Symbol& visited) {
    const DeltaUpdate& delta = *_sweep.delta;
    for (const DeltaUpdate::Product& product : delta.products) {
      if (!product.gathered.empty()) {
        read(bytes(product.read), replicas(_sweep.space, product.gathered));
        if (product.improves != kNone<ValueId>) read(bytes(product.improves), replicas(_sweep.space, product.gathered));
      }
      add(_result.elements_initialised, 1, visited);
    }
    bool reads_global = false;
    for (const Launch& launch : _sweep.launches) reads_global = reads_global || launch.reads_global;
    for (const Place& place : _sweep.places) {
      if (place.kind == Place::Kind::temporary) continue;
      read(bytes(place.value), visited);
      if (place.kind == Place::Kind::output) write(bytes(place.value), visited);
    }
    if (reads_global && !_stats.spaces.at(index_of(_sweep.space)).blocks) read(kGlobalIndexBytes, visited);
    return std::move(_result);
  }

 private:
  void add(Sum& sum, std::uint64_t coefficient, const Symbol& symbol) const {
    optimizer::add(sum, coefficient, symbol, _stats);
  }
  void add_range(Sum& sum, std::uint64_t coefficient, SpaceId space, const RoleSet& roles) const {
    optimizer::add_range(sum, coefficient, space, roles, _stats);
  }

  /// What has parts is read and never written.
  std::uint32_t bytes(ValueId value) const { return _plan.values[index_of(value)].type.read_bytes(); }

  static Symbol of_kind(Symbol::Kind kind) { return {kind, {}, {}, {}}; }
  void read(std::uint64_t size, const Symbol& symbol, std::uint64_t times = 1) {
    add(_result.elements_read, times, symbol);
    add(_result.bytes_read, times * size, symbol);
  }
  void write(std::uint64_t size, const Symbol& symbol) {
    add(_result.elements_written, 1, symbol);
    add(_result.bytes_written, size, symbol);
  }

  void walk() {
    if (_sweep.walk == Walk::blocked && !_model) return blocks();
    elements();
    keys();
    if (_sweep.matrix != kNone<MatrixId>) matrix();
  }

  void push_active() {
    const Launch& launch = _sweep.launches.at(0);
    const Symbol elements = of_kind(Symbol::Kind::active), entries = of_kind(Symbol::Kind::active_entries);
    read(kPointerBytes, elements);
    read(bytes(launch.in[0]), elements);
    read(kIndexBytes + _stats.matrices.at(index_of(_sweep.matrix)).value_bytes, entries);
    read(bytes(launch.out[0]), entries);
    write(bytes(launch.out[0]), entries);
  }

  /// One number that every worker sends to every other; in a delta loop a second one.
  void agree() {
    const bool delta = _sweep.launches.at(0).delta_product != kNoDelta;
    add(_result.bytes_sent, (delta ? 2 : 1) * sizeof(std::uint64_t), of_kind(Symbol::Kind::worker_pairs));
    add(_result.messages, 1, of_kind(Symbol::Kind::worker_pairs));
  }

  /// A byte for each input.
  void find_active(std::uint64_t times) {
    const Launch& launch = _sweep.launches.at(0);
    const SpaceId space = _plan.values[index_of(launch.active)].space;
    const RoleSet inputs{Role{_sweep.matrix, read_side(launch)}};
    add_range(_result.elements_read, times, space, inputs);
    add_range(_result.bytes_read, times, space, inputs);
    agree();
  }

  /// The replicas over which a stored operand is touched: those of the launches that touch it, or in the paper's
  /// terms all, unless the value is partitioned.
  RoleSet touched(ValueId value, const RoleSet& by_launches) const {
    if (!_model) return by_launches;
    const bool partitioned = _plan.states[index_of(value)].kind == State::Kind::partitioned;
    return partitioned ? RoleSet{} : _stats.all_roles(_sweep.space);
  }

  /// What is of other spaces. Of what keys lead to, an element for each key; wholes are read, and results by key
  /// written, once.
  void keys() {
    for (const Launch& launch : _sweep.launches) {
      if (launch.op == Op::take) {
        add_range(_result.elements_read, 1, _sweep.space, launch.roles);
        add_range(_result.bytes_read, bytes(launch.in[0]), _sweep.space, launch.roles);
      } else if (launch.op == Op::with_wholes) {
        for (std::size_t k = 0; k < launch.wholes; ++k) {
          const SpaceId space = _plan.values[index_of(launch.in[k])].space;
          add_range(_result.elements_read, 1, space, {kEverywhere});
          add_range(_result.bytes_read, bytes(launch.in[k]), space, {kEverywhere});
        }
      } else if (launch.op == Op::reduce_by_key) {
        const SpaceId space = _plan.values[index_of(launch.out[0])].space;
        const RoleSet& written = _model ? _stats.all_roles(space) : launch.filled_roles;
        add_range(_result.elements_written, 1, space, written);
        add_range(_result.bytes_written, bytes(launch.out[0]), space, written);
      }
    }
  }

  /// What is touched element by element: all operands but the vectors that MxVs read through the matrix, or others by
  /// keys; in the paper's terms all vectors but those of MxVs.
  void elements() {
    struct Touched {
      bool by_any = false;
      RoleSet roles;
    };
    std::vector<Touched> by_place(_sweep.places.size());
    const auto touch = [&](ValueId value, Place::Kind as, const RoleSet& roles) {
      const auto place = std::lower_bound(_sweep.places.begin(), _sweep.places.end(), value,
                                          [](const Place& one, ValueId of) { return one.value < of; });
      if (place == _sweep.places.end() || place->value != value || place->kind != as) return;
      Touched& one = by_place[static_cast<std::size_t>(place - _sweep.places.begin())];
      one.by_any = true;
      merge_roles(one.roles, roles);
    };
    RoleSet global_roles;
    bool reads_global = false;
    for (const Launch& launch : _sweep.launches) {
      const bool matrix = is_matrix_op(launch.op);
      if (matrix && _model) continue;
      for (std::size_t k = 0; k < launch.in.size(); ++k) {
        if (matrix ? reads_through_matrix(launch, k) : reads_whole(launch, k)) continue;
        touch(launch.in[k], Place::Kind::input, launch.roles);
        if (k == launch.copied_input) touch(launch.in[k], Place::Kind::input, launch.copied_roles);
      }
      for (std::size_t k = 0; k < launch.out.size() && !is_any_reduction(launch.op) && !launch.push; ++k) {
        touch(launch.out[k], Place::Kind::output, launch.roles);
        touch(launch.out[k], Place::Kind::output, launch.copied_roles);
      }
      if (launch.reads_global) {
        reads_global = true;
        merge_roles(global_roles, launch.roles);
      }
    }
    for (std::size_t k = 0; k < by_place.size(); ++k) {
      const Place& place = _sweep.places[k];
      if (!by_place[k].by_any) continue;
      const bool input = place.kind == Place::Kind::input;
      const RoleSet roles = touched(place.value, by_place[k].roles);
      add_range(input ? _result.elements_read : _result.elements_written, 1, _sweep.space, roles);
      add_range(input ? _result.bytes_read : _result.bytes_written, bytes(place.value), _sweep.space, roles);
    }
    if (reads_global && !_stats.spaces.at(index_of(_sweep.space)).blocks) {
      add_range(_result.elements_read, 1, _sweep.space, global_roles);
      add_range(_result.bytes_read, kGlobalIndexBytes, _sweep.space, global_roles);
    }
  }

  /// Per non-zero, per run, and what runs are added to.
  void blocks() {
    const Role::Side side = walked_side(_sweep.launches.front());
    const RoleSet outputs{Role{_sweep.matrix, side}};
    const Symbol entries = nonzeros(_sweep.matrix);
    const Symbol runs{Symbol::Kind::runs, kNone<SpaceId>, _sweep.matrix, outputs};
    const Symbol long_runs{Symbol::Kind::long_runs, kNone<SpaceId>, _sweep.matrix, outputs};
    read(kBlockIndexBytes + _stats.matrices.at(index_of(_sweep.matrix)).value_bytes, entries);
    read(kBlockIndexBytes, runs);
    read(kRunLengthBytes, long_runs);
    std::set<ValueId> at_outputs;
    for (const Launch& launch : _sweep.launches) {
      for (std::size_t k = 0; k < launch.in.size(); ++k) {
        if (is_at_outputs(launch, k)) at_outputs.insert(launch.in[k]);
      }
      for (ValueId out : launch.out) {
        add_range(_result.elements_initialised, 1, _sweep.space, launch.filled_roles);
        read(bytes(out), runs);
        add(_result.elements_written, 1, runs);
        add(_result.bytes_written, bytes(out), runs);
      }
    }
    for (ValueId value : read_through_matrix(_sweep)) read(bytes(value), entries);
    for (ValueId value : at_outputs) read(bytes(value), runs);
  }

  /// Per non-zero, and its pointers. Dense matrices have neither index nor pointers.
  void matrix() {
    const Symbol entries = nonzeros(_sweep.matrix);
    const PlacementStats::Matrix& matrix = _stats.matrices.at(index_of(_sweep.matrix));
    const bool indexed = _model || !matrix.dense;
    read((indexed ? kIndexBytes : 0) + matrix.value_bytes, entries);
    std::set<ValueId> where_walked;  // one vector may be read there and through indices
    RoleSet walked;
    for (const Launch& launch : _sweep.launches) {
      if (!is_matrix_op(launch.op)) continue;
      insert_roles(walked, launch.roles);
      for (std::size_t k = 0; k < launch.in.size(); ++k) {
        if (!reads_through_matrix(launch, k)) where_walked.insert(launch.in[k]);
      }
      for (ValueId out : launch.out) {
        if (launch.push) {
          const SpaceId space = _plan.values[index_of(out)].space;
          add_range(_result.elements_initialised, 1, space, _model ? _stats.all_roles(space) : launch.filled_roles);
        }
        if (!launch.push && !_model) continue;
        read(bytes(out), entries);
        add(_result.elements_written, 1, entries);
        add(_result.bytes_written, bytes(out), entries);
      }
    }
    for (ValueId value : read_through_matrix(_sweep)) read(bytes(value), entries);
    for (ValueId value : where_walked) {
      if (_model) read(bytes(value), entries);
    }
    if (!_model && indexed) {
      add_range(_result.elements_read, 1, _sweep.space, walked);
      add_range(_result.bytes_read, kPointerBytes, _sweep.space, walked);
    }
  }

  const Plan& _plan;
  const Sweep& _sweep;
  const PlacementStats& _stats;
  const bool _model;
  Costs<Sum> _result;
};

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
  if (const auto* sweep = std::get_if<Sweep>(&step.what)) return SweepFormulas<Sum>(plan, *sweep, stats, column).run();
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
  const auto* sweep = std::get_if<Sweep>(&step.what);
  if (sweep == nullptr || active_of(*sweep) == kNone<ValueId>) return {};
  return SweepFormulas<Formula>(plan, *sweep, stats, Column::stream).run_active();
}

StepFormulas delta_formulas_of(const Plan& plan, const Step& step, const PlacementStats& stats) {
  const auto* sweep = std::get_if<Sweep>(&step.what);
  if (sweep == nullptr) return {};
  SweepFormulas<Formula> formulas(plan, *sweep, stats, Column::stream);
  if (sweep->delta) return formulas.run_delta_update({Symbol::Kind::active, {}, {}, {}});
  return in_delta_loop(*sweep) ? formulas.run_delta_product() : StepFormulas{};
}

StepFormulas settled_formulas_of(const Plan& plan, const Step& step, const PlacementStats& stats) {
  const auto* sweep = std::get_if<Sweep>(&step.what);
  if (sweep == nullptr || !settles(*sweep)) return {};
  return SweepFormulas<Formula>(plan, *sweep, stats, Column::stream).run_settled();
}

StepFormulas known_formulas_of(const Plan& plan, const Step& step, const PlacementStats& stats) {
  const auto* sweep = std::get_if<Sweep>(&step.what);
  if (sweep == nullptr || !in_delta_loop(*sweep)) return {};
  SweepFormulas<Formula> formulas(plan, *sweep, stats, Column::stream);
  return sweep->delta ? formulas.run_delta_update(masters(sweep->space)) : formulas.run_known();
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
    set_counts(step.active, active_formulas_of(plan, step, stats), stats);
    set_counts(step.delta, delta_formulas_of(plan, step, stats), stats);
    set_counts(step.settled, settled_formulas_of(plan, step, stats), stats);
    step.known = evaluate(known_formulas_of(plan, step, stats), stats);
  });
  plan.model_buffer_bytes = bytes_of_buffers<std::uint64_t>(plan, stats, Column::model);
}

}  // namespace kasen::optimizer
