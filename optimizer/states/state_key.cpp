#include "optimizer/states/state_key.h"

namespace kasen::optimizer {

std::vector<std::uint32_t> key_of(const FoundStates& found) {
  std::vector<std::uint32_t> key;
  key.reserve(4 * found.states.size());
  for (std::size_t v = 0; v < found.states.size(); ++v) {
    const FoundStates::Made& made = found.states[v];
    const RuleChoice& choice = found.choice[v];
    const auto form =
        static_cast<std::uint32_t>(2 * static_cast<unsigned>(made.kind) + (found.gathered[v] != 0 ? 1 : 0));
    key.push_back(static_cast<std::uint32_t>(choice.rule) << 16 | std::uint32_t{choice.argument} << 8 | form);
    key.push_back(static_cast<std::uint32_t>(index_of(made.reducer)));
    key.push_back(static_cast<std::uint32_t>(made.roles));
    key.push_back(static_cast<std::uint32_t>(found.scattered[v]));
  }
  return key;
}

}  // namespace kasen::optimizer
