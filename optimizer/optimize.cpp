#include "optimizer/optimize.h"
#include "optimizer/text/explain.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "kasen/base/error.h"
#include "optimizer/cost/formulas.h"
#include "optimizer/cost/time_model.h"
#include "optimizer/laws/derive_laws.h"
#include "optimizer/rewrite/common_subexpressions.h"
#include "optimizer/rewrite/dead_values.h"
#include "optimizer/rewrite/hoist.h"
#include "optimizer/rewrite/normalise_loops.h"
#include "optimizer/rewrite/renames.h"
#include "optimizer/rewrite/rotate_loops.h"
#include "optimizer/search/fusion_search.h"
#include "optimizer/states/drop_empty.h"
#include "optimizer/states/place_transitions.h"
#include "optimizer/sweeps/assign_storage.h"
#include "optimizer/sweeps/choose_walks.h"
#include "optimizer/sweeps/grow_sweeps.h"
#include "optimizer/sweeps/liveness.h"
#include "optimizer/text/fingerprint.h"
#include "optimizer/text/print.h"

namespace kasen::optimizer {
namespace {

/// Passes by name; `fusion` marks those that `--fusion off` leaves out, `needed` those without which there is no plan,
/// `exact` those that only `--fusion exact` has.
struct Pass {
  std::string_view name;
  bool fusion;
  bool needed;
  bool exact = false;
};
constexpr Pass kPasses[] = {
    {"dead-values", false, false},
    {"renames", true, false},
    {"hoist", true, false},
    {"common-subexpressions", true, false},
    {"normalise-loops", false, true},
    {"rotate", true, false},
    {"derive-laws", false, false},
    {"place-transitions", false, true},
    {"drop-empty", true, false, true},
    {"fuse", true, false},
    {"join-mxv", true, false},
    {"liveness", false, true},
    {"in-place", true, false},
    {"reuse-buffers", false, false},
    {"walks", false, true},
};
constexpr std::uint64_t kShares = 16;  // of the search's budget: the most that one choice of states gets at first

const Pass* find_pass(std::string_view name) {
  const auto pass = std::find_if(std::begin(kPasses), std::end(kPasses), [&](const Pass& p) { return p.name == name; });
  return pass == std::end(kPasses) ? nullptr : pass;
}

class Optimizer {
 public:
  Optimizer(const Program& program, const PlacementStats& stats, const Options& options, const Profile& profile,
            const PassObserver& observer, const AttemptObserver& attempts)
      : _program(program),
        _stats(stats),
        _options(options),
        _profile(profile),
        _observer(observer),
        _attempts(attempts) {
    check_passes(options);
  }

  Plan run() {
    // Rewrites of the program. What leaves a loop may equal something before it. Normal form and rotation come after
    // that, as they clone statements; the clones may equal others, and rotation leaves statements that only it read.
    rewrite("dead-values", remove_dead_values);
    rewrite("renames", rename_copies);
    rewrite("hoist", hoist_invariants);
    rewrite("common-subexpressions", merge_common_subexpressions);
    rewrite("normalise-loops", normalise_loops);
    rewrite("rotate", rotate_loops);
    rewrite("common-subexpressions", merge_common_subexpressions);
    rewrite("dead-values", remove_dead_values);
    rewrite("derive-laws", derive_laws);
    // States decide how sweeps can grow, and what sweeps cost decides the states: placing transitions tries out whole
    // plans, each lowered by the passes below.
    Placed placed;
    run_pass(
        "place-transitions",
        [&] {
          placed = place_transitions(
              _program, _stats, _options, [&](const StatedProgram& stated) { return lower(stated); }, _attempts);
          if (_options.fusion == Fusion::exact && on("fuse")) search_fastest(placed);
        },
        [&] { return explain(placed.plan, _stats); });
    if (_observer) show_lowering(placed.stated);
    placed.plan.fingerprint = fingerprint(placed.plan);
    return std::move(placed.plan);
  }

 private:
  bool on(std::string_view name) const {
    const Pass* pass = find_pass(name);
    const bool switched_off = std::count(_options.passes_off.begin(), _options.passes_off.end(), name) > 0;
    return !switched_off && !(pass->fusion && _options.fusion == Fusion::off) &&
           !(pass->exact && _options.fusion != Fusion::exact);
  }

  template <class Work, class Text>
  void run_pass(std::string_view name, const Work& work, const Text& text) {
    const auto start = std::chrono::steady_clock::now();
    const bool skipped = !on(name);
    if (!skipped) work();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (_observer) _observer({name, seconds.count(), skipped, text});
  }

  void rewrite(std::string_view name, void (*pass)(Program&)) {
    run_pass(
        name, [&] { pass(_program); }, [&] { return print(_program); });
  }

  /// From states to a plan with costs. Sweeps first; then who dies where; then buffers, which liveness decides.
  /// @param after called after each pass, with its name and the plan so far.
  std::optional<Plan> lower(const StatedProgram& stated, const Grouping* grouping = nullptr,
                            const std::function<void(std::string_view, const Plan&)>& after = {}) const {
    Plan plan;
    plan.values = stated.program.values;
    plan.states = stated.states;
    for (const ReducerInfo& reducer : stated.program.reducers) plan.reducers.push_back(reducer.name);
    plan.live_in = stated.program.live_in;
    plan.results = stated.results;
    if (!grow_sweeps(stated, {on("fuse"), on("join-mxv")}, plan, grouping)) return std::nullopt;
    if (after) after("fuse", plan), after("join-mxv", plan);
    find_liveness(plan);
    if (after) after("liveness", plan);
    assign_storage(plan, {on("in-place"), on("reuse-buffers")});
    if (after) after("in-place", plan), after("reuse-buffers", plan);
    choose_walks(plan, _stats, _options.storage, _profile);
    if (after) after("walks", plan);
    assign_costs(plan, _stats);
    assign_seconds(plan, _stats, _profile);
    return plan;
  }

  /// Looks for a plan that takes less time than the one placed: first in its own states, then in all. States get small
  /// shares of the budget, so that all are looked at, and then, if that cut anything off, the rest.
  void search_fastest(Placed& placed) {
    const FusionOptions options{on("fuse"), on("join-mxv"), _options.storage};
    FusionSearch search(
        _stats, options, _profile,
        [&](const StatedProgram& stated, const Grouping& grouping) { return lower(stated, &grouping); },
        placed.plan.time, _options.search_budget);
    const PlanTime greedy = placed.plan.time;
    const auto improve = [&](const StatedProgram& stated, std::uint64_t limit) {
      if (!on("drop-empty")) return search.improve(stated, limit);
      StatedProgram dropped = stated;
      drop_empty_transitions(dropped, _stats);
      return search.improve(dropped, limit);
    };
    if (auto plan = improve(placed.stated, _options.search_budget / 2)) placed.plan = std::move(*plan);
    bool complete = false;
    for (const std::uint64_t limit : {_options.search_budget / kShares, _options.search_budget}) {
      if (complete || search.exhausted()) break;
      search.start_over();
      Fastest fastest = place_fastest(_program, _stats, _options,
                                      [&](const StatedProgram& stated) { return improve(stated, limit); });
      if (fastest.placed) placed = std::move(*fastest.placed);
      complete = fastest.complete && search.complete();
    }
    if (search.winner() != nullptr) {
      placed.stated = search.winner()->stated;
      _grouping = search.winner()->grouping;
    }
    placed.plan.search = {true, complete, search.budget().costed, search.budget().skipped, search.plans(), greedy};
  }

  /// Lowers the cheapest candidate once more, for those who watch. Passes that work as one show under both names.
  void show_lowering(const StatedProgram& stated) const {
    using Clock = std::chrono::steady_clock;
    _observer({"drop-empty", 0, !on("drop-empty"), [&] { return print(stated.program); }});
    auto start = Clock::now();
    lower(stated, _grouping ? &*_grouping : nullptr, [&](std::string_view name, const Plan& plan) {
      const std::chrono::duration<double> seconds = Clock::now() - start;
      _observer({name, seconds.count(), !on(name), [&] { return print_steps(plan); }});
      start = Clock::now();
    });
  }

  Program _program;
  const PlacementStats& _stats;
  const Options& _options;
  const Profile& _profile;
  const PassObserver& _observer;
  const AttemptObserver& _attempts;
  std::optional<Grouping> _grouping;  ///< of the plan that the search has found
};

}  // namespace

std::vector<std::string_view> pass_names() {
  std::vector<std::string_view> names;
  for (const Pass& pass : kPasses) names.push_back(pass.name);
  return names;
}

void check_passes(const Options& options) {
  for (const std::string& name : options.passes_off) {
    const Pass* pass = find_pass(name);
    if (pass == nullptr) throw UsageError("--passes: there is no pass '" + name + "'");
    if (pass->needed) throw UsageError("--passes: '" + name + "' cannot be switched off");
  }
  for (const std::string& name : options.print_after) {
    if (name != "all" && find_pass(name) == nullptr) throw UsageError("--print-after: there is no pass '" + name + "'");
  }
}

Plan optimize(const Program& program, const PlacementStats& stats, const Options& options, const Profile& profile,
              const PassObserver& observer, const AttemptObserver& attempts) {
  return Optimizer(program, stats, options, profile, observer, attempts).run();
}

}  // namespace kasen::optimizer
