#include "optimizer/analysis/analysis_json.h"

#include "kasen/base/option_names.h"
#include "optimizer/analysis/plan_json.h"

namespace kasen::optimizer {
namespace {

class Writer {
 public:
  explicit Writer(const Analysis& analysis) : _analysis(analysis), _stats(analysis.stats) {}

  Json run() const {
    Json symbols = Json::object();
    for (const Symbol& symbol : symbols_of(_stats)) symbols[name_of(symbol, _stats)] = value_of(symbol, _stats);
    Json json{{"workers", _stats.workers}, {"symbols", std::move(symbols)}, {"profile", _analysis.profile}};
    json["before"] = plan(_analysis.before);
    json["after"] = plan(_analysis.after);
    json["transitions"] = _analysis.transitions;
    json["placements_tried"] = _analysis.plans;
    json["decisions"] = Json::array();
    for (const DecisionReport& decision : _analysis.decisions) {
      Json options = Json::array();
      for (const DecisionReport::Option& option : decision.options) {
        Json entry{{"text", option.text}, {"chosen", option.chosen}};
        entry["cost"] = option.cost ? cost(*option.cost) : Json(nullptr);
        entry["transitions"] = option.transitions;
        options.push_back(std::move(entry));
      }
      json["decisions"].push_back({{"about", decision.about}, {"options", std::move(options)}});
    }
    return json;
  }

 private:
  Json formula(const Formula& formula) const {
    Json terms = Json::object();
    for (const Formula::Term& term : formula.terms()) terms[name_of(term.symbol, _stats)] = term.coefficient;
    return {{"text", formula.text(_stats)}, {"terms", std::move(terms)}, {"value", formula.evaluate(_stats)}};
  }

  Json column(const StepFormulas& formulas) const {
    Json json = Json::object();
    for (const auto& field : StepFormulas::fields()) {
      if (field.member == &StepFormulas::buffer_bytes) continue;  // of the whole plan
      const Formula& cost = formulas.*field.member;
      json[field.name] = field.member == &StepFormulas::messages ? Json(cost.evaluate(_stats)) : formula(cost);
    }
    return json;
  }

  Json plan(const PlanReport& report) const {
    Json blocks = Json::array();
    for (const BlockReport& block : report.blocks) {
      Json steps = Json::array();
      for (const StepReport& step : block.steps) {
        Json entry{{"kind", step.kind}, {"text", step.headline}, {"details", step.details}};
        if (step.kind != "loop" && step.kind != "branch") {
          entry["model"] = column(step.cost.model);
          entry["stream"] = column(step.cost.stream);
          entry["picoseconds"] = step.picoseconds;
          if (step.fresh_picoseconds > 0) entry["fresh_picoseconds"] = step.fresh_picoseconds;
          if (!step.batch.bytes_read.terms().empty()) entry["batch"] = column(step.batch);
          if (!step.delta.bytes_read.terms().empty()) entry["delta"] = column(step.delta);
          if (!step.settled.bytes_read.terms().empty()) entry["settled"] = column(step.settled);
          const bool pushes = !step.active.bytes_read.terms().empty();
          if (pushes || !step.active.bytes_sent.terms().empty()) entry["active"] = column(step.active);
          if (pushes && !step.connects) entry["whole_from"] = step.whole_from;
        }
        steps.push_back(std::move(entry));
      }
      blocks.push_back({{"name", block.name},
                        {"per", block.loop ? "iteration" : "entry"},
                        {"steps", std::move(steps)},
                        {"model", column(block.sum.model)},
                        {"stream", column(block.sum.stream)},
                        {"picoseconds", block.picoseconds}});
    }
    return {{"options", options_text(report.options)},
            {"blocks", std::move(blocks)},
            {"tree", plan_json(report.plan)},
            {"buffers", report.buffers},
            {"buffer_bytes", {{"model", formula(report.model_buffers)}, {"stream", formula(report.stream_buffers)}}}};
  }

  static Json part(const PlanCost::Part& part) {
    return {{"bytes_sent", part.bytes_sent}, {"messages", part.messages},         {"stream_bytes", part.stream_bytes},
            {"exchanges", part.exchanges},   {"buffer_bytes", part.buffer_bytes}, {"transitions", part.transitions}};
  }
  static Json cost(const PlanCost& cost) { return {{"loops", part(cost.loops)}, {"rest", part(cost.rest)}}; }

  const Analysis& _analysis;
  const PlacementStats& _stats;
};

}  // namespace

Json analysis_json(const Analysis& analysis) { return Writer(analysis).run(); }

}  // namespace kasen::optimizer
