#include "optimizer/sweeps/liveness.h"

#include <algorithm>
#include <utility>

#include "kasen/base/bit_set.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

using Values = BitSet;                                 // by ValueId
using StepValues = std::vector<std::vector<ValueId>>;  // by step

class Liveness {
 public:
  explicit Liveness(Plan& plan) : _plan(plan) {}

  void run() {
    find_stored();
    Values live = none();
    for (const Result& result : _plan.results) live.insert(index_of(result.held));
    for (const LiveIn& in : _plan.live_in) {
      if (!in.dies) live.insert(index_of(in.value));
    }
    const Values at_start = backwards(_plan.steps, reads_of_each(_plan.steps), std::move(live));
    for (const LiveIn& in : _plan.live_in) {
      if (is_vector(in.value) && !at_start.contains(index_of(in.value))) _plan.unused.push_back(in.value);
    }
  }

 private:
  bool is_vector(ValueId value) const { return _plan.values[index_of(value)].kind == Value::Kind::vector; }
  bool stored(ValueId value) const { return _plan.class_of[index_of(value)] != kNotStored; }

  /// A vector is stored unless just one sweep makes and reads it; what is pushed to, or reduced by key, always is.
  void find_stored() {
    _plan.class_of.assign(_plan.values.size(), kNotStored);
    const auto store = [&](ValueId value) {
      if (is_vector(value)) _plan.class_of[index_of(value)] = 0;
    };
    for (const LiveIn& in : _plan.live_in) store(in.value);
    for (const Result& result : _plan.results) store(result.held);
    const auto store_all = [&](const std::vector<ValueId>& values) {
      std::for_each(values.begin(), values.end(), store);
    };
    for_each_step(_plan.steps, [&](Step& step) {
      if (auto* loop = std::get_if<Loop>(&step.what)) {
        for (const auto* values : {&loop->initial, &loop->arguments, &loop->yields, &loop->results}) store_all(*values);
      } else if (auto* branch = std::get_if<Branch>(&step.what)) {
        for (const auto* values : {&branch->then_yields, &branch->otherwise_yields, &branch->results})
          store_all(*values);
      } else if (auto* sweep = std::get_if<Sweep>(&step.what)) {
        store_all(reads_of(step));
        const auto reads = [&](const Launch& launch, ValueId value) {
          return std::find(launch.in.begin(), launch.in.end(), value) != launch.in.end();
        };
        for (const Launch& launch : sweep->launches) {
          if (launch.op == Op::reduce_by_key) store_all(launch.out);
          if (!is_matrix_op(launch.op)) continue;
          for (ValueId value : launch.out) {
            const bool read = std::any_of(sweep->launches.begin(), sweep->launches.end(),
                                          [&](const Launch& other) { return reads(other, value); });
            if (launch.push || !read) store(value);
          }
        }
      } else {
        store_all(reads_of(step));
        store_all(defined_by(step));
      }
    });
  }

  Values none() const { return Values(_plan.values.size()); }
  static void insert(Values& into, const std::vector<ValueId>& values) {
    for (ValueId value : values) into.insert(index_of(value));
  }
  static StepValues reads_of_each(const std::vector<Step>& steps) {
    StepValues reads;
    for (const Step& step : steps) reads.push_back(reads_of(step));
    return reads;
  }

  /// @return what is live before the first step.
  Values backwards(std::vector<Step>& steps, const StepValues& all_reads, Values live) {
    for (std::size_t k = steps.size(); k-- > 0;) {
      Step& step = steps[k];
      const std::vector<ValueId>& reads = all_reads[k];
      auto* loop = std::get_if<Loop>(&step.what);
      if (loop != nullptr) {
        nested_loop(*loop, live);
      } else if (auto* branch = std::get_if<Branch>(&step.what)) {
        nested(branch->then, reads_of_each(branch->then), {}, branch->then_yields);
        nested(branch->otherwise, reads_of_each(branch->otherwise), {}, branch->otherwise_yields);
      }
      const std::vector<ValueId> defined = defined_by(step);
      std::vector<ValueId> ends = reads;
      ends.insert(ends.end(), defined.begin(), defined.end());
      std::sort(ends.begin(), ends.end());
      ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
      for (ValueId value : ends) {
        if (!stored(value) || live.contains(index_of(value))) continue;
        const bool gone = loop && std::count(loop->dies_at_entry.begin(), loop->dies_at_entry.end(), value) > 0;
        if (!gone) step.dies.push_back(value);
      }
      for (ValueId value : defined) live.erase(index_of(value));
      insert(live, reads);
    }
    return live;
  }

  void nested_loop(Loop& loop, const Values& live_after) {
    const StepValues reads = reads_of_each(loop.body);
    nested(loop.body, reads, loop.arguments, loop.yields);
    Values read_inside = none();
    for (const auto& of_step : reads) insert(read_inside, of_step);
    insert(read_inside, loop.yields);
    for (ValueId value : loop.initial) {
      const bool dead = !live_after.contains(index_of(value)) && !read_inside.contains(index_of(value));
      const bool noted = std::count(loop.dies_at_entry.begin(), loop.dies_at_entry.end(), value) > 0;
      if (stored(value) && dead && !noted) loop.dies_at_entry.push_back(value);
    }
  }

  /// A region: values from outside live on, as the region may be entered again or the other side need them.
  void nested(std::vector<Step>& body, const StepValues& reads, const std::vector<ValueId>& arguments,
              const std::vector<ValueId>& yields) {
    Values live = none();
    for (const auto& of_step : reads) insert(live, of_step);
    for (const Step& step : body) {
      for (ValueId value : defined_by(step)) live.erase(index_of(value));
    }
    for (ValueId value : arguments) live.erase(index_of(value));
    insert(live, yields);
    const Values at_start = backwards(body, reads, std::move(live));
    if (body.empty()) return;
    for (ValueId value : arguments) {
      if (stored(value) && !at_start.contains(index_of(value))) body.front().dies.push_back(value);
    }
  }

  Plan& _plan;
};

}  // namespace

void find_liveness(Plan& plan) { Liveness(plan).run(); }

}  // namespace kasen::optimizer
