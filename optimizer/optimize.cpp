#include "optimizer/optimize.h"
#include "optimizer/text/explain.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "kasen/base/error.h"
#include "optimizer/cost/footprint.h"
#include "optimizer/cost/formulas.h"
#include "optimizer/cost/time_model.h"
#include "optimizer/laws/derive_laws.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/rewrite/common_subexpressions.h"
#include "optimizer/rewrite/dead_values.h"
#include "optimizer/rewrite/fixpoints.h"
#include "optimizer/rewrite/hoist.h"
#include "optimizer/rewrite/merge_branches.h"
#include "optimizer/rewrite/normalise_loops.h"
#include "optimizer/rewrite/renames.h"
#include "optimizer/rewrite/rotate_loops.h"
#include "optimizer/rewrite/semi_naive.h"
#include "optimizer/rewrite/varying.h"
#include "optimizer/search/fusion_search.h"
#include "optimizer/states/drop_empty.h"
#include "optimizer/states/one_pass.h"
#include "optimizer/states/place_transitions.h"
#include "optimizer/sweeps/assign_storage.h"
#include "optimizer/sweeps/choose_walks.h"
#include "optimizer/sweeps/delta_loops.h"
#include "optimizer/sweeps/grow_sweeps.h"
#include "optimizer/sweeps/liveness.h"
#include "optimizer/sweeps/overlap.h"
#include "optimizer/sweeps/routes.h"
#include "optimizer/sweeps/sparse_exchanges.h"
#include "optimizer/text/fingerprint.h"
#include "optimizer/text/print.h"

namespace kasen::optimizer {
namespace {

/// Whether a pass, or a part of one, runs unless it is switched off.
// fusing: not with `--fusion off`; exact: with `--fusion exact` only; overlapping: not with `--overlap off`
enum class When : std::uint8_t { always, fusing, exact, overlapping };
struct Pass {
  std::string_view name;
  When when = When::always;
  bool stays_on = false;  ///< `--passes` may not switch it off: a plan needs it, or it has an option of its own.
};

/// Rewrites of the program, in order. What leaves a loop may equal something before it. Normal form and rotation come
/// after that, as they clone statements; the clones may equal others, as may those that come to stand in one branch,
/// and rotation leaves statements that only it read.
struct Rewrite : Pass {
  void (*run)(Program&, const PlacementStats&);
};
/// A rewrite that asks nothing of the data.
template <void (*rewrite)(Program&)>
void of_program(Program& program, const PlacementStats&) {
  rewrite(program);
}
constexpr Rewrite kRewrites[] = {
    {{"dead-values"}, of_program<remove_dead_values>},
    {{"renames", When::fusing}, of_program<rename_copies>},
    {{"hoist", When::fusing}, of_program<hoist_invariants>},
    {{"common-subexpressions", When::fusing}, merge_common_subexpressions},
    {{"normalise-loops", When::always, true}, of_program<normalise_loops>},
    {{"semi-naive", When::fusing}, of_program<find_active_elements>},
    {{"fixpoints", When::fusing}, find_fixpoints},
    {{"rotate", When::fusing}, of_program<rotate_loops>},
    {{"merge-branches", When::fusing}, of_program<merge_branches>},
    {{"common-subexpressions", When::fusing}, merge_common_subexpressions},
    {{"dead-values"}, of_program<remove_dead_values>},
    {{"derive-laws"}, of_program<derive_laws>},
};

/// States decide how sweeps can grow, and what sweeps cost decides the states: placing transitions tries out whole
/// plans.
constexpr Pass kPlaceTransitions{"place-transitions", When::always, true};
/// Each of them is made by these passes: sweeps first; then who dies where; then buffers, which liveness decides.
constexpr Pass kDropEmpty{"drop-empty", When::exact};
constexpr Pass kSweeps{"sweeps", When::always, true};
constexpr Pass kLiveness{"liveness", When::always, true};
constexpr Pass kDeltaLoops{"delta-loops", When::fusing};
constexpr Pass kStorage{"storage", When::always, true};
constexpr Pass kWalks{"walks", When::always, true};
constexpr Pass kLowering[] = {kDropEmpty, kSweeps, kLiveness, kDeltaLoops, kStorage, kWalks};
/// Of the plan that is taken:
constexpr Pass kRoutes{"routes", When::always, true};
constexpr Pass kSparseExchanges{"sparse-exchanges", When::fusing};
constexpr Pass kOverlap{"overlap", When::overlapping, true};
/// What can be switched off alone of `sweeps`, and of `storage`.
constexpr Pass kFuse{"fuse", When::fusing}, kJoinMxv{"join-mxv", When::fusing}, kOnePass{"one-pass", When::fusing};
constexpr Pass kInPlace{"in-place", When::fusing}, kReuseBuffers{"reuse-buffers"};

constexpr Ticks kQuarters = 4, kSlowerForDelta = 5;  // in quarters of the time of a plan without delta iterations
constexpr std::uint64_t kShares = 16;  // of the search's budget: the most that one choice of states gets at first

/// All passes, each once, in order.
std::vector<Pass> passes() {
  std::vector<Pass> all;
  const auto add = [&](const Pass& pass) {
    const auto same = [&](const Pass& other) { return other.name == pass.name; };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back(pass);
  };
  for (const Rewrite& rewrite : kRewrites) add(rewrite);
  add(kPlaceTransitions);
  for (const Pass& pass : kLowering) add(pass);
  add(kRoutes);
  add(kSparseExchanges);
  add(kOverlap);
  return all;
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
    rewrite();
    if (on(kDeltaLoops)) mark_varying(_program);
    if (on(kFuse) && on(kOnePass)) _one_pass = matrices_in_one_pass(_program, _stats, _options, _profile);
    Placed placed;
    run_pass(
        kPlaceTransitions,
        [&] {
          placed = place();
          if (_options.fusion == Fusion::exact) search_fastest(placed);
          assign_costs(placed.plan, _stats);
          assign_times(placed.plan, _stats, _profile);
        },
        [&] { return explain(placed.plan, _stats); });
    if (_observer) show_lowering(_grouping ? placed.stated : without_transitions_of_rows(placed.stated));
    run_pass(
        kRoutes, [&] { choose_routes(placed.plan, _stats, _profile, _options.routes); },
        [&] { return print_steps(placed.plan); });
    run_pass(
        kSparseExchanges, [&] { thin_exchanges(placed.plan, _stats, _options.routes); },
        [&] { return print_steps(placed.plan); });
    assign_times(placed.plan, _stats, _profile, _options.threads);
    run_pass(
        kOverlap, [&] { overlap_exchanges(placed.plan, _stats, _profile, _options.overlap == Overlap::on); },
        [&] { return print_steps(placed.plan); });
    placed.plan.fingerprint = fingerprint(placed.plan);
    return std::move(placed.plan);
  }

  Plan cost(Plan plan) {
    rewrite();
    std::vector<double> shown;  // of each step, what overlap leaves of it
    for_each_step(plan.steps, [&](const Step& step) {
      const auto* exchange = std::get_if<Exchange>(&step.what);
      const double hidden = exchange == nullptr ? 0 : static_cast<double>(exchange->hidden_picoseconds);
      const auto left = static_cast<double>(step.picoseconds);
      shown.push_back(hidden > 0 ? left / (left + hidden) : 1);
    });
    assign_costs(plan, _stats);
    assign_times(plan, _stats, _profile);
    choose_routes(plan, _stats, _profile, _options.routes);
    assign_times(plan, _stats, _profile, _options.threads);
    std::size_t k = 0;
    for_each_step(plan.steps, [&](Step& step) {
      if (const double share = shown[k++]; share < 1)
        step.picoseconds = static_cast<std::uint64_t>(std::llround(static_cast<double>(step.picoseconds) * share));
    });
    return plan;
  }

 private:
  void rewrite() {
    for (const Rewrite& one : kRewrites) {
      run_pass(
          one, [&] { one.run(_program, _stats); }, [&] { return print(_program); });
    }
    _profile = at_footprint(_profile, footprint(_program, _stats));
  }

  bool on(const Pass& pass) const {
    const bool switched_off = std::count(_options.passes_off.begin(), _options.passes_off.end(), pass.name) > 0;
    return !switched_off && !(pass.when == When::fusing && _options.fusion == Fusion::off) &&
           !(pass.when == When::exact && _options.fusion != Fusion::exact) &&
           !(pass.when == When::overlapping && _options.overlap == Overlap::off);
  }

  template <class Work, class Text>
  void run_pass(const Pass& pass, const Work& work, const Text& text) {
    const auto start = std::chrono::steady_clock::now();
    const bool skipped = !on(pass);
    if (!skipped) work();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (_observer) _observer({pass.name, seconds.count(), skipped, text});
  }

  Placed place(const Program& program, const AttemptObserver& attempts) const {
    Placed placed = place_transitions(
        program, _stats, _options,
        [&](const StatedProgram& stated) {
          return any_in_one_pass() ? lower_and_cost(without_transitions_of_rows(stated)) : lower_and_cost(stated);
        },
        attempts);
    assign_times(placed.plan, _stats, _profile);
    return placed;
  }

  /// What delta iterations save shows only in a run, so that a plan with them may be slower by its prediction.
  Placed place() {
    Placed placed = place(_program, {});
    if (on(kDeltaLoops) && _options.sync == Sync::hybrid) {
      Program on_masters = _program;
      if (count_delta_loops(placed.plan) < keep_on_masters(on_masters)) {
        Placed other = place(on_masters, {});
        const Ticks most = product_of(placed.plan.time.loops, kSlowerForDelta) / kQuarters;
        const bool more = count_delta_loops(other.plan) > count_delta_loops(placed.plan);
        if (more && other.plan.time.loops <= most) {
          placed = std::move(other);
          _program = std::move(on_masters);
        }
      }
    }
    if (_attempts) place(_program, _attempts);
    return placed;
  }

  /// From states to a plan: kLowering after its first pass, which the exact search does itself.
  /// @param after called after each pass, with the plan so far.
  std::optional<Plan> lower(const StatedProgram& stated, const Grouping* grouping = nullptr,
                            const std::function<void(const Pass&, const Plan&)>& after = {}) const {
    Plan plan;
    plan.values = stated.program.values;
    plan.states = stated.states;
    for (const ReducerInfo& reducer : stated.program.reducers) plan.reducers.push_back(reducer.name);
    plan.live_in = stated.program.live_in;
    plan.results = stated.results;
    if (!grow_sweeps(stated, {on(kFuse), on(kJoinMxv), _options.storage, _one_pass}, plan, grouping))
      return std::nullopt;
    if (after) after(kSweeps, plan);
    find_liveness(plan);
    if (after) after(kLiveness, plan);
    if (on(kDeltaLoops)) find_delta_loops(plan, stated.program.reducers, _stats);
    if (after) after(kDeltaLoops, plan);
    assign_storage(plan, _stats, {on(kInPlace), on(kReuseBuffers)});
    if (after) after(kStorage, plan);
    choose_walks(plan, _stats, _options.storage, _profile);
    if (after) after(kWalks, plan);
    return plan;
  }

  /// What greedy sweeps are grown of: without transitions that are in the way of one pass.
  StatedProgram without_transitions_of_rows(StatedProgram stated) const {
    drop_transitions_of_rows(stated, _stats, _one_pass);
    return stated;
  }
  bool any_in_one_pass() const { return std::count(_one_pass.begin(), _one_pass.end(), true) > 0; }

  std::optional<Plan> lower_and_cost(const StatedProgram& stated, const Grouping* grouping = nullptr) const {
    std::optional<Plan> plan = lower(stated, grouping);
    if (plan) assign_stream_costs(*plan, _stats);
    return plan;
  }

  /// Looks for a plan that takes less time than the one placed, of those that have as many delta loops: first in its
  /// own states, then in all. States get small shares of the budget, so that all are looked at, and then, if that cut
  /// anything off, the rest.
  void search_fastest(Placed& placed) {
    const FusionOptions options{on(kFuse), on(kJoinMxv), _options.storage};
    const std::size_t delta_loops = count_delta_loops(placed.plan);
    const std::size_t connecting_loops = count_connecting_loops(placed.plan);
    FusionSearch search(
        _stats, options, _profile,
        [&](const StatedProgram& stated, const Grouping& grouping) {
          std::optional<Plan> plan = lower_and_cost(stated, &grouping);
          // What they save shows only in a run.
          if (plan && (count_delta_loops(*plan) < delta_loops || count_connecting_loops(*plan) < connecting_loops))
            plan.reset();
          if (plan) assign_times(*plan, _stats, _profile);
          return plan;
        },
        placed.plan.time, _options.search_budget);
    const PlanTime greedy = placed.plan.time;
    const auto improve = [&](const StatedProgram& stated, std::uint64_t limit) {
      if (!on(kDropEmpty)) return search.improve(stated, limit);
      StatedProgram dropped = stated;
      drop_empty_transitions(dropped, _stats);
      return search.improve(dropped, limit);
    };
    if (auto plan = improve(placed.stated, _options.search_budget / 2)) placed.plan = std::move(*plan);
    bool complete = false;
    for (const std::uint64_t limit : {_options.search_budget / kShares, _options.search_budget}) {
      if (complete || search.exhausted()) break;
      search.start_over();
      Fastest fastest = place_fastest(
          _program, _stats, _options, [&](const StatedProgram& stated) { return improve(stated, limit); },
          [&] { return search.exhausted(); });
      if (fastest.placed) placed = std::move(*fastest.placed);
      complete = fastest.complete && search.complete();
    }
    if (search.winner() != nullptr) {
      placed.stated = search.winner()->stated;
      _grouping = search.winner()->grouping;
    }
    placed.plan.search = {true, complete, search.budget().costed, search.budget().skipped, search.plans(), greedy};
  }

  /// Lowers the cheapest candidate once more, for those who watch.
  void show_lowering(const StatedProgram& stated) const {
    using Clock = std::chrono::steady_clock;
    _observer({kDropEmpty.name, 0, !on(kDropEmpty), [&] { return print(stated.program); }});
    auto start = Clock::now();
    lower(stated, _grouping ? &*_grouping : nullptr, [&](const Pass& pass, const Plan& plan) {
      const std::chrono::duration<double> seconds = Clock::now() - start;
      _observer({pass.name, seconds.count(), !on(pass), [&] { return print_steps(plan); }});
      start = Clock::now();
    });
  }

  Program _program;
  const PlacementStats& _stats;
  const Options& _options;
  Profile _profile;  ///< after the rewrites: at the program's footprint
  const PassObserver& _observer;
  const AttemptObserver& _attempts;
  std::vector<bool> _one_pass;        ///< by matrix
  std::optional<Grouping> _grouping;  ///< of the plan that the search has found
};

}  // namespace

std::vector<std::string_view> pass_names() {
  std::vector<std::string_view> names;
  for (const Pass& pass : passes()) names.push_back(pass.name);
  return names;
}

std::vector<std::string_view> optional_passes() {
  std::vector<std::string_view> names;
  for (const Pass& pass : passes()) {
    if (!pass.stays_on) names.push_back(pass.name);
  }
  for (const Pass& part : {kFuse, kJoinMxv, kOnePass, kInPlace, kReuseBuffers}) names.push_back(part.name);
  return names;
}

void check_passes(const Options& options) {
  const auto among = [](const std::vector<std::string_view>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const std::vector<std::string_view> all = pass_names(), optional = optional_passes();
  for (const std::string& name : options.passes_off) {
    if (among(optional, name)) continue;
    if (among(all, name)) throw UsageError("--passes: '" + name + "' cannot be switched off");
    throw UsageError("--passes: there is no pass '" + name + "'");
  }
  if (options.fusion == Fusion::exact &&
      std::count(options.passes_off.begin(), options.passes_off.end(), kFuse.name) > 0)
    throw UsageError("--passes=-fuse: --fusion exact searches the plans in which work shares sweeps (see --help)");
  for (const std::string& name : options.print_after) {
    if (name == "all" || among(all, name)) continue;
    if (among(optional, name)) throw UsageError("--print-after: '" + name + "' is a part of a pass, not a pass");
    throw UsageError("--print-after: there is no pass '" + name + "'");
  }
}

Plan optimize(const Program& program, const PlacementStats& stats, const Options& options, const Profile& profile,
              const PassObserver& observer, const AttemptObserver& attempts) {
  return Optimizer(program, stats, options, profile, observer, attempts).run();
}

Plan costed_for(Plan plan, const Program& program, const PlacementStats& stats, const Options& options,
                const Profile& profile) {
  return Optimizer(program, stats, options, profile, {}, {}).cost(std::move(plan));
}

}  // namespace kasen::optimizer
