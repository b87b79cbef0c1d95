/// @file
/// One run of a plan: obtain, walk, hand over.
#include "kasen/runtime/executor.h"

#include <optional>
#include <utility>

#include "comm/agreement.h"
#include "kasen/runtime/run_context.h"
#include "kasen/runtime/state_check.h"
#include "kasen/runtime/step_runner.h"

namespace kasen::runtime {

Executor::Executor(const comm::Communicator& control, const comm::Communicator& steps, std::uint64_t exchange_limit,
                   partition::Placement& placement, BufferPool& pool, bool check_states)
    : _control(&control),
      _exchange(steps, exchange_limit),
      _placement(&placement),
      _pool(&pool),
      _check_states(check_states) {}

RunResult Executor::run(const optimizer::Plan& plan, std::span<const Kernel> kernels, std::span<const Reducer> reducers,
                        std::vector<LiveValue> inputs, const std::function<void(std::uint64_t iteration)>& progress) {
  RunResult result;
  result.entered.assign(plan.blocks, 0);
  result.entered[0] = 1;
  Storage storage(plan, *_placement, *_pool);
  RunContext context{plan,           *_placement, kernels,  reducers,        storage,          _tiles,
                     *_pool,         _exchange,   progress, result.measured, result.witnessed, result.entered,
                     result.seconds, *_control};
  StateCheck check(context);
  if (_check_states) context.check = &check;
  std::optional<Sequence> steps;
  comm::agree(*_control, [&] {
    result.measured.buffer_bytes += storage.open(std::move(inputs));
    if (_check_states) check.open();
    storage.release(plan.unused);
    steps.emplace(plan.steps, context, 0);
  });
  steps->run();
  if (_check_states) check.close();
  for (const optimizer::Result& asked : plan.results) result.results.push_back(storage.take(asked));
  return result;
}

}  // namespace kasen::runtime
