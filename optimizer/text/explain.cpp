#include "optimizer/text/explain.h"

#include <fmt/format.h>

#include "optimizer/cost/formulas.h"
#include "optimizer/cost/time_model.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/text/print.h"

namespace kasen::optimizer {
namespace {

class Explainer {
 public:
  Explainer(const Plan& plan, const PlacementStats& stats, std::uint32_t threads)
      : _plan(plan), _stats(stats), _threads(threads), _names(plan.reducers) {}

  std::string run() {
    symbols();
    steps(_plan.steps, 0);
    for (const BufferClass& cls : _plan.classes) {
      _text += fmt::format("buffers: {} x {} bytes over {} of space {}\n", cls.count, cls.element_bytes,
                           cls.replicas ? "masters and replicas" : "masters", index_of(cls.space));
    }
    _text += fmt::format("buffers in all, with packing: {} = {} bytes\n",
                         buffers_of(_plan, _stats, Column::stream).text(_stats), _plan.buffer_bytes);
    _text += "predicted: " + time(_plan.time) + "\n";
    if (const SearchReport& search = _plan.search; search.searched) {
      _text +=
          fmt::format("exact: {} plans and parts costed, {} skipped by their bound, of {:.4g} plans, {}; greedy: {}\n",
                      search.costed, search.skipped, search.plans,
                      search.complete ? "none is faster" : "the search was cut off", time(search.greedy));
    }
    return std::move(_text);
  }

 private:
  static constexpr double kPerMicrosecond = 1e6;

  std::string time(const PlanTime& time) const {
    const auto microseconds = [&](std::uint64_t ticks) {
      return static_cast<double>(picoseconds_per_worker(ticks, _stats.workers)) / kPerMicrosecond;
    };
    return fmt::format("{:.2f} us per iteration and {:.2f} us outside of loops", microseconds(time.loops),
                       microseconds(time.rest));
  }

  void symbols() {
    for (std::size_t i = 0; i < _stats.spaces.size(); ++i) {
      const auto& space = _stats.spaces[i];
      _text += fmt::format("space {} ({}): N = {}, S = {}", i, space.name, space.masters, space.replicas);
      for (const auto& entry : space.roles) {
        if (entry.roles.size() == 1) _text += fmt::format(", S{} = {}", Names::of(entry.roles), entry.replicas);
      }
      _text += "\n";
    }
    for (std::size_t i = 0; i < _stats.matrices.size(); ++i) {
      const PlacementStats::Matrix& matrix = _stats.matrices[i];
      _text += fmt::format("matrix {}: M = {}{}{}{}\n", i, matrix.nonzeros, matrix.dense ? ", dense" : "",
                           matrix.symmetric ? ", symmetric" : "",
                           matrix.in_batches() ? fmt::format(" on average, of {} batches", matrix.batches) : "");
    }
    _text += fmt::format("workers: P = {}\n", _stats.workers);
    if (_threads > 1) _text += fmt::format("threads of each worker: {}\n", _threads);
  }

  void line(int depth, const std::string& content) {
    _text += std::string(static_cast<std::size_t>(2 * depth), ' ') + content + "\n";
  }

  void cost(int depth, const char* what, const Formula& formula, const char* unit) {
    const std::string symbols = formula.text(_stats);
    if (symbols != "0") line(depth, fmt::format("{} {} = {} {}", what, symbols, formula.evaluate(_stats), unit));
  }

  void batch(int depth, const Step& step) {
    const StepFormulas formulas = batch_formulas_of(_plan, step, _stats);
    if (!is_of_batch(step)) return;
    line(depth, fmt::format("of a batch with E non-zeros reads {}, writes {} bytes", formulas.bytes_read.text(_stats),
                            formulas.bytes_written.text(_stats)));
  }

  void active(int depth, const Step& step) {
    const StepFormulas formulas = active_formulas_of(_plan, step, _stats);
    if (std::holds_alternative<Exchange>(step.what) && !formulas.bytes_sent.terms().empty())
      line(depth,
           fmt::format("or, of A elements that E bytes tell apart, sends {} bytes", formulas.bytes_sent.text(_stats)));
    if (formulas.bytes_read.terms().empty()) return;
    const std::string when = connects(std::get<Sweep>(step.what)) ? "with those of A active elements"
                                                                  : fmt::format("or, where E < {},", step.whole_from);
    line(depth,
         fmt::format("{} reads {}, writes {} bytes, initialises {} elements", when, formulas.bytes_read.text(_stats),
                     formulas.bytes_written.text(_stats), formulas.elements_initialised.text(_stats)));
  }

  void delta(int depth, const Step& step) {
    const StepFormulas formulas = delta_formulas_of(_plan, step, _stats);
    if (formulas.bytes_read.terms().empty()) return;
    const auto& update = std::get<Sweep>(step.what).delta;
    if (update)
      line(depth, fmt::format("delta iterations from E <= {} on, while E and what is visited again are at most {}",
                              update->start, update->most));
    line(depth, fmt::format("in delta iterations reads {}, writes {} bytes, initialises {} elements",
                            formulas.bytes_read.text(_stats), formulas.bytes_written.text(_stats),
                            formulas.elements_initialised.text(_stats)));
  }

  void settled(int depth, const Step& step) {
    const StepFormulas formulas = settled_formulas_of(_plan, step, _stats);
    if (formulas.bytes_read.terms().empty()) return;
    const auto& sweep = std::get<Sweep>(step.what);
    const char* const what = finds_connected(sweep) ? "and telling A elements what they are connected with, once found,"
                             : connects(sweep)      ? "and telling A elements what they are connected with"
                                                    : "and going on from A elements";
    line(depth, fmt::format("{} reads {}, writes {} bytes", what, formulas.bytes_read.text(_stats),
                            formulas.bytes_written.text(_stats)));
  }

  void threads(int depth, const Step& step) {
    const auto* sweep = std::get_if<Sweep>(&step.what);
    if (_threads == 1 || sweep == nullptr) return;
    if (active_of(*sweep) != kNone<ValueId>)
      line(depth,
           connects(*sweep) ? "active elements are looked up on one thread" : "where few are active, on one thread");
    if (sweep->delta) line(depth, "in delta iterations, on one thread");
  }

  void steps(const std::vector<Step>& steps_of_block, int depth) {
    for (const Step& step : steps_of_block) {
      line(depth, headline(step, _names, SourceLines::shown));
      for (const std::string& detail : details(_plan, step, _names, SourceLines::shown)) line(depth + 1, detail);
      const StepFormulas formulas = formulas_of(_plan, step, _stats, Column::stream);
      cost(depth + 1, "reads", formulas.bytes_read, "bytes");
      cost(depth + 1, "writes", formulas.bytes_written, "bytes");
      cost(depth + 1, "initialises", formulas.elements_initialised, "elements");
      cost(depth + 1, "sends", formulas.bytes_sent, "bytes");
      batch(depth + 1, step);
      active(depth + 1, step);
      delta(depth + 1, step);
      settled(depth + 1, step);
      threads(depth + 1, step);
      if (const auto* exchange = std::get_if<Exchange>(&step.what)) {
        line(depth + 1, "messages " + std::to_string(formulas.messages.evaluate(_stats)));
        if (exchange->overlapped != kNotOverlapped)
          line(depth + 1, fmt::format("hidden by what runs meanwhile: {:.2f} us",
                                      static_cast<double>(exchange->hidden_picoseconds) / kPerMicrosecond));
      }
      if (const auto* loop = std::get_if<Loop>(&step.what)) {
        steps(loop->body, depth + 1);
      } else if (const auto* branch = std::get_if<Branch>(&step.what)) {
        line(depth, "then");
        steps(branch->then, depth + 1);
        line(depth, "otherwise");
        steps(branch->otherwise, depth + 1);
      }
    }
  }

  const Plan& _plan;
  const PlacementStats& _stats;
  const std::uint32_t _threads;
  Names _names;
  std::string _text;
};

}  // namespace

std::string explain(const Plan& plan, const PlacementStats& stats, std::uint32_t threads) {
  return Explainer(plan, stats, threads).run();
}

}  // namespace kasen::optimizer
