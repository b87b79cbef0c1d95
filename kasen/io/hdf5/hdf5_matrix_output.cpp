/// @file
/// The layout of Kasen's HDF5 files, as docs/file_format.md describes it.
#include <limits>
#include <utility>

#include "kasen/base/release.h"
#include "kasen/io/data/row_block.h"
#include "kasen/io/hdf5/file_layout.h"
#include "kasen/io/hdf5/hdf5_matrix.h"
#include "kasen/io/hdf5/hdf5_output.h"
#include "partition/assignment.h"

namespace kasen::io {

void write_hdf5(const comm::Communicator& communicator, const std::string& path, SparseData data) {
  Hdf5Output output(communicator, path);
  const bool pattern = data.entries.value_bytes == 0;
  RowBlock block = to_row_block(communicator, std::move(data.entries), data.rows, data.columns);
  const std::uint64_t entries = communicator.sum<std::uint64_t>(block.column.size());
  const std::uint64_t before = communicator.exclusive_sum(block.column.size());
  std::vector<std::int64_t> indptr;
  for (std::uint64_t r = 0; r < block.rows(); ++r) indptr.push_back(static_cast<std::int64_t>(before + block.begin[r]));
  if (communicator.rank() + 1 == communicator.size()) indptr.push_back(static_cast<std::int64_t>(entries));
  release(block.begin);
  std::vector<std::int32_t> short_column;
  if (data.columns <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) {
    short_column.assign(block.column.begin(), block.column.end());
    release(block.column);
    output.add("/matrix/indices", std::span<const std::int32_t>(short_column));
  } else {
    output.add("/matrix/indices", std::span<const std::int64_t>(block.column));
  }
  output.add("/matrix/indptr", std::span<const std::int64_t>(indptr));
  if (!pattern) output.add("/matrix/data", std::span<const double>(block.value));
  describe_sparse(output, data, "csr_matrix");
  output.commit();
}

void write_hdf5(const comm::Communicator& communicator, const std::string& path, const DenseData& data) {
  Hdf5Output output(communicator, path);
  const auto blocks = partition::Assignment::block(data.rows, communicator.size());
  const auto rows = blocks.block_begin(communicator.rank() + 1) - blocks.block_begin(communicator.rank());
  output.add_rows("/values", static_cast<std::uint64_t>(rows), data.columns, ElementType::of<double>(),
                  std::as_bytes(std::span<const double>(data.values)));
  if (!data.names.empty()) output.add("/column_names", data.names);
  state_format(output, "table");
  output.commit();
}

}  // namespace kasen::io
