/// @file
/// HDF5 files as the readers of any format take them: with the values that are asked for, and checked.
#pragma once

#include "comm/communicator.h"
#include "kasen/io/matrix_data.h"
#include "kasen/io/read_options.h"
#include "kasen/io/text.h"

namespace kasen::io {

/// Collective. A graph, or samples. @throws InputError (agreed): see read_hdf5_sparse; a file that is compressed as a
/// whole, or several files; no values where they are asked for, or values that do not fit
SparseData read_hdf5(const comm::Communicator& communicator, const Text& file, const ReadOptions& options,
                     const ValueRequest& values, bool graph);

/// Collective. A table. @throws InputError (agreed) as above
DenseData read_hdf5_table(const comm::Communicator& communicator, const Text& file, const ReadOptions& options);

}  // namespace kasen::io
