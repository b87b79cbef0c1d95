#include "optimizer/states/state_key.h"

namespace kasen::optimizer {
namespace {

class KeyWriter {
 public:
  std::vector<std::uint32_t> run(const FoundStates& found) {
    _key.reserve(6 * found.states.size());
    for (const State& state : found.states) {
      add(static_cast<std::uint32_t>(state.kind));
      add(index_of(state.reducer));
      add(state.roles);
    }
    for (const RuleChoice& choice : found.choice) {
      add(static_cast<std::uint32_t>(choice.rule));
      add(choice.argument);
    }
    for (ValueId value : found.gathered) add(index_of(value));
    add(index_of(kNone<ValueId>));
    for (const auto& [value, roles] : found.scattered) {
      add(index_of(value));
      add(roles);
    }
    return std::move(_key);
  }

 private:
  void add(std::uint32_t number) { _key.push_back(number); }
  void add(const RoleSet& roles) {
    add(static_cast<std::uint32_t>(roles.size()));
    for (const Role& role : roles) {
      add(index_of(role.matrix));
      add(static_cast<std::uint32_t>(role.side));
    }
  }

  std::vector<std::uint32_t> _key;
};

}  // namespace

std::vector<std::uint32_t> key_of(const FoundStates& found) { return KeyWriter().run(found); }

}  // namespace kasen::optimizer
