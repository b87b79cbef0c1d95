/// @file
/// The command line options of programs that read files.
#pragma once

#include <string>

#include "kasen/io/data/read_options.h"

namespace CLI {
class App;
}

namespace kasen {

/// --format, --skip-lines, --allow-non-finite, --dataset.
void add_input_options(CLI::App& app, io::ReadOptions& options);

/// The same and --ids, --ignore-weights, --drop-duplicates, --drop-self-loops.
void add_graph_options(CLI::App& app, io::ReadOptions& options);

/// The same as add_input_options, and --columns, --zero-based.
void add_sample_options(CLI::App& app, io::ReadOptions& options);

/// The formats that a graph, or a table, may have, for --help: "an edge list, Matrix Market, METIS or HDF5".
std::string graph_formats();
std::string table_formats();

}  // namespace kasen
