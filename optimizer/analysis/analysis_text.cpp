/// @file
/// The analysis as text for people: sizes, both plans, savings and decisions.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kasen/base/option_names.h"
#include "optimizer/analysis/analysis.h"

namespace kasen::optimizer {
namespace {

class Writer {
 public:
  explicit Writer(const Analysis& analysis) : _analysis(analysis), _stats(analysis.stats) {}

  std::string run() {
    sizes();
    plan("before", _analysis.before);
    plan("after", _analysis.after);
    saved();
    decisions();
    return std::move(_text);
  }

 private:
  void line(int depth, const std::string& content) {
    _text += std::string(static_cast<std::size_t>(2 * depth), ' ') + content + "\n";
  }

  void sizes() {
    line(0, fmt::format("sizes; times by the profile {}", _analysis.profile));
    std::string symbols = fmt::format("P = {}", _stats.workers);
    for (const Symbol& symbol : symbols_of(_stats))
      symbols += fmt::format(", {} = {}", name_of(symbol, _stats), value_of(symbol, _stats));
    line(1, symbols);
    for (std::size_t s = 0; s < _stats.spaces.size(); ++s)
      line(1, fmt::format("space {}: {}", s, _stats.spaces[s].name));
  }

  std::string evaluated(const Formula& formula) const {
    const std::string text = formula.text(_stats);
    return text == "0" ? text : fmt::format("{} = {}", text, formula.evaluate(_stats));
  }

  void row(int depth, const char* what, const std::string& model, const std::string& stream) {
    if (model != "0" || stream != "0") line(depth, fmt::format("{:<10}{:<40}  {}", what, model, stream));
  }

  void cost(int depth, const Cost& cost) {
    row(depth, "reads", evaluated(cost.model.bytes_read), evaluated(cost.stream.bytes_read));
    row(depth, "writes", evaluated(cost.model.bytes_written), evaluated(cost.stream.bytes_written));
    row(depth, "sends", evaluated(cost.model.bytes_sent), evaluated(cost.stream.bytes_sent));
    row(depth, "messages", std::to_string(cost.model.messages.evaluate(_stats)),
        std::to_string(cost.stream.messages.evaluate(_stats)));
  }

  void seconds(int depth, std::uint64_t picoseconds, std::uint64_t fresh_picoseconds = 0) {
    if (picoseconds == 0) return;
    const auto milliseconds = [](std::uint64_t n) { return fmt::format("{:.3f} ms", 1e-9 * static_cast<double>(n)); };
    line(depth,
         fmt::format("{:<10}{}{}", "takes", milliseconds(picoseconds),
                     fresh_picoseconds == 0 ? "" : ", the first time " + milliseconds(fresh_picoseconds) + " more"));
  }

  /// In symbols only: what is active shows when it runs.
  void active(int depth, const StepReport& step) {
    if (step.kind == "exchange" && !step.active.bytes_sent.terms().empty()) {
      line(depth, "or, where A elements travel that E bytes tell apart:");
      row(depth + 1, "sends", "", step.active.bytes_sent.text(_stats));
    }
    partial(depth, "of a batch with E non-zeros:", step.batch);
    if (step.connects) {
      partial(depth, "with what A active elements take:", step.active);
      partial(depth, "in delta iterations, where A elements are active:", step.delta);
      partial(depth, "and where A are told what they are connected with; all but A once in each loop:", step.settled);
      return;
    }
    partial(depth, fmt::format("or, where A elements with E < {} non-zeros are active:", step.whole_from), step.active);
    partial(depth, "in delta iterations, where A elements with E non-zeros are active or visited:", step.delta);
    partial(depth, "and where it goes on from A elements with E non-zeros:", step.settled);
  }

  void partial(int depth, const std::string& when, const StepFormulas& formulas) {
    if (formulas.bytes_read.terms().empty()) return;
    line(depth, when);
    for (const auto& [what, formula] : {std::pair("reads", &formulas.bytes_read),
                                        {"writes", &formulas.bytes_written},
                                        {"sends", &formulas.bytes_sent}})
      row(depth + 1, what, "", formula->text(_stats));
  }

  void plan(const char* when, const PlanReport& report) {
    line(0, "");
    line(0, fmt::format("{} ({})", when, options_text(report.options)));
    for (const BlockReport& block : report.blocks) {
      line(1, block.name + (block.loop ? ", per iteration" : ""));
      for (const StepReport& step : block.steps) {
        line(2, step.headline);
        for (const std::string& detail : step.details) line(3, detail);
        cost(3, step.cost);
        seconds(3, step.picoseconds, step.fresh_picoseconds);
        active(3, step);
      }
      line(2, fmt::format("{:<12}{:<40}  {}", "in all", "model", "stream"));
      cost(3, block.sum);
      seconds(3, block.picoseconds);
    }
    line(1, "buffers");
    for (const std::string& buffers : report.buffers) line(2, buffers);
    row(2, "bytes", evaluated(report.model_buffers), evaluated(report.stream_buffers));
  }

  static std::string share(std::uint64_t before, std::uint64_t after) {
    if (before == after) return "nothing";
    if (before == 0) return fmt::format("{} bytes more", after);
    const double saved = 100 * (1 - static_cast<double>(after) / static_cast<double>(before));
    return saved > 0 ? fmt::format("{:.1f} %", saved) : fmt::format("{:.1f} % more", -saved);
  }

  void saved(const char* what, Formula StepFormulas::*member, const Cost& before, const Cost& after) {
    const auto of = [&](const Cost& cost, StepFormulas Cost::*column) {
      return (cost.*column.*member).evaluate(_stats);
    };
    row(2, what, share(of(before, &Cost::model), of(after, &Cost::model)),
        share(of(before, &Cost::stream), of(after, &Cost::stream)));
  }

  void saved() {
    line(0, "");
    line(0, "saved");
    const auto &before = _analysis.before.blocks, &after = _analysis.after.blocks;
    const bool same = std::equal(before.begin(), before.end(), after.begin(), after.end(),
                                 [](const BlockReport& a, const BlockReport& b) { return a.name == b.name; });
    for (std::size_t k = 0; k < (same ? before.size() : 1); ++k) {  // the first is the top of both
      line(1,
           fmt::format("{:<12}{:<40}  {}", before[k].name, before[k].name.size() < 12 ? "model" : "  model", "stream"));
      saved("reads", &StepFormulas::bytes_read, before[k].sum, after[k].sum);
      saved("writes", &StepFormulas::bytes_written, before[k].sum, after[k].sum);
      saved("sends", &StepFormulas::bytes_sent, before[k].sum, after[k].sum);
    }
    if (!same) line(1, "what loops and branches save has no rows: the plan after has others than the one before");
    row(2, "buffers",
        share(_analysis.before.model_buffers.evaluate(_stats), _analysis.after.model_buffers.evaluate(_stats)),
        share(_analysis.before.stream_buffers.evaluate(_stats), _analysis.after.stream_buffers.evaluate(_stats)));
  }

  void part(int depth, const char* where, const PlanCost::Part& p) {
    line(depth, fmt::format("{}: {} bytes sent in {} messages, {} bytes read and written, {} exchanges, {} transitions",
                            where, p.bytes_sent, p.messages, p.stream_bytes, p.exchanges, p.transitions));
  }

  /// Where the rejected plan is first dearer than the chosen one, in the order in which plans are compared.
  static std::string reason(const PlanCost& chosen, const PlanCost& rejected) {
    constexpr std::pair<std::uint64_t PlanCost::Part::*, const char*> kOrder[] = {
        {&PlanCost::Part::bytes_sent, "bytes sent"},
        {&PlanCost::Part::messages, "messages"},
        {&PlanCost::Part::stream_bytes, "bytes read and written"},
        {&PlanCost::Part::exchanges, "exchanges"},
        {&PlanCost::Part::buffer_bytes, "bytes of buffers"},
        {&PlanCost::Part::transitions, "transitions"}};
    for (const bool in_loops : {true, false}) {
      const PlanCost::Part& one = in_loops ? chosen.loops : chosen.rest;
      const PlanCost::Part& other = in_loops ? rejected.loops : rejected.rest;
      for (const auto& [member, what] : kOrder) {
        if (one.*member == other.*member) continue;
        const char* const where = member == &PlanCost::Part::buffer_bytes ? ""
                                  : in_loops                              ? " per iteration"
                                                                          : " besides the loops";
        return fmt::format("{} {}, not {}{}", other.*member, what, one.*member, where);
      }
    }
    if (rejected.consistent > chosen.consistent) return "costs the same, with more values consistent than needed";
    return "costs the same, and was found later";
  }

  void decisions() {
    line(0, "");
    line(0, fmt::format("transitions, the cheapest of {} placements tried", _analysis.plans));
    for (const std::string& transition : _analysis.transitions) line(1, transition);
    if (_analysis.transitions.empty()) line(1, "none");
    const PlanCost chosen = cost_of(_analysis.after.plan);
    if (chosen.loops != PlanCost::Part{}) part(1, "per iteration", chosen.loops);
    part(1, chosen.loops != PlanCost::Part{} ? "besides" : "in all", chosen.rest);
    if (_analysis.decisions.empty()) return;
    line(0, "");
    line(0, "decisions, each with the cheapest plan that was found for every other choice");
    for (const DecisionReport& decision : _analysis.decisions) {
      line(1, decision.about);
      // As it was when it was compared: later passes change the plan.
      const auto taken = std::find_if(decision.options.begin(), decision.options.end(),
                                      [](const DecisionReport::Option& option) { return option.chosen; });
      const PlanCost& compared = taken != decision.options.end() && taken->cost ? *taken->cost : chosen;
      for (const DecisionReport::Option& option : decision.options) {
        if (option.chosen) {
          line(2, "chosen: " + option.text);
          continue;
        }
        line(2, fmt::format("rejected: {}: {}", option.text,
                            option.cost ? reason(compared, *option.cost) : "cannot be executed"));
        if (!option.cost) continue;
        moves("then: ", option.transitions, _analysis.transitions);
        moves("but not: ", _analysis.transitions, option.transitions);
      }
    }
  }

  /// What some have beyond the others.
  void moves(const char* what, const std::vector<std::string>& some, const std::vector<std::string>& others) {
    for (const std::string& transition : some) {
      if (std::find(others.begin(), others.end(), transition) == others.end()) line(3, what + transition);
    }
  }

  const Analysis& _analysis;
  const PlacementStats& _stats;
  std::string _text;
};

}  // namespace

std::string analysis_text(const Analysis& analysis) { return Writer(analysis).run(); }

}  // namespace kasen::optimizer
