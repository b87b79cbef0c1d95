#include "optimizer/search/sweep_costs.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "kasen/base/matrix_format.h"
#include "optimizer/cost/formulas.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/sweeps/choose_walks.h"
#include "optimizer/sweeps/tiles.h"

namespace kasen::optimizer {
namespace {

constexpr Ticks kNever = std::numeric_limits<Ticks>::max();

Ticks least_random(const std::vector<SweepTime>& times) {
  return std::min_element(times.begin(), times.end(),
                          [](const SweepTime& a, const SweepTime& b) { return a.random < b.random; })
      ->random;
}

}  // namespace

SweepCosts::SweepCosts(const StatedProgram& stated, const FusionSpace& space, const SweepMaker& maker, Storage storage,
                       const PlacementStats& stats, const Profile& profile)
    : _stated(stated), _space(space), _maker(maker), _storage(storage), _stats(stats), _profile(profile) {
  _context.values = stated.program.values;
  _context.states = stated.states;
  find_readers();
  find_vectors();
}

void SweepCosts::find_readers() {
  _readers.resize(_context.values.size());
  const auto others = [&](ValueId value) { _readers[index_of(value)].others = true; };
  for (const FusionBlock& block : _space.blocks) {
    for (std::size_t i = 0; i < block.block->statements.size(); ++i) {
      const Statement& statement = block.block->statements[i];
      const bool computes = is_matrix_op(statement.op) || is_element_op(statement.op);
      if (!computes) {
        for_each_read(statement, others);
      } else {
        for (ValueId value : statement.in) _readers[index_of(value)].statements.push_back(i);
      }
    }
    for (ValueId value : block.block->yields) others(value);
    // Who reads what readers make again reads what that is made of; statements come after what they read.
    for (std::size_t i = block.block->statements.size(); i-- > 0;) {
      if (!block.left.contains(i)) continue;
      const Statement& remade = block.block->statements[i];
      const std::vector<std::size_t> by = _readers[index_of(remade.out[0])].statements;
      for (ValueId value : remade.in) {
        std::vector<std::size_t>& readers = _readers[index_of(value)].statements;
        readers.erase(std::remove(readers.begin(), readers.end(), i), readers.end());
        readers.insert(readers.end(), by.begin(), by.end());
      }
    }
  }
  for (const Result& result : _stated.results) others(result.held);
}

bool SweepCosts::read_outside(const BitSet& statements, ValueId value) const {
  const Readers& readers = _readers[index_of(value)];
  return readers.others || std::any_of(readers.statements.begin(), readers.statements.end(),
                                       [&](std::size_t i) { return !statements.contains(i); });
}

Sweep SweepCosts::make(std::size_t block_number, const BitSet& statements) const {
  const FusionBlock& block = _space.blocks[block_number];
  BitSet others(block.ddag.before.size());
  for (std::size_t i = 0; i < block.ddag.before.size(); ++i) {
    if (!statements.contains(i)) others.insert(i);
  }
  Pending pending(block.ddag, others);
  const BitSet nothing(block.block->statements.size());  // waits
  return _maker.grow(*block.block, pending, statements.find_first([](std::size_t) { return true; }), nothing);
}

/// All of them, and pushes only beside pulls, but of batches.
bool SweepCosts::holds(const Sweep& sweep, std::size_t block, const BitSet& statements) const {
  std::set<ValueId> made;
  bool pulls = false, pushes = false;
  for (const Launch& launch : sweep.launches) {
    made.insert(launch.out.begin(), launch.out.end());
    if (is_matrix_op(launch.op)) (launch.push ? pushes : pulls) = true;
  }
  const std::vector<Statement>& all = _space.blocks[block].block->statements;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (statements.contains(i) && !made.contains(all[i].out[0])) return false;
  }
  return pulls || !pushes || batch_of(sweep) != kNone<ValueId>;
}

const SweepCosts::Entry& SweepCosts::sweep(std::size_t component, const BitSet& statements) {
  const auto [entry, is_new] = _memo.try_emplace({component, statements});
  if (is_new) entry->second = compute(component, statements);
  return entry->second;
}

SweepCosts::Entry SweepCosts::compute(std::size_t component, const BitSet& statements) const {
  const std::size_t block = _space.components[component].block;
  const bool matrix = _space.components[component].kind == Template::matrix;
  Step step;
  step.what = make(block, statements);
  Sweep& sweep = std::get<Sweep>(step.what);
  if (!holds(sweep, block, statements)) return {0, 0, false};
  take_all_if_dense(sweep, _stats);
  Places places;
  for (const Launch& launch : sweep.launches) {
    for (ValueId out : launch.out) {
      if (is_reduction(launch.op)) continue;
      const bool stored = matrix || launch.push || launch.op == Op::reduce_by_key ||
                          (!_maker.made_where_read(out) && read_outside(statements, out));
      places.add(out, stored ? Place::Kind::output : Place::Kind::temporary);
    }
  }
  for (const Launch& launch : sweep.launches) {
    for (ValueId in : launch.in) places.add(in, Place::Kind::input);
    if (launch.active != kNone<ValueId>) places.add(launch.active, Place::Kind::input);
  }
  for (Launch& launch : sweep.launches) {
    // As if it could stay in its input's buffer.
    if (!launch.copied_roles.empty() && places.at(launch.out[0]).kind == Place::Kind::output &&
        places.at(launch.in[launch.copied_input]).kind == Place::Kind::input) {
      launch.copied_roles.clear();
    }
  }
  std::vector<std::uint64_t> inputs, outputs;
  std::set<ValueId> apart;  // of other spaces
  for (const Launch& launch : sweep.launches) {
    apart.insert(launch.in.begin(), launch.in.begin() + launch.wholes);
    if (launch.op == Op::reduce_by_key) apart.insert(launch.out[0]);
  }
  for (const Place& place : places) {
    if (apart.contains(place.value)) continue;
    if (place.kind == Place::Kind::input) inputs.push_back(bytes(place.value));
    if (place.kind == Place::Kind::output) outputs.push_back(bytes(place.value));
  }
  assign_tiles(_context, _stats, sweep, std::move(places));
  if (!matrix) {
    // An output may be made in the buffer of an input, or in a tile buffer that is there anyway if it is copied at the
    // tile's end.
    std::sort(outputs.rbegin(), outputs.rend());
    const std::uint64_t read = std::accumulate(inputs.begin(), inputs.end(), std::uint64_t{0});
    const bool at_random = sweep.matrix != kNone<MatrixId>;  // some of them
    TileBytes tile{sweep.slots_element_bytes + read, at_random ? 0 : fetched_bytes(sweep, read, _stats),
                   table_row_bytes(sweep, _context)};
    for (std::size_t k = sweep.slots + inputs.size(); k < outputs.size(); ++k) tile.live += outputs[k];
    sweep.tile_elements = tile_elements(sweep, tile);
  }
  Entry entry{kNever, kNever};
  std::size_t products = 0;
  for (const Launch& launch : sweep.launches) products += is_matrix_op(launch.op) ? launch.out.size() : 0;
  for (SweepTime time : times(step)) {
    entry.ticks = std::min(entry.ticks, time.all());
    // One more product may complete a group, and save launches.
    if (matrix) {
      const Ticks each = (time.launches - entering()) / sweep.launches.size();
      time.launches = entering() + each * ((products + kMostInGroup - 1) / kMostInGroup);
    }
    entry.least = std::min(entry.least, time.all());
  }
  return entry;
}

/// With each walk that it may have.
std::vector<SweepTime> SweepCosts::times(const Step& step) const {
  std::vector<SweepTime> times;
  for (const Walk walk : walks_of(std::get<Sweep>(step.what), _context.values, _stats, _storage)) {
    Step walked = step;
    Sweep& sweep = std::get<Sweep>(walked.what);
    set_walk(sweep, walk);
    connect_if_it_may(sweep);
    walked.stream = counts_of(_context, walked, _stats, Column::stream);
    times.push_back(time_of_sweep(_context, walked, _stats, _profile));
  }
  return times;
}

/// All inputs are live at once when the kernel runs, and its output may be made in the place of one, so tiles are no
/// larger than that allows. Another kernel of its sweep may go through a wide table.
Ticks SweepCosts::launches_of(const Launch& launch, SpaceId space) const {
  const std::set<ValueId> inputs(launch.in.begin(), launch.in.end());
  std::uint64_t live = 0;
  for (ValueId value : inputs) live += bytes(value);
  return ticks_of_launches(_stats.range(space, launch.roles), tile_elements({live, 0, kWidestTable}), _stats.workers,
                           _profile);
}

void SweepCosts::find_vectors() {
  for (const FusionBlock& block : _space.blocks) _vectors.emplace_back(block.ddag.before.size());
  for (const FusionComponent& component : _space.components) {
    for (std::size_t i : component.statements) _vectors[component.block][i] = vector_of(component, i);
  }
}

/// The times of a sweep of one product.
std::vector<SweepTime> SweepCosts::times_alone(Step& step) const {
  Sweep& sweep = std::get<Sweep>(step.what);
  const Launch& launch = sweep.launches.at(0);
  Places places;
  places.add(launch.out[0], Place::Kind::output);
  for (ValueId in : launch.in) places.add(in, Place::Kind::input);
  if (launch.active != kNone<ValueId>) places.add(launch.active, Place::Kind::input);
  assign_tiles(_context, _stats, sweep, std::move(places));
  return times(step);
}

/// Pulled or pushed, it computes on every non-zero; what it makes is set to the identity, or written, at least if
/// anything outside reads it.
CostVector SweepCosts::product_to_mix(const FusionComponent& component, std::size_t statement,
                                      const Sweep& alone) const {
  const FusionBlock& block = _space.blocks[component.block];
  const Statement& made = block.block->statements[statement];
  Step walked, pushed;
  walked.what = alone;
  CostVector costs;
  const std::vector<SweepTime> times = times_alone(walked);
  costs.compute = times.front().compute;
  costs.random = least_random(times);
  if (!only_pushes(made)) {
    pushed.what = alone;
    Sweep& pushing = std::get<Sweep>(pushed.what);
    pushing.space = _maker.space_read(made);
    push_instead(pushing.launches.at(0), made.matrix);
    costs.random = std::min(costs.random, least_random(times_alone(pushed)));
  }
  const ByteRates rates = byte_rates(_profile);
  const auto& matrix = _stats.matrices.at(index_of(made.matrix));
  const bool by_stencils = matrix.stencils(output_side(made.op)).found;
  const std::uint64_t entry_bytes = (matrix.dense ? 0 : MatrixFormat::kIndexBytes) + matrix.value_bytes;
  costs.matrix = by_stencils ? 0 : product_of(rates.read, matrix.nonzeros * entry_bytes);
  const ValueId out = made.out[0];
  costs.write =
      product_of(rates.write, bytes(out) * _stats.range(_maker.space_of(made), _stated.states[index_of(out)].roles));
  BitSet of_component(block.ddag.before.size());
  for (std::size_t i : component.statements) of_component.insert(i);
  costs.stored = read_outside(of_component, out);
  return costs;
}

CostVector SweepCosts::vector_of(const FusionComponent& component, std::size_t statement) const {
  const FusionBlock& block = _space.blocks[component.block];
  const Statement& made = block.block->statements[statement];
  BitSet alone(block.ddag.before.size());
  alone.insert(statement);
  const Sweep sweep = make(component.block, alone);
  const ByteRates rates = byte_rates(_profile);
  CostVector costs;
  if (is_matrix_op(made.op) && component.kind == Template::mixed) return product_to_mix(component, statement, sweep);
  if (component.kind == Template::matrix) {
    // Groups share launches; vectors read twice are in the cache for both.
    Step step;
    step.what = sweep;
    const std::vector<SweepTime> times = times_alone(step);
    costs.compute = times.front().compute;
    costs.random = least_random(times);
    const Launch& launch = sweep.launches.at(0);
    const RoleSet& written = launch.push ? launch.filled_roles : launch.roles;
    costs.write = product_of(rates.write, bytes(made.out[0]) * _stats.range(_maker.space_of(made), written));
    costs.stored = true;
    return costs;
  }
  BitSet of_component(block.ddag.before.size());
  for (std::size_t i : component.statements) of_component.insert(i);
  std::map<ValueId, Ticks> reads;
  std::set<ValueId> inside;
  for (const Launch& launch : sweep.launches) {
    for (std::size_t k = 0; k < launch.in.size(); ++k) {
      const ValueId value = launch.in[k];
      if (inside.contains(value) || reads_whole(launch, k)) continue;
      const Ticks ticks = product_of(rates.read, bytes(value) * _stats.range(sweep.space, launch.roles));
      reads[value] = std::max(reads[value], ticks);
    }
    const ValueId out = launch.out[0];
    inside.insert(out);
    const Ticks compute = ticks_of_compute(launch, _context.values, _stats.range(sweep.space, launch.roles), _profile);
    if (out == made.out[0]) {
      costs.compute = compute;
      costs.launches = launches_of(launch, sweep.space);
      costs.random = ticks_of_keys(launch, _context.values, _stats.range(sweep.space, launch.roles), _stats, _profile);
      if (is_reduction(launch.op)) continue;
      const std::uint64_t written = launch.op == Op::reduce_by_key
                                        ? _stats.range(_context.values[index_of(out)].space, launch.filled_roles)
                                        : _stats.range(sweep.space, launch.roles);
      costs.write = product_of(rates.write, bytes(out) * written);
      costs.stored = read_outside(of_component, out);
    } else {
      costs.remade.push_back({out, compute, launches_of(launch, sweep.space)});
    }
  }
  for (const auto& [value, ticks] : reads) {
    std::size_t maker = kElsewhere;
    for (std::size_t i : component.statements) {
      if (block.block->statements[i].out[0] == value) maker = i;
    }
    costs.reads.push_back({value, maker, ticks});
  }
  return costs;
}

}  // namespace kasen::optimizer
