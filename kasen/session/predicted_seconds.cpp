#include "kasen/session/predicted_seconds.h"

#include <variant>

namespace kasen {

void PredictedSeconds::add(const std::vector<optimizer::Step>& steps, const std::vector<std::uint64_t>& entered) {
  std::size_t index = 0;
  add(steps, entered, index, false);
}

void PredictedSeconds::add(const std::vector<optimizer::Step>& steps, const std::vector<std::uint64_t>& entered,
                           std::size_t& index, bool in_loop) {
  for (const optimizer::Step& step : steps) {
    const double spent = 1e-12 * static_cast<double>(step.picoseconds) * static_cast<double>(entered.at(index++));
    all += spent;
    loops += in_loop ? spent : 0;
    if (const auto* loop = std::get_if<optimizer::Loop>(&step.what)) {
      add(loop->body, entered, index, true);
    } else if (const auto* branch = std::get_if<optimizer::Branch>(&step.what)) {
      add(branch->then, entered, index, in_loop);
      add(branch->otherwise, entered, index, in_loop);
    }
  }
}

}  // namespace kasen
