#include "optimizer/text/names.h"

namespace kasen::optimizer {

std::string Names::of(ValueId value) {
  const auto [entry, added] = _numbers.try_emplace(value, _numbers.size() + 1);
  return "v" + std::to_string(entry->second);
}

std::string Names::of(const std::vector<ValueId>& values) {
  std::string text;
  for (ValueId value : values) text += (text.empty() ? "" : " ") + of(value);
  return text;
}

std::string Names::reducer(ReducerId id) const {
  return index_of(id) < _reducers.size() ? _reducers[index_of(id)] : "?";
}

std::string Names::of(const RoleSet& roles) {
  std::string text;
  for (const Role& role : roles) {
    if (!text.empty()) text += ", ";
    if (role == kEverywhere) {
      text += "everywhere";
    } else {
      text += (role.side == Role::Side::row ? "row " : "col ") + std::to_string(index_of(role.matrix));
    }
  }
  return text.empty() ? "" : "{" + text + "}";
}

std::string Names::of(const State& state) const {
  switch (state.kind) {
    case State::Kind::partitioned:
      return "P";
    case State::Kind::consistent:
      return "C" + of(state.roles);
    case State::Kind::pre_reduced:
      return "PR(" + reducer(state.reducer) + ")" + of(state.roles);
  }
  return "";
}

}  // namespace kasen::optimizer
