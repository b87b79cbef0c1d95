/// @file
/// Planning of pending work: what the placement must have of a program before, and the plan, equal on all workers.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/base/program_tools.h"
#include "kasen/session/engine.h"
#include "kasen/session/given_values.h"
#include "kasen/session/structure_key.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/text/explain.h"
#include "optimizer/text/print.h"

namespace kasen {

/// What the keys of pending work lead into, and what it reads whole, is held by every worker, before plans are made.
/// Vectors that are stored get room for that, so pending work is not taken yet.
void Engine::hold_keys(SourceLine where) {
  std::set<SpaceId> wanted;
  const Program& program = _recorder.pending();
  for_each_block(program.top, [&](const Block& block) {
    for (const Statement& statement : block.statements) {
      const auto want = [&](ValueId value) { wanted.insert(program.values[index_of(value)].space); };
      std::for_each(statement.in.begin(), statement.in.begin() + statement.wholes, want);
      if (statement.op == Op::reduce_by_key) want(statement.out[0]);
    }
  });
  std::erase_if(wanted, [&](SpaceId space) { return _placement.is_everywhere(space); });
  if (wanted.empty()) return;
  try {
    meet_about(wanted, where);
  } catch (const AgreedError& error) {
    _recorder.take(std::nullopt);
    _recorder.lose(error.what());
    throw;
  }
  comm::alike([&] {
    for (const SpaceId space : wanted) _placement.hold_everywhere(space);
    make_room();
  });
}

void Engine::assign_spaces(const Program& program, SourceLine where) {
  std::set<SpaceId> used, added;
  for (const Value& value : program.values) {
    if (value.kind == Value::Kind::vector) used.insert(value.space);
  }
  std::copy_if(used.begin(), used.end(), std::inserter(added, added.end()),
               [&](SpaceId space) { return !_placement.space(space).assigned(); });
  if (!added.empty()) meet_about(added, where);
  for (const SpaceId space : used) _placement.assign(space);
}

/// Collective. Lengths are compared before owners are: a space that no data is in has been made by each worker alone.
void Engine::meet_about(const std::set<SpaceId>& spaces, SourceLine where) const {
  std::vector<std::uint64_t> numbers;
  for (const SpaceId space : spaces) {
    numbers.push_back(index_of(space));
    numbers.push_back(_placement.space(space).length());
  }
  kasen::meet(_control, {static_cast<std::uint64_t>(Meeting::spaces), where, numbers});
}

/// Blocks and stencils are worth their making where products are many, in a loop or so far that as many more can be
/// expected; whether they save time is for the planner.
void Engine::count_blocks(const Program& program, SourceLine where) {
  std::set<std::pair<MatrixId, Role::Side>> wanted;
  const auto visit = [&](const auto& self, const Block& block, bool in_loop) -> void {
    for (const Statement& statement : block.statements) {
      for (const Block& region : statement.regions) self(self, region, in_loop || statement.op == Op::while_);
      if (!is_matrix_op(statement.op)) continue;
      const auto outputs = output_side(statement.op);
      const bool often = in_loop || _products[{statement.matrix, outputs}] >= partition::kWalksOfStorage;
      const bool asked = _options.storage == Storage::blocked || _options.storage == Storage::stencils;
      if (often || asked) wanted.emplace(statement.matrix, outputs);
    }
  };
  visit(visit, program.top, false);
  std::erase_if(wanted, [&](const auto& entry) { return _placement.blocks_counted(entry.first, entry.second); });
  if (wanted.empty()) return;
  std::vector<std::uint64_t> numbers;
  for (const auto& [matrix, outputs] : wanted) {
    numbers.push_back(index_of(matrix));
    numbers.push_back(static_cast<std::uint64_t>(outputs));
  }
  kasen::meet(_control, {static_cast<std::uint64_t>(Meeting::plan), where, numbers});
  for (const auto& [matrix, outputs] : wanted) _placement.count_blocks(matrix, outputs);
}

/// Collective. Brings about what the placement has of a program before it is planned.
void Engine::prepare(const Program& program, SourceLine where) {
  comm::alike([&] {
    assign_spaces(program, where);
    count_blocks(program, where);
  });
}

/// Collective. @throws AgreedError where a worker cannot plan, or has another plan.
PlanRecord& Engine::plan_together(const recording::Pending& pending, SourceLine where) {
  const Program& program = pending.program;
  prepare(program, where);
  PlanRecord* record = nullptr;
  std::exception_ptr error;
  try {
    record = &plan_for(program);
  } catch (...) {
    error = std::current_exception();
  }
  std::vector<std::uint64_t> read;
  for (const auto& stored : pending.live_in) read.push_back(stored->number);
  const std::uint64_t what =
      record == nullptr ? static_cast<std::uint64_t>(Meeting::no_plan) : record->plan.fingerprint;
  const std::vector<recording::GivenValue> given = given_values(pending);
  kasen::meet(_control, {what, where, read, given, error});
  return *record;
}

PlanRecord& Engine::plan_for(const Program& program) {
  const std::string key = structure_key(program, _placement.stats());
  if (const auto found = _plan_of.find(key); found != _plan_of.end()) return *found->second;
  std::string passes, before;
  const auto& printed = _options.print_after;
  if (!printed.empty()) before = optimizer::print(program);
  const auto observe = [&](const optimizer::PassReport& report) {
    passes += fmt::format("{} {:.3f} ms{}  ", report.name, report.seconds * 1e3, report.skipped ? " (off)" : "");
    if (printed.empty()) return;
    std::string text = report.text();
    if (std::any_of(printed.begin(), printed.end(), [&](const auto& n) { return n == report.name || n == "all"; }))
      print(fmt::format("after {}:\n{}\n", report.name, text == before ? "(unchanged)\n" : text));
    before = std::move(text);
  };
  auto record = std::make_unique<PlanRecord>();
  record->number = static_cast<std::uint32_t>(_plans.size());
  const auto start = std::chrono::steady_clock::now();
  const TimelineScope scope(timeline(), Timeline::Kind::plan, record->number);
  const bool is_watched = _options.explain || !printed.empty();
  record->plan = optimizer::optimize(program, _placement.stats(), _options, _profile,
                                     is_watched ? optimizer::PassObserver(observe) : optimizer::PassObserver());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  _planning_seconds += seconds;
  if (!_options.record.empty()) {
    record->recorded =
        std::make_unique<const optimizer::RecordedProgram>(optimizer::RecordedProgram{program, _placement.stats(), 0});
  }
  std::size_t steps = 0;
  optimizer::for_each_step(record->plan.steps, [&](const optimizer::Step&) { ++steps; });
  record->operations = count_operations(program.top);
  record->entered.resize(steps);
  record->seconds.resize(steps);
  record->activity.resize(steps);
  ++_counts.plans;
  if (_options.explain) {
    print(fmt::format("plan {}\n{}planned in {:.3f} ms\npasses: {}\n\n", _counts.plans,
                      optimizer::explain(record->plan, _placement.stats(), _options.threads), seconds * 1e3, passes));
  }
  _plans.push_back(std::move(record));
  return *(_plan_of[key] = _plans.back().get());
}

}  // namespace kasen
