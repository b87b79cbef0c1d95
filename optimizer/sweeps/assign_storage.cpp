#include "optimizer/sweeps/assign_storage.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "kasen/base/bit_set.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/sweeps/places.h"
#include "optimizer/sweeps/tiles.h"

namespace kasen::optimizer {
namespace {

/// Values that share something, by union and find.
class Groups {
 public:
  explicit Groups(std::size_t n) : _parent(n) { std::iota(_parent.begin(), _parent.end(), std::size_t{0}); }
  std::size_t find(ValueId value) {
    std::size_t v = index_of(value);
    while (_parent[v] != v) v = _parent[v] = _parent[_parent[v]];
    return v;
  }
  void join(ValueId a, ValueId b) {
    const std::size_t x = find(a), y = find(b);
    _parent[std::max(x, y)] = std::min(x, y);
  }

 private:
  std::vector<std::size_t> _parent;
};

class StorageAssigner {
 public:
  StorageAssigner(Plan& plan, const PlacementStats& stats, const StorageOptions& options)
      : _plan(plan),
        _stats(stats),
        _options(options),
        _shape(plan.values.size()),
        _buffer(plan.values.size()),
        _may_alias(plan.values.size()),
        _live(plan.values.size()),
        _kept(plan.values.size()),
        _holders(plan.values.size()),
        _live_in(plan.values.size()) {}

  void run() {
    group();
    make_classes();
    for (const LiveIn& in : _plan.live_in) {
      if (stored(in.value)) hold(in.value);
    }
    std::vector<std::uint64_t> given(_plan.classes.size());
    for (const LiveIn& in : _plan.live_in) {
      if (stored(in.value)) ++given[class_of(in.value)];
    }
    for (ValueId value : _plan.unused) release(value);
    _fresh_bytes = 0;
    walk(_plan.steps);
    for (std::size_t c = 0; c < _plan.classes.size(); ++c) {
      const std::uint64_t needed = _peak[c] - std::min(_peak[c], given[c]);
      _plan.classes[c].count = _options.reuse ? needed : std::max(needed, _made[c]);
    }
  }

 private:
  bool stored(ValueId value) const { return _plan.class_of[index_of(value)] != kNotStored; }
  std::size_t class_of(ValueId value) const { return _plan.class_of[index_of(value)]; }

  // ---- shapes: what must fit one buffer, because values hand it on ----

  void group() {
    std::vector<ValueId> may_alias;
    const auto carry = [&](ValueId a, ValueId b) {
      _shape.join(a, b);
      may_alias.push_back(a);
      may_alias.push_back(b);
    };
    for (const LiveIn& in : _plan.live_in) may_alias.push_back(in.value);
    for_each_step(_plan.steps, [&](Step& step) {
      if (auto* exchange = std::get_if<Exchange>(&step.what)) {
        for (const auto* moves : {&exchange->gathers, &exchange->scatters}) {
          for (const Move& move : *moves) {
            _shape.join(move.from, move.to);
            _buffer.join(move.from, move.to);
          }
        }
      } else if (auto* loop = std::get_if<Loop>(&step.what)) {
        for (std::size_t k = 0; k < loop->arguments.size(); ++k) {
          carry(loop->arguments[k], loop->initial[k]);
          carry(loop->arguments[k], loop->yields[k]);
          carry(loop->arguments[k], loop->results[k]);
        }
      } else if (auto* branch = std::get_if<Branch>(&step.what)) {
        for (std::size_t k = 0; k < branch->results.size(); ++k) {
          carry(branch->results[k], branch->then_yields[k]);
          carry(branch->results[k], branch->otherwise_yields[k]);
        }
      }
    });
    for (ValueId value : may_alias) _may_alias.insert(_buffer.find(value));
  }

  void make_classes() {
    BitSet with_replicas(_plan.values.size());
    const auto needs_replicas = [&](ValueId value) { with_replicas.insert(_shape.find(value)); };
    for (std::size_t v = 0; v < _plan.values.size(); ++v) {
      const auto value = static_cast<ValueId>(v);
      if (stored(value) && _plan.states[v].kind != State::Kind::partitioned) needs_replicas(value);
    }
    for (const LiveIn& in : _plan.live_in) needs_replicas(in.value);
    for (const Result& result : _plan.results) needs_replicas(result.held);
    for (std::size_t v = 0; v < _plan.values.size(); ++v) {
      const auto value = static_cast<ValueId>(v);
      if (!stored(value)) continue;
      const BufferClass wanted{_plan.values[v].space, with_replicas.contains(_shape.find(value)),
                               _plan.values[v].type.bytes, 0};
      const auto found = std::find(_plan.classes.begin(), _plan.classes.end(), wanted);
      _plan.class_of[v] = static_cast<std::uint32_t>(found - _plan.classes.begin());
      if (found == _plan.classes.end()) _plan.classes.push_back(wanted);
    }
    _held.resize(_plan.classes.size());
    _peak.resize(_plan.classes.size());
    _made.resize(_plan.classes.size());
  }

  // ---- how many buffers are held at once ----

  void hold(ValueId value) {
    if (!stored(value)) return;
    const std::size_t c = class_of(value);
    if (_holders[_buffer.find(value)]++ == 0 && ++_held[c] > _peak[c]) {
      _peak[c] = _held[c];
      _fresh_bytes += bytes_of(_plan.classes[c]);
    }
    if (_live.contains(index_of(value))) return;
    _live.insert(index_of(value));
    ++_live_in[_buffer.find(value)];
  }
  std::uint64_t bytes_of(const BufferClass& shape) const {
    const PlacementStats::Space& space = _stats.spaces.at(index_of(shape.space));
    return shape.element_bytes * (space.masters + (shape.replicas ? space.replicas : 0));
  }
  void release(ValueId value) {
    if (!stored(value) || !_live.contains(index_of(value)) || _kept.contains(index_of(value))) return;
    _live.erase(index_of(value));
    --_live_in[_buffer.find(value)];
    if (--_holders[_buffer.find(value)] == 0) --_held[class_of(value)];
  }

  void walk(std::vector<Step>& steps) {
    for (Step& step : steps) {
      if (auto* sweep = std::get_if<Sweep>(&step.what)) {
        place(*sweep, step.dies);
        step.fresh_bytes = std::exchange(_fresh_bytes, 0);
      } else if (auto* exchange = std::get_if<Exchange>(&step.what)) {
        for (const auto* moves : {&exchange->gathers, &exchange->scatters}) {
          for (const Move& move : *moves) hold(move.to);
        }
        step.fresh_bytes = std::exchange(_fresh_bytes, 0);
      } else if (auto* loop = std::get_if<Loop>(&step.what)) {
        enter(*loop);
      } else if (auto* branch = std::get_if<Branch>(&step.what)) {
        const BitSet outside = _live;
        walk(branch->then);
        release_all_but(outside);
        walk(branch->otherwise);
        release_all_but(outside);
        for (ValueId value : branch->results) hold(value);
      }
      for (ValueId value : step.dies) release(value);
    }
  }

  void enter(Loop& loop) {
    for (ValueId value : loop.dies_at_entry) release(value);
    const BitSet outside = _live;
    for (ValueId value : loop.arguments) hold(value);
    keep_products(loop, true);
    walk(loop.body);
    keep_products(loop, false);
    release_all_but(outside);
    for (ValueId value : loop.results) hold(value);
  }

  /// Products of a delta loop have the same buffers in all iterations.
  void keep_products(const Loop& loop, bool keep) {
    for (const Step& step : loop.body) {
      const auto* sweep = std::get_if<Sweep>(&step.what);
      if (sweep == nullptr || !sweep->delta) continue;
      for (const DeltaUpdate::Product& product : sweep->delta->products)
        keep ? _kept.insert(index_of(product.read)) : _kept.erase(index_of(product.read));
    }
  }

  void release_all_but(const BitSet& kept) {
    const BitSet live = _live;
    live.for_each([&](std::size_t v) {
      if (!kept.contains(v)) release(static_cast<ValueId>(v));
    });
  }

  // ---- one sweep ----

  void place(Sweep& sweep, const std::vector<ValueId>& dies) {
    Places places;
    for (const Launch& launch : sweep.launches) {
      if (is_reduction(launch.op)) continue;
      for (ValueId out : launch.out) places.add(out, stored(out) ? Place::Kind::output : Place::Kind::temporary);
    }
    for (const Launch& launch : sweep.launches) {
      for (ValueId in : launch.in) places.add(in, Place::Kind::input);
      if (launch.active != kNone<ValueId>) places.add(launch.active, Place::Kind::input);
    }
    const std::vector<ValueId> kept_for_now =
        sweep.delta ? replace_arguments(*sweep.delta, places) : replace_dying(sweep, dies, places);
    for (const Place& place : places) {
      if (place.kind != Place::Kind::output) continue;
      ++_made[class_of(place.value)];
      const bool keeps = std::find(kept_for_now.begin(), kept_for_now.end(), place.replaces) != kept_for_now.end();
      if (place.replaces != kNone<ValueId> && !keeps) {
        release(place.replaces);
        --_made[class_of(place.value)];
      }
    }
    for (const Place& place : places) {
      if (place.kind == Place::Kind::output) hold(place.value);
    }
    assign_tiles(_plan, _stats, sweep, std::move(places));
  }

  /// No other value that is alive is held in the buffer of `value`, as far as the plan can tell.
  bool only_holder(ValueId value) { return _live_in[_buffer.find(value)] == (_live.contains(index_of(value)) ? 1 : 0); }

  /// No value of this buffer ever was handed to or from a loop, a branch or the user.
  bool exclusive(ValueId value) { return !_may_alias.contains(_buffer.find(value)); }

  /// Values that hand buffers on to each other, as two arguments that begin in one, or that have one yield, may be one
  /// buffer at run time. So one of them is counted on; others are replaced in iterations in which nothing else holds
  /// their buffer. @return those that are not counted on
  std::vector<ValueId> replace_dying(Sweep& sweep, const std::vector<ValueId>& dies, Places& places) {
    std::vector<std::size_t> taken;
    std::vector<ValueId> replaced, uncounted;
    const std::set<ValueId> random = read_at_random(sweep);
    std::vector<ValueId> at_random(random.begin(), random.end());
    for (const Launch& launch : sweep.launches) at_random.push_back(launch.active);  // which is read again and again
    const auto among = [](const auto& all, auto one) { return std::find(all.begin(), all.end(), one) != all.end(); };
    const auto may_replace = [&](ValueId out, const Place& input) {
      const ValueId in = input.value;
      return input.kind == Place::Kind::input && class_of(in) == class_of(out) && among(dies, in) &&
             !among(at_random, in) && !among(replaced, in) && only_holder(in);
    };
    const auto replace = [&](Place& place, ValueId in) {
      place.replaces = in;
      replaced.push_back(in);
      if (among(taken, _shape.find(in))) uncounted.push_back(in);
      taken.push_back(_shape.find(in));
    };
    // Pushdowns first: staying in the buffer saves them the copy of the replicas.
    for (Launch& launch : sweep.launches) {
      if (launch.copied_roles.empty()) continue;
      const ValueId out = launch.out[0], in = launch.in[launch.copied_input];
      Place& place = places.at(out);
      if (place.kind != Place::Kind::output || !may_replace(out, places.at(in)) || !exclusive(in)) continue;
      if (among(taken, _shape.find(in))) continue;
      replace(place, in);
      place.exclusive = true;
      launch.copied_roles.clear();
    }
    if (!_options.in_place) return uncounted;
    // Next those over an input that no later kernel reads, which are made where they stay.
    const std::vector<std::ptrdiff_t> last = last_reads(sweep, places);
    const auto replace_inputs = [&](bool may_be_read_later, bool counted) {
      for (std::size_t l = 0; l < sweep.launches.size(); ++l) {
        const Launch& launch = sweep.launches[l];
        if (is_any_reduction(launch.op) || launch.push) continue;
        for (ValueId out : launch.out) {
          Place& place = places.at(out);
          if (place.kind != Place::Kind::output || place.replaces != kNone<ValueId>) continue;
          for (const Place& input : places) {
            const bool read_later = last[places.position(input.value)] > static_cast<std::ptrdiff_t>(l);
            if ((read_later && !may_be_read_later) || !may_replace(out, input)) continue;
            if (counted && among(taken, _shape.find(input.value))) continue;
            replace(place, input.value);
            break;
          }
        }
      }
    };
    for (const bool counted : {true, false}) {
      for (const bool may_be_read_later : {false, true}) replace_inputs(may_be_read_later, counted);
    }
    return uncounted;
  }

  /// A delta loop goes on with what is there. Arguments that may begin in one buffer, as values of one shape may, do
  /// not all give one in the first iteration. @return those that are not counted on
  std::vector<ValueId> replace_arguments(const DeltaUpdate& delta, Places& places) {
    std::vector<ValueId> uncounted;
    if (!_options.in_place) return uncounted;
    std::vector<std::size_t> taken;
    for (const DeltaUpdate::Carried& carried : delta.carried) {
      if (class_of(carried.argument) != class_of(carried.out) || !only_holder(carried.argument)) continue;
      places.at(carried.out).replaces = carried.argument;
      const std::size_t shape = _shape.find(carried.argument);
      if (std::find(taken.begin(), taken.end(), shape) != taken.end()) uncounted.push_back(carried.argument);
      taken.push_back(shape);
    }
    return uncounted;
  }

  Plan& _plan;
  const PlacementStats& _stats;
  const StorageOptions& _options;
  Groups _shape;              // values that need buffers of one class
  Groups _buffer;             // values that are one buffer in different states
  BitSet _may_alias;          // buffers that are handed to or from loops, branches or the user
  BitSet _live;               // by ValueId
  BitSet _kept;               // of these: not let go before their loop ends
  std::vector<int> _holders;  // by buffer: how often it was taken hold of and not let go
  std::vector<int> _live_in;  // by buffer: live values in it
  std::vector<std::uint64_t> _held, _peak, _made;
  std::uint64_t _fresh_bytes = 0;  // of buffers that nothing has been written to so far
};

}  // namespace

void assign_storage(Plan& plan, const PlacementStats& stats, const StorageOptions& options) {
  StorageAssigner(plan, stats, options).run();
}

}  // namespace kasen::optimizer
