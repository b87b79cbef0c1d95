#include "kasen/io/data/within_limit.h"

#include "comm/memory_limit.h"

namespace kasen::io {

void require_within_limit(const comm::Communicator& communicator, const std::string& path,
                          const partition::MatrixSize& matrix, bool grows) {
  comm::MemoryNeeds needs(communicator);
  partition::add_entries(matrix, needs);
  if (grows) {
    needs.add("copies of them as they become more", [matrix](std::uint64_t workers) {
      return comm::share_of(matrix.entries, workers) * matrix.bytes_of_entry() / 2;
    });
  }
  partition::add_placing(matrix, needs);
  needs.require(path + ": a matrix of " + std::to_string(matrix.rows) + " x " + std::to_string(matrix.columns) +
                " with " + std::to_string(matrix.entries) + " entries");
}

}  // namespace kasen::io
