/// @file
/// Measurements of a program that has run, as a row of a table: operations, sweeps and exchanges, bytes, seconds.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <variant>

#include "kasen/session.h"
#include "kasen/session/engine.h"
#include "optimizer/plan/step_tools.h"

namespace bench {

/// Numbers per iteration of a session's outermost recorded loops; without loops, per run of all that it ran.
struct ApplicationRow {
  std::uint64_t operations = 0;  ///< primitives recorded, in all
  double sweeps = 0, exchanges = 0;
  double bytes = 0;                                       ///< read, written and sent, by formula
  std::uint64_t predicted_bytes = 0, measured_bytes = 0;  ///< of everything that ran, by formula and by counters
  double seconds = 0;
};

/// Collective. The row of a session.
inline ApplicationRow application_row(kasen::Session& session) {
  using namespace kasen::optimizer;
  const kasen::Engine& engine = session.engine();
  const kasen::RunCounts counts = session.counts();
  const bool loops = counts.iterations > 0;
  const auto times = static_cast<double>(loops ? counts.iterations : counts.runs);
  const auto bytes_of = [](const kasen::Counts& c) { return c.bytes_read + c.bytes_written + c.bytes_sent; };
  ApplicationRow row;
  row.predicted_bytes = bytes_of(counts.predicted);
  row.measured_bytes = bytes_of(counts.measured);
  row.seconds = (loops ? engine.seconds_in_loops() : engine.seconds_running()) / times;
  for (const auto& record : engine.plans()) {
    row.operations += record->operations;
    std::size_t index = 0;
    const auto visit = [&](const auto& self, const std::vector<Step>& steps, bool in_loop) -> void {
      for (const Step& step : steps) {
        const double entered = static_cast<double>(record->entered.at(index++)) / times;
        if (in_loop || !loops) {
          row.sweeps += std::holds_alternative<Sweep>(step.what) ? entered : 0;
          row.exchanges += std::holds_alternative<Exchange>(step.what) ? entered : 0;
          row.bytes += static_cast<double>(bytes_of(step.stream)) * entered;
        }
        if (const auto* loop = std::get_if<Loop>(&step.what)) self(self, loop->body, true);
        if (const auto* branch = std::get_if<Branch>(&step.what)) {
          self(self, branch->then, in_loop);
          self(self, branch->otherwise, in_loop);
        }
      }
    };
    visit(visit, record->plan.steps, false);
  }
  return row;
}

inline void print_application_header() {
  std::printf("application,variant,workers,operations,sweeps,exchanges,bytes,predicted_bytes,measured_bytes,seconds\n");
}

/// Prints a row as CSV. To be called on one worker.
inline void print_application_row(const std::string& application, const std::string& variant, int workers,
                                  const ApplicationRow& row) {
  std::printf("%s,%s,%d,%llu,%.2f,%.2f,%.0f,%llu,%llu,%.6f\n", application.c_str(), variant.c_str(), workers,
              static_cast<unsigned long long>(row.operations), row.sweeps, row.exchanges, row.bytes,
              static_cast<unsigned long long>(row.predicted_bytes), static_cast<unsigned long long>(row.measured_bytes),
              row.seconds);
}

}  // namespace bench
