#include "optimizer/analysis/plan_json.h"

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "optimizer/plan/step_tools.h"
#include "optimizer/text/names.h"
#include "optimizer/text/print.h"

namespace kasen::optimizer {
namespace {

class Writer {
 public:
  explicit Writer(const Plan& plan) : _plan(plan), _names(plan.reducers) {}

  Json run() {
    for_each_step(_plan.steps, [&](const Step& step) {  // names as they are printed
      headline(step, _names, SourceLines::hidden);
      details(_plan, step, _names, SourceLines::hidden);
    });
    Json results = Json::array();
    for (const Result& result : _plan.results) results.push_back(name(result.held));
    Json steps_of_top = steps(_plan.steps);
    return {{"values", std::move(_values)}, {"results", std::move(results)}, {"steps", std::move(steps_of_top)}};
  }

 private:
  /// The name of a value, whose state is noted where it is named first.
  std::string name(ValueId value) {
    std::string text = _names.of(value);
    if (!_noted.insert(value).second) return text;
    const State& state = _plan.states[index_of(value)];
    const bool shared = _plan.values[index_of(value)].kind == Value::Kind::shared;
    const char* const kind = state.kind == State::Kind::pre_reduced  ? "pre_reduced"
                             : shared                                ? "shared"
                             : state.kind == State::Kind::consistent ? "consistent"
                                                                     : "partitioned";
    _values[text] = {{"kind", kind}, {"state", _names.of(state)}};
    return text;
  }

  Json list(const std::vector<ValueId>& values) {
    Json json = Json::array();
    for (const ValueId value : values) json.push_back(name(value));
    return json;
  }

  Json steps(const std::vector<Step>& steps_of_block) {
    Json json = Json::array();
    for (const Step& step : steps_of_block)
      json.push_back(std::visit([&](const auto& what) { return of(what); }, step.what));
    return json;
  }

  Json of(const Sweep& sweep) {
    std::set<ValueId> in_tile;
    for (const Place& place : sweep.places) {
      if (place.kind == Place::Kind::temporary) in_tile.insert(place.value);
    }
    Json operations = Json::array();
    for (const Launch& launch : sweep.launches) {
      Json tile = Json::array();
      for (const ValueId out : launch.out) {
        if (in_tile.contains(out)) tile.push_back(name(out));
      }
      operations.push_back({{"label", launch.label},
                            {"place", place_of(launch.where)},
                            {"in", list(launch.in)},
                            {"shared", list(launch.shared)},
                            {"out", list(launch.out)},
                            {"in_tile", std::move(tile)}});
    }
    return {{"kind", "sweep"}, {"over", range_name(sweep)}, {"operations", std::move(operations)}};
  }

  Json of(const Exchange& exchange) {
    Json moves = Json::array();
    const auto add = [&](const char* what, const std::vector<Move>& of_kind) {
      for (const Move& move : of_kind) {
        moves.push_back(
            {{"what", what}, {"from", name(move.from)}, {"to", name(move.to)}, {"roles", Names::of(move.roles)}});
      }
    };
    add("gather", exchange.gathers);
    add("scatter", exchange.scatters);
    add("reduce", exchange.reductions);
    return {{"kind", "exchange"}, {"moves", std::move(moves)}};
  }

  Json of(const ScalarWork& scalar) {
    return {{"kind", "scalar"},
            {"label", scalar.label},
            {"place", place_of(scalar.where)},
            {"in", list(scalar.in)},
            {"out", list({scalar.out})}};
  }

  Json of(const Loop& loop) {
    Json carried = Json::array();
    for (std::size_t k = 0; k < loop.arguments.size(); ++k) {
      carried.push_back({{"initial", name(loop.initial[k])},
                         {"argument", name(loop.arguments[k])},
                         {"next", name(loop.yields[k])},
                         {"result", name(loop.results[k])}});
    }
    Json body = steps(loop.body);
    return {{"kind", "loop"},
            {"place", place_of(loop.where)},
            {"test", name(loop.test)},
            {"carried", std::move(carried)},
            {"steps", std::move(body)}};
  }

  Json of(const Branch& branch) {
    Json then = steps(branch.then), otherwise = steps(branch.otherwise), results = Json::array();
    for (std::size_t k = 0; k < branch.results.size(); ++k) {
      results.push_back({{"then", name(branch.then_yields[k])},
                         {"otherwise", name(branch.otherwise_yields[k])},
                         {"result", name(branch.results[k])}});
    }
    return {{"kind", "branch"},        {"place", place_of(branch.where)},   {"test", name(branch.test)},
            {"then", std::move(then)}, {"otherwise", std::move(otherwise)}, {"results", std::move(results)}};
  }

  const Plan& _plan;
  Names _names;
  Json _values = Json::object();
  std::set<ValueId> _noted;
};

}  // namespace

Json plan_json(const Plan& plan) { return Writer(plan).run(); }

}  // namespace kasen::optimizer
