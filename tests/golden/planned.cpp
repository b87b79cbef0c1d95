#include "tests/golden/planned.h"

#include <gtest/gtest.h>

#include "kasen/session/engine.h"

namespace kasen::tests {

namespace {

using Loops = std::vector<const optimizer::Loop*>;

void add_loops(const std::vector<optimizer::Step>& steps, bool inside, Loops& outer, Loops& inner) {
  for (const optimizer::Step& step : steps) {
    const auto* loop = std::get_if<optimizer::Loop>(&step.what);
    if (loop == nullptr) continue;
    (inside ? inner : outer).push_back(loop);
    add_loops(loop->body, true, outer, inner);
  }
}

struct OfPlans {
  Loops outer, inner;
};
OfPlans loops_of(Session& session) {
  OfPlans loops;
  for (const auto& record : session.engine().plans()) add_loops(record->plan.steps, false, loops.outer, loops.inner);
  return loops;
}

}  // namespace

Options quiet_options() {
  Options options;
  options.quiet = true;
  return options;
}

Options compressed_rows() {
  Options options = quiet_options();
  options.partition = Partition::row;
  options.storage = Storage::compressed;
  return options;
}

Loops outer_loops(Session& session) { return loops_of(session).outer; }
Loops inner_loops(Session& session) { return loops_of(session).inner; }

void expect_counts_as_predicted(const Session& session) {
  const RunCounts counts = session.counts();
  for (const auto& field : Counts::fields())
    EXPECT_EQ(counts.predicted.*field.member, counts.measured.*field.member) << field.name;
}

}  // namespace kasen::tests
