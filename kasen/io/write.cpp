/// @file
/// From names and formats to writers.
#include "kasen/io/write.h"

#include <initializer_list>
#include <utility>

#include "kasen/base/error.h"
#include "kasen/io/matrix_output.h"

namespace kasen::io {

Format format_for_output(const std::string& path, bool dense) {
  const auto ends = [&](std::initializer_list<const char*> endings) {
    for (const char* ending : endings) {
      if (path.ends_with(ending)) return true;
    }
    return false;
  };
  if (ends({".h5", ".hdf5"})) return Format::hdf5;
  if (ends({".mtx"})) return Format::matrix_market;
  if (ends({".svm", ".libsvm"}) && !dense) return Format::libsvm;
  if (dense && ends({".tsv", ".csv", ".txt"})) return Format::table;
  if (!dense && ends({".txt", ".tsv", ".el", ".edges"})) return Format::edge_list;
  throw UsageError(path + ": its name does not say how to write it, expected " +
                   (dense ? ".h5, .mtx, .tsv, .csv or .txt" : ".h5, .mtx, .svm, .tsv or .txt"));
}

bool can_write(Format format, bool dense) {
  switch (format) {
    case Format::hdf5:
    case Format::matrix_market:
      return true;
    case Format::table:
      return dense;
    case Format::edge_list:
    case Format::libsvm:
      return !dense;
    default:
      return false;
  }
}

void write_matrix(const comm::Communicator& communicator, const std::string& path, Format format, SparseData data) {
  if (format == Format::hdf5) return write_hdf5(communicator, path, std::move(data));
  if (format == Format::matrix_market) return write_matrix_market(communicator, path, std::move(data));
  if (format == Format::libsvm) return write_libsvm(communicator, path, std::move(data));
  if (format == Format::edge_list) return write_edge_list(communicator, path, std::move(data));
  throw InternalError("no writer of sparse matrices for this format");
}

void write_matrix(const comm::Communicator& communicator, const std::string& path, Format format,
                  const DenseData& data) {
  if (format == Format::hdf5) return write_hdf5(communicator, path, data);
  if (format == Format::matrix_market) return write_matrix_market(communicator, path, data);
  if (format == Format::table) return write_table(communicator, path, data, path.ends_with(".csv") ? ',' : '\t');
  throw InternalError("no writer of tables for this format");
}

}  // namespace kasen::io
