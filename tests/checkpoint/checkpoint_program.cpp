/// @file
/// One of the small programs, run from a command line; it keeps all of its checkpoints.
/// Usage: checkpoint_program --program NAME [--write DIR] [--resume DIR] [--catch]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string>

#include "kasen/base/error.h"
#include "kasen/session.h"
#include "tests/checkpoint/programs.h"

int main(int argc, char** argv) {
  CLI::App app;
  std::string name;
  kasen::Options options;
  app.add_option("--program", name, "which one")->required();
  app.add_option("--write", options.checkpoint, "a folder for a checkpoint at every boundary");
  app.add_option("--resume", options.resume, "a folder with a checkpoint to go on from");
  bool catches = false;
  app.add_flag("--catch", catches, "ends with what it catches where it is asked to end");
  CLI11_PARSE(app, argc, argv);
  options.checkpoint_interval = 0;
  options.checkpoints_kept = 1'000'000;
  const kasen::Session session(options);
  auto programs = kasen::tests::small_programs();
  programs.emplace_back("asked", kasen::tests::asked);
  for (const auto& [each, program] : programs) {
    if (each != name) continue;
    std::string text;
    try {
      for (const double number : program()) text += fmt::format("{}\n", number);
    } catch (const kasen::EndRequested& request) {
      if (!catches) throw;
      session.print(request.what());
      return request.exit_status();
    }
    session.print(text);
    return EXIT_SUCCESS;
  }
  return EXIT_FAILURE;
}
