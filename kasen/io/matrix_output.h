/// @file
/// Writes graphs, samples and tables, in parallel, to the formats that other software reads. All functions are
/// collective; a file appears under its name when it is whole, and is the same for any number of workers. Numbers read
/// back as the same bits. What a format cannot hold and would be misread is refused.
/// @throws InputError (agreed) "PATH: reason"; nothing is left behind then.
/// Memory: sparse data is brought into blocks of rows first, with 16 bytes an entry; pass it by std::move.
#pragma once

#include <string>

#include "comm/communicator.h"
#include "kasen/io/matrix_data.h"

namespace kasen::io {

/// HDF5, see docs/file_format.md: a sparse matrix by rows as SciPy and AnnData lay it out, a table as one dataset.
void write_hdf5(const comm::Communicator& communicator, const std::string& path, SparseData data);
void write_hdf5(const comm::Communicator& communicator, const std::string& path, const DenseData& data);

/// Matrix Market, `coordinate` (by rows, `real` or `pattern`, `general`), and `array`. Ids, labels and names are left
/// out.
void write_matrix_market(const comm::Communicator& communicator, const std::string& path, SparseData data);
void write_matrix_market(const comm::Communicator& communicator, const std::string& path, const DenseData& data);

/// A line `source target [weight]` an edge, by sources, then targets, under the ids that the vertices have, else their
/// numbers from 0. Vertices without an edge are not in such a file.
void write_edge_list(const comm::Communicator& communicator, const std::string& path, SparseData data);

/// LIBSVM: a line `label column:value ...` a row, columns from 1; label 0 where there are none, and value 1 for those
/// of a pattern. Two values in the same place are refused.
void write_libsvm(const comm::Communicator& communicator, const std::string& path, SparseData data);

/// A line of numbers a row, with `separator` between them; a first line with the columns' names if they have some.
void write_table(const comm::Communicator& communicator, const std::string& path, const DenseData& data,
                 char separator);

/// Labels, one a line; @param labels this worker's block.
DenseData label_table(std::uint64_t rows, std::vector<double> labels);

}  // namespace kasen::io
