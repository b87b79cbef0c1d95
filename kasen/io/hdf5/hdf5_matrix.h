/// @file
/// HDF5 as one of the formats (kasen/io/formats/formats.h): graphs, samples and tables, read with the values that are
/// asked for and checked, and written as docs/file_format.md describes.
#pragma once

#include <string>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"
#include "kasen/io/data/read_options.h"
#include "kasen/io/lines/beginning.h"
#include "kasen/io/lines/text.h"

namespace kasen::io {

/// Recognises a file by its first bytes.
Likeness recognise_hdf5(const Beginning& beginning);
/// What the file holds: what Kasen's files say; else a sparse matrix before a table, a graph if it is square.
Content look_at_hdf5(const Beginning& beginning, const ReadOptions& options, std::optional<Kind> asked);

/// Collective. Reads a sparse matrix. @throws AgreedError: see read_hdf5_sparse (hdf5_input.h); a file that is
/// compressed as a whole, or several files; no values where they are asked for, or values that do not fit
SparseData read_hdf5_graph(const comm::Communicator& communicator, const Text& file, const ReadOptions& options,
                           const ValueRequest& values);
SparseData read_hdf5_samples(const comm::Communicator& communicator, const Text& file, const ReadOptions& options,
                             const ValueRequest& values);

/// Collective. Reads a table. @throws AgreedError as above
DenseData read_hdf5_table(const comm::Communicator& communicator, const Text& file, const ReadOptions& options);

/// Collective. Writes a sparse matrix by rows as SciPy and AnnData lay it out, and a table as one dataset. See
/// kasen/io/formats/write.h.
void write_hdf5(const comm::Communicator& communicator, const std::string& path, SparseData data);
void write_hdf5(const comm::Communicator& communicator, const std::string& path, const DenseData& data);

}  // namespace kasen::io
