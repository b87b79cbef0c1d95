#include "kasen/io/read_hdf5.h"

#include <cmath>
#include <cstring>
#include <string>

#include "comm/agreement.h"
#include "comm/available_memory.h"
#include "kasen/base/error.h"
#include "kasen/io/hdf5_input.h"
#include "partition/assignment.h"

namespace kasen::io {

namespace {

/// HDF5 is read where it lies.
void require_one_plain_file(const Text& file) {
  const TextPart& part = file.parts()[0];
  if (file.parts().size() > 1) {
    throw InputError(file.path() + ": expected one HDF5 file, found a directory of " +
                     std::to_string(file.parts().size()) + " files");
  }
  if (part.compression != Compression::none) {
    throw InputError(part.path + ": expected an HDF5 file, found one that is compressed with " +
                     std::string(name_of(part.compression)) + "; unpack it first");
  }
}

/// What is wrong with a value, after "expected"; empty if nothing.
std::string expected_instead(double value, const NumberRule& rule) {
  if (rule.finite && !std::isfinite(value)) return "finite numbers";
  if (!rule.integral) return {};
  if (std::floor(value) != value) return "whole numbers";
  return value < rule.least || value > rule.most ? "numbers that fit the type of the elements" : "";
}

void check(const Text& file, double value, std::uint64_t row, std::uint64_t column, const NumberRule& rule) {
  const std::string expected = expected_instead(value, rule);
  if (expected.empty()) return;
  throw InputError(file.path() + ": expected " + expected + ", found " + std::to_string(value) + " in row " +
                   std::to_string(row) + ", column " + std::to_string(column) + " (from 0)");
}

}  // namespace

SparseData read_hdf5(const comm::Communicator& communicator, const Text& file, const ReadOptions& options,
                     const ValueRequest& values, bool graph) {
  require_one_plain_file(file);
  SparseData data = read_hdf5_sparse(communicator, file.parts()[0].path, options.dataset, graph);
  const std::uint64_t needed = options.any_columns ? 0 : comm::bytes_of(data.columns, sizeof(double));
  if (const std::uint64_t available = comm::available_memory(communicator); needed > available) {
    throw InputError(
        file.path() + ": found " + std::to_string(data.columns) +
        " columns, expected as many as a vector of fits into memory: " + comm::too_little_memory(needed, available));
  }
  Entries& entries = data.entries;
  if (!values.stored) {
    entries.value = {};
    entries.value_bytes = 0;
    return data;
  }
  if (entries.value_bytes == 0) {
    throw InputError(file.path() + ": expected entries with values, found a pattern");
  }
  comm::agree(communicator, [&] {
    for (std::size_t k = 0; k < entries.row.size(); ++k) {
      double value = 0;
      std::memcpy(&value, &entries.value[k * sizeof value], sizeof value);
      check(file, value, static_cast<std::uint64_t>(entries.row[k]), static_cast<std::uint64_t>(entries.column[k]),
            values.rule);
    }
  });
  return data;
}

DenseData read_hdf5_table(const comm::Communicator& communicator, const Text& file, const ReadOptions& options) {
  require_one_plain_file(file);
  DenseData table = read_hdf5_dense(communicator, file.parts()[0].path, options.dataset);
  const auto blocks = partition::Assignment::block(table.rows, communicator.size());
  const auto first = static_cast<std::uint64_t>(blocks.block_begin(communicator.rank()));
  comm::agree(communicator, [&] {
    for (std::uint64_t k = 0; k < table.values.size(); ++k) {
      check(file, table.values[k], first + k / table.columns, k % table.columns, {.finite = !options.allow_non_finite});
    }
  });
  return table;
}

}  // namespace kasen::io
