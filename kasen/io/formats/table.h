/// @file
/// Tables of numbers, read and written by all workers together: CSV, TSV and the like, one row a line.
#pragma once

#include <string>
#include <vector>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"
#include "kasen/io/data/read_options.h"
#include "kasen/io/lines/beginning.h"
#include "kasen/io/lines/text.h"

namespace kasen::io {

/// Any text but samples is possibly a table; the endings .csv, .tsv, .dat and .data name one.
Likeness recognise_table(const Beginning& beginning);
Content look_at_table(const Beginning& beginning, const ReadOptions& options, std::optional<Kind> asked);

/// Collective. Reads a table. The first line that is neither blank nor a comment says how fields are separated: by
/// commas, else semicolons, else tabs, else blanks. If not all of it are numbers it names the columns; a file of a
/// directory may repeat it as its first line. All rows have as many fields.
/// @throws AgreedError "FILE: reason" or "FILE:LINE:COLUMN: reason"
DenseData read_table(const comm::Communicator& communicator, const Text& text, const ReadOptions& options);

/// Collective. Writes a line of numbers for each row, with `separator` between them, after a line with the columns'
/// names if they have some. See kasen/io/formats/write.h.
void write_table(const comm::Communicator& communicator, const std::string& path, const DenseData& data,
                 char separator);
/// Collective. The same, with commas between numbers if the name ends with .csv, else tabs.
void write_table(const comm::Communicator& communicator, const std::string& path, const DenseData& data);

/// A table of labels, one a line. @param labels this worker's block.
DenseData label_table(std::uint64_t rows, std::vector<double> labels);

}  // namespace kasen::io
