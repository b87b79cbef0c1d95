/// @file
/// One of the small programs, run from a command line; it keeps all of its checkpoints.
/// Usage: checkpoint_program --program NAME [--write DIR] [--resume DIR]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string>

#include "kasen/session.h"
#include "tests/checkpoint/programs.h"

int main(int argc, char** argv) {
  CLI::App app;
  std::string name;
  kasen::Options options;
  app.add_option("--program", name, "which one")->required();
  app.add_option("--write", options.checkpoint, "a folder for a checkpoint at every boundary");
  app.add_option("--resume", options.resume, "a folder with a checkpoint to go on from");
  CLI11_PARSE(app, argc, argv);
  options.checkpoint_interval = 0;
  options.checkpoints_kept = 1'000'000;
  const kasen::Session session(options);
  for (const auto& [each, program] : kasen::tests::small_programs()) {
    if (each != name) continue;
    std::string text;
    for (const double number : program()) text += fmt::format("{}\n", number);
    session.print(text);
    return EXIT_SUCCESS;
  }
  return EXIT_FAILURE;
}
