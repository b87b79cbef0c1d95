#include "optimizer/cost/sweep_formulas.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "kasen/base/matrix_format.h"
#include "optimizer/cost/sums.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

constexpr std::uint32_t kGlobalIndexBytes = 8;

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
    if (!_model && connects(_sweep)) {  // which never walks its matrix; what is active shows in a run
      begin_active();
      return std::move(_result);
    }
    if (!_model && active_of(_sweep) != kNone<ValueId>) find_active(1);
    walk();
    return std::move(_result);
  }

  /// A run that pushes active elements: they are found once more, and what they are added to starts at the identity.
  Costs<Sum> run_active() {
    begin_active();
    push_active();
    return std::move(_result);
  }

  /// A walk over a batch with E non-zeros.
  Costs<Sum> run_batch() {
    _entries = of_kind(Symbol::Kind::active_entries);
    walk();
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

  /// Each element that is looked at, with what has been added to it, and what is pushed of these; or the matrix, to
  /// find what is connected, and each element that is given the best of what it is connected with.
  Costs<Sum> run_settled() {
    const Launch& launch = _sweep.launches.at(0);
    read(bytes(launch.out[0]), of_kind(Symbol::Kind::active));
    if (!connects(_sweep)) {
      push_active();
      return std::move(_result);
    }
    write(bytes(launch.out[0]), of_kind(Symbol::Kind::active));
    if (!finds_connected(_sweep)) return std::move(_result);
    const RoleSet inputs{Role{_sweep.matrix, read_side(launch)}};
    const SpaceId space = _plan.values[index_of(launch.in[0])].space;
    read(MatrixFormat::kIndexBytes, nonzeros(_sweep.matrix));
    add_range(_result.elements_read, 1, space, inputs);
    add_range(_result.bytes_read, MatrixFormat::kPointerBytes, space, inputs);
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

  void begin_active() {
    find_active(2);
    add_range(_result.elements_initialised, 1, _sweep.space, _sweep.launches.at(0).roles);
  }

  void push_active() {
    const Launch& launch = _sweep.launches.at(0);
    const Symbol elements = of_kind(Symbol::Kind::active), entries = of_kind(Symbol::Kind::active_entries);
    read(bytes(launch.in[0]), elements);
    if (connects(_sweep)) return;  // once it is found what is connected, no non-zero is read
    read(MatrixFormat::kPointerBytes, elements);
    read(MatrixFormat::kIndexBytes + _stats.matrices.at(index_of(_sweep.matrix)).value_bytes, entries);
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
    const RoleSet outputs{Role{_sweep.matrix, walked_side(_sweep)}};
    const Symbol entries = nonzeros(_sweep.matrix);
    const Symbol runs{Symbol::Kind::runs, kNone<SpaceId>, _sweep.matrix, outputs};
    const Symbol long_runs{Symbol::Kind::long_runs, kNone<SpaceId>, _sweep.matrix, outputs};
    read(MatrixFormat::kBlockIndexBytes + _stats.matrices.at(index_of(_sweep.matrix)).value_bytes, entries);
    read(MatrixFormat::kBlockIndexBytes, runs);
    read(MatrixFormat::kRunLengthBytes, long_runs);
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

  /// Per run of outputs, and per entry of each run's stencil.
  void stencils() {
    const RoleSet outputs{Role{_sweep.matrix, walked_side(_sweep)}};
    read(MatrixFormat::kStencilRunBytes, {Symbol::Kind::stencil_runs, kNone<SpaceId>, _sweep.matrix, outputs});
    read(MatrixFormat::kOffsetBytes + _stats.matrices.at(index_of(_sweep.matrix)).value_bytes,
         {Symbol::Kind::stencil_entries, kNone<SpaceId>, _sweep.matrix, outputs});
  }

  /// Per non-zero, and its pointers. Dense matrices have neither index nor pointers, stencils no numbers for each.
  void matrix() {
    const Symbol entries = _entries.value_or(nonzeros(_sweep.matrix));
    const PlacementStats::Matrix& matrix = _stats.matrices.at(index_of(_sweep.matrix));
    const bool by_stencils = !_model && _sweep.walk == Walk::stencils;
    const bool indexed = _model || !matrix.dense;
    if (by_stencils) {
      stencils();
    } else {
      read((indexed ? MatrixFormat::kIndexBytes : 0) + matrix.value_bytes, entries);
    }
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
    if (!_model && indexed && !by_stencils) {
      add_range(_result.elements_read, 1, _sweep.space, walked);
      add_range(_result.bytes_read, MatrixFormat::kPointerBytes, _sweep.space, walked);
    }
  }

  const Plan& _plan;
  const Sweep& _sweep;
  const PlacementStats& _stats;
  const bool _model;
  std::optional<Symbol> _entries;  ///< of a walk, if not those of the matrix
  Costs<Sum> _result;
};

}  // namespace

template <class Sum>
Costs<Sum> sweep_formulas(const Plan& plan, const Sweep& sweep, const PlacementStats& stats, Column column) {
  return SweepFormulas<Sum>(plan, sweep, stats, column).run();
}
template Costs<Formula> sweep_formulas(const Plan&, const Sweep&, const PlacementStats&, Column);
template Costs<std::uint64_t> sweep_formulas(const Plan&, const Sweep&, const PlacementStats&, Column);

StepFormulas batch_formulas(const Plan& plan, const Sweep& sweep, const PlacementStats& stats) {
  if (batch_of(sweep) == kNone<ValueId>) return {};
  return SweepFormulas<Formula>(plan, sweep, stats, Column::stream).run_batch();
}

StepFormulas pushed_formulas(const Plan& plan, const Sweep& sweep, const PlacementStats& stats) {
  if (active_of(sweep) == kNone<ValueId>) return {};
  return SweepFormulas<Formula>(plan, sweep, stats, Column::stream).run_active();
}

StepFormulas delta_formulas(const Plan& plan, const Sweep& sweep, const PlacementStats& stats) {
  if (!in_delta_loop(sweep)) return {};
  SweepFormulas<Formula> formulas(plan, sweep, stats, Column::stream);
  return sweep.delta ? formulas.run_delta_update({Symbol::Kind::active, {}, {}, {}}) : formulas.run_delta_product();
}

StepFormulas known_formulas(const Plan& plan, const Sweep& sweep, const PlacementStats& stats) {
  if (!in_delta_loop(sweep)) return {};
  SweepFormulas<Formula> formulas(plan, sweep, stats, Column::stream);
  return sweep.delta ? formulas.run_delta_update(masters(sweep.space)) : formulas.run_known();
}

StepFormulas settled_formulas(const Plan& plan, const Sweep& sweep, const PlacementStats& stats) {
  if (!settles(sweep)) return {};
  return SweepFormulas<Formula>(plan, sweep, stats, Column::stream).run_settled();
}

}  // namespace kasen::optimizer
