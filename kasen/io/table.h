/// @file
/// Reads tables of numbers, by all workers together: CSV, TSV and the like, one row a line.
#pragma once

#include "comm/communicator.h"
#include "kasen/io/matrix_data.h"
#include "kasen/io/read_options.h"
#include "kasen/io/text.h"

namespace kasen::io {

/// Collective. The first line that is neither blank nor a comment says how fields are separated: by commas, else
/// semicolons, else tabs, else blanks. If not all of it are numbers it names the columns; a file of a directory may
/// repeat it as its first line. All rows have as many fields.
/// @throws InputError (agreed) "FILE: reason" or "FILE:LINE:COLUMN: reason"
DenseData read_table(const comm::Communicator& communicator, const Text& text, const NumberRule& rule);

}  // namespace kasen::io
