/// @file
/// Measurement of planning: recorded programs (--record FILE.json of any Kasen program) are planned again and again,
/// and with --growth made-up ones of 4, 8, 16, ... steps. A row per file: programs, operations, the median seconds, and
/// the plans' fingerprints in one number, by which two versions are compared.
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
  fmt::print("{},{},{},{},{:.3f},{:.3f},{:016x}\n", name, recorded.programs.size(), sum, repetitions,
             1e3 * variants[0].median(), 1e3 * variants[0].minimum(), plans);
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
  fmt::print("file,programs,operations,repetitions,median_milliseconds,min_milliseconds,plans\n");
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
