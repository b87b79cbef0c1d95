/// @file
/// Writing matrices to files of any format: what programs and tools call.
#pragma once

#include <string>

#include "comm/communicator.h"
#include "kasen/io/matrix_data.h"
#include "kasen/io/read_options.h"

namespace kasen::io {

/// Local. The format that the name of an output file asks for: .h5 .hdf5, .mtx, .svm .libsvm; .txt .tsv .csv for
/// tables, and .txt .tsv .el .edges for edge lists (`dense` false). @throws UsageError
Format format_for_output(const std::string& path, bool dense);

/// Local. Whether graphs and samples (`dense` false), or tables, can be written so.
bool can_write(Format format, bool dense);

/// Collective. See kasen/io/matrix_output.h. Tables are separated by commas if the name ends with .csv, else by tabs.
/// @pre can_write(format, dense). @throws InputError (agreed)
void write_matrix(const comm::Communicator& communicator, const std::string& path, Format format, SparseData data);
void write_matrix(const comm::Communicator& communicator, const std::string& path, Format format,
                  const DenseData& data);

}  // namespace kasen::io
