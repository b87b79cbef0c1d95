/// @file
/// Through the file, as a user would.
#include "tests/golden/recorded_analysis.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <ostream>

#include "kasen/kasen.h"
#include "kasen/session/engine.h"
#include "optimizer/optimize.h"

namespace kasen::tests {

using optimizer::Column;

optimizer::RecordedProgram record(const std::function<void()>& program, Options options) {
  int process = static_cast<int>(getpid());
  std::uint64_t fingerprint = 0;
  std::size_t most = 0, chosen = 0;
  std::string path;
  options.quiet = true;
  {
    const comm::Communicator workers;
    workers.broadcast(std::span(&process, 1), 0);
    path = testing::TempDir() + "recorded_" + std::to_string(process) + ".json";
    options.record = path;
    Session session(options);
    program();
    const auto& plans = session.engine().plans();
    for (std::size_t k = 0; k < plans.size(); ++k) {
      const std::size_t statements = plans[k]->recorded->program.top.statements.size();
      if (statements <= most) continue;
      most = statements;
      fingerprint = plans[k]->plan.fingerprint;
      chosen = k;
    }
  }
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const optimizer::RecordedRun run = optimizer::read_recorded(text, path);
  const comm::Communicator workers;
  workers.barrier();
  if (workers.rank() == 0) std::remove(path.c_str());
  const optimizer::RecordedProgram& recorded = run.programs.at(chosen);
  EXPECT_EQ(optimizer::optimize(recorded.program, recorded.stats, options).fingerprint, fingerprint);
  return recorded;
}

const optimizer::BlockReport& iteration(const optimizer::PlanReport& report) {
  for (const optimizer::BlockReport& block : report.blocks) {
    if (block.loop) return block;
  }
  return report.blocks.front();
}

std::ostream& operator<<(std::ostream& out, const Symbols& symbols) {
  return out << "reads " << symbols.read << ", writes " << symbols.written;
}

Symbols bytes(const optimizer::Analysis& analysis, const optimizer::PlanReport& report, Column column) {
  const optimizer::Cost& sum = iteration(report).sum;
  const optimizer::StepFormulas& formulas = column == Column::model ? sum.model : sum.stream;
  return {formulas.bytes_read.text(analysis.stats), formulas.bytes_written.text(analysis.stats)};
}

Symbols elements(const optimizer::Analysis& analysis, const optimizer::PlanReport& report, Column column) {
  const optimizer::Cost& sum = iteration(report).sum;
  const optimizer::StepFormulas& formulas = column == Column::model ? sum.model : sum.stream;
  return {formulas.elements_read.text(analysis.stats), formulas.elements_written.text(analysis.stats)};
}

}  // namespace kasen::tests
