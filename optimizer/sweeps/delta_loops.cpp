#include "optimizer/sweeps/delta_loops.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "kasen/base/program_tools.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

/// Visiting an element here and there costs a few times what it costs in order, and non-zeros may reach the same ones:
/// on grids and R-MAT graphs delta iterations were the faster ones up to the number of elements, the first one, which
/// visits all, up to half of it. In small spaces either takes no time.
constexpr std::uint64_t kElementsPerEntry = 2, kFew = 64;
/// Products settle where there are at most so many replicas, by the masters, or in all: of few it does not matter.
constexpr std::uint64_t kMastersPerReplica = 2, kFewReplicas = 1024;

bool contains(const std::vector<ValueId>& values, ValueId value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

class DeltaLoopFinder {
 public:
  DeltaLoopFinder(Plan& plan, Loop& loop, const std::vector<ReducerInfo>& reducers, const PlacementStats& stats)
      : _plan(plan), _loop(loop), _reducers(reducers), _stats(stats) {}

  void run() {
    if (!has_the_steps()) return;
    follow_moves();
    if (!find_products() || !find_carried() || !reads_what_it_may() || !reduces_exactly()) return;
    const bool connects = all_products([](const Launch& launch) { return launch.connects; });
    const bool settles = all_products([](const Launch& launch) { return launch.settles; }) && are_together() &&
                         (connects || most_are_local());
    for (std::size_t k = 0; k < _products.size(); ++k) {
      Launch& launch = sweep_at(_products[k]).launches[0];
      launch.delta_product = static_cast<std::uint32_t>(k);
      launch.settles = settles;
      launch.connects = settles && connects;
      if (settles) _delta.products[k].improves = origin(_loop.yields[argument(launch.in[0]).value()]);
    }
    for (const DeltaUpdate::Carried& carried : _delta.carried) live_until_update(carried.argument);
    for (const Launch& launch : update().launches) {
      if (launch.rest) _delta.rests.push_back({launch.out[0], *launch.rest});
    }
    const std::uint64_t elements = _stats.spaces.at(index_of(update().space)).masters;
    _delta.start = std::max(elements / kElementsPerEntry, kFew);
    _delta.most = std::max(elements, kFew);
    update().delta = std::move(_delta);
  }

 private:
  Sweep& sweep_at(std::size_t step) { return std::get<Sweep>(_loop.body[step].what); }
  Sweep& update() { return sweep_at(_update); }

  /// Whether most masters are far from other workers' ones. Else a worker goes on from what others will soon improve,
  /// again and again: shortest ways on a grid that was spread by a hash read seven times as much. What is connected
  /// does not, as none of it is walked again.
  bool most_are_local() {
    const PlacementStats::Space& space = _stats.spaces.at(index_of(update().space));
    return space.replicas <= std::max(space.masters / kMastersPerReplica, kFewReplicas);
  }

  /// One product, or two with no exchange between them: both outputs are improved until the second one ends.
  bool are_together() const {
    return _products.size() <= 2 && _products.back() - _products.front() == _products.size() - 1;
  }
  template <class Holds>
  bool all_products(const Holds& holds) {
    return std::all_of(_products.begin(), _products.end(),
                       [&](std::size_t product) { return holds(sweep_at(product).launches[0]); });
  }

  /// Products of active elements, then one sweep of element work on masters.
  bool has_the_steps() {
    bool updates = false;
    for (std::size_t s = 0; s < _loop.body.size(); ++s) {
      const auto& what = _loop.body[s].what;
      if (std::holds_alternative<Loop>(what) || std::holds_alternative<Branch>(what)) return false;
      const auto* sweep = std::get_if<Sweep>(&what);
      if (sweep == nullptr) continue;
      if (updates) return false;
      if (active_of(*sweep) != kNone<ValueId>) {
        if (_stats.matrices.at(index_of(sweep->matrix)).dense) return false;
        _products.push_back(s);
      } else if (sweep->matrix == kNone<MatrixId>) {
        if (!touches_masters_alone(*sweep)) return false;
        updates = true;
        _update = s;
      } else {
        return false;
      }
    }
    return updates && !_products.empty();
  }

  /// Moved values are in the buffer of what they were moved from.
  void follow_moves() {
    for (const Step& step : _loop.body) {
      const auto* exchange = std::get_if<Exchange>(&step.what);
      if (exchange == nullptr) continue;
      for (const auto* moves : {&exchange->gathers, &exchange->scatters}) {
        for (const Move& move : *moves) _origin[move.to] = origin(move.from);
      }
      for (const Move& move : exchange->gathers) _gathered[origin(move.to)] = move.roles;
    }
    for (const Step& step : _loop.body) {
      for (const ValueId value : defined_by(step)) _made.insert(value);
    }
    const std::vector<ValueId> reads = reads_of(_loop.body[_update]);
    std::copy_if(reads.begin(), reads.end(), std::back_inserter(_reads),
                 [&](ValueId value) { return _plan.values[index_of(value)].kind == Value::Kind::vector; });
  }
  ValueId origin(ValueId value) const {
    const auto found = _origin.find(value);
    return found == _origin.end() ? value : found->second;
  }
  std::optional<std::size_t> argument(ValueId value) const {
    const auto found = std::find(_loop.arguments.begin(), _loop.arguments.end(), origin(value));
    if (found == _loop.arguments.end()) return std::nullopt;
    return static_cast<std::size_t>(found - _loop.arguments.begin());
  }
  bool dies_at(std::size_t step, ValueId value) const { return contains(_loop.body[step].dies, value); }

  bool find_products() {
    for (const std::size_t s : _products) {
      const Launch& launch = sweep_at(s).launches.at(0);
      const auto active = argument(launch.active);
      if (!active || (!argument(launch.in[0]) && _made.contains(origin(launch.in[0])))) return false;
      DeltaUpdate::Product product;
      std::size_t names = 0;
      for (const ValueId value : _reads) {
        if (origin(value) != launch.out[0]) continue;
        product.read = value;
        ++names;
      }
      if (names != 1 || !dies_at(_update, product.read)) return false;
      product.gathered = _gathered[launch.out[0]];
      product.reducer = launch.reducer;
      product.active = origin(_loop.yields[*active]);
      product.argument = _loop.arguments[*active];
      _delta.products.push_back(std::move(product));
    }
    return true;
  }

  /// What is stored is yielded once, and made over the argument of that place.
  bool find_carried() {
    for (const Launch& launch : update().launches) {
      if (is_reduction(launch.op) || _plan.class_of[index_of(launch.out[0])] == kNotStored) continue;
      const ValueId out = launch.out[0];
      std::optional<std::size_t> place;
      for (std::size_t k = 0; k < _loop.yields.size(); ++k) {
        if (origin(_loop.yields[k]) == out && std::exchange(place, k)) return false;
      }
      if (!place) return false;
      const std::optional<ValueId> last = last_name_of(_loop.arguments[*place]);
      if (!last) return false;
      _delta.carried.push_back({out, *last});
    }
    return std::all_of(_delta.products.begin(), _delta.products.end(), [&](const DeltaUpdate::Product& product) {
      return std::any_of(_delta.carried.begin(), _delta.carried.end(),
                         [&](const DeltaUpdate::Carried& carried) { return carried.out == product.active; });
    });
  }

  /// The name of the argument's buffer that lives longest, if no name of it outlives the update: the one that the
  /// update reads, or else the one that dies last.
  std::optional<ValueId> last_name_of(ValueId argument) const {
    std::optional<ValueId> last;
    std::size_t dies = 0;
    std::vector<ValueId> names{argument};
    for (const auto& [value, from] : _origin) {
      if (from == argument) names.push_back(value);
    }
    for (const ValueId name : names) {
      std::size_t step = 0;
      while (step <= _update && !dies_at(step, name)) ++step;
      if (step > _update) return std::nullopt;
      if (last && step == dies && step == _update) return std::nullopt;
      if (last && step < dies) continue;
      last = name;
      dies = step;
    }
    return last;
  }

  bool reads_what_it_may() const {
    return std::all_of(_reads.begin(), _reads.end(), [&](ValueId value) {
      if (std::any_of(_delta.products.begin(), _delta.products.end(),
                      [&](const DeltaUpdate::Product& product) { return product.read == value; }))
        return true;
      if (const auto k = argument(value)) {
        const ValueId yield = origin(_loop.yields[*k]);
        return yield == _loop.arguments[*k] ||
               std::any_of(_delta.carried.begin(), _delta.carried.end(),
                           [&](const DeltaUpdate::Carried& carried) { return carried.out == yield; });
      }
      return !_made.contains(origin(value));
    });
  }

  bool reduces_exactly() {
    const std::vector<Launch>& launches = update().launches;
    return std::all_of(launches.begin(), launches.end(), [&](const Launch& launch) {
      const bool reduces = launch.op == Op::reduce;
      // Nothing is known of what a step makes of elements that are not visited.
      if (launch.op == Op::fold) return false;
      if (reduces && !_reducers.at(index_of(launch.reducer)).exact) return false;
      return !launch.varies || !(reduces || _plan.class_of[index_of(launch.out[0])] != kNotStored);
    });
  }

  void live_until_update(ValueId value) {
    for (std::size_t step = 0; step < _update; ++step) {
      if (std::erase(_loop.body[step].dies, value) > 0) _loop.body[_update].dies.push_back(value);
    }
  }

  Plan& _plan;
  Loop& _loop;
  const std::vector<ReducerInfo>& _reducers;
  const PlacementStats& _stats;
  std::vector<std::size_t> _products;  ///< steps of the body
  std::size_t _update = 0;
  std::map<ValueId, ValueId> _origin;    ///< of values that were moved
  std::map<ValueId, RoleSet> _gathered;  ///< by origin
  std::set<ValueId> _made;               ///< in the body
  std::vector<ValueId> _reads;           ///< vectors that the update reads
  DeltaUpdate _delta;
};

}  // namespace

void find_delta_loops(Plan& plan, const std::vector<ReducerInfo>& reducers, const PlacementStats& stats) {
  for_each_step(plan.steps, [&](Step& step) {
    if (auto* loop = std::get_if<Loop>(&step.what)) DeltaLoopFinder(plan, *loop, reducers, stats).run();
  });
}

std::size_t count_delta_loops(const Plan& plan) {
  std::size_t found = 0;
  for_each_step(plan.steps, [&](const Step& step) {
    const auto* sweep = std::get_if<Sweep>(&step.what);
    if (sweep != nullptr && sweep->delta) ++found;
  });
  return found;
}

std::size_t count_connecting_loops(const Plan& plan) {
  std::size_t found = 0;
  for_each_step(plan.steps, [&](const Step& step) {
    const auto* sweep = std::get_if<Sweep>(&step.what);
    if (sweep != nullptr && finds_connected(*sweep)) ++found;
  });
  return found;
}

std::size_t keep_on_masters(Program& program) {
  std::size_t loops = 0;
  for_each_block(program.top, [&](Block& block) {
    if (!has_active_products(block)) return;
    ++loops;
    for (Statement& statement : block.statements) statement.on_masters = is_element_op(statement.op);
  });
  return loops;
}

}  // namespace kasen::optimizer
