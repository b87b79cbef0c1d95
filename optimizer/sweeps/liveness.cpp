#include "optimizer/sweeps/liveness.h"

#include <algorithm>
#include <set>

#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

using Values = std::set<ValueId>;

class Liveness {
 public:
  explicit Liveness(Plan& plan) : _plan(plan) {}

  void run() {
    find_stored();
    Values live;
    for (const Result& result : _plan.results) live.insert(result.held);
    for (const LiveIn& in : _plan.live_in) {
      if (!in.dies) live.insert(in.value);
    }
    const Values at_start = backwards(_plan.steps, live);
    for (const LiveIn& in : _plan.live_in) {
      if (is_vector(in.value) && !at_start.contains(in.value)) _plan.unused.push_back(in.value);
    }
  }

 private:
  bool is_vector(ValueId value) const { return _plan.values[index_of(value)].kind == Value::Kind::vector; }
  bool stored(ValueId value) const { return _plan.class_of[index_of(value)] != kNotStored; }

  /// A vector is stored unless just one sweep makes and reads it; what is pushed to always is.
  void find_stored() {
    _plan.class_of.assign(_plan.values.size(), kNotStored);
    const auto store = [&](ValueId value) {
      if (is_vector(value)) _plan.class_of[index_of(value)] = 0;
    };
    for (const LiveIn& in : _plan.live_in) store(in.value);
    for (const Result& result : _plan.results) store(result.held);
    for_each_step(_plan.steps, [&](Step& step) {
      for (ValueId value : reads_of(step)) store(value);
      if (!std::holds_alternative<Sweep>(step.what)) {
        for (ValueId value : defined_by(step)) store(value);
      }
      if (auto* loop = std::get_if<Loop>(&step.what)) {
        for (ValueId value : loop->arguments) store(value);
        for (ValueId value : loop->yields) store(value);
      } else if (auto* branch = std::get_if<Branch>(&step.what)) {
        for (ValueId value : branch->then_yields) store(value);
        for (ValueId value : branch->otherwise_yields) store(value);
      } else if (auto* sweep = std::get_if<Sweep>(&step.what)) {
        Values read;
        for (const Launch& launch : sweep->launches) read.insert(launch.in.begin(), launch.in.end());
        for (const Launch& launch : sweep->launches) {
          if (!is_matrix_op(launch.op)) continue;
          for (ValueId value : launch.out) {
            if (launch.push || !read.contains(value)) store(value);
          }
        }
      }
    });
  }

  /// @return what is live before the first step.
  Values backwards(std::vector<Step>& steps, Values live) {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      const Values reads = reads_of(*step);
      if (auto* loop = std::get_if<Loop>(&step->what)) {
        nested_loop(*loop, live);
      } else if (auto* branch = std::get_if<Branch>(&step->what)) {
        nested(branch->then, {}, branch->then_yields);
        nested(branch->otherwise, {}, branch->otherwise_yields);
      }
      const std::vector<ValueId> defined = defined_by(*step);
      Values ends(reads.begin(), reads.end());
      ends.insert(defined.begin(), defined.end());
      for (ValueId value : ends) {
        if (!stored(value) || live.contains(value)) continue;
        const auto* loop = std::get_if<Loop>(&step->what);
        const bool gone = loop && std::count(loop->dies_at_entry.begin(), loop->dies_at_entry.end(), value) > 0;
        if (!gone) step->dies.push_back(value);
      }
      for (ValueId value : defined) live.erase(value);
      live.insert(reads.begin(), reads.end());
    }
    return live;
  }

  void nested_loop(Loop& loop, const Values& live_after) {
    nested(loop.body, loop.arguments, loop.yields);
    Values read_inside;
    Values inside(loop.arguments.begin(), loop.arguments.end());
    for (const Step& step : loop.body) {
      const Values reads = reads_of(step);
      read_inside.insert(reads.begin(), reads.end());
    }
    read_inside.insert(loop.yields.begin(), loop.yields.end());
    for (ValueId value : loop.initial) {
      const bool dead = !live_after.contains(value) && !read_inside.contains(value);
      const bool noted = std::count(loop.dies_at_entry.begin(), loop.dies_at_entry.end(), value) > 0;
      if (stored(value) && dead && !noted) loop.dies_at_entry.push_back(value);
    }
  }

  /// A region: values from outside live on, as the region may be entered again or the other side need them.
  void nested(std::vector<Step>& body, const std::vector<ValueId>& arguments, const std::vector<ValueId>& yields) {
    Values defined(arguments.begin(), arguments.end());
    for (const Step& step : body) {
      for (ValueId value : defined_by(step)) defined.insert(value);
    }
    Values live(yields.begin(), yields.end());
    for (const Step& step : body) {
      for (ValueId value : reads_of(step)) {
        if (!defined.contains(value)) live.insert(value);
      }
    }
    const Values at_start = backwards(body, live);
    if (body.empty()) return;
    for (ValueId value : arguments) {
      if (stored(value) && !at_start.contains(value)) body.front().dies.push_back(value);
    }
  }

  Plan& _plan;
};

}  // namespace

void find_liveness(Plan& plan) { Liveness(plan).run(); }

}  // namespace kasen::optimizer
