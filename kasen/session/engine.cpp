#include "kasen/session/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <utility>

#include "comm/failure.h"
#include "comm/memory_limit.h"
#include "kasen/base/error.h"
#include "kasen/base/hash.h"
#include "kasen/base/printable.h"
#include "kasen/base/program_tools.h"
#include "kasen/base/steady_time.h"
#include "kasen/runtime/running.h"
#include "kasen/session/given_values.h"
#include "kasen/session/predicted_seconds.h"
#include "kasen/session/profile_file.h"
#include "kasen/session/run_log.h"
#include "kasen/session/structure_key.h"
#include "optimizer/analysis/analysis.h"
#include "optimizer/plan/step_tools.h"

namespace kasen {
namespace {

/// Whether runs are followed by state_check.h, on all workers or none: in builds that do so, unless the environment
/// says KASEN_CHECK_STATES=0.
bool checks_states([[maybe_unused]] const comm::Communicator& control) {
#ifdef KASEN_CHECK_STATES
  const char* const asked = std::getenv("KASEN_CHECK_STATES");
  return control.max(asked != nullptr && std::string_view(asked) == "0" ? 1 : 0) == 0;
#else
  return false;
#endif
}

constexpr const char* kOnlyAnalyzed = "what was to be computed has only been analyzed";

Counts sum(const comm::Communicator& control, const Counts& mine) {
  std::vector<std::uint64_t> all;
  for (const auto& field : Counts::fields()) all.push_back(mine.*field.member);
  control.sum(std::span<std::uint64_t>(all));
  Counts result;
  for (std::size_t k = 0; k < all.size(); ++k) result.*Counts::fields()[k].member = all[k];
  return result;
}

/// A run as an event of the timeline, if there is one.
class RunScope {
 public:
  RunScope(Timeline* timeline, const PlanRecord& record)
      : _timeline(timeline), _plan(record.number), _begin(Timeline::now()) {
    if (_timeline == nullptr) return;
    bool has_loops = false;
    optimizer::for_each_step(record.plan.steps, [&](const optimizer::Step& step) {
      has_loops = has_loops || std::holds_alternative<optimizer::Loop>(step.what);
    });
    _timeline->begin_run(_plan, has_loops);
    _kept = _timeline->keeps();
  }
  ~RunScope() {
    if (_timeline == nullptr) return;
    _timeline->end_run();
    if (_kept) _timeline->add(Timeline::Kind::run, _begin, Timeline::now(), _plan);
  }
  RunScope(const RunScope&) = delete;
  RunScope& operator=(const RunScope&) = delete;

 private:
  Timeline* _timeline;
  std::uint32_t _plan;
  Timeline::Time _begin;
  bool _kept = false;
};

}  // namespace

Engine::Engine(const Options& options)
    : _options(options),
      _control(MPI_COMM_WORLD, "kasen.control"),
      _steps(MPI_COMM_WORLD, "kasen.steps"),
      _timeline(options.trace.empty() ? nullptr
                                      : std::make_unique<Timeline>(options.trace_events, options.trace_every)),
      _clock_at_start(_timeline ? comm::compare_clocks(_control) : comm::ClockReading()),
      _progress(_control.rank() == 0 && !options.quiet, options.progress),
      _profile(options.profile.empty() ? Profile() : read_profile(_control, options.profile)),
      _placement(_control, _options, partition::kMaxLocalElements, _profile.cache_bytes[0]),
      _cores(comm::cores_for(_control, _options.threads)),
      _team(_options.threads, _cores.enough,
            [this](std::uint32_t thread) {
              if (!_cores.of_threads.empty()) comm::bind_this_thread(_cores.of_threads[thread]);
            }),
      _binding(_cores),
      _executor(_control, _steps, _placement, _pool, _team, runtime::RunLimits(options), checks_states(_control)) {
  _team.observe(_timeline.get());
  comm::limit_memory(_options.memory);
  if (_options.analyze || (_options.checkpoint.empty() && _options.resume.empty())) return;
  _checkpoints = std::make_unique<Checkpoints>(
      _options, Checkpoints::Parts{_control, _placement, _recorder, _pool, _progress, _timeline.get()});
}

void Engine::print(const std::string& text) const {
  if (_control.rank() != 0 || _options.quiet) return;
  std::fputs(printable_lines(text).c_str(), stdout);
  std::fflush(stdout);
}

const recording::Stored& Engine::compute(recording::SlotId slot, std::string_view what, SourceLine where) {
  if (runtime::running.label != nullptr)
    recording::refuse(where, what, "not allowed in a function of elements: give it the Shared as an argument");
  _recorder.require_readable(slot, what, where);
  if (_recorder.computed(slot) == nullptr) {
    if (_options.analyze) analyze_and_stop(slot, what, where);
    run(slot, where);
  }
  const recording::Stored* stored = _recorder.computed(slot);
  if (stored == nullptr) throw InternalError("a value that was asked for was not computed");
  if (_checkpoints) _checkpoints->note_read(*stored);
  return *stored;
}

void Engine::run_effects() {
  SourceLine where;  // of the first
  for_each_block(_recorder.pending().top, [&](const Block& block) {
    for (const Statement& statement : block.statements) {
      if (statement.effect && where.line == 0) where = statement.where;
    }
  });
  if (where.line == 0) return;
  if (!_options.analyze) return run(std::nullopt, where);
  analyze(std::nullopt, where);
  _recorder.lose(kOnlyAnalyzed);
}

/// For want of memory before the first step all stays as it was. After any other error what was pending is lost: there
/// is no plan, or vectors that only the program reads have been overwritten. What handles hold remains.
void Engine::run(std::optional<recording::SlotId> wanted, SourceLine where) {
  recording::Pending pending;
  try {
    hold_keys(where);
    if (!_has_room) make_room();  // for a matrix that came when there was no memory
    if (_checkpoints) _checkpoints->before_run();
    pending = _recorder.take(wanted);
  } catch (const Error&) {  // by all workers
    throw;
  } catch (const EndRequested&) {
    throw;
  } catch (...) {
    end_if_alone();
    throw;
  }
  if (_checkpoints && _checkpoints->replays()) return replay(std::move(pending), where);
  PlanRecord* record = nullptr;
  runtime::RunInputs inputs;
  const auto give_up = [&](const char* why) {
    if (record != nullptr && !inputs.taken) return give_back(std::move(pending), std::move(inputs));
    for (std::size_t k = 0; k < inputs.gathered.size(); ++k) {
      if (inputs.gathered[k]) pending.live_in[k]->state = State::partitioned();
    }
    _recorder.lose(why);
  };
  // Without memory for the first step it has not begun, and is tried again.
  const auto log_failure = [&](const char* message, int exit_status) {
    if (_checkpoints && inputs.taken) _checkpoints->failed(message, exit_status);
  };
  try {
    record = &plan_together(pending, where);
    std::optional<runtime::Resumption> resumption;
    if (_checkpoints) {
      const std::uint64_t given = hash_of(given_values(pending));
      resumption = _checkpoints->begin({program_hash(pending.program), given, pending, where}, record->plan);
    }
    run(*record, pending, inputs, resumption ? &*resumption : nullptr);
  } catch (const AgreedError& error) {
    give_up(error.what());
    log_failure(error.what(), error.exit_status());
    throw;
  } catch (const EndRequested& request) {
    give_up(request.what().c_str());
    throw;
  } catch (...) {
    end_if_alone();
    comm::with_current_exception([&](std::string_view message, int exit_status) {
      give_up(message.data());  // which ends with a NUL; there may be no memory for another one
      log_failure(message.data(), exit_status);
    });
    throw;
  }
}

/// Ends the job for an exception that this worker meets alone, if there are others, which may be waiting for it.
void Engine::end_if_alone() const {
  if (_control.size() > 1) comm::fail_with_current_exception();
}

void Engine::give_back(recording::Pending pending, runtime::RunInputs inputs) {
  for (std::size_t k = 0; k < inputs.values.size(); ++k) {
    if (pending.program.live_in[k].dies) pending.live_in[k]->value = std::move(inputs.values[k]);
  }
  _recorder.restore(std::move(pending));
}

void Engine::run(PlanRecord& record, recording::Pending& pending, runtime::RunInputs& inputs,
                 const runtime::Resumption* resumption) {
  inputs.values.reserve(pending.live_in.size());
  for (std::size_t k = 0; k < pending.live_in.size(); ++k) {
    runtime::LiveValue& value = pending.live_in[k]->value;
    inputs.values.push_back(pending.program.live_in[k].dies ? std::move(value) : value);
  }
  const double start = now();
  runtime::RunResult result;
  try {
    const RunScope scope(timeline(), record);
    result = _executor.run(
        record.plan, pending.kernels, _recorder.reducers(), inputs, [this] { _progress.after_iteration(); },
        _checkpoints && _checkpoints->writes() ? _checkpoints.get() : nullptr, resumption, timeline());
  } catch (...) {
    _progress.after_run();  // so that what is said of the error begins a line
    throw;
  }
  _seconds += now() - start;
  _progress.after_run();
  checkpoint::SavedRun log;
  if (_checkpoints) log.results = log_of(record.plan.results, result.results);
  settle(pending, record.plan.results, result.results);
  const auto products = _products;
  account(record, result);
  if (!_checkpoints) return;
  for (const auto& [side, count] : _products) {
    const auto before = products.find(side);
    const std::uint64_t added = count - (before == products.end() ? 0 : before->second);
    if (added > 0) log.products.push_back({side.first, side.second, added});
  }
  _checkpoints->ran(std::move(log));
}

/// Gives handles what a run has made of the values that they refer to.
void Engine::settle(const recording::Pending& pending, std::span<const optimizer::Result> results,
                    std::vector<runtime::LiveValue>& values) {
  std::map<ValueId, std::shared_ptr<recording::Stored>> stored_in;
  for (std::size_t k = 0; k < pending.live_in.size(); ++k) {
    stored_in[pending.program.live_in[k].value] = pending.live_in[k];
  }
  // Values that turned out to be one are one from now on: a transition of one of them must be seen by all.
  std::map<ValueId, std::shared_ptr<recording::Stored>> stored_as;  // by the plan's value
  std::vector<std::pair<ValueId, std::shared_ptr<recording::Stored>>> settled;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const optimizer::Result& held = results[k];
    const auto found = stored_in.find(pending.program.live_out[k].value);
    if (found == stored_in.end()) continue;
    const bool answered = found->second->about.kind == Value::Kind::vector && !values[k].buffer;  // from a log
    if (!answered) found->second->value = std::move(values[k]);
    found->second->state = held.state;
    stored_as.emplace(held.held, found->second);
  }
  for (std::size_t k = 0; k < results.size(); ++k) {
    const optimizer::Result& held = results[k];
    const ValueId asked = pending.program.live_out[k].value;
    if (stored_in.contains(asked)) continue;
    std::shared_ptr<recording::Stored>& stored = stored_as[held.held];
    if (stored == nullptr) {
      stored = std::make_shared<recording::Stored>(
          recording::Stored{std::move(values[k]), held.state, pending.program.values[index_of(asked)]});
    }
    settled.emplace_back(asked, stored);
  }
  _recorder.settle(settled);
}

void Engine::analyze(std::optional<recording::SlotId> wanted, SourceLine where) {
  hold_keys(where);
  const recording::Pending pending = _recorder.take(wanted);
  try {
    plan_together(pending, where);
  } catch (const Error& error) {
    _recorder.lose(error.what());
    throw;
  }
  if (_control.rank() == 0)
    print(optimizer::analysis_text(optimizer::analyze(pending.program, _placement.stats(), _options, _profile)));
}

void Engine::analyze_and_stop(recording::SlotId wanted, std::string_view what, SourceLine where) {
  _stopped = false;
  analyze(wanted, where);
  print(
      fmt::format("\nanalyze: stopped at {}:{}: [{}] needs a result; no step was run\n", where.file, where.line, what));
  Session::current().finish();
  _recorder.lose(kOnlyAnalyzed);
  _stopped = true;
  throw Stopped();
}

void Engine::meet(Meeting what, SourceLine where, std::initializer_list<std::uint64_t> numbers) const {
  kasen::meet(_control, {static_cast<std::uint64_t>(what), where, numbers});
}

void Engine::account(PlanRecord& record, const runtime::RunResult& result) {
  ++record.runs;
  ++_counts.runs;
  _counts.measured += result.measured;
  _counts.witnessed += result.witnessed;
  std::size_t index = 0;
  std::vector<bool> in_loop(result.entered.size());  // by block; steps come before those in them
  optimizer::for_each_step(record.plan.steps, [&](const optimizer::Step& step) {
    const std::uint64_t entered = result.entered.at(step.block) - result.missed.at(index);
    record.entered[index] += entered;
    record.seconds[index] += result.seconds.at(index);
    const Activity& partial = result.activity.at(index);  // as many runs on all workers
    record.activity[index] += partial;
    _counts.predicted += step.stream.times(entered - partial.partial_runs() - partial.known);
    _counts.predicted += step.known.times(partial.known);
    _counts.predicted += step.active.run.times(partial.pushed.runs);
    _counts.predicted += step.delta.run.times(partial.delta.runs);
    _counts.predicted += step.settled.run.times(partial.settled.runs);
    _counts.model += step.model.times(entered);
    if (const auto* sweep = std::get_if<optimizer::Sweep>(&step.what)) {
      for (const optimizer::Launch& launch : sweep->launches) {
        if (!is_matrix_op(launch.op) || launch.push) continue;
        _products[{sweep->matrix, optimizer::walked_side(launch)}] += entered * launch.out.size();
      }
    }
    if (const auto* loop = std::get_if<optimizer::Loop>(&step.what)) {
      in_loop.at(loop->body_block) = true;
      if (!in_loop.at(step.block)) {
        _counts.iterations += result.entered.at(loop->body_block);
        _loop_seconds += result.seconds.at(index);
      }
    }
    if (const auto* branch = std::get_if<optimizer::Branch>(&step.what)) {
      for (const std::uint32_t block : {branch->then_block, branch->otherwise_block})
        in_loop.at(block) = in_loop.at(step.block);
    }
    ++index;
  });
  _counts.predicted.buffer_bytes += record.plan.buffer_bytes;
  _counts.model.buffer_bytes += record.plan.model_buffer_bytes;
}

RunCounts Engine::counts() const {
  RunCounts counts = _counts;
  counts.measured = sum(_control, _counts.measured);
  counts.witnessed = sum(_control, _counts.witnessed);
  counts.seconds = _control.max(_seconds);
  counts.activity = activity();
  PredictedSeconds predicted(static_cast<std::uint64_t>(_control.size()));
  for (std::size_t p = 0; p < _plans.size(); ++p) {
    std::size_t index = 0;
    optimizer::for_each_step(_plans[p]->plan.steps, [&](const optimizer::Step& step) {
      const auto& [pushed, delta, in_order, settled, known] = counts.activity[p][index++];
      counts.predicted += step.active.element.times(pushed.elements);
      counts.predicted += step.active.entry.times(pushed.entries);
      counts.predicted += step.delta.element.times(delta.elements);
      counts.predicted += step.delta.entry.times(delta.entries);
      counts.predicted += step.settled.element.times(settled.elements);
      counts.predicted += step.settled.entry.times(settled.entries);
    });
    predicted.begin(_plans[p]->plan, _plans[p]->runs);
    predicted.add(_plans[p]->entered, counts.activity[p]);
  }
  counts.seconds_predicted = predicted.all;
  counts.loop_seconds_predicted = predicted.loops;
  return counts;
}

std::vector<std::vector<Activity>> Engine::activity() const {
  std::vector<std::vector<Activity>> all;
  for (const auto& record : _plans) all.push_back(record->activity);
  const auto for_each_number = [&](const auto& visit) {
    for (std::vector<Activity>& of_plan : all) {
      for (auto& [pushed, delta, in_order, settled, known] : of_plan) {
        for (PartialRuns* partial : {&pushed, &delta, &settled}) visit(partial->elements), visit(partial->entries);
        visit(in_order);
      }
    }
  };
  std::vector<std::uint64_t> met;
  for_each_number([&](std::uint64_t number) { met.push_back(number); });
  _control.sum(std::span<std::uint64_t>(met));
  std::size_t at = 0;
  for_each_number([&](std::uint64_t& number) { number = met[at++]; });
  return all;
}

}  // namespace kasen
