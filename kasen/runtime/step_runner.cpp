/// @file
/// Runners of scalar steps, loops and branches, and the sequence that holds them.
#include "kasen/runtime/step_runner.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "kasen/base/error.h"
#include "kasen/runtime/active_sweep.h"
#include "kasen/runtime/blocked_sweep.h"
#include "kasen/runtime/boundaries.h"
#include "kasen/runtime/connecting_sweep.h"
#include "kasen/runtime/delta_state.h"
#include "kasen/runtime/delta_sweep.h"
#include "kasen/runtime/dense_sweep.h"
#include "kasen/runtime/exchange_step.h"
#include "kasen/runtime/running.h"
#include "kasen/runtime/state_check.h"
#include "kasen/runtime/sweep_step.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::runtime {
namespace {

using optimizer::Step;

/// A sweep or exchange of its own class behind the common interface.
template <class Work>
class Direct final : public StepRunner {
 public:
  template <class... Arguments>
  explicit Direct(Arguments&&... arguments) : _work(std::forward<Arguments>(arguments)...) {}
  void run() override { _work.run(); }

 private:
  Work _work;
};

class ScalarStep final : public StepRunner {
 public:
  ScalarStep(const optimizer::ScalarWork& scalar, RunContext& context) : _scalar(scalar), _context(context) {
    for (const ValueId value : scalar.in) _in.push_back(context.storage.shared(value));
  }

  /// Without a value to read there is none to write.
  void run() override {
    ValueStore& storage = _context.storage;
    const bool has = std::all_of(_scalar.in.begin(), _scalar.in.end(), [&](ValueId v) { return storage.has(v); });
    if (has) {
      const auto& kernel = _context.kernel<ApplyKernel>(_scalar.kernel);
      running = {&_scalar.label, _scalar.where};
      kernel.run(kernel.context.get(), _in.data(), storage.shared(_scalar.out));
      running = {};
    }
    storage.set_has(_scalar.out, has);
  }

 private:
  const optimizer::ScalarWork& _scalar;
  RunContext& _context;
  std::vector<const void*> _in;
};

bool test(RunContext& context, ValueId value, const char* user, const SourceLine& where) {
  require_value(context, value, user, where);
  return *reinterpret_cast<const bool*>(context.storage.shared(value));
}

/// Values of `among` that `defined` holds.
std::vector<ValueId> intersect(const std::vector<ValueId>& among, const std::set<ValueId>& defined) {
  std::vector<ValueId> result;
  std::copy_if(among.begin(), among.end(), std::back_inserter(result), [&](ValueId v) { return defined.contains(v); });
  return result;
}

class LoopStep final : public StepRunner {
 public:
  LoopStep(const Step& step, RunContext& context, std::size_t depth)
      : _loop(std::get<optimizer::Loop>(step.what)),
        _context(context),
        _outermost(depth == 0),
        _delta(delta_of(_loop, context)),
        _body(body_of(depth)) {
    _spent = intersect(_loop.yields, optimizer::defined_within(_loop.body));
  }

  void run() override {
    ValueStore& storage = _context.storage;
    storage.alias(_loop.initial, _loop.arguments);
    storage.release(_loop.dies_at_entry);
    begin();
    iterate();
  }

  void resume(std::span<const std::uint32_t> position) override {
    begin();
    if (position.size() > 1) {
      begin_iteration();
      _body.resume(position.subspan(1));
      end_iteration();
    }
    iterate();
  }

 private:
  void begin() {
    if (_delta) _delta->enter();
    if (_context.boundaries != nullptr) _context.position.push_back(_loop.body_block);
  }

  void iterate() {
    while (test(_context, _loop.test, "while_", _loop.where)) {
      begin_iteration();
      _body.run();
      end_iteration();
    }
    end_under_way(_context);
    if (_outermost && _context.timeline != nullptr) _context.timeline->end_loop();
    if (_context.boundaries != nullptr) _context.position.pop_back();
    if (_delta) _delta->leave();
    _context.storage.alias(_loop.arguments, _loop.results);
    _context.storage.release(_loop.arguments);
  }

  void begin_iteration() {
    _context.entered[_loop.body_block] += 1;
    if (_outermost && _context.timeline != nullptr) _context.timeline->begin_iteration();
  }

  void end_iteration() {
    _context.storage.alias(_loop.yields, _loop.arguments);
    _context.storage.release(_spent);
    if (_outermost && _context.progress) _context.progress();
    if (_context.boundaries == nullptr || !_context.boundaries->wanted()) return;
    end_under_way(_context);
    const auto save = [&] { _context.boundaries->reached(_context.plan, _context.storage, _context.position); };
    _delta ? _delta->save_with_put_off(save) : save();
  }

  static std::unique_ptr<DeltaState> delta_of(const optimizer::Loop& loop, RunContext& context) {
    bool settles = false, connects = false;
    for (const Step& step : loop.body) {  // products come first
      const auto* sweep = std::get_if<optimizer::Sweep>(&step.what);
      if (sweep == nullptr) continue;
      if (sweep->delta) return std::make_unique<DeltaState>(*sweep, settles, connects, context);
      settles = settles || optimizer::settles(*sweep);
      connects = connects || optimizer::connects(*sweep);
    }
    return nullptr;
  }
  Sequence body_of(std::size_t depth) {
    DeltaState* const outer = std::exchange(_context.delta, _delta.get());
    Sequence body(_loop.body, _context, depth + 1);
    _context.delta = outer;
    return body;
  }

  const optimizer::Loop& _loop;
  RunContext& _context;
  bool _outermost;
  std::unique_ptr<DeltaState> _delta;
  Sequence _body;
  std::vector<ValueId> _spent;
};

class BranchStep final : public StepRunner {
 public:
  BranchStep(const optimizer::Branch& branch, RunContext& context, std::size_t depth)
      : _branch(branch),
        _context(context),
        _then(branch.then, context, depth),
        _otherwise(branch.otherwise, context, depth) {
    _then_spent = intersect(branch.then_yields, optimizer::defined_within(branch.then));
    _otherwise_spent = intersect(branch.otherwise_yields, optimizer::defined_within(branch.otherwise));
  }

  void run() override {
    if (test(_context, _branch.test, "if_", _branch.where)) {
      take(true, [&] { _then.run(); });
    } else {
      take(false, [&] { _otherwise.run(); });
    }
  }

  void resume(std::span<const std::uint32_t> position) override {
    const bool then = position.front() == _branch.then_block;
    take(then, [&] { (then ? _then : _otherwise).resume(position.subspan(1)); });
  }

 private:
  template <class Work>
  void take(bool then, const Work& work) {
    const std::uint32_t block = then ? _branch.then_block : _branch.otherwise_block;
    _context.entered[block] += 1;
    if (_context.boundaries != nullptr) _context.position.push_back(block);
    work();
    if (_context.boundaries != nullptr) _context.position.pop_back();
    _context.storage.alias(then ? _branch.then_yields : _branch.otherwise_yields, _branch.results);
    _context.storage.release(then ? _then_spent : _otherwise_spent);
  }

  const optimizer::Branch& _branch;
  RunContext& _context;
  Sequence _then, _otherwise;
  std::vector<ValueId> _then_spent, _otherwise_spent;
};

/// Whether the step may run while that exchange is under way.
bool knows(const Step& step, const ExchangeStep& exchange) {
  return std::any_of(step.under_way.begin(), step.under_way.end(),
                     [&](const optimizer::UnderWay& one) { return one.exchange == exchange.number(); });
}

std::unique_ptr<StepRunner> make_runner(const Step& step, RunContext& context, std::size_t depth,
                                        std::size_t position) {
  if (const auto* sweep = std::get_if<optimizer::Sweep>(&step.what)) {
    if (optimizer::connects(*sweep)) return std::make_unique<Direct<ConnectingSweep>>(step, context, position);
    if (optimizer::active_of(*sweep) != kNone<ValueId>)
      return std::make_unique<Direct<ActiveSweep>>(step, context, position);
    if (sweep->delta) return std::make_unique<Direct<DeltaSweep>>(step, context, position);
    switch (sweep->walk) {
      case optimizer::Walk::elements:
      case optimizer::Walk::compressed:
      case optimizer::Walk::dense:
      case optimizer::Walk::stencils:
        return std::make_unique<Direct<SweepStep>>(*sweep, step.dies, context, position);
      case optimizer::Walk::rectangles:
        return std::make_unique<Direct<DenseSweep>>(*sweep, step.dies, context);
      case optimizer::Walk::blocked:
        return std::make_unique<Direct<BlockedSweep>>(*sweep, step.dies, context, step.under_way);
    }
    throw InternalError("a sweep without a walk");
  }
  if (const auto* exchange = std::get_if<optimizer::Exchange>(&step.what)) {
    return std::make_unique<Direct<ExchangeStep>>(*exchange, context, position);
  }
  if (const auto* scalar = std::get_if<optimizer::ScalarWork>(&step.what)) {
    return std::make_unique<ScalarStep>(*scalar, context);
  }
  if (std::holds_alternative<optimizer::Loop>(step.what)) return std::make_unique<LoopStep>(step, context, depth);
  return std::make_unique<BranchStep>(std::get<optimizer::Branch>(step.what), context, depth);
}

}  // namespace

void StepRunner::resume(std::span<const std::uint32_t>) { throw InternalError("no boundary is within this step"); }

Sequence::Sequence(const std::vector<Step>& steps, RunContext& context, std::size_t depth)
    : _steps(steps), _context(context) {
  for (const Step& step : steps) {
    const std::size_t position = context.seconds.size();
    context.seconds.push_back(0);
    context.activity.emplace_back();
    context.missed.push_back(0);
    _entries.push_back({&step, make_runner(step, context, depth, position), position});
  }
}

template <class Work>
void Sequence::run_entry(std::size_t k, const std::function<void(std::size_t step)>& before, const Work& work) {
  using Clock = std::chrono::steady_clock;
  Entry& entry = _entries[k];
  if (before) before(k);
  Timeline* const timeline = _context.timeline;
  const bool kept = timeline != nullptr && timeline->keeps();
  const std::uint64_t sent = _context.measured.bytes_sent;
  const double prepared = _context.prepared;
  if (kept) timeline->enter(static_cast<std::uint32_t>(entry.position));
  const auto begin = Clock::now();
  if (_context.under_way != nullptr && !knows(*entry.step, *_context.under_way)) end_under_way(_context);
  if (_context.check != nullptr) _context.check->before(*entry.step);
  work(*entry.runner);
  if (_context.check != nullptr) _context.check->after();
  _context.storage.release(entry.step->dies);
  const auto end = Clock::now();
  const double seconds = std::chrono::duration<double>(end - begin).count() - (_context.prepared - prepared);
  _context.seconds[entry.position] += seconds - std::exchange(_context.waited, 0);
  if (timeline == nullptr) return;
  if (kept) {
    timeline->add_step(static_cast<std::uint32_t>(entry.position), Timeline::time_of(begin), Timeline::time_of(end),
                       _context.measured.bytes_sent - sent);
    timeline->enter(Timeline::kNone);
  }
  if (std::holds_alternative<optimizer::Exchange>(entry.step->what)) timeline->end_superstep();
}

void Sequence::run(const std::function<void(std::size_t step)>& before) {
  for (std::size_t k = 0; k < _entries.size(); ++k) run_entry(k, before, [](StepRunner& runner) { runner.run(); });
}

void Sequence::resume(std::span<const std::uint32_t> position, const std::function<void(std::size_t step)>& before) {
  const std::size_t first = optimizer::step_around(_steps, position.front());
  for (std::size_t k = 0; k < first; ++k) _context.missed[_entries[k].position] += 1;
  run_entry(first, before, [&](StepRunner& runner) { runner.resume(position); });
  for (std::size_t k = first + 1; k < _entries.size(); ++k)
    run_entry(k, before, [](StepRunner& runner) { runner.run(); });
}

}  // namespace kasen::runtime
