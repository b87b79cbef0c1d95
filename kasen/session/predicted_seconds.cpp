#include "kasen/session/predicted_seconds.h"

#include <algorithm>
#include <variant>

namespace kasen {

void PredictedSeconds::begin(const optimizer::Plan& plan, std::uint64_t runs) {
  const std::uint64_t needed = plan.buffer_bytes, more = needed - std::min(needed, _kept_bytes);
  _fresh = needed == 0 ? 0 : static_cast<double>(more) / static_cast<double>(needed);
  if (runs > 0) _kept_bytes += more;
  _plan = &plan;
}

void PredictedSeconds::add(const std::vector<std::uint64_t>& entered, const std::vector<Activity>& activity) {
  Ran ran{entered, activity};
  add(_plan->steps, ran, false);
}

double PredictedSeconds::of(const optimizer::Step& step, std::uint64_t entered, const Activity& activity) const {
  const auto number = [](std::uint64_t n) { return static_cast<double>(n); };
  const auto spent = [&](const optimizer::PartialCosts& costs, const PartialRuns& partial) {
    return number(costs.run_picoseconds) * number(partial.runs) +
           (number(costs.element_picoseconds) * number(partial.elements) +
            number(costs.entry_picoseconds) * number(partial.entries)) /
               _workers;
  };
  const double in_order = (number(step.in_order_picoseconds) - number(step.delta.element_picoseconds)) *
                          number(activity.in_order) / _workers;
  const double walked = number(step.picoseconds) * number(entered - activity.partial_runs());
  return 1e-12 * (walked + in_order + spent(step.active, activity.pushed) + spent(step.delta, activity.delta) +
                  spent(step.settled, activity.settled));
}

double PredictedSeconds::fresh(const optimizer::Step& step, std::uint64_t entered) const {
  return entered == 0 ? 0 : 1e-12 * _fresh * static_cast<double>(step.fresh_picoseconds);
}

void PredictedSeconds::add(const std::vector<optimizer::Step>& steps, Ran& ran, bool in_loop) {
  for (const optimizer::Step& step : steps) {
    const std::size_t index = ran.next++;
    const std::uint64_t entered = ran.entered.at(index);
    const double spent = of(step, entered, ran.activity.at(index)) + fresh(step, entered);
    all += spent;
    loops += in_loop ? spent : 0;
    if (const auto* loop = std::get_if<optimizer::Loop>(&step.what)) {
      add(loop->body, ran, true);
    } else if (const auto* branch = std::get_if<optimizer::Branch>(&step.what)) {
      add(branch->then, ran, in_loop);
      add(branch->otherwise, ran, in_loop);
    }
  }
}

}  // namespace kasen
