#include "optimizer/analysis/analysis.h"

#include <fmt/format.h>

#include <map>

#include "optimizer/optimize.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/text/names.h"
#include "optimizer/text/print.h"

namespace kasen::optimizer {
namespace {

constexpr const char* kStateWords[] = {"partitioned", "consistent", "pre-reduced"};

/// Reports on a plan; also what each of its values is, in words.
class Reporter {
 public:
  Reporter(const Plan& plan, const PlacementStats& stats) : _plan(plan), _stats(stats), _names(plan.reducers) {}

  std::vector<BlockReport> blocks() {
    for (const LiveIn& live : _plan.live_in) _about[live.value] = "live at the start";
    block("top", false, _plan.steps);
    return std::move(_blocks);
  }

  std::string transition(const Transition& transition) {
    const char* const where = transition.loops == 0 ? "before or after the loops" : "in every iteration";
    const std::string roles = Names::of(transition.roles);
    return fmt::format("{} {}{}, {}", transition.gather ? "gather" : "scatter", value(transition.value),
                       roles.empty() ? "" : " by " + roles, where);
  }

  std::string value(ValueId value) {
    const auto about = _about.find(value);
    const std::string& name = _plan.values[index_of(value)].name;
    if (about != _about.end()) return fmt::format("{} ({})", _names.of(value), about->second);
    return name.empty() ? "a value that the plan does not have" : name;
  }

  DecisionReport decision(const Decision& decision) {
    DecisionReport report;
    report.about = value(decision.value);
    for (const Alternative& option : decision.options) {
      DecisionReport::Option& words = report.options.emplace_back();
      words.chosen = option.chosen;
      words.cost = option.cost;
      if (decision.rule) {
        const Rule& row = rule(option.choice.rule);
        words.text = fmt::format("rule {}, {}", row.number, row.text);
        if (row.law) words.text += fmt::format(", at argument {}", option.choice.argument);
      } else {
        words.text = kStateWords[static_cast<std::size_t>(option.kind)];
      }
      for (const Transition& moved : option.transitions) words.transitions.push_back(transition(moved));
    }
    return report;
  }

 private:
  void block(const std::string& name, bool loop, const std::vector<Step>& steps) {
    const std::size_t place = _blocks.size();
    _blocks.push_back({name, loop, {}, {}, 0});
    const std::string inside = name == "top" ? "" : name + ", ";
    int loops = 0, branches = 0;
    for (const Step& step : steps) {
      StepReport report{kind_of(step),
                        headline(step, _names, SourceLines::shown),
                        details(_plan, step, _names, SourceLines::shown),
                        {},
                        {},
                        {},
                        {},
                        {},
                        step.whole_from,
                        step.picoseconds,
                        step.fresh_picoseconds};
      report.cost.model = formulas_of(_plan, step, _stats, Column::model);
      report.cost.stream = formulas_of(_plan, step, _stats, Column::stream);
      report.active = active_formulas_of(_plan, step, _stats);
      report.batch = batch_formulas_of(_plan, step, _stats);
      report.delta = delta_formulas_of(_plan, step, _stats);
      report.settled = settled_formulas_of(_plan, step, _stats);
      if (const auto* sweep = std::get_if<Sweep>(&step.what)) report.connects = connects(*sweep);
      _blocks[place].sum += report.cost;
      _blocks[place].picoseconds += step.picoseconds;
      _blocks[place].steps.push_back(std::move(report));
      describe(step);
      if (const auto* nested = std::get_if<Loop>(&step.what)) {
        block(fmt::format("{}loop {}", inside, ++loops), true, nested->body);
      } else if (const auto* branch = std::get_if<Branch>(&step.what)) {
        const std::string side = fmt::format("{}branch {}", inside, ++branches);
        block(side + ", then", false, branch->then);
        block(side + ", otherwise", false, branch->otherwise);
      }
    }
  }

  void describe(const Step& step) {
    if (const auto* sweep = std::get_if<Sweep>(&step.what)) {
      for (const Launch& launch : sweep->launches) {
        const std::string place = place_of(launch.where);
        for (ValueId out : launch.out) _about[out] = launch.label + (place.empty() ? "" : ", " + place);
      }
    } else if (const auto* loop = std::get_if<Loop>(&step.what)) {
      for (std::size_t k = 0; k < loop->arguments.size(); ++k) {
        _about[loop->arguments[k]] = "carried by the loop, from " + _names.of(loop->initial[k]);
        _about[loop->results[k]] = "result of the loop";
      }
    } else if (const auto* branch = std::get_if<Branch>(&step.what)) {
      for (ValueId result : branch->results) _about[result] = "result of the branch";
    }
  }

  const Plan& _plan;
  const PlacementStats& _stats;
  Names _names;
  std::vector<BlockReport> _blocks;
  std::map<ValueId, std::string> _about;
};

void report(PlanReport& into, const PlacementStats& stats, Reporter& reporter) {
  into.blocks = reporter.blocks();
  for (const BufferClass& cls : into.plan.classes) {
    into.buffers.push_back(fmt::format("{} x {} bytes over {} of space {}", cls.count, cls.element_bytes,
                                       cls.replicas ? "masters and replicas" : "masters", index_of(cls.space)));
  }
  into.model_buffers = buffers_of(into.plan, stats, Column::model);
  into.stream_buffers = buffers_of(into.plan, stats, Column::stream);
}

}  // namespace

Cost& Cost::operator+=(const Cost& other) {
  model += other.model;
  stream += other.stream;
  return *this;
}

Analysis analyze(const Program& program, const PlacementStats& stats, const Options& options, const Profile& profile) {
  Analysis analysis;
  analysis.stats = stats;
  analysis.profile = profile.origin;
  analysis.before.options = analysis.after.options = options;
  analysis.before.options.fusion = Fusion::off;
  analysis.before.options.sync = Sync::lazy;
  analysis.before.plan = optimize(program, stats, analysis.before.options, profile);
  AttemptLog log;
  analysis.after.plan = optimize(program, stats, options, profile, {}, log.observer());
  analysis.plans = log.size();

  Reporter before(analysis.before.plan, stats), after(analysis.after.plan, stats);
  report(analysis.before, stats, before);
  report(analysis.after, stats, after);
  for (const Transition& transition : transitions_of(analysis.after.plan))
    analysis.transitions.push_back(after.transition(transition));
  for (const Decision& decision : log.decisions()) analysis.decisions.push_back(after.decision(decision));
  return analysis;
}

}  // namespace kasen::optimizer
