#include "optimizer/sweeps/assign_storage.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "optimizer/plan/step_tools.h"
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
  StorageAssigner(Plan& plan, const StorageOptions& options)
      : _plan(plan), _options(options), _shape(plan.values.size()), _buffer(plan.values.size()) {}

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
    const auto carry = [&](ValueId a, ValueId b) {
      _shape.join(a, b);
      _may_alias.insert(a);
      _may_alias.insert(b);
    };
    for (const LiveIn& in : _plan.live_in) _may_alias.insert(in.value);
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
  }

  void make_classes() {
    std::set<std::size_t> with_replicas;
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
    if (_holders[_buffer.find(value)]++ == 0) ++_held[class_of(value)];
    _peak[class_of(value)] = std::max(_peak[class_of(value)], _held[class_of(value)]);
    _live.insert(value);
  }
  void release(ValueId value) {
    if (!stored(value) || _live.erase(value) == 0) return;
    if (--_holders[_buffer.find(value)] == 0) --_held[class_of(value)];
  }

  void walk(std::vector<Step>& steps) {
    for (Step& step : steps) {
      if (auto* sweep = std::get_if<Sweep>(&step.what)) {
        place(*sweep, step.dies);
      } else if (auto* exchange = std::get_if<Exchange>(&step.what)) {
        for (const auto* moves : {&exchange->gathers, &exchange->scatters}) {
          for (const Move& move : *moves) hold(move.to);
        }
      } else if (auto* loop = std::get_if<Loop>(&step.what)) {
        enter(*loop);
      } else if (auto* branch = std::get_if<Branch>(&step.what)) {
        const std::set<ValueId> outside = _live;
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
    const std::set<ValueId> outside = _live;
    for (ValueId value : loop.arguments) hold(value);
    walk(loop.body);
    release_all_but(outside);
    for (ValueId value : loop.results) hold(value);
  }

  void release_all_but(const std::set<ValueId>& kept) {
    const std::set<ValueId> live = _live;
    for (ValueId value : live) {
      if (!kept.contains(value)) release(value);
    }
  }

  // ---- one sweep ----

  void place(Sweep& sweep, const std::vector<ValueId>& dies) {
    std::map<ValueId, Place> places;
    for (const Launch& launch : sweep.launches) {
      if (launch.op == Op::reduce) continue;
      for (ValueId out : launch.out) {
        places[out] = {out,  stored(out) ? Place::Kind::output : Place::Kind::temporary, 0, false, kNone<ValueId>,
                       false};
      }
    }
    for (const Launch& launch : sweep.launches) {
      for (ValueId in : launch.in)
        places.try_emplace(in, Place{in, Place::Kind::input, 0, false, kNone<ValueId>, false});
      if (launch.active != kNone<ValueId>)
        places.try_emplace(launch.active, Place{launch.active, Place::Kind::input, 0, false, kNone<ValueId>, false});
    }
    replace_dying(sweep, dies, places);
    for (auto& [value, place] : places) {
      if (place.kind != Place::Kind::output) continue;
      ++_made[class_of(value)];
      if (place.replaces != kNone<ValueId>) {
        release(place.replaces);
        --_made[class_of(value)];
      }
    }
    for (auto& [value, place] : places) {
      if (place.kind == Place::Kind::output) hold(value);
    }
    assign_tiles(_plan, sweep, places);
  }

  /// No other value that is alive is held in the buffer of `value`, as far as the plan can tell.
  bool only_holder(ValueId value) {
    return std::none_of(_live.begin(), _live.end(),
                        [&](ValueId live) { return live != value && _buffer.find(live) == _buffer.find(value); });
  }

  /// No value of this buffer ever was handed to or from a loop, a branch or the user.
  bool exclusive(ValueId value) {
    return std::none_of(_may_alias.begin(), _may_alias.end(),
                        [&](ValueId other) { return _buffer.find(other) == _buffer.find(value); });
  }

  void replace_dying(Sweep& sweep, const std::vector<ValueId>& dies, std::map<ValueId, Place>& places) {
    // Values that hand buffers on to each other (two arguments with one yield) may be one buffer at run time, so just
    // one of them is counted on.
    std::set<std::size_t> taken;
    std::set<ValueId> at_random = read_at_random(sweep);
    for (const Launch& launch : sweep.launches) at_random.insert(launch.active);  // which is read again and again
    const auto may_replace = [&](ValueId out, ValueId in) {
      const auto found = places.find(in);
      return found != places.end() && found->second.kind == Place::Kind::input && class_of(in) == class_of(out) &&
             !at_random.contains(in) && std::find(dies.begin(), dies.end(), in) != dies.end() &&
             !taken.contains(_shape.find(in)) && only_holder(in);
    };
    // Pushdowns first: staying in the buffer saves them the copy of the replicas.
    for (Launch& launch : sweep.launches) {
      if (launch.copied_roles.empty()) continue;
      const ValueId out = launch.out[0], in = launch.in[launch.copied_input];
      Place& place = places.at(out);
      if (place.kind != Place::Kind::output || !may_replace(out, in) || !exclusive(in)) continue;
      place.replaces = in;
      place.exclusive = true;
      taken.insert(_shape.find(in));
      launch.copied_roles.clear();
    }
    if (!_options.in_place) return;
    for (const Launch& launch : sweep.launches) {
      if (launch.op == Op::reduce || launch.push) continue;
      for (ValueId out : launch.out) {
        Place& place = places.at(out);
        if (place.kind != Place::Kind::output || place.replaces != kNone<ValueId>) continue;
        for (const auto& [in, input] : places) {
          if (!may_replace(out, in)) continue;
          place.replaces = in;
          taken.insert(_shape.find(in));
          break;
        }
      }
    }
  }

  Plan& _plan;
  const StorageOptions& _options;
  Groups _shape;   // values that need buffers of one class
  Groups _buffer;  // values that are one buffer in different states
  std::set<ValueId> _may_alias;
  std::set<ValueId> _live;
  std::map<std::size_t, int> _holders;
  std::vector<std::uint64_t> _held, _peak, _made;
};

}  // namespace

void assign_storage(Plan& plan, const StorageOptions& options) { StorageAssigner(plan, options).run(); }

}  // namespace kasen::optimizer
