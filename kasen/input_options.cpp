#include "kasen/input_options.h"

#include "kasen/io/formats/formats.h"
#include "kasen/option_values.h"

namespace kasen {

void add_input_options(CLI::App& app, io::ReadOptions& options, std::span<const io::Kind> kinds) {
  add_choice(app, "--format", options.format, io::input_format_names(kinds),
             "what the input is; auto: told from its content, then from its name");
  app.add_option("--skip-lines", options.skip_lines, "lines at the beginning of the file to skip")
      ->transform(whole_number())
      ->type_name("N");
  app.add_flag("--allow-non-finite", options.allow_non_finite, "infinite numbers and nan are numbers too");
  app.add_option("--dataset", options.dataset, "HDF5: which group or dataset to read")->type_name("NAME");
}

void add_graph_options(CLI::App& app, io::ReadOptions& options, std::span<const io::Kind> kinds) {
  using Ids = io::ReadOptions::IdKind;
  add_input_options(app, options, kinds);
  add_choice<Ids>(app, "--ids", options.ids, {{"auto", Ids::automatic}, {"integer", Ids::integer}, {"word", Ids::word}},
                  "what vertex ids are; auto: as on the first data line");
  app.add_flag("--ignore-weights", options.ignore_weights, "leaves weights out: an edge list may have a third column");
  app.add_flag("--drop-duplicates", options.drop_duplicates, "of equal edges keeps one");
  app.add_flag("--drop-self-loops", options.drop_self_loops, "drops edges from a vertex to itself");
}

void add_sample_options(CLI::App& app, io::ReadOptions& options) {
  constexpr io::Kind kKinds[] = {io::Kind::samples, io::Kind::dense};
  add_input_options(app, options, kKinds);
  app.add_option("--columns", options.columns, "LIBSVM: the number of features; 0: the largest index")
      ->transform(whole_number())
      ->type_name("N");
  app.add_flag("--zero-based", options.zero_based, "LIBSVM: indices count from 0");
}

std::string graph_formats() { return io::formats_that_read(io::Kind::graph); }

std::string table_formats() { return io::formats_that_read(io::Kind::dense); }

}  // namespace kasen
