/// @file
/// Measurement of planning: recorded programs (--record FILE.json of any Kasen program) are planned again and again,
/// and with --growth made-up ones of 4, 8, 16, ... steps. A row per file: programs, operations, the median seconds, how
/// many plans the exact search looked at and its time over theirs, and the plans' fingerprints in one number, by which
/// two versions are compared.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "bench/sgd_program.h"
#include "kasen/base/error.h"
#include "kasen/base/options.h"
#include "kasen/base/program_tools.h"
#include "kasen/io/bytes/input_file.h"
#include "optimizer/optimize.h"
#include "optimizer/record/program_file.h"

namespace {

std::uint64_t operations(const kasen::Program& program) {
  std::uint64_t sum = 0;
  kasen::for_each_block(program.top, [&](const kasen::Block& block) {
    for (const kasen::Statement& statement : block.statements) sum += statement.regions.empty() ? 1 : 0;
  });
  return sum;
}

/// How long a program's transitions were placed, and what one plan took.
struct Passes {
  double placing = 0, plan = 0;
  void add(const kasen::optimizer::PassReport& pass) {
    if (pass.name == "place-transitions") placing += pass.seconds;
    for (const char* of_plan : {"sweeps", "liveness", "delta-loops", "storage", "walks"}) {
      if (pass.name == of_plan) plan += pass.seconds;
    }
  }
};

/// What the search took over what as many plans as it looked at would have taken, each made alone.
struct Worth {
  std::uint64_t looked_at = 0;
  double seconds = 0, plans = 0;
};

Worth worth_of(const kasen::optimizer::RecordedRun& recorded, kasen::Options options) {
  using kasen::optimizer::PassReport;
  Worth worth;
  for (const auto& program : recorded.programs) {
    Passes exact, greedy;
    const auto plan = kasen::optimizer::optimize(program.program, program.stats, options, {},
                                                 [&](const PassReport& pass) { exact.add(pass); });
    kasen::Options otherwise = options;
    otherwise.fusion = kasen::Fusion::greedy;
    kasen::optimizer::optimize(program.program, program.stats, otherwise, {},
                               [&](const PassReport& pass) { greedy.add(pass); });
    const std::uint64_t looked_at = plan.search.costed + plan.search.skipped;
    worth.looked_at += looked_at;
    worth.seconds += exact.placing - greedy.placing;
    worth.plans += static_cast<double>(looked_at) * greedy.plan;
  }
  return worth;
}

void measure(const std::string& name, const kasen::optimizer::RecordedRun& recorded, const kasen::Options& options,
             int repetitions) {
  std::uint64_t sum = 0, plans = 0;
  for (const auto& program : recorded.programs) sum += operations(program.program);
  std::vector<bench::Variant> variants{
      {"plan", [&] {
         plans = 0;
         for (const auto& program : recorded.programs) {
           plans = plans * 1'000'003 + kasen::optimizer::optimize(program.program, program.stats, options).fingerprint;
         }
       }}};
  bench::measure(variants, repetitions);
  Worth worth;
  if (options.fusion == kasen::Fusion::exact) worth = worth_of(recorded, options);
  fmt::print("{},{},{},{},{:.3f},{:.3f},{},{:.2f},{:016x}\n", name, recorded.programs.size(), sum, repetitions,
             1e3 * variants[0].median(), 1e3 * variants[0].minimum(), worth.looked_at,
             worth.looked_at == 0 ? 0 : worth.seconds / worth.plans, plans);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> paths;
  int repetitions = 11;
  bool exact = false;
  int growth = 0;
  CLI::App app("Time of planning recorded programs; no MPI");
  app.add_option("recorded", paths, "files that --record wrote");
  app.add_option("--repetitions", repetitions, "times each file's programs are planned")->capture_default_str();
  app.add_flag("--exact", exact, "with --fusion exact");
  app.add_option("--growth", growth, "also plans 4, 8, 16, ... and so many steps of gradient descent in a loop");
  CLI11_PARSE(app, argc, argv);
  kasen::Options options;
  if (exact) options.fusion = kasen::Fusion::exact;
  fmt::print(
      "file,programs,operations,repetitions,median_milliseconds,min_milliseconds,looked_at,of_their_time,plans\n");
  try {
    for (const std::string& path : paths) {
      measure(path, kasen::optimizer::read_recorded(kasen::io::content(path), path), options, repetitions);
    }
    for (int steps = 4; steps <= growth; steps *= 2) {
      measure(fmt::format("sgd of {} steps", steps), {"sgd", {bench::sgd_in_a_loop(steps)}, {}}, options, repetitions);
    }
  } catch (const kasen::Error& error) {
    fmt::print(stderr, "planning: {}\n", error.what());
    return 1;
  }
  return 0;
}
