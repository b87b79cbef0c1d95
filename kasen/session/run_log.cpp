#include "kasen/session/run_log.h"

namespace kasen {

std::vector<checkpoint::SavedResult> log_of(std::span<const optimizer::Result> results,
                                            const std::vector<runtime::LiveValue>& values) {
  std::vector<checkpoint::SavedResult> log;
  for (std::size_t k = 0; k < results.size(); ++k)
    log.push_back({results[k].held, results[k].state, values[k].has, values[k].shared});
  return log;
}

}  // namespace kasen
