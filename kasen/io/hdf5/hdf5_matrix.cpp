#include "kasen/io/hdf5/hdf5_matrix.h"

#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "comm/agreement.h"
#include "comm/available_memory.h"
#include "kasen/base/error.h"
#include "kasen/io/data/matrix_rows.h"
#include "kasen/io/hdf5/file_layout.h"
#include "kasen/io/hdf5/hdf5_input.h"
#include "kasen/io/hdf5/hdf5_search.h"
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

/// Collective.
SparseData read_sparse(const comm::Communicator& communicator, const Text& file, const ReadOptions& options,
                       const ValueRequest& values, bool graph) {
  require_one_plain_file(file);
  SparseData data = read_hdf5_sparse(communicator, file.parts()[0].path, options.dataset, graph, values.stored);
  const std::uint64_t needed = options.any_columns ? 0 : comm::bytes_of(data.columns, sizeof(double));
  if (const std::uint64_t available = comm::available_memory(communicator); needed > available) {
    throw InputError(
        file.path() + ": found " + std::to_string(data.columns) +
        " columns, expected as many as a vector of fits into memory: " + comm::too_little_memory(needed, available));
  }
  if (!values.stored) return data;
  Entries& entries = data.entries;
  if (entries.value_bytes == 0) {
    throw InputError(file.path() + ": expected entries with values, found a pattern");
  }
  comm::agree(communicator, [&] {
    for (std::size_t k = 0; k < entries.row.size(); ++k) {
      double value = 0;
      std::memcpy(&value, &entries.value[k * sizeof value], sizeof value);
      check_value(file.path(), value, static_cast<std::uint64_t>(entries.row[k]),
                  static_cast<std::uint64_t>(entries.column[k]), values.rule);
    }
  });
  return data;
}

}  // namespace

/// The signature stands at the beginning, or behind a block of the writer's own, which has 512 bytes in files of
/// MATLAB.
Likeness recognise_hdf5(const Beginning& beginning) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  if (beginning.bytes().starts_with(kSignature)) return Likeness::certain;
  const std::unique_ptr<ByteSource> file = beginning.text().open(0);
  for (const std::uint64_t at : {512, 1024, 2048}) {
    char bytes[kSignature.size()];
    if (std::string_view(bytes, file->read(at, bytes, sizeof bytes)) == kSignature) return Likeness::certain;
  }
  return Likeness::none;
}

Content look_at_hdf5(const Beginning& beginning, const ReadOptions& options, std::optional<Kind> asked) {
  require_one_plain_file(beginning.text());
  const Hdf5File file(beginning.text().parts()[0].path);
  const auto stated = file.text_attribute("/", kContentAttribute);
  if (!asked && stated == "graph") asked = Kind::graph;
  if (!asked && stated == "samples") asked = Kind::samples;
  if (!asked && stated == "table") asked = Kind::dense;
  const std::string name = options.dataset.empty() ? "" : absolute_name(options.dataset);
  const bool dataset = !name.empty() && file.object(name) == Hdf5File::Object::dataset;
  if (asked == Kind::dense || (!asked && dataset)) return {Kind::dense, true};
  try {
    const SparseGroup group = find_sparse(file, options.dataset);
    return {asked.value_or(group.rows == group.columns ? Kind::graph : Kind::samples), group.data.has_value()};
  } catch (const InputError&) {
    if (asked) return {*asked, false};  // its reader says why
    if (!name.empty()) throw;
    return {Kind::dense, true};  // or nothing: its reader says why
  }
}

SparseData read_hdf5_graph(const comm::Communicator& communicator, const Text& file, const ReadOptions& options,
                           const ValueRequest& values) {
  return read_sparse(communicator, file, options, values, true);
}

SparseData read_hdf5_samples(const comm::Communicator& communicator, const Text& file, const ReadOptions& options,
                             const ValueRequest& values) {
  return read_sparse(communicator, file, options, values, false);
}

DenseData read_hdf5_table(const comm::Communicator& communicator, const Text& file, const ReadOptions& options) {
  require_one_plain_file(file);
  DenseData table = read_hdf5_dense(communicator, file.parts()[0].path, options.dataset);
  const auto blocks = partition::Assignment::block(table.rows, communicator.size());
  const auto first = static_cast<std::uint64_t>(blocks.block_begin(communicator.rank()));
  comm::agree(communicator, [&] {
    for (std::uint64_t k = 0; k < table.values.size(); ++k) {
      check_value(file.path(), table.values[k], first + k / table.columns, k % table.columns,
                  {.finite = !options.allow_non_finite});
    }
  });
  return table;
}

}  // namespace kasen::io
