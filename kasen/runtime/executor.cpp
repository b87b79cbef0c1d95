/// @file
/// One run of a plan: memory is obtained, steps run, and results are handed over.
#include "kasen/runtime/executor.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "comm/agreement.h"
#include "comm/memory_limit.h"
#include "kasen/base/error.h"
#include "kasen/runtime/chunk_memory.h"
#include "kasen/runtime/exchange_step.h"
#include "kasen/runtime/run_context.h"
#include "kasen/runtime/running.h"
#include "kasen/runtime/state_check.h"
#include "kasen/runtime/step_runner.h"
#include "kasen/runtime/storage_use.h"
#include "partition/placing_memory.h"

namespace kasen::runtime {

namespace {

/// Runs the steps; an exception of a user's function is thrown on with the function's line.
void run_steps(Sequence& steps, StorageUse& matrices, const Resumption* resumption) {
  const auto before = [&](std::size_t step) { matrices.before(step); };
  try {
    if (resumption == nullptr) {
      steps.run(before);
    } else {
      steps.resume(resumption->position, before);
    }
  } catch (...) {
    throw_with_line();
  }
}

/// What all workers throw they throw at the same step: what is under way comes to its end on all of them.
void end_after_error(RunContext& context) {
  try {
    throw;
  } catch (const AgreedError&) {
    end_under_way(context);
  } catch (const EndRequested&) {
    end_under_way(context);
  } catch (...) {
  }
}

/// Of a buffer of this class, on all workers together.
std::uint64_t bytes_of(const optimizer::BufferClass& shape, const PlacementStats& stats) {
  const PlacementStats::Space& space = stats.spaces[index_of(shape.space)];
  return comm::bytes_of(space.masters + (shape.replicas ? space.replicas : 0), shape.element_bytes);
}

}  // namespace

Executor::Executor(const comm::Communicator& control, const comm::Communicator& steps, partition::Placement& placement,
                   BufferPool& pool, ThreadTeam& team, RunLimits limits, bool check_states)
    : _control(&control),
      _available(control),
      _steps(&steps),
      _placement(&placement),
      _pool(&pool),
      _team(&team),
      _limits(limits),
      _check_states(check_states),
      _tiles(team.size()) {}

void Executor::check_memory(const optimizer::Plan& plan) const {
  constexpr std::uint64_t kLooked = std::uint64_t{1} << 28;  // less is there, or found out by who asks for it
  std::uint64_t needed = 0;                                  // of all workers
  for (const optimizer::BufferClass& shape : plan.classes)
    needed = comm::bytes_and(needed, comm::bytes_of(bytes_of(shape, _placement->stats()), shape.count));
  if (needed < kLooked) return;
  // What is balanced over workers is so over hosts.
  const auto here = static_cast<std::uint64_t>(_available.workers_of_host());
  needed = needed / static_cast<std::uint64_t>(_control->size()) * here;
  const std::uint64_t available = comm::bytes_and(_available.of_host(), comm::bytes_of(_pool->bytes_kept(), here));
  if (needed <= available) return;
  throw Error("out of memory: for the vectors of a run " + comm::too_little_memory(needed, available) +
              " on a host; more workers on other hosts would have more");
}

void Executor::require_memory(const optimizer::Plan& plan, const StorageUse& matrices) const {
  if (comm::memory_limit() == 0) return;  // there are runs of a microsecond
  comm::MemoryNeeds needs(*_control);
  const auto workers_now = static_cast<std::uint64_t>(_control->size());
  const PlacementStats& stats = _placement->stats();
  std::uint64_t vectors = 0, in_chunks = 0;  // of all workers
  for (const optimizer::BufferClass& shape : plan.classes) {
    const std::uint64_t each = bytes_of(shape, stats), all = comm::bytes_of(each, shape.count);
    vectors = comm::bytes_and(vectors, all);
    if (comm::share_of(each, workers_now) <= ChunkMemory::kLargestBlock) in_chunks = comm::bytes_and(in_chunks, all);
  }
  const std::uint64_t messages = plan.buffer_bytes - std::min(plan.buffer_bytes, vectors);
  const auto share = [=](std::uint64_t all, std::uint64_t workers) {  // spread to a tenth
    return workers == 1 ? all : comm::share_of(comm::bytes_and(all, all / 10), workers);
  };
  const std::uint64_t kept = _control->min(_pool->bytes_kept());  // of earlier runs: this one takes it up, or its place
  needs.add("vectors of the plan", [&, workers_now](std::uint64_t workers) {
    if (workers == workers_now) return share(vectors, workers) - std::min(share(vectors, workers), kept);
    std::uint64_t bytes = 0;
    for (const optimizer::BufferClass& shape : plan.classes) {
      const PlacementStats::Space& space = stats.spaces[index_of(shape.space)];
      const std::uint64_t replicas = shape.replicas ? partition::most_replicas(stats, shape.space, workers) : 0;
      bytes += (share(space.masters, workers) + replicas) * shape.element_bytes * shape.count;
    }
    return bytes;
  });
  needs.add("messages of the plan", [&, workers_now](std::uint64_t workers) {
    if (workers <= workers_now || workers_now > 1) return share(messages, workers_now);
    std::uint64_t bytes = 0;  // of one worker, which sends none: at the most all replicas, packed on both sides
    for (const optimizer::BufferClass& shape : plan.classes) {
      if (shape.replicas) bytes += 2 * partition::most_replicas(stats, shape.space, workers) * shape.element_bytes;
    }
    return bytes;
  });
  needs.add("large pages that are not full",
            [&](std::uint64_t workers) { return BufferPool::unused_at_most(share(in_chunks, workers)); });
  matrices.add_needs(*_control, needs);
  needs.require("running a plan");
}

RunResult Executor::run(const optimizer::Plan& plan, std::span<const Kernel> kernels, std::span<const Reducer> reducers,
                        RunInputs& inputs, const std::function<void()>& progress, Boundaries* boundaries,
                        const Resumption* resumption, Timeline* timeline) {
  const Timeline::Time start = Timeline::now();
  RunResult result;
  result.entered.assign(plan.blocks, 0);
  result.entered[0] = 1;
  ValueStore storage(plan, *_placement, *_pool);
  RunContext context{
      plan,           *_placement,     kernels,       reducers, storage,         _tiles,           *_team,
      _limits,        *_pool,          *_steps,       progress, result.measured, result.witnessed, result.entered,
      result.seconds, result.activity, result.missed, *_control};
  context.boundaries = boundaries;
  context.timeline = timeline;
  if (boundaries != nullptr) context.position.reserve(plan.blocks);
  StateCheck check(context);
  if (_check_states) context.check = &check;
  std::optional<Sequence> steps;
  StorageUse matrices(plan.steps, *_placement);
  require_memory(plan, matrices);
  comm::agree(*_control, [&] {
    check_memory(plan);
    matrices.make();
    result.measured.buffer_bytes += storage.open(inputs.values, resumption != nullptr);
    if (resumption != nullptr) resumption->restore(storage);
    if (_check_states && resumption == nullptr) check.open();
    if (_check_states && resumption != nullptr) check.restored(optimizer::live_at(plan, resumption->position));
    steps.emplace(plan.steps, context, 0);
  });
  inputs.values.clear();
  inputs.taken = true;
  if (timeline != nullptr && timeline->keeps()) timeline->add(Timeline::Kind::prepare, start, Timeline::now());
  storage.release(plan.unused);
  try {
    run_steps(*steps, matrices, resumption);
    end_under_way(context);
  } catch (...) {
    end_after_error(context);
    inputs.gathered = storage.gathered_inputs();
    throw;
  }
  if (_check_states) check.close();
  for (const optimizer::Result& asked : plan.results) result.results.push_back(storage.take(asked));
  return result;
}

}  // namespace kasen::runtime
