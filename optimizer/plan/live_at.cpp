#include "optimizer/plan/live_at.h"

#include <algorithm>
#include <optional>
#include <set>

#include "kasen/base/error.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

using Values = std::set<ValueId>;

void add(Values& to, const std::vector<ValueId>& values) { to.insert(values.begin(), values.end()); }
void remove(Values& from, const std::vector<ValueId>& values) {
  for (const ValueId value : values) from.erase(value);
}

/// What is live before the steps from `first` on, where `live` is so after them.
Values before(const std::vector<Step>& steps, std::size_t first, Values live) {
  for (std::size_t k = steps.size(); k-- > first;) {
    remove(live, defined_by(steps[k]));
    add(live, reads_of(steps[k]));
  }
  return live;
}

/// What is live between two iterations, before the test.
Values between_iterations(const Loop& loop, Values after) {
  remove(after, loop.results);
  Values yields(loop.yields.begin(), loop.yields.end());
  Values live = before(loop.body, 0, std::move(yields));
  live.merge(after);
  add(live, loop.arguments);
  live.insert(loop.test);
  return live;
}

Values live_in(const std::vector<Step>& steps, std::span<const std::uint32_t> position, Values after) {
  const std::size_t k = step_around(steps, position.front());
  after = before(steps, k + 1, std::move(after));
  if (const auto* loop = std::get_if<Loop>(&steps[k].what)) {
    Values live = between_iterations(*loop, std::move(after));
    if (position.size() == 1) return live;
    remove(live, loop->arguments);  // an iteration ends with others
    add(live, loop->yields);
    return live_in(loop->body, position.subspan(1), std::move(live));
  }
  const auto& branch = std::get<Branch>(steps[k].what);
  if (position.size() == 1) throw InternalError("a place between iterations that is in no loop");
  const bool then = position.front() == branch.then_block;
  remove(after, branch.results);
  add(after, then ? branch.then_yields : branch.otherwise_yields);
  return live_in(then ? branch.then : branch.otherwise, position.subspan(1), std::move(after));
}

std::optional<std::size_t> found_around(const std::vector<Step>& steps, std::uint32_t block) {
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const auto* loop = std::get_if<Loop>(&steps[k].what);
    const auto* branch = std::get_if<Branch>(&steps[k].what);
    if (loop != nullptr && loop->body_block == block) return k;
    if (branch != nullptr && (branch->then_block == block || branch->otherwise_block == block)) return k;
  }
  return std::nullopt;
}

bool has_place_in(const std::vector<Step>& steps, std::span<const std::uint32_t> position) {
  const std::optional<std::size_t> k = found_around(steps, position.front());
  if (!k) return false;
  const auto* loop = std::get_if<Loop>(&steps[*k].what);
  if (position.size() == 1) return loop != nullptr;
  if (loop != nullptr) return has_place_in(loop->body, position.subspan(1));
  const auto& branch = std::get<Branch>(steps[*k].what);
  return has_place_in(position.front() == branch.then_block ? branch.then : branch.otherwise, position.subspan(1));
}

}  // namespace

std::size_t step_around(const std::vector<Step>& steps, std::uint32_t block) {
  if (const std::optional<std::size_t> k = found_around(steps, block)) return *k;
  throw InternalError("no loop or branch has block " + std::to_string(block));
}

bool has_place(const Plan& plan, std::span<const std::uint32_t> position) { return has_place_in(plan.steps, position); }

std::vector<ValueId> live_at(const Plan& plan, std::span<const std::uint32_t> position) {
  Values results;
  for (const Result& result : plan.results) results.insert(result.held);
  const Values live = live_in(plan.steps, position, std::move(results));
  return {live.begin(), live.end()};
}

std::vector<ValueId> origins(const Plan& plan) {
  std::vector<ValueId> from(plan.values.size());
  for (std::size_t v = 0; v < from.size(); ++v) from[v] = static_cast<ValueId>(v);
  for_each_step(plan.steps, [&](const Step& step) {
    const auto* exchange = std::get_if<Exchange>(&step.what);
    if (exchange == nullptr) return;
    for (const auto* moves : {&exchange->gathers, &exchange->scatters, &exchange->reductions}) {
      for (const Move& move : *moves) from[index_of(move.to)] = move.from;
    }
  });
  for (ValueId& value : from) {
    while (from[index_of(value)] != value) value = from[index_of(value)];
  }
  return from;
}

}  // namespace kasen::optimizer
