/// @file
/// Class Executor: runs a plan. It alone touches data while a program runs. The plan decides what is done, in which
/// order and where; left to the executor is what only a run can know: whether a buffer that an output may take over
/// has another holder, whether prefetching is worth it, and whether few elements of a product are active.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "comm/available_memory.h"
#include "comm/communicator.h"
#include "kasen/base/counts.h"
#include "kasen/base/thread_team.h"
#include "kasen/base/timeline.h"
#include "kasen/runtime/boundaries.h"
#include "kasen/runtime/buffer_pool.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/run_limits.h"
#include "kasen/runtime/tile_buffers.h"
#include "kasen/runtime/value_store.h"
#include "optimizer/plan/plan.h"
#include "partition/placement.h"

namespace kasen::runtime {

class StorageUse;

struct RunResult {
  std::vector<LiveValue> results;      ///< parallel to Plan::results
  std::vector<std::uint64_t> entered;  ///< by block, counted by loop and branch control
  Counts measured;                     ///< of this worker
  Counts witnessed;                    ///< elements read and written, in programs that link kasen::checked; else 0
  std::vector<double> seconds;         ///< by step in pre-order of the step tree; loops and branches include all within
  std::vector<Activity> activity;      ///< by step, of this worker
  /// By step: entries of its block in which it did not run, as the run went on from behind it.
  std::vector<std::uint64_t> missed;
};

/// The live-ins of a run.
struct RunInputs {
  std::vector<LiveValue> values;  ///< parallel to plan.live_in; one that `dies` may be overwritten
  bool taken = false;             ///< the first step is about to run, and `values` have been taken over
  std::vector<char> gathered;     ///< parallel, of a run that failed: it was pre-reduced, and is partitioned now
};

class Executor {
 public:
  /// @param control is for agreement on errors. @param steps is for exchanges, and nothing else.
  /// All references must outlive the executor. @param team the threads that sweeps run on. @param check_states whether
  /// runs are checked by state_check.h.
  Executor(const comm::Communicator& control, const comm::Communicator& steps, partition::Placement& placement,
           BufferPool& pool, ThreadTeam& team, RunLimits limits, bool check_states = false);

  /// Collective. Runs the plan, the same on all workers. Obtains all memory first: a worker that cannot makes all throw
  /// AgreedError before the first step, and the inputs are not taken. What is thrown later is AgreedError if all
  /// workers throw it, as for a loop's test without value, or what `boundaries` throw, EndRequested; anything else
  /// (what a user's function throws, a defect) may be thrown by one worker alone, and the caller must end the job.
  /// @param progress called after each iteration of an outermost loop.
  /// @param boundaries told of each boundary between iterations; may be null.
  /// @param resumption where the run goes on; null: it begins. Inputs that die may then be without value.
  /// @param timeline gets what happens, if it is not null; the run has been begun there.
  RunResult run(const optimizer::Plan& plan, std::span<const Kernel> kernels, std::span<const Reducer> reducers,
                RunInputs& inputs, const std::function<void()>& progress = {}, Boundaries* boundaries = nullptr,
                const Resumption* resumption = nullptr, Timeline* timeline = nullptr);

 private:
  /// Local. Refuses to start what cannot fit: a system without memory ends processes without a word. @throws Error
  void check_memory(const optimizer::Plan& plan) const;
  /// Collective. @throws AgreedError if a plan's vectors, messages and storages exceed comm::limit_memory.
  void require_memory(const optimizer::Plan& plan, const StorageUse& matrices) const;

  const comm::Communicator* _control;
  comm::AvailableMemory _available;
  const comm::Communicator* _steps;
  partition::Placement* _placement;
  BufferPool* _pool;
  ThreadTeam* _team;
  RunLimits _limits;
  bool _check_states;
  std::vector<TileBuffers> _tiles;  ///< by thread
};

}  // namespace kasen::runtime
