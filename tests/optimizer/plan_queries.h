/// @file
/// Questions that tests ask of a plan.
#pragma once

#include <set>
#include <vector>

#include "optimizer/plan/plan.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer::tests {

/// All steps of a kind, in order, nested ones included. The plan has to outlive the result.
template <class Kind>
std::vector<const Kind*> all(const std::vector<Step>& steps) {
  std::vector<const Kind*> found;
  for_each_step(steps, [&](const Step& step) {
    if (const auto* kind = std::get_if<Kind>(&step.what)) found.push_back(kind);
  });
  return found;
}
template <class Kind>
std::vector<const Kind*> all(const Plan& plan) {
  return all<Kind>(plan.steps);
}

inline std::vector<const Launch*> launches(const Plan& plan) {
  std::vector<const Launch*> found;
  for (const Sweep* sweep : all<Sweep>(plan)) {
    for (const Launch& launch : sweep->launches) found.push_back(&launch);
  }
  return found;
}

/// The first launch that runs by the rule; null if there is none.
inline const Launch* launch_by(const Plan& plan, int rule) {
  for (const Launch* launch : launches(plan)) {
    if (launch->rule == rule) return launch;
  }
  return nullptr;
}

inline std::vector<Move> gathers(const Plan& plan) {
  std::vector<Move> found;
  for (const Exchange* e : all<Exchange>(plan)) found.insert(found.end(), e->gathers.begin(), e->gathers.end());
  return found;
}
inline std::vector<Move> scatters(const Plan& plan) {
  std::vector<Move> found;
  for (const Exchange* e : all<Exchange>(plan)) found.insert(found.end(), e->scatters.begin(), e->scatters.end());
  return found;
}

inline const State& state_of(const Plan& plan, ValueId value) { return plan.states[index_of(value)]; }

inline const Place& place_of(const Sweep& sweep, ValueId value) {
  for (const Place& place : sweep.places) {
    if (place.value == value) return place;
  }
  static const Place none;
  return none;
}

/// The numbers of elements of a class together: buffers the plan obtains.
inline std::uint64_t buffers(const Plan& plan) {
  std::uint64_t count = 0;
  for (const BufferClass& cls : plan.classes) count += cls.count;
  return count;
}

}  // namespace kasen::optimizer::tests
