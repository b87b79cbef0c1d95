/// @file
/// Struct RunContext: what the steps of a running plan share, such as kernels, values, counters and communicators.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/counts.h"
#include "kasen/base/thread_team.h"
#include "kasen/base/timeline.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/run_limits.h"
#include "kasen/runtime/value_store.h"
#include "optimizer/plan/live_at.h"
#include "optimizer/plan/plan.h"
#include "partition/placement.h"

namespace kasen::runtime {

class Boundaries;
class DeltaState;
class ExchangeStep;
class StateCheck;
class TileBuffers;

struct RunContext {
  const optimizer::Plan& plan;
  partition::Placement& placement;
  std::span<const Kernel> kernels;    ///< by KernelId
  std::span<const Reducer> reducers;  ///< by ReducerId
  ValueStore& storage;
  std::span<TileBuffers> tiles;  ///< by thread
  ThreadTeam& team;
  const RunLimits& limits;
  BufferPool& pool;
  const comm::Communicator& steps;  ///< for exchanges, and nothing else
  const std::function<void()>& progress;
  /// The counters, which add up what steps really do, and know nothing of the formulas that predict it.
  Counts& measured;
  /// Elements read and written as counting iterators see them, in programs that link kasen::checked.
  Counts& witnessed;
  std::vector<std::uint64_t>& entered;         ///< by block
  std::vector<double>& seconds;                ///< by step
  std::vector<Activity>& activity;             ///< by step; of this worker
  std::vector<std::uint64_t>& missed;          ///< by step: see RunResult::missed
  const comm::Communicator& control;           ///< for what is not counted
  StateCheck* check = nullptr;                 ///< in checked builds
  Timeline* timeline = nullptr;                ///< with --trace
  Boundaries* boundaries = nullptr;            ///< with checkpoints
  optimizer::LoopPosition position = {};       ///< the blocks that run now, with boundaries
  DeltaState* delta = nullptr;                 ///< while the steps of a delta loop are made
  std::vector<ExchangeStep*> overlapped = {};  ///< by Exchange::overlapped
  ExchangeStep* under_way = nullptr;           ///< the exchange that has begun and not ended
  double waited = 0;    ///< seconds in which the step that runs now ended an exchange, whose seconds they are
  double prepared = 0;  ///< seconds in which steps made storages of matrices: the run's, and not theirs

  /// The kernel, of the kind that the operation asks for. @throws std::bad_variant_access if it is of another one
  template <class Kind>
  const Kind& kernel(KernelId id) const {
    return std::get<Kind>(kernels[index_of(id)]);
  }
  std::uint64_t workers() const { return static_cast<std::uint64_t>(steps.size()); }
  std::uint32_t element_bytes(ValueId value) const { return plan.values[index_of(value)].type.bytes; }
  /// Those of them that are touched where an element is read.
  std::uint32_t read_bytes(ValueId value) const { return plan.values[index_of(value)].type.read_bytes(); }
};

/// The position in MatrixKernel::pull and ::blocked of the function for so many MxVs: 1, 2 or 4.
std::size_t group_variant(std::size_t vectors);

/// Throws AgreedError if a Shared of the launch has no value, or one with which its kernel cannot run.
/// @param bound its Shareds
void require_shareds(const RunContext& context, const optimizer::Launch& launch, const void* const* bound);

/// Throws AgreedError if a Shared that `user` reads has no value: it is the reduction of nothing, without identity. As
/// Shareds are equal on all workers, all of them throw.
void require_value(const RunContext& context, ValueId shared, const std::string& user, const SourceLine& where);

}  // namespace kasen::runtime
