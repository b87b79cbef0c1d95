/// @file
/// LIBSVM files, read and written by all workers together: labelled samples of few non-zeros, one a line.
#pragma once

#include <string>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"
#include "kasen/io/data/read_options.h"
#include "kasen/io/lines/beginning.h"
#include "kasen/io/lines/text.h"

namespace kasen::io {

/// Recognises a file by its pairs. A line with nothing but a label is a sample too, without non-zeros.
Likeness recognise_libsvm(const Beginning& beginning);
Content look_at_libsvm(const Beginning& beginning, const ReadOptions& options, std::optional<Kind> asked);

/// Collective. Reads samples: rows are the samples in the order of the text, columns the indices. Blank lines and what
/// stands behind # are skipped. Non-zeros that are written as 0 are entries too.
/// @throws AgreedError "FILE: reason" or "FILE:LINE:COLUMN: reason"
SparseData read_libsvm(const comm::Communicator& communicator, const Text& text, const ReadOptions& options,
                       const ValueRequest& values);

/// Collective. Writes a line `label column:value ...` for each row, columns from 1; label 0 where there are none, and
/// value 1 for those of a pattern. Two values in the same place are refused. See kasen/io/formats/write.h.
void write_libsvm(const comm::Communicator& communicator, const std::string& path, SparseData data);

}  // namespace kasen::io
