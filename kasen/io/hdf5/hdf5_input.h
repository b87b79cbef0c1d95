/// @file
/// Reading of matrices from HDF5 files: Kasen's own, and those of h5py, SciPy, AnnData, MATLAB and others. Every worker
/// reads contiguous ranges of its own.
#pragma once

#include <string>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"

namespace kasen::io {

/// Collective. Reads a sparse matrix: a group with `data`, `indices`, `indptr` (CSR or CSC, as AnnData's
/// `encoding-type` or `h5sparse_format` says, else by the length of `indptr`, CSR if that decides nothing) or with
/// `data`, `row`, `col`, and the shape in the attribute `shape` or `h5sparse_shape` or the dataset `shape`. Without
/// `data` it is a pattern. Beside the group, `vertex` (integers or fixed-length text, ascending) names the vertices of
/// a graph, and `labels` (numbers, one a row) labels samples.
/// @param dataset the group; empty: the only one that fits.
/// @param graph whether it is no samples: if it is square, rows and columns are the same vertices, as of Matrix Market.
/// @param values false: `data` is not read, and what is returned is a pattern
/// Entries come in the order of the file, as many to each worker; they do not depend on the number of workers. Those of
/// a file that was prepared for this number of workers (kasen/io/hdf5/prepared.h) come where they belong.
/// @throws AgreedError "FILE:/dataset: found ..., expected ..."
/// Memory: 8 bytes an entry and 8 a value; a few MiB beside. Cost: each worker reads its entries and, about twice, its
/// rows' indptr.
SparseData read_hdf5_sparse(const comm::Communicator& communicator, const std::string& path, const std::string& dataset,
                            bool graph, bool values = true);

/// Collective. Whether the file has a dataset of this name. @throws AgreedError "FILE: reason"
bool has_hdf5_dataset(const comm::Communicator& communicator, const std::string& path, const std::string& dataset);

/// Collective. Reads a vector (one column) or a matrix of integers, booleans or floats of any size and byte order; HDF5
/// converts them to double. `column_names` beside the dataset (fixed-length text, one a column) names the columns.
/// @param dataset empty: the only one that fits. @throws AgreedError as above.
DenseData read_hdf5_dense(const comm::Communicator& communicator, const std::string& path, const std::string& dataset);

}  // namespace kasen::io
