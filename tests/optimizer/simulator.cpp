/// @file
/// Plans, step by step.
#include "tests/optimizer/simulator.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "optimizer/plan/step_tools.h"
#include "tests/optimizer/simulated_sweeps.h"

namespace kasen::optimizer::tests {
namespace {

/// The steps of a plan.
class Simulator : SimulatedSweeps {
 public:
  Simulator(const Plan& plan, const ProgramBuilder& builder, const World& world)
      : SimulatedSweeps(plan, builder, world) {
    _out.entered.assign(plan.blocks, 0);
  }

  Simulated run(const std::vector<Numbers>& live_in) {
    std::vector<BufferRef> users;  // live-ins that others hold
    for (std::size_t k = 0; k < live_in.size(); ++k) {
      const LiveIn& live = _plan.live_in[k];
      if (is_shared(live.value)) {
        _shared[live.value] = Numbers(_world.workers, live_in[k][0]);
        continue;
      }
      _buffer[live.value] = given(live, live_in[k]);
      if (!live.dies) users.push_back(_buffer[live.value]);
    }
    for (ValueId value : _plan.unused) release(value);
    _out.entered[0] = 1;
    walk(_plan.steps);
    end_under_way();
    for (const Result& result : _plan.results) _out.results.push_back(taken(result));
    std::set<ValueId> kept;
    for (const Result& result : _plan.results) kept.insert(result.held);
    for (const LiveIn& live : _plan.live_in) {
      if (!live.dies) kept.insert(live.value);
    }
    for (const auto& [value, buffer] : _buffer) {
      if (!kept.contains(value)) defect("value " + number(value) + " is never released");
    }
    _out.defects = std::move(_defects);
    return std::move(_out);
  }

 private:
  // ---- steps ----

  void walk(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (_under_way && kind_in(step, *_under_way) == nullptr) end_under_way();
      if (const auto* sweep = std::get_if<Sweep>(&step.what)) {
        for (const Place& p : sweep->places) {
          if (p.kind == Place::Kind::output) place(p);
        }
        if (active_of(*sweep) != kNone<ValueId>) find_active(*sweep);
        sweep->walk == Walk::blocked ? walk_blocks(step, *sweep) : walk_elements(*sweep);
      } else if (const auto* exchange = std::get_if<Exchange>(&step.what)) {
        if (!_under_way) begin(*exchange);
        arrive(*exchange);
      } else if (const auto* scalar = std::get_if<ScalarWork>(&step.what)) {
        Numbers& out = _shared[scalar->out];
        out.clear();
        for (std::uint32_t w = 0; w < _world.workers; ++w) {
          out.push_back(_builder.functions[index_of(scalar->kernel)].f({}, shareds(scalar->in, w)));
        }
      } else if (const auto* l = std::get_if<Loop>(&step.what)) {
        loop(*l);
      } else {
        branch(std::get<Branch>(step.what));
      }
      for (ValueId value : step.dies) release(value);
    }
  }

  bool decide(ValueId test) {
    Numbers values;
    for (std::uint32_t w = 0; w < _world.workers; ++w) values.push_back(shareds({test}, w)[0]);
    if (std::set<Number>(values.begin(), values.end()).size() > 1) defect("workers decide differently");
    return values[0] != 0;
  }

  /// All at once.
  void hand_over(const std::vector<ValueId>& from, const std::vector<ValueId>& to) {
    std::map<ValueId, BufferRef> buffers;
    std::map<ValueId, Numbers> shared;
    for (std::size_t k = 0; k < from.size(); ++k) {
      if (is_shared(from[k])) {
        shareds({from[k]}, 0);
        shared[to[k]] = _shared[from[k]];
      } else {
        stored(from[k]);
        buffers[to[k]] = _buffer[from[k]];
      }
    }
    for (auto& [value, buffer] : buffers) _buffer[value] = buffer;
    for (auto& [value, numbers] : shared) _shared[value] = numbers;
  }

  /// After a region: what it stored is gone, save for `yields`, which are given up now.
  void leave(const std::set<ValueId>& before, const std::vector<ValueId>& yields) {
    std::vector<ValueId> left;
    for (const auto& [value, buffer] : _buffer) {
      if (!before.contains(value)) left.push_back(value);
    }
    for (ValueId value : left) {
      if (std::find(yields.begin(), yields.end(), value) == yields.end()) {
        defect("value " + number(value) + " outlives its block");
      }
      _buffer.erase(value);
    }
  }
  std::set<ValueId> holding() const {
    std::set<ValueId> values;
    for (const auto& [value, buffer] : _buffer) values.insert(value);
    return values;
  }

  void loop(const Loop& loop) {
    hand_over(loop.initial, loop.arguments);
    for (ValueId value : loop.dies_at_entry) release(value);
    std::set<ValueId> outside = holding();
    for (ValueId value : loop.arguments) outside.erase(value);
    while (decide(loop.test) && ++_out.entered[loop.body_block] < 1000) {
      walk(loop.body);
      std::map<ValueId, BufferRef> held = _buffer;  // yields may be arguments of the ending iteration
      leave(outside, loop.yields);
      std::map<ValueId, BufferRef> kept = std::move(_buffer);
      _buffer = std::move(held);
      hand_over(loop.yields, loop.arguments);
      for (ValueId value : loop.arguments) {
        if (!is_shared(value)) kept[value] = _buffer[value];
      }
      _buffer = std::move(kept);
    }
    end_under_way();
    hand_over(loop.arguments, loop.results);
    for (ValueId value : loop.arguments) _buffer.erase(value);
  }

  void branch(const Branch& branch) {
    const std::set<ValueId> outside = holding();
    const bool test = decide(branch.test);
    ++_out.entered[test ? branch.then_block : branch.otherwise_block];
    walk(test ? branch.then : branch.otherwise);
    const std::vector<ValueId>& yields = test ? branch.then_yields : branch.otherwise_yields;
    const std::map<ValueId, BufferRef> held = _buffer;
    hand_over(yields, branch.results);
    std::vector<ValueId> given_up = yields;
    std::set<ValueId> kept = outside;
    kept.insert(branch.results.begin(), branch.results.end());
    leave(kept, given_up);
  }

  /// The masters' values, or what they add up to; replicas have to be what the state says.
  Numbers taken(const Result& result) {
    if (is_shared(result.held)) return {shareds({result.held}, 0)[0]};
    const SpaceId space = space_of(result.held);
    const Buffer& buffer = stored(result.held);
    Numbers values;
    for (std::uint64_t i = 0; i < length(space); ++i) {
      Number value = buffer.at[_world.owners[index_of(space)][i]][i];
      for (std::uint32_t w = 0; w < _world.workers; ++w) {
        if (!_world.is_replica(w, space, i, result.state.roles)) continue;
        if (result.state.kind == State::Kind::pre_reduced) value = fold(result.state.reducer, value, buffer.at[w][i]);
        if (result.state.kind == State::Kind::consistent && buffer.at[w][i] != value) {
          defect("replicas of result " + number(result.held) + " differ from the master");
        }
      }
      values.push_back(value);
    }
    return values;
  }
};

}  // namespace

Simulated simulate(const Plan& plan, const ProgramBuilder& builder, const World& world,
                   const std::vector<Numbers>& live_in) {
  return Simulator(plan, builder, world).run(live_in);
}

}  // namespace kasen::optimizer::tests
