/// @file
/// Look-up of the writer for a name or format.
#include "kasen/io/formats/write.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "comm/agreement.h"
#include "kasen/base/error.h"

namespace kasen::io {

const Format& format_for_output(const std::string& path, bool dense) {
  std::vector<std::string_view> endings;
  for (const Format& format : formats()) {
    if (!format.writes(dense)) continue;
    for (const std::string_view ending : format.endings) {
      if (path.ends_with(ending)) return format;
      endings.push_back(ending);
    }
  }
  throw UsageError(path + ": its name does not say how to write it, expected " + one_of(endings));
}

void write_matrix(const comm::Communicator& communicator, const std::string& path, const Format& format,
                  SparseData data) {
  if (!format.writes(false)) throw InternalError(std::string(format.name) + " does not hold sparse matrices");
  comm::alike([&] { format.write_sparse(communicator, path, std::move(data)); });
}

void write_matrix(const comm::Communicator& communicator, const std::string& path, const Format& format,
                  const DenseData& data) {
  if (!format.writes(true)) throw InternalError(std::string(format.name) + " does not hold tables");
  comm::alike([&] { format.write_dense(communicator, path, data); });
}

}  // namespace kasen::io
