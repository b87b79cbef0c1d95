#include "optimizer/plan/step_tools.h"

#include <algorithm>

namespace kasen::optimizer {
namespace {

void reads_of_body(const std::vector<Step>& body, std::set<ValueId> inside, const std::vector<ValueId>& yields,
                   std::set<ValueId>& reads) {
  for (const Step& step : body) {
    for (ValueId value : reads_of(step)) {
      if (!inside.contains(value)) reads.insert(value);
    }
    for (ValueId value : defined_by(step)) inside.insert(value);
  }
  for (ValueId value : yields) {
    if (!inside.contains(value)) reads.insert(value);
  }
}

template <class Steps, class Visit>
void walk(Steps& steps, const Visit& visit) {
  for (auto& step : steps) {
    visit(step);
    if (auto* loop = std::get_if<Loop>(&step.what)) {
      walk(loop->body, visit);
    } else if (auto* branch = std::get_if<Branch>(&step.what)) {
      walk(branch->then, visit);
      walk(branch->otherwise, visit);
    }
  }
}

}  // namespace

std::set<ValueId> reads_of(const Step& step) {
  std::set<ValueId> reads;
  if (const auto* sweep = std::get_if<Sweep>(&step.what)) {
    std::set<ValueId> made;
    for (const Launch& launch : sweep->launches) made.insert(launch.out.begin(), launch.out.end());
    for (const Launch& launch : sweep->launches) {
      for (ValueId value : launch.in) {
        if (!made.contains(value)) reads.insert(value);
      }
      reads.insert(launch.shared.begin(), launch.shared.end());
      if (launch.active != kNone<ValueId>) reads.insert(launch.active);
    }
  } else if (const auto* exchange = std::get_if<Exchange>(&step.what)) {
    for (const auto* moves : {&exchange->gathers, &exchange->scatters, &exchange->reductions}) {
      for (const Move& move : *moves) reads.insert(move.from);
    }
  } else if (const auto* scalar = std::get_if<Scalar>(&step.what)) {
    reads.insert(scalar->in.begin(), scalar->in.end());
  } else if (const auto* loop = std::get_if<Loop>(&step.what)) {
    reads.insert(loop->initial.begin(), loop->initial.end());
    reads_of_body(loop->body, {loop->arguments.begin(), loop->arguments.end()}, loop->yields, reads);
  } else if (const auto* branch = std::get_if<Branch>(&step.what)) {
    reads.insert(branch->test);
    reads_of_body(branch->then, {}, branch->then_yields, reads);
    reads_of_body(branch->otherwise, {}, branch->otherwise_yields, reads);
  }
  return reads;
}

std::vector<ValueId> defined_by(const Step& step) {
  std::vector<ValueId> defined;
  if (const auto* sweep = std::get_if<Sweep>(&step.what)) {
    for (const Launch& launch : sweep->launches) defined.insert(defined.end(), launch.out.begin(), launch.out.end());
  } else if (const auto* exchange = std::get_if<Exchange>(&step.what)) {
    for (const auto* moves : {&exchange->gathers, &exchange->scatters, &exchange->reductions}) {
      for (const Move& move : *moves) defined.push_back(move.to);
    }
  } else if (const auto* scalar = std::get_if<Scalar>(&step.what)) {
    defined.push_back(scalar->out);
  } else if (const auto* loop = std::get_if<Loop>(&step.what)) {
    defined = loop->results;
  } else if (const auto* branch = std::get_if<Branch>(&step.what)) {
    defined = branch->results;
  }
  return defined;
}

std::set<ValueId> read_at_random(const Sweep& sweep) {
  std::set<ValueId> vectors;
  for (const Launch& launch : sweep.launches) {
    if (is_matrix_op(launch.op) && !launch.push) vectors.insert(launch.in.begin(), launch.in.end());
  }
  return vectors;
}

ValueId active_of(const Sweep& sweep) { return sweep.launches.empty() ? kNone<ValueId> : sweep.launches[0].active; }

bool only_pulls(const Sweep& sweep) {
  return std::all_of(sweep.launches.begin(), sweep.launches.end(),
                     [](const Launch& launch) { return is_matrix_op(launch.op) && !launch.push; });
}

void push_instead(Launch& launch, MatrixId matrix) {
  launch.push = true;
  launch.filled_roles = launch.roles;
  launch.roles = {Role{matrix, walked_side(launch)}};
}

void for_each_step(std::vector<Step>& steps, const std::function<void(Step&)>& visit) { walk(steps, visit); }
void for_each_step(const std::vector<Step>& steps, const std::function<void(const Step&)>& visit) {
  walk(steps, visit);
}

}  // namespace kasen::optimizer
