/// @file
/// kasen-report: run reports, analyses and traces as one page of HTML.
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "apps/report/documents.h"
#include "apps/report/page.h"
#include "comm/communicator.h"
#include "comm/environment.h"
#include "kasen/base/error.h"
#include "kasen/io/bytes/output_file.h"
#include "kasen/io/bytes/output_names.h"
#include "kasen/option_values.h"
#include "kasen/session/command_line.h"

namespace {

struct ReportOptions {
  std::vector<std::string> files;
  std::string output, title;
};

bool parse(int argc, char** argv, ReportOptions& options) {
  CLI::App app("Shows run reports, traces and analyses as one page of HTML, which needs nothing else");
  app.name("kasen-report");
  app.add_option("FILE", options.files, "what --report and --trace of programs and kasen-analyze --json have written")
      ->check(kasen::given_name())
      ->type_name("FILE.json")
      ->required();
  app.add_option("--output", options.output, "the page to write")
      ->check(kasen::given_name())
      ->type_name("FILE.html")
      ->required();
  app.add_option("--title", options.title, "of the page, else the program's name")->type_name("TEXT");
  app.footer(
      "Example: kasen-run -n 4 pagerank --graph web.txt --report run.json; kasen-report run.json --output run.html");
  return kasen::parse(app, argc, argv, true);
}

void run(const ReportOptions& options) {
  const kasen::comm::Communicator alone;
  if (alone.size() > 1) throw kasen::UsageError("kasen-report runs on one worker");
  kasen::io::require_outputs(alone, {options.output});
  std::vector<apps::Document> documents;
  for (const std::string& file : options.files) documents.push_back(apps::read_document(file));
  const std::string title = options.title.empty() ? apps::title_of(documents) : options.title;
  kasen::io::write_text(alone, options.output, apps::page_of(title, documents));
}

}  // namespace

int main(int argc, char** argv) {
  const kasen::comm::Environment environment;
  ReportOptions options;
  if (parse(argc, argv, options)) run(options);
  return 0;
}
