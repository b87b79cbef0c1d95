#include "optimizer/cost/plan_cost.h"

#include "optimizer/cost/time_model.h"

namespace kasen::optimizer {
namespace {

class CostSum {
 public:
  PlanCost run(const Plan& plan, int loops) {
    _has_loops = loops > 0;
    add(plan.steps, loops);
    _cost.rest.buffer_bytes = plan.buffer_bytes;
    if (_has_loops) _cost.loops.buffer_bytes = plan.buffer_bytes;
    for (const State& state : plan.states) _cost.consistent += state.kind == State::Kind::consistent ? 1 : 0;
    return _cost;
  }

 private:
  void add(const std::vector<Step>& steps, int depth) {
    const std::uint64_t weight = weight_at(depth);
    PlanCost::Part& part = depth > 0 ? _cost.loops : _cost.rest;
    for (const Step& step : steps) {
      part.bytes_sent += weight * step.stream.bytes_sent;
      part.messages += weight * step.stream.messages;
      part.stream_bytes += weight * (step.stream.bytes_read + step.stream.bytes_written);
      if (const auto* exchange = std::get_if<Exchange>(&step.what)) {
        part.transitions += weight * (exchange->gathers.size() + exchange->scatters.size());
        part.exchanges += weight;
      } else if (const auto* loop = std::get_if<Loop>(&step.what)) {
        _has_loops = true;
        add(loop->body, depth + 1);
      } else if (const auto* branch = std::get_if<Branch>(&step.what)) {
        add(branch->then, depth);
        add(branch->otherwise, depth);
      }
    }
  }

  PlanCost _cost;
  bool _has_loops = false;
};

}  // namespace

PlanCost::Part& PlanCost::Part::operator+=(const Part& other) {
  bytes_sent += other.bytes_sent;
  messages += other.messages;
  stream_bytes += other.stream_bytes;
  exchanges += other.exchanges;
  buffer_bytes += other.buffer_bytes;
  transitions += other.transitions;
  return *this;
}

PlanCost& PlanCost::operator+=(const PlanCost& other) {
  time.loops += other.time.loops;
  time.rest += other.time.rest;
  loops += other.loops;
  rest += other.rest;
  consistent += other.consistent;
  return *this;
}

PlanCost cost_of(const Plan& plan, int loops) { return CostSum().run(plan, loops); }

}  // namespace kasen::optimizer
