/// @file
/// The command line options of programs that read files.
#pragma once

#include <span>
#include <string>

#include "kasen/io/data/read_options.h"
#include "kasen/io/lines/beginning.h"

namespace CLI {
class App;
}

namespace kasen {

/// What programs read: graphs, or any matrix whose non-zeros are listed; tables of numbers.
inline constexpr io::Kind kGraphs[] = {io::Kind::graph}, kTables[] = {io::Kind::dense};

/// --format, of the formats that hold any of these kinds, --skip-lines, --allow-non-finite, --dataset.
void add_input_options(CLI::App& app, io::ReadOptions& options, std::span<const io::Kind> kinds);

/// The same and --ids, --ignore-weights, --drop-duplicates, --drop-self-loops.
void add_graph_options(CLI::App& app, io::ReadOptions& options, std::span<const io::Kind> kinds = kGraphs);

/// The same as add_input_options, of samples with few non-zeros and of tables, and --columns, --zero-based.
void add_sample_options(CLI::App& app, io::ReadOptions& options);

/// The formats that a graph, or a table, may have, for --help: "an edge list, Matrix Market, METIS or HDF5".
std::string graph_formats();
std::string table_formats();

}  // namespace kasen
