/// @file
/// Reads LIBSVM files, by all workers together: labelled samples of few non-zeros, one a line.
#pragma once

#include "comm/communicator.h"
#include "kasen/io/matrix_data.h"
#include "kasen/io/read_options.h"
#include "kasen/io/text.h"

namespace kasen::io {

/// Collective. Rows are the samples in the order of the text, columns the indices. Blank lines and what stands behind #
/// are skipped. Non-zeros that are written as 0 are entries too.
/// @throws InputError (agreed) "FILE: reason" or "FILE:LINE:COLUMN: reason"
SparseData read_libsvm(const comm::Communicator& communicator, const Text& text, const ReadOptions& options,
                       const ValueRequest& values);

}  // namespace kasen::io
