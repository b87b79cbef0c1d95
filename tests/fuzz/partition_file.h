/// @file
/// Files that --partition FILE reads, for random programs.
#pragma once

#include <optional>
#include <string>

#include "tests/fuzz/program.h"

namespace kasen::tests::fuzz {

/// A part for each element of the spaces that matrices of the program have as rows, if one file can say it for all of
/// them: one part a line, or names and parts. A function of the program and the number of workers.
std::optional<std::string> partition_text(const Program& program, int workers);

/// Collective at first. Where the file is: in a temporary folder of this run, which goes when the run ends.
const std::string& partition_path();
/// Collective. Worker 0 writes it.
void write_partition_file(const std::string& text);

}  // namespace kasen::tests::fuzz
