/// @file
/// kasen-analyze: what a recorded program costs before and after optimization, for any sizes and number of workers,
/// without running it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "apps/analyze/graphviz.h"
#include "apps/analyze/sizes.h"
#include "apps/report/documents.h"
#include "apps/report/page.h"
#include "comm/communicator.h"
#include "comm/environment.h"
#include "kasen/base/error.h"
#include "kasen/base/printable.h"
#include "kasen/io/bytes/input_file.h"
#include "kasen/io/bytes/output_file.h"
#include "kasen/io/bytes/output_names.h"
#include "kasen/option_values.h"
#include "kasen/session/command_line.h"
#include "kasen/session/profile_file.h"
#include "optimizer/analysis/analysis_json.h"
#include "optimizer/analysis/what_if.h"
#include "optimizer/optimize.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/record/program_file.h"
#include "optimizer/text/draw.h"
#include "optimizer/text/print.h"

namespace {

struct AnalyzeOptions {
  std::string program, json, html, dot, svg;
  apps::Sizes sizes;
  kasen::Options planning;
};

bool parse(int argc, char** argv, AnalyzeOptions& options) {
  CLI::App app("What a program that was recorded with --record costs, before and after optimization; nothing is run");
  app.name("kasen-analyze");
  std::vector<std::string> settings, passes;
  app.add_option("PROGRAM", options.program, "the recorded program")
      ->check(kasen::given_name())
      ->type_name("PROGRAM.json")
      ->required();
  app.add_option("--workers", options.sizes.workers,
                 "plans for so many; replicas are estimated, or counted with --graph")
      ->transform(kasen::whole_number())
      ->check(CLI::Range(1u, kasen::optimizer::kMostWorkers))
      ->type_name("P");
  CLI::Option* graph =
      app.add_option("--graph", options.sizes.graph, "partitions this graph for so many workers, exactly")
          ->check(kasen::given_name())
          ->type_name("FILE");
  app.add_option("--set", settings,
                 "gives a symbol another value, as in --set N=900000 --set S=3000000; what\n"
                 "is not given is in proportion")
      ->type_name("SYMBOL=NUMBER")
      ->allow_extra_args(false);
  const auto output = [&](const char* name, std::string& path, const char* help) {
    return app.add_option(name, path, help)->check(kasen::given_name());
  };
  output("--json", options.json, "writes the analysis for tools")->type_name("FILE.json");
  output("--html", options.html, "writes the analysis as a page, with sizes to be changed")->type_name("FILE.html");
  output("--dot", options.dot, "draws the optimized plan, for Graphviz")->type_name("FILE.dot");
  output("--svg", options.svg, "draws the optimized plan, by Graphviz")->type_name("FILE.svg");
  app.add_flag("--quiet", options.planning.quiet, "prints nothing but errors");
  kasen::add_planning_options(app, options.planning, passes);
  for (const char* name : {"--partition", "--threshold", "--numbering"}) app.get_option(name)->needs(graph);
  app.footer("Example: pagerank --graph web.txt --record pr.json; kasen-analyze pr.json --workers 1024 --svg pr.svg");
  if (!kasen::parse(app, argc, argv, true)) return false;
  kasen::check_planning_options(app, options.planning);
  kasen::take_passes(passes, options.planning);
  for (const std::string& setting : settings) options.sizes.set(setting);
  kasen::optimizer::check_passes(options.planning);
  return true;
}

std::size_t steps_of(const kasen::optimizer::Plan& plan) {
  std::size_t steps = 0;
  kasen::optimizer::for_each_step(plan.steps, [&](const kasen::optimizer::Step&) { ++steps; });
  return steps;
}

void run(const AnalyzeOptions& options) {
  const kasen::comm::Communicator alone;
  if (alone.size() > 1) throw kasen::UsageError("kasen-analyze runs on one worker, and plans for any number");
  kasen::io::require_outputs(alone, {options.json, options.html, options.dot, options.svg});
  if (!options.svg.empty()) apps::require_graphviz(options.svg);
  kasen::Profile profile;
  if (!options.planning.profile.empty()) profile = kasen::read_profile(alone, options.planning.profile);
  kasen::optimizer::RecordedRun recorded =
      kasen::optimizer::read_recorded(kasen::io::content(options.program), options.program);
  const apps::Origin origin = apps::apply(options.sizes, options.planning, alone, recorded);
  if (recorded.programs.empty()) throw kasen::InputError(options.program + ": no program was recorded: none ran");

  kasen::optimizer::Json json{{"program", recorded.name},
                              {"sizes", origin.text},
                              {"network",
                               {{"message_picoseconds", profile.message_picoseconds},
                                {"reduction_picoseconds", profile.reduction_picoseconds},
                                {"bytes_per_second", profile.network_bytes_per_second}}},
                              {"programs", kasen::optimizer::Json::array()}};
  std::string text = fmt::format("{}: sizes {}\n", recorded.name, origin.text), drawing;
  std::size_t largest = 0;
  for (std::size_t k = 0; k < recorded.programs.size(); ++k) {
    const kasen::optimizer::RecordedProgram& program = recorded.programs[k];
    const auto analysis = kasen::optimizer::analyze(program.program, program.stats, options.planning, profile);
    text += fmt::format("\nprogram {} of {}, ran {} time{}\n", k + 1, recorded.programs.size(), program.runs,
                        program.runs == 1 ? "" : "s");
    text += kasen::optimizer::analysis_text(analysis);
    json["programs"].push_back(kasen::optimizer::analysis_json(analysis));
    json["programs"].back()["runs"] = program.runs;
    json["programs"].back()["what_if"] = kasen::optimizer::what_if_json(
        analysis.after.plan, program.program,
        apps::on_other_workers(origin.settings[k], origin.unscaled[k], program.stats, recorded.degrees),
        options.planning, profile);
    if (const std::size_t steps = steps_of(analysis.after.plan); steps > largest) {
      largest = steps;
      drawing = kasen::optimizer::draw(analysis.after.plan);
    }
  }
  if (!options.planning.quiet) std::fputs(kasen::printable_lines(text).c_str(), stdout);
  if (!options.json.empty()) kasen::io::write_text(alone, options.json, kasen::optimizer::to_text(json, 2) + "\n");
  if (!options.html.empty()) {
    const std::vector<apps::Document> shown{apps::analysis_document(options.program, std::move(json))};
    kasen::io::write_text(alone, options.html, apps::page_of(apps::title_of(shown), shown));
  }
  if (!options.dot.empty()) kasen::io::write_text(alone, options.dot, drawing);
  if (!options.svg.empty()) apps::write_svg(alone, options.svg, drawing);
}

}  // namespace

int main(int argc, char** argv) {
  const kasen::comm::Environment environment;
  AnalyzeOptions options;
  if (parse(argc, argv, options)) run(options);
  return 0;
}
